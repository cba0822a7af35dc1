/* Words to synchronise by that nobody states anything of: do they hold 0 at the next launch too? */
#include <tile.h>

#define LOOK(p, i)    tile_to_int(tile_load_ptr_at(tile_pointers(p, i), TILE_ACQUIRE, TILE_DEVICE))
#define TELL(p, i, v) tile_store_ptr_at(tile_pointers(p, i), v, TILE_RELEASE, TILE_DEVICE)
#define PUT(p, i, v)  tile_store_ptr_at(tile_pointers(p, i), v, TILE_RELAXED, TILE_DEVICE)
#define COUNT(p, i)   tile_to_int(tile_atomic_add(tile_pointers(p, i), 1, TILE_ACQ_REL, TILE_DEVICE))

tile_kernel void flag_is_reset(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @flag_is_reset_x
        TELL(f, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @flag_is_reset_y
        PUT(f, 0, 0);
    }
}

tile_kernel void flag_is_exchanged(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @flag_is_exchanged_x
        TELL(f, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @flag_is_exchanged_y
        tile_atomic_xchg(tile_pointers(f, 0), 0, TILE_RELAXED, TILE_DEVICE);
    }
}

tile_kernel void other_word_is_reset(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @other_word_is_reset_x
        TELL(f, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @other_word_is_reset_y
        PUT(f, 1, 0);
    }
}

tile_kernel void set_again(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @set_again_x
        TELL(f, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @set_again_y
        PUT(f, 0, 0);
        PUT(f, 0, 3);
    }
}

tile_kernel void reset_for_some_sizes(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @reset_for_some_sizes_x
        TELL(f, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @reset_for_some_sizes_y
        if (n < 500)
            PUT(f, 0, 0);
    }
}

tile_kernel void reset_unless_it_ends(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @reset_unless_it_ends_x
        TELL(f, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @reset_unless_it_ends_y
        if (n > 9)
            return;
        PUT(f, 0, 0);
    }
}

tile_kernel void reset_by_data(float *restrict x, float *restrict y, int *restrict f,
                               const int *restrict d)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @reset_by_data_x
        TELL(f, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @reset_by_data_y
        if (d[0] != 7)
            PUT(f, 0, 0);
    }
}

tile_kernel void reset_too_early(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @reset_too_early_x
        TELL(f, 0, 1);
    } else {
        PUT(f, 0, 0);
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @reset_too_early_y
    }
}

tile_kernel void two_flags_are_reset(float *restrict x, float *restrict y, int *restrict f,
                                     int *restrict g)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @two_flags_are_reset_x
        TELL(f, 0, 1);
        TELL(g, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        while (LOOK(g, 0) == 0)
            ;
        y[0] = x[0]; // @two_flags_are_reset_y
        PUT(f, 0, 0);
        PUT(g, 0, 0);
    }
}

tile_kernel void two_flags_stay(float *restrict x, float *restrict y, int *restrict f,
                                int *restrict g)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @two_flags_stay_x
        TELL(f, 0, 1);
        TELL(g, 0, 1);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        while (LOOK(g, 0) == 0)
            ;
        y[0] = x[0]; // @two_flags_stay_y
    }
}

tile_kernel void last_resets(float *restrict x, float *restrict y, int *restrict f)
{
    int i = tile_bid(0), n = tile_grid_extent(0);
    x[i] = 1.0f; // @last_resets_x
    if (COUNT(f, 0) == n - 1) {
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @last_resets_y
        PUT(f, 0, 0);
    }
}

tile_kernel void last_resets_plainly(float *restrict x, float *restrict y, int *restrict f)
{
    int i = tile_bid(0), n = tile_grid_extent(0);
    x[i] = 1.0f; // @last_resets_plainly_x
    if (COUNT(f, 0) == n - 1) {
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @last_resets_plainly_y
        f[0] = 0;
    }
}

tile_kernel void last_resets_small_grids(float *restrict x, float *restrict y, int *restrict f)
{
    int i = tile_bid(0), n = tile_grid_extent(0);
    x[i] = 1.0f; // @last_resets_small_grids_x
    if (COUNT(f, 0) == n - 1) {
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @last_resets_small_grids_y
        PUT(f, 0, n > 20 ? 1 : 0);
    }
}

tile_kernel void last_resets_large_grids(float *restrict x, float *restrict y, int *restrict f)
{
    int i = tile_bid(0), n = tile_grid_extent(0);
    x[i] = 1.0f; // @last_resets_large_grids_x
    if (COUNT(f, 0) == n - 1) {
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @last_resets_large_grids_y
        if (n > 5)
            PUT(f, 0, 0);
    }
}

tile_kernel void third_launch(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(4);
    int i = tile_bid(0);
    x[i] = 1.0f; // @third_x
    int before = COUNT(f, 0);
    if (before == 3 || before == 9)
        y[i] = x[i ^ 1]; // @third_y
}

tile_kernel void all_flags(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 64);
    int i = tile_bid(0);
    x[i] = 1.0f; // @all_flags_x
    TELL(f, i, 1);
    if (i == 0) {
        for (int j = 0; j < n; j++)
            while (LOOK(f, j) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @all_flags_y
        for (int j = 0; j < n; j++)
            PUT(f, j, 0);
    }
}

tile_kernel void all_flags_as_tile(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 64);
    int i = tile_bid(0);
    x[i] = 1.0f; // @all_flags_as_tile_x
    TELL(f, i, 1);
    if (i == 0) {
        for (int j = 0; j < n; j++)
            while (LOOK(f, j) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @all_flags_as_tile_y
        tile_store_ptr_at(tile_pointers(f, tile_iota(64)), tile_full(0, 64), TILE_RELAXED,
                          TILE_DEVICE);
    }
}

tile_kernel void sixteen_flags(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 64);
    int i = tile_bid(0);
    x[i] = 1.0f; // @sixteen_flags_x
    TELL(f, i, 1);
    if (i == 0) {
        for (int j = 0; j < n; j++)
            while (LOOK(f, j) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @sixteen_flags_y
        tile_store_ptr_at(tile_pointers(f, tile_iota(16)), tile_full(0, 16), TILE_RELAXED,
                          TILE_DEVICE);
    }
}

tile_kernel void all_flags_but_one(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 64);
    int i = tile_bid(0);
    x[i] = 1.0f; // @all_flags_but_one_x
    TELL(f, i, 1);
    if (i == 0) {
        for (int j = 0; j < n; j++)
            while (LOOK(f, j) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @all_flags_but_one_y
        for (int j = 0; j < n - 1; j++)
            PUT(f, j, 0);
    }
}

tile_kernel void every_other_flag(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 64);
    int i = tile_bid(0);
    x[i] = 1.0f; // @every_other_flag_x
    TELL(f, i, 1);
    if (i == 0) {
        for (int j = 0; j < n; j++)
            while (LOOK(f, j) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @every_other_flag_y
        for (int j = 0; j < n; j += 2)
            PUT(f, j, 0);
    }
}

tile_kernel void flags_until_a_break(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 64);
    int i = tile_bid(0);
    x[i] = 1.0f; // @flags_until_a_break_x
    TELL(f, i, 1);
    if (i == 0) {
        for (int j = 0; j < n; j++)
            while (LOOK(f, j) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @flags_until_a_break_y
        for (int j = 0; j < n; j++) {
            if (j == 9)
                break;
            PUT(f, j, 0);
        }
    }
}

tile_kernel void counter_of_each_row(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(8, 5);
    int i = tile_bid(0), j = tile_bid(1);
    x[8 * j + i] = 1.0f;
    if (COUNT(f, j) == 7) {
        for (int q = 0; q < 8; q++)
            y[8 * j + q] = x[8 * j + q];
        PUT(f, j, 0);
    }
}

tile_kernel void owner_resets(float *restrict x, float *restrict y, int *restrict f)
{
    int i = tile_bid(0), n = tile_grid_extent(0);
    x[i] = 1.0f;
    COUNT(f, 0);
    if (i == 0) {
        while (LOOK(f, 0) != n)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j];
        PUT(f, 0, 0);
    }
}

tile_kernel void flag_of_each_step(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(2);
    for (int s = 0; s < n; s++)
        if (tile_bid(0) == 0) {
            x[s] = 1.0f; // @flag_of_each_step_x
            TELL(f, s, 1);
        } else {
            while (LOOK(f, s) == 0)
                ;
            y[s] = x[s]; // @flag_of_each_step_y
            PUT(f, s, 0);
        }
}

tile_kernel void all_steps_but_the_last(float *restrict x, float *restrict y, int *restrict f,
                                        int n)
{
    tile_grid(2);
    for (int s = 0; s < n; s++)
        if (tile_bid(0) == 0) {
            x[s] = 1.0f; // @all_steps_but_the_last_x
            TELL(f, s, 1);
        } else {
            while (LOOK(f, s) == 0)
                ;
            y[s] = x[s]; // @all_steps_but_the_last_y
            if (s + 1 < n)
                PUT(f, s, 0);
        }
}

tile_kernel void chain_resets(float *restrict x, int *restrict f)
{
    int i = tile_bid(0);
    if (i > 0) {
        while (LOOK(f, i - 1) == 0)
            ;
        x[i] = x[i - 1] + 1.0f; // @chain_resets_y
        PUT(f, i - 1, 0);
    } else {
        x[0] = 0.0f; // @chain_resets_x
    }
    if (i < tile_grid_extent(0) - 1)
        TELL(f, i, 1);
}

tile_kernel void chain_resets_eighteen(float *restrict x, int *restrict f)
{
    int i = tile_bid(0);
    if (i > 0) {
        while (LOOK(f, i - 1) == 0)
            ;
        x[i] = x[i - 1] + 1.0f; // @chain_resets_eighteen_y
        if (i < 18)
            PUT(f, i - 1, 0);
    } else {
        x[0] = 0.0f; // @chain_resets_eighteen_x
    }
    if (i < tile_grid_extent(0) - 1)
        TELL(f, i, 1);
}

tile_kernel void tickets_go_on(float *restrict y, const int *restrict keep, int *restrict c)
{
    int i = tile_bid(0);
    if (keep[i] > 0)
        y[COUNT(c, 0)] = 1.0f;
}

tile_kernel void other_word_is_stated(float *restrict x, float *restrict y, int *restrict f,
                                      int *restrict g)
{
    tile_grid(2);
    tile_contents(g, 1, 1);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @stated_x
        TELL(f, 0, 1);
        PUT(g, 0, 0);
    } else {
        while (LOOK(f, 0) == 0)
            ;
        y[0] = x[0]; // @stated_y
    }
}
// EXPECT kernel flag_is_reset
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel flag_is_exchanged
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel other_word_is_reset
// EXPECT verdict conditional
// EXPECT TR002 @other_word_is_reset_x @other_word_is_reset_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel set_again
// EXPECT verdict conditional
// EXPECT TR002 @set_again_x @set_again_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel reset_for_some_sizes
// EXPECT verdict conditional
// EXPECT TR002 @reset_for_some_sizes_x @reset_for_some_sizes_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel reset_unless_it_ends
// EXPECT verdict conditional
// EXPECT TR002 @reset_unless_it_ends_x @reset_unless_it_ends_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel reset_by_data
// EXPECT verdict conditional
// EXPECT TR002 @reset_by_data_x @reset_by_data_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel reset_too_early
// EXPECT verdict unknown
// EXPECT requires contents-range:standing

// EXPECT kernel two_flags_are_reset
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel two_flags_stay
// EXPECT verdict conditional
// EXPECT TR002 @two_flags_stay_x @two_flags_stay_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel last_resets
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel last_resets_plainly
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel last_resets_small_grids
// EXPECT verdict conditional
// EXPECT TR002 @last_resets_small_grids_x @last_resets_small_grids_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel last_resets_large_grids
// EXPECT verdict conditional
// EXPECT TR002 @last_resets_large_grids_x @last_resets_large_grids_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel third_launch
// EXPECT verdict conditional
// EXPECT TR002 @third_x @third_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel all_flags
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel all_flags_as_tile
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel sixteen_flags
// EXPECT verdict conditional
// EXPECT TR002 @sixteen_flags_x @sixteen_flags_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel all_flags_but_one
// EXPECT verdict conditional
// EXPECT TR002 @all_flags_but_one_x @all_flags_but_one_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel every_other_flag
// EXPECT verdict conditional
// EXPECT TR002 @every_other_flag_x @every_other_flag_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel flags_until_a_break
// EXPECT verdict conditional
// EXPECT TR002 @flags_until_a_break_x @flags_until_a_break_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel counter_of_each_row
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel owner_resets
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel flag_of_each_step
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel all_steps_but_the_last
// EXPECT verdict conditional
// EXPECT TR002 @all_steps_but_the_last_x @all_steps_but_the_last_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel chain_resets
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel chain_resets_eighteen
// EXPECT verdict conditional
// EXPECT TR002 @chain_resets_eighteen_y @chain_resets_eighteen_y
// EXPECT requires stale-synchronisation:race

// EXPECT kernel tickets_go_on
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

// EXPECT kernel other_word_is_stated
// EXPECT verdict conditional
// EXPECT TR002 @stated_x @stated_y
// EXPECT requires stale-synchronisation:race
