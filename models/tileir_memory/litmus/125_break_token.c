/* 125. A loop that stores and leaves by break. The break passes out the token of the last store,
 * and each store takes the token of the preceding one. Race-free: tokens pass through break as
 * through the loop (D13, D15). */
#include <tile.h>

tile_kernel void break_token(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 0 < n);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token last = make_token(), loaded;
    for (int i = 0;; i++) {
        last = tile_store_ptr_tko(at, i, after(last));
        if (i >= n)
            break;
    }
    tile v = tile_load_ptr_tko(at, after(last), &loaded);
    tile_store_ptr_tko(to, v, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3
