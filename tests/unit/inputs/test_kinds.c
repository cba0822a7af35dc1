/* What a file is to the checker: by its first bytes, its name and the words in it, and by headers
 * that it brings in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "inputs/kinds.h"

static char folder[PATH_MAX];

static const char *in_folder(const char *name)
{
    static char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/kinds-XXXXXX", base ? base : P_tmpdir);
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

#define TEXT(text) (text), sizeof(text) - 1

static void names_words_and_bytes(void **state)
{
    static const struct {
        const char *name, *text;
        size_t length;
        file_kind kind;
    } cases[] = {
        {"a.c", TEXT("tile_kernel void f(void) {}\n"), KIND_SOURCE},
        {"a.c", TEXT("#include <tile.h>\n"), KIND_SOURCE},
        {"a.c", TEXT("/* tile_kernel */ int f(void);\n"), KIND_OTHER},
        {"a.c", TEXT("int main(void) { return 0; }\n"), KIND_OTHER},
        {"a.c", TEXT("\0 tile"), KIND_SOURCE}, /* no text, but the word is there */
        {"a.c", TEXT("\0 tale"), KIND_OTHER},
        {"a.h", TEXT("tile_kernel void f(void) {}\n"), KIND_HEADER},
        {"a.h", TEXT("#include <tile.h>\n"), KIND_OTHER},
        {"a.py", TEXT("import cuda.tile as ct\n"), KIND_RECORDED},
        {"a.py", TEXT("import numpy\n"), KIND_OTHER},
        {"a.cu", TEXT("#include <cuda_tile.h>\n"), KIND_RECORDED},
        {"a.rs", TEXT("use cutile::*;\n"), KIND_RECORDED},
        {"a.tilebc", TEXT("no module"), KIND_MODULE}, /* the check says what is wrong */
        {"a.txt", TEXT("tile_kernel\n"), KIND_OTHER},
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        headers *h = headers_new();
        write_file(cases[i].name, cases[i].text, cases[i].length);
        assert_int_equal(kind_of(h, in_folder(cases[i].name)), cases[i].kind);
        remove(in_folder(cases[i].name));
        headers_free(h);
    }
}

/* Whatever it is called. */
static void a_module_is_known_by_its_bytes(void **state)
{
    (void)state;
    headers *h = headers_new();
    char bytes[64];
    FILE *module = fopen(TILERACE_SOURCE_DIR "/kernels/python/add_vectors.tilebc", "r");
    assert_non_null(module);
    assert_int_equal(fread(bytes, 1, sizeof bytes, module), sizeof bytes);
    fclose(module);
    write_file("a.bin", bytes, sizeof bytes);
    assert_int_equal(kind_of(h, in_folder("a.bin")), KIND_MODULE);
    remove(in_folder("a.bin"));
    assert_int_equal(kind_of(h, in_folder("a.bin")), KIND_UNREADABLE);
    headers_free(h);
}

static void headers_bring_kernels_in(void **state)
{
    (void)state;
    headers *h = headers_new();
    write_file("all.c", TEXT("#include \"middle.h\"\n"));
    write_file("middle.h", TEXT("#include \"kernels.h\"\n"));
    write_file("kernels.h", TEXT("tile_kernel void f(void) {}\n"));
    write_file("none.c", TEXT("#include \"absent.h\"\n"));
    assert_int_equal(kind_of(h, in_folder("all.c")), KIND_SOURCE);
    assert_false(kind_is_other_c(h, in_folder("all.c")));
    assert_int_equal(kind_of(h, in_folder("none.c")), KIND_OTHER);
    assert_true(kind_is_other_c(h, in_folder("none.c")));
    remove(in_folder("all.c"));
    remove(in_folder("middle.h"));
    remove(in_folder("kernels.h"));
    remove(in_folder("none.c"));
    headers_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_words_and_bytes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_module_is_known_by_its_bytes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(headers_bring_kernels_in, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
