#include <tile.h>

static tile worse(tile a, tile b)
{
    return tile_select(tile_gt(a, b), a, b);
}

tile_kernel void k(float *p, const bf16 *q)
{
    tile_view v = tile_partition(tile_tensor(p, 8, 16), 8, 16);
    tile_view w = tile_partition(tile_tensor(q, 16, 8), 16, 8);
    tile x = tile_load(v, 0, 0);
    x = x - tile_expand(tile_reduce(x, 1, -1.0f, worse), 1);
    x = tile_scan_sum(x, 0) * 2;
    x = tile_mma(tile_cast(x, bf16), tile_load(w, 0, 0), tile_zeros(float, 8, 8));
    p[0] = tile_reduce_sum(tile_reduce_max(x, 0), 0);
}
