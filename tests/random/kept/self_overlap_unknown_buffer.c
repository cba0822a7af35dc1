// Which of two buffers a store goes to depends on n; it meets itself in either.
#include <tile.h>

tile_kernel void self_overlap_unknown_buffer(float *x, float *y, int n)
{
    tile_grid(1);
    tile_assume(n >= 0 && n <= 4);
    float *p = n > 2 ? x : y;
    tile_store_masked(tile_pointers(p, tile_iota(4) / 2), tile_full(1.0f, 4), // @store
                      tile_ge(tile_iota(4), 0));
}

// EXPECT verdict race
// EXPECT TR004 @store @store
// EXPECT TR004 @store @store
// EXPECT observable no
