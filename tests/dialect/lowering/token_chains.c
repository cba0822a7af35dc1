#include <tile.h>

tile_kernel void k(float *a, float *b, int n)
{
    tile_distinct(a, b);
    tile_view u = tile_partition(tile_tensor(a, n), 64), v = tile_partition(tile_tensor(b, n), 64);
    for (int i = 0; i < n; i++)
        tile_load(u, i);
    tile_store(u, 0, 0);
    for (int i = 0; i < n; i++)
        if (i > 3)
            tile_store(v, 0, i);
    tile_load(v, 1);
}
