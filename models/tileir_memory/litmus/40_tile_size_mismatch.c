/* 40. Each block stores by tiles of 2 and then reads by tiles of 4, after its store. Race: the tile
 * that it reads also has elements of its neighbours (A1, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void tile_size_mismatch(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(x, 2l * T * blocks);
    tile_extent(seen, 2l * T * blocks);

    tile_view narrow = tile_partition(tile_tensor(x, 2 * T * blocks), T);
    tile_view wide = tile_partition(tile_tensor(x, 2 * T * blocks), 2 * T);
    tile_view S = tile_partition(tile_tensor(seen, 2 * T * blocks), 2 * T);
    int b = tile_bid(0);

    token loaded;
    token stored = tile_store_tko(narrow, b, after_none, b); // @store
    tile v = tile_load_tko(wide, after(stored), &loaded, b); // @load
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race
// EXPECT TR002 @store @load
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3
