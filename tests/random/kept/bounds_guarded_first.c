// The first access through a view is guarded, the second is not: that the first fits into the
// buffer says nothing of the second.
#include <tile.h>

enum { T = 4 };

tile_kernel void bounds_guarded_first(float *x, int n, int cap)
{
    tile_grid(1);
    tile_assume(n > 0 && n <= 64 && cap > 0 && cap <= 64);
    tile_extent(x, cap);

    tile_view a = tile_partition(tile_tensor(x, n), T);
    if (n <= cap)
        tile_store(a, tile_zeros(float, T), 0);
    tile_store(a, tile_zeros(float, T), 0); // @store
}

// EXPECT verdict race-free
// EXPECT TR008 @store
