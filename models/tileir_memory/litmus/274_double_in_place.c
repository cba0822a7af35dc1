/* 274. A store takes the token that the load of its own value took. Race; the value that it needs
 * keeps it behind the load (A9), so every execution leaves the same. */
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
