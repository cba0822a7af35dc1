/* Products of float tiles by a BLAS: stand-ins of every shape, and the machine's own where it has
 * one, held to the tolerance that docs/interpreter.md states. */
#include "kit.h"

#include <float.h>
#include <math.h>

#include "interp/blas.h"
#include "interp/schedule.h"

#define STAND_IN(name) TILERACE_BUILD_DIR "/tests/blas/libblas_" name ".so"

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

static interp_blas *must_open(tr_arena *arena, const char *library)
{
    const char *why = NULL;
    interp_blas *blas = interp_blas_open(arena, library, &why);
    if (!blas)
        fail_msg("%s", why);
    return blas;
}

/* ---- Opening ---- */

static void test_opens(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    interp_blas *blas = must_open(arena, STAND_IN("cblas"));
    assert_string_equal(interp_blas_name(blas), STAND_IN("cblas") " (Stand-in 1.2, one)");
    assert_int_equal(interp_blas_products(blas), 0);
    must_open(arena, STAND_IN("fortran"));
    tr_arena_free(arena);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *library, *words;
    } cases[] = {
        {STAND_IN("no_dgemm"), "has neither cblas_dgemm nor dgemm_"},
        {STAND_IN("wrong"), "gives a wrong product of small whole numbers"},
        {STAND_IN("long"), "takes integers of 64 bits"},
        {STAND_IN("missing"), "cannot be opened"},
        {"libm.so.6", "has neither cblas_sgemm nor sgemm_"},
    };
    tr_arena *arena = tr_arena_new();
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        const char *why = NULL;
        assert_null(interp_blas_open(arena, cases[i].library, &why));
        assert_non_null(why);
        if (!strstr(why, cases[i].words) || !strstr(why, cases[i].library))
            fail_msg("'%s' does not say '%s'", why, cases[i].words);
    }
    tr_arena_free(arena);
}

/* ---- Sums ---- */

/* From the last product to the first, then the accumulator: nobody else adds like that. */
static void expect_stand_in(kit *k, sizes s, ir_type_kind narrow, ir_type_kind wide)
{
    for (int64_t i = 0; i < numel(s.batches, s.rows, s.columns); i++) {
        int64_t batch = i / (s.rows * s.columns), row = i / s.columns % s.rows;
        float single = 0;
        double wider = 0;
        for (int64_t j = s.inner; j-- > 0;) {
            double l = number_in(k, 0, narrow, (batch * s.rows + row) * s.inner + j);
            double r = number_in(k, 1, narrow, (batch * s.inner + j) * s.columns + i % s.columns);
            single += (float)l * (float)r;
            wider += l * r;
        }
        if (wide == IR_F64)
            assert_true(double_of(k, i) == number_in(k, 2, wide, i) + wider);
        else
            assert_true(single_of(k, i) == (float)number_in(k, 2, wide, i) + single);
    }
}

static const sizes shapes[] = {{1, 4, 8, 2}, {2, 8, 4, 16}, {1, 1, 64, 1}, {4, 2, 32, 8}};

static void test_sums_are_the_librarys(void **state)
{
    (void)state;
    static const char *const libraries[] = {STAND_IN("cblas"), STAND_IN("fortran")};
    static const ir_type_kind kinds[][2] = {{IR_F16, IR_F32}, {IR_F32, IR_F32}, {IR_F64, IR_F64}};
    tr_arena *arena = tr_arena_new();
    uint64_t random = 5;
    for (size_t i = 0; i < TR_COUNT(libraries); i++) {
        interp_blas *blas = must_open(arena, libraries[i]);
        for (size_t j = 0; j < TR_COUNT(shapes) * TR_COUNT(kinds); j++) {
            sizes s = shapes[j % TR_COUNT(shapes)];
            const ir_type_kind *kind = kinds[j / TR_COUNT(shapes)];
            kit *k = product_kit(s, kind[0], kind[1]);
            for (int b = 0; b < 3; b++)
                fill(k, b, kind[b == 2], &random);
            uint64_t before = interp_blas_products(blas);
            run_with(k, (interp_limits){.values = true, .blas = blas});
            assert_int_equal(interp_blas_products(blas) - before, s.batches);
            expect_stand_in(k, s, kind[0], kind[1]);
            kit_free(k);
        }
    }
    tr_arena_free(arena);
}

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

static void hold_to_tolerance(interp_blas *blas)
{
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
        run_with(k, (interp_limits){.values = true, .blas = blas});
        expect_within(k, s, kind[0], kind[1]);
        kit_free(k);
    }
}

static void test_tolerance_of_our_loop_and_stand_ins(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    hold_to_tolerance(NULL);
    hold_to_tolerance(must_open(arena, STAND_IN("cblas")));
    hold_to_tolerance(must_open(arena, STAND_IN("fortran")));
    tr_arena_free(arena);
}

static void test_tolerance_of_this_machines(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    interp_blas *blas = interp_blas_any(arena);
    hold_to_tolerance(blas);
    const char *name = interp_blas_name(blas);
    uint64_t products = interp_blas_products(blas);
    bool named = name != NULL;
    if (named)
        print_message("%s\n", name);
    tr_arena_free(arena);
    assert_true(named == (products > 0));
    if (!named)
        skip(); /* no BLAS is installed */
}

/* ---- What a BLAS does not get ---- */

static void test_our_own_loop(void **state)
{
    (void)state;
    static const sizes s = {1, 2, 4, 2};
    static const struct {
        const char *what;
        int buffer;
        int64_t at;
        float number;
        bool by_blas;
    } cases[] = {
        {"as any other", 0, 0, 1, true},
        {"infinity in l", 0, 3, INFINITY, false},
        {"NaN in r", 1, 2, NAN, false},
        {"infinity in the sum", 2, 1, -INFINITY, false},
        {"the sum begins at -0", 2, 0, -0.0f, false},
        {"zero in r is no reason", 1, 0, 0, true},
    };
    tr_arena *arena = tr_arena_new();
    interp_blas *blas = must_open(arena, STAND_IN("cblas"));
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        uint64_t random = 7;
        kit *k = product_kit(s, IR_F32, IR_F32);
        for (int b = 0; b < 3; b++)
            fill(k, b, IR_F32, &random);
        memcpy(k->buffers[cases[i].buffer].data + 4 * cases[i].at, &cases[i].number, 4);
        uint64_t before = interp_blas_products(blas), ours[4], bits;
        run_with(k, (interp_limits){.values = true});
        for (int e = 0; e < 4; e++)
            assert_true(bits_of(k, e, 4, &ours[e]));
        run_with(k, (interp_limits){.values = true, .blas = blas});
        if (interp_blas_products(blas) - before != cases[i].by_blas)
            fail_msg("%s", cases[i].what);
        for (int e = 0; e < 4 && !cases[i].by_blas; e++) {
            assert_true(bits_of(k, e, 4, &bits));
            assert_int_equal(bits, ours[e]);
        }
        kit_free(k);
    }
    tr_arena_free(arena);
}

/* FLT_MAX + FLT_MAX - FLT_MAX: what the order makes of it is said by ours. */
static void test_overflow(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    interp_blas *blas = must_open(arena, STAND_IN("cblas"));
    kit *k = product_kit((sizes){1, 1, 2, 1}, IR_F32, IR_F32);
    float l[] = {FLT_MAX, FLT_MAX}, r[] = {1, 1}, sum[] = {-FLT_MAX};
    memcpy(k->buffers[0].data, l, sizeof l);
    memcpy(k->buffers[1].data, r, sizeof r);
    memcpy(k->buffers[2].data, sum, sizeof sum);
    run_with(k, (interp_limits){.values = true, .blas = blas});
    assert_true(single_of(k, 0) == FLT_MAX);
    kit_free(k);
    tr_arena_free(arena);
}

static void test_without_values(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    interp_blas *blas = must_open(arena, STAND_IN("cblas"));
    kit *k = product_kit((sizes){1, 2, 2, 2}, IR_F32, IR_F32);
    uint64_t bits;
    run_with(k, (interp_limits){.blas = blas});
    assert_false(bits_of(k, 0, 4, &bits));
    assert_int_equal(interp_blas_products(blas), 0);
    kit_free(k);
    tr_arena_free(arena);
}

static void test_unknown_elements(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    interp_blas *blas = must_open(arena, STAND_IN("cblas"));
    kit *k = product_kit((sizes){1, 2, 2, 2}, IR_F32, IR_F32);
    bool known[64];
    memset(known, 1, sizeof known);
    known[5] = false; /* element 1 of l: row 0 */
    k->buffers[0].known = known;
    uint64_t bits;
    run_with(k, (interp_limits){.values = true, .blas = blas});
    for (int e = 0; e < 4; e++)
        assert_int_equal(bits_of(k, e, 4, &bits), e >= 2);
    assert_int_equal(interp_blas_products(blas), 1);
    kit_free(k);
    tr_arena_free(arena);
}

/* Two schedules of one launch differ in nothing but what they are compared for. */
static void test_equal_bits(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    interp_blas *any = interp_blas_any(arena), *both[] = {must_open(arena, STAND_IN("cblas")), any};
    uint64_t random = 8;
    for (size_t i = 0; i < TR_COUNT(both); i++) {
        sizes s = {3, 16, 32, 8};
        kit *k = product_kit(s, IR_F32, IR_F32);
        for (int b = 0; b < 3; b++)
            fill(k, b, IR_F32, &random);
        interp_limits limits = {.values = true, .blas = both[i]};
        run_with(k, limits);
        interp_run *first = k->run;
        k->run = NULL;
        for (uint64_t seed = 0; seed < 8; seed++) {
            void *moved = test_malloc(1000 * seed + 1); /* what comes next lies elsewhere */
            interp_schedule schedule = {.policy = INTERP_RANDOM, .seed = seed};
            interp_run_free(k->run);
            k->run = interp_execute_scheduled(k->f, &k->launch, NULL, &limits, 0, NULL, &schedule);
            for (int64_t e = 0; e < numel(s.batches, s.rows, s.columns); e++) {
                uint64_t a, b;
                assert_true(interp_read_back(first, 2, e * 4, 4, &a));
                assert_true(bits_of(k, e, 4, &b));
                assert_int_equal(a, b);
            }
            test_free(moved);
        }
        interp_run_free(first);
        kit_free(k);
    }
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opens),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sums_are_the_librarys),
        cmocka_unit_test(test_our_sums),
        cmocka_unit_test(test_tolerance_of_our_loop_and_stand_ins),
        cmocka_unit_test(test_tolerance_of_this_machines),
        cmocka_unit_test(test_our_own_loop),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_without_values),
        cmocka_unit_test(test_unknown_elements),
        cmocka_unit_test(test_equal_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
