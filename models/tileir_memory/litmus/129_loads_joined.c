/* 129. A loop of loads whose tokens are all joined, then a store after the join. Race-free (D12,
 * D15). */
#include <tile.h>

tile_kernel void loads_joined(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 0 < n);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token all = make_token(), loaded;
    tile sum = tile_full(0, 1);
    for (int i = 0; i < n; i++) {
        sum = sum + tile_load_ptr_tko(at, after_none, &loaded);
        all = join_tokens(all, loaded);
    }
    tile_store_ptr_tko(at, 1, after(all));
    tile_store_ptr_tko(to, tile_to_int(sum), after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3
