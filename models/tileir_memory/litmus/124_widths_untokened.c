/* 124. As 123 without the token, both relaxed with scope tl_blk. Race: there is no rpo, and
 * accesses that overlap in part are not morally strong (D6, A3). */
#include <tile.h>

tile_kernel void widths_untokened(int *x, signed char *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    int b = tile_bid(0);
    tile at = tile_pointers(x, b), low = tile_ptr_cast(at, signed char);
    token loaded;
    tile_store_masked_tko(at, 7, true, TILE_RELAXED, TILE_BLOCK, after_none); // @store
    tile v =
        tile_load_masked_tko(low, true, 0, TILE_RELAXED, TILE_BLOCK, after_none, &loaded); // @load
    tile_store_ptr_tko(tile_pointers(seen, b), v, after_none);
}

// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
