/* 67. As 66 by load, add and store. Race: a share is lost if two blocks load before either of them
 * stores (A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void split_k_plain(float *y, int tiles, int splits)
{
    tile_grid(tiles, splits);
    tile_assume(0 < tiles && tiles <= 1 << 20 && 1 < splits && splits <= 1 << 20);
    tile_extent(y, (long)T * tiles);

    tile_view Y = tile_partition(tile_tensor(y, T * tiles), T);
    int i = tile_bid(0);

    token loaded;
    tile old = tile_load_tko(Y, after_none, &loaded, i); // @load
    tile_store_tko(Y, old + 1.0f, after(loaded), i);     // @store
}

// EXPECT verdict race
// EXPECT TR002 @load @store
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 1,2 tiles 1 splits 2
// LAUNCH grid 2,3 tiles 2 splits 3
