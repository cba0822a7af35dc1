/* 274. A store takes the same token as the load of the value that it stores. Race. The store needs
 * that value, so it comes after the load (A9), and every execution leaves the same memory. */
#include <tile.h>

tile_kernel void double_in_place(int *z)
{
    tile_grid(1);
    tile_extent(z, 1);
    tile_contents(z, 5, 5);

    token ignored;
    tile v = tile_load_ptr_tko(tile_pointers(z, 0), after_none, &ignored); // @load
    tile_store_ptr_tko(tile_pointers(z, 0), v + v, after_none);            // @store
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable no
// LAUNCH grid 1
// LAUNCH grid 1 despite-races
// OUTCOME always z[0]=10
