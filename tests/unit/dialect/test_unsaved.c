/* Texts that stand for files: of the source itself and of what it includes. */
#include "reading.h"

#include <sys/stat.h>

typedef struct place {
    char folder[200], source[256], header[256], other[256];
} place;

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static place place_new(void)
{
    place p;
    snprintf(p.folder, sizeof p.folder, "%s/unsaved-XXXXXX", TILERACE_BUILD_DIR);
    assert_non_null(mkdtemp(p.folder));
    snprintf(p.source, sizeof p.source, "%s/k.c", p.folder);
    snprintf(p.header, sizeof p.header, "%s/width.h", p.folder);
    snprintf(p.other, sizeof p.other, "%s/../%s/width.h", p.folder, strrchr(p.folder, '/') + 1);
    return p;
}

static void place_free(const place *p)
{
    unlink(p->source);
    unlink(p->header);
    rmdir(p->folder);
}

static reading read_unsaved(const place *p, size_t n, const tr_unsaved_file *files)
{
    reading r = {.arena = tr_arena_new(), .ctx = smt_ctx_new()};
    r.errors = tr_errors_make(r.arena);
    tr_unsaved unsaved = {n, files};
    dialect_options options = {.include_folder = TILERACE_SOURCE_DIR "/include",
                               .unsaved = &unsaved};
    r.ok = dialect_read(r.arena, r.ctx, p->source, &options, &r.unit, &r.errors);
    return r;
}

static tr_unsaved_file as_file(const char *path, const char *text)
{
    return (tr_unsaved_file){path, text, strlen(text)};
}

#define KERNEL(name)                                                                               \
    "#include <tile.h>\n#include \"width.h\"\ntile_kernel void " name                              \
    "(int *p)\n{\n    p[WIDTH] = 1;\n}\n"

static void assert_kernel(reading *r, const char *name, const char *index)
{
    assert_true(r->ok);
    assert_string_equal(r->unit.kernels[0]->name, name);
    const ir_op *store = op_of(r, IR_OP_STORE_PTR_TKO, NULL);
    assert_string_equal(store->operand_texts[0], index);
    reading_free(r);
}

static void test_text_before_file(void **state)
{
    (void)state;
    place p = place_new();
    write_text(p.source, KERNEL("saved"));
    write_text(p.header, "enum { WIDTH = 4 };\n");
    reading r = read_unsaved(&p, 0, NULL);
    assert_kernel(&r, "saved", "p[WIDTH] = 1");
    tr_unsaved_file source = as_file(p.source, KERNEL("edited"));
    r = read_unsaved(&p, 1, &source);
    assert_kernel(&r, "edited", "p[WIDTH] = 1");
    place_free(&p);
}

static void test_files_that_are_none(void **state)
{
    (void)state;
    place p = place_new();
    tr_unsaved_file files[] = {as_file(p.source, KERNEL("edited")),
                               as_file(p.header, "enum { WIDTH = 4 };\n")};
    reading r = read_unsaved(&p, 2, files);
    assert_kernel(&r, "edited", "p[WIDTH] = 1");
    r = read_unsaved(&p, 1, files);
    assert_false(r.ok);
    assert_non_null(strstr(r.errors.items[0].text, "'width.h' file not found"));
    reading_free(&r);
    place_free(&p);
}

static void test_header_by_another_name(void **state)
{
    (void)state;
    place p = place_new();
    write_text(p.source, KERNEL("saved"));
    write_text(p.header, "#error saved\n");
    tr_unsaved_file header = as_file(p.other, "enum { WIDTH = 4 };\n");
    reading r = read_unsaved(&p, 1, &header);
    assert_kernel(&r, "saved", "p[WIDTH] = 1");
    tr_unsaved unsaved = {1, &header};
    assert_ptr_equal(tr_unsaved_find(&unsaved, p.header), &header);
    assert_null(tr_unsaved_find(&unsaved, p.source));
    assert_null(tr_unsaved_find(NULL, p.source));
    place_free(&p);
}

static void test_text_that_nests_too_deep(void **state)
{
    (void)state;
    place p = place_new();
    write_text(p.source, KERNEL("saved"));
    enum { DEPTH = 20000 };
    char *deep = calloc(2, DEPTH + 100);
    strcpy(deep, "int f(int n) { return ");
    for (int i = 0; i < DEPTH; i++)
        strcpy(deep + 22 + 2 * i, "- ");
    tr_unsaved_file source = as_file(p.source, deep);
    reading r = read_unsaved(&p, 1, &source);
    assert_false(r.ok);
    assert_string_equal(r.errors.items[0].text, "this nests too deep");
    reading_free(&r);
    free(deep);
    place_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_before_file),
        cmocka_unit_test(test_files_that_are_none),
        cmocka_unit_test(test_header_by_another_name),
        cmocka_unit_test(test_text_that_nests_too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
