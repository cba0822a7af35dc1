/* Scales what the preceding kernel writes, launched so that it may still run (programmatic dependent
 * launch). What that kernel does not touch is loaded before the wait, its results after it. */
#include <tile.h>

enum { TILE = 256 };

tile_kernel void scale_after_wait(const float *x, const float *weight, float *y, int tiles)
{
    tile_grid(tiles);
    tile_assume(0 < tiles && tiles <= 1 << 20);
    tile_extent(x, (long)tiles * TILE);
    tile_extent(weight, (long)tiles * TILE);
    tile_extent(y, (long)tiles * TILE);
    tile_distinct(x, weight, y);
    tile_dependent_launch();
    tile_predecessor_writes(x);
    tile_predecessor_reads(y);

    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view scale = tile_partition(tile_tensor(weight, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);

    int i = tile_bid(0);
    tile w = tile_load(scale, i);
    tile_gdc_wait();
    tile_store(out, tile_load(in, i) * w, i);
}

// EXPECT verdict race-free
