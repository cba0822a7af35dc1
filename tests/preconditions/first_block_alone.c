/* A guard leaves blocks out by a size, so that a small size leaves the first block of an axis
 * alone. That would excuse an address in which two blocks meet, as a grid of one block does. */
#include <tile.h>

enum { T = 64 };

tile_kernel void every_fourth(float *restrict x, int n)
{
    int bx = tile_bid(0), by = tile_bid(1);
    if (bx * 4 < n)
        x[by + bx] = 1.0f; // @fourth
}

/* Rows of one tile, by tiles of a row. */
tile_kernel void rows_of_a_tile(float *restrict x, int n)
{
    int bx = tile_bid(0), by = tile_bid(1);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, by * T + bx * T + e), 1.0f, // @tiles
                      tile_lt(bx * T + e, n));
}

tile_kernel void rows_of_two_tiles(float *restrict x, int n)
{
    int bx = tile_bid(0), by = tile_bid(1);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, by * 2 * T + bx * T + e), 1.0f, // @two_tiles
                      tile_lt(bx * T + e, n));
}

tile_kernel void along_z(float *restrict x, int n)
{
    int bx = tile_bid(0), bz = tile_bid(2);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, bx * 2 * T + bz * 2 * T + e), 1.0f, // @along_z
                      tile_lt(bz * 2 * T + e, n));
}

/* Only the first block of an axis stores, whatever the size is. */
tile_kernel void by_the_first(float *restrict x, int n)
{
    int bx = tile_bid(0), by = tile_bid(1);
    tile e = tile_iota(T);
    if (bx == 0)
        tile_store_masked(tile_pointers(x, by * T + e), 1.0f, tile_lt(e, n));
}

tile_kernel void by_the_first_of_a_row(float *restrict x, int n, int s)
{
    int bx = tile_bid(0), by = tile_bid(1);
    tile e = tile_iota(T);
    if (bx == 0)
        tile_store_masked(tile_pointers(x, by * s + e), 1.0f, tile_lt(e, n)); // @of_a_row
}

/* The least size that a contract states is where sizes start anyway. */
tile_kernel void pairs_of_two(float *restrict x, int n)
{
    tile_assume(n >= 2);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        x[b * 2 + i] = 1.0f; // @pairs
}

tile_kernel void two_at_most(float *restrict x, int n)
{
    tile_assume(n <= 2);
    int b = tile_bid(0);
    for (int i = 0; i < 2; i++)
        x[b * n + i] = 1.0f; // @at_most
}

tile_kernel void three_of_three(float *restrict x, int n)
{
    tile_assume(n >= 3);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        x[b * 3 + i] = 1.0f; // @three
}

// EXPECT kernel every_fourth
// EXPECT verdict race
// EXPECT TR001 @fourth @fourth
// EXPECT observable no

// EXPECT kernel rows_of_a_tile
// EXPECT verdict race
// EXPECT TR001 @tiles @tiles
// EXPECT observable no

// EXPECT kernel rows_of_two_tiles
// EXPECT verdict conditional
// EXPECT TR001 @two_tiles @two_tiles
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel along_z
// EXPECT verdict race
// EXPECT TR001 @along_z @along_z
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel by_the_first
// EXPECT verdict race-free

// EXPECT kernel by_the_first_of_a_row
// EXPECT verdict conditional
// EXPECT TR001 @of_a_row @of_a_row
// EXPECT requires no-wrap:launch no-wrap:launch stride-relation:race

// EXPECT kernel pairs_of_two
// EXPECT verdict race
// EXPECT TR001 @pairs @pairs
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel two_at_most
// EXPECT verdict conditional
// EXPECT TR001 @at_most @at_most
// EXPECT requires stride-relation:race

// EXPECT kernel three_of_three
// EXPECT verdict conditional
// EXPECT TR001 @three @three
// EXPECT requires stride-relation:race
