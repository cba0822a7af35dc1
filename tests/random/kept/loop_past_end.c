// Behind the loop the counter is where a next iteration would be, which is more than all of its
// own.
#include <tile.h>

tile_kernel void loop_past_end(int *x)
{
    tile_grid(4);
    int at = 1;
    for (int j = 0; j < 1; j += 2)
        at = 0;
    x[at * tile_bid(0)] = tile_bid(0); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
