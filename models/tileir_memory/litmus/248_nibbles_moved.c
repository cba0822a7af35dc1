/* 248. Views of 128 4-bit elements, 64 bytes each, from a pointer that each tile block moves by 64
 * elements: 32 bytes, so that neighbours share half of theirs. Race (D5: offsets count elements).
 */
#include <tile.h>

tile_kernel void nibbles_moved(f4e2m1 *x, int n)
{
    tile_grid(n);
    tile_assume(1 < n && n <= 1 << 20);
    tile_extent(x, 64l * n + 64);

    tile_view X = tile_partition(tile_tensor(x + 64 * tile_bid(0), 128), 128);
    tile_store_tko(X, tile_zeros(f4e2m1, 128), after_none, 0); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no
// LAUNCH grid 2 n 2
// LAUNCH grid 3 n 3
