/* Two kernels of one file have a value at the same place, of types with other ranges: what is known
 * of the first one's says nothing of the second one's. */
#include <tile.h>

tile_kernel void bytes(float *restrict y, signed char *restrict c)
{
    tile_grid(2);
    tile_extent(y, 1024);
    tile_extent(c, 2);
    int b = tile_bid(0);
    int v = c[b];
    c[b] = 1;
    y[512 * b + (v & 255)] = 1.0f;
}

tile_kernel void words(float *restrict y, int *restrict c)
{
    tile_grid(2);
    tile_extent(y, 1024);
    tile_extent(c, 2);
    int b = tile_bid(0);
    int v = c[b];
    c[b] = 1;
    if (0 <= v && v < 512)
        y[(v > 200 ? 0 : 512 * b) + v] = 1.0f; // @store
}

// EXPECT kernel bytes
// EXPECT verdict race-free

// It races where a word holds more than 200; a value that the kernel writes itself is not invented.
// EXPECT kernel words
// EXPECT verdict unknown
// EXPECT reason data-dependent
// EXPECT TR001 @store @store possible
