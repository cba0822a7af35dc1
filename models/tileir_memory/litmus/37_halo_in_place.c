/* 37, in place: part of what a block stores is read by its neighbour. Race: blocks are not ordered
 * (A1, A3). */
#include <tile.h>

enum { T = 4, STEP = 2 };

tile_kernel void halo_in_place(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)STEP * (blocks - 1) + T);

    tile_tensor all = tile_tensor(x, STEP * (blocks - 1) + T);
    tile_view S = tile_strided(all, tile_shape(T), tile_steps(STEP));
    tile_view X = tile_partition(all, STEP);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(S, after_none, &loaded, b);                         // @load
    tile_store_tko(X, tile_extract(v, tile_shape(STEP), 0), after(loaded), b); // @store
}

// EXPECT verdict race
// EXPECT TR002 @load @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3
