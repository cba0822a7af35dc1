/* What `fill` says of a buffer's contents as facts, against the bytes that a run is filled with: no
 * fact may say more than is so, and where the type is wide enough all is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "contract/launch_file.h"
#include "plan/plan.h"

typedef struct width {
    gpu_element element;
    const char *type;
    int bytes;
} width;

static const width widths[] = {
    {GPU_I8, "i8", 1}, {GPU_I16, "i16", 2}, {GPU_I32, "i32", 4}, {GPU_I64, "i64", 8}};
static const char *const kinds[] = {"zeros", "iota", "permutation", "range", "random"};
static const int64_t counts[] = {1, 2, 63, 127, 128, 129, 255, 256, 257, 1000, 32768, 32769, 70000};

static contract *read(smt_ctx *ctx, tr_arena *arena, const char *text, const width *w, bool take)
{
    const launch_param params[] = {{"row", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_INTEGER,
                                    .element_type = w->type, .element_bytes = w->bytes},
                                   {"n", CONTRACT_SCALAR, 32, true},
                                   {"x", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_FLOAT,
                                    .element_type = "f32", .element_bytes = 4}};
    const launch_kernel kernel = {"k", "k", true, TR_COUNT(params), params};
    tr_errors errors = tr_errors_make(arena);
    const char *whole = tr_arena_printf(arena, "{\"version\":2,\"launches\":[%s]}", text);
    launch_file *file = launch_file_parse(arena, NULL, whole, strlen(whole), &errors);
    assert_non_null(file);
    if (take)
        launch_file_take_fills(file);
    contract *c = launch_file_contract(ctx, file, &kernel, NULL, 0, &errors);
    assert_int_equal(tr_errors_count(&errors), 0);
    assert_non_null(c);
    launch_file_free(file);
    tr_errors_free(&errors);
    return c;
}

static int64_t element(const unsigned char *bytes, int64_t i, int w)
{
    uint64_t bits = 0, sign = (uint64_t)1 << (8 * w - 1);
    memcpy(&bits, bytes + i * w, (size_t)w);
    return (int64_t)((bits ^ sign) - sign);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void hold(smt_ctx *ctx, const contract *c, const gpu_buffer *b, int w, int64_t n)
{
    const contract_contents *facts = &c->args[0].contents;
    unsigned char *bytes = malloc(b->bytes);
    int64_t *values = malloc((size_t)n * sizeof *values);
    smt_int bound;
    plan_fill_bytes(b, bytes);
    for (int64_t i = 0; i < n; i++)
        values[i] = element(bytes, i, w);
    for (int64_t i = 0; i < n; i++) {
        if (facts->min)
            assert_true(smt_is_const(facts->min, &bound) && values[i] >= bound);
        if (facts->max)
            assert_true(smt_is_const(facts->max, &bound) && values[i] <= bound);
        if (facts->increasing && i > 0)
            assert_true(values[i - 1] <= values[i]);
    }
    if (facts->unique && !(facts->unique_when && smt_is_false(facts->unique_when))) {
        qsort(values, (size_t)n, sizeof *values, by_value);
        for (int64_t i = 1; i < n; i++)
            assert_true(values[i - 1] != values[i]);
    }
    (void)ctx;
    free(bytes);
    free(values);
}

static void test_no_more_than_is_so(void **state)
{
    (void)state;
    for (size_t k = 0; k < TR_COUNT(kinds); k++)
        for (size_t w = 0; w < TR_COUNT(widths); w++)
            for (size_t i = 0; i < TR_COUNT(counts); i++) {
                smt_ctx *ctx = smt_ctx_new();
                tr_arena *arena = tr_arena_new();
                gpu_buffer b = {.bytes = (uint64_t)counts[i] * (uint64_t)widths[w].bytes,
                                .element = widths[w].element,
                                .seed = 3,
                                .high = 255};
                assert_true(plan_fill_of_name(kinds[k], &b.fill));
                contract *c = read(ctx, arena,
                                   tr_arena_printf(arena,
                                                   "{\"args\":[{\"name\":\"row\",\"elements\":%lld,"
                                                   "\"fill\":{\"kind\":\"%s\",\"seed\":3}}]}",
                                                   (long long)counts[i], kinds[k]),
                                   &widths[w], true);
                hold(ctx, c, &b, widths[w].bytes, counts[i]);
                /* All is said where the numbers fit. */
                bool counted = k == 1 || k == 2;
                if (counted && widths[w].bytes >= 4)
                    assert_true(c->args[0].contents.unique && !c->args[0].contents.unique_when &&
                                c->args[0].contents.min && c->args[0].contents.max);
                contract_free(c);
                tr_arena_free(arena);
                smt_ctx_free(ctx);
            }
}

/* Of a buffer as long as parameters say, the facts speak of them. */
static void test_symbolic(void **state)
{
    (void)state;
    smt_ctx *ctx = smt_ctx_new();
    tr_arena *arena = tr_arena_new();
    const width *w = &widths[2];
    contract *c =
        read(ctx, arena, "{\"args\":[{\"name\":\"row\",\"elements\":\"n\",\"fill\":\"iota\"}]}", w,
             true);
    const contract_contents *facts = &c->args[0].contents;
    assert_true(facts->unique && !facts->unique_when && facts->increasing);
    assert_ptr_equal(facts->min, smt_int_const(ctx, 0));
    assert_ptr_equal(facts->max, smt_sub(ctx, contract_param(ctx, c, 1), smt_int_const(ctx, 1)));
    contract_free(c);
    /* 64 n numbers may be more than 32 bits hold. */
    c = read(ctx, arena,
             "{\"args\":[{\"name\":\"row\",\"elements\":\"64 * n\",\"fill\":\"iota\"}]}", w, true);
    facts = &c->args[0].contents;
    smt_int low, high;
    assert_true(facts->unique && facts->unique_when && !facts->increasing);
    smt_bounds(facts->min, &low, &high);
    assert_true(low == -((smt_int)1 << 31));
    contract_free(c);
    tr_arena_free(arena);
    smt_ctx_free(ctx);
}

static void test_nothing_is_said(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"args\":[{\"name\":\"row\",\"elements\":\"n\",\"fill\":\"random\"}]}",
        "{\"args\":[{\"name\":\"row\",\"elements\":\"n\",\"fill\":\"undefined\"}]}",
        "{\"args\":[{\"name\":\"row\",\"elements\":\"n\",\"fill\":{\"file\":\"a.bin\"}}]}",
        "{\"args\":[{\"name\":\"row\",\"fill\":\"iota\"}]}",
        "{\"args\":[{\"name\":\"row\",\"elements\":\"n\",\"offset\":4,\"fill\":\"iota\"}]}",
        "{\"args\":[{\"name\":\"row\",\"elements\":\"n\",\"buffer\":\"x\",\"fill\":\"iota\"}]}",
        "{\"args\":[{\"name\":\"x\",\"elements\":\"n\",\"fill\":\"iota\"}]}",
    };
    for (size_t i = 0; i <= TR_COUNT(texts); i++) {
        smt_ctx *ctx = smt_ctx_new();
        tr_arena *arena = tr_arena_new();
        /* The last one: whoever does not ask for it gets no facts. */
        bool take = i < TR_COUNT(texts);
        contract *c =
            read(ctx, arena,
                 take ? texts[i]
                      : "{\"args\":[{\"name\":\"row\",\"elements\":\"n\",\"fill\":\"iota\"}]}",
                 &widths[2], take);
        const contract_contents *facts = &c->args[0].contents;
        assert_false(facts->unique || facts->increasing || facts->min || facts->max);
        contract_free(c);
        tr_arena_free(arena);
        smt_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_more_than_is_so),
        cmocka_unit_test(test_symbolic),
        cmocka_unit_test(test_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
