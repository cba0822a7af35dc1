/* 233. Blocks read a word by an update that changes nothing, then by a load, and store to one
 * element if they read 0. Race: such an update leaves the value that it read, so every block reads
 * 0. */
#include <tile.h>

tile_kernel void update_of_nothing(int *x, int *word)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(word, 1);
    tile_contents(word, 0, 0);

    token looked, loaded;
    tile_atomic_tko(TILE_OR, tile_pointers(word, 0), 0, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                    &looked);
    tile v = tile_load_masked_tko(tile_pointers(word, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                  after(looked), &loaded);
    if (tile_to_int(v) == 0)
        tile_store_ptr_tko(tile_pointers(x, 0), tile_bid(0), after_none); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2
