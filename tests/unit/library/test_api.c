/* include/tilerace.h: what a program that embeds the checker sees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilerace.h"

#define KERNEL(name)  TILERACE_SOURCE_DIR "/kernels/" name
#define FIXTURE(name) TILERACE_SOURCE_DIR "/build/fixtures/races/" name

static void test_versions(void **state)
{
    (void)state;
    assert_int_equal(tilerace_api_version(), TILERACE_API_VERSION);
    assert_non_null(strchr(tilerace_version(), '.'));
}

static void expect_error(tilerace_result *r, const char *part)
{
    assert_int_equal(tilerace_kernel_count(r), 0);
    assert_int_equal(tilerace_error_count(r), 1);
    if (!strstr(tilerace_error(r, 0), part))
        fail_msg("'%s' is not in '%s'", part, tilerace_error(r, 0));
    tilerace_free(r);
}

static void test_bad_input(void **state)
{
    (void)state;
    expect_error(tilerace_check_file("/no/such/file.c", NULL), "/no/such/file.c: cannot be read");
    expect_error(tilerace_check_module("int f;", 6, "f.tilebc", NULL),
                 "f.tilebc: this is not Tile IR bytecode");
    expect_error(tilerace_check_module(NULL, 0, "nothing", NULL), "nothing: ");
    expect_error(tilerace_check_module("\177TileIR\0\15\1\0\0", 12, "cut", NULL), "cut");
}

static void test_bad_options(void **state)
{
    (void)state;
    tilerace_options options = TILERACE_OPTIONS;
    options.launch_text = "{\"version\": 1, \"launches\": [}";
    expect_error(tilerace_check_file(KERNEL("cpp/matmul_swizzle.tilebc"), &options), "not JSON");
    options.launch_text = "{\"version\": 1, \"launches\": [{\"kernel\": \"another\"}]}";
    expect_error(tilerace_check_file(KERNEL("cpp/matmul_swizzle.tilebc"), &options), "another");
    options.launch_text = NULL;
    options.launch_file = "/no/such/launch.json";
    expect_error(tilerace_check_file(KERNEL("cpp/matmul_swizzle.tilebc"), &options),
                 "/no/such/launch.json");
    options.launch_file = NULL;
    options.solver = "/no/such/solver";
    expect_error(tilerace_check_file(KERNEL("vector_add.c"), &options), "/no/such/solver");
}

static void test_verdicts(void **state)
{
    (void)state;
    tilerace_result *r = tilerace_check_file(KERNEL("vector_add.c"), NULL);
    assert_int_equal(tilerace_error_count(r), 0);
    assert_int_equal(tilerace_kernel_count(r), 1);
    const tilerace_kernel *k = tilerace_kernel_at(r, 0);
    assert_string_equal(k->name, "vector_add");
    assert_int_equal(k->verdict, TILERACE_RACE_FREE);
    assert_null(k->reason);
    assert_int_equal(k->n_findings, 0);
    assert_string_equal(k->parameters[k->n_parameters - 1]->name, "n");
    assert_int_equal(k->parameters[k->n_parameters - 1]->kind, TILERACE_INTEGER);
    assert_int_equal(k->parameters[k->n_parameters - 1]->bits, 32);
    assert_int_equal(k->parameters[0]->kind, TILERACE_POINTER);
    tilerace_free(r);
    tilerace_free(NULL);
}

static void test_findings(void **state)
{
    (void)state;
    tilerace_result *r = tilerace_check_file(FIXTURE("vector_add_half_index.c"), NULL);
    const tilerace_kernel *k = tilerace_kernel_at(r, 0);
    assert_int_equal(k->verdict, TILERACE_RACE);
    assert_int_equal(k->n_findings, 1);
    const tilerace_finding *f = k->findings[0];
    assert_string_equal(f->rule, "TR001");
    assert_int_equal(f->level, TILERACE_ERROR);
    assert_true(f->confirmed);
    assert_int_equal(f->precondition, -1);
    assert_int_equal(f->n_locations, 2);
    assert_non_null(strstr(f->locations[0]->file, "vector_add_half_index.c"));
    assert_true(f->locations[0]->line > 0);
    assert_int_equal(f->witness->n_events, 2);
    assert_int_equal(f->witness->events[0]->element, f->witness->events[1]->element);
    assert_true(f->witness->events[0]->block[0] != f->witness->events[1]->block[0]);
    assert_int_equal(strlen(f->fingerprint), 32);
    tilerace_free(r);
}

static void test_notes(void **state)
{
    (void)state;
    for (int notes = 0; notes < 2; notes++) {
        tilerace_options options = TILERACE_OPTIONS;
        options.notes = notes;
        tilerace_result *r = tilerace_check_file(KERNEL("row_sum.c"), &options);
        assert_int_equal(tilerace_kernel_at(r, 0)->n_findings > 0, notes);
        tilerace_free(r);
    }
}

/* A program that was compiled when the options ended earlier. */
static void test_older_options(void **state)
{
    (void)state;
    tilerace_options options = TILERACE_OPTIONS;
    options.size = offsetof(tilerace_options, strict);
    options.strict = true; /* lies behind what the caller says it knows */
    tilerace_result *r = tilerace_check_file(KERNEL("vector_add.c"), &options);
    assert_int_equal(tilerace_kernel_at(r, 0)->verdict, TILERACE_RACE_FREE);
    tilerace_free(r);
    options.size = sizeof options;
    r = tilerace_check_file(KERNEL("vector_add.c"), &options);
    assert_int_equal(tilerace_kernel_at(r, 0)->verdict, TILERACE_UNKNOWN);
    assert_string_equal(tilerace_kernel_at(r, 0)->reason_kind, "contract-silent");
    tilerace_free(r);
}

static void *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* Bytes in memory give what the file gives; the contract beside a file is not looked for. */
static void test_module(void **state)
{
    (void)state;
    size_t size, length;
    void *bytes = read_whole(KERNEL("cpp/matmul_swizzle.tilebc"), &size);
    char *launch = read_whole(KERNEL("cpp/matmul_swizzle.launch.json"), &length);
    launch[length] = 0;
    tilerace_options options = TILERACE_OPTIONS;
    tilerace_result *bare = tilerace_check_module(bytes, size, "matmul", &options);
    options.launch_text = launch;
    tilerace_result *launched = tilerace_check_module(bytes, size, "matmul", &options);
    memset(bytes, 0, size);
    free(bytes);
    free(launch);
    tilerace_result *file = tilerace_check_file(KERNEL("cpp/matmul_swizzle.tilebc"), NULL);
    assert_int_equal(tilerace_kernel_at(launched, 0)->verdict, TILERACE_RACE_FREE);
    assert_int_equal(tilerace_kernel_at(file, 0)->n_preconditions,
                     tilerace_kernel_at(launched, 0)->n_preconditions);
    assert_true(tilerace_kernel_at(bare, 0)->n_preconditions >
                tilerace_kernel_at(launched, 0)->n_preconditions);
    tilerace_free(bare);
    tilerace_free(launched);
    tilerace_free(file);
}

static void test_reports(void **state)
{
    (void)state;
    static const char *const parts[][2] = {{"text", "[TR001]"},
                                           {"json", "\"schema_version\""},
                                           {"sarif", "\"$schema\""},
                                           {"github", "::error"},
                                           {"html", "<html"}};
    tilerace_result *r = tilerace_check_file(FIXTURE("vector_add_half_index.c"), NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *text = tilerace_report(r, parts[i][0]);
        assert_non_null(text);
        assert_non_null(strstr(text, parts[i][1]));
        tilerace_free_text(text);
    }
    assert_null(tilerace_report(r, "xml"));
    tilerace_free(r);
    r = tilerace_check_file("/no/such/file.c", NULL);
    char *text = tilerace_report(r, "json");
    assert_non_null(strstr(text, "cannot be read"));
    tilerace_free_text(text);
    tilerace_free(r);
}

static void *check_in_thread(void *user)
{
    const char *file = user;
    tilerace_result *r = tilerace_check_file(file, NULL);
    int verdict = tilerace_kernel_count(r) ? (int)tilerace_kernel_at(r, 0)->verdict : -1;
    tilerace_free(r);
    return (void *)(intptr_t)verdict;
}

static void test_threads(void **state)
{
    (void)state;
    static const char *const files[] = {KERNEL("vector_add.c"), FIXTURE("vector_add_half_index.c"),
                                        KERNEL("cpp/matmul_swizzle.tilebc"),
                                        FIXTURE("row_sum_plain_add.c")};
    static const int verdicts[] = {TILERACE_RACE_FREE, TILERACE_RACE, TILERACE_RACE_FREE,
                                   TILERACE_RACE};
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, check_in_thread, (void *)files[i]), 0);
    for (size_t i = 0; i < 4; i++) {
        void *verdict;
        pthread_join(threads[i], &verdict);
        assert_int_equal((int)(intptr_t)verdict, verdicts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),      cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_bad_options),   cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_findings),      cmocka_unit_test(test_notes),
        cmocka_unit_test(test_older_options), cmocka_unit_test(test_module),
        cmocka_unit_test(test_reports),       cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
