/* Tile IR inside other files: fat binaries, archives, bytes among others; cut anywhere, lying. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/ds.h"
#include "bytecode/images.h"

static const unsigned char first[] = "\177TileIR\0\15\4\0\0"
                                     "\1\50aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                                     "\202\3\10zzzzzzzcde\0";
static const unsigned char second[] = "\177TileIR\0\15\5\0\0\1\5hello\0";
enum { FIRST = sizeof first - 1, SECOND = sizeof second - 1, HEAD = 72, MOST = 4096 };
enum { BY_LZ4 = 0x2000, BY_ZSTD = 0x8000, FLAGS = 40, UNPACKED = 56, OF_SIZE = 8 };

typedef struct file {
    unsigned char bytes[MOST];
    size_t size;
} file;

static void add(file *f, const void *bytes, size_t size)
{
    assert_true(f->size + size <= MOST);
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}

static void put(file *f, size_t at, uint64_t value, size_t bytes)
{
    memcpy(f->bytes + at, &value, bytes);
}

static void add_noise(file *f, size_t size)
{
    for (size_t i = 0; i < size; i++)
        f->bytes[f->size++] = (unsigned char)(i * 37 + 11);
}

/* An entry of a fat binary; returns where it begins. */
static size_t add_entry(file *f, unsigned kind, unsigned architecture, const unsigned char *image,
                        size_t size, uint64_t flags)
{
    unsigned char packed[512];
    size_t start = f->size, n = size;
    if (flags & BY_ZSTD)
        n = ZSTD_compress(packed, sizeof packed, image, size, 3);
    else if (flags & BY_LZ4)
        n = (size_t)LZ4_compress_default((const char *)image, (char *)packed, (int)size,
                                         sizeof packed);
    else
        memcpy(packed, image, size);
    assert_in_range(n, 1, sizeof packed);
    memset(f->bytes + start, 0, HEAD + n + 8);
    put(f, start, kind, 2);
    put(f, start + 4, HEAD, 4);
    put(f, start + OF_SIZE, (n + 7) / 8 * 8, 8);
    put(f, start + 16, flags ? n : 0, 4);
    put(f, start + 28, architecture, 4);
    put(f, start + FLAGS, flags | 0x11, 8);
    put(f, start + UNPACKED, flags ? size : 0, 8);
    memcpy(f->bytes + start + HEAD, packed, n);
    f->size = start + HEAD + (n + 7) / 8 * 8;
    return start;
}

/* The head of a fat binary; end_fatbin fills in its size. */
static size_t begin_fatbin(file *f)
{
    static const unsigned char head[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    add(f, head, sizeof head);
    return f->size;
}

static void end_fatbin(file *f, size_t start)
{
    put(f, start - 8, f->size - start, 8);
}

/* In memory of its own size, so that a sanitizer sees what is read behind it. */
static bytecode_image *find(tr_arena *arena, const file *f, size_t size)
{
    unsigned char *exact = tr_arena_alloc(arena, size + 1);
    memcpy(exact, f->bytes, size);
    return bytecode_find_images(arena, exact, size);
}

static void expect(const bytecode_image *image, const unsigned char *bytes, size_t size)
{
    assert_non_null(image->bytes);
    assert_int_equal(image->size, size);
    assert_memory_equal(image->bytes, bytes, size);
    assert_null(image->why);
}

/* ---- Section: What is found ---- */

static void test_fat_binaries(void **state)
{
    (void)state;
    static const uint64_t ways[] = {0, BY_LZ4, BY_ZSTD};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        tr_arena *arena = tr_arena_new();
        file f = {.size = 0};
        add_noise(&f, 101); /* at an odd place */
        size_t fatbin = begin_fatbin(&f);
        add_entry(&f, 2, 90, (const unsigned char *)"machine code", 12, 0);
        size_t at = add_entry(&f, 0x80, 90, first, FIRST, ways[i]);
        add_entry(&f, 0x80, 100, first, FIRST, ways[i]); /* the same for another GPU */
        add_entry(&f, 0x80, 120, second, SECOND, 0);
        end_fatbin(&f, fatbin);
        add_noise(&f, 33);
        bytecode_image *found = find(arena, &f, f.size);
        assert_int_equal(arrlenu(found), 2);
        expect(&found[0], first, FIRST);
        assert_int_equal(found[0].offset, at);
        assert_int_equal(found[0].architecture, 90);
        assert_null(found[0].member);
        expect(&found[1], second, SECOND);
        assert_int_equal(found[1].architecture, 120);
        arrfree(found);
        tr_arena_free(arena);
    }
}

/* Machine code of tile kernels without the Tile IR that it was made of is told. */
static void test_machine_code(void **state)
{
    (void)state;
    static const char tile[] = "\177ELF\0.nv.host\0.nv.info.kernel";
    static const char dummy[] = "\177ELF\0.nv.host\0.nv.info.__$dummy_kernel";
    static const char both[] = "\177ELF\0.nv.host\0.nv.info.__$dummy_kernel\0.nv.info.kernel";
    static const char simt[] = "\177ELF\0.nv.hosts\0.nv.info.kernel";
    static const char text[] = "no ELF \0.nv.host\0.nv.info.kernel";
    /* Names of sections stand first, some of them empty, and once more before those of symbols. */
#define NAMED(names, rest) "\177ELF\0\0\0.shstrtab\0" names "\0\0.shstrtab\0" names rest
    static const char early[] = NAMED(".nv.info.kernel\0\0\0.nv.host\0", "code");
    static const char none[] = NAMED(".nv.info.kernel\0\0\0.text\0", "\0.nv.host");
    static const char last[] = "\177ELF\0code\0\0\0.nv.info.kernel\0.nv.host\0.shstrtab";
    static const struct {
        const char *code;
        size_t size;
        bool with_tile_ir, is_told;
    } cases[] = {{tile, sizeof tile, false, true},
                 {tile, sizeof tile, true, false},
                 {dummy, sizeof dummy, false, false},
                 {both, sizeof both, false, true},
                 {text, sizeof text, false, false},
                 {tile, sizeof tile - 4, false, true},
                 {tile, 20, false, false},
                 {simt, sizeof simt, false, false},
                 {early, sizeof early, false, true},
                 {none, sizeof none, false, false},
                 {last, sizeof last, false, true}};
    static const uint64_t ways[] = {0, BY_LZ4, BY_ZSTD};
    for (size_t i = 0; i < sizeof cases / sizeof *cases * 3; i++) {
        tr_arena *arena = tr_arena_new();
        file f = {.size = 0};
        size_t fatbin = begin_fatbin(&f);
        size_t at = add_entry(&f, 2, 90, (const unsigned char *)cases[i / 3].code,
                              cases[i / 3].size, ways[i % 3]);
        if (cases[i / 3].with_tile_ir)
            add_entry(&f, 0x80, 90, first, FIRST, 0);
        end_fatbin(&f, fatbin);
        bytecode_image *found = find(arena, &f, f.size);
        size_t n = cases[i / 3].is_told || cases[i / 3].with_tile_ir;
        assert_int_equal(arrlenu(found), n);
        if (cases[i / 3].is_told) {
            assert_true(found[0].is_machine_code);
            assert_null(found[0].bytes);
            assert_int_equal(found[0].offset, at);
            assert_int_equal(found[0].architecture, 90);
        }
        arrfree(found);
        tr_arena_free(arena);
    }
}

static void test_plain(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    file f = {.size = 0};
    add_noise(&f, 7);
    add(&f, "\177TileIR\0, as a program that knows it", 37);
    add(&f, first, FIRST);
    add(&f, second, SECOND);
    add(&f, first, FIRST);
    bytecode_image *found = find(arena, &f, f.size);
    assert_int_equal(arrlenu(found), 2);
    expect(&found[0], first, FIRST);
    assert_int_equal(found[0].offset, 44);
    assert_int_equal(found[0].architecture, 0);
    expect(&found[1], second, SECOND);
    arrfree(found);
    tr_arena_free(arena);
}

static size_t add_member(file *f, const char *name, size_t size)
{
    char head[61];
    snprintf(head, sizeof head, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644u, size);
    add(f, head, 60);
    return f->size;
}

static void test_archives(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    static const char names[] = "a_name_that_is_too_long_for_its_field.o/\n\n";
    file f = {.size = 0};
    add(&f, "!<arch>\n", 8);
    add_member(&f, "//", sizeof names - 1);
    add(&f, names, sizeof names - 1);
    add_member(&f, "short.o/", FIRST + FIRST % 2);
    add(&f, first, FIRST);
    add(&f, "\n", FIRST % 2);
    add_member(&f, "/0", FIRST + FIRST % 2); /* the same module in another object */
    add(&f, first, FIRST);
    add(&f, "\n", FIRST % 2);
    bytecode_image *found = find(arena, &f, f.size);
    assert_int_equal(arrlenu(found), 2);
    expect(&found[0], first, FIRST);
    assert_string_equal(found[0].member, "short.o");
    expect(&found[1], first, FIRST);
    assert_string_equal(found[1].member, "a_name_that_is_too_long_for_its_field.o");
    arrfree(found);
    tr_arena_free(arena);
}

/* ---- Section: What is wrong ---- */

static file whole(void)
{
    file f = {.size = 0};
    add(&f, "!<arch>\n", 8);
    add_member(&f, "k.o/", 900);
    size_t fatbin = begin_fatbin(&f);
    add_entry(&f, 0x80, 90, first, FIRST, BY_ZSTD);
    add_entry(&f, 0x80, 100, second, SECOND, 0);
    end_fatbin(&f, fatbin);
    add(&f, first, FIRST);
    return f;
}

/* Whatever is left of a file: what is whole is found, and what is not is said not to be. */
static void test_cut(void **state)
{
    (void)state;
    file f = whole();
    for (size_t size = 0; size <= f.size; size++) {
        tr_arena *arena = tr_arena_new();
        bytecode_image *found = find(arena, &f, size);
        for (size_t i = 0; i < arrlenu(found); i++)
            assert_true((found[i].bytes != NULL) == (found[i].why == NULL));
        assert_true(arrlenu(found) <= 3);
        if (size == f.size)
            assert_int_equal(arrlenu(found), 2); /* the last is the first again */
        arrfree(found);
        tr_arena_free(arena);
    }
}

static void test_lies(void **state)
{
    (void)state;
    static const uint64_t lies[] = {
        0, 1, 7, 15, 0x7f, 0xffff, 0x7fffffff, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX};
    file f = whole();
    for (size_t at = 0; at + 8 <= f.size; at++)
        for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
            tr_arena *arena = tr_arena_new();
            file lying = f;
            put(&lying, at, lies[i], i < 5 ? 2 : i < 8 ? 4 : 8);
            bytecode_image *found = find(arena, &lying, lying.size);
            for (size_t k = 0; k < arrlenu(found); k++)
                assert_true((found[k].bytes != NULL) == (found[k].why == NULL));
            arrfree(found);
            tr_arena_free(arena);
        }
}

static void test_what_is_said(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    file f = {.size = 0};
    size_t fatbin = begin_fatbin(&f);
    size_t entry = add_entry(&f, 0x80, 90, first, FIRST, 0);
    end_fatbin(&f, fatbin);
    bytecode_image *found = find(arena, &f, f.size - 20);
    assert_int_equal(arrlenu(found), 1);
    assert_non_null(strstr(found[0].why, "cut off"));
    arrfree(found);
    put(&f, entry + FLAGS, 0x4000 | BY_ZSTD, 8); /* compressed, it says */
    put(&f, entry + 16, 24, 4);
    put(&f, entry + UNPACKED, 100, 8);
    found = find(arena, &f, f.size);
    assert_int_equal(arrlenu(found), 1);
    assert_non_null(strstr(found[0].why, "damaged"));
    arrfree(found);
    f.size = 0;
    add(&f, first, FIRST - 3);
    found = find(arena, &f, f.size);
    assert_int_equal(arrlenu(found), 1);
    assert_non_null(strstr(found[0].why, "cut off or damaged"));
    arrfree(found);
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fat_binaries), cmocka_unit_test(test_machine_code),
        cmocka_unit_test(test_plain),        cmocka_unit_test(test_archives),
        cmocka_unit_test(test_cut),          cmocka_unit_test(test_lies),
        cmocka_unit_test(test_what_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
