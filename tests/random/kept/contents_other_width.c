// Facts on the contents of ints say nothing of their halves.
#include <tile.h>

tile_kernel void contents_other_width(const int *index, float *out, int n)
{
    tile_grid(n);
    tile_assume(n > 0 && n <= 64);
    tile_extent(index, n);
    tile_contents(index, 0, n - 1);
    tile_unique(index);
    const short *half = (const short *)index;
    out[half[tile_bid(0)]] = 0.0f; // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
