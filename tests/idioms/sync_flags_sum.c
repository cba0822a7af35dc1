/* Sums of many flags: a block waits until the sum of all flags is their number, with a tile that is
 * as long as there are flags or longer and masked. A sum that other flags can reach, or that may
 * wrap, says nothing of one flag. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 16);                                                                \
    tile_extent(x, 64);                                                                            \
    tile_extent(y, 64);                                                                            \
    tile_extent(f, 64);                                                                            \
    tile_contents(f, 0, 0)
#define SET(at, to) tile_store_ptr_at(tile_pointers(f, at), to, TILE_RELEASE, TILE_DEVICE)
#define LOOK(lanes) tile_load_ptr_at(tile_pointers(f, tile_iota(lanes)), TILE_ACQUIRE, TILE_DEVICE)
#define LOOK_BELOW(lanes, n)                                                                       \
    tile_load_masked_at(tile_pointers(f, tile_iota(lanes)), tile_lt(tile_iota(lanes), n), 0,       \
                        TILE_ACQUIRE, TILE_DEVICE)
#define SUM(t) tile_to_int(tile_reduce_sum(t, 0))

tile_kernel void all_of_four(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(4);
    tile_extent(f, 4);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1;
    SET(b, 1);
    if (b == 0) {
        while (SUM(LOOK(4)) != 4)
            ;
        for (int j = 0; j < 4; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel all_of_four
// EXPECT verdict race-free

/* Three of four. */
tile_kernel void three_of_four(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(4);
    tile_extent(f, 4);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1; // @three_of_four_a
    SET(b, 1);
    if (b == 0) {
        while (SUM(LOOK(4)) < 3)
            ;
        for (int j = 0; j < 4; j++)
            y[j] = x[j]; // @three_of_four_b
    }
}
// EXPECT kernel three_of_four
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @three_of_four_a @three_of_four_b

/* The lanes below n, where the tile is longer. */
tile_kernel void all_below(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    SET(b, 1);
    if (b == 0) {
        while (SUM(LOOK_BELOW(16, n)) < n)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel all_below
// EXPECT verdict race-free

/* One lane less. */
tile_kernel void all_below_but_one(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @all_below_but_one_a
    SET(b, 1);
    if (b == 0) {
        while (SUM(LOOK_BELOW(16, n)) < n - 1)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @all_below_but_one_b
    }
}
// EXPECT kernel all_below_but_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @all_below_but_one_a @all_below_but_one_b

/* Padded with 1: the lanes beyond n count as well. */
tile_kernel void padded_by_one(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @padded_by_one_a
    SET(b, 1);
    if (b == 0) {
        while (SUM(tile_load_masked_at(tile_pointers(f, tile_iota(32)), tile_lt(tile_iota(32), n),
                                       1, TILE_ACQUIRE, TILE_DEVICE)) < n)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @padded_by_one_b
    }
}
// EXPECT kernel padded_by_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @padded_by_one_a @padded_by_one_b

/* Flags that are 3. */
tile_kernel void threes(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    SET(b, 3);
    if (b == 0) {
        while (SUM(LOOK_BELOW(16, n)) != 3 * n)
            ;
        y[b] = x[n - 1];
    }
}
// EXPECT kernel threes
// EXPECT verdict race-free

/* Some flags are 2, so that they count for others. */
tile_kernel void ones_and_twos(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @ones_and_twos_a
    if (b % 2 == 0)
        SET(b, 2);
    else
        SET(b, 1);
    if (b == 0) {
        while (SUM(LOOK_BELOW(16, n)) < n)
            ;
        y[b] = x[n - 1]; // @ones_and_twos_b
    }
}
// EXPECT kernel ones_and_twos
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @ones_and_twos_a @ones_and_twos_b

/* How many flags are not 0. */
tile_kernel void number_of_flags(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(8);
    tile_extent(f, 8);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1;
    SET(b, b + 1);
    if (b == 0) {
        while (SUM(tile_select(tile_ne(LOOK(8), 0), 1, 0)) != 8)
            ;
        y[b] = x[7];
    }
}
// EXPECT kernel number_of_flags
// EXPECT verdict race-free

/* How many flags are less than 4, which they also are before. */
tile_kernel void number_of_small_flags(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(8);
    tile_extent(f, 8);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1; // @number_of_small_flags_a
    SET(b, 1);
    if (b == 0) {
        while (SUM(tile_select(tile_lt(LOOK(8), 4), 1, 0)) != 8)
            ;
        y[b] = x[7]; // @number_of_small_flags_b
    }
}
// EXPECT kernel number_of_small_flags
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @number_of_small_flags_a @number_of_small_flags_b

/* The flags of others are set to 1 and back. */
tile_kernel void set_back(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    SET(b, 1);
    x[b] = 1; // @set_back_a
    SET(b, 0);
    if (b == 0) {
        while (SUM(LOOK_BELOW(16, n)) < n - 1)
            ;
        y[b] = x[n - 1]; // @set_back_b
    }
}
// EXPECT kernel set_back
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @set_back_a @set_back_b

/* Flags are 1 at launch where the contract leaves it open. */
tile_kernel void some_set_at_launch(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 16);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 64);
    tile_contents(f, 0, 1);
    int b = tile_bid(0);
    x[b] = 1; // @some_set_at_launch_a
    SET(b, 1);
    if (b == 0) {
        while (SUM(LOOK_BELOW(16, n)) < n)
            ;
        y[b] = x[n - 1]; // @some_set_at_launch_b
    }
}
// EXPECT kernel some_set_at_launch
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @some_set_at_launch_a @some_set_at_launch_b

/* A release that comes before the store. */
tile_kernel void summed_too_early(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    SET(b, 1);
    x[b] = 1; // @summed_too_early_a
    if (b == 0) {
        while (SUM(LOOK_BELOW(16, n)) < n)
            ;
        y[b] = x[n - 1]; // @summed_too_early_b
    }
}
// EXPECT kernel summed_too_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR016 @summed_too_early_a @summed_too_early_b
