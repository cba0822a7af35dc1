/* Undefined from some iteration of a loop on: no precondition may leave the loop its first ones. */
#include <tile.h>

tile_kernel void la_view(float *restrict x, float *restrict y, float *restrict z)
{
    tile_view v = tile_partition(tile_tensor(x, 16), 16),
              o = tile_partition(tile_tensor(z, 16 * tile_grid_extent(0)), 16);
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        tile t = tile_load(v, i); // @la_view
        tile_store(o, t, b);
        y[i] = 1.0f; // @la_view_2
    }
}

tile_kernel void la_view3(float *restrict x, float *restrict y, float *restrict z)
{
    tile_view v = tile_partition(tile_tensor(x, 16), 16),
              o = tile_partition(tile_tensor(z, 16 * tile_grid_extent(0)), 16);
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        tile_store(o, tile_load(v, i), b); // @la_view3
        if (i > 0)
            y[b * 2 + i] = 1.0f; // @la_view3_2
    }
}

tile_kernel void la_shift(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        z[b * 4 + i] = 1 << (32 * i); // @la_shift
        y[b * 2 + i] = 1.0f;          // @la_shift_2
    }
}

tile_kernel void la_assert(float *restrict y)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        tile_assert(i == 0); // @la_assert
        y[b * 2 + i] = 1.0f; // @la_assert_2
    }
}

tile_kernel void la_div(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        z[b * 4 + i] = 8 / (1 - i); // @la_div
        y[b * 2 + i] = 1.0f;        // @la_div_2
    }
}

tile_kernel void la_view_g(float *restrict x, float *restrict y, float *restrict z)
{
    tile_grid(4);
    tile_extent(y, 64);
    tile_extent(z, 64);
    tile_extent(x, 16);
    tile_view v = tile_partition(tile_tensor(x, 16), 16),
              o = tile_partition(tile_tensor(z, 64), 16);
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        tile_store(o, tile_load(v, i), b); // @la_view_g
        y[b * 2 + i] = 1.0f;               // @la_view_g_2
    }
}

tile_kernel void lb_n_view(float *restrict x, float *restrict y, float *restrict z, int n)
{
    tile_view v = tile_partition(tile_tensor(x, 16), 16),
              o = tile_partition(tile_tensor(z, 16 * tile_grid_extent(0)), 16);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_store(o, tile_load(v, i), b); // @lb_n_view
        y[b * 2 + i] = 1.0f;               // @lb_n_view_2
    }
}

tile_kernel void lb_n_shift(float *restrict y, int *restrict z, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        z[b * n + i] = 1 << (32 * i); // @lb_n_shift
        y[b + i] = 1.0f;              // @lb_n_shift_2
    }
}

tile_kernel void lb_n_assert(float *restrict y, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_assert(i == 0); // @lb_n_assert
        y[b + i] = 1.0f;     // @lb_n_assert_2
    }
}

tile_kernel void lb_n_assert_n(float *restrict y, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_assert(n == 1); // @lb_n_assert_n
        y[b + i] = 1.0f;     // @lb_n_assert_n_2
    }
}

tile_kernel void lb_n_div(float *restrict y, int *restrict z, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        z[b * n + i] = 8 / (1 - i); // @lb_n_div
        y[b + i] = 1.0f;            // @lb_n_div_2
    }
}

tile_kernel void lb_n_assertle(float *restrict y, int n)
{
    int b = tile_bid(0);
    tile_assert(n <= 1); // @lb_n_assertle
    for (int i = 0; i < n; i++) {
        y[b + i] = 1.0f; // @lb_n_assertle_2
    }
}

tile_kernel void lg_ok(float *restrict y, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_assert(i < n);
        y[b * n + i] = 1.0f;
    }
}

tile_kernel void lg_ok2(float *restrict x, float *restrict y, float *restrict z, int n, int m)
{
    tile_view v = tile_partition(tile_tensor(x, m), 16),
              o = tile_partition(tile_tensor(z, 16 * n * tile_grid_extent(0)), 16);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        tile_store(o, tile_load(v, i), b * n + i);
}

tile_kernel void lg_ok3(float *restrict y, int *restrict z, int n, int s)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        z[b * 4 + i] = 8 / (s - i);
        y[b * 4 + i] = 1.0f;
    }
}

tile_kernel void lg_ok4(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        z[b * 4 + i] = 1 << (8 * i);
        y[b * 4 + i] = 1.0f;
    }
}

// EXPECT kernel la_view
// EXPECT verdict race
// EXPECT TR007 @la_view
// EXPECT TR001 @la_view_2 @la_view_2
// EXPECT observable no

// EXPECT kernel la_view3
// EXPECT verdict race
// EXPECT TR007 @la_view3
// EXPECT TR001 @la_view3_2 @la_view3_2
// EXPECT observable no

// EXPECT kernel la_shift
// EXPECT verdict race
// EXPECT TR010 @la_shift
// EXPECT TR001 @la_shift_2 @la_shift_2
// EXPECT observable no

// EXPECT kernel la_assert
// EXPECT verdict race
// EXPECT TR028 @la_assert
// EXPECT TR001 @la_assert_2 @la_assert_2
// EXPECT observable no

// EXPECT kernel la_div
// EXPECT verdict race
// EXPECT TR010 @la_div
// EXPECT TR001 @la_div_2 @la_div_2
// EXPECT observable no

// EXPECT kernel la_view_g
// EXPECT verdict race
// EXPECT TR007 @la_view_g
// EXPECT TR001 @la_view_g_2 @la_view_g_2
// EXPECT observable no

// EXPECT kernel lb_n_view
// EXPECT verdict race
// EXPECT TR007 @lb_n_view
// EXPECT TR001 @lb_n_view_2 @lb_n_view_2
// EXPECT observable no

// EXPECT kernel lb_n_shift
// EXPECT verdict race
// EXPECT TR010 @lb_n_shift
// EXPECT TR001 @lb_n_shift_2 @lb_n_shift_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel lb_n_assert
// EXPECT verdict race
// EXPECT TR028 @lb_n_assert
// EXPECT TR001 @lb_n_assert_2 @lb_n_assert_2
// EXPECT observable no

// EXPECT kernel lb_n_assert_n
// EXPECT verdict race
// EXPECT TR028 @lb_n_assert_n
// EXPECT TR001 @lb_n_assert_n_2 @lb_n_assert_n_2
// EXPECT observable no

// EXPECT kernel lb_n_div
// EXPECT verdict race
// EXPECT TR010 @lb_n_div
// EXPECT TR001 @lb_n_div_2 @lb_n_div_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel lb_n_assertle
// EXPECT verdict race
// EXPECT TR028 @lb_n_assertle
// EXPECT TR001 @lb_n_assertle_2 @lb_n_assertle_2
// EXPECT observable no

// EXPECT kernel lg_ok
// EXPECT verdict race-free
// EXPECT requires no-wrap

// EXPECT kernel lg_ok2
// EXPECT verdict race-free
// EXPECT requires index-in-space no-wrap

// EXPECT kernel lg_ok3
// EXPECT verdict race-free
// EXPECT requires positive-divisor

// EXPECT kernel lg_ok4
// EXPECT verdict race-free
