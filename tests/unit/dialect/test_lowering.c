/* tests/dialect/lowering: each NAME.c lowers to the text in NAME.ir. With TILERACE_UPDATE set, the
 * .ir files are written instead: read the difference before keeping it. */
#include "folder.h"

#define FOLDER TILERACE_SOURCE_DIR "/tests/dialect/lowering"

static char *module_text(reading *r)
{
    if (!r->ok)
        show_errors(r);
    assert_true(r->ok);
    tr_errors verify = tr_errors_make(r->arena);
    bool sound = ir_verify(r->unit.module, &verify);
    for (size_t i = 0; !sound && i < tr_errors_count(&verify); i++)
        print_message("verify: %s\n", verify.items[i].text);
    assert_true(sound);
    tr_errors_free(&verify);
    tr_text text = {0};
    ir_print_module(&text, r->unit.module, false);
    char *copy = strdup(tr_text_get(&text));
    tr_text_free(&text);
    return copy;
}

static bool same_as_file(reading *r, const char *name, const char *text)
{
    const char *path = tr_arena_printf(r->arena, FOLDER "/%s.ir", name), *why;
    if (getenv("TILERACE_UPDATE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
        return true;
    }
    const char *expected = tr_read_file(r->arena, TR_FILE_KERNELS, path, NULL, &why);
    if (expected && strcmp(text, expected) == 0)
        return true;
    print_message("%s lowers to\n%s\n", name, text);
    return false;
}

static void test_all(void **state)
{
    (void)state;
    folder f = folder_open(FOLDER);
    size_t differ = 0;
    for (size_t i = 0; i < f.n; i++) {
        char path[512];
        snprintf(path, sizeof path, FOLDER "/%s.c", f.names[i]);
        reading r = read_path(path);
        char *text = module_text(&r);
        differ += !same_as_file(&r, f.names[i], text);
        free(text);
        reading_free(&r);
    }
    assert_true(f.n >= 20);
    folder_close(&f);
    assert_int_equal(differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
