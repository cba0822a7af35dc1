/* 0 to 255 in eight bits: read as signed numbers, the second half is negative. */
#include <tile.h>

tile_kernel void negative_bytes(int *restrict x)
{
    tile_grid(2);
    tile e = tile_iota_as(signed char, 256);
    tile far = tile_pointers(x, tile_cast(e, int) + 300);
    tile_store_masked(far, tile_bid(0), tile_lt(e, (signed char)0)); // @negative
}
// EXPECT kernel negative_bytes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @negative @negative

tile_kernel void square_of_bytes(int *restrict x)
{
    tile_grid(2);
    tile e = tile_reshape(tile_iota_as(signed char, 256), 16, 16);
    tile far = tile_pointers(x, tile_cast(e, int) + 300);
    tile_store_masked(far, tile_bid(0), tile_lt(e, (signed char)0)); // @square
}
// EXPECT kernel square_of_bytes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @square @square

tile_kernel void slice_of_bytes(int *restrict x)
{
    tile_grid(2);
    tile e = tile_extract(tile_iota_as(signed char, 256), tile_shape(64), 3);
    tile far = tile_pointers(x, tile_cast(e, int) + 300);
    tile_store_masked(far, tile_bid(0), tile_lt(e, (signed char)0)); // @slice
}
// EXPECT kernel slice_of_bytes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @slice @slice

tile_kernel void joined_bytes(int *restrict x)
{
    tile_grid(2);
    tile i = tile_iota_as(signed char, 256), e = tile_extract(tile_cat(i, i, 0), tile_shape(64), 7);
    tile far = tile_pointers(x, tile_cast(e, int) + 300);
    tile_store_masked(far, tile_bid(0), tile_lt(e, (signed char)0)); // @joined
}
// EXPECT kernel joined_bytes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @joined @joined

tile_kernel void same_bits(int *restrict x)
{
    tile_grid(1);
    tile e = tile_iota_as(unsigned char, 256);
    tile s = tile_and(tile_cast(tile_cast(e, signed char), int), 127);
    tile_store_ptr(tile_pointers(x, s), 1); // @same
}
// EXPECT kernel same_bits
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR004 @same

tile_kernel void all_bytes(int *restrict x)
{
    tile e = tile_cast(tile_iota_as(unsigned char, 256), int);
    tile_store_ptr(tile_pointers(x, 256 * tile_bid(0) + e), 1);
}
// EXPECT kernel all_bytes
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch

tile_kernel void all_signed_bytes(int *restrict x)
{
    tile e = tile_cast(tile_iota_as(signed char, 256), int);
    tile_store_ptr(tile_pointers(x, 256 * tile_bid(0) + 128 + e), 1);
}
// EXPECT kernel all_signed_bytes
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch
