#include <tile.h>

tile_kernel void k(int *lock, int *data, int n)
{
    token taken, freed;
    int tries, kept;
    for (tries = 0;; tries++)
        if (tile_to_int(tile_atomic_cas_tko(tile_pointers(lock, 0), 0, 1, true, TILE_ACQUIRE,
                                            TILE_DEVICE, after_none, &taken)) == 0)
            break;
    do
        kept = data[n];
    while (kept == tries);
    token stored = tile_store_ptr_tko(tile_pointers(data, 0), kept, after(taken));
    tile_atomic_tko(TILE_XCHG, tile_pointers(lock, 0), 0, true, TILE_RELEASE, TILE_DEVICE,
                    after(stored), &freed);
}
