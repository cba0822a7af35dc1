/* Words of which the contract states a range, in launches whose numbers are all fixed: which of the
 * contents race is found by running some of them. */
#include <tile.h>

#define ADD(i, v, order) tile_to_int(tile_atomic_add(tile_pointers(f, i), v, order, TILE_DEVICE))

tile_kernel void semaphore(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, -1, 0);
    tile_extent(f, 4);
    tile_extent(x, 4);
    if (ADD(0, 1, TILE_ACQUIRE) <= 0)
        x[0] = x[0] + 1; // @semaphore
    ADD(0, -1, TILE_RELEASE);
}

/* The same that starts at 0 in every launch. */
tile_kernel void semaphore_at_zero(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_extent(f, 4);
    tile_extent(x, 4);
    if (ADD(0, 1, TILE_ACQUIRE) <= 0)
        x[0] = x[0] + 1;
    ADD(0, -1, TILE_RELEASE);
}

/* Block 4 waits for the flag of whichever block the table gives flag 2. */
tile_kernel void flags_by_table(int *restrict x, int *restrict y, int *restrict f,
                                const int *restrict g, int unread)
{
    tile_grid(5);
    tile_contents(f, 0, 0);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 64);
    tile_extent(g, 64);
    int b = tile_bid(0);
    if (b < 4) {
        x[b] = 1; // @stored
        int t = g[b];
        tile_assert(t >= 0 && t < 64);
        tile_store_ptr_at(tile_pointers(f, t), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 2), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        y[0] = x[2]; // @loaded
    }
}

/* A semaphore that may begin below 0, beside a parameter that nobody reads. */
tile_kernel void semaphore_beside(int *restrict x, int *restrict f, int unread)
{
    tile_grid(4);
    tile_contents(f, -1, 0);
    tile_extent(f, 64);
    tile_extent(x, 64);
    if (ADD(0, 1, TILE_ACQUIRE) <= 0)
        x[0] = x[0] + 1; // @beside
    ADD(0, -1, TILE_RELEASE);
}

// EXPECT kernel semaphore
// EXPECT verdict race
// EXPECT TR020 @semaphore @semaphore
// EXPECT TR020 @semaphore @semaphore
// EXPECT observable yes

// EXPECT kernel semaphore_at_zero
// EXPECT verdict race-free

// EXPECT kernel semaphore_beside
// EXPECT verdict race
// EXPECT TR020 @beside @beside
// EXPECT TR020 @beside @beside
// EXPECT observable yes

// EXPECT kernel flags_by_table
// EXPECT verdict race
// EXPECT TR020 @stored @loaded
// EXPECT requires contents-range:launch
// EXPECT observable yes
