/* 222. As 140, but the number is raised after the lock is released. Race on the number and on the
 * items (D18). */
#include <tile.h>

tile_kernel void lock_guards_queue_late(int *x, int *next, int *lock, int n, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10 && 0 < n && n <= 1 << 16);
    tile_extent(x, n);
    tile_extent(next, 1);
    tile_extent(lock, 1);
    tile_contents(next, 0, 0);
    tile_contents(lock, 0, 0);

    while (tile_to_int(tile_atomic_cas(tile_pointers(lock, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) !=
           0)
        ;
    int item = next[0]; // @read
    tile_store_ptr_at(tile_pointers(lock, 0), 0, TILE_RELEASE, TILE_DEVICE);
    next[0] = item + 1; // @raise
    if (0 <= item && item < n)
        x[item] = 1; // @item
}

// EXPECT verdict race
// EXPECT TR021 @read @raise
// EXPECT TR021 @raise @raise
// EXPECT TR021 @item @item
// EXPECT observable yes
// LAUNCH grid 2 n 1 blocks 2
