/* Uniqueness that the stated contents forbid: too few values for what the tile blocks read. */
#include <tile.h>

tile_kernel void one_value(float *restrict y, const int *restrict idx)
{
    tile_contents(idx, 3, 3);
    y[idx[tile_bid(0)]] = 1.0f; // @one_value
}

tile_kernel void one_value_in_tiles(float *restrict y, const int *restrict idx)
{
    tile_contents(idx, 3, 3);
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile_store_ptr(tile_pointers(y, tile_load_ptr(tile_pointers(idx, i))), 1.0f); // @in_tiles
}

tile_kernel void seven_of_eight(float *restrict y, const int *restrict idx)
{
    tile_grid(8);
    tile_contents(idx, 0, 6);
    y[idx[tile_bid(0)]] = 1.0f; // @seven
}

/* The same with one value more: eight blocks can have one each. */
tile_kernel void eight_of_eight(float *restrict y, const int *restrict idx)
{
    tile_grid(8);
    tile_contents(idx, 0, 7);
    y[idx[tile_bid(0)]] = 1.0f; // @eight
}

tile_kernel void half_as_many(float *restrict y, const int *restrict idx, int n)
{
    tile_assume(n > 3);
    tile_grid(n);
    tile_contents(idx, 0, n / 2);
    y[idx[tile_bid(0)]] = 1.0f; // @half
}

tile_kernel void as_many(float *restrict y, const int *restrict idx, int n)
{
    tile_assume(n > 3);
    tile_grid(n);
    tile_contents(idx, 0, n - 1);
    y[idx[tile_bid(0)]] = 1.0f; // @as_many
}

tile_kernel void lanes(float *restrict y, const int *restrict idx)
{
    tile_contents(idx, 0, 31);
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile_store_ptr(tile_pointers(y, tile_load_ptr(tile_pointers(idx, i))), 1.0f); // @lanes
}

/* The type of the elements has too few values. */
tile_kernel void bytes(float *restrict y, const unsigned char *restrict idx)
{
    tile_grid(300);
    y[idx[tile_bid(0)]] = 1.0f; // @bytes
}

tile_kernel void enough_bytes(float *restrict y, const unsigned char *restrict idx)
{
    tile_grid(200);
    y[idx[tile_bid(0)]] = 1.0f; // @enough
}

/* Only the first four blocks read. */
tile_kernel void four_readers(float *restrict y, const int *restrict idx)
{
    tile_grid(8);
    tile_contents(idx, 0, 3);
    int b = tile_bid(0);
    if (b < 4)
        y[idx[b]] = 1.0f; // @four
}

tile_kernel void two_axes(float *restrict y, const int *restrict idx)
{
    tile_grid(3, 3);
    tile_contents(idx, 0, 7);
    y[idx[tile_bid(0) * 3 + tile_bid(1)]] = 1.0f; // @axes
}

tile_kernel void four_each(float *restrict y, const int *restrict idx, int n)
{
    tile_grid(n);
    tile_assume(n > 1);
    tile_contents(idx, 0, n - 1);
    for (int j = 0; j < 4; j++)
        y[idx[tile_bid(0) * 4 + j]] = 1.0f; // @each
}

/* Two by four pairs for nine blocks, and for eight. */
tile_kernel void nine_pairs(float *restrict c, const int *restrict seq, const int *restrict pos)
{
    tile_grid(9);
    tile_contents(seq, 0, 1);
    tile_contents(pos, 0, 3);
    int t = tile_bid(0);
    c[seq[t] * 4 + pos[t]] = 1.0f; // @nine
}

tile_kernel void eight_pairs(float *restrict c, const int *restrict seq, const int *restrict pos)
{
    tile_grid(8);
    tile_contents(seq, 0, 1);
    tile_contents(pos, 0, 3);
    int t = tile_bid(0);
    c[seq[t] * 4 + pos[t]] = 1.0f; // @pairs
}

// EXPECT kernel one_value
// EXPECT verdict race
// EXPECT TR001 @one_value @one_value
// EXPECT observable no

// EXPECT kernel one_value_in_tiles
// EXPECT verdict race
// EXPECT TR001 @in_tiles @in_tiles
// EXPECT TR004 @in_tiles
// EXPECT requires in-bounds:launch
// EXPECT observable no

// EXPECT kernel seven_of_eight
// EXPECT verdict race
// EXPECT TR001 @seven @seven
// EXPECT observable no

// EXPECT kernel eight_of_eight
// EXPECT verdict conditional
// EXPECT TR001 @eight @eight
// EXPECT requires unique-contents:race

// EXPECT kernel half_as_many
// EXPECT verdict race
// EXPECT TR001 @half @half
// EXPECT observable no

// EXPECT kernel as_many
// EXPECT verdict conditional
// EXPECT TR001 @as_many @as_many
// EXPECT requires unique-contents:race

// EXPECT kernel lanes
// EXPECT verdict race
// EXPECT TR001 @lanes @lanes
// EXPECT TR004 @lanes
// EXPECT requires in-bounds:launch
// EXPECT observable no

// EXPECT kernel bytes
// EXPECT verdict race
// EXPECT TR001 @bytes @bytes
// EXPECT observable no

// EXPECT kernel enough_bytes
// EXPECT verdict conditional
// EXPECT TR001 @enough @enough
// EXPECT requires unique-contents:race

// EXPECT kernel four_readers
// EXPECT verdict conditional
// EXPECT TR001 @four @four
// EXPECT requires unique-contents:race

// EXPECT kernel two_axes
// EXPECT verdict race
// EXPECT TR001 @axes @axes
// EXPECT observable no

// EXPECT kernel four_each
// EXPECT verdict race
// EXPECT TR001 @each @each
// EXPECT observable no

// EXPECT kernel nine_pairs
// EXPECT verdict race
// EXPECT TR001 @nine @nine
// EXPECT observable no

// EXPECT kernel eight_pairs
// EXPECT verdict conditional
// EXPECT TR001 @pairs @pairs
// EXPECT requires unique-contents:race
