/* Indices that are one-to-one because each bit of them is an exclusive or of the id's bits, or that
 * are not because two ids have the same bits: Gray codes, rotations, swizzles of shared rows. */
#include <tile.h>

tile_kernel void gray(float *restrict y)
{
    tile_grid(1024);
    int b = tile_bid(0);
    y[b ^ (b >> 1)] = 1.0f;
}
// EXPECT kernel gray
// EXPECT verdict race-free

tile_kernel void gray_of_any_grid(float *restrict y, int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 65536);
    int b = tile_bid(0);
    y[b ^ (b >> 1)] = 1.0f;
}
// EXPECT kernel gray_of_any_grid
// EXPECT verdict race-free

tile_kernel void gray_by_or(float *restrict y)
{
    tile_grid(64);
    int b = tile_bid(0);
    y[b | (b >> 1)] = 1.0f; // @gray_by_or
}
// EXPECT kernel gray_by_or
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @gray_by_or @gray_by_or

tile_kernel void gray_turned(float *restrict y)
{
    tile_grid(64);
    int b = tile_bid(0);
    y[b ^ ((b >> 1) | ((b & 1) << 5))] = 1.0f; // @gray_turned
}
// EXPECT kernel gray_turned
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @gray_turned @gray_turned

tile_kernel void reversed_by_masks(float *restrict y)
{
    tile_grid(256);
    int b = tile_bid(0);
    b = (b & 0x55) << 1 | (b >> 1 & 0x55);
    b = (b & 0x33) << 2 | (b >> 2 & 0x33);
    b = (b & 0x0f) << 4 | (b >> 4 & 0x0f);
    y[b] = 1.0f;
}
// EXPECT kernel reversed_by_masks
// EXPECT verdict race-free

tile_kernel void reversed_by_a_wrong_mask(float *restrict y)
{
    tile_grid(256);
    int b = tile_bid(0);
    b = (b & 0x55) << 1 | (b >> 1 & 0x55);
    b = (b & 0x33) << 2 | (b >> 2 & 0x31);
    b = (b & 0x0f) << 4 | (b >> 4 & 0x0f);
    y[b] = 1.0f; // @wrong_mask
}
// EXPECT kernel reversed_by_a_wrong_mask
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @wrong_mask @wrong_mask

tile_kernel void morton_by_masks(float *restrict y)
{
    tile_grid(256, 256);
    int a = tile_bid(0), b = tile_bid(1);
    a = (a | a << 4) & 0x0f0f;
    a = (a | a << 2) & 0x3333;
    a = (a | a << 1) & 0x5555;
    b = (b | b << 4) & 0x0f0f;
    b = (b | b << 2) & 0x3333;
    b = (b | b << 1) & 0x5555;
    y[a | b << 1] = 1.0f;
}
// EXPECT kernel morton_by_masks
// EXPECT verdict race-free

tile_kernel void morton_not_shifted(float *restrict y)
{
    tile_grid(16, 16);
    int a = tile_bid(0), b = tile_bid(1);
    a = (a | a << 2) & 0x33;
    a = (a | a << 1) & 0x55;
    b = (b | b << 2) & 0x33;
    b = (b | b << 1) & 0x55;
    y[a | b] = 1.0f; // @not_shifted
}
// EXPECT kernel morton_not_shifted
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @not_shifted @not_shifted

tile_kernel void rotated_left(float *restrict y)
{
    tile_grid(1024);
    int b = tile_bid(0);
    y[(b << 3 | b >> 7) & 1023] = 1.0f;
}
// EXPECT kernel rotated_left
// EXPECT verdict race-free

tile_kernel void rotated_left_too_little(float *restrict y)
{
    tile_grid(1024);
    int b = tile_bid(0);
    y[(b << 3 | b >> 8) & 1023] = 1.0f; // @too_little
}
// EXPECT kernel rotated_left_too_little
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @too_little @too_little

tile_kernel void rotated_by_product(float *restrict y)
{
    tile_grid(256);
    int b = tile_bid(0);
    y[b % 32 * 8 + b / 32] = 1.0f;
}
// EXPECT kernel rotated_by_product
// EXPECT verdict race-free

/* 128-byte rows of sixteen-byte chunks: a chunk goes to its number, exclusive or the row's. */
tile_kernel void swizzled(float *restrict y, int rows)
{
    tile_grid(8, rows);
    tile_assume(0 < rows && rows <= 65536);
    int c = tile_bid(0), r = tile_bid(1);
    y[r * 8 + (c ^ (r % 8))] = 1.0f;
}
// EXPECT kernel swizzled
// EXPECT verdict race-free

tile_kernel void swizzled_in_a_loop(float *restrict y)
{
    tile_grid(64);
    int r = tile_bid(0);
    for (int c = 0; c < 8; c++)
        y[r * 8 + (c ^ (r & 7))] = 1.0f;
}
// EXPECT kernel swizzled_in_a_loop
// EXPECT verdict race-free

tile_kernel void swizzled_lanes(float *restrict y, int rows)
{
    tile_grid(rows);
    tile_assume(0 < rows && rows <= 65536);
    int r = tile_bid(0);
    tile lane = tile_iota(64);
    tile chunk = tile_xor(lane / 8, tile_full(r % 8, 64));
    tile_store_ptr(tile_pointers(y, chunk * 8 + lane - lane / 8 * 8 + r * 64), 1.0f);
}
// EXPECT kernel swizzled_lanes
// EXPECT verdict race-free

tile_kernel void swizzled_beyond_its_row(float *restrict y, int rows)
{
    tile_grid(8, rows);
    tile_assume(0 < rows && rows <= 65536);
    int c = tile_bid(0), r = tile_bid(1);
    y[r * 8 + (c ^ (r % 16))] = 1.0f; // @beyond_its_row
}
// EXPECT kernel swizzled_beyond_its_row
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @beyond_its_row @beyond_its_row

tile_kernel void swizzled_short_rows(float *restrict y)
{
    tile_grid(6, 16);
    int c = tile_bid(0), r = tile_bid(1);
    y[r * 6 + (c ^ (r % 8))] = 1.0f; // @short_rows
}
// EXPECT kernel swizzled_short_rows
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @short_rows @short_rows

tile_kernel void swizzled_by_or(float *restrict y)
{
    tile_grid(8, 16);
    int c = tile_bid(0), r = tile_bid(1);
    y[r * 8 + (c | (r % 8))] = 1.0f; // @by_or
}
// EXPECT kernel swizzled_by_or
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @by_or @by_or
