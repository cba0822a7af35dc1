#include <tile.h>

tile_kernel void broadcast(float *p, float s, int n)
{
    tile_view v = tile_partition(tile_tensor(p, 4, 8), 4, 8);
    tile x = tile_load(v, 0, 0), row = tile_cast(tile_iota(8), float);
    x = x * s + row - tile_expand(tile_reduce_max(x, 1), 1);
    x += 1;
    x /= 2.0f * s;
    tile keep = tile_and(tile_lt(tile_expand(tile_iota(4), 1), n), tile_ne(row, s));
    x = tile_select(keep, tile_fma(x, 2, row), TILE_INF);
    x = tile_maximum(-x, tile_pow(tile_abs(x), 0.5f));
    tile_store(v, x, 0, 0);
}
