/* 326. Two locks, each with its own data. Race-free (D18, A5). */
#include <tile.h>
tile_kernel void locks_two_data(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 16);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 64);
    tile_contents(f, 0, 0);
    while (tile_to_int(tile_atomic_cas(tile_pointers(f, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
        ;
    x[0] = x[0] + 1;
    tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELEASE, TILE_DEVICE);
    while (tile_to_int(tile_atomic_cas(tile_pointers(f, 1), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
        ;
    y[0] = y[0] + 1;
    tile_store_ptr_at(tile_pointers(f, 1), 0, TILE_RELEASE, TILE_DEVICE);
}

// EXPECT verdict race-free
// LAUNCH grid 2 n 2
