// Extents are unsigned: a negative one is a huge tensor, not an empty one.
#include <tile.h>

enum { T = 4 };

tile_kernel void extent_negative(float *x, int n, int m)
{
    tile_grid(n);
    tile_assume(n > 0 && n <= 8 && m >= -8 && m < 0);
    tile_store(tile_partition(tile_tensor(x, m), T), tile_zeros(float, T), 0); // @store
}

// EXPECT verdict unknown
// EXPECT reason unsupported-op
// EXPECT TR007 @store possible
