/* 249. As 248, moved by as many elements as a view has. Race-free: no byte is shared (D5). */
#include <tile.h>

tile_kernel void nibbles_moved_apart(f4e2m1 *x, int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, 128l * n);

    tile_view X = tile_partition(tile_tensor(x + 128 * tile_bid(0), 128), 128);
    tile_store_tko(X, tile_zeros(f4e2m1, 128), after_none, 0);
}

// EXPECT verdict race-free
// LAUNCH grid 2 n 2
// LAUNCH grid 3 n 3
