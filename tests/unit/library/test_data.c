/* include/tilerace.h: errors, explanations and launches as data, for bindings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tilerace.h"

#define KERNEL(name)  TILERACE_SOURCE_DIR "/kernels/" name
#define FIXTURE(name) TILERACE_SOURCE_DIR "/build/fixtures/races/" name

static tilerace_result *check_text(const char *text)
{
    char path[] = "/tmp/dataXXXXXX.c";
    int descriptor = mkstemps(path, 2);
    FILE *file = fdopen(descriptor, "w");
    fputs(text, file);
    fclose(file);
    tilerace_result *r = tilerace_check_file(path, NULL);
    unlink(path);
    return r;
}

static void test_errors_have_places(void **state)
{
    (void)state;
    tilerace_result *r = check_text("#include <tile.h>\ntile_kernel void k(int n) { n +; }\n");
    assert_true(tilerace_error_count(r) > 0);
    const tilerace_input_error *e = tilerace_input_error_at(r, 0);
    assert_int_equal(e->line, 2);
    assert_true(e->column > 1);
    assert_non_null(strstr(e->file, ".c"));
    assert_null(strstr(e->text, e->file));
    tilerace_free(r);
    r = tilerace_check_module("int f;", 6, "f.tilebc", NULL);
    e = tilerace_input_error_at(r, 0);
    assert_string_equal(e->file, "f.tilebc");
    assert_int_equal(e->line, 0);
    tilerace_free(r);
}

static void test_errors_of_contracts(void **state)
{
    (void)state;
    tilerace_options options = TILERACE_OPTIONS;
    options.launch_text = "{\"version\": 1, \"launches\": [{\"kernel\": \"another\"}]}";
    tilerace_result *r = tilerace_check_file(KERNEL("cpp/matmul_swizzle.tilebc"), &options);
    assert_string_equal(tilerace_input_error_at(r, 0)->file, "launch contract");
    assert_non_null(strstr(tilerace_input_error_at(r, 0)->text, "another"));
    tilerace_free(r);
    options.solver = "/no/such/solver";
    r = tilerace_check_file(KERNEL("vector_add.c"), &options);
    assert_null(tilerace_input_error_at(r, 0)->file);
    tilerace_free(r);
}

static void test_explanations(void **state)
{
    (void)state;
    tilerace_explanation *e = tilerace_explain("tr001");
    assert_string_equal(e->kind, "rule");
    assert_string_equal(e->code, "TR001");
    assert_int_equal(e->level, TILERACE_ERROR);
    assert_non_null(strstr(e->page, "docs/rules/TR001.md"));
    tilerace_free_explanation(e);
    e = tilerace_explain("conditional");
    assert_string_equal(e->kind, "verdict");
    assert_null(e->code);
    tilerace_free_explanation(e);
    e = tilerace_explain("unique-contents");
    assert_string_equal(e->kind, "precondition");
    assert_true(strlen(e->help) > strlen(e->name));
    tilerace_free_explanation(e);
    assert_null(tilerace_explain("TR9999"));
    tilerace_free_explanation(NULL);
}

static void test_witnesses(void **state)
{
    (void)state;
    tilerace_result *r = tilerace_check_file(FIXTURE("vector_add_half_index.c"), NULL);
    const tilerace_kernel *k = tilerace_kernel_at(r, 0);
    const tilerace_event *e = k->findings[0]->witness->events[0];
    assert_string_equal(e->order, "weak");
    assert_null(e->scope);
    assert_int_equal(e->n_coordinates, 1);
    assert_int_equal(e->coordinates[0], e->element);
    assert_non_null(strstr(k->file, "vector_add_half_index.c"));
    assert_true(k->place->line > 0);
    assert_null(k->launched_at);
    tilerace_free(r);
}

/* ---- Launches as contracts ---- */

enum { ADD_PARAMETERS = 9 }; /* of add_vectors: pointer, extent and stride of three arrays */

#define ARRAY(name)                                                                                \
    "{\"name\": \"" name "\", \"part\": \"pointer\", \"dtype\": \"f32\", \"shape\": [null], "      \
    "\"strides\": [1]}, {\"name\": \"" name "\", \"part\": \"extent\", \"axis\": 0}, "             \
    "{\"name\": \"" name "\", \"part\": \"stride\", \"axis\": 0}"

static const char names[] = "{\"parameters\": [" ARRAY("a") ", " ARRAY("b") ", " ARRAY("c") "]}";

/* The verdict for the launch alone, of so many tile blocks of 256 elements over arrays of 1024 at
 * these addresses. */
static tilerace_verdict stated(int64_t grid, const uint64_t addresses[3], const char *said)
{
    tilerace_options options = TILERACE_OPTIONS;
    options.names = names;
    FILE *file = fopen(KERNEL("python/add_vectors.tilebc"), "rb");
    static char bytes[1 << 16];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    tilerace_result *general = tilerace_check_module(bytes, size, "add", &options);
    const tilerace_kernel *k = tilerace_kernel_at(general, 0);
    assert_int_equal(k->n_parameters, ADD_PARAMETERS);
    assert_string_equal(k->parameters[4]->name, "b.shape[0]");
    tilerace_argument values[ADD_PARAMETERS] = {{0}};
    const tilerace_argument *arguments[ADD_PARAMETERS];
    for (size_t i = 0; i < ADD_PARAMETERS; i++) {
        values[i].integer = i % 3 == 1 ? 1024 : 1;
        values[i].address = addresses[i / 3];
        values[i].bytes = 4096;
        values[i].bytes_known = true;
        arguments[i] = &values[i];
    }
    tilerace_launch launch = {
        .grid = {grid, 1, 1}, .n_arguments = ADD_PARAMETERS, .arguments = arguments};
    char *contract = tilerace_state_launch(k, &launch, "a.py", 7);
    assert_non_null(strstr(contract, said));
    launch.n_arguments--;
    assert_null(tilerace_state_launch(k, &launch, "a.py", 7));
    options.launch_text = contract;
    tilerace_result *alone = tilerace_check_module(bytes, size, "add", &options);
    assert_int_equal(tilerace_error_count(alone), 0);
    tilerace_verdict verdict = tilerace_kernel_at(alone, 0)->verdict;
    tilerace_free_text(contract);
    tilerace_free(general);
    tilerace_free(alone);
    return verdict;
}

static void test_recorded_launches(void **state)
{
    (void)state;
    char folder[] = "/tmp/dataXXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/recording", folder);
    FILE *file = fopen(KERNEL("python/add_vectors.tilebc"), "rb");
    char bytes[1 << 16];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    static const char contract[] =
        "{\"version\": 2, \"launches\": [{\"kernel\": \"add_vectors\", \"grid\": [%d], "
        "\"source\": {\"file\": \"a.py\", \"line\": %d}}]}";
    for (int i = 1; i <= 3; i++) {
        char text[256];
        snprintf(text, sizeof text, contract, i / 2 + 1, i / 2 + 10); /* the last two are equal */
        assert_null(tilerace_record_launch(path, bytes, size, names, text));
    }
    tilerace_result *r = tilerace_check_file(path, NULL);
    if (tilerace_error_count(r))
        fail_msg("%s", tilerace_error(r, 0));
    assert_int_equal(tilerace_kernel_count(r), 2);
    assert_string_equal(tilerace_kernel_at(r, 0)->launched_at->file, "a.py");
    tilerace_free(r);
    char *why = tilerace_record_launch("/dev/null/recording", bytes, size, NULL, "{}");
    assert_non_null(strstr(why, "/dev/null"));
    tilerace_free_text(why);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void test_stated_launches(void **state)
{
    (void)state;
    assert_int_equal(stated(4, (uint64_t[]){1 << 20, 2 << 20, 3 << 20}, "\"grid\":[4,1,1]"),
                     TILERACE_RACE_FREE);
    assert_int_equal(stated(4, (uint64_t[]){1 << 20, 2 << 20, 1 << 20}, "\"buffer\":\"a\""),
                     TILERACE_RACE);
    /* The output lies a tile behind the input. */
    assert_int_equal(
        stated(4, (uint64_t[]){1 << 20, 2 << 20, (1 << 20) + 1024}, "\"byte_offset\":1024"),
        TILERACE_RACE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_have_places), cmocka_unit_test(test_errors_of_contracts),
        cmocka_unit_test(test_explanations),       cmocka_unit_test(test_witnesses),
        cmocka_unit_test(test_stated_launches),    cmocka_unit_test(test_recorded_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
