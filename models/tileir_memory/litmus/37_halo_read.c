/* 37. Every block reads a tile that overlaps its neighbours' and stores its own tile elsewhere.
 * Race-free: no block writes what is read (A1). */
#include <tile.h>

enum { T = 4, STEP = 2 };

tile_kernel void halo_read(const int *x, int *y, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)STEP * (blocks - 1) + T);
    tile_extent(y, (long)T * blocks);

    tile_tensor all = tile_tensor(x, STEP * (blocks - 1) + T);
    tile_view S = tile_strided(all, tile_shape(T), tile_steps(STEP));
    tile_view Y = tile_partition(tile_tensor(y, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(S, after_none, &loaded, b);
    tile_store_tko(Y, v, after(loaded), b);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3
