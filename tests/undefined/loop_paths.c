/* A precondition in a branch may exclude the branch, and no tile block or iteration of it. */
#include <tile.h>
#define LD(p, i)    tile_to_int(tile_load_ptr_at(tile_pointers(p, i), TILE_ACQUIRE, TILE_DEVICE))
#define ST(p, i, v) tile_store_ptr_at(tile_pointers(p, i), v, TILE_RELEASE, TILE_DEVICE)
#define H8                                                                                         \
    tile_grid(8);                                                                                  \
    tile_contents(f, 0, 0);                                                                        \
    tile_extent(f, 64);                                                                            \
    int i = tile_bid(0);                                                                           \
    x[i] = 1.0f;                                                                                   \
    ST(f, i, 1);

tile_kernel void m_idx(float *restrict x, float *restrict y, int *restrict f, float *restrict z,
                       float *restrict o)
{
    H8 if (i == 0) // @m_idx
    {
        tile_view v = tile_partition(tile_tensor(z, 16), 16),
                  w = tile_partition(tile_tensor(o, 16), 16);
        tile_store(w, tile_load(v, LD(f, 5) - 1), 0);
        y[0] = x[5]; // @m_idx_2
    }
}

tile_kernel void m_idx_open(float *restrict x, float *restrict y, int *restrict f,
                            float *restrict z, float *restrict o, int n)
{
    int i = tile_bid(0);
    x[i] = 1.0f; // @m_idx_open
    ST(f, i, 1);
    if (i == 0) {
        tile_view v = tile_partition(tile_tensor(z, n), 16),
                  w = tile_partition(tile_tensor(o, 16), 16);
        tile_store(w, tile_load(v, LD(f, 5) - 1), 0);
        y[0] = x[5]; // @m_idx_open_2
    }
}

tile_kernel void m_shift_open(float *restrict x, float *restrict y, int *restrict f,
                              int *restrict z)
{
    int i = tile_bid(0);
    x[i] = 1.0f; // @m_shift_open
    ST(f, i, 1);
    if (i == 0) {
        z[0] = 1 << (32 * (1 - LD(f, 5)));
        y[0] = x[5]; // @m_shift_open_2
    }
}

tile_kernel void m_oob(float *restrict x, float *restrict y, int *restrict f, float *restrict z)
{
    tile_extent(z, 1);
    H8 if (i == 0) // @m_oob
    {
        y[1] = z[LD(f, 5) - 1];
        y[0] = x[5]; // @m_oob_2
    }
}

tile_kernel void br_par(float *restrict y, int p)
{
    int b = tile_bid(0);
    if (p) {
        tile_assert(b == 0); // @br_par
        y[0] = 1.0f;         // @br_par_2
    }
}

tile_kernel void br_par2(float *restrict y, float *restrict z, int p)
{
    int b = tile_bid(0);
    z[b] = 1.0f;
    if (p > 3) {
        tile_assert(b == 0); // @br_par2
        y[0] = 1.0f;         // @br_par2_2
    }
}

tile_kernel void br_par3(float *restrict y, float *restrict z, int p, int n)
{
    int b = tile_bid(0);
    z[b] = 1.0f;
    if (p > 3)
        for (int i = 0; i < n; i++) {
            tile_assert(i == 0); // @br_par3
            y[b + i] = 1.0f;     // @br_par3_2
        }
}

tile_kernel void br_par_ok(float *restrict y, int p)
{
    int b = tile_bid(0);
    if (p > 1024) {
        tile_assert(0);
    }
    y[b] = 1.0f;
}

tile_kernel void br_par_ok2(float *restrict y, int p)
{
    int b = tile_bid(0);
    if (p > 1024) {
        tile_assert(p < 2048);
        y[b * 2] = 2.0f;
    } else
        y[b] = 1.0f;
}

tile_kernel void two_loops(float *restrict y, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        tile_assert(i == 0); // @two_loops
    for (int j = 0; j < n; j++)
        y[b + j] = 1.0f; // @two_loops_2
}

tile_kernel void two_loops_shift(float *restrict y, int *restrict z, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        z[b * n + i] = 1 << (31 + i); // @two_loops_shift
    for (int j = 0; j < n; j++)
        y[b + j] = 1.0f; // @two_loops_shift_2
}

tile_kernel void joint(float *restrict y, int n, int p)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_assert(i != 1 || p == 3);
        tile_assert(i != 1 || p == 4); // @joint
        y[b + i] = 1.0f;               // @joint_2
    }
}

tile_kernel void while_view(float *restrict x, float *restrict y, float *restrict z, int n)
{
    tile_view v = tile_partition(tile_tensor(x, 32), 32),
              o = tile_partition(tile_tensor(z, 32 * tile_grid_extent(0)), 32);
    int b = tile_bid(0), i = 0;
    while (i < n) {
        tile_store(o, tile_load(v, i), b); // @while_view
        y[b + i] = 1.0f;                   // @while_view_2
        i++;
    }
}

tile_kernel void rev_view(float *restrict x, float *restrict y, float *restrict z, int n)
{
    tile_view v = tile_partition(tile_tensor(x, 32), 32),
              o = tile_partition(tile_tensor(z, 32 * tile_grid_extent(0)), 32);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_store(o, tile_load(v, n - 1 - i), b); // @rev_view
        y[b + i] = 1.0f;                           // @rev_view_2
    }
}

tile_kernel void onlyblock(float *restrict y, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        if (b == 1)
            tile_assert(i == 0); // @onlyblock
        y[b + i] = 1.0f;         // @onlyblock_2
    }
}

tile_kernel void masked(float *restrict y, int *restrict z, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile e = tile_iota(8);
        tile d = tile_sub(8, tile_add(e, 1 + i * 0));
        tile_store_masked(tile_pointers(z, tile_add(e, b * 8)),
                          tile_shl(1, tile_mul(e, 5 * i)), // @masked
                          tile_lt(e, n));
        y[b + i] = 1.0f; // @masked_2
    }
}

tile_kernel void y2d(float *restrict y)
{
    int b = tile_bid(1);
    int a = tile_bid(0);
    tile_assert(b == 0); // @y2d
    y[a] = 1.0f;         // @y2d_2
}

tile_kernel void y2d_loop(float *restrict y, int n)
{
    int b = tile_bid(1);
    int a = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_assert(i * b == 0); // @y2d_loop
        y[a * n + i] = 1.0f + b; // @y2d_loop_2
    }
}

tile_kernel void div_ok(float *restrict y, int *restrict z, int n, int s)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        z[b * n + i] = 100 / (s + i);
    }
}

tile_kernel void shift_ok(float *restrict y, int *restrict z, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        z[b * n + i] = 1 << i;
    }
}

tile_kernel void assert_ok(float *restrict y, int n, int m)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_assert(b * n + i < m);
        y[b * n + i] = 1.0f;
    }
}

tile_kernel void view2_ok(float *restrict x, float *restrict z, int n)
{
    tile_view v = tile_partition(tile_tensor(x, 64), 16),
              o = tile_partition(tile_tensor(z, 16 * tile_grid_extent(0)), 16);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++) {
        tile_store(o, tile_load(v, i), b);
    }
}

// EXPECT kernel m_idx
// EXPECT verdict race
// EXPECT TR018 @m_idx @m_idx_2
// EXPECT requires index-in-space
// EXPECT observable no

// EXPECT kernel m_idx_open
// EXPECT verdict race
// EXPECT TR018 @m_idx_open @m_idx_open_2
// EXPECT requires index-in-space no-wrap
// EXPECT observable no

// EXPECT kernel m_shift_open
// EXPECT verdict race
// EXPECT TR018 @m_shift_open @m_shift_open_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel m_oob
// EXPECT verdict race
// EXPECT TR018 @m_oob @m_oob_2
// EXPECT requires in-bounds
// EXPECT observable no

// EXPECT kernel br_par
// EXPECT verdict race
// EXPECT TR028 @br_par
// EXPECT TR001 @br_par_2 @br_par_2
// EXPECT observable no

// EXPECT kernel br_par2
// EXPECT verdict race
// EXPECT TR028 @br_par2
// EXPECT TR001 @br_par2_2 @br_par2_2
// EXPECT observable no

// EXPECT kernel br_par3
// EXPECT verdict race
// EXPECT TR028 @br_par3
// EXPECT TR001 @br_par3_2 @br_par3_2
// EXPECT observable no

// EXPECT kernel br_par_ok
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel br_par_ok2
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel two_loops
// EXPECT verdict race
// EXPECT TR028 @two_loops
// EXPECT TR001 @two_loops_2 @two_loops_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel two_loops_shift
// EXPECT verdict race
// EXPECT TR010 @two_loops_shift
// EXPECT TR001 @two_loops_shift_2 @two_loops_shift_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel joint
// EXPECT verdict race
// EXPECT TR028 @joint
// EXPECT TR001 @joint_2 @joint_2
// EXPECT requires kernel-assume no-wrap
// EXPECT observable no

// EXPECT kernel while_view
// EXPECT verdict race
// EXPECT TR007 @while_view
// EXPECT TR001 @while_view_2 @while_view_2
// EXPECT observable no

// EXPECT kernel rev_view
// EXPECT verdict race
// EXPECT TR007 @rev_view
// EXPECT TR001 @rev_view_2 @rev_view_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel onlyblock
// EXPECT verdict race
// EXPECT TR028 @onlyblock
// EXPECT TR001 @onlyblock_2 @onlyblock_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel masked
// EXPECT verdict race
// EXPECT TR010 @masked
// EXPECT TR001 @masked_2 @masked_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel y2d
// EXPECT verdict race
// EXPECT TR028 @y2d
// EXPECT TR001 @y2d_2 @y2d_2
// EXPECT observable no

// EXPECT kernel y2d_loop
// EXPECT verdict race
// EXPECT TR028 @y2d_loop
// EXPECT TR001 @y2d_loop_2 @y2d_loop_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel div_ok
// EXPECT verdict race-free
// EXPECT requires no-wrap positive-divisor

// EXPECT kernel shift_ok
// EXPECT verdict race-free
// EXPECT requires no-wrap

// EXPECT kernel assert_ok
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel view2_ok
// EXPECT verdict race-free
// EXPECT requires index-in-space
