/* Tile IR in entries of fat binaries: as it is, compressed by Zstandard and by LZ4, cut, lying. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "bytecode/bytecode.h"

/* Two sections, one of them aligned to 8, and the end. */
static const unsigned char tile_ir[] = "\177TileIR\0\15\4\0\0"
                                       "\1\50aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                                       "\202\3\10zzzzzzzcde\0";
enum { TILE_IR_BYTES = sizeof tile_ir - 1, HEAD = 72, MOST = 512, FLAGS = 40, UNPACKED = 56 };
enum { BY_LZ4 = 0x2000, BY_ZSTD = 0x8000 };

static void put(unsigned char *at, uint64_t value, size_t bytes)
{
    memcpy(at, &value, bytes);
}

/* Fills `to` with an entry and returns its size. */
static size_t put_entry(unsigned char *to, uint64_t flags)
{
    memset(to, 0, MOST);
    size_t packed = TILE_IR_BYTES, room = MOST - HEAD;
    unsigned char *image = to + HEAD;
    if (flags & BY_ZSTD)
        packed = ZSTD_compress(image, room, tile_ir, TILE_IR_BYTES, 3);
    else if (flags & BY_LZ4)
        packed = (size_t)LZ4_compress_default((const char *)tile_ir, (char *)image, TILE_IR_BYTES,
                                              (int)room);
    else
        memcpy(image, tile_ir, TILE_IR_BYTES);
    assert_in_range(packed, 1, room);
    size_t filled = (packed + 7) / 8 * 8;
    put(to, 0x80, 2);
    put(to + 2, 0x101, 2);
    put(to + 4, HEAD, 4);
    put(to + 8, filled, 8);
    put(to + 16, flags ? packed : 0, 4);
    put(to + 28, 90, 4);
    put(to + FLAGS, flags | 0x11, 8);
    put(to + UNPACKED, flags ? TILE_IR_BYTES : 0, 8);
    return HEAD + filled;
}

static const uint64_t ways[] = {0, BY_LZ4, BY_ZSTD};
enum { N_WAYS = sizeof ways / sizeof *ways };

static void test_unpacked(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_WAYS; i++) {
        unsigned char entry[MOST];
        size_t size = put_entry(entry, ways[i]), unpacked_size = 0;
        unsigned char *unpacked = bytecode_unpack(entry, size, &unpacked_size);
        assert_non_null(unpacked);
        assert_int_equal(unpacked_size, TILE_IR_BYTES);
        assert_memory_equal(unpacked, tile_ir, TILE_IR_BYTES);
        free(unpacked);
    }
    size_t none;
    assert_null(bytecode_unpack(tile_ir, TILE_IR_BYTES, &none));
}

/* In memory of its own size, so that a sanitizer sees what is read behind it. */
static void try_it(const unsigned char *entry, size_t size, bool is_whole)
{
    unsigned char *exact = malloc(size + !size), *unpacked;
    size_t unpacked_size = 0;
    memcpy(exact, entry, size);
    unpacked = bytecode_unpack(exact, size, &unpacked_size);
    assert_true(is_whole || !unpacked);
    free(unpacked);
    free(exact);
}

static void test_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_WAYS; i++) {
        unsigned char entry[MOST];
        size_t size = put_entry(entry, ways[i]);
        for (size_t left = 0; left < size; left++)
            try_it(entry, left, false);
    }
}

static void test_lying(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_WAYS; i++) {
        unsigned char entry[MOST];
        size_t size = put_entry(entry, ways[i]);
        for (size_t at = 0; at < size; at++) {
            static const unsigned char wrong[] = {0, 1, 0x7f, 0x80, 0xff};
            unsigned char kept = entry[at];
            for (size_t k = 0; k < sizeof wrong; k++) {
                entry[at] = wrong[k];
                try_it(entry, size, true);
            }
            entry[at] = kept;
        }
    }
    unsigned char entry[MOST];
    size_t size = put_entry(entry, BY_ZSTD);
    put(entry + UNPACKED, TILE_IR_BYTES + 1, 8);
    try_it(entry, size, false);
    put(entry + UNPACKED, UINT64_MAX, 8);
    try_it(entry, size, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unpacked),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_lying),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
