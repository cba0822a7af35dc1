#include <tile.h>

tile_kernel void k(unsigned *c, float *f, int *l)
{
    int old = tile_atomic_max(tile_pointers(c, 0), 5, TILE_RELAXED, TILE_DEVICE);
    tile_atomic_add(tile_pointers(f, old), 1, TILE_ACQ_REL, TILE_SYS);
    while (tile_to_int(tile_atomic_cas(tile_pointers(l, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
        ;
    f[1] = 2;
    tile_atomic_xchg(tile_pointers(l, 0), 0, TILE_RELEASE, TILE_DEVICE);
}
