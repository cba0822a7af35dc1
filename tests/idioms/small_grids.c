/* Indices without a law, on grids of so few tile blocks that all of them can be looked at. */
#include <tile.h>

tile_kernel void hilbert(float *restrict y)
{
    tile_grid(16, 16);
    int a = tile_bid(0), b = tile_bid(1), at = 0;
    for (int s = 8; s > 0; s /= 2) {
        int right = (a & s) > 0, up = (b & s) > 0;
        at += s * s * ((3 * right) ^ up);
        if (!up) {
            if (right) {
                a = 15 - a;
                b = 15 - b;
            }
            int swap = a;
            a = b;
            b = swap;
        }
    }
    y[at] = 1.0f;
}

// EXPECT kernel hilbert
// EXPECT verdict race-free

tile_kernel void checksum(float *restrict y)
{
    tile_grid(256);
    int c = tile_bid(0);
    for (int i = 0; i < 8; i++)
        c = c & 1 ? (c >> 1) ^ 0xb8 : c >> 1;
    y[c] = 1.0f;
}

// EXPECT kernel checksum
// EXPECT verdict race-free

tile_kernel void gray_undone_to_the_end(float *restrict y)
{
    tile_grid(256);
    int g = tile_bid(0), b = 0;
    for (; g; g >>= 1)
        b ^= g;
    y[b] = 1.0f;
}

// EXPECT kernel gray_undone_to_the_end
// EXPECT verdict race-free

tile_kernel void reversed_by_tests(float *restrict y)
{
    tile_grid(1024);
    int a = tile_bid(0), r = 0;
    for (int i = 9; i >= 0; i--)
        if (a & (1 << i))
            r |= 1 << (9 - i);
    y[r] = 1.0f;
}

// EXPECT kernel reversed_by_tests
// EXPECT verdict race-free

tile_kernel void times_17(float *restrict y)
{
    tile_grid(251);
    int a = tile_bid(0);
    y[a * 17 % 251] = 1.0f;
}

// EXPECT kernel times_17
// EXPECT verdict race-free

tile_kernel void cubes(float *restrict y)
{
    tile_grid(100);
    int a = tile_bid(0);
    y[a * a * a] = 1.0f;
}

// EXPECT kernel cubes
// EXPECT verdict race-free

tile_kernel void triangle(float *restrict y)
{
    tile_grid(20, 20);
    int a = tile_bid(0), b = tile_bid(1);
    if (b > a)
        return;
    y[a * (a + 1) / 2 + b] = 1.0f;
}

// EXPECT kernel triangle
// EXPECT verdict race-free

tile_kernel void zigzag(float *restrict y)
{
    tile_grid(8, 8);
    int a = tile_bid(0), b = tile_bid(1);
    y[b * 8 + (b % 2 ? 7 - a : a)] = 1.0f;
}

// EXPECT kernel zigzag
// EXPECT verdict race-free

tile_kernel void from_both_ends(float *restrict y)
{
    tile_grid(64);
    int a = tile_bid(0);
    y[a % 2 ? 63 - a / 2 : a / 2] = 1.0f;
}

// EXPECT kernel from_both_ends
// EXPECT verdict race-free

tile_kernel void checksum_of_less(float *restrict y)
{
    tile_grid(256);
    int c = tile_bid(0);
    for (int i = 0; i < 8; i++)
        c = c & 1 ? (c >> 1) ^ 0x38 : c >> 1;
    y[c] = 1.0f; // @checksum_of_less
}

// EXPECT kernel checksum_of_less
// EXPECT verdict race
// EXPECT TR001 @checksum_of_less @checksum_of_less
// EXPECT observable no

tile_kernel void times_18(float *restrict y)
{
    tile_grid(252);
    int a = tile_bid(0);
    y[a * 18 % 252] = 1.0f; // @times_18
}

// EXPECT kernel times_18
// EXPECT verdict race
// EXPECT TR001 @times_18 @times_18
// EXPECT observable no

tile_kernel void squares(float *restrict y)
{
    tile_grid(100);
    int a = tile_bid(0) - 50;
    y[a * a] = 1.0f; // @squares
}

// EXPECT kernel squares
// EXPECT verdict race
// EXPECT TR001 @squares @squares
// EXPECT observable no

tile_kernel void triangle_and_more(float *restrict y)
{
    tile_grid(20, 20);
    int a = tile_bid(0), b = tile_bid(1);
    if (b > a + 1)
        return;
    y[a * (a + 1) / 2 + b] = 1.0f; // @triangle_and_more
}

// EXPECT kernel triangle_and_more
// EXPECT verdict race
// EXPECT TR001 @triangle_and_more @triangle_and_more
// EXPECT observable no

tile_kernel void xor_and_and(float *restrict y)
{
    tile_grid(8, 8);
    int a = tile_bid(0), b = tile_bid(1);
    y[(a ^ b) * 8 + (a & b)] = 1.0f; // @xor_and_and
}

// EXPECT kernel xor_and_and
// EXPECT verdict race
// EXPECT TR001 @xor_and_and @xor_and_and
// EXPECT observable no

tile_kernel void zigzag_off_by_one(float *restrict y)
{
    tile_grid(8, 8);
    int a = tile_bid(0), b = tile_bid(1);
    y[b * 8 + (b % 2 ? 8 - a : a)] = 1.0f; // @zigzag_off_by_one
}

// EXPECT kernel zigzag_off_by_one
// EXPECT verdict race
// EXPECT TR001 @zigzag_off_by_one @zigzag_off_by_one
// EXPECT observable no
