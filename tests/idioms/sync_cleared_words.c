/* Words to synchronise by are 0 at launch, where nobody states anything else: a launch with other
 * contents shows no race. */
#include <tile.h>

tile_kernel void waits_and_clears(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 8);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 64);
    int b = tile_bid(0);
    x[b] = 1.0f; // @cleared
    tile_atomic_or(tile_pointers(f, 0), 1 << b, TILE_RELEASE, TILE_DEVICE);
    if (b == 0) {
        int all = (1 << n) - 1;
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) != all)
            ;
        for (int i = 0; i < n; i++)
            y[i] = x[i]; // @read
        tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELAXED, TILE_DEVICE);
    }
}

/* Stated to hold anything, the words may say at launch that all have stored. */
tile_kernel void waits_for_any(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 6);
    tile_contents(f, 0, 63);
    int b = tile_bid(0);
    x[b] = 1.0f; // @stored
    tile_atomic_or(tile_pointers(f, 0), 1 << b, TILE_RELEASE, TILE_DEVICE);
    if (b == 0) {
        int all = (1 << n) - 1;
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) != all)
            ;
        for (int i = 0; i < n; i++)
            y[i] = x[i]; // @any
    }
}

// EXPECT kernel waits_and_clears
// EXPECT verdict unknown
// EXPECT TR020 @cleared @read possible
// EXPECT requires contents-range:standing no-wrap:launch
// EXPECT observable no

// EXPECT kernel waits_for_any
// EXPECT verdict race
// EXPECT TR020 @stored @any
// EXPECT requires no-wrap:launch
// EXPECT observable no
