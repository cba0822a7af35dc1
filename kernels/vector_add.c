/* c = a + b, one tile a block. The views know n, so the last tile's tail is neither read nor
 * written beyond it. */
#include <tile.h>

enum { TILE = 1024 };

tile_kernel void vector_add(const float *a, const float *b, float *c, int n)
{
    tile_grid(tile_cdiv(n, TILE));
    tile_assume(0 < n && n <= 1 << 30);
    tile_extent(a, n);
    tile_extent(b, n);
    tile_extent(c, n);

    tile_view in_a = tile_partition(tile_tensor(a, n), TILE);
    tile_view in_b = tile_partition(tile_tensor(b, n), TILE);
    tile_view out = tile_partition(tile_tensor(c, n), TILE);

    int i = tile_bid(0);
    tile x = tile_load(in_a, i);
    tile y = tile_load(in_b, i);
    tile_store(out, x + y, i);
}

// EXPECT verdict race-free
