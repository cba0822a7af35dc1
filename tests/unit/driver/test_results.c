/* Results come back as they were put, whether they fit into memory or not, and where there is no
 * room for a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cache/packed.h"
#include "driver/results.h"
#include "processes/pool.h"

enum { N = 300, UNIT = 97 };

/* A length of its own, up to 60 KB, and bytes of its own. */
static void make(size_t i, tr_text *text)
{
    size_t n = 1 + i * i % 641 * UNIT;
    for (size_t k = 0; k < n; k++) {
        char byte = (char)(i * 31 + k % 251);
        tr_text_addn(text, &byte, 1);
    }
}

static void put(void *user, size_t i)
{
    tr_text text = {0};
    if (i % 7 == 0)
        return;
    make(i, &text);
    results_put(user, i, &text);
    tr_text_free(&text);
}

static void test_all_come_back(void **state)
{
    (void)state;
    static const char *const folders[] = {"/tmp", "/nowhere", "/proc"};
    for (size_t f = 0; f < TR_COUNT(folders); f++) {
        setenv("TMPDIR", folders[f], 1);
        results *r = results_new(N);
        pool_run(3, N, put, r);
        for (size_t i = N; i-- > 0;) {
            tr_text wanted = {0}, got = {0};
            assert_int_equal(results_has(r, i), i % 7 != 0);
            if (i % 7 != 0)
                make(i, &wanted);
            results_get(r, i, &got);
            assert_int_equal(got.length, wanted.length);
            assert_memory_equal(tr_text_get(&got), tr_text_get(&wanted), wanted.length);
            tr_text_free(&wanted);
            tr_text_free(&got);
        }
        results_free(r);
    }
    results_free(NULL);
}

/* Parts behind each other are told apart by their lengths; what is cut is none. */
static void test_parts(void **state)
{
    (void)state;
    tr_text parts = {0};
    size_t first = 0;
    for (int i = 0; i < 2; i++) {
        const checked_input input = {.report = {.file = i ? "a longer name.c" : "a.c"}};
        assert_true(packed_write(&parts, &input));
        first = i ? first : parts.length;
    }
    assert_int_equal(packed_length(parts.data, parts.length), first);
    assert_int_equal(packed_length(parts.data + first, parts.length - first), parts.length - first);
    for (size_t n = 0; n < first; n++)
        assert_int_equal(packed_length(parts.data, n), 0);
    parts.data[0] ^= 1;
    assert_int_equal(packed_length(parts.data, parts.length), 0);
    tr_text_free(&parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_come_back),
                                       cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
