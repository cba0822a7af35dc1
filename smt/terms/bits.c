/* Computes and, or, exclusive or of two's complement numbers: exact where arithmetic says the same,
 * else a function that the prover knows some laws of. */
#include "terms/bits.h"

#include "terms/poly.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char stem[] = "bits.";
static const struct bits_row {
    const char *name, *symbol;
} rows[] = {
    [SMT_BITS_AND] = {"and", "&"},
    [SMT_BITS_OR] = {"or", "|"},
    [SMT_BITS_XOR] = {"xor", "^"},
};

bool smt_is_bits(smt_t term, smt_bits_op *op)
{
    if (term->kind != SMT_APP || term->n_args != 2 ||
        strncmp(term->name, stem, sizeof stem - 1) != 0)
        return false;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(term->name + sizeof stem - 1, rows[i].name, length) != 0)
            continue;
        *op = (smt_bits_op)i;
        return true;
    }
    return false;
}

const char *smt_bits_symbol(smt_bits_op op)
{
    return rows[op].symbol;
}

smt_int smt_bits_value(smt_bits_op op, smt_int a, smt_int b)
{
    return op == SMT_BITS_AND ? (a & b) : op == SMT_BITS_OR ? (a | b) : (a ^ b);
}

/* ---- Section: What arithmetic can say ---- */

static bool is_bit(smt_t term)
{
    return term->low >= 0 && term->high <= 1;
}

/* A bit operation of 0 and 1 is boolean: front ends keep masks in i8. */
static smt_t of_booleans(smt_ctx *ctx, smt_bits_op op, smt_t a, smt_t b)
{
    smt_t zero = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1);
    smt_t x = smt_ne(ctx, a, zero), y = smt_ne(ctx, b, zero);
    smt_t bit = op == SMT_BITS_AND  ? smt_and(ctx, x, y)
                : op == SMT_BITS_OR ? smt_or(ctx, x, y)
                                    : smt_not(ctx, smt_iff(ctx, x, y));
    return smt_ite(ctx, bit, one, zero);
}

static bool is_power_of_two(smt_int value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* x ^ 2^p is x - 2^p where bit p of x is set, else x + 2^p. */
static smt_t flip_bit(smt_ctx *ctx, smt_t x, smt_t bit)
{
    smt_t two = smt_int_const(ctx, 2), one = smt_int_const(ctx, 1);
    smt_t set = smt_eq(ctx, smt_mod(ctx, smt_div(ctx, x, bit), two), one);
    return smt_ite(ctx, set, smt_sub(ctx, x, bit), smt_add(ctx, x, bit));
}

/* Handles an operand that is a constant; NULL: nothing special. */
static smt_t with_constant(smt_ctx *ctx, smt_bits_op op, int width, smt_t x, smt_int value)
{
    smt_t number = smt_int_const(ctx, value);
    if (x->kind == SMT_INT)
        return smt_int_const(ctx, smt_bits_value(op, x->value, value));
    if (value == 0)
        return op == SMT_BITS_AND ? number : x;
    if (value == -1) {
        smt_t complement = smt_sub(ctx, number, x);
        return op == SMT_BITS_AND ? x : op == SMT_BITS_OR ? number : complement;
    }
    if (op == SMT_BITS_AND && is_power_of_two(value + 1)) /* x & (2^p - 1) */
        return smt_mod(ctx, x, smt_int_const(ctx, value + 1));
    if (op == SMT_BITS_AND && is_power_of_two(-value)) /* x & -2^p */
        return smt_sub(ctx, x, smt_mod(ctx, x, smt_int_const(ctx, -value)));
    bool is_sign = value == (smt_int)1 << (width - 1);
    if (op == SMT_BITS_XOR && is_power_of_two(value) && !is_sign)
        return flip_bit(ctx, x, number);
    return NULL;
}

/* Bits that the result needs where no operand is negative; else more than any type has. No bit
 * comes from nowhere, and `and` keeps none that one of the two lacks. */
static int natural_width(smt_bits_op op, smt_t a, smt_t b)
{
    enum { TOO_WIDE = 127 };
    if (a->low < 0 || b->low < 0)
        return TOO_WIDE;
    smt_int least = a->high < b->high ? a->high : b->high;
    smt_int most = a->high < b->high ? b->high : a->high;
    smt_int high = op == SMT_BITS_AND ? least : most;
    int width = 0;
    while (width < TOO_WIDE - 1 && high >> width != 0)
        width++;
    return width;
}

smt_t smt_bits(smt_ctx *ctx, smt_bits_op op, int width, smt_t a, smt_t b)
{
    TR_ASSERT(width > 0 && width <= 64);
    if (a->kind == SMT_INT || b->kind == SMT_INT) { /* all three commute */
        smt_t x = b->kind == SMT_INT ? a : b, known = b->kind == SMT_INT ? b : a;
        smt_t made = with_constant(ctx, op, width, x, known->value);
        if (made)
            return made;
    }
    if (a == b)
        return op == SMT_BITS_XOR ? smt_int_const(ctx, 0) : a;
    if (is_bit(a) && is_bit(b))
        return of_booleans(ctx, op, a, b);
    smt_bits_op inner;
    for (int side = 0; side < 2 && op == SMT_BITS_XOR; side++) { /* (x ^ d) ^ d */
        smt_t outer = side ? a : b, whole = side ? b : a;
        if (smt_is_bits(whole, &inner) && inner == op &&
            (whole->args[0] == outer || whole->args[1] == outer))
            return whole->args[0] == outer ? whole->args[1] : whole->args[0];
    }
    char name[32];
    smt_t args[2] = {a->id < b->id ? a : b, a->id < b->id ? b : a};
    int needed = natural_width(op, a, b);
    if (needed < width) { /* a function of its own, for its range goes with its name */
        snprintf(name, sizeof name, "%s%s.u%d", stem, rows[op].name, needed);
        return smt_app(ctx, name, 2, args, 0, ((smt_int)1 << needed) - 1);
    }
    snprintf(name, sizeof name, "%s%s.%d", stem, rows[op].name, width);
    smt_int half = (smt_int)1 << (width - 1);
    return smt_app(ctx, name, 2, args, -half, half - 1);
}

void smt_bits_define(tr_text *out, const char *name, smt_t term)
{
    smt_bits_op op = SMT_BITS_AND;
    bool is_one = smt_is_bits(term, &op);
    TR_ASSERT(is_one);
    const char *width = strrchr(term->name, '.') + 1;
    bool is_natural = *width == 'u';
    int bits = atoi(width + is_natural);
    bits = bits > 0 ? bits : 1; /* of no bits is 0 */
    tr_text_addf(out,
                 "(define-fun %s ((a Int) (b Int)) Int (let ((r (ubv_to_int (bv%s "
                 "((_ int_to_bv %d) a) ((_ int_to_bv %d) b))))) ",
                 name, rows[op].name, bits, bits);
    uint64_t half = (uint64_t)1 << (bits - 1);
    if (is_natural)
        tr_text_add(out, "r))\n");
    else
        tr_text_addf(out, "(ite (< r %" PRIu64 ") r (- r %" PRIu64 " %" PRIu64 "))))\n", half, half,
                     half);
}

smt_t smt_bits_rebuild(smt_ctx *ctx, smt_t term, smt_bits_op op, const smt_t *args)
{
    int width = 1;
    while (width < 64 && term->high >= (smt_int)1 << (width - 1))
        width++;
    return smt_bits(ctx, op, width, args[0], args[1]);
}
