#include <tile.h>

tile_kernel void pointers(const long *table, unsigned *p, int n)
{
    tile at = tile_int_to_ptr(tile_load_ptr(tile_pointers(table, tile_iota(4))), float);
    tile_store_masked_at(at, 1, tile_lt(tile_iota(4), n), TILE_RELAXED, TILE_SYS);
    float *f = (float *)p + n;
    f[p[0]] = 2;
    tile far = tile_offset(tile_pointers(p, tile_iota(4)), p[1]);
    token done;
    tile x = tile_load_masked_tko(far, true, 0, TILE_WEAK, TILE_NO_SCOPE, after_none, &done);
    tile_store_ptr_tko(far, x + 1, after(done));
    tile_atomic_masked(TILE_MIN, far, 3, tile_ge(x, 2), TILE_RELAXED, TILE_BLOCK);
}
