/* Plans, what buffers hold before a run, and how runs are compared. No GPU is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/execute.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "plan-XXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"plan.txt",    "code0.cubin",   "code1.cubin",
                                        "buffer0.bin", "expected1.bin", "known1.bin"};
    for (size_t i = 0; i < TR_COUNT(files); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static const char *write_and_read(const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/plan.txt", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    static char why_copy[512];
    const char *why = NULL;
    tr_arena *arena = tr_arena_new();
    gpu_plan *plan = plan_read(arena, folder, &why);
    snprintf(why_copy, sizeof why_copy, "%s", plan ? "" : why);
    tr_arena_free(arena);
    return why_copy;
}

static void test_round_trip(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    unsigned char raw[] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned char raw48[48] = {0, 1, 0, 7};
    gpu_code codes[] = {{.words = "as written", .image = raw, .size = 8},
                        {.words = "block ids reversed", .image = raw + 1, .size = 3}};
    gpu_buffer buffers[] = {
        {.name = "src", .bytes = 8, .element = GPU_I32, .fill = GPU_FILL_RAW, .data = raw},
        {.name = "dst",
         .bytes = 48,
         .element = GPU_F16,
         .output = true,
         .fill = GPU_FILL_RANGE,
         .low = -3,
         .high = 9,
         .seed = 17,
         .rank = 2,
         .shape = {4, 6},
         .tile = {2, 2},
         .expected = raw48,
         .expected_known = raw48,
         .tolerance = 0.25}};
    gpu_arg args[] = {{.buffer = 1, .offset = 16}, {.buffer = -1, .width = 4, .bits = 0xFFFFFFFE}};
    gpu_plan plan = {.kernel = "k",
                     .gpu = "sm_90",
                     .n_codes = 2,
                     .codes = codes,
                     .grid = {3, 2, 1},
                     .repeat = 5,
                     .seed = 11,
                     .timeout_ms = 1234,
                     .perturb = GPU_PERTURB_FLUSH | GPU_PERTURB_TWIN,
                     .n_buffers = 2,
                     .buffers = buffers,
                     .n_args = 2,
                     .args = args};
    const char *why = NULL;
    assert_true(plan_write(arena, &plan, folder, &why));
    gpu_plan *back = plan_read(arena, folder, &why);
    assert_non_null(back);
    assert_string_equal(back->kernel, "k");
    assert_int_equal(back->n_codes, 2);
    assert_string_equal(back->codes[1].words, "block ids reversed");
    assert_int_equal(back->codes[1].size, 3);
    assert_memory_equal(back->codes[0].image, raw, 8);
    assert_int_equal(back->grid[1], 2);
    assert_int_equal(back->perturb, plan.perturb);
    assert_int_equal(back->timeout_ms, 1234);
    assert_memory_equal(back->buffers[0].data, raw, 8);
    assert_false(back->buffers[0].output);
    assert_true(back->buffers[1].output);
    assert_int_equal(back->buffers[1].low, -3);
    assert_int_equal(back->buffers[1].seed, 17);
    assert_int_equal(back->buffers[1].shape[1], 6);
    assert_int_equal(back->buffers[1].tile[0], 2);
    assert_memory_equal(back->buffers[1].expected, raw48, 48);
    assert_memory_equal(back->buffers[1].expected_known, raw48, 24);
    assert_true(back->buffers[1].tolerance == 0.25);
    assert_int_equal(back->args[0].buffer, 1);
    assert_int_equal(back->args[0].offset, 16);
    assert_int_equal(back->args[1].buffer, -1);
    assert_int_equal(back->args[1].bits, 0xFFFFFFFE);
    tr_arena_free(arena);
}

/* A plan comes from elsewhere: each mistake is named with its line. */
static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"kernel k\n", ":1: the first line of a plan is 'tilerace-plan 1'"},
        {"tilerace-plan 2\n", ":1: the first line"},
        {"tilerace-plan 1\nkernel\n", ":2: expected: kernel SYMBOL"},
        {"tilerace-plan 1\nwhatever 3\n", ":2: 'whatever' is no statement"},
        {"tilerace-plan 1\ngrid 1 0 1\n", ":2: expected: grid X Y Z"},
        {"tilerace-plan 1\ngrid 1 4294967296 1\n", ":2: expected: grid"},
        {"tilerace-plan 1\ncode ../secret\n", "not a file of the plan's own folder"},
        {"tilerace-plan 1\ncode /etc/passwd\n", "not a file of the plan's own folder"},
        {"tilerace-plan 1\nfill x zeros\n", "makes a buffer 'x'"},
        {"tilerace-plan 1\nbuffer x 7 i32 output\n", "no whole number of i32"},
        {"tilerace-plan 1\nbuffer x 8 i33 output\n", "'i33' is no element type"},
        {"tilerace-plan 1\nbuffer x 8 i32 output\narg pointer x 9\n", ":3: expected: arg"},
        {"tilerace-plan 1\nbuffer x 8 i32 output\ntile x 2\n", ":3: expected: tile"},
        {"tilerace-plan 1\nkernel k\n", "has no statement 'code'"},
    };
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        const char *said = write_and_read(cases[i].text);
        if (!strstr(said, cases[i].says))
            fail_msg("case %zu: '%s' does not say '%s'", i, said, cases[i].says);
    }
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x < y ? -1 : x > y;
}

static uint64_t distinct(gpu_element element, gpu_fill fill, uint64_t count)
{
    size_t width = (size_t)plan_element_bytes(element);
    gpu_buffer b = {.bytes = count * width, .element = element, .fill = fill, .seed = 5};
    unsigned char *bytes = malloc(b.bytes);
    uint64_t *words = calloc(count, sizeof *words);
    plan_fill_bytes(&b, bytes);
    for (uint64_t i = 0; i < count; i++) {
        memcpy(&words[i], bytes + i * width, width);
        if (element >= GPU_F16)
            assert_true(isfinite(plan_element_value(element, bytes + i * width)));
    }
    qsort(words, count, sizeof *words, compare_words);
    uint64_t n = 1;
    for (uint64_t i = 1; i < count; i++)
        n += words[i] != words[i - 1];
    free(words);
    free(bytes);
    return n;
}

static void test_small(void **state)
{
    (void)state;
    static const gpu_element formats[] = {GPU_F64, GPU_F32,  GPU_TF32,
                                          GPU_F16, GPU_BF16, GPU_F8E4M3};
    for (size_t f = 0; f < TR_COUNT(formats); f++) {
        unsigned char bytes[64 * 8];
        size_t width = (size_t)plan_element_bytes(formats[f]);
        gpu_buffer b = {.element = formats[f], .bytes = 64 * width, .fill = GPU_FILL_SMALL};
        plan_fill_bytes(&b, bytes);
        for (size_t i = 0; i < 64; i++) {
            double value = plan_element_value(formats[f], bytes + i * width);
            assert_true(value >= 0.125 && value < 0.25);
        }
    }
}

/* A differing element names who wrote it only where no two inputs are equal. */
static void test_unique(void **state)
{
    (void)state;
    assert_int_equal(distinct(GPU_F32, GPU_FILL_UNIQUE, 300000), 300000);
    assert_int_equal(distinct(GPU_F16, GPU_FILL_UNIQUE, 1024), 1024);
    assert_int_equal(distinct(GPU_F16, GPU_FILL_UNIQUE, 16000), 16000);
    assert_int_equal(distinct(GPU_BF16, GPU_FILL_UNIQUE, 16000), 16000);
    assert_int_equal(distinct(GPU_F64, GPU_FILL_UNIQUE, 100000), 100000);
    assert_int_equal(distinct(GPU_I32, GPU_FILL_UNIQUE, 100000), 100000);
    assert_int_equal(distinct(GPU_I16, GPU_FILL_UNIQUE, 65536), 65536);
    assert_int_equal(distinct(GPU_I32, GPU_FILL_PERMUTATION, 12345), 12345);
    assert_int_equal(distinct(GPU_I32, GPU_FILL_ZEROS, 100), 1);
    assert_int_equal(distinct(GPU_F32, GPU_FILL_IOTA, 100000), 100000);
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        gpu_element element;
        uint64_t bits;
        double value;
    } cases[] = {
        {GPU_I8, 0xFF, -1},
        {GPU_I32, 0x80000000, -2147483648.0},
        {GPU_F16, 0x3C00, 1},
        {GPU_F16, 0xC000, -2},
        {GPU_F16, 0x0001, 0x1p-24},
        {GPU_BF16, 0x3FC0, 1.5},
        {GPU_F32, 0x40490FDB, 0x1.921FB6p+1},
        {GPU_F8E4M3, 0x7E, 448},
        {GPU_F8E5M2, 0x7B, 57344},
        {GPU_TF32, 0x3F800000, 1},
        {GPU_F64, 0x4000000000000000, 2},
    };
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        unsigned char bytes[8];
        memcpy(bytes, &cases[i].bits, 8);
        assert_true(plan_element_value(cases[i].element, bytes) == cases[i].value);
    }
}

static void test_numbers_as_floats(void **state)
{
    (void)state;
    for (int e = GPU_F8E4M3; e < GPU_ELEMENT_COUNT; e++) {
        gpu_buffer b = {.element = (gpu_element)e, .fill = GPU_FILL_IOTA};
        size_t width = (size_t)plan_element_bytes(b.element);
        unsigned char bytes[8 * 8];
        b.bytes = 8 * width;
        plan_fill_bytes(&b, bytes);
        for (size_t i = 0; i < 8; i++)
            assert_true(plan_element_value(b.element, bytes + i * width) == (double)i);
    }
}

static uint64_t ulp_of(gpu_element element, uint64_t got, uint64_t want, uint64_t *unequal)
{
    uint16_t heat = 0;
    gpu_buffer b = {.bytes = (uint64_t)plan_element_bytes(element),
                    .element = element,
                    .output = true,
                    .expected = (const unsigned char *)&want};
    gpu_output o = {.elements = 1, .heat = &heat, .contents = (const unsigned char *)&got};
    plan_summarise(&b, &o);
    *unequal = o.unequal;
    return o.max_ulp;
}

static void test_units_in_the_last_place(void **state)
{
    (void)state;
    uint64_t unequal;
    assert_int_equal(ulp_of(GPU_F32, 0x3F800000, 0x3F800003, &unequal), 3);
    assert_int_equal(unequal, 1);
    assert_int_equal(ulp_of(GPU_F32, 0x7F800000, 0x7F7FFFFF, &unequal), 1); /* infinity */
    assert_int_equal(ulp_of(GPU_F32, 0x80000001, 1, &unequal), 2);          /* across zero */
    assert_int_equal(ulp_of(GPU_F32, 0x80000000, 0, &unequal), 0);
    assert_int_equal(unequal, 1); /* the zeros have other bits */
    assert_int_equal(ulp_of(GPU_F32, 0x7FC00000, 0x7FFFFFFF, &unequal), 0);
    assert_int_equal(unequal, 0); /* NaN for NaN */
    assert_true(ulp_of(GPU_F32, 0x7FC00000, 0, &unequal) == UINT64_MAX);
    assert_int_equal(ulp_of(GPU_TF32, 0x3F800000, 0x3F804000, &unequal), 2);
    assert_int_equal(ulp_of(GPU_BF16, 0x3F80, 0x3F81, &unequal), 1);
    assert_int_equal(ulp_of(GPU_I8, 0xFF, 1, &unequal), 2);
}

static void test_comparison(void **state)
{
    (void)state;
    float first[6] = {1, 2, 3, 4, 5, NAN}, expected[6] = {1, 2, 3.0001f, 4, 7, NAN};
    uint16_t heat[6] = {0, 3, 0, 0, 1, 0};
    gpu_buffer b = {.bytes = sizeof first,
                    .element = GPU_F32,
                    .output = true,
                    .rank = 2,
                    .shape = {2, 3},
                    .expected = (const unsigned char *)expected,
                    .tolerance = 1e-3};
    gpu_output o = {.elements = 6, .heat = heat, .contents = (const unsigned char *)first};
    plan_summarise(&b, &o);
    assert_int_equal(o.differing, 2);
    assert_int_equal(o.first, 1);
    assert_int_equal(o.agreement, GPU_DIFFERENT);
    assert_int_equal(o.wrong, 1);
    assert_int_equal(o.first_wrong, 4);
    assert_true(o.max_error == 2);
    assert_int_equal(o.unequal, 2);
    assert_int_equal(o.worst, 4);
    assert_int_equal(o.n_listed, 1);
    assert_true(o.listed[0].at == 4 && o.listed[0].got == 5 && o.listed[0].want == 7);
    uint64_t low[GPU_MAX_RANK], high[GPU_MAX_RANK];
    assert_true(plan_bounding_box(&b, &o, low, high));
    assert_int_equal(low[0], 0);
    assert_int_equal(high[0], 1);
    assert_int_equal(low[1], 1);
    assert_int_equal(high[1], 1);
    const unsigned char known[6] = {1, 1, 1, 1, 0, 1};
    b.expected_known = known;
    o = (gpu_output){.elements = 6, .heat = heat, .contents = (const unsigned char *)first};
    plan_summarise(&b, &o);
    assert_int_equal(o.agreement, GPU_WITHIN_TOLERANCE);
    assert_int_equal(o.compared, 5);
    b.expected_known = NULL;
    expected[4] = 5;
    o = (gpu_output){.elements = 6, .heat = heat, .contents = (const unsigned char *)first};
    plan_summarise(&b, &o);
    assert_int_equal(o.agreement, GPU_WITHIN_TOLERANCE);
    expected[2] = 3;
    o = (gpu_output){.elements = 6, .heat = heat, .contents = (const unsigned char *)first};
    plan_summarise(&b, &o);
    assert_int_equal(o.agreement, GPU_EQUAL);
}

static gpu_agreement agreement_of(gpu_element element, const void *got, const void *want, double by)
{
    uint16_t heat = 0;
    gpu_buffer b = {.bytes = (uint64_t)plan_element_bytes(element),
                    .element = element,
                    .output = true,
                    .expected = want,
                    .tolerance = by};
    gpu_output o = {.elements = 1, .heat = &heat, .contents = got};
    plan_summarise(&b, &o);
    return o.agreement;
}

static void test_edges_of_comparison(void **state)
{
    (void)state;
    const int64_t large[] = {((int64_t)1 << 53) + 1, (int64_t)1 << 53};
    assert_int_equal(agreement_of(GPU_I64, &large[0], &large[1], 0), GPU_DIFFERENT);
    assert_int_equal(agreement_of(GPU_I64, &large[0], &large[1], 1e-3), GPU_WITHIN_TOLERANCE);
    const int32_t ends[] = {INT32_MIN, INT32_MAX};
    assert_int_equal(agreement_of(GPU_I32, &ends[0], &ends[1], 1), GPU_DIFFERENT);
    const uint8_t f8[] = {0x38, 0x39, 0x7F, 0xFF}; /* 1, 1.125, two NaNs of e4m3 */
    assert_int_equal(agreement_of(GPU_F8E4M3, &f8[0], &f8[1], 0), GPU_DIFFERENT);
    assert_int_equal(agreement_of(GPU_F8E4M3, &f8[0], &f8[1], 0.125), GPU_WITHIN_TOLERANCE);
    assert_int_equal(agreement_of(GPU_F8E4M3, &f8[2], &f8[3], 0), GPU_WITHIN_TOLERANCE);
    assert_int_equal(agreement_of(GPU_F8E4M3, &f8[0], &f8[2], 100), GPU_DIFFERENT);
    const float f[] = {0.0f, -0.0f, INFINITY, -INFINITY, 1e30f};
    assert_int_equal(agreement_of(GPU_F32, &f[0], &f[1], 0), GPU_WITHIN_TOLERANCE);
    assert_int_equal(agreement_of(GPU_F32, &f[2], &f[3], 100), GPU_DIFFERENT);
    assert_int_equal(agreement_of(GPU_F32, &f[4], &f[2], 100), GPU_DIFFERENT);
    assert_int_equal(agreement_of(GPU_F32, &f[2], &f[2], 0), GPU_EQUAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_mistakes, make_folder, remove_folder),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_numbers_as_floats),
        cmocka_unit_test(test_units_in_the_last_place),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_edges_of_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
