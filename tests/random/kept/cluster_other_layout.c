// Two stores of one form, which are asked about together, and a load of the same elements through
// another layout: it meets the second store only.
#include <tile.h>

enum { T = 4 };

tile_kernel void cluster_other_layout(float *x, float *out, int n)
{
    tile_grid(n);
    tile_assume(n > 0 && n <= 8);
    tile_extent(x, 2 * n * T);
    tile_extent(out, n * T);

    tile_view a = tile_partition(tile_tensor(x, 2 * n * T), T);
    tile_view b =
        tile_partition(tile_tensor_strided(x, tile_shape(n, T), tile_strides(2 * T, 1)), 1, T);
    tile_view o = tile_partition(tile_tensor(out, n * T), T);

    int i = tile_bid(0);
    tile t = tile_load(b, 0, 0); // @load
    tile_store(a, tile_zeros(float, T), 2 * i + 1);
    tile_store(a, tile_zeros(float, T), 2 * i); // @even
    tile_store(o, tile_reshape(t, T), i);
}

// EXPECT verdict race
// EXPECT TR002 @load @even
// EXPECT observable yes
