/* Float ops. What IEEE 754 fixes (add, multiply, compare, conversions, ...; nearest even) is
 * computed exactly; what the hardware is free in (exp, approximate division, the order of a matrix
 * product) is left unknown. */
#include "interp/private.h"

#include <math.h>

typedef struct fcalc {
    const ir_op *op;
    ir_type_kind from, to; /* element kinds of operands and result */
    int from_bits, to_bits;
    bool is_signed, propagate_nan, saturating, ordered;
    int64_t predicate;
} fcalc;

/* Gives the result's bits; false when they are not fixed. */
typedef bool (*float_fn)(const fcalc *c, const uint64_t in[3], uint64_t *out);

static long double in_number(const fcalc *c, uint64_t bits)
{
    return float_decode(c->from, bits);
}

static bool addf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    if (c->from == IR_F64) /* long double would round twice */
        return float_encode(c->to, (double)in_number(c, in[0]) + (double)in_number(c, in[1]), out);
    return float_encode(c->to, in_number(c, in[0]) + in_number(c, in[1]), out);
}

static bool subf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    uint64_t negated[3] = {in[0], in[1] ^ float_sign_bit(c->from), 0};
    return addf(c, negated, out);
}

static bool mulf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    if (c->from == IR_F64)
        return float_encode(c->to, (double)in_number(c, in[0]) * (double)in_number(c, in[1]), out);
    return float_encode(c->to, in_number(c, in[0]) * in_number(c, in[1]), out);
}

static bool divf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    /* IEEE 754: x / 0 is an infinity or NaN; C leaves it to the implementation. */
    long double x = in_number(c, in[0]), y = in_number(c, in[1]);
    if (y == 0) {
        bool negative = signbit(x) != signbit(y);
        return float_encode(c->to, x == 0 || isnan(x) ? NAN : negative ? -INFINITY : INFINITY, out);
    }
    return float_encode(c->to, (double)x / (double)y, out);
}

static bool remf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    return float_encode(c->to, fmodl(in_number(c, in[0]), in_number(c, in[1])), out);
}

static bool fma_element(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    long double x = in_number(c, in[0]), y = in_number(c, in[1]), z = in_number(c, in[2]);
    if (c->to == IR_F64)
        return float_encode(c->to, fma((double)x, (double)y, (double)z), out);
    if (c->to == IR_F32)
        return float_encode(c->to, fmaf((float)x, (float)y, (float)z), out);
    return false; /* narrower formats would round twice */
}

static bool pick(const fcalc *c, const uint64_t in[3], uint64_t *out, bool larger)
{
    long double x = in_number(c, in[0]), y = in_number(c, in[1]);
    if (isnan(x) || isnan(y)) {
        if (c->propagate_nan || (isnan(x) && isnan(y)))
            return float_encode(c->to, NAN, out);
        *out = isnan(x) ? in[1] : in[0];
        return true;
    }
    bool first = x == y ? (signbit(x) == 0) == larger : (x > y) == larger;
    *out = first ? in[0] : in[1];
    return true;
}

static bool maxf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    return pick(c, in, out, true);
}

static bool minf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    return pick(c, in, out, false);
}

static bool cmpf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    long double x = in_number(c, in[0]), y = in_number(c, in[1]);
    if (isnan(x) || isnan(y)) {
        *out = !c->ordered;
        return true;
    }
    bool results[] = {[IR_EQ] = x == y,
                      [IR_NE] = x != y,
                      [IR_LT] = x<y, [IR_LE] = x <= y, [IR_GT] = x> y,
                      [IR_GE] = x >= y};
    if (c->predicate < 0 || c->predicate >= (int64_t)TR_COUNT(results))
        return false;
    *out = results[c->predicate];
    return true;
}

static bool absf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    *out = in[0] & ~float_sign_bit(c->from);
    return true;
}

static bool negf(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    *out = in[0] ^ float_sign_bit(c->from);
    return true;
}

static bool ceil_element(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    return float_encode(c->to, ceill(in_number(c, in[0])), out);
}

static bool floor_element(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    return float_encode(c->to, floorl(in_number(c, in[0])), out);
}

static bool sqrt_element(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    return float_encode(c->to, sqrt((double)in_number(c, in[0])), out);
}

static bool ftof(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    return float_encode(c->to, in_number(c, in[0]), out);
}

static bool itof(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    long double number =
        c->is_signed ? (long double)sign_extend(in[0], c->from_bits) : (long double)in[0];
    return float_encode(c->to, number, out);
}

static bool ftoi(const fcalc *c, const uint64_t in[3], uint64_t *out)
{
    long double number = truncl(in_number(c, in[0]));
    long double low = c->is_signed ? -ldexpl(1, c->to_bits - 1) : 0;
    long double high = ldexpl(1, c->is_signed ? c->to_bits - 1 : c->to_bits); /* exclusive */
    if (isnan(number)) {
        *out = 0;
        return c->saturating;
    }
    if (number < low || number >= high) {
        uint64_t top = mask_to(UINT64_MAX, c->is_signed ? c->to_bits - 1 : c->to_bits);
        *out = number >= high ? top : c->is_signed ? top + 1 : 0;
        return c->saturating;
    }
    *out = mask_to(number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number, c->to_bits);
    return true;
}

#define NONE (-1)

static const struct float_op {
    ir_opcode code;
    float_fn fn; /* NULL: the result is never fixed */
    int rounding, flush;
} float_ops[] = {
    {IR_OP_ADDF, addf, IR_AT_ADDF_rounding_mode, IR_AT_ADDF_flush_to_zero},
    {IR_OP_SUBF, subf, IR_AT_SUBF_rounding_mode, IR_AT_SUBF_flush_to_zero},
    {IR_OP_MULF, mulf, IR_AT_MULF_rounding_mode, IR_AT_MULF_flush_to_zero},
    {IR_OP_DIVF, divf, IR_AT_DIVF_rounding_mode, IR_AT_DIVF_flush_to_zero},
    {IR_OP_FMA, fma_element, IR_AT_FMA_rounding_mode, IR_AT_FMA_flush_to_zero},
    {IR_OP_SQRT, sqrt_element, IR_AT_SQRT_rounding_mode, IR_AT_SQRT_flush_to_zero},
    {IR_OP_REMF, remf, NONE, NONE},
    {IR_OP_MAXF, maxf, NONE, IR_AT_MAXF_flush_to_zero},
    {IR_OP_MINF, minf, NONE, IR_AT_MINF_flush_to_zero},
    {IR_OP_CMPF, cmpf, NONE, NONE},
    {IR_OP_ABSF, absf, NONE, NONE},
    {IR_OP_NEGF, negf, NONE, NONE},
    {IR_OP_CEIL, ceil_element, NONE, NONE},
    {IR_OP_FLOOR, floor_element, NONE, NONE},
    {IR_OP_FTOF, ftof, IR_AT_FTOF_rounding_mode, NONE},
    {IR_OP_ITOF, itof, IR_AT_ITOF_rounding_mode, NONE},
    {IR_OP_FTOI, ftoi, NONE, NONE},
    {IR_OP_RSQRT, NULL, NONE, NONE},
    {IR_OP_EXP, NULL, NONE, NONE},
    {IR_OP_EXP2, NULL, NONE, NONE},
    {IR_OP_LOG, NULL, NONE, NONE},
    {IR_OP_LOG2, NULL, NONE, NONE},
    {IR_OP_SIN, NULL, NONE, NONE},
    {IR_OP_COS, NULL, NONE, NONE},
    {IR_OP_TAN, NULL, NONE, NONE},
    {IR_OP_SINH, NULL, NONE, NONE},
    {IR_OP_COSH, NULL, NONE, NONE},
    {IR_OP_TANH, NULL, NONE, NONE},
    {IR_OP_ATAN2, NULL, NONE, NONE},
    {IR_OP_FPOWF, NULL, NONE, NONE},
    {IR_OP_FPOWI, NULL, NONE, NONE},
    {IR_OP_MMAF, NULL, NONE, NONE},
    {IR_OP_MMAF_SCALED, NULL, NONE, NONE},
};

static const struct float_op *float_op_of(ir_opcode code)
{
    for (size_t i = 0; i < TR_COUNT(float_ops); i++)
        if (float_ops[i].code == code)
            return &float_ops[i];
    return NULL;
}

static uint64_t flushed(ir_type_kind kind, uint64_t bits)
{
    return float_is_subnormal(kind, bits) ? bits & float_sign_bit(kind) : bits;
}

static void elementwise(interp_run *run, const ir_op *op, const struct float_op *row)
{
    const ir_value *result = &op->results[0];
    uint32_t n_in = op->n_operands;
    reader in[3];
    bool unknown = !row->fn || n_in > TR_COUNT(in), splat = true;
    for (uint32_t k = 0; k < n_in && !unknown; k++) {
        in[k] = run_reader(run, op->operands[k]);
        unknown |= in[k].unknown;
        splat &= in[k].step == 0;
    }
    if (row->rounding != NONE &&
        ir_attr_int(op, (unsigned)row->rounding, IR_ROUND_NEAREST_EVEN) != IR_ROUND_NEAREST_EVEN)
        unknown = true;
    cells *out = unknown ? NULL : cells_new(run_elements(run, result->type), splat);
    if (!out || !run_step(run, op, (uint64_t)out->stored)) {
        cells_drop(out);
        run_set_cells(run, result, NULL);
        return;
    }
    fcalc c = {.op = op,
               .from = op->operands[0]->type->elem->kind,
               .to = result->type->elem->kind,
               .from_bits = ir_type_bits(op->operands[0]->type->elem),
               .to_bits = ir_type_bits(result->type->elem)};
    bool flush = row->flush != NONE && ir_attr_int(op, (unsigned)row->flush, 0);
    if (op->code == IR_OP_CMPF) {
        c.predicate = ir_attr_int(op, IR_AT_CMPF_comparison_predicate, IR_EQ);
        c.ordered = ir_attr_int(op, IR_AT_CMPF_comparison_ordering, IR_ORDERED) == IR_ORDERED;
    }
    if (op->code == IR_OP_MAXF)
        c.propagate_nan = ir_attr_int(op, IR_AT_MAXF_propagate_nan, 0);
    if (op->code == IR_OP_MINF)
        c.propagate_nan = ir_attr_int(op, IR_AT_MINF_propagate_nan, 0);
    if (op->code == IR_OP_ITOF)
        c.is_signed = ir_attr_int(op, IR_AT_ITOF_signedness, IR_SIGNED) == IR_SIGNED;
    if (op->code == IR_OP_FTOI) {
        c.is_signed = ir_attr_int(op, IR_AT_FTOI_signedness, IR_SIGNED) == IR_SIGNED;
        c.saturating = ir_attr_int(op, IR_AT_FTOI_saturating, 0);
    }
    for (int64_t i = 0; i < out->stored; i++) {
        uint64_t bits[3] = {0};
        bool known = true;
        for (uint32_t k = 0; k < n_in; k++) {
            known &= reader_known(&in[k], i);
            bits[k] = reader_bits(&in[k], i);
            if (flush)
                bits[k] = flushed(c.from, bits[k]);
        }
        if (!known || !row->fn(&c, bits, &out->bits[i]))
            cells_mark_unknown(out, i), out->bits[i] = 0;
        else if (flush)
            out->bits[i] = flushed(c.to, out->bits[i]);
    }
    run_set_cells(run, result, cells_settle(out));
}

bool ops_float(interp_run *run, const ir_op *op)
{
    const struct float_op *row = float_op_of(op->code);
    if (row)
        elementwise(run, op, row);
    return row != NULL;
}

bool ops_is_float_elementwise(ir_opcode code)
{
    return code != IR_OP_MMAF && code != IR_OP_MMAF_SCALED && float_op_of(code);
}
