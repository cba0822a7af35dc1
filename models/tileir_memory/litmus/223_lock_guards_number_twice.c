/* 223. As 140, but under the lock the number is first raised by 4, and then set to only one more;
 * blocks use runs of four from there. Race: the numbers are one apart. */
#include <tile.h>

tile_kernel void lock_guards_number_twice(int *d, int *lock, int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_extent(x, 4l * blocks);
    tile_contents(lock, 0, 0);
    tile_contents(d, 0, 0);

    while (tile_to_int(tile_atomic_cas(tile_pointers(lock, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) !=
           0)
        ;
    int first = d[0];
    d[0] = first + 4;
    d[0] = first + 1;
    tile_store_ptr_at(tile_pointers(lock, 0), 0, TILE_RELEASE, TILE_DEVICE);
    if (0 <= first && first < blocks)
        tile_store_ptr(tile_pointers(x, first + tile_iota(4)), 1); // @store
}

// EXPECT verdict race
// EXPECT TR021 @store @store
// EXPECT observable no
// LAUNCH grid 2 blocks 2
