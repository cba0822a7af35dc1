/* What an op in one branch asks of the launch is no error of the op in the other branch, which may
 * ask for the opposite: a whole launch takes one of the two. */
#include <tile.h>

/* f: 3 is below n; else n is below 4. */
tile_kernel void slots(float *restrict x, float *restrict y, int f, int n)
{
    tile_view v = tile_partition(tile_tensor(x, n * 16), 16),
              w = tile_partition(tile_tensor(y, 64), 16);
    int b = tile_bid(0);
    if (f) {
        if (b == 0)
            tile_store(v, tile_full(1.0f, 16), 3);
    } else if (b == 0)
        tile_store(w, tile_full(1.0f, 16), n);
}

tile_kernel void divide(int *restrict x, int *restrict z, int f, int n)
{
    int b = tile_bid(0);
    if (f)
        z[b] = 1 << n;
    else
        z[b] = 1 << (32 - n);
    x[b] = 1;
}

tile_kernel void shifted(int *restrict x, int *restrict z, int f, int n)
{
    int b = tile_bid(0);
    if (f)
        z[b] = 1 << n;
    else
        z[b] = 1 << (n - 32);
    x[b] = 1;
}

/* An extent of either sign. */
tile_kernel void sized(float *restrict x, float *restrict y, int f, int n)
{
    int b = tile_bid(0);
    if (f) {
        tile_view v = tile_partition(tile_tensor(x, n), 16);
        if (b == 0)
            tile_store(v, tile_full(1.0f, 16), 0);
    } else {
        tile_view v = tile_partition(tile_tensor(x, -n), 16);
        if (b == 0)
            tile_store(v, tile_full(1.0f, 16), 0);
    }
    y[b] = 1.0f;
}

tile_kernel void step(float *restrict x, int *restrict z, int f, int n)
{
    int b = tile_bid(0);
    if (f)
        for (int i = 0; i < 9; i += n)
            z[b] += i;
    else
        for (int i = 0; i < 9; i += -n)
            z[b] += i;
    x[b] = 1.0f;
}

tile_kernel void wide(float *restrict x, float *restrict y, int f, int n)
{
    tile_view v = tile_partition(tile_tensor(x, 1024), 16);
    int b = tile_bid(0);
    if (f) {
        if (b == 0)
            tile_store(v, tile_full(1.0f, 16), n);
    } else if (b == 0)
        tile_store(v, tile_full(1.0f, 16), n - 64);
}

/* The defined launches of one branch race all the same. */
tile_kernel void wide_racy(float *restrict x, float *restrict y, int f, int n)
{
    tile_view v = tile_partition(tile_tensor(x, 1024), 16);
    int b = tile_bid(0);
    if (f) {
        if (b == 0)
            tile_store(v, tile_full(1.0f, 16), n);
    } else
        tile_store(v, tile_full(1.0f, 16), n - 64); // @wide_racy
}

tile_kernel void one_left(float *restrict x, int f, int n)
{
    if (f)
        tile_assert(n >= 4);
    else
        tile_assert(n <= 4);
    x[tile_bid(0)] = 1.0f;
}

/* No branch may leave one tile block alone, which `grid.x <= n` does not. */
tile_kernel void grids(float *restrict x, int f, int n)
{
    if (f)
        tile_assert(tile_grid_extent(0) <= n);
    else
        tile_assert(n <= 1);
    x[tile_bid(0)] = 1.0f;
}

// EXPECT kernel slots
// EXPECT verdict race-free
// EXPECT requires no-wrap index-in-space
// EXPECT asks n <= 134217727
// EXPECT asks f == 0 || n >= 4
// EXPECT asks f != 0 || n >= 0
// EXPECT asks f != 0 || n <= 3

// EXPECT kernel divide
// EXPECT verdict race-free
// EXPECT requires no-wrap

// EXPECT kernel shifted
// EXPECT verdict race-free
// EXPECT requires no-wrap

// EXPECT kernel sized
// EXPECT verdict race-free
// EXPECT requires no-wrap index-in-space

// EXPECT kernel step
// EXPECT verdict race-free
// EXPECT requires no-wrap positive-divisor

// EXPECT kernel wide
// EXPECT verdict race-free
// EXPECT requires index-in-space

// EXPECT kernel wide_racy
// EXPECT verdict race
// EXPECT TR001 @wide_racy @wide_racy
// EXPECT requires index-in-space
// EXPECT observable no

// EXPECT kernel one_left
// EXPECT verdict race-free
// EXPECT requires kernel-assume
// EXPECT asks f == 0 || n >= 4
// EXPECT asks f != 0 || n <= 4

// EXPECT kernel grids
// EXPECT verdict race-free
// EXPECT requires kernel-assume
// EXPECT asks f == 0 || grid.x <= n
// EXPECT asks f != 0 || n <= 1
