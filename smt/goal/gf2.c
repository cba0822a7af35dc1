/* Equations between bit patterns, solved as linear equations over the two-element field.
 *
 * A number that is known not to be negative is a row of bits. Constants, shifts by constants,
 * masks, exclusive or, and sums and unions of numbers that have no bit in common make each bit of
 * the result an exclusive or of bits of the operands. What is none of these, a variable say, has
 * bits of its own that nothing is known of. An equation of two such numbers is then one linear
 * equation for each bit. What the equations imply together is added to the goal: that two numbers
 * are equal, because all their bits are, or that the equations contradict each other. Both follow
 * from the facts alone, and taking bits for free that are not can only leave something out. So Gray
 * codes, Morton order, bit reversal, rotations and swizzles are seen to be one-to-one: their
 * matrices have full rank. */
#include "goal/gf2.h"

#include "goal/goal.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 6,
    MAX_COLUMNS = 64 * WORDS, /* column 0 is the constant */
    MAX_WIDTH = 64,           /* bits of a number */
    MAX_NUMBERS = 24,         /* with bits of their own */
    MAX_TERMS = 600,
};

typedef struct row {
    uint64_t words[WORDS];
} row;

typedef struct number {
    bool known; /* its bits are linear */
    int width;  /* bits from here on are 0 */
    row bits[MAX_WIDTH];
} number;

typedef struct field {
    smt_ctx *ctx;
    smt_order order;
    number *numbers; /* by place in the order */
    int n_columns;
    size_t n_own;
    uint32_t own[MAX_NUMBERS]; /* places of the numbers that have bits of their own */
    bool has_pivot[MAX_COLUMNS];
    row pivots[MAX_COLUMNS]; /* equations, by the first column that occurs in them */
    bool contradiction;
} field;

/* ---- Section: Rows ---- */

static bool is_zero(const row *r)
{
    static const row zero = {{0}};
    return memcmp(r, &zero, sizeof zero) == 0;
}

static bool is_same(const row *a, const row *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool has_column(const row *r, int column)
{
    return r->words[column / 64] >> (column % 64) & 1;
}

static void flip_column(row *r, int column)
{
    r->words[column / 64] ^= (uint64_t)1 << (column % 64);
}

static void add_row(row *to, const row *other)
{
    for (int i = 0; i < WORDS; i++)
        to->words[i] ^= other->words[i];
}

/* Computes what is left of the equation after those that are known; its first column, 0: only a
 * constant. */
static int reduce(const field *f, row *r)
{
    int first = 0;
    for (int column = 1; column < f->n_columns; column++) {
        if (has_column(r, column) && f->has_pivot[column])
            add_row(r, &f->pivots[column]);
        else if (has_column(r, column) && first == 0)
            first = column;
    }
    return first;
}

static void add_equation(field *f, row r)
{
    int first = reduce(f, &r);
    if (first > 0) {
        f->pivots[first] = r;
        f->has_pivot[first] = true;
    } else if (!is_zero(&r)) {
        f->contradiction = true;
    }
}

/* ---- Section: Numbers ---- */

static int width_of(smt_int high)
{
    int width = 0;
    while (width < MAX_WIDTH && high >> width != 0)
        width++;
    return width;
}

static void set_bit(number *n, int at, const row *r)
{
    n->bits[at] = *r;
    if (!is_zero(r) && at >= n->width)
        n->width = at + 1;
}

static bool set_constant(number *n, smt_int value)
{
    row one = {{1}};
    if (value < 0 || value >> (MAX_WIDTH - 1) != 0)
        return false;
    for (int i = 0; i < MAX_WIDTH - 1; i++)
        if (value >> i & 1)
            set_bit(n, i, &one);
    return true;
}

/* + (or, with `minus`, -) other * 2^shift, where nothing is carried or borrowed. */
static bool put(number *to, const number *other, int shift, bool minus)
{
    static const row zero = {{0}};
    if (other->width > 0 && other->width + shift > MAX_WIDTH)
        return false;
    for (int i = 0; i < other->width; i++) {
        row *bit = &to->bits[i + shift];
        if (is_zero(&other->bits[i]))
            continue;
        if (minus ? !is_same(bit, &other->bits[i]) : !is_zero(bit))
            return false;
        set_bit(to, i + shift, minus ? &zero : &other->bits[i]);
    }
    return true;
}

static bool put_multiple(number *to, const number *other, smt_int factor, bool minus)
{
    if (!other->known || factor < 0 || factor >> (MAX_WIDTH - 1) != 0)
        return false;
    for (int i = 0; i < MAX_WIDTH - 1; i++)
        if ((factor >> i & 1) && !put(to, other, i, minus))
            return false;
    return true;
}

/* The summands of one sign, added up; what is no sum is a summand itself. */
static bool put_summands(field *f, uint32_t place, number *to, bool negative, bool minus)
{
    smt_t sum = f->order.terms[place];
    const uint32_t *children = f->order.children + f->order.first[place];
    if (sum->kind != SMT_SUM)
        return negative || put_multiple(to, &f->numbers[place], 1, minus);
    number constant = {0};
    smt_int value = negative ? -sum->value : sum->value;
    if (value > 0 && (!set_constant(&constant, value) || !put(to, &constant, 0, minus)))
        return false;
    for (uint32_t i = 0; i < sum->n_args; i++)
        if ((sum->coefs[i] < 0) == negative &&
            !put_multiple(to, &f->numbers[children[i]], negative ? -sum->coefs[i] : sum->coefs[i],
                          minus))
            return false;
    return true;
}

static bool power_of(smt_t term, int *power)
{
    if (term->kind != SMT_INT || term->value <= 0 || (term->value & (term->value - 1)) != 0)
        return false;
    *power = width_of(term->value) - 1;
    return *power < MAX_WIDTH - 1;
}

static bool divide(const field *f, uint32_t place, number *to)
{
    smt_t term = f->order.terms[place];
    const number *a = &f->numbers[f->order.children[f->order.first[place]]];
    int power;
    if (!a->known || !power_of(term->args[1], &power))
        return false;
    bool quotient = term->kind == SMT_DIV;
    int from = quotient ? power : 0, until = quotient ? a->width : power;
    for (int i = from; i < until && i < a->width; i++)
        set_bit(to, i - from, &a->bits[i]);
    return true;
}

/* One bit of the result; false: it is no exclusive or of bits of the operands. */
static bool combine_bits(smt_bits_op op, const row *x, const row *y, row *bit)
{
    static const row zero = {{0}}, one = {{1}};
    bool same = is_same(x, y), known = is_same(x, &zero) || is_same(x, &one);
    const row *constant = known ? x : y, *other = known ? y : x;
    *bit = *x;
    if (op == SMT_BITS_XOR)
        add_row(bit, y);
    if (op == SMT_BITS_XOR || same)
        return true;
    if (!is_zero(constant) && !is_same(constant, &one))
        return false;
    *bit = is_zero(constant) == (op == SMT_BITS_AND) ? *constant : *other;
    return true;
}

static bool combine(field *f, uint32_t place, smt_bits_op op, number *to)
{
    const uint32_t *children = f->order.children + f->order.first[place];
    const number *a = &f->numbers[children[0]], *b = &f->numbers[children[1]];
    if (!a->known || !b->known)
        return false;
    int width = a->width > b->width ? a->width : b->width;
    for (int i = 0; i < width; i++) {
        row bit;
        if (!combine_bits(op, &a->bits[i], &b->bits[i], &bit)) {
            /* A bit that nothing is known of; a mask may leave it out again. */
            if (f->n_columns == MAX_COLUMNS)
                return false;
            bit = (row){{0}};
            flip_column(&bit, f->n_columns++);
        }
        set_bit(to, i, &bit);
    }
    return true;
}

/* x ^ 2^p is written as a choice (bits.c): the same term is made of it again. */
static bool flip(field *f, uint32_t place, number *to)
{
    smt_t term = f->order.terms[place];
    smt_int apart;
    if (!smt_is_const(smt_sub(f->ctx, term->args[2], term->args[1]), &apart))
        return false;
    smt_int bit = (apart < 0 ? -apart : apart) / 2;
    int power;
    if (!power_of(smt_int_const(f->ctx, bit), &power) || 2 * bit != (apart < 0 ? -apart : apart))
        return false;
    smt_t lower = term->args[apart < 0 ? 2 : 1];
    smt_t x = smt_add(f->ctx, lower, smt_int_const(f->ctx, bit));
    uint32_t at = 0;
    while (at < place && f->order.terms[at] != x)
        at++;
    if (at == place || !f->numbers[at].known ||
        smt_bits(f->ctx, SMT_BITS_XOR, MAX_WIDTH, x, smt_int_const(f->ctx, bit)) != term)
        return false;
    number one = {0};
    *to = f->numbers[at];
    set_constant(&one, bit);
    row flipped = to->bits[power];
    add_row(&flipped, &one.bits[power]);
    set_bit(to, power, &flipped);
    return true;
}

static bool give_own_bits(field *f, uint32_t place, number *to)
{
    smt_t term = f->order.terms[place];
    *to = (number){0};
    int width = width_of(term->high);
    if (term->low < 0 || width >= MAX_WIDTH || f->n_own == MAX_NUMBERS ||
        f->n_columns + width > MAX_COLUMNS)
        return false;
    f->own[f->n_own++] = place;
    for (int i = 0; i < width; i++) {
        row bit = {{0}};
        flip_column(&bit, f->n_columns++);
        set_bit(to, i, &bit);
    }
    return true;
}

static void evaluate(field *f, uint32_t place)
{
    smt_t term = f->order.terms[place];
    number *to = &f->numbers[place];
    smt_bits_op op;
    bool linear = false;
    if (smt_is_bool(term))
        return;
    if (term->kind == SMT_INT)
        linear = set_constant(to, term->value);
    else if (term->kind == SMT_SUM)
        linear = put_summands(f, place, to, false, false) && put_summands(f, place, to, true, true);
    else if (term->kind == SMT_DIV || term->kind == SMT_MOD)
        linear = divide(f, place, to);
    else if (term->kind == SMT_ITE)
        linear = flip(f, place, to);
    else if (smt_is_bits(term, &op))
        linear = combine(f, place, op, to);
    to->known = linear || (term->kind != SMT_INT && give_own_bits(f, place, to));
}

/* ---- Section: Equations ---- */

/* The summands that are added are the summands that are taken away, bit by bit. */
static void use_equation(field *f, smt_t fact)
{
    number sides[2] = {{0}, {0}};
    uint32_t place = smt_order_find(&f->order, fact->args[0]);
    if (!put_summands(f, place, &sides[0], false, false) ||
        !put_summands(f, place, &sides[1], true, false))
        return;
    for (int i = 0; i < sides[0].width || i < sides[1].width; i++) {
        row difference = sides[0].bits[i];
        add_row(&difference, &sides[1].bits[i]);
        add_equation(f, difference);
    }
}

static bool are_equal(const field *f, const number *a, const number *b)
{
    for (int i = 0; i < a->width || i < b->width; i++) {
        row difference = a->bits[i];
        add_row(&difference, &b->bits[i]);
        reduce(f, &difference);
        if (!is_zero(&difference))
            return false;
    }
    return true;
}

static bool is_fact(const smt_goal *goal, smt_t fact)
{
    for (size_t i = 0; i < arrlenu(goal->facts); i++)
        if (goal->facts[i] == fact)
            return true;
    return false;
}

static bool add_equalities(field *f, smt_goal *goal)
{
    bool changed = false;
    for (size_t i = 0; i < f->n_own; i++)
        for (size_t k = 0; k < i; k++) {
            if (!are_equal(f, &f->numbers[f->own[i]], &f->numbers[f->own[k]]))
                continue;
            smt_t same = smt_eq(f->ctx, f->order.terms[f->own[i]], f->order.terms[f->own[k]]);
            if (is_fact(goal, same))
                continue;
            smt_goal_add(goal, same);
            changed = true;
        }
    return changed;
}

bool smt_goal_has_bits(const smt_goal *goal)
{
    if (!(smt_goal_flags(goal) & SMT_HAS_APP))
        return false;
    smt_order order;
    smt_bits_op op;
    bool found = false;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order) && !found; i++)
        found = smt_is_bits(order.terms[i], &op);
    smt_order_free(&order);
    return found;
}

/* The equations of the goal, in the field. NULL: there are none that this is for. */
static field *field_open(smt_ctx *ctx, const smt_goal *goal)
{
    smt_t *equations = NULL;
    for (size_t i = 0; i < arrlenu(goal->facts); i++)
        if (goal->facts[i]->kind == SMT_EQ)
            arrput(equations, goal->facts[i]);
    if (arrlenu(equations) == 0 || !smt_goal_has_bits(goal)) {
        arrfree(equations);
        return NULL;
    }
    field *f = calloc(1, sizeof *f);
    if (!f)
        tr_no_memory();
    f->ctx = ctx;
    f->n_columns = 1;
    smt_order_make(&f->order, arrlenu(equations), equations);
    size_t n = smt_order_count(&f->order);
    f->numbers = n <= MAX_TERMS ? calloc(n, sizeof *f->numbers) : NULL;
    for (uint32_t i = 0; f->numbers && i < n; i++)
        evaluate(f, i);
    for (size_t i = 0; f->numbers && i < arrlenu(equations); i++)
        use_equation(f, equations[i]);
    arrfree(equations);
    return f;
}

static void field_close(field *f)
{
    free(f->numbers);
    smt_order_free(&f->order);
    free(f);
}

/* An operand that both sides have in an exclusive or is left out: from x ^ s = y ^ s follows x = y,
 * be they negative or not, where x and y have no more bits than the results. NULL: the equation is
 * none of these. */
static smt_t without_common_operand(smt_ctx *ctx, smt_t equation)
{
    smt_t sum = equation->args[0];
    smt_bits_op op;
    if (smt_n_monos(sum) != 2)
        return NULL;
    smt_mono first = smt_mono_at(sum, 0), second = smt_mono_at(sum, 1);
    smt_t a = first.term, b = second.term;
    if (!a || !b || !smt_is_bits(a, &op) || op != SMT_BITS_XOR || !smt_is_bits(b, &op) ||
        op != SMT_BITS_XOR || strcmp(a->name, b->name) != 0 ||
        smt_scale(ctx, smt_sub(ctx, a, b), first.coef) != sum)
        return NULL;
    for (int i = 0; i < 4; i++) {
        smt_t x = a->args[i / 2], y = b->args[i % 2];
        if (a->args[1 - i / 2] == b->args[1 - i % 2] && x->low >= a->low && x->high <= a->high &&
            y->low >= a->low && y->high <= a->high)
            return smt_eq(ctx, x, y);
    }
    return NULL;
}

static bool cancel_operands(smt_ctx *ctx, smt_goal *goal)
{
    bool changed = false;
    for (size_t i = 0, n = arrlenu(goal->facts); i < n; i++) {
        smt_t fact = goal->facts[i];
        smt_t same = fact->kind == SMT_EQ ? without_common_operand(ctx, fact) : NULL;
        if (!same || smt_is_true(same) || is_fact(goal, same))
            continue;
        smt_goal_add(goal, same);
        changed = true;
    }
    return changed;
}

bool smt_goal_solve_bits(smt_ctx *ctx, smt_goal *goal)
{
    bool changed = cancel_operands(ctx, goal);
    field *f = field_open(ctx, goal);
    if (!f)
        return changed;
    if (f->contradiction)
        goal->is_false = true;
    else if (f->numbers)
        changed |= add_equalities(f, goal);
    field_close(f);
    return changed;
}

/* ---- Section: Solutions ---- */

/* The solution in which that column is 1 and all others that the equations leave open are 0. */
static row solution_with(const field *f, int open)
{
    row x = {{1}};
    if (open > 0)
        flip_column(&x, open);
    for (int column = f->n_columns - 1; column > 0; column--) {
        bool bit = false;
        if (!f->has_pivot[column])
            continue;
        for (int i = 0; i < WORDS; i++)
            bit ^= __builtin_parityll(f->pivots[column].words[i] & x.words[i]);
        if (bit) /* its own column is still 0 */
            flip_column(&x, column);
    }
    return x;
}

static smt_int value_in(const number *n, const row *x)
{
    smt_int value = 0;
    for (int i = 0; i < n->width; i++) {
        bool bit = false;
        for (int w = 0; w < WORDS; w++)
            bit ^= __builtin_parityll(n->bits[i].words[w] & x->words[w]);
        value |= (smt_int)bit << i;
    }
    return value;
}

bool smt_goal_bit_solutions(smt_ctx *ctx, const smt_goal *goal, smt_bit_solution_taker take,
                            void *user)
{
    field *f = field_open(ctx, goal);
    bool taken = false;
    if (!f)
        return false;
    for (int open = 1; f->numbers && !f->contradiction && open < f->n_columns && !taken; open++) {
        smt_t terms[MAX_NUMBERS];
        smt_int values[MAX_NUMBERS];
        size_t n = 0;
        if (f->has_pivot[open])
            continue;
        row x = solution_with(f, open);
        for (size_t i = 0; i < f->n_own; i++) {
            if (f->order.terms[f->own[i]]->kind != SMT_VAR)
                continue;
            terms[n] = f->order.terms[f->own[i]];
            values[n++] = value_in(&f->numbers[f->own[i]], &x);
        }
        taken = take(user, n, terms, values);
    }
    field_close(f);
    return taken;
}
