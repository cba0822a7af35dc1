/* A lock for each id orders the blocks whose ids are equal. */
#include <tile.h>

tile_kernel void locked(float *restrict y, const int *restrict id, int *restrict lock)
{
    int i = id[tile_bid(0)];
    while (tile_to_int(tile_atomic_cas(tile_pointers(lock, i), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) !=
           0)
        ;
    y[i] = y[i] + 1.0f; // @locked
    tile_store_ptr_at(tile_pointers(lock, i), 0, TILE_RELEASE, TILE_DEVICE);
}

tile_kernel void locked_rows(float *restrict y, const int *restrict row, int *restrict lock)
{
    int r = row[tile_bid(0)];
    tile at = tile_pointers(y, r * 32 + tile_iota(32));
    while (tile_to_int(tile_atomic_cas(tile_pointers(lock, r), 0, 1, TILE_ACQ_REL, TILE_DEVICE)) !=
           0)
        ;
    tile_store_ptr(at, tile_load_ptr(at) + 1.0f); // @rows
    tile_atomic_xchg(tile_pointers(lock, r), 0, TILE_RELEASE, TILE_DEVICE);
}

tile_kernel void locked_by_half(float *restrict y, const int *restrict id, int *restrict lock)
{
    int i = id[tile_bid(0)];
    while (tile_to_int(
               tile_atomic_cas(tile_pointers(lock, i / 2), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
        ;
    y[i] = y[i] + 1.0f; // @half
    tile_store_ptr_at(tile_pointers(lock, i / 2), 0, TILE_RELEASE, TILE_DEVICE);
}

// EXPECT kernel locked
// EXPECT verdict race-free

// EXPECT kernel locked_rows
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

// EXPECT kernel locked_by_half
// EXPECT verdict race-free
