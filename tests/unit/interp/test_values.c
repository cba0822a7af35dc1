/* Values of float ops against oracles that share nothing with the interpreter: exact fractions
 * (float_vectors.def), the host's own arithmetic, and its mathematics in long double. */
#include "kit.h"

#include <fenv.h>
#include <math.h>

static val scalar(kit *k, ir_type_kind kind, int64_t bits)
{
    return constant(k, scalar_type(k, kind), 1, &bits);
}

static ir_type_kind integer_of(const ir_type *elem)
{
    switch (ir_type_bits(elem)) {
    case 1:
        return IR_I1;
    case 4:
        return IR_I4;
    case 8:
        return IR_I8;
    case 16:
        return IR_I16;
    case 32:
        return IR_I32;
    default:
        return IR_I64;
    }
}

/* The bits of a scalar, as an i64 of the big buffer. */
static void keep_bits(kit *k, val v, int64_t at)
{
    const ir_type *type =
        ir_type_tile(k->m, ir_type_pointer(k->m, ir_type_scalar(k->m, IR_I64)), 0, NULL);
    if (!ir_type_is_int(v->type->elem))
        v = unary(k, IR_OP_BITCAST, scalar_type(k, integer_of(v->type->elem)), v);
    if (v->type->elem->kind != IR_I64) {
        v = unary(k, IR_OP_EXTI, scalar_type(k, IR_I64), v);
        ir_set_int(v->def, IR_AT_EXTI_signedness, IR_UNSIGNED);
    }
    val p = unary(k, IR_OP_PTR_TO_PTR, type, param(k, 0));
    store_ptr(k, WEAK, OP1(k, IR_OP_OFFSET, type, p, i32(k, at)), v, NULL, NULL);
}

static kit *wide_kit(void)
{
    kit *k = kit_new("p");
    k->buffers[0].bytes = 1 << 20;
    return k;
}

static void run_with(kit *k, bool values)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    interp_limits limits = {.values = values};
    interp_run_free(k->run);
    k->run = interp_execute(k->f, &k->launch, NULL, &limits, NULL);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
}

static bool bits_at(kit *k, int64_t at, uint64_t *bits)
{
    return interp_read_back(k->run, 0, at * 8, 8, bits);
}

static uint64_t known_bits(kit *k, int64_t at)
{
    uint64_t bits;
    assert_true(bits_at(k, at, &bits));
    return bits;
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20 ^ *state << 30;
}

static uint64_t of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float to_float(uint64_t bits)
{
    uint32_t raw = (uint32_t)bits;
    float x;
    memcpy(&x, &raw, sizeof x);
    return x;
}

static uint64_t of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double to_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- Section: Narrow formats ---- */

static const struct {
    ir_opcode code;
    ir_type_kind from, to;
    uint64_t a, b, c, out;
} vectors[] = {
#define VECTOR(op, from, to, a, b, c, out) {IR_OP_##op, IR_##from, IR_##to, a, b, c, out},
#include "float_vectors.def"
#undef VECTOR
};

static void as_exact_fractions_say(void **state)
{
    (void)state;
    kit *k = wide_kit();
    for (size_t i = 0; i < TR_COUNT(vectors); i++) {
        val a = scalar(k, vectors[i].from, (int64_t)vectors[i].a);
        val b = scalar(k, vectors[i].from, (int64_t)vectors[i].b), r;
        if (vectors[i].code == IR_OP_FTOF)
            r = unary(k, IR_OP_FTOF, scalar_type(k, vectors[i].to), a);
        else if (vectors[i].code == IR_OP_FMA)
            r = OP1(k, IR_OP_FMA, a->type, a, b, scalar(k, vectors[i].from, (int64_t)vectors[i].c));
        else
            r = binary(k, vectors[i].code, a, b);
        keep_bits(k, r, (int64_t)i);
    }
    run_with(k, false);
    for (size_t i = 0; i < TR_COUNT(vectors); i++)
        if (known_bits(k, (int64_t)i) != vectors[i].out)
            fail_msg("vector %zu: %llx, not %llx", i, (unsigned long long)known_bits(k, (int64_t)i),
                     (unsigned long long)vectors[i].out);
    kit_free(k);
}

/* What a format without infinity makes of too large a number, hardware decides: it saturates. */
static void overflow_of_narrow_formats(void **state)
{
    (void)state;
    for (int values = 0; values < 2; values++) {
        kit *k = wide_kit();
        keep_bits(
            k, unary(k, IR_OP_FTOF, scalar_type(k, IR_F8E4M3FN), scalar(k, IR_F32, 0x44000000)), 0);
        keep_bits(k, unary(k, IR_OP_FTOF, scalar_type(k, IR_F8E5M2), scalar(k, IR_F32, 0x49000000)),
                  1);
        val up = unary(k, IR_OP_FTOF, scalar_type(k, IR_F8E8M0FNU), scalar(k, IR_F32, 0x40400000));
        ir_set_int(up->def, IR_AT_FTOF_rounding_mode, IR_ROUND_POSITIVE_INF);
        keep_bits(k, up, 2);
        val down =
            unary(k, IR_OP_FTOF, scalar_type(k, IR_F8E8M0FNU), scalar(k, IR_F32, 0x40400000));
        ir_set_int(down->def, IR_AT_FTOF_rounding_mode, IR_ROUND_ZERO);
        keep_bits(k, down, 3);
        run_with(k, values);
        uint64_t bits;
        assert_int_equal(bits_at(k, 0, &bits), values);
        if (values)
            assert_int_equal(bits, 0x7e);
        assert_int_equal(bits_at(k, 1, &bits), values); /* whatever the format could hold */
        if (values)
            assert_int_equal(bits, 0x7b);
        assert_int_equal(known_bits(k, 2), 129); /* 3 goes to 4, or to 2 */
        assert_int_equal(known_bits(k, 3), 128);
        kit_free(k);
    }
}

/* ---- Section: f32 and f64 against the host ---- */

static const struct {
    ir_rounding rounding;
    int host;
} roundings[] = {{IR_ROUND_NEAREST_EVEN, FE_TONEAREST},
                 {IR_ROUND_ZERO, FE_TOWARDZERO},
                 {IR_ROUND_NEGATIVE_INF, FE_DOWNWARD},
                 {IR_ROUND_POSITIVE_INF, FE_UPWARD}};

static const struct {
    ir_opcode code;
    int rounding; /* attribute, or -1 */
    uint32_t operands;
} host_ops[] = {
    {IR_OP_ADDF, IR_AT_ADDF_rounding_mode, 2},
    {IR_OP_SUBF, IR_AT_SUBF_rounding_mode, 2},
    {IR_OP_MULF, IR_AT_MULF_rounding_mode, 2},
    {IR_OP_DIVF, IR_AT_DIVF_rounding_mode, 2},
    {IR_OP_SQRT, IR_AT_SQRT_rounding_mode, 1},
    {IR_OP_FMA, IR_AT_FMA_rounding_mode, 3},
    {IR_OP_REMF, -1, 2},
    {IR_OP_MAXF, -1, 2},
    {IR_OP_MINF, -1, 2},
    {IR_OP_CEIL, -1, 1},
    {IR_OP_FLOOR, -1, 1},
};

#define HOST(name, type, root, fused, modulo, larger, smaller, up, down)                           \
    static type name(ir_opcode code, volatile type x, volatile type y, volatile type z)            \
    {                                                                                              \
        switch (code) {                                                                            \
        case IR_OP_ADDF:                                                                           \
            return x + y;                                                                          \
        case IR_OP_SUBF:                                                                           \
            return x - y;                                                                          \
        case IR_OP_MULF:                                                                           \
            return x * y;                                                                          \
        case IR_OP_DIVF:                                                                           \
            return x / y;                                                                          \
        case IR_OP_SQRT:                                                                           \
            return root(x);                                                                        \
        case IR_OP_FMA:                                                                            \
            return fused(x, y, z);                                                                 \
        case IR_OP_REMF:                                                                           \
            return modulo(x, y);                                                                   \
        case IR_OP_MAXF:                                                                           \
            return larger(x, y);                                                                   \
        case IR_OP_MINF:                                                                           \
            return smaller(x, y);                                                                  \
        case IR_OP_CEIL:                                                                           \
            return up(x);                                                                          \
        default:                                                                                   \
            return down(x);                                                                        \
        }                                                                                          \
    }
HOST(host_float, float, sqrtf, fmaf, fmodf, fmaxf, fminf, ceilf, floorf)
HOST(host_double, double, sqrt, fma, fmod, fmax, fmin, ceil, floor)

static uint64_t host(ir_opcode code, ir_type_kind kind, const uint64_t *in)
{
    if (kind == IR_F64)
        return of_double(host_double(code, to_double(in[0]), to_double(in[1]), to_double(in[2])));
    return of_float(host_float(code, to_float(in[0]), to_float(in[1]), to_float(in[2])));
}

static bool is_nan(ir_type_kind kind, uint64_t bits)
{
    return kind == IR_F64 ? isnan(to_double(bits)) : isnan(to_float(bits));
}

/* Numbers of all sizes, of like size, and the special ones. */
static uint64_t any_operand(uint64_t *random, ir_type_kind kind, uint64_t like)
{
    uint64_t bits = next(random) ^ next(random) << 32, which = next(random) % 8;
    int mantissa = kind == IR_F64 ? 52 : 23;
    uint64_t all = kind == IR_F64 ? UINT64_MAX : UINT32_MAX;
    uint64_t low = ((uint64_t)1 << mantissa) - 1;
    if (which == 0)
        return ((uint64_t)(kind == IR_F64 ? 2047 : 255) << mantissa) & all; /* infinity */
    if (which == 1)
        return bits & low; /* subnormal */
    if (which < 6 && like)
        return ((like & ~low) + ((next(random) % 5) << mantissa)) | (bits & low);
    return bits & all;
}

/* Signalling NaNs are the host's own affair. */
static uint64_t operand(uint64_t *random, ir_type_kind kind, uint64_t like)
{
    uint64_t bits = any_operand(random, kind, like);
    return is_nan(kind, bits) ? bits | (uint64_t)1 << (kind == IR_F64 ? 51 : 22) : bits;
}

static void as_the_host_does(void **state)
{
    (void)state;
    enum { ROUNDS = 40 };
    for (int kind_number = 0; kind_number < 2; kind_number++) {
        ir_type_kind kind = kind_number ? IR_F64 : IR_F32;
        kit *k = wide_kit();
        static uint64_t expected[ROUNDS * TR_COUNT(host_ops) * TR_COUNT(roundings)];
        size_t n = 0;
        uint64_t random = 11;
        for (size_t op = 0; op < TR_COUNT(host_ops); op++)
            for (size_t mode = 0; mode < TR_COUNT(roundings); mode++)
                for (int i = 0; i < ROUNDS && (mode == 0 || host_ops[op].rounding >= 0); i++) {
                    uint64_t in[3];
                    in[0] = operand(&random, kind, 0);
                    in[1] = operand(&random, kind, in[0]);
                    in[2] = operand(&random, kind, in[1]);
                    val v[3];
                    for (uint32_t j = 0; j < 3; j++)
                        v[j] = j < host_ops[op].operands ? scalar(k, kind, (int64_t)in[j]) : NULL;
                    val r = OP1(k, host_ops[op].code, v[0]->type, v[0], v[1], v[2]);
                    if (host_ops[op].rounding >= 0)
                        ir_set_int(r->def, (unsigned)host_ops[op].rounding,
                                   roundings[mode].rounding);
                    keep_bits(k, r, (int64_t)n);
                    fesetround(roundings[mode].host);
                    expected[n++] = host(host_ops[op].code, kind, in);
                    fesetround(FE_TONEAREST);
                }
        run_with(k, false);
        for (size_t i = 0; i < n; i++) {
            uint64_t got = known_bits(k, (int64_t)i);
            bool zeros = (got | expected[i]) << (kind == IR_F64 ? 1 : 33) == 0; /* max(0, -0) */
            if (got != expected[i] && !zeros && !(is_nan(kind, got) && is_nan(kind, expected[i])))
                fail_msg("%s, %zu: %llx, not %llx", kind_number ? "f64" : "f32", i,
                         (unsigned long long)got, (unsigned long long)expected[i]);
        }
        kit_free(k);
    }
}

static void integers_become_floats(void **state)
{
    (void)state;
    kit *k = wide_kit();
    uint64_t random = 5, in[200];
    for (int64_t i = 0; i < 200; i++) {
        in[i] = (next(&random) ^ next(&random) << 32) >> (next(&random) % 40);
        if (i % 4 == 0) /* close to the middle of two floats */
            in[i] = ((in[i] | 1) << 39) + (i % 8 ? 1 : UINT64_MAX);
        val v = scalar(k, IR_I64, (int64_t)in[i]);
        for (int s = 0; s < 2; s++) {
            val r = unary(k, IR_OP_ITOF, scalar_type(k, IR_F32), v);
            ir_set_int(r->def, IR_AT_ITOF_signedness, s ? IR_SIGNED : IR_UNSIGNED);
            keep_bits(k, r, 3 * i + s);
        }
        keep_bits(k, unary(k, IR_OP_ITOF, scalar_type(k, IR_F64), v), 3 * i + 2);
    }
    run_with(k, false);
    for (int64_t i = 0; i < 200; i++) {
        assert_int_equal(known_bits(k, 3 * i), of_float((float)in[i]));
        assert_int_equal(known_bits(k, 3 * i + 1), of_float((float)(int64_t)in[i]));
        assert_int_equal(known_bits(k, 3 * i + 2), of_double((double)(int64_t)in[i]));
    }
    kit_free(k);
}

/* ---- Section: What hardware is free in ---- */

static long double two_to(long double x)
{
    return exp2l(x);
}

static long double inverse_root(long double x)
{
    return 1 / sqrtl(x);
}

static const struct {
    ir_opcode code;
    long double (*host)(long double x);
} functions[] = {
    {IR_OP_EXP, expl},   {IR_OP_EXP2, two_to}, {IR_OP_LOG, logl},           {IR_OP_LOG2, log2l},
    {IR_OP_SIN, sinl},   {IR_OP_COS, cosl},    {IR_OP_TAN, tanl},           {IR_OP_SINH, sinhl},
    {IR_OP_COSH, coshl}, {IR_OP_TANH, tanhl},  {IR_OP_RSQRT, inverse_root},
};

static void functions_are_nearest(void **state)
{
    (void)state;
    enum { EACH = 50 };
    for (int values = 0; values < 2; values++) {
        kit *k = wide_kit();
        uint64_t random = 3;
        float in[TR_COUNT(functions) * EACH];
        for (size_t i = 0; i < TR_COUNT(in); i++) {
            in[i] = (float)(next(&random) % 100000 + 1) / 8000.0f;
            val x = scalar(k, IR_F32, (int64_t)of_float(in[i]));
            keep_bits(k, unary(k, functions[i / EACH].code, x->type, x), (int64_t)i);
        }
        run_with(k, values);
        for (size_t i = 0; i < TR_COUNT(in); i++) {
            uint64_t bits;
            assert_int_equal(bits_at(k, (int64_t)i, &bits), values);
            if (values)
                assert_int_equal(bits, of_float((float)functions[i / EACH].host(in[i])));
        }
        kit_free(k);
    }
}

static void functions_of_two(void **state)
{
    (void)state;
    kit *k = wide_kit();
    val x = scalar(k, IR_F64, (int64_t)of_double(2.5)),
        y = scalar(k, IR_F64, (int64_t)of_double(-3));
    keep_bits(k, binary(k, IR_OP_ATAN2, x, y), 0);
    keep_bits(k, binary(k, IR_OP_FPOWF, x, y), 1);
    keep_bits(k, OP1(k, IR_OP_FPOWI, x->type, x, i32(k, -2)), 2);
    run_with(k, true);
    assert_int_equal(known_bits(k, 0), of_double(atan2(2.5, -3)));
    assert_int_equal(known_bits(k, 1), of_double(0.064));
    assert_int_equal(known_bits(k, 2), of_double(0.16));
    kit_free(k);
}

/* ---- Section: Matrix products, reductions, atomics ---- */

static val tile_of(kit *k, ir_type_kind kind, int rank, const int64_t *shape, const int64_t *bits)
{
    const ir_type *type = tile_type(k, kind, rank, shape);
    return constant(k, type, (size_t)ir_type_elements(type), bits);
}

/* All elements of a tile, converted to i32, from element `at` on. */
static void keep_integers(kit *k, val tile, int64_t at)
{
    const ir_type *type = tile_type(k, IR_I32, tile->type->rank, tile->type->shape);
    if (ir_type_is_float(tile->type->elem)) {
        tile = unary(k, IR_OP_FTOI, type, tile);
        ir_set_int(tile->def, IR_AT_FTOI_signedness, IR_SIGNED);
    }
    show(k, tile, at);
}

/* Small integers, so that every order of the additions gives the same sum. */
static void products_of_every_format(void **state)
{
    (void)state;
    enum { M = 4, K = 8, N = 2 };
    static const struct {
        ir_type_kind in, acc;
        int64_t codes[4]; /* of 0, 1, 2, -3 */
        int64_t seven;    /* of the accumulator */
    } rows[] = {
        {IR_F16, IR_F32, {0, 0x3c00, 0x4000, 0xc200}, 0x40e00000},
        {IR_F16, IR_F16, {0, 0x3c00, 0x4000, 0xc200}, 0x4700},
        {IR_BF16, IR_F32, {0, 0x3f80, 0x4000, 0xc040}, 0x40e00000},
        {IR_TF32, IR_F32, {0, 0x3f800000, 0x40000000, 0xc0400000}, 0x40e00000},
        {IR_F32, IR_F32, {0, 0x3f800000, 0x40000000, 0xc0400000}, 0x40e00000},
        {IR_F8E4M3FN, IR_F32, {0, 0x38, 0x40, 0xc4}, 0x40e00000},
        {IR_F8E5M2, IR_F32, {0, 0x3c, 0x40, 0xc2}, 0x40e00000},
        {IR_F64,
         IR_F64,
         {0, 0x3ff0000000000000, 0x4000000000000000, (int64_t)0xc008000000000000},
         0x401c000000000000},
        {IR_I8, IR_I32, {0, 1, 2, -3}, 7},
    };
    static const int small[4] = {0, 1, 2, -3};
    for (size_t row = 0; row < TR_COUNT(rows); row++) {
        kit *k = wide_kit();
        int64_t l[M * K], r[K * N], acc[M * N];
        int li[M * K], ri[K * N];
        uint64_t random = row;
        for (int i = 0; i < M * K; i++)
            l[i] = rows[row].codes[li[i] = (int)(next(&random) % 4)];
        for (int i = 0; i < K * N; i++)
            r[i] = rows[row].codes[ri[i] = (int)(next(&random) % 4)];
        for (int i = 0; i < M * N; i++)
            acc[i] = rows[row].seven;
        bool integer = rows[row].in == IR_I8;
        val a = tile_of(k, rows[row].in, 2, (int64_t[]){M, K}, l);
        val b = tile_of(k, rows[row].in, 2, (int64_t[]){K, N}, r);
        val c = tile_of(k, rows[row].acc, 2, (int64_t[]){M, N}, acc);
        val d = OP1(k, integer ? IR_OP_MMAI : IR_OP_MMAF, c->type, a, b, c);
        if (integer) {
            ir_set_int(d->def, IR_AT_MMAI_signedness_lhs, IR_SIGNED);
            ir_set_int(d->def, IR_AT_MMAI_signedness_rhs, IR_SIGNED);
        }
        keep_integers(k, d, 0);
        run_with(k, true);
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                int sum = 7;
                for (int x = 0; x < K; x++)
                    sum += small[li[i * K + x]] * small[ri[x * N + j]];
                assert_int_equal(word(k, 0, i * N + j), sum);
            }
        kit_free(k);
    }
}

/* Blocks of four along k share a scale: 2 and 8 on the left, 1 and 4 on the right. */
static void scaled_products(void **state)
{
    (void)state;
    kit *k = wide_kit();
    int64_t ones[16], scale_l[] = {128, 130}, scale_r[] = {127, 127, 129, 129}, zero[] = {0, 0};
    for (int i = 0; i < 16; i++)
        ones[i] = 0x38; /* 1 in f8E4M3FN */
    val l = tile_of(k, IR_F8E4M3FN, 2, (int64_t[]){1, 8}, ones);
    val r = tile_of(k, IR_F8E4M3FN, 2, (int64_t[]){8, 2}, ones);
    val acc = tile_of(k, IR_F32, 2, (int64_t[]){1, 2}, zero);
    val sl = tile_of(k, IR_F8E8M0FNU, 2, (int64_t[]){1, 2}, scale_l);
    val sr = tile_of(k, IR_F8E8M0FNU, 2, (int64_t[]){2, 2}, scale_r);
    keep_integers(k, OP1(k, IR_OP_MMAF_SCALED, acc->type, l, r, acc, sl, sr), 0);
    run_with(k, true);
    for (int64_t j = 0; j < 2; j++)
        assert_int_equal(word(k, 0, j), 4 * 2 * 1 + 4 * 8 * 4);
    kit_free(k);
}

/* Of one thing only it is not known: the order of its additions. */
static void sums_need_an_order(void **state)
{
    (void)state;
    for (int values = 0; values < 2; values++) {
        kit *k = kit_new("pf");
        k->buffers[1].opaque = false;
        int64_t bits[] = {0x3f800000, 0x3f800000};
        val two = tile_of(k, IR_F32, 1, (int64_t[]){2}, bits);
        val target = pointers(k, param(k, 1), TILE(k, 3, 3));
        ir_op *op = rmw(k, DEVICE, IR_ATOMIC_ADDF, target, two, NULL, NULL);
        (void)op;
        run_with(k, values);
        uint64_t got;
        assert_int_equal(interp_read_back(k->run, 1, 12, 4, &got), values);
        if (values)
            assert_int_equal(got, 0x40000000);
        kit_free(k);
    }
}

/* A body of one op is taken at once, one of two is executed step by step: the same results. */
static void one_op_or_two(void **state)
{
    (void)state;
    static const ir_opcode codes[] = {IR_OP_ADDF, IR_OP_MAXF, IR_OP_MINF};
    static const int64_t identities[] = {0, 0xff800000, 0x7f800000};
    uint64_t random = 3;
    for (size_t c = 0; c < TR_COUNT(codes); c++)
        for (int round = 0; round < 20; round++) {
            kit *k = wide_kit();
            int64_t bits[32];
            for (int i = 0; i < 32; i++)
                bits[i] = (int64_t)(next(&random) % 8 ? any_operand(&random, IR_F32, 0x3f800000)
                                                      : (next(&random) & 1) << 31);
            val m = constant(k, tile_type(k, IR_F32, 2, (int64_t[]){4, 8}), 32, bits);
            for (int dim = 0; dim < 2; dim++)
                for (int two = 0; two < 2; two++) {
                    const ir_type *scalar_f32 = scalar_type(k, IR_F32);
                    const ir_type *both[] = {scalar_f32, scalar_f32};
                    int64_t left = dim ? 4 : 8;
                    const ir_type *type = tile_type(k, IR_F32, 1, &left);
                    ir_operand_list group = {&m, 1};
                    ir_op *op = ir_build(&k->b, IR_OP_REDUCE, &group, 1, &type, (uint32_t[]){1});
                    ir_set_int(op, IR_AT_REDUCE_dim, dim);
                    ir_attr *identity = tr_arena_alloc(k->m->arena, sizeof *identity);
                    *identity = (ir_attr){.kind = IR_ATTR_FLOAT, .number = identities[c]};
                    op->attrs[IR_AT_REDUCE_identities] =
                        (ir_attr){.kind = IR_ATTR_LIST, .count = 1, .items = identity};
                    ir_block *outer = k->b.block;
                    ir_block *body = ir_block_new(k->m, k->f, 2, both);
                    ir_set_region(op, 0, body);
                    k->b.block = body;
                    val r = binary(k, codes[c], body->args[0], body->args[1]);
                    if (two) /* changes nothing, as the result is no signalling NaN */
                        r = binary(k, IR_OP_MAXF, r, r);
                    terminate(k, IR_OP_YIELD, 1, &r);
                    k->b.block = outer;
                    for (int64_t i = 0; i < left; i++) {
                        val at = i32(k, i);
                        ir_operand_list groups[] = {{(val[]){&op->results[0]}, 1}, {&at, 1}};
                        const ir_type *part = tile_type(k, IR_F32, 1, (int64_t[]){1});
                        val one =
                            &ir_build(&k->b, IR_OP_EXTRACT, groups, 1, &part, NULL)->results[0];
                        keep_bits(k, unary(k, IR_OP_RESHAPE, scalar_f32, one),
                                  64 * (2 * dim + two) + i);
                    }
                }
            run_with(k, true);
            for (int dim = 0; dim < 2; dim++)
                for (int64_t i = 0; i < (dim ? 4 : 8); i++)
                    assert_int_equal(known_bits(k, 128 * dim + i),
                                     known_bits(k, 128 * dim + 64 + i));
            kit_free(k);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_exact_fractions_say),   cmocka_unit_test(overflow_of_narrow_formats),
        cmocka_unit_test(as_the_host_does),         cmocka_unit_test(integers_become_floats),
        cmocka_unit_test(functions_are_nearest),    cmocka_unit_test(functions_of_two),
        cmocka_unit_test(products_of_every_format), cmocka_unit_test(scaled_products),
        cmocka_unit_test(sums_need_an_order),       cmocka_unit_test(one_op_or_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
