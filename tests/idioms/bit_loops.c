/* Indices that a short loop takes apart and puts together again: Morton order, bit and digit
 * reversal, Gray codes, rotations. The loop is walked iteration by iteration. */
#include <tile.h>

tile_kernel void morton(float *restrict y)
{
    tile_grid(16, 16);
    int a = tile_bid(0), b = tile_bid(1), m = 0;
    for (int i = 0; i < 4; i++)
        m |= ((a >> i & 1) << (2 * i)) | ((b >> i & 1) << (2 * i + 1));
    y[m] = 1.0f;
}

// EXPECT kernel morton
// EXPECT verdict race-free

tile_kernel void morton_added(float *restrict y)
{
    tile_grid(16, 16);
    int a = tile_bid(0), b = tile_bid(1), m = 0, weight = 1;
    for (int i = 0; i < 4; i++) {
        m += (a & 1) * weight + (b & 1) * 2 * weight;
        a >>= 1;
        b >>= 1;
        weight *= 4;
    }
    y[m] = 1.0f;
}

// EXPECT kernel morton_added
// EXPECT verdict race-free

tile_kernel void morton_of_three(float *restrict y)
{
    tile_grid(8, 8, 8);
    int a = tile_bid(0), b = tile_bid(1), c = tile_bid(2), m = 0;
    for (int i = 0; i < 3; i++)
        m |= ((a >> i & 1) << (3 * i)) | ((b >> i & 1) << (3 * i + 1)) |
             ((c >> i & 1) << (3 * i + 2));
    y[m] = 1.0f;
}

// EXPECT kernel morton_of_three
// EXPECT verdict race-free

tile_kernel void morton_masked(float *restrict y)
{
    tile_grid(256, 256);
    int a = tile_bid(0), b = tile_bid(1), m = 0;
    for (int i = 0; i < 8; i++)
        m |= ((a & (1 << i)) << i) | ((b & (1 << i)) << (i + 1));
    y[m] = 1.0f;
}

// EXPECT kernel morton_masked
// EXPECT verdict race-free

tile_kernel void morton_a_bit_short(float *restrict y)
{
    tile_grid(16, 16);
    int a = tile_bid(0), b = tile_bid(1), m = 0;
    for (int i = 0; i < 3; i++)
        m |= ((a >> i & 1) << (2 * i)) | ((b >> i & 1) << (2 * i + 1));
    y[m] = 1.0f; // @short
}

// EXPECT kernel morton_a_bit_short
// EXPECT verdict race
// EXPECT TR001 @short @short
// EXPECT observable no

tile_kernel void morton_not_apart(float *restrict y)
{
    tile_grid(16, 16);
    int a = tile_bid(0), b = tile_bid(1), m = 0;
    for (int i = 0; i < 4; i++)
        m |= ((a >> i & 1) << (2 * i)) | ((b >> i & 1) << (2 * i));
    y[m] = 1.0f; // @not_apart
}

// EXPECT kernel morton_not_apart
// EXPECT verdict race
// EXPECT TR001 @not_apart @not_apart
// EXPECT observable no

tile_kernel void reversed(float *restrict y)
{
    tile_grid(256);
    int a = tile_bid(0), r = 0;
    for (int i = 0; i < 8; i++) {
        r = (r << 1) | (a & 1);
        a >>= 1;
    }
    y[r] = 1.0f;
}

// EXPECT kernel reversed
// EXPECT verdict race-free

tile_kernel void reversed_a_bit_short(float *restrict y)
{
    tile_grid(256);
    int a = tile_bid(0), r = 0;
    for (int i = 0; i < 7; i++) {
        r = (r << 1) | (a & 1);
        a >>= 1;
    }
    y[r] = 1.0f; // @reversed_short
}

// EXPECT kernel reversed_a_bit_short
// EXPECT verdict race
// EXPECT TR001 @reversed_short @reversed_short
// EXPECT observable no

tile_kernel void digits(float *restrict y)
{
    tile_grid(1000);
    int a = tile_bid(0), r = 0;
    for (int i = 0; i < 3; i++) {
        r = r * 10 + a % 10;
        a /= 10;
    }
    y[r] = 1.0f;
}

// EXPECT kernel digits
// EXPECT verdict race-free

tile_kernel void digits_of_another_base(float *restrict y)
{
    tile_grid(1000);
    int a = tile_bid(0), r = 0;
    for (int i = 0; i < 3; i++) {
        r = r * 9 + a % 10;
        a /= 10;
    }
    y[r] = 1.0f; // @base
}

// EXPECT kernel digits_of_another_base
// EXPECT verdict race
// EXPECT TR001 @base @base
// EXPECT observable no

tile_kernel void gray_undone(float *restrict y)
{
    tile_grid(256);
    int g = tile_bid(0);
    for (int s = 1; s < 8; s *= 2)
        g ^= g >> s;
    y[g] = 1.0f;
}

// EXPECT kernel gray_undone
// EXPECT verdict race-free

tile_kernel void gray_undone_downwards(float *restrict y)
{
    tile_grid(256);
    int g = tile_bid(0);
    for (int s = 4; s > 0; s /= 2)
        g ^= g >> s;
    y[g] = 1.0f;
}

// EXPECT kernel gray_undone_downwards
// EXPECT verdict race-free

tile_kernel void gray_by_and(float *restrict y)
{
    tile_grid(256);
    int g = tile_bid(0);
    for (int s = 4; s > 0; s /= 2)
        g &= ~(g >> s);
    y[g] = 1.0f; // @and
}

// EXPECT kernel gray_by_and
// EXPECT verdict race
// EXPECT TR001 @and @and
// EXPECT observable no

tile_kernel void rotated(float *restrict y)
{
    tile_grid(256);
    int g = tile_bid(0);
    for (int s = 0; s < 3; s++)
        g = ((g << 1) | (g >> 7)) & 255;
    y[g] = 1.0f;
}

// EXPECT kernel rotated
// EXPECT verdict race-free

tile_kernel void rotated_too_far(float *restrict y)
{
    tile_grid(256);
    int g = tile_bid(0);
    for (int s = 0; s < 3; s++)
        g = ((g << 1) | (g >> 6)) & 255;
    y[g] = 1.0f; // @rotated
}

// EXPECT kernel rotated_too_far
// EXPECT verdict race
// EXPECT TR001 @rotated @rotated
// EXPECT observable no

tile_kernel void bits_counted(float *restrict y)
{
    tile_grid(256);
    int a = tile_bid(0), n = 0;
    for (int i = 0; i < 8; i++)
        n += a >> i & 1;
    y[n] = 1.0f; // @counted
}

// EXPECT kernel bits_counted
// EXPECT verdict race
// EXPECT TR001 @counted @counted
// EXPECT observable no
