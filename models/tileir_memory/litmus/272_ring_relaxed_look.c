/* 272. A ring of one slot; the block that fills it tests by a relaxed load whether it is empty.
 * Race. Nothing orders the load of a value before the store of the next value into its slot, so the
 * model lets that load read the next value (load buffering): the store depends on the test, but the
 * release that the test reads from does not depend on the load before it (A9). No schedule that
 * executes one op after the other shows it. */
#include <tile.h>

tile_kernel void ring_relaxed_look(int *y, int *ring, int *full, int *empty, int values)
{
    tile_grid(2);
    tile_assume(0 < values && values <= 1 << 8);
    tile_extent(y, values);
    tile_extent(ring, 1);
    tile_extent(full, 1);
    tile_extent(empty, 1);
    tile_contents(full, 0, 0);
    tile_contents(empty, 0, 0);
    tile_distinct(y, ring, full, empty);
    tile place = tile_pointers(ring, 0);
    tile filled = tile_pointers(full, 0), emptied = tile_pointers(empty, 0);

    if (tile_bid(0) == 0) {
        for (int i = 0; i < values; i++) {
            while (tile_to_int(tile_atomic_or(emptied, 0, TILE_RELAXED, TILE_DEVICE)) < i)
                ;
            tile_store_ptr(place, i + 5); // @fill
            tile_store_ptr_at(filled, i + 1, TILE_RELEASE, TILE_DEVICE);
        }
    } else {
        for (int i = 0; i < values; i++) {
            while (tile_to_int(tile_atomic_or(filled, 0, TILE_ACQUIRE, TILE_DEVICE)) <= i)
                ;
            tile v = tile_load_ptr(place); // @take
            tile_store_ptr_at(emptied, i + 1, TILE_RELEASE, TILE_DEVICE);
            tile_store_ptr(tile_pointers(y, i), v);
        }
    }
}

// EXPECT verdict race
// EXPECT TR015 @fill @take
// EXPECT observable no
// LAUNCH grid 2 values 2
// LAUNCH grid 2 values 2 despite-races
// OUTCOME allowed y[0]=5 y[4]=6
// OUTCOME allowed y[0]=6 y[4]=6
// OUTCOME forbidden y[4]=5
