/* A clamp, a remainder or a quotient that sends several numbers to one place. Facts that keep it
 * from doing so, on the launch or on contents, would excuse the mistake. */
#include <tile.h>

tile_kernel void clamp_by_product(float *restrict y, int n)
{
    int s = tile_bid(0);
    y[s - (s > n ? 1 : 0) * (s - n)] = 1.0f; // @product
}

tile_kernel void clamp_by_sum(float *restrict y, int n)
{
    int s = tile_bid(0), over = s > n ? 1 : 0;
    y[s * (1 - over) + n * over] = 1.0f; // @sum
}

tile_kernel void clamp_of_lanes(float *restrict y, int n)
{
    tile s = tile_iota(64) + 64 * tile_bid(0);
    tile over = tile_cast(tile_gt(s, n), int);
    tile_store_ptr(tile_pointers(y, s - over * (s - n)), 1.0f); // @of_lanes
}

tile_kernel void to_zero(float *restrict y, int n)
{
    int s = tile_bid(0);
    y[s * (s < n)] = 1.0f; // @zero
}

tile_kernel void remainder_by_hand(float *restrict y, int n)
{
    int s = tile_bid(0);
    y[s - s / n * n] = 1.0f; // @by_hand
}

tile_kernel void wide_remainder(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 16 + (idx[b] & 63)] = 1.0f; // @wide
}

tile_kernel void fitting_remainder(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 64 + (idx[b] & 63)] = 1.0f;
}

/* C's remainder of a negative number is negative. */
tile_kernel void signed_remainder(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 64 + idx[b] % 64] = 1.0f; // @signed
}

tile_kernel void clamped_contents(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 16 + tile_min(tile_max(idx[b], 0), 63)] = 1.0f; // @clamped
}

tile_kernel void by_half(float *restrict y, const int *restrict idx)
{
    y[idx[tile_bid(0)] / 2] = 1.0f; // @by_half
}

tile_kernel void unique_by_half(float *restrict y, const int *restrict idx)
{
    tile_unique(idx);
    tile_contents(idx, 0, 100000);
    y[idx[tile_bid(0)] >> 1] = 1.0f; // @unique_half
}

tile_kernel void unique_even(float *restrict y, const int *restrict idx)
{
    tile_unique(idx);
    y[idx[tile_bid(0)] & ~1] = 1.0f; // @even
}

tile_kernel void tiles_by_half(float *restrict y, const int *restrict idx)
{
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile v = tile_load_ptr(tile_pointers(idx, i));
    tile_store_ptr(tile_pointers(y, v / 2), 1.0f); // @tiles_half
}

/* A mask that leaves out what is behind the end is no clamp. */
tile_kernel void masked_slots(float *restrict y, const int *restrict idx, int n)
{
    int v = idx[tile_bid(0)];
    if (v >= 0 && v < n)
        y[v] = 1.0f; // @slots
}

// EXPECT kernel clamp_by_product
// EXPECT verdict race
// EXPECT TR001 @product @product
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel clamp_by_sum
// EXPECT verdict race
// EXPECT TR001 @sum @sum
// EXPECT observable no

// EXPECT kernel clamp_of_lanes
// EXPECT verdict race
// EXPECT TR001 @of_lanes @of_lanes
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT TR004 @of_lanes
// EXPECT observable no

// EXPECT kernel to_zero
// EXPECT verdict race
// EXPECT TR001 @zero @zero
// EXPECT observable no

// EXPECT kernel remainder_by_hand
// EXPECT verdict race
// EXPECT TR001 @by_hand @by_hand
// EXPECT requires positive-divisor:launch
// EXPECT observable no

// EXPECT kernel wide_remainder
// EXPECT verdict race
// EXPECT TR001 @wide @wide
// EXPECT observable no

// EXPECT kernel fitting_remainder
// EXPECT verdict race-free

// EXPECT kernel signed_remainder
// EXPECT verdict conditional
// EXPECT TR001 @signed @signed
// EXPECT requires contents-range:race

// EXPECT kernel clamped_contents
// EXPECT verdict race
// EXPECT TR001 @clamped @clamped
// EXPECT observable no

// EXPECT kernel by_half
// EXPECT verdict race
// EXPECT TR001 @by_half @by_half
// EXPECT observable no

// EXPECT kernel unique_by_half
// EXPECT verdict race
// EXPECT TR001 @unique_half @unique_half
// EXPECT observable no

// EXPECT kernel unique_even
// EXPECT verdict race
// EXPECT TR001 @even @even
// EXPECT observable no

// EXPECT kernel tiles_by_half
// EXPECT verdict race
// EXPECT TR001 @tiles_half @tiles_half
// EXPECT TR004 @tiles_half
// EXPECT requires in-bounds:launch
// EXPECT observable no

// EXPECT kernel masked_slots
// EXPECT verdict conditional
// EXPECT TR001 @slots @slots
// EXPECT requires unique-contents:race
