// Two stores of one form through tensors of one layout but different lengths: the longer one
// reaches where the shorter one is masked.
#include <tile.h>

enum { T = 4 };

tile_kernel void cluster_longer_tensor(float *x, float *out, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 8);
    tile_extent(x, 64 * T);
    tile_extent(out, 8 * T);

    tile_view a = tile_partition(tile_tensor(x, n, T), 1, T);
    tile_view b = tile_partition(tile_tensor(x, 64, T), 1, T);
    tile_view o = tile_partition(tile_tensor(out, n, T), 1, T);

    int i = tile_bid(0);
    tile t = tile_load(b, 8, 0); // @load
    tile_store(a, tile_zeros(float, 1, T), i, 0);
    tile_store(b, tile_zeros(float, 1, T), i + 8, 0); // @store
    tile_store(o, t, i, 0);
}

// EXPECT verdict race
// EXPECT TR002 @load @store
// EXPECT observable yes
