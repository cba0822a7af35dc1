/* 126. As 125, but the new token is carried only after the test, so the break passes out the token
 * of the store before the last one. Race with the last store (D13, D15). */
#include <tile.h>

tile_kernel void break_token_early(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 0 < n);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token last = make_token(), loaded;
    for (int i = 0;; i++) {
        token stored = tile_store_ptr_tko(at, i, after(last)); // @store
        if (i >= n)
            break;
        last = stored;
    }
    tile v = tile_load_ptr_tko(at, after(last), &loaded); // @load
    tile_store_ptr_tko(to, v, after_none);
}

// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3
