/* Flags and counters that the kernel sets and nobody resets: true for the first launch alone. */
#include <tile.h>

tile_kernel void told_once(float *restrict x, float *restrict y, int *restrict flag)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @x
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(flag, 0), TILE_ACQUIRE, TILE_DEVICE)) ==
               0)
            ;
        y[0] = x[0]; // @told
    }
}

tile_kernel void chain(float *restrict x, int *restrict flag)
{
    int i = tile_bid(0);
    if (i > 0) {
        while (tile_to_int(
                   tile_load_ptr_at(tile_pointers(flag, i - 1), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        x[i] = x[i - 1] + 1.0f; // @chain
    } else {
        x[0] = 0.0f; // @first
    }
    tile_store_ptr_at(tile_pointers(flag, i), 1, TILE_RELEASE, TILE_DEVICE);
}

tile_kernel void last_sums(float *restrict part, float *restrict sum, int *restrict count)
{
    int i = tile_bid(0), n = tile_grid_extent(0);
    part[i] = 1.0f; // @part
    int before =
        tile_to_int(tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE));
    if (before == n - 1) {
        float s = 0.0f;
        for (int k = 0; k < n; k++)
            s += part[k]; // @sum
        sum[0] = s;
    }
}

// EXPECT kernel told_once
// EXPECT verdict conditional
// EXPECT TR002 @x @told
// EXPECT requires stale-synchronisation:race

// EXPECT kernel chain
// EXPECT verdict conditional
// EXPECT TR002 @chain @first
// EXPECT requires stale-synchronisation:race

// EXPECT kernel last_sums
// EXPECT verdict conditional
// EXPECT TR002 @part @sum
// EXPECT requires stale-synchronisation:race
