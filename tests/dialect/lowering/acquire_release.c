#include <tile.h>

/* A release waits for every buffer, every buffer waits for an acquire. */
tile_kernel void acquire_release(float *restrict a, float *restrict b, int *restrict flag)
{
    a[0] = 1;
    b[0] = 2;
    tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELEASE, TILE_DEVICE);
    int seen = tile_load_ptr_at(tile_pointers(flag, 1), TILE_ACQUIRE, TILE_DEVICE);
    a[1] = seen;
    b[1] = b[2];
}
