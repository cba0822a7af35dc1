#include <tile.h>

tile_kernel void k(float *p, const int *rows, int n)
{
    tile r = tile_load_ptr(tile_pointers(rows, tile_iota(32)));
    tile_view g = tile_gather_scatter(tile_tensor(p, n, 128), 0, 32, 64);
    tile_view s = tile_strided(tile_tensor(p, 1024), tile_shape(16), tile_steps(8));
    tile_store(g, tile_load(g, r, 64), r, 0);
    tile_store(s, 0, 1L);
    tile_store_masked(tile_pointers(p, r), 2, tile_lt(r, n));
}
