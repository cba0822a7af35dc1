/* A compared buffer as a grid of tiles: ragged edges, buffers without a shape, heat, and digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "run/tiles.h"

enum { RUNS = 5 };

static run_tiles *tiles_of(tr_arena *arena, const gpu_buffer *buffer, const uint16_t *heat)
{
    gpu_output output = {.elements = buffer->bytes / (uint64_t)plan_element_bytes(buffer->element),
                         .heat = heat};
    return run_tiles_of(arena, buffer, &output, RUNS);
}

static const char *digits_of(tr_arena *arena, const run_tiles *tiles, size_t tile,
                             const uint16_t *heat)
{
    tr_text text = {0};
    run_tile_digits(tiles, tile, heat, RUNS, &text);
    const char *digits = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return digits;
}

/* 3 x 5 elements in tiles of 2 x 2: the last row and column of tiles are cut. */
static void test_ragged_grid(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    const gpu_buffer buffer = {
        .bytes = 60, .element = GPU_I32, .rank = 2, .shape = {3, 5}, .tile = {2, 2}};
    uint16_t heat[15] = {0};
    heat[0] = 4;  /* tile 0, in every other run */
    heat[6] = 2;  /* row 1, column 1: tile 0 */
    heat[14] = 1; /* row 2, column 4: the last tile, of one element */
    const run_tiles *tiles = tiles_of(arena, &buffer, heat);
    assert_false(tiles->flat);
    assert_int_equal(tiles->n, 6);
    assert_int_equal(tiles->counts[0], 2);
    assert_int_equal(tiles->counts[1], 3);
    assert_true(tiles->heat[0] == 6.0 / 4 / 4); /* of 4 elements and 4 runs */
    assert_true(tiles->heat[1] == 0);
    assert_true(tiles->heat[5] == 0.25);
    assert_string_equal(digits_of(arena, tiles, 0, heat), "/AAg");
    assert_string_equal(digits_of(arena, tiles, 2, heat), "AA");
    assert_string_equal(digits_of(arena, tiles, 5, heat), "R");
    tr_arena_free(arena);
}

/* No shape, one that does not fit the buffer, and a tile that is not known: pieces. */
static void test_flat(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    static uint16_t heat[5000];
    const gpu_buffer buffers[] = {
        {.bytes = 5000, .element = GPU_I8},
        {.bytes = 5000, .element = GPU_I8, .rank = 1, .shape = {4999}, .tile = {10}},
        {.bytes = 5000, .element = GPU_I8, .rank = 1, .shape = {5000}, .tile = {0}},
    };
    for (size_t i = 0; i < TR_COUNT(buffers); i++) {
        const run_tiles *tiles = tiles_of(arena, &buffers[i], heat);
        assert_true(tiles->flat);
        assert_int_equal(tiles->tile[0], 5); /* at most 1,024 pieces */
        assert_int_equal(tiles->n, 1000);
    }
    assert_null(tiles_of(arena, &buffers[0], NULL));
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ragged_grid),
        cmocka_unit_test(test_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
