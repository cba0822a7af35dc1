/* 231. Two blocks add to one counter with scope tl_blk. Race: neither scope includes the other
 * block. So atomicity (A5), which holds only among morally strong writes, does not prevent both
 * from reading the same value. */
#include <tile.h>

tile_kernel void narrow_updates(int *count, int *seen)
{
    tile_grid(2);
    tile_extent(count, 1);
    tile_extent(seen, 2);
    tile_contents(count, 0, 0);

    token added;
    tile drawn = tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, TILE_RELAXED, // @add
                                 TILE_BLOCK, after_none, &added);
    tile_store_ptr_tko(tile_pointers(seen, tile_bid(0)), drawn, after_none);
}

// EXPECT verdict race
// EXPECT TR006 @add @add
// EXPECT observable yes
// LAUNCH grid 2
// LAUNCH grid 2 despite-races
// OUTCOME allowed r0=0 r1=0
// OUTCOME allowed r0=0 r1=1
// OUTCOME forbidden r0=1 r1=1
