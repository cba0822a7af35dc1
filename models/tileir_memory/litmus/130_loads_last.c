/* 130. As 129, but the store takes only the token of the last load. Race with the loads of the
 * other iterations (D17). */
#include <tile.h>

tile_kernel void loads_last(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 1 < n);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token last = make_token(), loaded;
    tile sum = tile_full(0, 1);
    for (int i = 0; i < n; i++) {
        sum = sum + tile_load_ptr_tko(at, after_none, &loaded); // @load
        last = loaded;
    }
    tile_store_ptr_tko(at, 1, after(last)); // @store
    tile_store_ptr_tko(to, tile_to_int(sum), after_none);
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3
