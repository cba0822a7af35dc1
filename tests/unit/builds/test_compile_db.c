/* Options out of compile_commands.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builds/compile_db.h"

typedef struct fixture {
    char folder[200];
    tr_arena *arena;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "%s/compile-db-XXXXXX", TILERACE_BUILD_DIR);
    f->arena = tr_arena_new();
    *state = f;
    return mkdtemp(f->folder) ? 0 : 1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    unlink(tr_arena_printf(f->arena, "%s/compile_commands.json", f->folder));
    rmdir(f->folder);
    tr_arena_free(f->arena);
    free(f);
    return 0;
}

static build_db *read_db(fixture *f, const char *json, const char **why)
{
    FILE *out = fopen(tr_arena_printf(f->arena, "%s/compile_commands.json", f->folder), "wb");
    assert_non_null(out);
    fputs(json, out);
    fclose(out);
    return build_db_read(f->arena, f->folder, why);
}

static void expect_options(fixture *f, const char *json, const char *file, size_t n,
                           const char *const *expected)
{
    const char *why = NULL;
    build_db *db = read_db(f, json, &why);
    assert_non_null(db);
    const char *const *options = NULL;
    size_t found = build_db_options(f->arena, db, file, &options, &why);
    assert_null(why);
    for (size_t i = 0; i < n && i < found; i++)
        assert_string_equal(options[i], expected[i]);
    assert_int_equal(found, n);
    build_db_free(db);
}

static void test_command(void **state)
{
    expect_options(*state,
                   "[{\"directory\": \"/b\", \"file\": \"../s/k.c\", \"command\": "
                   "\"nvcc -DA=\\\"x y\\\" -I inc -Irel -I/abs -isystem sys -gencode "
                   "arch=compute_90,code=sm_90 --expt-relaxed-constexpr -std=c23 -o k.o -c "
                   "../s/k.c -DB='1 2' -MD -MF k.d -U C\"}]",
                   "/b/../s/k.c", 11,
                   (const char *const[]){"-DA=x y", "-I", "/b/inc", "-I/b/rel", "-I/abs",
                                         "-isystem", "/b/sys", "-std=c23", "-DB=1 2", "-U", "C"});
}

static void test_arguments(void **state)
{
    expect_options(*state,
                   "[{\"directory\": \"/b\", \"file\": \"/s/other.c\", \"arguments\": [\"cc\"]},"
                   " {\"directory\": \"/b\", \"file\": \"/s/k.c\", \"arguments\": "
                   "[\"cc\", \"-DX\", \"-c\", \"/s/k.c\", 7]}]",
                   "/s/k.c", 1, (const char *const[]){"-DX"});
}

static void test_no_entry(void **state)
{
    expect_options(*state, "[]", "/s/k.c", 0, NULL);
    expect_options(*state, "[{}, 3, {\"file\": \"k.c\"}]", "/s/k.c", 0, NULL);
}

static void test_not_there(void **state)
{
    fixture *f = *state;
    const char *why = NULL;
    assert_null(build_db_read(f->arena, f->folder, &why));
    assert_non_null(strstr(why, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"));
    assert_null(read_db(f, "{\"a\":", &why));
    assert_non_null(strstr(why, "not a JSON array"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_command, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_entry, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_there, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
