/* The edges of float ops, as bit patterns worked out by hand: zeros and their signs, NaNs,
 * subnormals that are flushed, comparisons, integers out of range, formats without a sign. */
#include "scalars.h"

#define NO                    -1, 0
#define ATTR(op, name, value) IR_AT_##op##_##name, (value)

typedef struct edge {
    ir_opcode code;
    ir_type_kind from, to;
    uint64_t in[3];
    int attr;
    int64_t attr_value;
    int attr2;
    int64_t attr2_value;
    uint64_t out;
} edge;

#define ONE      0x3f800000
#define NEG      0x80000000
#define NAN32    0x7fc00000
#define TINY     0x00400000 /* subnormal: 2^-127 */
#define UP       IR_ROUND_POSITIVE_INF
#define DOWN     IR_ROUND_NEGATIVE_INF
#define ZERO     IR_ROUND_ZERO
#define SIGNED   IR_SIGNED
#define UNSIGNED IR_UNSIGNED

#define FLUSHED(op, rounding, result, ...)                                                         \
    {IR_OP_##op,                                                                                   \
     IR_F32,                                                                                       \
     IR_F32,                                                                                       \
     {__VA_ARGS__},                                                                                \
     ATTR(op, rounding_mode, rounding),                                                            \
     ATTR(op, flush_to_zero, 1),                                                                   \
     result}

static const edge edges[] = {
    /* what cancels is +0, but -0 where all is rounded down */
    {IR_OP_ADDF, IR_F32, IR_F32, {ONE, ONE | NEG}, NO, NO, 0},
    {IR_OP_ADDF, IR_F32, IR_F32, {ONE, ONE | NEG}, ATTR(ADDF, rounding_mode, DOWN), NO, NEG},
    {IR_OP_SUBF, IR_F32, IR_F32, {ONE, ONE}, ATTR(SUBF, rounding_mode, DOWN), NO, NEG},
    {IR_OP_ADDF, IR_F16, IR_F16, {0x3c00, 0xbc00}, ATTR(ADDF, rounding_mode, DOWN), NO, 0x8000},
    {IR_OP_FMA, IR_F32, IR_F32, {ONE, ONE, ONE | NEG}, NO, NO, 0},
    {IR_OP_FMA, IR_F32, IR_F32, {ONE, ONE, ONE | NEG}, ATTR(FMA, rounding_mode, DOWN), NO, NEG},
    {IR_OP_FMA, IR_F32, IR_F32, {0, ONE, NEG}, ATTR(FMA, rounding_mode, DOWN), NO, NEG},
    {IR_OP_FMA, IR_F32, IR_F32, {0, ONE, 0}, ATTR(FMA, rounding_mode, DOWN), NO, 0},
    {IR_OP_FMA,
     IR_BF16,
     IR_BF16,
     {0x3f80, 0x3f80, 0xbf80},
     ATTR(FMA, rounding_mode, DOWN),
     NO,
     0x8000},
    {IR_OP_FMA,
     IR_F64,
     IR_F64,
     {0x3ff0000000000000, 0x3ff0000000000000, 0xbff0000000000000},
     ATTR(FMA, rounding_mode, DOWN),
     NO,
     0x8000000000000000},
    {IR_OP_MULF, IR_F32, IR_F32, {NEG, ONE}, NO, NO, NEG},
    {IR_OP_SQRT, IR_F32, IR_F32, {NEG}, NO, NO, NEG},
    {IR_OP_CEIL, IR_F32, IR_F32, {0xbf000000}, NO, NO, NEG}, /* -0.5 */
    {IR_OP_FLOOR, IR_F32, IR_F32, {0xbf000000}, NO, NO, ONE | NEG},
    {IR_OP_REMF, IR_F32, IR_F32, {0xc0a00000, 0x40400000}, NO, NO, 0xc0000000}, /* -5 rem 3 */
    {IR_OP_REMF, IR_F32, IR_F32, {0xc0c00000, 0x40400000}, NO, NO, NEG},        /* -6 rem 3 */
    {IR_OP_REMF, IR_F32, IR_F32, {ONE, 0x7f800000}, NO, NO, ONE},
    {IR_OP_NEGF, IR_F32, IR_F32, {0}, NO, NO, NEG},
    {IR_OP_ABSF, IR_F16, IR_F16, {0x8001}, NO, NO, 1},
    /* results out of range, by direction */
    {IR_OP_ADDF,
     IR_F32,
     IR_F32,
     {0x7f7fffff, 0x7f7fffff},
     ATTR(ADDF, rounding_mode, ZERO),
     NO,
     0x7f7fffff},
    {IR_OP_ADDF,
     IR_F32,
     IR_F32,
     {0x7f7fffff, 0x7f7fffff},
     ATTR(ADDF, rounding_mode, DOWN),
     NO,
     0x7f7fffff},
    {IR_OP_ADDF,
     IR_F32,
     IR_F32,
     {0x7f7fffff, 0x7f7fffff},
     ATTR(ADDF, rounding_mode, UP),
     NO,
     0x7f800000},
    {IR_OP_MULF,
     IR_F32,
     IR_F32,
     {0xff7fffff, 0x40000000},
     ATTR(MULF, rounding_mode, UP),
     NO,
     0xff7fffff},
    {IR_OP_MULF, IR_F32, IR_F32, {1, 0x3f000000}, NO, NO, 0}, /* half of the least: to even */
    {IR_OP_MULF, IR_F32, IR_F32, {1, 0x3f000000}, ATTR(MULF, rounding_mode, UP), NO, 1},
    {IR_OP_MULF,
     IR_F32,
     IR_F32,
     {1 | NEG, 0x3f000000},
     ATTR(MULF, rounding_mode, DOWN),
     NO,
     1 | NEG},
    {IR_OP_DIVF, IR_F32, IR_F32, {ONE, 0}, NO, NO, 0x7f800000},
    {IR_OP_DIVF, IR_F32, IR_F32, {ONE, NEG}, NO, NO, 0xff800000},
    {IR_OP_DIVF,
     IR_F32,
     IR_F32,
     {ONE, 0x40400000},
     ATTR(DIVF, rounding_mode, ZERO),
     NO,
     0x3eaaaaaa},
    {IR_OP_DIVF, IR_F32, IR_F32, {ONE, 0x40400000}, ATTR(DIVF, rounding_mode, UP), NO, 0x3eaaaaab},
    {IR_OP_SQRT, IR_F32, IR_F32, {0x40000000}, ATTR(SQRT, rounding_mode, UP), NO, 0x3fb504f4},
    {IR_OP_SQRT, IR_F32, IR_F32, {0x40000000}, ATTR(SQRT, rounding_mode, ZERO), NO, 0x3fb504f3},
    /* subnormals that are flushed keep their sign, before and after */
    {IR_OP_ADDF, IR_F32, IR_F32, {TINY, TINY}, ATTR(ADDF, flush_to_zero, 1), NO, 0},
    {IR_OP_ADDF, IR_F32, IR_F32, {TINY, TINY}, NO, NO, 0x00800000},
    {IR_OP_ADDF, IR_F32, IR_F32, {TINY | NEG, NEG}, ATTR(ADDF, flush_to_zero, 1), NO, NEG},
    {IR_OP_SUBF, IR_F32, IR_F32, {0x00c00000, 0x00800000}, ATTR(SUBF, flush_to_zero, 1), NO, 0},
    {IR_OP_MULF, IR_F32, IR_F32, {0x80800000, 0x3f000000}, ATTR(MULF, flush_to_zero, 1), NO, NEG},
    {IR_OP_DIVF, IR_F32, IR_F32, {ONE, TINY}, ATTR(DIVF, flush_to_zero, 1), NO, 0x7f800000},
    {IR_OP_FMA, IR_F32, IR_F32, {TINY, 0x7f000000, ONE}, ATTR(FMA, flush_to_zero, 1), NO, ONE},
    {IR_OP_FMA, IR_F32, IR_F32, {TINY, 0x7f000000, ONE}, NO, NO, 0x40000000}, /* 2^-127 2^127 + 1 */
    {IR_OP_SQRT, IR_F32, IR_F32, {TINY}, ATTR(SQRT, flush_to_zero, 1), NO, 0},
    {IR_OP_MAXF, IR_F32, IR_F32, {TINY, TINY | NEG}, ATTR(MAXF, flush_to_zero, 1), NO, 0},
    {IR_OP_MINF, IR_F32, IR_F32, {TINY, TINY | NEG}, ATTR(MINF, flush_to_zero, 1), NO, NEG},
    /* ... as they are with 24 bits and no least exponent: (1 - 2^-24) 2^-126 has them, and would
     * round to a normal number; +-(1 - 2^-47) 2^-126 and nearer ones become it in some directions
     */
    {IR_OP_MULF, IR_F32, IR_F32, {0x3f7fffff, 0x00800000}, NO, NO, 0x00800000},
    {IR_OP_MULF, IR_F32, IR_F32, {0x3f7fffff, 0x80800000}, ATTR(MULF, flush_to_zero, 1), NO, NEG},
    FLUSHED(MULF, IR_ROUND_NEAREST_EVEN, 0x00800000, 0x2021e58f, 0x1fca6691),
    FLUSHED(MULF, DOWN, 0, 0x2021e58f, 0x1fca6691),
    FLUSHED(MULF, UP, 0x00800000, 0x2021e58f, 0x1fca6691),
    FLUSHED(MULF, ZERO, 0, 0x2021e58f, 0x1fca6691),
    FLUSHED(FMA, IR_ROUND_NEAREST_EVEN, 0x80800000, 0x00800001, 0x00800001, 0x80800000),
    FLUSHED(FMA, DOWN, 0x80800000, 0x00800001, 0x00800001, 0x80800000),
    FLUSHED(FMA, UP, NEG, 0x00800001, 0x00800001, 0x80800000),
    FLUSHED(FMA, ZERO, NEG, 0x00800001, 0x00800001, 0x80800000),
    FLUSHED(FMA, IR_ROUND_NEAREST_EVEN, 0x00800000, 0x12cd6ce8, 0x84952945, 0x00800000),
    FLUSHED(FMA, UP, 0x00800000, 0x12cd6ce8, 0x84952945, 0x00800000),
    FLUSHED(FMA, DOWN, 0, 0x12cd6ce8, 0x84952945, 0x00800000),
    FLUSHED(FMA, ZERO, 0, 0x12cd6ce8, 0x84952945, 0x00800000),
    /* NaN gives way, unless it is to be handed on */
    {IR_OP_MAXF, IR_F32, IR_F32, {ONE, NAN32}, NO, NO, ONE},
    {IR_OP_MAXF, IR_F32, IR_F32, {ONE, NAN32}, ATTR(MAXF, propagate_nan, 1), NO, NAN32},
    {IR_OP_MINF, IR_F32, IR_F32, {NAN32, ONE}, ATTR(MINF, propagate_nan, 1), NO, NAN32},
    {IR_OP_MINF, IR_F32, IR_F32, {NAN32, NAN32}, NO, NO, NAN32},
    {IR_OP_MAXF, IR_F16, IR_F16, {0x7e00, 0xfc00}, NO, NO, 0xfc00},
    {IR_OP_MAXF, IR_BF16, IR_BF16, {0x8000, 0}, NO, NO, 0},
    {IR_OP_MINF, IR_BF16, IR_BF16, {0, 0x8000}, NO, NO, 0x8000},
    /* integers: truncated, and where asked for held in their range */
    {IR_OP_FTOI, IR_F32, IR_I8, {0x42ffcccd}, ATTR(FTOI, signedness, SIGNED), NO, 127},  /* 127.9 */
    {IR_OP_FTOI, IR_F32, IR_I8, {0xc300e666}, ATTR(FTOI, signedness, SIGNED), NO, 0x80}, /* -128.9
                                                                                          */
    {IR_OP_FTOI, IR_F32, IR_I8, {0xbf7d70a4}, ATTR(FTOI, signedness, UNSIGNED), NO, 0},  /* -0.99 */
    {IR_OP_FTOI, IR_F32, IR_I8, {0x437fe666}, ATTR(FTOI, signedness, UNSIGNED), NO, 255}, /* 255.9
                                                                                           */
    {IR_OP_FTOI,
     IR_F32,
     IR_I8,
     {0x43000000},
     ATTR(FTOI, signedness, SIGNED),
     ATTR(FTOI, saturating, 1),
     127},
    {IR_OP_FTOI,
     IR_F32,
     IR_I8,
     {0xc3810000},
     ATTR(FTOI, signedness, SIGNED),
     ATTR(FTOI, saturating, 1),
     0x80},
    {IR_OP_FTOI,
     IR_F32,
     IR_I8,
     {0xbf800000},
     ATTR(FTOI, signedness, UNSIGNED),
     ATTR(FTOI, saturating, 1),
     0},
    {IR_OP_FTOI,
     IR_F32,
     IR_I64,
     {0x7f800000},
     ATTR(FTOI, signedness, SIGNED),
     ATTR(FTOI, saturating, 1),
     INT64_MAX},
    {IR_OP_FTOI,
     IR_F32,
     IR_I64,
     {0x7f800000},
     ATTR(FTOI, signedness, UNSIGNED),
     ATTR(FTOI, saturating, 1),
     UINT64_MAX},
    {IR_OP_FTOI,
     IR_F32,
     IR_I32,
     {NAN32},
     ATTR(FTOI, signedness, SIGNED),
     ATTR(FTOI, saturating, 1),
     0},
    {IR_OP_FTOI,
     IR_F64,
     IR_I64,
     {0xc3e0000000000000},
     ATTR(FTOI, signedness, SIGNED),
     NO,
     (uint64_t)INT64_MIN},
    {IR_OP_FTOI,
     IR_F64,
     IR_I64,
     {0x43e0000000000000},
     ATTR(FTOI, signedness, UNSIGNED),
     NO,
     (uint64_t)1 << 63},
    {IR_OP_ITOF, IR_I1, IR_F32, {1}, ATTR(ITOF, signedness, SIGNED), NO, ONE | NEG},
    {IR_OP_ITOF, IR_I1, IR_F32, {1}, ATTR(ITOF, signedness, UNSIGNED), NO, ONE},
    {IR_OP_ITOF, IR_I8, IR_F16, {0xff}, ATTR(ITOF, signedness, UNSIGNED), NO, 0x5bf8}, /* 255 */
    {IR_OP_ITOF, IR_I32, IR_F16, {65520}, ATTR(ITOF, signedness, SIGNED), NO, 0x7c00},
    {IR_OP_ITOF, IR_I64, IR_F64, {0x20000000000001}, NO, NO, 0x4340000000000000}, /* 2^53 + 1 */
    {IR_OP_ITOF,
     IR_I64,
     IR_F64,
     {0x20000000000001},
     ATTR(ITOF, rounding_mode, UP),
     NO,
     0x4340000000000001},
    {IR_OP_ITOF,
     IR_I64,
     IR_F64,
     {0xffdfffffffffffff},
     ATTR(ITOF, rounding_mode, UP),
     NO,
     0xc340000000000000},
    {IR_OP_ITOF,
     IR_I64,
     IR_F64,
     {0xffdfffffffffffff},
     ATTR(ITOF, rounding_mode, DOWN),
     NO,
     0xc340000000000001},
    {IR_OP_ITOF,
     IR_I64,
     IR_F64,
     {UINT64_MAX},
     ATTR(ITOF, signedness, UNSIGNED),
     ATTR(ITOF, rounding_mode, ZERO),
     0x43efffffffffffff},
    {IR_OP_ITOF,
     IR_I64,
     IR_F32,
     {UINT64_MAX},
     ATTR(ITOF, signedness, UNSIGNED),
     ATTR(ITOF, rounding_mode, ZERO),
     0x5f7fffff},
    /* narrow formats */
    {IR_OP_FTOF, IR_F32, IR_F4E2M1FN, {0x3e800000}, NO, NO, 0},  /* 0.25, between 0 and 0.5 */
    {IR_OP_FTOF, IR_F32, IR_F4E2M1FN, {0x3f400000}, NO, NO, 2},  /* 0.75, between 0.5 and 1 */
    {IR_OP_FTOF, IR_F32, IR_F4E2M1FN, {0xc0a00000}, NO, NO, 14}, /* -5, between -4 and -6 */
    {IR_OP_FTOF, IR_F4E2M1FN, IR_F32, {7}, NO, NO, 0x40c00000},  /* 6 */
    {IR_OP_FTOF, IR_F32, IR_F8E4M3FN, {NAN32}, NO, NO, 0x7f},
    {IR_OP_FTOF, IR_F32, IR_F8E4M3FN, {0x3a800000}, NO, NO, 0}, /* 2^-10: half of the least */
    {IR_OP_FTOF, IR_F32, IR_F8E4M3FN, {0x3ac00000}, NO, NO, 1}, /* 1.5 2^-10 */
    {IR_OP_FTOF, IR_F8E5M2, IR_F16, {0xfc}, NO, NO, 0xfc00},    /* -infinity */
    {IR_OP_FTOF, IR_F8E4M3FN, IR_F8E5M2, {0x31}, NO, NO, 0x38}, /* 0.5625, between 0.5 and 0.625 */
    {IR_OP_FTOF, IR_F64, IR_F32, {0x3ff0000010000001}, NO, NO, ONE + 1}, /* above the middle */
    {IR_OP_FTOF, IR_F64, IR_F16, {0x3ff0020000000001}, NO, NO, 0x3c01},
    {IR_OP_FTOF, IR_F32, IR_TF32, {0x3f803000}, NO, NO, 0x3f804000}, /* a tie goes to even */
    {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {ONE}, NO, NO, 0x78},
    {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {0x3f880000}, NO, NO, 0x78}, /* 1.0625: to even */
    {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {0x3f980000}, NO, NO, 0x7a}, /* 1.1875 */
    {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {0x47e00000}, NO, NO, 0xfe}, /* 114688, the largest */
    {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {NAN32}, NO, NO, 0xff},
    {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {0x37000000}, NO, NO, 1},    /* 2^-17, the least */
    {IR_OP_FTOF, IR_FNV8E5M3FNU, IR_F32, {0x7f}, NO, NO, 0x3ff00000}, /* 1.875 */
    {IR_OP_FTOF, IR_FNV8E5M3FNU, IR_F32, {0x80}, NO, NO, 0x40000000},
    {IR_OP_FTOF, IR_FNV8E5M3FNU, IR_F32, {0x03}, NO, NO, 0x37c00000}, /* 3 2^-17 */
    {IR_OP_FTOF, IR_F8E8M0FNU, IR_F32, {0}, NO, NO, TINY},
    {IR_OP_FTOF, IR_F8E8M0FNU, IR_F32, {0xfe}, NO, NO, 0x7f000000},
};

static ir_type_kind integer_as_wide(const ir_type *elem)
{
    static const ir_type_kind kinds[] = {
        [1] = IR_I1, [4] = IR_I4, [8] = IR_I8, [16] = IR_I16, [32] = IR_I32, [64] = IR_I64};
    return kinds[ir_type_bits(elem)];
}

static void keep(kit *k, val v, int64_t at)
{
    if (!ir_type_is_int(v->type->elem))
        v = unary(k, IR_OP_BITCAST, scalar_type(k, integer_as_wide(v->type->elem)), v);
    if (v->type->elem->kind != IR_I64) {
        v = unary(k, IR_OP_EXTI, scalar_type(k, IR_I64), v);
        ir_set_int(v->def, IR_AT_EXTI_signedness, IR_UNSIGNED);
    }
    store_i64(k, v, at);
}

static bool is_nan32(uint64_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static void edges_of_float_ops(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(edges); i++) {
        const edge *e = &edges[i];
        val in[3];
        const ir_op_info *info = ir_op_info_of(e->code);
        for (int n = 0; n < 3; n++)
            in[n] = n < info->n_operand_groups ? scalar(k, e->from, (int64_t)e->in[n]) : NULL;
        val r = OP1(k, e->code, scalar_type(k, e->to), in[0], in[1], in[2]);
        if (e->attr >= 0)
            ir_set_int(r->def, (unsigned)e->attr, e->attr_value);
        if (e->attr2 >= 0)
            ir_set_int(r->def, (unsigned)e->attr2, e->attr2_value);
        keep(k, r, (int64_t)i);
    }
    execute(k, 1, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    for (size_t i = 0; i < TR_COUNT(edges); i++) {
        uint64_t bits = 0;
        bool known = interp_read_back(k->run, 0, (int64_t)i * 8, 8, &bits);
        bool nans = edges[i].to == IR_F32 && is_nan32(bits) && is_nan32(edges[i].out);
        if (!known || (bits != edges[i].out && !nans))
            fail_msg("edge %zu (%s): %llx%s, not %llx", i, ir_op_info_of(edges[i].code)->mnemonic,
                     (unsigned long long)bits, known ? "" : " unknown",
                     (unsigned long long)edges[i].out);
    }
    kit_free(k);
}

/* What no format and no rule fixes is not known. */
static void what_is_left_open(void **state)
{
    (void)state;
    static const edge open[] = {
        {IR_OP_FTOI, IR_F32, IR_I32, {NAN32}, NO, NO, 0},
        {IR_OP_FTOI, IR_F32, IR_I8, {0x43000000}, NO, NO, 0},
        {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {ONE | NEG}, NO, NO, 0},
        {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {0xff800000}, NO, NO, 0},
        {IR_OP_FTOF, IR_F32, IR_FNV8E5M3FNU, {0x48000000}, NO, NO, 0},
        {IR_OP_FTOF, IR_F32, IR_F8E8M0FNU, {0}, NO, NO, 0},
        {IR_OP_FTOF, IR_F32, IR_F4E2M1FN, {NAN32}, NO, NO, 0},
    };
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(open); i++) {
        val r = unary(k, open[i].code, scalar_type(k, open[i].to),
                      scalar(k, open[i].from, (int64_t)open[i].in[0]));
        keep(k, r, (int64_t)i);
    }
    execute(k, 1, 1);
    for (size_t i = 0; i < TR_COUNT(open); i++) {
        uint64_t bits;
        if (interp_read_back(k->run, 0, (int64_t)i * 8, 8, &bits))
            fail_msg("row %zu: %llx", i, (unsigned long long)bits);
    }
    kit_free(k);
}

/* By predicate, for less, equal, greater and unordered: bits from the right. */
static void comparisons_of_floats(void **state)
{
    (void)state;
    static const struct {
        ir_predicate predicate;
        unsigned ordered, unordered;
    } rows[] = {{IR_EQ, 2, 10}, {IR_NE, 5, 13}, {IR_LT, 1, 9},
                {IR_LE, 3, 11}, {IR_GT, 4, 12}, {IR_GE, 6, 14}};
    static const int64_t pairs[][2] = {
        {0xbf800000, 0x3f800000}, {0x80000000, 0}, {0x7f800000, 0x7f7fffff}, {0x3f800000, NAN32}};
    kit *k = kit_new("p");
    int64_t at = 0;
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        for (int unordered = 0; unordered < 2; unordered++)
            for (size_t p = 0; p < TR_COUNT(pairs); p++) {
                val r = OP1(k, IR_OP_CMPF, scalar_type(k, IR_I1), scalar(k, IR_F32, pairs[p][0]),
                            scalar(k, IR_F32, pairs[p][1]));
                ir_set_int(r->def, IR_AT_CMPF_comparison_predicate, rows[i].predicate);
                ir_set_int(r->def, IR_AT_CMPF_comparison_ordering,
                           unordered ? IR_UNORDERED : IR_ORDERED);
                keep(k, r, at++);
            }
    execute(k, 1, 1);
    at = 0;
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        for (int unordered = 0; unordered < 2; unordered++)
            for (size_t p = 0; p < TR_COUNT(pairs); p++) {
                unsigned wanted = unordered ? rows[i].unordered : rows[i].ordered;
                if (read_i64(k, at++) != (wanted >> p & 1))
                    fail_msg("predicate %zu, %s, pair %zu", i, unordered ? "unordered" : "ordered",
                             p);
            }
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_of_float_ops),
        cmocka_unit_test(what_is_left_open),
        cmocka_unit_test(comparisons_of_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
