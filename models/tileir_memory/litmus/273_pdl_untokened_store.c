/* 273. The store takes no token, so it may come before the wait, while the preceding kernel still
 * reads. Race. The value of the store comes from a load after the wait, so no schedule shows the
 * race. The model lets the preceding kernel read the stored value: its read comes before that load
 * (D22), which is not a dependence (A9). */
#include <tile.h>

tile_kernel void pdl_untokened_store_first(int *x, const int *y, int *seen)
{
    tile_grid(1);
    tile_extent(x, 1);
    tile_extent(y, 1);
    tile_extent(seen, 1);
    tile_contents(y, 0, 0);
    tile_contents(x, 0, 0);
    tile_distinct(x, y, seen);

    tile_gdc_launch_dependents_tko(after_none);
    tile_store_ptr(tile_pointers(seen, 0), tile_load_ptr(tile_pointers(y, 0)));
    tile_store_ptr(tile_pointers(x, 0), 7);
}

tile_kernel void pdl_untokened_store(const int *x, int *y)
{
    tile_grid(1);
    tile_extent(x, 1);
    tile_extent(y, 1);
    tile_contents(y, 0, 0);
    tile_contents(x, 0, 0);
    tile_distinct(x, y);
    tile_dependent_launch();
    tile_predecessor_writes(x);
    tile_predecessor_reads(y);

    tile_gdc_wait();
    tile v = tile_load_ptr(tile_pointers(x, 0));
    tile_store_ptr_tko(tile_pointers(y, 0), v, after_none); // @store
}

// EXPECT kernel pdl_untokened_store_first
// EXPECT verdict race-free
// EXPECT kernel pdl_untokened_store
// EXPECT verdict race
// EXPECT TR002 @store
// EXPECT observable no
// LAUNCH grid 1 after pdl_untokened_store_first
// LAUNCH grid 1 after pdl_untokened_store_first despite-races
// OUTCOME allowed seen[0]=0 y[0]=7
// OUTCOME allowed seen[0]=7 y[0]=7
