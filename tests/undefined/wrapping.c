/* Unsigned arithmetic that wraps: the machine's values where the contract allows it. */
#include <tile.h>

tile_kernel void w_gok2(float *restrict y)
{
    tile_grid(65536);
    unsigned b = tile_bid(0);
    y[b * 65536u] = 1.0f;
}

tile_kernel void w_gok3(float *restrict y)
{
    tile_grid(65537);
    unsigned b = tile_bid(0);
    y[b * 65536u] = 1.0f; // @w_gok3
}

tile_kernel void w_hash(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[(b * 2654435761u) >> 24] = 1.0f; // @w_hash
}

tile_kernel void w_odd(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[b * 2654435761u] = 1.0f;
}

tile_kernel void w_umul(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[b * 16777216u + 5u] = 1.0f; // @w_umul
}

tile_kernel void w_2axis(float *restrict y)
{
    unsigned b = tile_bid(0), c = tile_bid(1);
    y[b * 16777216u + c * 65536u] = 1.0f; // @w_2axis
}

tile_kernel void w_f03(float *restrict y)
{
    tile_grid(3);
    unsigned b = tile_bid(0);
    y[b * 2147483648u] = 1.0f; // @w_f03
}

tile_kernel void w_f04(float *restrict y, unsigned n)
{
    tile_grid(3);
    tile_assume(0 < n && n <= 1073741824u);
    unsigned b = tile_bid(0);
    y[b * n] = 1.0f;
}

tile_kernel void w_const(float *restrict y)
{
    unsigned b = tile_bid(0);
    unsigned s = 65536u;
    y[b * (s * 65536u)] = 1.0f; // @w_const
}

tile_kernel void w_loopacc(float *restrict y)
{
    unsigned a = tile_bid(0) * 16777216u;
    for (int i = 0; i < 3; i++) {
        y[a] = 1.0f; // @w_loopacc
        a += 1073741824u;
    }
}

tile_kernel void w_n(float *restrict y, unsigned n)
{
    unsigned b = tile_bid(0);
    y[b * n] = 1.0f; // @w_n
}

tile_kernel void w_signed_n(float *restrict y, int n)
{
    int b = tile_bid(0);
    y[b * n] = 1.0f; // @w_signed_n
}

tile_kernel void w_tile(float *restrict y)
{
    tile e = tile_iota(256);
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(y, tile_add(b * 256, e)), 1.0f); // @w_tile
    y[(short)(b * 256) + 40000] = 2.0f;                           // @w_tile_2
}

tile_kernel void w_u64(float *restrict y)
{
    unsigned long b = (unsigned long)tile_bid(0);
    y[b * 65536ul] = 1.0f;
}

// EXPECT kernel w_gok2
// EXPECT verdict race-free

// EXPECT kernel w_gok3
// EXPECT verdict race
// EXPECT TR001 @w_gok3 @w_gok3
// EXPECT observable no

// EXPECT kernel w_hash
// EXPECT verdict race
// EXPECT TR001 @w_hash @w_hash
// EXPECT observable no

// EXPECT kernel w_odd
// EXPECT verdict race-free

// EXPECT kernel w_umul
// EXPECT verdict race
// EXPECT TR001 @w_umul @w_umul
// EXPECT observable no

// EXPECT kernel w_2axis
// EXPECT verdict race
// EXPECT TR001 @w_2axis @w_2axis
// EXPECT observable no

// EXPECT kernel w_f03
// EXPECT verdict race
// EXPECT TR001 @w_f03 @w_f03
// EXPECT observable no

// EXPECT kernel w_f04
// EXPECT verdict race-free

// EXPECT kernel w_const
// EXPECT verdict race
// EXPECT TR001 @w_const @w_const
// EXPECT observable no

// EXPECT kernel w_loopacc
// EXPECT verdict race
// EXPECT TR001 @w_loopacc @w_loopacc
// EXPECT observable no

// EXPECT kernel w_n
// EXPECT verdict conditional
// EXPECT TR001 @w_n @w_n
// EXPECT requires no-wrap stride-relation:race

// EXPECT kernel w_signed_n
// EXPECT verdict conditional
// EXPECT TR001 @w_signed_n @w_signed_n
// EXPECT requires no-wrap stride-relation:race

// EXPECT kernel w_tile
// EXPECT verdict race
// EXPECT TR001 @w_tile @w_tile_2
// EXPECT TR001 @w_tile_2 @w_tile_2
// EXPECT requires no-wrap in-bounds:launch
// EXPECT observable no

// EXPECT kernel w_u64
// EXPECT verdict race-free
