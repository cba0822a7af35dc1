/* Euclidean division and remainder, and the roundings made of them.
 *
 * Every rule below needs a divisor that is known not to be 0, mostly one known positive: SMT-LIB
 * leaves x div 0 open, and nothing may be concluded of it. */
#include "terms/divide.h"

#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

static bool is_positive(smt_t term)
{
    return term->low > 0;
}

static bool is_non_zero(smt_t term)
{
    return term->low > 0 || term->high < 0;
}

static smt_t one(smt_ctx *ctx)
{
    return smt_int_const(ctx, 1);
}

/* ---- Section: Factors of summands ---- */

static size_t n_factors(smt_t mono)
{
    return mono->kind == SMT_PROD ? mono->n_args : 1;
}

static smt_t factor_at(smt_t mono, size_t i)
{
    return mono->kind == SMT_PROD ? mono->args[i] : mono;
}

static smt_t times(smt_ctx *ctx, smt_t a, smt_t b)
{
    if (a->kind == SMT_INT)
        return b;
    return b->kind == SMT_INT ? a : smt_mono_mul(ctx, a, b);
}

/* Returns a / b as a summand, of two summands without coefficient (or the constant 1); NULL: b is
 * not a factor of a. */
static smt_t over(smt_ctx *ctx, smt_t a, smt_t b)
{
    if (b->kind == SMT_INT)
        return a;
    return a->kind == SMT_INT ? NULL : smt_mono_divide(ctx, a, b);
}

/* Coefficient of a summand in a settled sum; 0 when it is not there. */
static smt_int coef_in(const smt_poly *sum, smt_t mono)
{
    size_t low = 0, high = arrlenu(sum->items);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sum->items[middle].term == mono)
            return sum->items[middle].coef;
        if (sum->items[middle].term->id < mono->id)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* Are all summands (not the constant) of factor * mono * term in the sum with those coefficients?
 */
static bool holds_multiple(smt_ctx *ctx, const smt_poly *sum, smt_t term, smt_t mono,
                           smt_int factor)
{
    for (size_t i = 0; i < smt_n_monos(term); i++) {
        smt_mono part = smt_mono_at(term, i);
        smt_int coef;
        if (!smt_safe_mul(part.coef, factor, &coef) ||
            coef_in(sum, times(ctx, part.term, mono)) != coef)
            return false;
    }
    smt_int constant = smt_constant_part(term), coef;
    if (constant == 0 || mono->kind == SMT_INT)
        return true;
    return smt_safe_mul(constant, factor, &coef) && coef_in(sum, mono) == coef;
}

static void add_multiple(smt_ctx *ctx, smt_poly *sum, smt_t term, smt_t mono, smt_int factor)
{
    smt_poly_add(sum, mono->kind == SMT_INT ? term : smt_mul(ctx, term, mono), factor);
}

static void copy_sum(smt_poly *to, const smt_poly *from)
{
    *to = (smt_poly){.value = from->value, .too_big = from->too_big};
    for (size_t i = 0; i < arrlenu(from->items); i++)
        arrput(to->items, from->items[i]);
}

/* One summand group of an exchange: sign * term, and times `by` where that is not NULL. */
typedef struct part {
    smt_t term, by;
    int sign;
} part;

/* factor * mono * parts added to the sum; NULL unless it becomes shorter by that. The parts are
 * added one by one: together they would fold before they meet the sum. */
static smt_t exchange(smt_ctx *ctx, const smt_poly *sum, smt_t mono, smt_int factor, size_t n_parts,
                      const part *parts)
{
    smt_poly changed;
    copy_sum(&changed, sum);
    for (size_t i = 0; i < n_parts; i++) {
        smt_t by = parts[i].by ? times(ctx, mono, parts[i].by) : mono;
        add_multiple(ctx, &changed, parts[i].term, by, parts[i].sign * factor);
    }
    smt_poly_settle(&changed);
    if (changed.too_big || arrlenu(changed.items) >= arrlenu(sum->items)) {
        smt_poly_free(&changed);
        return NULL;
    }
    return smt_poly_make(ctx, &changed);
}

/* The summand that a sum is looked for by. */
static smt_mono lead(smt_ctx *ctx, smt_t term)
{
    if (smt_n_monos(term) == 0)
        return (smt_mono){one(ctx), term->value};
    return smt_mono_at(term, 0);
}

/* k*x - k*d*(x div d) is k * (x mod d); item is coef * rest * quotient. */
static smt_t fold_quotient(smt_ctx *ctx, const smt_poly *sum, smt_int coef, smt_t rest,
                           smt_t quotient)
{
    smt_t x = quotient->args[0], d = quotient->args[1];
    smt_mono first = lead(ctx, d);
    if (!is_non_zero(d) || smt_n_monos(x) == 0 || coef % first.coef != 0)
        return NULL;
    smt_t mono = over(ctx, rest, first.term);
    smt_int factor = -(coef / first.coef);
    if (!mono || !holds_multiple(ctx, sum, x, mono, factor) ||
        !holds_multiple(ctx, sum, d, times(ctx, mono, quotient), -factor))
        return NULL;
    part parts[] = {{x, NULL, -1}, {d, quotient, 1}, {smt_mod(ctx, x, d), NULL, 1}};
    return exchange(ctx, sum, mono, factor, TR_COUNT(parts), parts);
}

/* x mod d + d*(x div d) is x; x mod d + d*((x div d) mod e) is x mod (d*e). */
static smt_t fold_remainder(smt_ctx *ctx, const smt_poly *sum, smt_int coef, smt_t rest,
                            smt_t remainder)
{
    smt_t x = remainder->args[0], d = remainder->args[1], quotient = NULL;
    if (!is_non_zero(d))
        return NULL;
    for (size_t i = 0; i < arrlenu(sum->items) && !quotient; i++) {
        smt_t mono = sum->items[i].term;
        for (size_t k = 0; k < n_factors(mono); k++) {
            smt_t factor = factor_at(mono, k), inner = factor;
            if (factor->kind == SMT_MOD && is_positive(factor->args[1]) && is_positive(d))
                inner = factor->args[0];
            if (inner->kind == SMT_DIV && inner->args[0] == x && inner->args[1] == d)
                quotient = factor;
        }
    }
    if (!quotient || !holds_multiple(ctx, sum, d, times(ctx, rest, quotient), coef))
        return NULL;
    smt_t whole = x;
    if (quotient->kind == SMT_MOD)
        whole = smt_mod(ctx, x, smt_mul(ctx, d, quotient->args[1]));
    part parts[] = {{d, quotient, -1}, {remainder, NULL, -1}, {whole, NULL, 1}};
    return exchange(ctx, sum, rest, coef, TR_COUNT(parts), parts);
}

/* Summands times divisions among their factors: what a sum takes to fold. A longer one stays as it
 * is, which says the same. */
enum { MOST_FOLDED = 1 << 13, FOLDED_A_TICK = 4 };

static bool is_foldable(smt_ctx *ctx, const smt_poly *sum)
{
    size_t n = arrlenu(sum->items), divisions = 0;
    for (size_t i = 0; i < n; i++)
        divisions += smt_has(sum->items[i].term, SMT_HAS_DIV);
    bool foldable = n >= 2 && divisions > 0 && n * divisions <= MOST_FOLDED;
    if (foldable)
        smt_tick(ctx, n + n * divisions / FOLDED_A_TICK);
    return foldable;
}

smt_t smt_fold_remainders(smt_ctx *ctx, const smt_poly *sum)
{
    if (!is_foldable(ctx, sum))
        return NULL;
    for (size_t i = 0; i < arrlenu(sum->items); i++) {
        smt_mono item = sum->items[i];
        if (!smt_has(item.term, SMT_HAS_DIV))
            continue;
        for (size_t k = 0; k < n_factors(item.term); k++) {
            smt_t factor = factor_at(item.term, k), folded = NULL;
            if (factor->kind != SMT_DIV && factor->kind != SMT_MOD)
                continue;
            smt_t rest = smt_mono_divide(ctx, item.term, factor);
            if (factor->kind == SMT_DIV)
                folded = fold_quotient(ctx, sum, item.coef, rest, factor);
            else
                folded = fold_remainder(ctx, sum, item.coef, rest, factor);
            if (folded)
                return folded;
        }
    }
    return NULL;
}

/* ---- Section: Multiples of the divisor ---- */

static void split_constant(smt_ctx *ctx, smt_t a, smt_int divisor, smt_t *quotient, smt_t *rest)
{
    smt_poly whole = {0}, left = {0};
    smt_int constant = smt_floor_div(smt_constant_part(a), divisor);
    smt_poly_add_value(&whole, constant);
    smt_poly_add_value(&left, smt_constant_part(a) - constant * divisor);
    for (size_t i = 0; i < smt_n_monos(a); i++) {
        smt_mono mono = smt_mono_at(a, i);
        smt_poly_add(&whole, mono.term, mono.coef / divisor);
        smt_poly_add(&left, mono.term, mono.coef % divisor);
    }
    *quotient = smt_poly_make(ctx, &whole);
    *rest = smt_poly_make(ctx, &left);
}

/* a = divisor * quotient + rest with as little as possible left in rest. */
static void split_multiple(smt_ctx *ctx, smt_t a, smt_t divisor, smt_t *quotient, smt_t *rest)
{
    if (divisor->kind == SMT_INT) {
        split_constant(ctx, a, divisor->value, quotient, rest);
        return;
    }
    smt_mono first = lead(ctx, divisor);
    smt_poly whole = {0}, left = {0};
    smt_poly_add(&left, a, 1);
    for (size_t i = 0; i < smt_n_monos(a); i++) {
        smt_mono mono = smt_mono_at(a, i);
        smt_int factor = mono.coef / first.coef;
        smt_t cofactor = mono.coef % first.coef == 0 ? over(ctx, mono.term, first.term) : NULL;
        if (!cofactor || !holds_multiple(ctx, &left, divisor, cofactor, factor))
            continue;
        if (cofactor->kind == SMT_INT)
            smt_poly_add_value(&whole, factor);
        else
            smt_poly_add(&whole, cofactor, factor);
        add_multiple(ctx, &left, divisor, cofactor, -factor);
        smt_poly_settle(&left);
    }
    *quotient = smt_poly_make(ctx, &whole);
    *rest = smt_poly_make(ctx, &left);
}

void smt_split_factor(smt_ctx *ctx, smt_t term, smt_mono g, smt_t *multiple, smt_t *rest)
{
    smt_poly whole = {0}, left = {0};
    smt_int constant = smt_constant_part(term);
    if (g.term->kind == SMT_INT) {
        smt_poly_add_value(&whole, smt_floor_div(constant, g.coef));
        constant -= smt_floor_div(constant, g.coef) * g.coef;
    }
    smt_poly_add_value(&left, constant);
    for (size_t i = 0; i < smt_n_monos(term); i++) {
        smt_mono mono = smt_mono_at(term, i);
        smt_t cofactor = mono.coef % g.coef == 0 ? over(ctx, mono.term, g.term) : NULL;
        if (!cofactor)
            smt_poly_add(&left, mono.term, mono.coef);
        else if (cofactor->kind == SMT_INT)
            smt_poly_add_value(&whole, mono.coef / g.coef);
        else
            smt_poly_add(&whole, cofactor, mono.coef / g.coef);
    }
    *multiple = smt_poly_make(ctx, &whole);
    *rest = smt_poly_make(ctx, &left);
}

/* ---- Section: Bounds written in variables ---- */

/* The summand's only factor of unknown sign is `factor`; are the others all >= 0? */
static bool others_non_negative(smt_t mono, size_t but)
{
    for (size_t i = 0; i < n_factors(mono); i++) {
        if (i != but && factor_at(mono, i)->low < 0)
            return false;
    }
    return true;
}

/* One remainder of the sum replaced by its least or greatest value; NULL when there is none. */
static smt_t replace_remainder(smt_ctx *ctx, smt_t a, bool upper)
{
    for (size_t i = 0; i < smt_n_monos(a); i++) {
        smt_mono mono = smt_mono_at(a, i);
        for (size_t k = 0; k < n_factors(mono.term); k++) {
            smt_t factor = factor_at(mono.term, k);
            if (factor->kind != SMT_MOD || !is_positive(factor->args[1]) ||
                !others_non_negative(mono.term, k))
                continue;
            smt_t rest = smt_mono_divide(ctx, mono.term, factor);
            smt_t bound = smt_int_const(ctx, 0);
            if ((mono.coef > 0) == upper)
                bound = smt_sub(ctx, factor->args[1], one(ctx));
            smt_poly sum = {0};
            smt_poly_add(&sum, a, 1);
            smt_poly_add(&sum, mono.term, -mono.coef);
            smt_poly_add(&sum, smt_mul(ctx, bound, rest), mono.coef);
            return smt_poly_make(ctx, &sum);
        }
    }
    return NULL;
}

/* A bound that is written in variables: a <= result (upper) or a >= result. */
static smt_t symbolic_bound(smt_ctx *ctx, smt_t a, bool upper)
{
    for (int steps = 0; steps < 8 && smt_has(a, SMT_HAS_DIV); steps++) {
        smt_t next = replace_remainder(ctx, a, upper);
        if (!next)
            break;
        a = next;
    }
    return a;
}

/* Is 0 <= a < limit whatever the variables are within their ranges? `limit` is known positive. */
static bool is_below(smt_ctx *ctx, smt_t a, smt_t limit)
{
    if (a->low < 0 && symbolic_bound(ctx, a, false)->low < 0)
        return false;
    if (a->high < limit->low)
        return true;
    if (limit->kind == SMT_INT)
        return false;
    return smt_sub(ctx, symbolic_bound(ctx, a, true), limit)->high < 0;
}

/* ---- Section: A common factor ---- */

typedef struct common {
    smt_mono factor;               /* g > 0 */
    smt_t multiple, rest, divisor; /* a = g*multiple + rest, 0 <= rest < g; b = g*divisor */
} common;

static bool try_common(smt_ctx *ctx, smt_t a, smt_t b, smt_mono g, common *found)
{
    smt_t rest;
    smt_split_factor(ctx, b, g, &found->divisor, &rest);
    if (!smt_is_zero(rest))
        return false;
    smt_split_factor(ctx, a, g, &found->multiple, &found->rest);
    smt_t limit =
        g.term->kind == SMT_INT ? smt_int_const(ctx, g.coef) : smt_scale(ctx, g.term, g.coef);
    found->factor = g;
    return is_positive(limit) && is_below(ctx, found->rest, limit);
}

enum { MOST_DIVISORS = 16 }; /* of one number that are tried */

/* Greatest common divisors of b and each of a's coefficients. */
static bool common_constant(smt_ctx *ctx, smt_t a, smt_int b, common *found)
{
    smt_t divisor = smt_int_const(ctx, b);
    smt_int tried[MOST_DIVISORS];
    size_t n = 0;
    for (size_t i = 0; i < smt_n_monos(a) && n < MOST_DIVISORS; i++) {
        smt_int g = smt_gcd(b, smt_mono_at(a, i).coef);
        size_t at = 0;
        while (at < n && tried[at] != g)
            at++;
        if (g <= 1 || at < n)
            continue;
        tried[n++] = g;
        if (try_common(ctx, a, divisor, (smt_mono){one(ctx), g}, found))
            return true;
    }
    return false;
}

static bool common_factor(smt_ctx *ctx, smt_t a, smt_t b, common *found)
{
    if (b->kind == SMT_INT)
        return common_constant(ctx, a, b->value, found);
    if (smt_n_monos(b) == 0)
        return false;
    /* A factor that can divide all of b is in its first summand: each factor, and all of them. */
    smt_mono first = smt_mono_at(b, 0);
    if (smt_constant_part(b) == 0) {
        for (size_t i = 0; i < n_factors(first.term); i++) {
            smt_mono g = {factor_at(first.term, i), 1};
            if (is_positive(g.term) && try_common(ctx, a, b, g, found))
                return true;
        }
    }
    smt_int gcd = smt_constant_part(b);
    for (size_t i = 0; i < smt_n_monos(b); i++)
        gcd = smt_gcd(gcd, smt_mono_at(b, i).coef);
    return gcd > 1 && try_common(ctx, a, b, (smt_mono){one(ctx), gcd}, found);
}

/* ---- Section: The two operations ---- */

smt_t smt_positive_factor(smt_ctx *ctx, smt_t m, smt_t b)
{
    smt_t factor, rest;
    split_multiple(ctx, m, b, &factor, &rest);
    return smt_is_zero(rest) && is_positive(factor) ? factor : NULL;
}

static smt_t raw(smt_ctx *ctx, smt_kind kind, smt_t a, smt_t b)
{
    smt_range range = kind == SMT_DIV ? smt_range_div(smt_range_of(a), smt_range_of(b))
                                      : smt_range_mod(smt_range_of(a), smt_range_of(b));
    smt_t args[2] = {a, b};
    return smt_intern(
        ctx, &(struct smt_term){
                 .kind = kind, .n_args = 2, .args = args, .low = range.low, .high = range.high});
}

/* a div b, nothing of a being a multiple of b any more, b positive. */
static smt_t divide_rest(smt_ctx *ctx, smt_t a, smt_t b)
{
    if (is_below(ctx, a, b))
        return smt_int_const(ctx, 0);
    if (b->kind == SMT_INT && a->low != SMT_NO_LOW && a->high != SMT_NO_HIGH) {
        smt_int quotient = smt_floor_div(a->low, b->value);
        if (quotient == smt_floor_div(a->high, b->value))
            return smt_int_const(ctx, quotient);
    }
    common shared;
    if (common_factor(ctx, a, b, &shared))
        return smt_div(ctx, shared.multiple, shared.divisor);
    smt_t inner = a;
    if (smt_n_monos(a) == 1 && smt_mono_at(a, 0).coef == 1)
        inner = smt_mono_at(a, 0).term;
    /* (x div c + k) div b = (x + k*c) div (b*c) */
    if (inner->kind == SMT_DIV && inner->args[1]->kind == SMT_INT && b->kind == SMT_INT) {
        smt_int c = inner->args[1]->value, product, shift;
        if (smt_safe_mul(c, b->value, &product) && smt_safe_mul(c, smt_constant_part(a), &shift))
            return smt_div(ctx, smt_add(ctx, inner->args[0], smt_int_const(ctx, shift)),
                           smt_int_const(ctx, product));
    }
    /* (x mod (b*k)) div b = (x div b) mod k */
    if (a->kind == SMT_MOD && is_positive(a->args[1])) {
        smt_t factor = smt_positive_factor(ctx, a->args[1], b);
        if (factor)
            return smt_mod(ctx, smt_div(ctx, a->args[0], b), factor);
    }
    return raw(ctx, SMT_DIV, a, b);
}

smt_t smt_div(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(!smt_is_bool(a) && !smt_is_bool(b));
    if (!is_non_zero(b))
        return raw(ctx, SMT_DIV, a, b);
    if (b->high < 0)
        return smt_neg(ctx, smt_div(ctx, a, smt_neg(ctx, b)));
    if (b->kind == SMT_INT && b->value == 1)
        return a;
    smt_t quotient, rest;
    split_multiple(ctx, a, b, &quotient, &rest);
    return smt_add(ctx, quotient, divide_rest(ctx, rest, b));
}

/* Summands of a numerator up to which remainders in it are opened: in a chain of products of
 * remainders each of them is a sum of such products, and all of them together are a long one. */
enum { MOST_OPENED = 64 };

/* Remainders by multiples of b among the summands are what they are remainders of. */
static smt_t drop_inner_remainders(smt_ctx *ctx, smt_t a, smt_t b)
{
    if (!smt_has(a, SMT_HAS_DIV))
        return a;
    for (size_t i = 0; i < smt_n_monos(a); i++) {
        smt_mono mono = smt_mono_at(a, i);
        for (size_t k = 0; k < n_factors(mono.term); k++) {
            smt_t factor = factor_at(mono.term, k);
            if (factor->kind != SMT_MOD || !is_non_zero(factor->args[1]) ||
                !smt_positive_factor(ctx, factor->args[1], b))
                continue;
            smt_poly sum = {0};
            smt_poly_add(&sum, a, 1);
            smt_poly_add(&sum, mono.term, -mono.coef);
            smt_t others = smt_mono_divide(ctx, mono.term, factor);
            smt_poly_add(&sum, smt_mul(ctx, others, factor->args[0]), mono.coef);
            smt_t opened = smt_poly_make(ctx, &sum);
            return smt_n_monos(opened) <= MOST_OPENED ? opened : a;
        }
    }
    return a;
}

smt_t smt_mod(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(!smt_is_bool(a) && !smt_is_bool(b));
    if (!is_non_zero(b))
        return raw(ctx, SMT_MOD, a, b);
    if (b->high < 0)
        return smt_mod(ctx, a, smt_neg(ctx, b));
    smt_t quotient, rest;
    for (int steps = 0;; steps++) {
        split_multiple(ctx, a, b, &quotient, &rest);
        if (is_below(ctx, rest, b))
            return rest;
        a = drop_inner_remainders(ctx, rest, b);
        if (a == rest || steps == 16)
            break;
    }
    a = rest;
    if (b->kind == SMT_INT && a->low != SMT_NO_LOW && a->high != SMT_NO_HIGH) {
        smt_int times_b = smt_floor_div(a->low, b->value);
        if (times_b == smt_floor_div(a->high, b->value))
            return smt_sub(ctx, a, smt_int_const(ctx, times_b * b->value));
    }
    common shared;
    if (common_factor(ctx, a, b, &shared)) {
        smt_t factor = smt_scale(ctx, shared.factor.term, shared.factor.coef);
        return smt_add(ctx, smt_mul(ctx, factor, smt_mod(ctx, shared.multiple, shared.divisor)),
                       shared.rest);
    }
    return raw(ctx, SMT_MOD, a, b);
}

/* ---- Section: Other roundings ---- */

/* Divides the absolute value, and gives the result the numerator's sign. */
static smt_t truncating(smt_ctx *ctx, smt_t a, smt_t b, smt_t (*of)(smt_ctx *, smt_t, smt_t))
{
    if (a->low >= 0)
        return of(ctx, a, b);
    smt_t negative = smt_neg(ctx, of(ctx, smt_neg(ctx, a), b));
    if (a->high <= 0)
        return negative;
    return smt_ite(ctx, smt_ge(ctx, a, smt_int_const(ctx, 0)), of(ctx, a, b), negative);
}

smt_t smt_div_trunc(smt_ctx *ctx, smt_t a, smt_t b)
{
    return truncating(ctx, a, b, smt_div);
}

smt_t smt_rem_trunc(smt_ctx *ctx, smt_t a, smt_t b)
{
    return truncating(ctx, a, b, smt_mod);
}

smt_t smt_div_floor(smt_ctx *ctx, smt_t a, smt_t b)
{
    if (b->low >= 0)
        return smt_div(ctx, a, b);
    smt_t minus = smt_div(ctx, smt_neg(ctx, a), smt_neg(ctx, b));
    if (b->high <= 0)
        return minus;
    return smt_ite(ctx, smt_gt(ctx, b, smt_int_const(ctx, 0)), smt_div(ctx, a, b), minus);
}

smt_t smt_div_ceil(smt_ctx *ctx, smt_t a, smt_t b)
{
    /* The quotient is rounded up, for b > 0, as C programmers write it: (a + b - 1) div b. */
    smt_t up = smt_add(ctx, a, smt_sub(ctx, b, one(ctx)));
    if (b->low >= 0)
        return smt_div(ctx, up, b);
    smt_t negative = smt_neg(ctx, b);
    smt_t up_negative = smt_add(ctx, smt_neg(ctx, a), smt_sub(ctx, negative, one(ctx)));
    if (b->high <= 0)
        return smt_div(ctx, up_negative, negative);
    return smt_ite(ctx, smt_gt(ctx, b, smt_int_const(ctx, 0)), smt_div(ctx, up, b),
                   smt_div(ctx, up_negative, negative));
}
