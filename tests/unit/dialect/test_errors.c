/* tests/dialect/errors: every error that a source gives stands in it as a comment on its line,
 * `// error: part of the text`, and no other. */
#include "folder.h"

#define FOLDER TILERACE_SOURCE_DIR "/tests/dialect/errors"
#define MARK   "// error: "

typedef struct expectation {
    uint32_t line;
    char *text;
    bool met;
} expectation;

static size_t read_expectations(tr_arena *arena, char *source, expectation *out, size_t limit)
{
    size_t n = 0;
    uint32_t line = 1;
    for (char *at = source; *at; line++) {
        char *end = strchrnul(at, '\n'), *mark = at;
        while ((mark = strstr(mark, MARK)) && mark < end && n < limit) {
            mark += strlen(MARK);
            char *next = strstr(mark, " " MARK);
            char *stop = next && next < end ? next : end;
            out[n++] = (expectation){.line = line,
                                     .text = tr_arena_strndup(arena, mark, (size_t)(stop - mark))};
        }
        at = *end ? end + 1 : end;
    }
    return n;
}

/* Number of differences. */
static size_t compare(const char *name, const reading *r, expectation *expected, size_t n)
{
    size_t wrong = 0;
    for (size_t i = 0; i < tr_errors_count(&r->errors); i++) {
        const tr_error *error = &r->errors.items[i];
        bool found = false;
        for (size_t k = 0; k < n && !found; k++) {
            found = !expected[k].met && expected[k].line == error->place.line &&
                    strstr(error->text, expected[k].text);
            expected[k].met |= found;
        }
        if (!found)
            print_message("%s.c:%u: not expected: %s\n", name, error->place.line, error->text);
        wrong += !found;
        if (error->place.line > 0 && error->place.end_line == error->place.line)
            wrong += error->place.end_column <= error->place.column;
    }
    for (size_t k = 0; k < n; k++)
        if (!expected[k].met) {
            print_message("%s.c:%u: missing: %s\n", name, expected[k].line, expected[k].text);
            wrong++;
        }
    return wrong;
}

static void test_all(void **state)
{
    (void)state;
    folder f = folder_open(FOLDER);
    size_t wrong = 0;
    for (size_t i = 0; i < f.n; i++) {
        char path[512];
        snprintf(path, sizeof path, FOLDER "/%s.c", f.names[i]);
        reading r = read_path(path);
        assert_false(r.ok);
        assert_null(r.unit.module);
        const char *why;
        char *source = tr_read_file(r.arena, TR_FILE_KERNELS, path, NULL, &why);
        assert_non_null(source);
        expectation expected[100];
        size_t n = read_expectations(r.arena, source, expected, 100);
        assert_true(n > 0);
        wrong += compare(f.names[i], &r, expected, n);
        reading_free(&r);
    }
    assert_true(f.n >= 10);
    folder_close(&f);
    assert_int_equal(wrong, 0);
}

static void test_no_kernel(void **state)
{
    (void)state;
    reading r = read_text("static int x;\n");
    assert_false(r.ok);
    assert_int_equal(tr_errors_count(&r.errors), 1);
    assert_non_null(strstr(r.errors.items[0].text, "no kernel"));
    assert_string_equal(r.errors.items[0].place.file, r.path);
    assert_non_null(r.errors.items[0].hint);
    reading_free(&r);
}

static void test_missing_file(void **state)
{
    (void)state;
    reading r = read_path(TILERACE_BUILD_DIR "/there-is-no-such-file.c");
    assert_false(r.ok);
    assert_int_equal(tr_errors_count(&r.errors), 1);
    reading_free(&r);
}

static void test_header_not_found(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    smt_ctx *ctx = smt_ctx_new();
    tr_errors errors = tr_errors_make(arena);
    dialect_options options = {.include_folder = TILERACE_BUILD_DIR "/there-is-no-such-folder"};
    dialect_unit unit;
    assert_false(dialect_read(arena, ctx, FOLDER "/syntax.c", &options, &unit, &errors));
    assert_non_null(strstr(errors.items[0].text, "tile.h"));
    assert_non_null(errors.items[0].hint);
    tr_errors_free(&errors);
    smt_ctx_free(ctx);
    tr_arena_free(arena);
}

/* An error in a helper names the helper and the call that it was inlined at. */
static void test_inlined_place(void **state)
{
    (void)state;
    reading r = read_text("static tile bad(tile t)\n{\n    return tile_reshape(t, 3);\n}\n"
                          "tile_kernel void k(float *p)\n{\n    p[0] = bad(1);\n}\n");
    assert_false(r.ok);
    const tr_place *place = &r.errors.items[0].place;
    assert_int_equal(place->line, 4);
    assert_string_equal(place->function, "bad");
    assert_non_null(place->inlined_at);
    assert_int_equal(place->inlined_at->line, 8);
    assert_string_equal(place->inlined_at->function, "k");
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),           cmocka_unit_test(test_no_kernel),
        cmocka_unit_test(test_missing_file),  cmocka_unit_test(test_header_not_found),
        cmocka_unit_test(test_inlined_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
