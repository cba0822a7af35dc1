#include <tile.h>

tile_kernel void k(float *p, int n)
{
    tile_view v = tile_partition(tile_tensor(p, n), 64);
    token t = make_token(), l;
    for (int i = 0; i < n; i++) {
        tile x = tile_load_tko(v, after(t), &l, i);
        t = tile_store_tko(v, x, after(l, t), i);
    }
    tile_join_order(p, t);
    p[0] = 1;
    tile_load_tko_at(v, TILE_ACQUIRE, TILE_DEVICE, after_none, &l, 0);
    token q = tile_order_token(p);
    tile_store_tko_at(v, 0, TILE_RELEASE, TILE_DEVICE, after(q), 0);
}
