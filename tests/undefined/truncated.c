/* Indices that wrap by definition or are truncated: a bound of the grid would only excuse the race.
 */
#include <tile.h>

tile_kernel void w_u32(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[b * 65536u] = 1.0f; // @w_u32
}

tile_kernel void w_u32b(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[b * 16777216u] = 1.0f; // @w_u32b
}

tile_kernel void w_shl(float *restrict y)
{
    int b = tile_bid(0);
    y[(b << 24) >> 24] = 1.0f; // @w_shl
}

tile_kernel void w_ushl(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[(b << 24) >> 24] = 1.0f; // @w_ushl
}

tile_kernel void w_ushl16(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[(b << 16) >> 16] = 1.0f; // @w_ushl16
}

tile_kernel void w_short(float *restrict y)
{
    int b = tile_bid(0);
    y[(short)b + 32768] = 1.0f; // @w_short
}

tile_kernel void w_ushort(float *restrict y)
{
    int b = tile_bid(0);
    y[(unsigned short)b] = 1.0f; // @w_ushort
}

tile_kernel void w_uchar(float *restrict y)
{
    int b = tile_bid(0);
    y[(unsigned char)b] = 1.0f; // @w_uchar
}

tile_kernel void w_ucharstep(float *restrict y)
{
    int b = tile_bid(0);
    y[(unsigned char)(b * 16)] = 1.0f; // @w_ucharstep
}

tile_kernel void w_signed(float *restrict y)
{
    int b = tile_bid(0);
    y[b * 65536] = 1.0f;
}

tile_kernel void w_gok(float *restrict y)
{
    tile_grid(256);
    int b = tile_bid(0);
    y[(unsigned char)b] = 1.0f;
}

tile_kernel void w_shl_g(float *restrict y)
{
    tile_grid(100);
    int b = tile_bid(0);
    y[b << 24 >> 24] = 1.0f;
}

tile_kernel void w_shl10(float *restrict y)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(y, tile_add(b << 10, tile_iota(1024))), 1.0f);
}

tile_kernel void w_shl16(float *restrict y)
{
    int b = tile_bid(0);
    y[(b << 16 >> 16) + 32768] = 1.0f; // @w_shl16
}

tile_kernel void w_masked(float *restrict y, unsigned n)
{
    unsigned b = tile_bid(0);
    tile i = tile_add(b * 1024u, tile_iota_as(unsigned, 1024));
    tile_store_masked(tile_pointers(y, i), 1.0f, tile_lt(i, n));
}

tile_kernel void w_add(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[b + 3000000000u] = 1.0f;
}

tile_kernel void w_neg(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[0u - b - 1u] = 1.0f;
}

tile_kernel void w_xor(float *restrict y)
{
    unsigned b = tile_bid(0);
    y[b ^ 5u] = 1.0f;
}

// EXPECT kernel w_u32
// EXPECT verdict race
// EXPECT TR001 @w_u32 @w_u32
// EXPECT observable no

// EXPECT kernel w_u32b
// EXPECT verdict race
// EXPECT TR001 @w_u32b @w_u32b
// EXPECT observable no

// EXPECT kernel w_shl
// EXPECT verdict race
// EXPECT TR001 @w_shl @w_shl
// EXPECT observable no

// EXPECT kernel w_ushl
// EXPECT verdict race
// EXPECT TR001 @w_ushl @w_ushl
// EXPECT observable no

// EXPECT kernel w_ushl16
// EXPECT verdict race
// EXPECT TR001 @w_ushl16 @w_ushl16
// EXPECT observable no

// EXPECT kernel w_short
// EXPECT verdict race
// EXPECT TR001 @w_short @w_short
// EXPECT observable no

// EXPECT kernel w_ushort
// EXPECT verdict race
// EXPECT TR001 @w_ushort @w_ushort
// EXPECT observable no

// EXPECT kernel w_uchar
// EXPECT verdict race
// EXPECT TR001 @w_uchar @w_uchar
// EXPECT observable no

// EXPECT kernel w_ucharstep
// EXPECT verdict race
// EXPECT TR001 @w_ucharstep @w_ucharstep
// EXPECT observable no

// EXPECT kernel w_signed
// EXPECT verdict race-free
// EXPECT requires no-wrap

// EXPECT kernel w_gok
// EXPECT verdict race-free

// EXPECT kernel w_shl_g
// EXPECT verdict race-free

// EXPECT kernel w_shl10
// EXPECT verdict race-free
// EXPECT requires no-wrap in-bounds:launch

// EXPECT kernel w_shl16
// EXPECT verdict race
// EXPECT TR001 @w_shl16 @w_shl16
// EXPECT observable no

// EXPECT kernel w_masked
// EXPECT verdict race-free
// EXPECT requires no-wrap

// EXPECT kernel w_add
// EXPECT verdict race-free

// EXPECT kernel w_neg
// EXPECT verdict race-free

// EXPECT kernel w_xor
// EXPECT verdict race-free
