/* Values that a loop carries and whose steps are read from a table: by which elements, tile blocks
 * and ways round the loop they are the same. */
#include <tile.h>

/* Each element of a tile moves by its own steps. */
tile_kernel void elements_move_apart(int *restrict x, const int *restrict steps, int n)
{
    tile_grid(2);
    tile_assume(0 < n && n <= 4);
    tile_extent(steps, 8);
    tile_contents(steps, 0, 10);
    tile_extent(x, 1);
    int b = tile_bid(0);
    tile at = tile_iota(2);
    for (int i = 0; i < n; i++)
        at = at + 3 * tile_maximum(tile_load_ptr(tile_pointers(steps, tile_iota(2) + i)), 0);
    int first = tile_to_int(tile_extract(at, tile_shape(1), 0));
    int second = tile_to_int(tile_extract(at, tile_shape(1), 1));
    if (second - first > 1)
        x[0] = b; // @elements_move_apart
}

// EXPECT kernel elements_move_apart
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @elements_move_apart @elements_move_apart

/* All tile blocks move by the same steps, but start at places of their own. */
tile_kernel void own_totals(int *restrict x, const int *restrict steps, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 4);
    tile_extent(steps, 4);
    tile_contents(steps, -10, 10);
    tile_extent(x, 1);
    int b = tile_bid(0), total = b;
    for (int i = 0; i < n; i++) {
        if (i == 0 && total < 100)
            x[0] = b; // @own_totals
        total += steps[i];
    }
}

// EXPECT kernel own_totals
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @own_totals @own_totals

tile_kernel void same_totals(float *restrict x, float *restrict y, const int *restrict steps, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 4);
    tile_extent(steps, 4);
    tile_contents(steps, -10, 10);
    tile_extent(x, 1024);
    tile_extent(y, 4);
    int b = tile_bid(0), total = 100;
    for (int i = 0; i < n; i++) {
        if (i == 1)
            x[total + b] = (float)b;
        total += steps[i];
        if (b == 2)
            continue;
        y[b] = 1.0f;
    }
}

// EXPECT kernel same_totals
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch

/* One tile block moves twice as far. */
tile_kernel void totals_by_two_ways(float *restrict x, const int *restrict steps, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 4);
    tile_extent(steps, 4);
    tile_contents(steps, 1, 1);
    tile_extent(x, 1024);
    int b = tile_bid(0), total = 100;
    for (int i = 0; i < n; i++) {
        if (i == 1)
            x[total + b] = (float)b; // @totals_by_two_ways
        if (b == 2) {
            total += 2 * steps[i];
            continue;
        }
        total += steps[i];
    }
}

// EXPECT kernel totals_by_two_ways
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT TR001 @totals_by_two_ways @totals_by_two_ways

/* What a round before has found out is not yet known of the first round. */
tile_kernel void first_round_before_a_bound(float *restrict x, int *restrict y,
                                            const int *restrict steps, int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 4);
    tile_extent(x, 1);
    tile_extent(y, 4);
    tile_extent(steps, n);
    tile_contents(steps, 0, 5);
    int b = tile_bid(0), place = b;
    for (int i = 0; i < n; i++) {
        if (i == 0 && place < 4)
            x[0] = (float)b; // @first_round_before_a_bound
        for (int j = 0; j < steps[i]; j++)
            place = place + 4;
        while (place >= 30 * i + 30)
            y[b] = 1;
    }
}

// EXPECT kernel first_round_before_a_bound
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @first_round_before_a_bound @first_round_before_a_bound

/* The inner loop runs half as often as the table says. */
tile_kernel void rounds_by_two(float *restrict x, float *restrict y, const int *restrict steps,
                               int n)
{
    tile_grid(4);
    tile_assume(0 < n && n <= 4);
    tile_extent(steps, n);
    tile_contents(steps, 0, 20);
    tile_extent(x, 1);
    tile_extent(y, 1024);
    int b = tile_bid(0), place = b;
    for (int i = 0; i < n; i++) {
        if (i > 0 && steps[i - 1] > 5)
            x[0] = (float)b; // @rounds_by_two
        if (place < 1000)
            y[place] = 1.0f;
        int j = 0;
        while (2 * j < steps[i]) {
            j++;
            place += 4;
        }
    }
}

// EXPECT kernel rounds_by_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @rounds_by_two @rounds_by_two
