/* Counts how often each value occurs. Equal values meet in one tile as well as in two blocks, so
 * every count goes through an atomic add. The host has set `count` to zero. */
#include <tile.h>

enum { TILE = 256 };

tile_kernel void histogram(const int *value, unsigned *count, int n, int bins)
{
    tile_grid(tile_cdiv(n, TILE));
    tile_assume(0 < n && n <= 1 << 30 && 0 < bins && bins <= 1 << 20);
    tile_extent(value, n);
    tile_extent(count, bins);
    tile_distinct(value, count);
    tile_contents(value, 0, bins - 1);

    tile i = tile_bid(0) * TILE + tile_iota(TILE);
    tile inside = tile_lt(i, n);
    tile bin = tile_load_masked(tile_pointers(value, i), inside, 0);
    tile at = tile_pointers(count, bin);
    tile_atomic_masked(TILE_ADD, at, 1, inside, TILE_RELAXED, TILE_DEVICE);
}

// EXPECT verdict race-free
