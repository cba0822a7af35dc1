/* 41. Pointers over a tail, no mask. No race, but the last block leaves its buffer: pointers have
 * no bounds (U3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void pointer_tail(int *x, int n)
{
    tile_grid(tile_cdiv(n, T));
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, n);

    tile at = tile_pointers(x, T * tile_bid(0) + tile_iota(T));
    tile_store_ptr_tko(at, 1, after_none); // @store
}

// EXPECT verdict race-free
// EXPECT TR008 @store
// LAUNCH grid 2 n 3
// LAUNCH grid 1 n 1
