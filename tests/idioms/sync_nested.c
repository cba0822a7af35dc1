/* Waits for many flags in two dimensions: loops in loops, rows of lanes, a tile of rows and columns
 * that is reduced twice or reshaped. What one of them leaves out is a race. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(n == 16);                                                                          \
    tile_extent(x, 64);                                                                            \
    tile_extent(y, 64);                                                                            \
    tile_extent(f, 64);                                                                            \
    tile_contents(f, 0, 0)
#define SET(at)   tile_store_ptr_at(tile_pointers(f, at), 1, TILE_RELEASE, TILE_DEVICE)
#define LOOK(at)  tile_load_ptr_at(tile_pointers(f, at), TILE_ACQUIRE, TILE_DEVICE)
#define ONE(at)   tile_to_int(LOOK(at))
#define LEAST(at) tile_to_int(tile_reduce_min(LOOK(at), 0))

tile_kernel void loop_in_loop(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    SET(b);
    if (b == 0) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                while (ONE(4 * i + j) == 0)
                    ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel loop_in_loop
// EXPECT verdict race-free

tile_kernel void loop_in_short_loop(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @loop_in_short_loop_a
    SET(b);
    if (b == 0) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                while (ONE(4 * i + j) == 0)
                    ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j]; // @loop_in_short_loop_b
    }
}
// EXPECT kernel loop_in_short_loop
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @loop_in_short_loop_a @loop_in_short_loop_b

tile_kernel void short_loop_in_loop(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @short_loop_in_loop_a
    SET(b);
    if (b == 0) {
        for (int i = 0; i < 4; i++)
            for (int j = 1; j < 4; j++)
                while (ONE(4 * i + j) == 0)
                    ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j]; // @short_loop_in_loop_b
    }
}
// EXPECT kernel short_loop_in_loop
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @short_loop_in_loop_a @short_loop_in_loop_b

/* Rows and columns of the launch's sizes. */
tile_kernel void loops_by_size(int *restrict x, int *restrict y, int *restrict f, int rows)
{
    tile_grid(rows * 8);
    tile_assume(1 <= rows && rows <= 8);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 64);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1;
    SET(b);
    if (b == 0) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < 8; j++)
                while (ONE(8 * i + j) == 0)
                    ;
        for (int j = 0; j < 8 * rows; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel loops_by_size
// EXPECT verdict race-free

/* Steps that overlap, and leave the last rows out. */
tile_kernel void loops_that_overlap(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @loops_that_overlap_a
    SET(b);
    if (b == 0) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                while (ONE(2 * i + j) == 0)
                    ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j]; // @loops_that_overlap_b
    }
}
// EXPECT kernel loops_that_overlap
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @loops_that_overlap_a @loops_that_overlap_b

/* A row of lanes in each step of a loop. */
tile_kernel void rows_of_lanes(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    SET(b);
    if (b == 0) {
        for (int i = 0; i < 4; i++)
            while (LEAST(tile_add(tile_iota(4), 4 * i)) == 0)
                ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel rows_of_lanes
// EXPECT verdict race-free

tile_kernel void rows_of_few_lanes(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @rows_of_few_lanes_a
    SET(b);
    if (b == 0) {
        for (int i = 0; i < 4; i++)
            while (LEAST(tile_add(tile_iota(2), 4 * i)) == 0)
                ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j]; // @rows_of_few_lanes_b
    }
}
// EXPECT kernel rows_of_few_lanes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @rows_of_few_lanes_a @rows_of_few_lanes_b

/* The sum of each row. */
tile_kernel void sums_of_rows(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    SET(b);
    if (b == 0) {
        for (int i = 0; i < 4; i++)
            while (tile_to_int(tile_reduce_sum(LOOK(tile_add(tile_iota(4), 4 * i)), 0)) != 4)
                ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel sums_of_rows
// EXPECT verdict race-free

/* Rows and columns, flat. */
tile_kernel void reshaped(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    SET(b);
    if (b == 0) {
        while (tile_to_int(tile_reduce_min(
                   tile_reshape(LOOK(tile_reshape(tile_iota(16), 4, 4)), 16), 0)) == 0)
            ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel reshaped
// EXPECT verdict race-free

tile_kernel void reshaped_short(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @reshaped_short_a
    SET(b);
    if (b == 0) {
        while (tile_to_int(tile_reduce_min(tile_reshape(LOOK(tile_reshape(tile_iota(8), 2, 4)), 8),
                                           0)) == 0)
            ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j]; // @reshaped_short_b
    }
}
// EXPECT kernel reshaped_short
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @reshaped_short_a @reshaped_short_b

/* Rows first, then columns. */
tile_kernel void reduced_twice(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    SET(b);
    if (b == 0) {
        while (tile_to_int(tile_reduce_min(
                   tile_reduce_min(LOOK(tile_reshape(tile_iota(16), 4, 4)), 1), 0)) == 0)
            ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel reduced_twice
// EXPECT verdict race-free

/* The greatest of each row. */
tile_kernel void reduced_by_maximum(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @reduced_by_maximum_a
    SET(b);
    if (b == 0) {
        while (tile_to_int(tile_reduce_min(
                   tile_reduce_max(LOOK(tile_reshape(tile_iota(16), 4, 4)), 1), 0)) == 0)
            ;
        for (int j = 0; j < 16; j++)
            y[j] = x[j]; // @reduced_by_maximum_b
    }
}
// EXPECT kernel reduced_by_maximum
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @reduced_by_maximum_a @reduced_by_maximum_b
