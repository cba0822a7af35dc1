/* Products of float tiles, held to the tolerance that docs/interpreter.md states. */
#include "kit.h"

#include <float.h>
#include <math.h>

#include "interp/schedule.h"

/* ---- A product as a kernel: sum (rows x columns) += l (rows x inner) * r, from buffers 0, 1, 2
 * into buffer 2 ---- */

typedef struct sizes {
    int64_t batches, rows, inner, columns;
} sizes;

static int64_t numel(int64_t batches, int64_t a, int64_t b)
{
    return batches * a * b;
}

static val load_matrix(kit *k, uint32_t argument, ir_type_kind kind, const int64_t shape[3],
                       val *flat_pointers)
{
    int64_t n = numel(shape[0], shape[1], shape[2]);
    const ir_type *elem = ir_type_pointer(k->m, ir_type_scalar(k->m, kind));
    val base = unary(k, IR_OP_PTR_TO_PTR, ir_type_tile(k->m, elem, 0, NULL), param(k, argument));
    val iota = &ir_build(&k->b, IR_OP_IOTA, NULL, 1,
                         (const ir_type *[]){tile_type(k, IR_I32, 1, &n)}, NULL)
                    ->results[0];
    *flat_pointers = pointers(k, base, iota);
    val flat = data(load_ptr(k, WEAK, *flat_pointers, NULL, NULL, NULL));
    return unary(k, IR_OP_RESHAPE, tile_type(k, kind, 3, shape), flat);
}

static kit *product_kit(sizes s, ir_type_kind narrow, ir_type_kind wide)
{
    kit *k = kit_new("fff");
    int64_t shapes[3][3] = {{s.batches, s.rows, s.inner},
                            {s.batches, s.inner, s.columns},
                            {s.batches, s.rows, s.columns}};
    val in[3], where[3];
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = load_matrix(k, i, i == 2 ? wide : narrow, shapes[i], &where[i]);
        k->buffers[i].opaque = false;
        k->buffers[i].bytes = 8 * numel(shapes[i][0], shapes[i][1], shapes[i][2]);
        k->buffers[i].data =
            tr_arena_alloc(k->m->arena, (size_t)k->buffers[i].bytes); /* zero, filled by the test */
    }
    val product = OP1(k, IR_OP_MMAF, in[2]->type, in[0], in[1], in[2]);
    int64_t n = ir_type_elements(product->type);
    store_ptr(k, WEAK, where[2], unary(k, IR_OP_RESHAPE, tile_type(k, wide, 1, &n), product), NULL,
              NULL);
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    return k;
}

static void run_with(kit *k, interp_limits limits)
{
    interp_run_free(k->run);
    k->run = interp_execute(k->f, &k->launch, NULL, &limits, NULL);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
}

static bool bits_of(kit *k, int64_t i, int width, uint64_t *bits)
{
    return interp_read_back(k->run, 2, i * width, width, bits);
}

static float single_of(kit *k, int64_t i)
{
    uint64_t bits;
    float x;
    assert_true(bits_of(k, i, 4, &bits));
    memcpy(&x, &(uint32_t){(uint32_t)bits}, sizeof x);
    return x;
}

static double double_of(kit *k, int64_t i)
{
    uint64_t bits;
    double x;
    assert_true(bits_of(k, i, 8, &bits));
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Numbers of either sign between 2^-4 and 2^4 in the format. */
static void fill(kit *k, int buffer, ir_type_kind kind, uint64_t *state)
{
    unsigned char *at = k->buffers[buffer].data;
    int64_t n = k->buffers[buffer].bytes / 8;
    for (int64_t i = 0; i < n; i++) {
        double x = ldexp(1 + (double)next(state) * 0x1p-31, (int)(next(state) % 8) - 4);
        x = next(state) & 1 ? -x : x;
        float single = (float)x;
        _Float16 half = (_Float16)x;
        if (kind == IR_F64)
            memcpy(at + 8 * i, &x, sizeof x);
        else if (kind == IR_F32)
            memcpy(at + 4 * i, &single, sizeof single);
        else
            memcpy(at + 2 * i, &half, sizeof half);
    }
}

static double number_in(const kit *k, int buffer, ir_type_kind kind, int64_t i)
{
    const unsigned char *at = k->buffers[buffer].data;
    double x;
    float single;
    _Float16 half;
    memcpy(&x, at + (kind == IR_F64 ? 8 * i : 0), sizeof x);
    memcpy(&single, at + (kind == IR_F32 ? 4 * i : 0), sizeof single);
    memcpy(&half, at + (kind == IR_F16 ? 2 * i : 0), sizeof half);
    return kind == IR_F64 ? x : kind == IR_F32 ? (double)single : (double)half;
}

/* ---- Sums ---- */

static const sizes shapes[] = {{1, 4, 8, 2}, {2, 8, 4, 16}, {1, 1, 64, 1}, {4, 2, 32, 8}};

/* Over ascending k, product and sum rounded one after the other, whatever the processor has. */
static void test_our_sums(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (size_t j = 0; j < TR_COUNT(shapes); j++) {
        sizes s = shapes[j];
        kit *k = product_kit(s, IR_F32, IR_F32);
        for (int b = 0; b < 3; b++)
            fill(k, b, IR_F32, &random);
        run_with(k, (interp_limits){.values = true});
        for (int64_t i = 0; i < numel(s.batches, s.rows, s.columns); i++) {
            int64_t batch = i / (s.rows * s.columns), row = i / s.columns % s.rows;
            volatile float sum = (float)number_in(k, 2, IR_F32, i), product;
            for (int64_t n = 0; n < s.inner; n++) {
                product = (float)number_in(k, 0, IR_F32, (batch * s.rows + row) * s.inner + n) *
                          (float)number_in(k, 1, IR_F32,
                                           (batch * s.inner + n) * s.columns + i % s.columns);
                sum += product;
            }
            assert_true(single_of(k, i) == sum);
        }
        kit_free(k);
    }
}

/* |error| <= K 2^-24 (sum of the magnitudes), and one rounding more where the products round, too.
 */
static void expect_within(kit *k, sizes s, ir_type_kind narrow, ir_type_kind wide)
{
    double ulp = wide == IR_F64 ? 0x1p-53 : 0x1p-24;
    double roundings = (double)s.inner + (narrow == IR_F16 ? 0 : 1);
    for (int64_t i = 0; i < numel(s.batches, s.rows, s.columns); i++) {
        int64_t batch = i / (s.rows * s.columns), row = i / s.columns % s.rows;
        long double exact = number_in(k, 2, wide, i), magnitudes = fabsl(exact);
        for (int64_t j = 0; j < s.inner; j++) {
            long double l = number_in(k, 0, narrow, (batch * s.rows + row) * s.inner + j);
            long double r =
                number_in(k, 1, narrow, (batch * s.inner + j) * s.columns + i % s.columns);
            exact += l * r;
            magnitudes += fabsl(l * r);
        }
        long double got = wide == IR_F64 ? (long double)double_of(k, i) : single_of(k, i);
        long double bound = roundings * ulp * magnitudes;
        if (fabsl(got - exact) > bound)
            fail_msg("element %lld of %lld x %lld x %lld: error %Lg, bound %Lg", (long long)i,
                     (long long)s.rows, (long long)s.inner, (long long)s.columns,
                     fabsl(got - exact), bound);
    }
}

static void test_tolerance(void **state)
{
    (void)state;
    static const sizes larger[] = {
        {1, 4, 8, 2}, {1, 128, 32, 128}, {2, 16, 64, 8}, {1, 64, 128, 32}, {1, 1, 256, 1}};
    static const ir_type_kind kinds[][2] = {{IR_F16, IR_F32}, {IR_F32, IR_F32}, {IR_F64, IR_F64}};
    uint64_t random = 6;
    for (size_t j = 0; j < TR_COUNT(larger) * TR_COUNT(kinds); j++) {
        sizes s = larger[j % TR_COUNT(larger)];
        const ir_type_kind *kind = kinds[j / TR_COUNT(larger)];
        kit *k = product_kit(s, kind[0], kind[1]);
        for (int b = 0; b < 3; b++)
            fill(k, b, kind[b == 2], &random);
        run_with(k, (interp_limits){.values = true});
        expect_within(k, s, kind[0], kind[1]);
        kit_free(k);
    }
}

/* FLT_MAX + FLT_MAX - FLT_MAX: the order of the sum decides what is left. */
static void test_overflow(void **state)
{
    (void)state;
    kit *k = product_kit((sizes){1, 1, 2, 1}, IR_F32, IR_F32);
    float l[] = {FLT_MAX, FLT_MAX}, r[] = {1, 1}, sum[] = {-FLT_MAX};
    memcpy(k->buffers[0].data, l, sizeof l);
    memcpy(k->buffers[1].data, r, sizeof r);
    memcpy(k->buffers[2].data, sum, sizeof sum);
    run_with(k, (interp_limits){.values = true});
    assert_true(single_of(k, 0) == FLT_MAX);
    kit_free(k);
}

static void test_without_values(void **state)
{
    (void)state;
    kit *k = product_kit((sizes){1, 2, 2, 2}, IR_F32, IR_F32);
    uint64_t bits;
    run_with(k, (interp_limits){0});
    assert_false(bits_of(k, 0, 4, &bits));
    kit_free(k);
}

static void test_unknown_elements(void **state)
{
    (void)state;
    kit *k = product_kit((sizes){1, 2, 2, 2}, IR_F32, IR_F32);
    bool known[64];
    memset(known, 1, sizeof known);
    known[5] = false; /* element 1 of l: row 0 */
    k->buffers[0].known = known;
    uint64_t bits;
    run_with(k, (interp_limits){.values = true});
    for (int e = 0; e < 4; e++)
        assert_int_equal(bits_of(k, e, 4, &bits), e >= 2);
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_our_sums),         cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_overflow),         cmocka_unit_test(test_without_values),
        cmocka_unit_test(test_unknown_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
