/* Copies n elements by pointers. Pointers know no bounds: the mask keeps the last block inside. */
#include <tile.h>

enum { BN = 256 }; /* elements a block */

tile_kernel void copy_tail(const float *src, float *dst, int n)
{
    tile_grid(tile_cdiv(n, BN));
    tile_assume(0 < n && n <= 1 << 30);
    tile_extent(src, n);
    tile_extent(dst, n);

    tile i = tile_iota(BN) + tile_bid(0) * BN;
    tile inside = tile_lt(i, n);
    tile t = tile_load_masked(tile_pointers(src, i), inside, 0.0f);
    tile_store_masked(tile_pointers(dst, i), t, inside);
}
