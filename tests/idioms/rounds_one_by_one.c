/* Short loops that only compute, which the checker walks round by round: which way each round went,
 * how many there are, and what it cannot follow in them. */
#include <tile.h>

/* Two ways round the loop. */
tile_kernel void reversed_bits(int *restrict x)
{
    tile_grid(16);
    int v = tile_bid(0), r = 0, k = 0;
    while (k < 4) {
        k++;
        if ((v & 1) != 0) {
            r = r * 2 + 1;
            v = v >> 1;
            continue;
        }
        r = r * 2;
        v = v >> 1;
    }
    x[r] = 1;
}

// EXPECT kernel reversed_bits
// EXPECT verdict race-free

tile_kernel void reversed_bit_short(int *restrict x)
{
    tile_grid(16);
    int v = tile_bid(0), r = 0, k = 0;
    while (k < 3) {
        k++;
        if ((v & 1) != 0) {
            r = r * 2 + 1;
            v = v >> 1;
            continue;
        }
        r = r * 2;
        v = v >> 1;
    }
    x[r] = 1; // @short
}

// EXPECT kernel reversed_bit_short
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @short @short

tile_kernel void first_way_doubles(int *restrict x)
{
    tile_grid(16);
    int v = tile_bid(0), r = 0, k = 0;
    while (k < 4) {
        k++;
        if ((v & 1) == 0) {
            r = r * 2;
            v = v >> 1;
            continue;
        }
        r = r + 1;
        v = v >> 1;
    }
    x[r] = 1; // @doubles
}

// EXPECT kernel first_way_doubles
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @doubles @doubles

/* Which round is the last depends on the way of those before. */
tile_kernel void set_bits(int *restrict x)
{
    tile_grid(4);
    int b = tile_bid(0), v = b, r = 0;
    while (v != 0) {
        if ((v & 1) != 0) {
            v = v >> 1;
            r = r + 1;
            continue;
        }
        v = v >> 1;
        if (v > 4)
            break;
    }
    if (r == 1 && b > 0)
        x[0] = b; // @bits
}

// EXPECT kernel set_bits
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @bits @bits

tile_kernel void set_bits_behind_zeros(int *restrict x)
{
    tile_grid(4);
    int b = tile_bid(0), v = b, r = 0, k = 0;
    while (v != 0 && k < 3) {
        k++;
        if ((v & 1) == 0) {
            v = v >> 1;
            continue;
        }
        v = v >> 1;
        r = r + 1;
    }
    if (r == 1)
        x[0] = b; // @behind
}

// EXPECT kernel set_bits_behind_zeros
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @behind @behind

tile_kernel void ways_in_each_other(int *restrict x, int n)
{
    tile_grid(2);
    int b = tile_bid(0), v = 0;
    for (int i = 0; i < 3; i++) {
        if ((v & 1) == 0) {
            if (n > i) {
                v = v * 3 + 1;
                continue;
            }
        }
        v = v * 5 + 2;
    }
    if (v > 20)
        x[0] = b; // @ways
}

// EXPECT kernel ways_in_each_other
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @ways @ways

/* So many rounds that they are not all walked. */
tile_kernel void many_rounds(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0), v = 3 + b;
    for (int i = 0; i < 100; i++)
        v = (v * 5 + 1) & 15;
    if (v != 3 + b)
        x[0] = b; // @many
}

// EXPECT kernel many_rounds
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @many @many

tile_kernel void many_open_rounds(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0), v = 3 + b, i = 0;
    while (i < 100) {
        i++;
        v = (v * 5 + 1) & 15;
    }
    if (v != 3 + b)
        x[0] = b; // @open
}

// EXPECT kernel many_open_rounds
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @open @open

/* Each round computes another half by floats, whose values are not followed. */
tile_kernel void halves_of_floats(int *restrict x, int n)
{
    tile_grid(2);
    tile_assume(1 < n);
    int b = tile_bid(0), v = 1;
    for (int i = 0; i < 2; i++) {
        if (n > i)
            v = v * 2 + ((int)((float)v * 0.5f) & 1);
    }
    if (v == 5)
        x[0] = b; // @halves
}

// EXPECT kernel halves_of_floats
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @halves @halves

/* A product of one round may wrap. */
tile_kernel void products_of_rounds(int *restrict x, int n)
{
    tile_grid(2);
    int b = tile_bid(0), v = b;
    for (int i = 0; i < 2; i++)
        v = (v * n) ^ 1;
    if (v == 7)
        x[b] = b;
}

// EXPECT kernel products_of_rounds
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch
