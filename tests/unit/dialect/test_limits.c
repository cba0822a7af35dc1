/* Absurd sources: an error or an answer, in bounded time. */
#include <time.h>

#include "reading.h"
#include "dialect/depth.h"

typedef struct writer {
    tr_text text;
} writer;

static void repeat(writer *w, const char *piece, int times)
{
    for (int i = 0; i < times; i++)
        tr_text_add(&w->text, piece);
}

/* Processor time, so that a busy machine fails no test. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Reads a kernel whose body is the text; gives whether it was accepted. */
static bool accepts(writer *w, const char *part_of_error)
{
    double start = seconds();
    reading r = read_text(tr_text_get(&w->text));
    assert_true(seconds() - start < 20);
    bool ok = r.ok;
    if (!ok) {
        bool found = false;
        for (size_t i = 0; i < tr_errors_count(&r.errors) && i < 100; i++)
            found |= part_of_error && strstr(r.errors.items[i].text, part_of_error);
        if (!found)
            show_errors(&r);
        assert_true(found);
    }
    reading_free(&r);
    tr_text_free(&w->text);
    return ok;
}

static void test_brackets(void **state)
{
    (void)state;
    writer w = {0};
    repeat(&w, "tile_kernel void k(int *p, int n) { p[0] = ", 1);
    repeat(&w, "(", 200);
    repeat(&w, "n", 1);
    repeat(&w, ")", 200);
    repeat(&w, "; }", 1);
    assert_true(accepts(&w, NULL));
    repeat(&w, "tile_kernel void k(int *p, int n) { p[0] = ", 1);
    repeat(&w, "(", 2000);
    repeat(&w, "n", 1);
    repeat(&w, ")", 2000);
    repeat(&w, "; }", 1);
    assert_false(accepts(&w, "nesting"));
}

static void test_blocks(void **state)
{
    (void)state;
    writer w = {0};
    repeat(&w, "tile_kernel void k(int *p, int n) { ", 1);
    repeat(&w, "if (n > 0) { ", 240);
    repeat(&w, "p[0] = 1; ", 1);
    repeat(&w, "} ", 241);
    assert_true(accepts(&w, NULL));
    repeat(&w, "tile_kernel void k(int *p, int n) { ", 1);
    repeat(&w, "for (int i = 0; i < n; i++) { ", 100);
    repeat(&w, "p[0] = 1; ", 1);
    repeat(&w, "} ", 101);
    assert_true(accepts(&w, NULL));
}

/* What Clang parses by recursion without a bound is refused before it is parsed. */
static void test_recursion_in_clang(void **state)
{
    (void)state;
    static const char *const pieces[] = {"- ", "! ", "(int)", "n = ", "n ? 1 : ", "n + "};
    for (size_t i = 0; i < TR_COUNT(pieces); i++) {
        writer w = {0};
        repeat(&w, "tile_kernel void k(int *p, int n) { p[0] = ", 1);
        repeat(&w, pieces[i], 20000);
        repeat(&w, "n; }", 1);
        assert_false(accepts(&w, "nests too deep"));
    }
    static const char *const heads[] = {"for (;;) ", "while (n) ", "if (n) ", "if (n) ; else ",
                                        "if (n) { p[1] = n; } else "};
    for (size_t i = 0; i < TR_COUNT(heads); i++) {
        writer w = {0};
        repeat(&w, "tile_kernel void k(int *p, int n) { ", 1);
        repeat(&w, heads[i], 20000);
        repeat(&w, "p[0] = 1; }", 1);
        assert_false(accepts(&w, "nests too deep"));
    }
}

/* Deeper than Clang minds but deeper than we go. */
static void test_recursion_here(void **state)
{
    (void)state;
    writer w = {0};
    repeat(&w, "tile_kernel void k(int *p, int n) { p[0] = ", 1);
    repeat(&w, "n * ", 300);
    repeat(&w, "n; }", 1);
    assert_true(accepts(&w, NULL));
    repeat(&w, "tile_kernel void k(int *p, int n) { p[0] = ", 1);
    repeat(&w, "n * ", 1190);
    repeat(&w, "n; }", 1);
    assert_false(accepts(&w, "nests too deep"));
}

static void test_many_lines(void **state)
{
    (void)state;
    writer w = {0};
    repeat(&w, "tile_kernel void k(float *p, int n) {\n", 1);
    repeat(&w, "tile_view v = tile_partition(tile_tensor(p, n), 64);\n", 1);
    for (int i = 0; i < 10000; i++)
        tr_text_addf(&w.text, "tile_store(v, tile_load(v, n + %d), n + %d);\n", i, i);
    repeat(&w, "}\n", 1);
    assert_true(accepts(&w, NULL));
}

static void test_many_branches(void **state)
{
    (void)state;
    writer w = {0};
    repeat(&w, "tile_kernel void k(float *p, int n) {\nint a = 0;\n", 1);
    for (int i = 0; i < 3000; i++)
        tr_text_addf(&w.text, "if (n > %d)\n    a += n;\n", i);
    for (int i = 0; i < 100; i++)
        tr_text_addf(&w.text, "if (n == %d)\n    return;\n", i);
    repeat(&w, "p[0] = a;\n}\n", 1);
    assert_true(accepts(&w, NULL));
}

static void test_helpers_that_double(void **state)
{
    (void)state;
    writer w = {0};
    repeat(&w, "static int g0(int n) { return n * n; }\n", 1);
    for (int i = 1; i < 40; i++)
        tr_text_addf(&w.text, "static int g%d(int n) { return g%d(n) + g%d(n + 1); }\n", i, i - 1,
                     i - 1);
    repeat(&w, "tile_kernel void k(int *p, int n) { p[0] = g39(n); }\n", 1);
    assert_false(accepts(&w, "more than"));
}

static void test_deep_helpers(void **state)
{
    (void)state;
    writer w = {0};
    repeat(&w, "static int g0(int n) { return n * n; }\n", 1);
    for (int i = 1; i < 100; i++)
        tr_text_addf(&w.text, "static int g%d(int n) { return g%d(n); }\n", i, i - 1);
    repeat(&w, "tile_kernel void k(int *p, int n) { p[0] = g50(n); }\n", 1);
    tr_text copy = {0};
    tr_text_add(&copy, tr_text_get(&w.text));
    assert_true(accepts(&w, NULL));
    tr_text_add(&copy, "tile_kernel void l(int *p, int n) { p[0] = g99(n); }\n");
    w.text = copy;
    assert_false(accepts(&w, "deep"));
}

static void test_depth_scan(void **state)
{
    (void)state;
    static const char *const harmless =
        "/* - - - - */ int a[] = {-1, -2, -3}; // ? ? ?\n"
        "const char *s = \"((((-----\"; char c = '\\''; int f(int x) { return x ? -x : +x; }\n";
    uint32_t line = 0;
    assert_false(dl_nests_too_deep(harmless, strlen(harmless), &line));
    writer w = {0};
    repeat(&w, "int t[] = {", 1);
    repeat(&w, "-1, ", 100000);
    repeat(&w, "};\nvoid f(int n) {\n", 1);
    repeat(&w, "if (n) { n = -n; } else if (n > 3) { n++; }\n", 5000);
    repeat(&w, "}\n", 1);
    assert_false(dl_nests_too_deep(tr_text_get(&w.text), w.text.length, &line));
    repeat(&w, "int g(int n) { return\n", 1);
    repeat(&w, "!", 5000);
    repeat(&w, "n; }\n", 1);
    assert_true(dl_nests_too_deep(tr_text_get(&w.text), w.text.length, &line));
    assert_int_equal(line, 5005);
    tr_text_free(&w.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_recursion_in_clang),
        cmocka_unit_test(test_recursion_here),
        cmocka_unit_test(test_many_lines),
        cmocka_unit_test(test_many_branches),
        cmocka_unit_test(test_helpers_that_double),
        cmocka_unit_test(test_deep_helpers),
        cmocka_unit_test(test_depth_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
