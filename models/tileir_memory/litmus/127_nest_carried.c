/* 127. Nested loops in which each store takes the token of the preceding store; the inner loop
 * passes its last token to the outer loop. Race-free (D13, D15). */
#include <tile.h>

tile_kernel void nest_carried(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 0 < n);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token last = make_token(), loaded;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            last = tile_store_ptr_tko(at, i + j, after(last));
    tile v = tile_load_ptr_tko(at, after(last), &loaded);
    tile_store_ptr_tko(to, v, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3
