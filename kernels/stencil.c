/* One step of heat flow over h x w cells inside a border of cells that stay as they are. Blocks
 * read one cell beyond their tile on each side, so the new state needs a buffer of its own. */
#include <tile.h>

enum { BM = 16, BN = 64 };

/* Tiles of the h x w cells that start at `first`: the inner cells, or these shifted by one. */
static tile_view shifted(const float *first, int h, int w)
{
    tile_tensor cells = tile_tensor_strided(first, tile_shape(h, w), tile_strides(w + 2, 1));
    return tile_partition(cells, BM, BN);
}

tile_kernel void stencil(const float *now, float *next, int h, int w, float flow)
{
    tile_grid(tile_cdiv(w, BN), tile_cdiv(h, BM));
    tile_assume(0 < h && h <= 1 << 20 && 0 < w && w <= 1 << 20);
    tile_extent(now, (long)(h + 2) * (w + 2));
    tile_extent(next, (long)(h + 2) * (w + 2));

    int i = tile_bid(1), j = tile_bid(0), row = w + 2;
    tile north = tile_load(shifted(now + 1, h, w), i, j);
    tile west = tile_load(shifted(now + row, h, w), i, j);
    tile here = tile_load(shifted(now + row + 1, h, w), i, j);
    tile east = tile_load(shifted(now + row + 2, h, w), i, j);
    tile south = tile_load(shifted(now + 2 * row + 1, h, w), i, j);
    tile flux = north + west + east + south - here * 4.0f;

    tile_tensor cells = tile_tensor_strided(next + row + 1, tile_shape(h, w), tile_strides(row, 1));
    tile_store(tile_partition(cells, BM, BN), here + flux * flow, i, j);
}
