/* Values that a loop changes by an inner loop: what they are in the first round. */
#include <tile.h>

/* In the first round the place is still the one that the loop starts with. */
tile_kernel void first_round(float *restrict x, const int *restrict steps, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 8);
    tile_extent(steps, n);
    tile_contents(steps, 0, 8);
    tile_extent(x, 1024);
    int b = tile_bid(0), place = 0;
    for (int i = 0; i < n; i++) {
        if (i == 0 && place < 4)
            x[place] = (float)b; // @first
        for (int j = 0; j < steps[i]; j++)
            place = place + 4;
    }
}

// EXPECT kernel first_round
// EXPECT requires no-wrap:launch
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @first @first

/* Each tile block starts at its own element and moves by as many as there are. */
tile_kernel void own_starts(float *restrict x, const int *restrict steps, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 8);
    tile_extent(steps, n);
    tile_contents(steps, 0, 8);
    tile_extent(x, 1024);
    int b = tile_bid(0), place = b;
    for (int i = 0; i < n; i++) {
        x[place] = (float)b;
        for (int j = 0; j < steps[i]; j++)
            place = place + 4;
    }
}

// EXPECT kernel own_starts
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT verdict race-free

/* One start is shared. */
tile_kernel void shared_starts(float *restrict x, const int *restrict steps, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 8);
    tile_extent(steps, n);
    tile_contents(steps, 0, 8);
    tile_extent(x, 1024);
    int b = tile_bid(0), place = b / 2;
    for (int i = 0; i < n; i++) {
        if (i == 0)
            x[place] = (float)b; // @shared
        for (int j = 0; j < steps[i]; j++)
            place = place + 4;
    }
}

// EXPECT kernel shared_starts
// EXPECT requires no-wrap:launch
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @shared @shared
