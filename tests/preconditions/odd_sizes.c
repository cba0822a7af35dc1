/* A guard that is one too wide misses the other half of a row where the size leaves a remainder.
 * No launch of whole tiles has one, so that is none that may be asked. */
#include <tile.h>

enum { TILE = 64 };

tile_kernel void halves_too_wide(float *restrict y, int d)
{
    int b = tile_bid(0);
    tile e = tile_iota(TILE);
    tile inside = tile_le(e, d / 2);
    tile_store_masked(tile_pointers(y, e + b * d), 1.0f, inside);         // @first_half
    tile_store_masked(tile_pointers(y, e + b * d + d / 2), 2.0f, inside); // @second_half
}

tile_kernel void thirds_too_wide(float *restrict y, int d)
{
    int b = tile_bid(0);
    tile e = tile_iota(TILE);
    tile inside = tile_le(e, d / 3);
    tile_store_masked(tile_pointers(y, e + b * d), 1.0f, inside);               // @first_third
    tile_store_masked(tile_pointers(y, e + b * d + 2 * (d / 3)), 2.0f, inside); // @last_third
}

/* The middle third as well: rows end where they should. */
tile_kernel void thirds(float *restrict y, int d)
{
    int b = tile_bid(0);
    tile e = tile_iota(TILE);
    tile inside = tile_lt(e, d / 3);
    tile_store_masked(tile_pointers(y, e + b * d), 1.0f, inside);
    tile_store_masked(tile_pointers(y, e + b * d + 2 * (d / 3)), 2.0f, inside);
}

/* The middle element belongs to the first half: rows of an odd size have one, and all is well. */
tile_kernel void halves(float *restrict y, int d)
{
    int b = tile_bid(0);
    tile e = tile_iota(TILE);
    tile_store_masked(tile_pointers(y, e + b * d), 1.0f, tile_lt(e, d - d / 2));
    tile_store_masked(tile_pointers(y, e + b * d + d - d / 2), 2.0f, tile_lt(e, d / 2));
}

/* The middle element of an odd row is written twice, by one block and in order. */
tile_kernel void halves_rounded_up(float *restrict y, int d)
{
    int b = tile_bid(0);
    tile e = tile_iota(TILE);
    tile inside = tile_lt(e, (d + 1) / 2);
    tile_store_masked(tile_pointers(y, e + b * d), 1.0f, inside);
    tile_store_masked(tile_pointers(y, e + b * d + d / 2), 2.0f, inside);
}

// EXPECT kernel halves_too_wide
// EXPECT verdict race
// EXPECT TR001 @first_half @second_half
// EXPECT requires no-wrap stride-relation
// EXPECT observable yes

// EXPECT kernel thirds_too_wide
// EXPECT verdict race
// EXPECT TR001 @first_third @last_third
// EXPECT requires no-wrap stride-relation
// EXPECT observable yes

// EXPECT kernel thirds
// EXPECT verdict race-free
// EXPECT requires no-wrap no-wrap

// EXPECT kernel halves
// EXPECT verdict race-free
// EXPECT requires no-wrap no-wrap

// EXPECT kernel halves_rounded_up
// EXPECT verdict race-free
// EXPECT requires no-wrap no-wrap no-wrap
