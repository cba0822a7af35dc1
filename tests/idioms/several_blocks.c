/* Races that need three tile blocks or more: the witness has them, though two of them race. */
#include <tile.h>

#define LD(p, i)     tile_to_int(tile_load_ptr_at(tile_pointers(p, i), TILE_ACQUIRE, TILE_DEVICE))
#define ST(p, i, v)  tile_store_ptr_at(tile_pointers(p, i), v, TILE_RELEASE, TILE_DEVICE)
#define STR(p, i, v) tile_store_ptr_at(tile_pointers(p, i), v, TILE_RELAXED, TILE_DEVICE)
#define ADD(p, i, v) tile_to_int(tile_atomic_add(tile_pointers(p, i), v, TILE_ACQ_REL, TILE_DEVICE))
#define CAS(p, i, c, v)                                                                            \
    tile_to_int(tile_atomic_cas(tile_pointers(p, i), c, v, TILE_ACQUIRE, TILE_DEVICE))

tile_kernel void told_by_another(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(3);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    if (i == 0) {
        x[0] = 1.0f; // @told_by_another_17
        STR(f, 0, 1);
    }
    if (i == 1) {
        while (LD(f, 0) == 0)
            ;
        ST(f, 1, 1);
    }
    if (i == 2) {
        while (LD(f, 1) == 0)
            ;
        y[0] = x[0]; // @told_by_another_28
    }
}

tile_kernel void third_of_four_goes_on(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    x[i] = 1.0f; // @third_of_four_goes_on_37
    int b = ADD(f, 0, 1);
    if (b == 2) {
        for (int j = 0; j < 4; j++)
            y[j] = x[j]; // @third_of_four_goes_on_41
    }
}

tile_kernel void ticket_of_three(float *restrict y, int *restrict f)
{
    tile_grid(8);
    tile_contents(f, 0, 0);
    int t = ADD(f, 0, 1);
    y[t % 3] = 1.0f; // @ticket_of_three_50
}

tile_kernel void ticket_of_four(float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 0);
    tile_contents(f, 0, 0);
    int t = ADD(f, 0, 1);
    y[t % 4] = 1.0f; // @ticket_of_four_59
}

tile_kernel void one_flag_of_two(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(3);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    if (i < 2) {
        x[i] = 1.0f; // @one_flag_of_two_68
        ST(f, 0, 1);
    } else {
        while (LD(f, 0) == 0)
            ;
        y[0] = x[0]; // @one_flag_of_two_73
        y[1] = x[1]; // @one_flag_of_two_74
    }
}

tile_kernel void fourth_of_all_goes_on(float *restrict x, float *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 3);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    x[i] = 1.0f; // @fourth_of_all_goes_on_84
    int b = ADD(f, 0, 1);
    if (b == 3) {
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @fourth_of_all_goes_on_88
    }
}

tile_kernel void chain_with_a_gap(float *restrict x, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(n > 1);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    if (i > 0 && i != 3)
        while (LD(f, i - 1) == 0)
            ;
    if (i > 0)
        x[i] = x[i - 1] + 1.0f; // @chain_with_a_gap_102
    else
        x[0] = 0.0f;
    ST(f, i, 1);
}

tile_kernel void semaphore_of_two(float *restrict x, int *restrict f)
{
    tile_grid(3);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    while (ADD(f, 0, 1) > 1)
        tile_atomic_add(tile_pointers(f, 0), -1, TILE_RELAXED, TILE_DEVICE);
    x[0] = x[0] + 1.0f; // @semaphore_of_two_115
    tile_atomic_add(tile_pointers(f, 0), -1, TILE_RELEASE, TILE_DEVICE);
}

tile_kernel void lock_that_two_pass(float *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int got = CAS(f, 0, 0, 1);
    int again = got;
    if (got != 0)
        again = CAS(f, 0, 1, 2);
    if (again <= 1)
        x[0] = x[0] + 1.0f; // @lock_that_two_pass_128
}

tile_kernel void barrier_one_short(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    x[i] = 1.0f; // @barrier_one_short_136
    ADD(f, 0, 1);
    while (LD(f, 0) < 3)
        ;
    y[i] = x[(i + 1) % 4]; // @barrier_one_short_140
}

// EXPECT kernel told_by_another
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR014 @told_by_another_17 @told_by_another_28

// EXPECT kernel third_of_four_goes_on
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @third_of_four_goes_on_37 @third_of_four_goes_on_41

// EXPECT kernel ticket_of_three
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @ticket_of_three_50 @ticket_of_three_50

// EXPECT kernel ticket_of_four
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @ticket_of_four_59 @ticket_of_four_59

// EXPECT kernel one_flag_of_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR019 @one_flag_of_two_68 @one_flag_of_two_73
// EXPECT TR019 @one_flag_of_two_68 @one_flag_of_two_74

// EXPECT kernel fourth_of_all_goes_on
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @fourth_of_all_goes_on_84 @fourth_of_all_goes_on_88

// EXPECT kernel chain_with_a_gap
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @chain_with_a_gap_102 @chain_with_a_gap_102

// EXPECT kernel semaphore_of_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @semaphore_of_two_115 @semaphore_of_two_115
// EXPECT TR020 @semaphore_of_two_115 @semaphore_of_two_115

// EXPECT kernel lock_that_two_pass
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @lock_that_two_pass_128 @lock_that_two_pass_128
// EXPECT TR002 @lock_that_two_pass_128 @lock_that_two_pass_128

// EXPECT kernel barrier_one_short
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @barrier_one_short_136 @barrier_one_short_140
