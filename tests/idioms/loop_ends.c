/* In which rounds a loop runs: ends that are rounded or chosen, the largest unsigned number, steps
 * that are not positive; and what only one side of a branch has found out. */
#include <tile.h>

/* An end between -1 and 0 is rounded to 0, so that round -1 runs. */
tile_kernel void from_below_zero(float *restrict x, int n)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (int j = -1; j < n / 64; j++)
        if (n < 0)
            x[0] = (float)b; // @from_below_zero
}

// EXPECT kernel from_below_zero
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @from_below_zero @from_below_zero

tile_kernel void from_a_parameter(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(-1 <= m && m < 5);
    int b = tile_bid(0);
    for (int j = m; j < n / 64; j++)
        if (n < 0)
            x[0] = (float)b; // @from_a_parameter
}

// EXPECT kernel from_a_parameter
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @from_a_parameter @from_a_parameter

tile_kernel void from_zero(float *restrict x, int n)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (int j = 0; j < n / 64; j++)
        if (n < 0)
            x[0] = (float)b;
    x[b + 1] = 1.0f;
}

// EXPECT kernel from_zero
// EXPECT verdict race-free

/* A choice by a sign that is no rounded quotient. */
tile_kernel void chosen_end(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(0 <= m && m < 100);
    int b = tile_bid(0);
    int end = n > 0 ? m / 4 : 30;
    for (int j = 0; j < end; j++)
        if (j == 25)
            x[0] = (float)b; // @chosen_end
}

// EXPECT kernel chosen_end
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @chosen_end @chosen_end

tile_kernel void chosen_end_too_near(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(0 <= m && m < 100);
    int b = tile_bid(0);
    int end = n > 0 ? m / 4 : 25;
    for (int j = 0; j < end; j++)
        if (j == 25)
            x[0] = (float)b;
    x[b + 1] = 1.0f;
}

// EXPECT kernel chosen_end_too_near
// EXPECT verdict race-free

/* The loop is left in the round of the largest number, behind the store. */
tile_kernel void left_at_the_largest(float *restrict x, unsigned end)
{
    tile_grid(2);
    tile_assume(end == 4294967295u);
    int b = tile_bid(0);
    unsigned j = 4294967293u;
    while (true) {
        if (j == 4294967295u)
            x[0] = (float)b; // @left_at_the_largest
        if (j >= end)
            break;
        j++;
    }
}

// EXPECT kernel left_at_the_largest
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @left_at_the_largest @left_at_the_largest

/* It is left there, and so never counts on from 0. */
tile_kernel void left_before_zero(float *restrict x, unsigned end)
{
    tile_grid(2);
    tile_assume(end == 4294967295u);
    int b = tile_bid(0);
    unsigned j = 4294967293u;
    while (true) {
        if (j < 5)
            x[0] = (float)b;
        if (j >= end)
            break;
        j++;
    }
    x[b + 1] = 1.0f;
}

// EXPECT kernel left_before_zero
// EXPECT verdict race-free

/* The first round needs no step. */
tile_kernel void steps_back(float *restrict x, int n, int s)
{
    tile_grid(2);
    tile_assume(s < 0 && n > 0);
    int b = tile_bid(0);
    for (int i = 0; i < n; i += s) // @steps_back
        if (i == 0)
            x[0] = (float)b; // @steps_back2
}

// EXPECT kernel steps_back
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR010 @steps_back
// EXPECT TR001 @steps_back2 @steps_back2

/* That m is not 0 is known to those that have divided by it. */
tile_kernel void divided_in_else(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(n > 0 || m > 0);
    int b = tile_bid(0), q = 0;
    if (n > 0)
        q = 1;
    else
        q = n / m;
    if (m == 0)
        x[q - 1] = (float)b; // @divided_in_else
}

// EXPECT kernel divided_in_else
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @divided_in_else @divided_in_else

tile_kernel void divided_in_then(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(n > 0 || m > 0);
    int b = tile_bid(0), q = 0;
    if (n <= 0)
        q = n / m;
    else
        q = 1;
    if (m == 0)
        x[q - 1] = (float)b; // @divided_in_then
}

// EXPECT kernel divided_in_then
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @divided_in_then @divided_in_then

tile_kernel void divided_in_both(float *restrict x, int n, int m)
{
    tile_grid(2);
    tile_assume(m > 0);
    int b = tile_bid(0), q = 0;
    if (n <= 0)
        q = n / m;
    else
        q = n % m;
    if (m == 0)
        x[q] = (float)b;
    x[b + 1] = 1.0f;
}

// EXPECT kernel divided_in_both
// EXPECT verdict race-free
