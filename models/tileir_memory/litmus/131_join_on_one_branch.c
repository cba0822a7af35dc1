/* 131. Two loads; on one branch their tokens are joined, on the other branch one of them is lost.
 * Race if the second branch is taken (D13, D15). */
#include <tile.h>

tile_kernel void join_on_one_branch(int *x, int *seen, int blocks, int c)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token one, two, both;
    tile v = tile_load_ptr_tko(at, after_none, &one);
    tile w = tile_load_ptr_tko(at, after_none, &two); // @load
    if (c > 0)
        both = join_tokens(one, two);
    else
        both = one;
    tile_store_ptr_tko(at, 1, after(both)); // @store
    tile_store_ptr_tko(to, v + w, after_none);
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 c 0
// LAUNCH grid 2 blocks 2 c 0
