/* Short loops that are walked round by round, with several ways through a round: a divisor that one
 * way has divided by may be 0 for those that came by another. */
#include <tile.h>

tile_kernel void by_the_second_way(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(n > 0 || m > 0);
    int b = tile_bid(0), v = 7;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            v = v ^ (100 / m); // @by_the_second_way
        if (n > 0) {
            v = v ^ 1;
            continue;
        }
        v = v ^ (200 / m);
    }
    if (v > 0)
        x[b] = 1.0f;
}

// EXPECT kernel by_the_second_way
// EXPECT verdict race-free
// EXPECT TR010 @by_the_second_way

tile_kernel void by_the_first_way(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(n > 0 || m > 0);
    int b = tile_bid(0), v = 7;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            v = v ^ (100 / m); // @by_the_first_way
        if (n <= 0) {
            v = v ^ (200 / m);
            continue;
        }
        v = v ^ 1;
    }
    if (v > 0)
        x[b] = 1.0f;
}

// EXPECT kernel by_the_first_way
// EXPECT verdict race-free
// EXPECT TR010 @by_the_first_way

tile_kernel void by_the_last_of_three(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(n > 0 || m > 0);
    int b = tile_bid(0), v = 7;
    for (int i = 0; i < 3; i++) {
        if (i == 2)
            v = v ^ (100 % m); // @by_the_last_of_three
        if (n > 5) {
            v = v ^ 1;
            continue;
        }
        if (n > 0) {
            v = v ^ 2;
            continue;
        }
        v = v ^ (200 % m);
    }
    if (v > 0)
        x[b] = 1.0f;
}

// EXPECT kernel by_the_last_of_three
// EXPECT verdict race-free
// EXPECT TR010 @by_the_last_of_three

tile_kernel void of_an_open_loop(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(n > 0 || m > 0);
    int b = tile_bid(0), v = 7, i = 0;
    while (i < 2) {
        if (i == 1)
            v = v ^ (100 / m); // @of_an_open_loop
        i++;
        if (n > 0) {
            v = v ^ 1;
            continue;
        }
        v = v ^ (200 / m);
    }
    if (v > 0)
        x[b] = 1.0f;
}

// EXPECT kernel of_an_open_loop
// EXPECT verdict race-free
// EXPECT TR010 @of_an_open_loop

tile_kernel void in_a_way_of_a_way(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(n > 0 || m > 0);
    int b = tile_bid(0), v = 7;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            v = v ^ (100 / m); // @in_a_way_of_a_way
        if (n > 0) {
            if (n > 5) {
                v = v ^ 3;
                continue;
            }
            v = v ^ 1;
            continue;
        }
        v = v ^ (200 / m);
    }
    if (v > 0)
        x[b] = 1.0f;
}

// EXPECT kernel in_a_way_of_a_way
// EXPECT verdict race-free
// EXPECT TR010 @in_a_way_of_a_way

/* Each way divides by it, or the contract says it. */
tile_kernel void never_zero(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(m > 0);
    int b = tile_bid(0), v = 7;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            v = v ^ (100 / m);
        if (n > 0) {
            v = v ^ 1;
            continue;
        }
        v = v ^ (200 / m);
    }
    if (v > 0)
        x[b] = 1.0f;
}

// EXPECT kernel never_zero
// EXPECT verdict race-free
