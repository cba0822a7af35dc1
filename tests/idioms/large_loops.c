/* Loops so large that the checker stops trying out what they carry. A nest computes nothing of use:
 * each of its loops makes the loops around it twice as long to try. */
#include <tile.h>

#define TWICE(v) for (int v = 0; v < 2; v++)
#define NINE_LOOPS                                                                                 \
    TWICE(i0) TWICE(i1) TWICE(i2) TWICE(i3) TWICE(i4) TWICE(i5) TWICE(i6) TWICE(i7) TWICE(i8)
#define TWELVE_LOOPS NINE_LOOPS TWICE(i9) TWICE(i10) TWICE(i11)

/* Who takes the first way in round 1 stays below 100, who takes the second way does not. The nest
 * is so large that the last trial ends in it, before it comes to the end of the second way. */
tile_kernel void two_ways_small_nest(float *restrict x, int *restrict y, const int *restrict steps,
                                     const int *restrict flags, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 8);
    tile_extent(steps, n);
    tile_contents(steps, 0, 100);
    tile_extent(flags, n);
    tile_extent(x, 1024);
    tile_extent(y, 4);
    int b = tile_bid(0), place = b, sum = 0;
    for (int i = 0; i < n; i++) {
        if (place >= 100 && i == 2)
            x[0] = (float)b; // @small
        for (int j = 0; j < steps[i]; j++)
            place = place + 4;
        if (flags[i] > 0) {
            while (place >= 100 && i == 1)
                y[b] = 1;
            continue;
        }
        sum = 0;
        NINE_LOOPS
        {
            sum = (sum + 2) * 3;
            sum = (sum + 3) * 3;
            sum = (sum + 4) * 3;
        }
        if (sum > 5)
            y[b] = 0;
    }
}

// EXPECT kernel two_ways_small_nest
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @small @small

tile_kernel void two_ways_large_nest(float *restrict x, int *restrict y, const int *restrict steps,
                                     const int *restrict flags, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 8);
    tile_extent(steps, n);
    tile_contents(steps, 0, 100);
    tile_extent(flags, n);
    tile_extent(x, 1024);
    tile_extent(y, 4);
    int b = tile_bid(0), place = b, sum = 0;
    for (int i = 0; i < n; i++) {
        if (place >= 100 && i == 2)
            x[0] = (float)b; // @large
        for (int j = 0; j < steps[i]; j++)
            place = place + 4;
        if (flags[i] > 0) {
            while (place >= 100 && i == 1)
                y[b] = 1;
            continue;
        }
        sum = 0;
        NINE_LOOPS
        {
            sum = (sum + 2) * 3;
            sum = (sum + 3) * 3;
            sum = (sum + 4) * 3;
            sum = (sum + 5) * 3;
            sum = (sum + 6) * 3;
        }
        if (sum > 5)
            y[b] = 0;
    }
}

// EXPECT kernel two_ways_large_nest
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @large @large

/* The trial ends before the place is given up. */
tile_kernel void changes_behind_a_nest(float *restrict x, int *restrict y, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 8);
    tile_extent(x, 4);
    tile_extent(y, 4);
    int b = tile_bid(0), place = b, sum = 0;
    for (int i = 0; i < n; i++) {
        x[place] = (float)b; // @place
        sum = 0;
        TWELVE_LOOPS
        {
            sum = (sum + 2) * 3;
        }
        if (sum > 5)
            y[b] = 0;
        place = 0;
    }
}

// EXPECT kernel changes_behind_a_nest
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT TR001 @place @place
