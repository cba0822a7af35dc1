/* What a contract states of unsigned contents, which the kernel reads as signed numbers. */
#include <tile.h>

tile_kernel void beyond_signed(float *restrict y, const unsigned char *restrict d)
{
    tile_grid(8);
    tile_extent(y, 8);
    tile_extent(d, 8);
    tile_contents(d, 0, 255);
    int i = tile_bid(0);
    y[d[i] > 127 ? 0 : i] = 1.0f; // @store
}

tile_kernel void within_signed(float *restrict y, const unsigned char *restrict d)
{
    tile_grid(8);
    tile_extent(y, 8);
    tile_extent(d, 8);
    tile_contents(d, 0, 100);
    int i = tile_bid(0);
    y[d[i] > 127 ? 0 : i] = 1.0f;
}

// Two bytes above 127 are found, and both blocks store the first element.
// EXPECT kernel beyond_signed
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store

// EXPECT kernel within_signed
// EXPECT verdict race-free
