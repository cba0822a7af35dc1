/* 128. As 127, but the inner loop always starts from the token from before both loops. Race between
 * outer iterations (D12, D17). */
#include <tile.h>

tile_kernel void nest_restarted(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 1 < n);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token begun = make_token();
    for (int i = 0; i < n; i++) {
        token last = begun;
        for (int j = 0; j < n; j++)
            last = tile_store_ptr_tko(at, i + j, after(last)); // @store
    }
    tile_store_ptr_tko(to, 1, after_none);
}

// EXPECT verdict race
// EXPECT TR003 @store @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3
