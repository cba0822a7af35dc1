/* Launches against the preconditions of verdicts, as a program that launches kernels asks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tilerace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { MOST = 128 };

typedef struct launching { /* a checked kernel and a launch of it */
    tilerace_result *result;
    const tilerace_kernel *kernel;
    tilerace_argument values[MOST];
    const tilerace_argument *arguments[MOST];
    tilerace_launch launch;
    tilerace_answer answer;
    char words[1024];
} launching;

/* Every buffer is large and apart from the others, every integer is `integer`. */
static void begin(launching *l, const tilerace_kernel *kernel, int64_t grid, int64_t integer)
{
    l->kernel = kernel;
    l->launch = (tilerace_launch){
        .grid = {grid, 1, 1}, .n_arguments = kernel->n_parameters, .arguments = l->arguments};
    assert_true(kernel->n_parameters <= MOST);
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        l->values[i] = (tilerace_argument){.integer = integer,
                                           .address = (i + 1) << 40,
                                           .bytes = (uint64_t)1 << 39,
                                           .bytes_known = true};
        l->arguments[i] = &l->values[i];
    }
}

static void check_source_with(launching *l, const char *body, const tilerace_options *options)
{
    char path[] = "/tmp/launchXXXXXX.c";
    int descriptor = mkstemps(path, 2);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, "#include <tile.h>\n%s\n", body);
    fclose(file);
    l->result = tilerace_check_file(path, options);
    unlink(path);
    if (tilerace_error_count(l->result))
        fail_msg("%s", tilerace_error(l->result, 0));
    begin(l, tilerace_kernel_at(l->result, 0), 4, 8);
}

static void check_source(launching *l, const char *body)
{
    check_source_with(l, body, NULL);
}

static tilerace_outcome ask(launching *l)
{
    tilerace_outcome outcome = tilerace_check_launch(l->kernel, &l->launch, &l->answer);
    assert_int_equal(outcome, l->answer.outcome);
    size_t length = tilerace_describe(l->kernel, &l->launch, &l->answer, l->words, sizeof l->words);
    assert_int_equal(length, strlen(l->words));
    return outcome;
}

static void expect_words(const launching *l, const char *part)
{
    if (!strstr(l->words, part))
        fail_msg("'%s' is not in '%s'", part, l->words);
}

static void put(launching *l, size_t argument, size_t n, const int32_t *elements)
{
    l->values[argument].contents = elements;
    l->values[argument].contents_bytes = n * sizeof *elements;
}

static void test_index_buffer(void **state)
{
    (void)state;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *restrict y, const int *restrict row)"
                     "{ y[row[tile_bid(0)]] = 1.0f; }");
    assert_int_equal(l.kernel->verdict, TILERACE_CONDITIONAL);
    assert_int_equal(ask(&l), TILERACE_NEEDS_CONTENTS);
    expect_words(&l, "no two elements of 'row' are equal");
    static const int32_t different[] = {3, 0, 2, 1}, equal[] = {3, 0, 2, 0};
    put(&l, 1, 4, different);
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    put(&l, 1, 4, equal);
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    assert_string_equal(l.kernel->preconditions[l.answer.precondition]->kind, "unique-contents");
    assert_int_equal(l.answer.elements[0], 1);
    assert_int_equal(l.answer.elements[1], 3);
    assert_non_null(l.answer.race);
    assert_string_equal(l.answer.race->rule, "TR001");
    expect_words(&l, "elements 1 and 3 of 'row' do not");
    expect_words(&l, "different tile blocks write the same elements of 'y'");
    tilerace_free(l.result);
}

static const void *contents_on_demand(void *user, size_t argument, uint64_t *bytes)
{
    static const int32_t elements[] = {5, 5};
    ++*(int *)user;
    *bytes = sizeof elements;
    return argument == 1 ? elements : NULL;
}

/* Nobody is asked for contents that no precondition speaks of. */
static void test_contents_on_demand(void **state)
{
    (void)state;
    int asked = 0;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *restrict y, const int *restrict row)"
                     "{ y[row[tile_bid(0)]] = 1.0f; }");
    l.launch.contents = contents_on_demand;
    l.launch.user = &asked;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    assert_true(asked > 0);
    tilerace_free(l.result);
    asked = 0;
    check_source(&l, "tile_kernel void k(int *restrict y, const int *restrict row)"
                     "{ y[tile_bid(0)] = row[tile_bid(0)]; }");
    l.launch.contents = contents_on_demand;
    l.launch.user = &asked;
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    assert_int_equal(asked, 0);
    tilerace_free(l.result);
}

static void test_grid_bound(void **state)
{
    (void)state;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *restrict y, int K)"
                     "{ for (int i = 0; i < 4; i++) y[tile_bid(0) + i * K] = 1.0f; }");
    assert_int_equal(l.kernel->verdict, TILERACE_CONDITIONAL);
    l.values[1].integer = 4;
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.values[1].integer = 3;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "grid.x <= K");
    expect_words(&l, "K = 3");
    expect_words(&l, "grid (4, 1, 1)");
    l.launch.grid[0] = 3;
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.launch.grid[1] = 2; /* an axis that nobody reads */
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    assert_string_equal(l.kernel->preconditions[l.answer.precondition]->kind, "grid-axis");
    tilerace_free(l.result);
}

static void test_overlap_and_size(void **state)
{
    (void)state;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *y, const float *x, int n)"
                     "{ int i = tile_bid(0); if (i < n) y[i] = x[i]; }");
    l.values[2].integer = 4;
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.values[1].address = l.values[0].address + 8;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "'y' and 'x' overlap");
    l.values[1].bytes_known = false;
    assert_int_equal(ask(&l), TILERACE_NOT_CHECKED);
    assert_true(l.answer.not_checked > 0);
    tilerace_free(l.result);
    check_source(&l,
                 "tile_kernel void k(float *y, const float *x)"
                 "{ tile at = tile_iota(16) + tile_bid(0) * 16;"
                 "  tile_store_ptr(tile_pointers(y, at), tile_load_ptr(tile_pointers(x, at))); }");
    assert_int_equal(l.kernel->verdict, TILERACE_RACE_FREE);
    l.values[0].bytes = 4 * 64;
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.values[0].bytes = 4 * 63;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "'y' has 252 bytes");
    tilerace_free(l.result);
}

/* Two pointers that are only read may be one array, as in attention of a tensor to itself. */
static void test_overlap_of_what_is_only_read(void **state)
{
    (void)state;
    for (int is_restrict = 0; is_restrict < 2; is_restrict++) {
        launching l = {0};
        check_source(&l, is_restrict ? "tile_kernel void k(float *restrict y, const float *restrict"
                                       " a, const float *restrict b)"
                                       "{ int i = tile_bid(0); y[i] = a[i] + b[i]; }"
                                     : "tile_kernel void k(float *y, const float *a, const float"
                                       " *b) { int i = tile_bid(0); y[i] = a[i] + b[i]; }");
        assert_int_equal(l.kernel->verdict, TILERACE_RACE_FREE);
        l.values[2].address = l.values[1].address;
        assert_int_equal(ask(&l), TILERACE_HOLDS);
        l.values[2].address = l.values[0].address + 4; /* now another block writes it */
        assert_int_equal(ask(&l), TILERACE_BROKEN);
        assert_int_equal(l.answer.arguments[0] + l.answer.arguments[1], 2);
        tilerace_free(l.result);
    }
}

/* A verdict covers the launches that the contract states, and no others. */
static void test_stated_numbers(void **state)
{
    (void)state;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *restrict y, int n, int m) {"
                     "tile_grid(m); tile_assume(n >= 3 && m <= 2 * n); tile_extent(y, 100);"
                     "tile e = tile_iota(4); tile_store_masked(tile_pointers(y, tile_add(e,"
                     "n * tile_bid(0))), 1.0f, tile_lt(e, 3)); }");
    assert_int_equal(l.kernel->verdict, TILERACE_RACE_FREE);
    l.values[1].integer = 3;
    l.values[2].integer = 4;
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.values[1].integer = 2; /* rows overlap */
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    assert_int_equal(l.answer.precondition, -1);
    expect_words(&l, "'n' lies between 3 and");
    expect_words(&l, "here n = 2");
    l.values[1].integer = 3;
    l.launch.grid[0] = 5;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "grid.x == m");
    l.values[2].integer = 5;
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.launch.grid[0] = l.values[2].integer = 7;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "m <= 2 * n");
    l.launch.grid[0] = 0; /* nothing runs */
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.launch.grid[0] = l.values[2].integer = 4;
    l.values[0].bytes = 399;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "'y' holds at least 100 elements");
    l.values[0].bytes_known = false;
    assert_int_equal(ask(&l), TILERACE_NOT_CHECKED);
    expect_words(&l, "'y' holds at least 100 elements");
    tilerace_free(l.result);
}

static void test_stated_contents(void **state)
{
    (void)state;
    static const int32_t different[] = {3, 0, 2, 1}, equal[] = {3, 0, 3, 1}, far[] = {3, 0, 9, 1};
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *restrict y, const int *restrict t) {"
                     "tile_unique(t); tile_contents(t, 0, 7); y[t[tile_bid(0)]] = 1.0f; }");
    assert_int_equal(l.kernel->verdict, TILERACE_RACE_FREE);
    assert_int_equal(ask(&l), TILERACE_NEEDS_CONTENTS);
    put(&l, 1, 4, different);
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    put(&l, 1, 4, equal);
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "elements 0 and 2 of 't' do not");
    put(&l, 1, 4, far);
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "element 2 of 't' does not");
    tilerace_free(l.result);
}

/* Elements stated one by one, and two pointers into one buffer. */
static void test_stated_launch(void **state)
{
    (void)state;
    static const char contract[] =
        "{\"version\": 2, \"launches\": [{\"grid\": [3], \"args\": ["
        "{\"name\": \"y\", \"elements\": 8},"
        "{\"name\": \"t\", \"buffer\": \"all\", \"offset\": 0},"
        "{\"name\": \"u\", \"buffer\": \"all\", \"offset\": 3}],"
        "\"contents\": [{\"buffer\": \"all\", \"arg\": \"t\", \"values\": [5, -1, 6, 0, 1, 2]}]}]}";
    static const int32_t stated[] = {5, -1, 6, 0, 1, 2}, other[] = {5, -1, 6, 0, 1, 1};
    tilerace_options options = TILERACE_OPTIONS;
    options.launch_text = contract;
    launching l = {0};
    check_source_with(&l,
                      "tile_kernel void k(float *y, const int *t, const int *u)"
                      "{ y[u[tile_bid(0)]] = 1.0f; }",
                      &options);
    assert_int_equal(l.kernel->verdict, TILERACE_RACE_FREE);
    l.launch.grid[0] = 3;
    l.values[2].address = l.values[1].address + 12;
    put(&l, 1, 6, stated);
    put(&l, 2, 3, stated + 3);
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    put(&l, 1, 6, other);
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "element 5 of 't' does not");
    put(&l, 1, 6, stated);
    l.values[2].address += 4;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "as far apart as stated");
    l.launch.grid[0] = 4;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    tilerace_free(l.result);
}

/* What every proof takes for granted of numbers. */
static void test_numbers_outside_their_types(void **state)
{
    (void)state;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *restrict y, int n)"
                     "{ int i = tile_bid(0); if (i < n) y[i] = 1.0f; }");
    assert_int_equal(ask(&l), TILERACE_HOLDS);
    l.values[1].integer = (int64_t)1 << 32;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    l.values[1].integer = 8;
    l.launch.grid[0] = 1 << 24;
    assert_int_equal(ask(&l), TILERACE_BROKEN);
    expect_words(&l, "2^24 - 1");
    tilerace_free(l.result);
}

static void test_no_proof(void **state)
{
    (void)state;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *y) { y[tile_bid(0) / 2] = tile_bid(0); }");
    assert_int_equal(l.kernel->verdict, TILERACE_RACE);
    assert_int_equal(ask(&l), TILERACE_UNPROVED);
    expect_words(&l, "not proved race-free");
    l.launch.n_arguments = 2;
    assert_int_equal(ask(&l), TILERACE_BAD_LAUNCH);
    expect_words(&l, "1 parameters, and the launch passes 2");
    assert_int_equal(tilerace_describe(l.kernel, &l.launch, &l.answer, NULL, 0), strlen(l.words));
    char few[8];
    tilerace_describe(l.kernel, &l.launch, &l.answer, few, sizeof few);
    assert_int_equal(strlen(few), sizeof few - 1);
    tilerace_free(l.result);
}

static void *ask_often(void *user)
{
    const launching *given = user;
    for (int i = 0; i < 2000; i++) {
        launching l;
        memset(&l, 0, sizeof l);
        begin(&l, given->kernel, 4, i % 2 ? 4 : 3);
        if (tilerace_check_launch(l.kernel, &l.launch, &l.answer) !=
            (i % 2 ? TILERACE_HOLDS : TILERACE_BROKEN))
            return user;
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    launching l = {0};
    check_source(&l, "tile_kernel void k(float *restrict y, int K)"
                     "{ for (int i = 0; i < 4; i++) y[tile_bid(0) + i * K] = 1.0f; }");
    pthread_t threads[4];
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &l), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    tilerace_free(l.result);
}

/* Numbers are all that a precondition with a term needs, so none of them is left open. */
static void every_term_is_decided(const char *file)
{
    tilerace_result *r = tilerace_check_file(file, NULL);
    assert_int_equal(tilerace_error_count(r), 0);
    for (size_t k = 0; k < tilerace_kernel_count(r); k++) {
        launching l;
        memset(&l, 0, sizeof l);
        begin(&l, tilerace_kernel_at(r, k), 1, 1);
        size_t formal = 0;
        for (size_t i = 0; i < l.kernel->n_preconditions; i++) {
            const tilerace_precondition *p = l.kernel->preconditions[i];
            formal += p->term && !p->of_contents;
        }
        ask(&l);
        if (l.answer.not_checked > l.kernel->n_preconditions - formal + 1) /* what is stated */
            fail_msg("%s: %s: %zu preconditions are left open, %zu of %zu have terms", file,
                     l.kernel->name, l.answer.not_checked, formal, l.kernel->n_preconditions);
    }
    tilerace_free(r);
}

static void test_shipped_kernels(void **state)
{
    (void)state;
    static const char *const patterns[] = {TILERACE_SOURCE_DIR "/kernels/*.c",
                                           TILERACE_SOURCE_DIR "/kernels/cpp/*.tilebc",
                                           TILERACE_SOURCE_DIR "/kernels/python/*.tilebc"};
    for (size_t p = 0; p < COUNT(patterns); p++) {
        glob_t found;
        assert_int_equal(glob(patterns[p], 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++)
            every_term_is_decided(found.gl_pathv[i]);
        globfree(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_buffer),
        cmocka_unit_test(test_contents_on_demand),
        cmocka_unit_test(test_grid_bound),
        cmocka_unit_test(test_overlap_and_size),
        cmocka_unit_test(test_overlap_of_what_is_only_read),
        cmocka_unit_test(test_stated_numbers),
        cmocka_unit_test(test_stated_contents),
        cmocka_unit_test(test_stated_launch),
        cmocka_unit_test(test_numbers_outside_their_types),
        cmocka_unit_test(test_no_proof),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_shipped_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
