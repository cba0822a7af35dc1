/* Float ops, in chunks: operands become doubles, are computed with, and are rounded to the type.
 *
 * What IEEE 754 fixes (add, multiply, fused multiply and add, divide, square root, compare,
 * conversions) is exact to the last bit, under every rounding mode: a double has more than twice
 * the bits of every narrower format and two more, so that rounding twice does not show; where that
 * does not hold, the first rounding is to odd. What the hardware is free in (exp, tanh, approximate
 * division, the order of sums) is not known, unless the launch asks for values: then it is what the
 * host's mathematics in double precision gives, rounded to nearest. */
#include "interp/private.h"

#include <fenv.h>
#include <math.h>

enum { CHUNK = 256 };

typedef struct fcalc {
    ir_type_kind from, to; /* element kinds of operands and result */
    int from_bits, to_bits;
    bool is_signed, propagate_nan, saturating, ordered;
    ir_predicate predicate;
    ir_rounding rounding;
} fcalc;

typedef struct operands { /* of a chunk */
    uint64_t bits[2][CHUNK];
    double x[3][CHUNK];
} operands;

/* ---- Section: Numbers from numbers, before rounding ---- */

typedef void (*number_fn)(const fcalc *c, size_t n, const operands *in, double *out);

#define EACH(name, expression)                                                                     \
    static void name(const fcalc *c, size_t n, const operands *in, double *out)                    \
    {                                                                                              \
        (void)c;                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                           \
            double x = in->x[0][i], y = in->x[1][i];                                               \
            (void)y;                                                                               \
            out[i] = (expression);                                                                 \
        }                                                                                          \
    }

/* IEEE 754 says what x / 0 is; C leaves it to the implementation. */
static double divided(double x, double y)
{
    if (y != 0)
        return x / y;
    bool negative = signbit(x) != signbit(y);
    return x == 0 || isnan(x) || isnan(y) ? NAN : negative ? -INFINITY : INFINITY;
}

EACH(addf, x + y)
EACH(subf, x - y)
EACH(mulf, x *y)
EACH(divf, divided(x, y))
EACH(remf, fmod(x, y))
EACH(ceil_each, ceil(x))
EACH(floor_each, floor(x))
EACH(sqrt_each, sqrt(x))
EACH(same, x)
EACH(rsqrt_each, x == 0 ? copysign(INFINITY, x) : 1 / sqrt(x))
EACH(exp_each, exp(x))
EACH(exp2_each, exp2(x))
EACH(log_each, log(x))
EACH(log2_each, log2(x))
EACH(sin_each, sin(x))
EACH(cos_each, cos(x))
EACH(tan_each, tan(x))
EACH(sinh_each, sinh(x))
EACH(cosh_each, cosh(x))
EACH(tanh_each, tanh(x))
EACH(atan2_each, atan2(x, y))
EACH(pow_each, pow(x, y))

/* The sum, rounded to odd: what was lost stays visible in the last bit, so that rounding it once
 * more to a format of at most 51 bits is right. */
static double odd_sum(double a, double b)
{
    double sum = a + b;
    if (isnan(sum) || isinf(sum))
        return sum;
    double part = sum - a, lost = (a - (sum - part)) + (b - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (lost == 0 || bits & 1)
        return sum;
    bits += (lost > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

static void fma_each(const fcalc *c, size_t n, const operands *in, double *out)
{
    if (c->to == IR_F64) {
        for (size_t i = 0; i < n; i++)
            out[i] = fma(in->x[0][i], in->x[1][i], in->x[2][i]);
        return;
    }
    for (size_t i = 0; i < n; i++) { /* the product is exact */
        double product = in->x[0][i] * in->x[1][i], sum = odd_sum(product, in->x[2][i]);
        /* what cancels is -0 where all is rounded down (IEEE 754, 6.3) */
        bool cancels = sum == 0 && (product != 0 || signbit(product) != signbit(in->x[2][i]));
        out[i] = cancels && c->rounding == IR_ROUND_NEGATIVE_INF ? -0.0 : sum;
    }
}

/* Rounds to odd, too, if an integer has more bits than a double. */
static void itof(const fcalc *c, size_t n, const operands *in, double *out)
{
    for (size_t i = 0; i < n; i++) {
        int64_t number = sign_extend(in->bits[0][i], c->from_bits);
        bool negative = c->is_signed && number < 0;
        uint64_t magnitude = negative ? 0 - (uint64_t)number : in->bits[0][i];
        int shift = magnitude >> 53 ? 11 - __builtin_clzll(magnitude) : 0;
        bool lost = shift && magnitude & (((uint64_t)1 << shift) - 1);
        double kept = ldexp((double)(magnitude >> shift | lost), shift);
        out[i] = negative ? -kept : kept;
        /* f64 itself has no room for the odd bit; the host rounds as asked */
        if (c->to == IR_F64)
            out[i] = c->is_signed ? (double)number : (double)in->bits[0][i];
    }
}

static void fpowi(const fcalc *c, size_t n, const operands *in, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = pow(in->x[0][i], (double)sign_extend(in->bits[1][i], c->to_bits));
}

/* ---- Section: Bits from bits ---- */

/* False when the result is not fixed. */
typedef bool (*bits_fn)(const fcalc *c, uint64_t a, uint64_t b, double x, double y, uint64_t *out);

static bool pick(const fcalc *c, uint64_t a, uint64_t b, double x, double y, bool larger,
                 uint64_t *out)
{
    if (isnan(x) || isnan(y)) {
        if (c->propagate_nan || (isnan(x) && isnan(y)))
            return float_encode(c->to, NAN, out);
        *out = isnan(x) ? b : a;
        return true;
    }
    bool first = x == y ? (signbit(x) == 0) == larger : (x > y) == larger;
    *out = first ? a : b;
    return true;
}

static bool maxf(const fcalc *c, uint64_t a, uint64_t b, double x, double y, uint64_t *out)
{
    return pick(c, a, b, x, y, true, out);
}

static bool minf(const fcalc *c, uint64_t a, uint64_t b, double x, double y, uint64_t *out)
{
    return pick(c, a, b, x, y, false, out);
}

/* A comparison with NaN is false where it is ordered and true where it is not; also `not equal`. */
static bool cmpf(const fcalc *c, uint64_t a, uint64_t b, double x, double y, uint64_t *out)
{
    (void)a, (void)b;
    if (isnan(x) || isnan(y)) {
        *out = !c->ordered;
        return true;
    }
    switch (c->predicate) {
    case IR_EQ:
        *out = x == y;
        return true;
    case IR_NE:
        *out = x != y;
        return true;
    case IR_LT:
        *out = x < y;
        return true;
    case IR_LE:
        *out = x <= y;
        return true;
    case IR_GT:
        *out = x > y;
        return true;
    case IR_GE:
        *out = x >= y;
        return true;
    }
    return false;
}

static bool absf(const fcalc *c, uint64_t a, uint64_t b, double x, double y, uint64_t *out)
{
    (void)b, (void)x, (void)y;
    *out = a & ~float_sign_bit(c->from);
    return true;
}

static bool negf(const fcalc *c, uint64_t a, uint64_t b, double x, double y, uint64_t *out)
{
    (void)b, (void)x, (void)y;
    *out = a ^ float_sign_bit(c->from);
    return true;
}

static bool ftoi(const fcalc *c, uint64_t a, uint64_t b, double x, double y, uint64_t *out)
{
    (void)a, (void)b, (void)y;
    double number = trunc(x), low = c->is_signed ? -ldexp(1, c->to_bits - 1) : 0;
    double high = ldexp(1, c->is_signed ? c->to_bits - 1 : c->to_bits); /* exclusive */
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

/* ---- Section: The ops ---- */

#define NONE (-1)

typedef struct float_op {
    ir_opcode code;
    number_fn number; /* this, */
    bits_fn bits;     /* or this */
    bool free;        /* not fixed to the last bit: known only where values are asked for */
    int rounding, flush;
} float_op;

static const float_op float_ops[] = {
    {IR_OP_ADDF, addf, NULL, false, IR_AT_ADDF_rounding_mode, IR_AT_ADDF_flush_to_zero},
    {IR_OP_SUBF, subf, NULL, false, IR_AT_SUBF_rounding_mode, IR_AT_SUBF_flush_to_zero},
    {IR_OP_MULF, mulf, NULL, false, IR_AT_MULF_rounding_mode, IR_AT_MULF_flush_to_zero},
    {IR_OP_DIVF, divf, NULL, false, IR_AT_DIVF_rounding_mode, IR_AT_DIVF_flush_to_zero},
    {IR_OP_FMA, fma_each, NULL, false, IR_AT_FMA_rounding_mode, IR_AT_FMA_flush_to_zero},
    {IR_OP_SQRT, sqrt_each, NULL, false, IR_AT_SQRT_rounding_mode, IR_AT_SQRT_flush_to_zero},
    {IR_OP_REMF, remf, NULL, false, NONE, NONE},
    {IR_OP_CEIL, ceil_each, NULL, false, NONE, NONE},
    {IR_OP_FLOOR, floor_each, NULL, false, NONE, NONE},
    {IR_OP_FTOF, same, NULL, false, IR_AT_FTOF_rounding_mode, NONE},
    {IR_OP_ITOF, itof, NULL, false, IR_AT_ITOF_rounding_mode, NONE},
    {IR_OP_RSQRT, rsqrt_each, NULL, true, NONE, IR_AT_RSQRT_flush_to_zero},
    {IR_OP_EXP, exp_each, NULL, true, NONE, NONE},
    {IR_OP_EXP2, exp2_each, NULL, true, NONE, IR_AT_EXP2_flush_to_zero},
    {IR_OP_LOG, log_each, NULL, true, NONE, NONE},
    {IR_OP_LOG2, log2_each, NULL, true, NONE, NONE},
    {IR_OP_SIN, sin_each, NULL, true, NONE, NONE},
    {IR_OP_COS, cos_each, NULL, true, NONE, NONE},
    {IR_OP_TAN, tan_each, NULL, true, NONE, NONE},
    {IR_OP_SINH, sinh_each, NULL, true, NONE, NONE},
    {IR_OP_COSH, cosh_each, NULL, true, NONE, NONE},
    {IR_OP_TANH, tanh_each, NULL, true, NONE, NONE},
    {IR_OP_ATAN2, atan2_each, NULL, true, NONE, NONE},
    {IR_OP_FPOWF, pow_each, NULL, true, NONE, NONE},
    {IR_OP_FPOWI, fpowi, NULL, true, NONE, NONE},
    {IR_OP_MAXF, NULL, maxf, false, NONE, IR_AT_MAXF_flush_to_zero},
    {IR_OP_MINF, NULL, minf, false, NONE, IR_AT_MINF_flush_to_zero},
    {IR_OP_CMPF, NULL, cmpf, false, NONE, NONE},
    {IR_OP_ABSF, NULL, absf, false, NONE, NONE},
    {IR_OP_NEGF, NULL, negf, false, NONE, NONE},
    {IR_OP_FTOI, NULL, ftoi, false, NONE, NONE},
};

static const float_op *float_op_of(ir_opcode code)
{
    for (size_t i = 0; i < TR_COUNT(float_ops); i++)
        if (float_ops[i].code == code)
            return &float_ops[i];
    return NULL;
}

/* What the op's attributes and types say of the calculation of one element. */
static fcalc read_attributes(const ir_op *op, const float_op *row)
{
    fcalc c = {.from = op->operands[0]->type->elem->kind,
               .to = op->results[0].type->elem->kind,
               .from_bits = ir_type_bits(op->operands[0]->type->elem),
               .to_bits = ir_type_bits(op->results[0].type->elem),
               .rounding = IR_ROUND_NEAREST_EVEN};
    if (row->rounding != NONE)
        c.rounding = (ir_rounding)ir_attr_int(op, (unsigned)row->rounding, IR_ROUND_NEAREST_EVEN);
    switch (op->code) {
    case IR_OP_CMPF:
        c.predicate = (ir_predicate)ir_attr_int(op, IR_AT_CMPF_comparison_predicate, IR_EQ);
        c.ordered = ir_attr_int(op, IR_AT_CMPF_comparison_ordering, IR_ORDERED) == IR_ORDERED;
        break;
    case IR_OP_MAXF:
        c.propagate_nan = ir_attr_int(op, IR_AT_MAXF_propagate_nan, 0);
        break;
    case IR_OP_MINF:
        c.propagate_nan = ir_attr_int(op, IR_AT_MINF_propagate_nan, 0);
        break;
    case IR_OP_ITOF:
        c.is_signed = ir_attr_int(op, IR_AT_ITOF_signedness, IR_SIGNED) == IR_SIGNED;
        break;
    case IR_OP_FTOI:
        c.is_signed = ir_attr_int(op, IR_AT_FTOI_signedness, IR_SIGNED) == IR_SIGNED;
        c.saturating = ir_attr_int(op, IR_AT_FTOI_saturating, 0);
        break;
    case IR_OP_FPOWI: /* the width of the exponent */
        c.to_bits = ir_type_bits(op->operands[1]->type->elem);
        break;
    default:
        break;
    }
    return c;
}

static uint64_t flushed(ir_type_kind kind, uint64_t bits)
{
    return float_is_subnormal(kind, bits) ? bits & float_sign_bit(kind) : bits;
}

/* Operand k of a chunk, as bits and as numbers. */
static void fetch(const fcalc *c, operands *in, size_t k, const reader *r, ir_type_kind kind,
                  int64_t first, size_t n, bool flush)
{
    uint64_t few[CHUNK], *bits = k < 2 ? in->bits[k] : few;
    for (size_t i = 0; i < n; i++)
        bits[i] = r->bits[(first + (int64_t)i) * r->step];
    if (flush)
        for (size_t i = 0; i < n; i++)
            bits[i] = flushed(c->from, bits[i]);
    if (float_has_format(kind))
        floats_decode(kind, n, bits, in->x[k]);
}

/* Directed rounding of what is not exact in a double: the same direction twice is once. */
static int host_rounding(ir_rounding rounding)
{
    switch (rounding) {
    case IR_ROUND_ZERO:
        return FE_TOWARDZERO;
    case IR_ROUND_NEGATIVE_INF:
        return FE_DOWNWARD;
    case IR_ROUND_POSITIVE_INF:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

static void compute(const fcalc *c, const float_op *row, size_t n, const operands *in, double *out)
{
    int mode = host_rounding(c->rounding);
    bool to_odd = c->to != IR_F64 && (row->number == fma_each || row->number == itof);
    bool directed = mode != FE_TONEAREST && !to_odd;
    if (directed)
        fesetround(mode);
    row->number(c, n, in, out);
    if (directed)
        fesetround(FE_TONEAREST);
}

/* The hardware's conversions to f8E5M2 know no infinity, though the format does. */
static bool beyond_hardware(const fcalc *c, double number)
{
    return c->to == IR_F8E5M2 && c->from != IR_F8E5M2 && fabs(number) >= 61440;
}

static bool store_rounded(const fcalc *c, bool values, double number, uint64_t *out)
{
    if (beyond_hardware(c, number))
        return values && float_round(c->to, copysign(57344, number), c->rounding, true, out);
    if (c->to == IR_F32 && c->rounding == IR_ROUND_NEAREST_EVEN && !isnan(number)) {
        float narrow = (float)number;
        uint32_t raw;
        memcpy(&raw, &narrow, sizeof raw);
        *out = raw;
        return true;
    }
    return float_round(c->to, number, c->rounding, values, out);
}

/* A number is flushed that stays below the normal numbers of f32 when it is rounded as if
 * exponents had no end, though the format's own rounding may make it the least of them: so does
 * the hardware. */
static void flush_numbers(ir_rounding rounding, size_t n, double *numbers)
{
    const double least = 0x1p-126, up = 0x1p64; /* all digits of what is scaled up are kept */
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        if (fabs(numbers[i]) < least &&
            float_round(IR_F32, numbers[i] * up, rounding, false, &bits) &&
            fabs(float_decode(IR_F32, bits)) < least * up)
            numbers[i] = copysign(0, numbers[i]);
    }
}

static void chunk(const fcalc *c, const float_op *row, bool values, bool flush, int64_t first,
                  size_t n, const operands *in, cells *out)
{
    double numbers[CHUNK];
    if (row->number)
        compute(c, row, n, in, numbers);
    if (row->number && flush)
        flush_numbers(c->rounding, n, numbers);
    for (size_t i = 0; i < n; i++) {
        uint64_t *to = &out->bits[first + (int64_t)i];
        *to = 0;
        bool known = row->number ? store_rounded(c, values, numbers[i], to)
                                 : row->bits(c, in->bits[0][i], in->bits[1][i], in->x[0][i],
                                             in->x[1][i], to);
        if (!known) {
            cells_mark_unknown(out, first + (int64_t)i);
            *to = 0;
        }
    }
}

/* Computes chunk by chunk. An op whose result the specification leaves free in its last bits
 * (`free`, an approximate rounding) is unknown, unless the run is to show values: then it rounds to
 * the nearest. An element is unknown where one of an operand is. */
static void elementwise(interp_run *run, const ir_op *op, const float_op *row)
{
    const ir_value *result = &op->results[0];
    uint32_t n_in = op->n_operands;
    reader in[3];
    bool values = run->limits.values, splat = true, marked = false;
    fcalc c = read_attributes(op, row);
    bool free = row->free || c.rounding == IR_ROUND_APPROX || c.rounding == IR_ROUND_FULL;
    bool unknown = (free && !values) || n_in > TR_COUNT(in);
    for (uint32_t k = 0; k < n_in && !unknown; k++) {
        const ir_type *elem = op->operands[k]->type->elem;
        in[k] = machine_reader(run, op->operands[k]);
        unknown |= ir_type_is_float(elem) && !float_has_format(elem->kind);
        unknown |= in[k].unknown;
        marked |= in[k].marks != NULL;
        splat &= in[k].step == 0;
    }
    cells *out = unknown ? NULL : cells_new(machine_elements(run, result->type), splat);
    if (!out || !machine_step(run, op, (uint64_t)out->stored)) {
        cells_drop(out);
        machine_set_cells(run, result, NULL);
        return;
    }
    if (free)
        c.rounding = IR_ROUND_NEAREST_EVEN;
    bool flush = row->flush != NONE && ir_attr_int(op, (unsigned)row->flush, 0);
    operands held;
    for (int64_t first = 0; first < out->stored; first += CHUNK) {
        size_t n = (size_t)(out->stored - first < CHUNK ? out->stored - first : CHUNK);
        for (uint32_t k = 0; k < n_in; k++)
            fetch(&c, &held, k, &in[k], op->operands[k]->type->elem->kind, first, n, flush);
        if (n_in < 2) {
            memset(held.bits[1], 0, n * sizeof held.bits[1][0]);
            memset(held.x[1], 0, n * sizeof held.x[1][0]);
        }
        chunk(&c, row, values, flush, first, n, &held, out);
        for (size_t i = 0; i < n && flush; i++)
            out->bits[first + (int64_t)i] = flushed(c.to, out->bits[first + (int64_t)i]);
    }
    for (int64_t i = 0; i < out->stored && marked; i++)
        for (uint32_t k = 0; k < n_in; k++)
            if (!reader_known(&in[k], i)) {
                cells_mark_unknown(out, i);
                out->bits[i] = 0;
            }
    machine_set_cells(run, result, cells_settle(out));
}

bool ops_float(interp_run *run, const ir_op *op)
{
    const float_op *row = float_op_of(op->code);
    if (row)
        elementwise(run, op, row);
    return row != NULL;
}

bool ops_is_float_elementwise(ir_opcode code)
{
    return float_op_of(code) != NULL;
}
