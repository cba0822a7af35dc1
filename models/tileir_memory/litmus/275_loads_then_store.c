/* 275. A store waits only for the last load, but its value also comes from an earlier one. Race.
 * The store needs both values, so it comes after both loads (A9), and every execution leaves the
 * same memory. */
#include <tile.h>

tile_kernel void loads_then_store(int *z)
{
    tile_grid(1);
    tile_extent(z, 1);
    tile_contents(z, 5, 5);

    token ignored, loaded;
    tile total = tile_load_ptr_tko(tile_pointers(z, 0), after_none, &ignored); // @load
    tile v = tile_load_ptr_tko(tile_pointers(z, 0), after_none, &loaded);
    tile_store_ptr_tko(tile_pointers(z, 0), v + total, after(loaded)); // @store
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable no
// LAUNCH grid 1
// LAUNCH grid 1 despite-races
// OUTCOME always z[0]=10
