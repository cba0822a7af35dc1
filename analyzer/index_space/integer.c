/* Integer ops as terms over mathematical integers.
 *
 * Values are kept in the signed range of their type. An op whose value could leave it adds a
 * hazard, and its term is the unwrapped one: the rules have the hazard proved, required or
 * reported. */
#include "index_space/walk.h"

static smt_t constant(ix_walk *walk, smt_int value)
{
    return smt_int_const(walk->ctx, value);
}

static int bits_of(const ir_value *value)
{
    return ir_type_bits(ix_element_type(value->type));
}

/* An operand as a promise reads it: of an unsigned parameter the signed one speaks as of a negative
 * number. Without a promise any number that the bits stand for will do. */
static smt_t operand(ix_walk *walk, const ir_op *op, uint32_t i, int64_t promise)
{
    smt_t term = ix_int(walk, op->operands[i]);
    int bits = bits_of(op->operands[i]);
    if (promise == IR_WRAP)
        return term;
    return promise == IR_NUW ? ix_as_unsigned(walk, term, bits) : ix_as_signed(walk, term, bits);
}

/* Sets the range that the op promises for its result; do ranges keep the term there? */
static bool is_in_type(ix_walk *walk, const ir_op *op, smt_t term, int64_t promise, smt_int *min,
                       smt_int *max)
{
    smt_int low, high;
    ix_type_range(ix_element_type(op->results[0].type), min, max);
    if (promise == IR_NUW) {
        *min = 0;
        *max = *max * 2 + 1;
    }
    ix_bounds(walk, term, &low, &high);
    return low >= *min && high <= *max;
}

/* A hazard unless ranges exclude it. */
static void check_range(ix_walk *walk, const ir_op *op, smt_t term, int64_t promise)
{
    smt_int min, max;
    if (is_in_type(walk, op, term, promise, &min, &max))
        return;
    smt_t safe = smt_and(walk->ctx, smt_le(walk->ctx, constant(walk, min), term),
                         smt_le(walk->ctx, term, constant(walk, max)));
    ix_hazard_add(walk, IX_WRAP, op, promise != IR_WRAP, safe, term);
}

enum { MAX_COUNTS = 4 }; /* choices inside each other */

/* Is the term a number of bits to shift by: a constant, or a choice among constants? */
static bool is_count(smt_t term, int bits, int nested)
{
    smt_int count;
    if (term->kind == SMT_ITE && nested < MAX_COUNTS)
        return is_count(term->args[1], bits, nested + 1) &&
               is_count(term->args[2], bits, nested + 1);
    return smt_is_const(term, &count) && count >= 0 && count < bits;
}

/* 2 to the power of a count. */
static smt_t power_of(ix_walk *walk, smt_t count)
{
    smt_int value = 0;
    if (count->kind == SMT_ITE)
        return smt_ite(walk->ctx, count->args[0], power_of(walk, count->args[1]),
                       power_of(walk, count->args[2]));
    smt_is_const(count, &value);
    return constant(walk, (smt_int)1 << value);
}

/* The exact result, of operands as that promise reads them; of a shift, by that count. */
static smt_t exact(ix_walk *walk, const ir_op *op, smt_t count, int64_t promise)
{
    smt_ctx *ctx = walk->ctx;
    smt_t a = operand(walk, op, 0, promise);
    if (op->code == IR_OP_NEGI)
        return smt_neg(ctx, a);
    if (op->code == IR_OP_SHLI)
        return smt_mul(ctx, a, power_of(walk, count));
    smt_t b = operand(walk, op, 1, promise);
    return op->code == IR_OP_ADDI   ? smt_add(ctx, a, b)
           : op->code == IR_OP_SUBI ? smt_sub(ctx, a, b)
                                    : smt_mul(ctx, a, b);
}

enum { NEAR = 16 }; /* ops after a shift to the left that are looked at */

/* Finds how far the op shifts; false: not by a constant. */
static bool shift_count(ix_walk *walk, const ir_op *op, smt_int *count)
{
    return smt_is_const(ix_int(walk, op->operands[1]), count) && *count >= 0 &&
           *count < bits_of(&op->results[0]);
}

/* Is what the shift to the left gives shifted back by as much? Then it is meant to drop bits. */
static bool is_shifted_back(ix_walk *walk, const ir_op *op)
{
    const ir_op *next = op->next;
    smt_int left, right;
    for (int i = 0; i < NEAR && next; i++, next = next->next) {
        if (next->code != IR_OP_SHRI || next->operands[0] != &op->results[0])
            continue;
        const ir_op *count = next->operands[1]->def;
        if (count && count->code == IR_OP_CONSTANT)
            ix_walk_tile(walk, count); /* it may come between the two */
        return shift_count(walk, op, &left) && shift_count(walk, next, &right) && left == right;
    }
    return false;
}

/* Arithmetic that may leave its type, and may promise that it does not as a signed number, as an
 * unsigned one, or as both. The count is a shift's. */
static smt_t checked(ix_walk *walk, const ir_op *op, smt_t count, unsigned attribute)
{
    int64_t flags = ir_attr_int(op, attribute, IR_WRAP);
    int64_t promise = flags == IR_NW ? IR_NSW : flags;
    smt_t term = exact(walk, op, count, promise);
    if (promise == IR_WRAP &&
        (ix_is_doubted(walk, op) || (op->code == IR_OP_SHLI && is_shifted_back(walk, op))))
        return ix_wrap(walk, term, bits_of(&op->results[0]));
    check_range(walk, op, term, promise);
    if (flags == IR_NW)
        check_range(walk, op, exact(walk, op, count, IR_NUW), IR_NUW);
    return promise == IR_NUW ? ix_wrap(walk, term, bits_of(&op->results[0])) : term;
}

static void set_checked(ix_walk *walk, const ir_op *op, unsigned attribute)
{
    ix_set_int(walk, &op->results[0], checked(walk, op, NULL, attribute));
}

static void absolute(ix_walk *walk, const ir_op *op)
{
    smt_t a = operand(walk, op, 0, IR_NSW), term = smt_max(walk->ctx, a, smt_neg(walk->ctx, a));
    check_range(walk, op, term, IR_WRAP);
    ix_set_int(walk, &op->results[0], term);
}

static smt_t same_function(ix_walk *walk, const ir_op *op, const char *name, size_t n,
                           const smt_t *args)
{
    /* A pure op that is not modelled is still a function of its operands. */
    smt_int low, high;
    const ir_type *elem = ix_element_type(op->results[0].type);
    ix_type_range(elem, &low, &high);
    const char *full = tr_arena_printf(walk->arena, "%s.i%d", name, ir_type_bits(elem));
    return smt_app(walk->ctx, full, n, args, low, high);
}

/* Division by 0 is undefined, so what comes after it knows that the divisor is not 0. Where its
 * sign is open, rules can ask for a positive one. */
static void assume_divisor(ix_walk *walk, const ir_op *op, smt_t b)
{
    smt_ctx *ctx = walk->ctx;
    smt_t zero = constant(walk, 0), fact = smt_ne(ctx, b, zero);
    if (!ix_is_natural(walk, b)) {
        smt_t asked = smt_bvar(ctx, tr_arena_printf(walk->arena, "positive.%u", op->ordinal));
        fact = smt_and(ctx, fact, smt_implies(ctx, asked, smt_lt(ctx, zero, b)));
        ix_hazard_ask(walk, op, asked);
    }
    ix_learn(walk, op, fact);
}

static void divide(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    bool remainder = op->code == IR_OP_REMI;
    unsigned at = remainder ? IR_AT_REMI_signedness : IR_AT_DIVI_signedness;
    bool is_signed = ir_attr_int(op, at, IR_SIGNED) == IR_SIGNED;
    int bits = bits_of(&op->results[0]);
    smt_t a = ix_int(walk, op->operands[0]), b = ix_int(walk, op->operands[1]);
    smt_t safe = smt_ne(ctx, b, constant(walk, 0));
    a = is_signed ? ix_as_signed(walk, a, bits) : ix_as_unsigned(walk, a, bits);
    b = is_signed ? ix_as_signed(walk, b, bits) : ix_as_unsigned(walk, b, bits);
    if (is_signed) {
        smt_t least = constant(walk, -((smt_int)1 << (bits - 1)));
        smt_t overflow = smt_and(ctx, smt_eq(ctx, b, constant(walk, -1)), smt_eq(ctx, a, least));
        safe = smt_and(ctx, safe, smt_not(ctx, overflow));
    }
    ix_hazard_add(walk, IX_DIVISION, op, true, safe, b);
    if (op->results[0].type->rank == 0)
        assume_divisor(walk, op, b);
    smt_t result;
    int64_t rounding =
        remainder ? IR_ROUND_ZERO : ir_attr_int(op, IR_AT_DIVI_rounding, IR_ROUND_ZERO);
    bool natural = ix_is_natural(walk, a); /* then the Euclidean ones are those that truncate */
    if (remainder)
        result = natural ? smt_mod(ctx, a, b) : smt_rem_trunc(ctx, a, b);
    else if (rounding == IR_ROUND_NEGATIVE_INF)
        result = ix_is_natural(walk, b) ? smt_div(ctx, a, b) : smt_div_floor(ctx, a, b);
    else if (rounding == IR_ROUND_POSITIVE_INF)
        result = smt_div_ceil(ctx, a, b);
    else
        result = natural ? smt_div(ctx, a, b) : smt_div_trunc(ctx, a, b);
    ix_set_int(walk, &op->results[0], is_signed ? result : ix_wrap(walk, result, bits));
}

static void bitwise(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    const ir_value *result = &op->results[0];
    if (ix_element_type(result->type)->kind == IR_I1) {
        smt_t a = ix_bool(walk, op->operands[0]), b = ix_bool(walk, op->operands[1]);
        ix_set_bool(walk, result,
                    op->code == IR_OP_ANDI  ? smt_and(ctx, a, b)
                    : op->code == IR_OP_ORI ? smt_or(ctx, a, b)
                                            : smt_not(ctx, smt_iff(ctx, a, b)));
        return;
    }
    smt_bits_op bits = op->code == IR_OP_ANDI  ? SMT_BITS_AND
                       : op->code == IR_OP_ORI ? SMT_BITS_OR
                                               : SMT_BITS_XOR;
    int width = bits_of(result);
    smt_t a = ix_as_signed(walk, ix_int(walk, op->operands[0]), width);
    smt_t b = ix_as_signed(walk, ix_int(walk, op->operands[1]), width);
    smt_t value = smt_bits(ctx, bits, width, a, b);
    if (bits == SMT_BITS_AND)
        ix_note_mask(walk, value);
    ix_set_int(walk, result, value);
}

/* x << n >> n, where the first shift promises nothing: the low bits of x. */
static smt_t shifted_back(ix_walk *walk, const ir_op *op, smt_int count)
{
    const ir_op *left = op->operands[0]->def;
    bool is_signed = ir_attr_int(op, IR_AT_SHRI_signedness, IR_SIGNED) == IR_SIGNED;
    int bits = bits_of(&op->results[0]) - (int)count;
    smt_int by;
    if (!left || left->code != IR_OP_SHLI || !shift_count(walk, left, &by) || by != count ||
        ir_attr_int(left, IR_AT_SHLI_overflow, IR_WRAP) != IR_WRAP)
        return NULL;
    smt_t x = ix_int(walk, left->operands[0]);
    return is_signed ? ix_wrap(walk, x, bits)
                     : smt_mod(walk->ctx, x, constant(walk, (smt_int)1 << bits));
}

/* a >> count, which floors as Euclid's division does. */
static smt_t shifted_right(ix_walk *walk, const ir_op *op, smt_t a, smt_t count)
{
    smt_ctx *ctx = walk->ctx;
    int bits = bits_of(&op->results[0]);
    bool is_signed = ir_attr_int(op, IR_AT_SHRI_signedness, IR_SIGNED) == IR_SIGNED;
    if (count->kind == SMT_ITE)
        return smt_ite(ctx, count->args[0], shifted_right(walk, op, a, count->args[1]),
                       shifted_right(walk, op, a, count->args[2]));
    a = is_signed ? ix_as_signed(walk, a, bits) : ix_as_unsigned(walk, a, bits);
    smt_t quotient = smt_div(ctx, a, power_of(walk, count));
    return is_signed ? quotient : ix_wrap(walk, quotient, bits);
}

enum { MOST_SPELLED = 32 };

/* A count that the launch alone decides, as a choice among the numbers that it can be. Both copies
 * of a question share it, so that they choose alike, and wherever one of the numbers is looked at
 * the shift is one by a constant. It is the count wherever that is neither negative nor the width
 * of the type or more. NULL: the count differs from block to block, or can be too many numbers, or
 * words of flags are asked bit by bit: that needs the count by its own name. */
static smt_t spelled_count(ix_walk *walk, smt_t count, int bits)
{
    smt_ctx *ctx = walk->ctx;
    smt_int low, high;
    if (walk->bit_words || !summary_is_shared(walk->s, count))
        return NULL;
    ix_bounds(walk, count, &low, &high);
    low = low < 0 ? 0 : low;
    high = high >= bits ? bits - 1 : high;
    if (low > high || high - low >= MOST_SPELLED)
        return NULL;
    smt_t spelled = constant(walk, high);
    for (smt_int n = high - 1; n >= low; n--)
        spelled = smt_ite(ctx, smt_eq(ctx, count, constant(walk, n)), constant(walk, n), spelled);
    return spelled;
}

/* A shift that is known only to be a function of both numbers. */
static smt_t shifted_somehow(ix_walk *walk, const ir_op *op, smt_t a, smt_t count)
{
    bool is_unsigned = op->code == IR_OP_SHRI && /* one function for each signedness */
                       ir_attr_int(op, IR_AT_SHRI_signedness, IR_SIGNED) != IR_SIGNED;
    const char *name = is_unsigned ? "shri.unsigned" : ir_op_info_of(op->code)->mnemonic;
    smt_t args[2] = {a, count};
    return same_function(walk, op, name, 2, args);
}

/* A shift by a count that is a choice among constants. */
static smt_t shifted(ix_walk *walk, const ir_op *op, smt_t a, smt_t count)
{
    smt_int number;
    if (op->code == IR_OP_SHLI)
        return checked(walk, op, count, IR_AT_SHLI_overflow);
    smt_t low = smt_is_const(count, &number) ? shifted_back(walk, op, number) : NULL;
    return low ? low : shifted_right(walk, op, a, count);
}

/* A shift by a count that the launch decides. To the left only if ranges show that no bit is lost
 * with any count: a bound of the launch that keeps the bits would speak of all counts at once, and
 * the launches beyond it are not all searched for races. NULL: not known. */
static smt_t shifted_by_launch(ix_walk *walk, const ir_op *op, smt_t a, smt_t count)
{
    smt_int min, max;
    smt_t spelled = spelled_count(walk, count, bits_of(&op->results[0]));
    if (!spelled)
        return NULL;
    if (op->code == IR_OP_SHRI)
        return shifted_right(walk, op, a, spelled);
    smt_t term = exact(walk, op, spelled, IR_WRAP);
    return is_in_type(walk, op, term, IR_WRAP, &min, &max) ? term : NULL;
}

static void shift(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    const ir_value *result = &op->results[0];
    smt_t a = ix_int(walk, op->operands[0]), b = ix_int(walk, op->operands[1]);
    int bits = bits_of(result);
    if (is_count(b, bits, 0)) {
        ix_set_int(walk, result, shifted(walk, op, a, b));
        return;
    }
    smt_t in_range =
        smt_and(ctx, smt_le(ctx, constant(walk, 0), b), smt_lt(ctx, b, constant(walk, bits)));
    ix_hazard_add(walk, IX_SHIFT, op, true, in_range, b);
    smt_t other = shifted_somehow(walk, op, a, b), value = shifted_by_launch(walk, op, a, b);
    ix_set_int(walk, result, value ? smt_ite(ctx, in_range, value, other) : other);
}

/* A comparison of numbers; decided if path and facts bound their difference. */
static smt_t comparison(ix_walk *walk, int64_t predicate, smt_t a, smt_t b)
{
    smt_ctx *ctx = walk->ctx;
    smt_int low, high;
    ix_bounds(walk, smt_sub(ctx, a, b), &low, &high);
    smt_t yes = smt_bool_const(ctx, true), no = smt_bool_const(ctx, false);
    switch (predicate) {
    case IR_EQ:
        return low > 0 || high < 0 ? no : smt_eq(ctx, a, b);
    case IR_NE:
        return low > 0 || high < 0 ? yes : smt_ne(ctx, a, b);
    case IR_LT:
        return high < 0 ? yes : low >= 0 ? no : smt_lt(ctx, a, b);
    case IR_LE:
        return high <= 0 ? yes : low > 0 ? no : smt_le(ctx, a, b);
    case IR_GT:
        return low > 0 ? yes : high <= 0 ? no : smt_gt(ctx, a, b);
    default:
        return low >= 0 ? yes : high < 0 ? no : smt_ge(ctx, a, b);
    }
}

static void compare(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    int64_t predicate = ir_attr_int(op, IR_AT_CMPI_comparison_predicate, IR_EQ);
    const ir_value *result = &op->results[0];
    if (ix_element_type(op->operands[0]->type)->kind == IR_I1 &&
        (predicate == IR_EQ || predicate == IR_NE)) {
        smt_t same = smt_iff(ctx, ix_bool(walk, op->operands[0]), ix_bool(walk, op->operands[1]));
        ix_set_bool(walk, result, predicate == IR_EQ ? same : smt_not(ctx, same));
        return;
    }
    smt_t a = ix_int(walk, op->operands[0]), b = ix_int(walk, op->operands[1]);
    bool is_signed = ir_attr_int(op, IR_AT_CMPI_signedness, IR_SIGNED) == IR_SIGNED;
    int bits = bits_of(op->operands[0]);
    if (predicate == IR_EQ || predicate == IR_NE) {
        smt_int low_a, low_b, unused;
        ix_bounds(walk, a, &low_a, &unused);
        ix_bounds(walk, b, &low_b, &unused);
        is_signed = low_a < 0 || low_b < 0; /* else both are what they are */
    }
    a = is_signed ? ix_as_signed(walk, a, bits) : ix_as_unsigned(walk, a, bits);
    b = is_signed ? ix_as_signed(walk, b, bits) : ix_as_unsigned(walk, b, bits);
    ix_set_bool(walk, result, comparison(walk, predicate, a, b));
}

static void extreme(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    bool is_max = op->code == IR_OP_MAXI;
    unsigned at = is_max ? IR_AT_MAXI_signedness : IR_AT_MINI_signedness;
    smt_t a = ix_int(walk, op->operands[0]), b = ix_int(walk, op->operands[1]);
    int bits = bits_of(&op->results[0]);
    bool is_signed = ir_attr_int(op, at, IR_SIGNED) == IR_SIGNED;
    a = is_signed ? ix_as_signed(walk, a, bits) : ix_as_unsigned(walk, a, bits);
    b = is_signed ? ix_as_signed(walk, b, bits) : ix_as_unsigned(walk, b, bits);
    smt_t chosen = is_max ? smt_max(ctx, a, b) : smt_min(ctx, a, b);
    ix_set_int(walk, &op->results[0], is_signed ? chosen : ix_wrap(walk, chosen, bits));
}

/* Is the term an element of a table of numbers? One that a mask may replace by a constant counts,
 * too. */
static bool is_element(const ix_walk *walk, smt_t term)
{
    smt_int other;
    if (term->kind == SMT_ITE)
        return (smt_is_const(term->args[1], &other) && is_element(walk, term->args[2])) ||
               (smt_is_const(term->args[2], &other) && is_element(walk, term->args[1]));
    return ix_is_number_of_table(walk, term);
}

enum { INDEX_BITS = 32 }; /* of the narrowest type that addresses are computed in */

/* A 64-bit table is made for numbers that an index of 32 bits holds: that its elements fit is asked
 * for, as it is of arithmetic that promises nothing. */
static smt_t cut(ix_walk *walk, const ir_op *op)
{
    const ir_value *from = op->operands[0];
    smt_t term = ix_int(walk, from);
    int bits = bits_of(&op->results[0]);
    if (bits < INDEX_BITS || !is_element(walk, term))
        return ix_cut(walk, term, bits, from->type->rank == 0);
    if (ix_is_doubted(walk, op))
        return ix_wrap(walk, term, bits);
    check_range(walk, op, term, IR_WRAP);
    return term;
}

static void resize(ix_walk *walk, const ir_op *op)
{
    const ir_value *from = op->operands[0], *result = &op->results[0];
    if (op->code == IR_OP_EXTI) {
        bool is_signed = ir_attr_int(op, IR_AT_EXTI_signedness, IR_SIGNED) == IR_SIGNED;
        smt_t term = ix_int(walk, from);
        if (ix_element_type(from->type)->kind == IR_I1) /* a set i1 is -1 when sign-extended */
            term = is_signed ? smt_neg(walk->ctx, term) : term;
        else
            term = is_signed ? ix_as_signed(walk, term, bits_of(from))
                             : ix_as_unsigned(walk, term, bits_of(from));
        ix_set_int(walk, result, term);
    } else if (ix_element_type(result->type)->kind == IR_I1) {
        smt_t low_bit = smt_mod(walk->ctx, ix_int(walk, from), constant(walk, 2));
        ix_set_bool(walk, result, smt_ne(walk->ctx, low_bit, constant(walk, 0)));
    } else {
        ix_set_int(walk, result, cut(walk, op));
    }
}

/* Python's a % n as front ends spell it: r = remi(a, n), and r + n where r is not 0 and has another
 * sign than n. For a positive n that is Euclid's remainder, for a negative one that of -a, negated.
 * NULL: another select. */
static smt_t floored_remainder(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    const ir_value *r = op->operands[2];
    const ir_op *rem = r->def, *sum = op->operands[1]->def;
    if (!rem || !sum || rem->code != IR_OP_REMI || sum->code != IR_OP_ADDI ||
        ir_attr_int(rem, IR_AT_REMI_signedness, IR_SIGNED) != IR_SIGNED)
        return NULL;
    const ir_value *n = rem->operands[1];
    if (!(sum->operands[0] == r && sum->operands[1] == n) &&
        !(sum->operands[0] == n && sum->operands[1] == r))
        return NULL;
    int bits = bits_of(r);
    smt_t zero = constant(walk, 0), divisor = ix_as_signed(walk, ix_int(walk, n), bits);
    smt_t value = ix_as_signed(walk, ix_int(walk, r), bits);
    smt_t negative = comparison(walk, IR_LT, value, zero);
    smt_t other = smt_not(ctx, smt_iff(ctx, negative, comparison(walk, IR_LT, divisor, zero)));
    smt_t mended = smt_and(ctx, other, comparison(walk, IR_NE, value, zero));
    if (ix_bool(walk, op->operands[0]) != mended)
        return NULL;
    smt_t a = ix_as_signed(walk, ix_int(walk, rem->operands[0]), bits);
    smt_t up = smt_mod(ctx, a, divisor);
    if (ix_is_natural(walk, divisor))
        return up;
    return smt_ite(ctx, smt_lt(ctx, zero, divisor), up,
                   smt_neg(ctx, smt_mod(ctx, smt_neg(ctx, a), divisor)));
}

static void select_value(ix_walk *walk, const ir_op *op)
{
    const ir_value *result = &op->results[0];
    const ir_type *elem = ix_element_type(result->type);
    smt_t condition = ix_bool(walk, op->operands[0]);
    if (elem->kind == IR_I1) {
        ix_set_bool(walk, result,
                    smt_choice(walk->ctx, condition, ix_bool(walk, op->operands[1]),
                               ix_bool(walk, op->operands[2])));
    } else if (ir_type_is_int(elem)) {
        smt_t remainder = floored_remainder(walk, op);
        ix_set_int(walk, result,
                   remainder ? remainder
                             : smt_choice(walk->ctx, condition, ix_int(walk, op->operands[1]),
                                          ix_int(walk, op->operands[2])));
    } else if (elem->kind == IR_POINTER) {
        ix_value a = ix_get(walk, op->operands[1]), b = ix_get(walk, op->operands[2]);
        ix_set(walk, result, ix_choose(walk, result, "select", condition, &a, &b));
    }
}

bool ix_walk_integer(ix_walk *walk, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_ADDI:
    case IR_OP_SUBI:
    case IR_OP_MULI:
        if (ix_element_type(op->results[0].type)->kind == IR_I1)
            return false;
        set_checked(walk, op,
                    op->code == IR_OP_ADDI   ? IR_AT_ADDI_overflow
                    : op->code == IR_OP_SUBI ? (unsigned)IR_AT_SUBI_overflow
                                             : (unsigned)IR_AT_MULI_overflow);
        return true;
    case IR_OP_NEGI:
        set_checked(walk, op, IR_AT_NEGI_overflow);
        return true;
    case IR_OP_ABSI:
        absolute(walk, op);
        return true;
    case IR_OP_DIVI:
    case IR_OP_REMI:
        divide(walk, op);
        return true;
    case IR_OP_MINI:
    case IR_OP_MAXI:
        extreme(walk, op);
        return true;
    case IR_OP_CMPI:
        compare(walk, op);
        return true;
    case IR_OP_ANDI:
    case IR_OP_ORI:
    case IR_OP_XORI:
        bitwise(walk, op);
        return true;
    case IR_OP_SHLI:
    case IR_OP_SHRI:
        shift(walk, op);
        return true;
    case IR_OP_MULHII: {
        smt_t args[2] = {ix_int(walk, op->operands[0]), ix_int(walk, op->operands[1])};
        ix_set_int(walk, &op->results[0], same_function(walk, op, "mulhii", 2, args));
        return true;
    }
    case IR_OP_EXTI:
    case IR_OP_TRUNCI:
        resize(walk, op);
        return true;
    case IR_OP_SELECT:
        select_value(walk, op);
        return true;
    default:
        return false;
    }
}
