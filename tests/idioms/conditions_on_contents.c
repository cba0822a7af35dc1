/* Accesses behind a condition on loaded values. The witness has to hold contents for which the
 * condition is met in both blocks: integers from the solver's model, floats by trial. */
#include <tile.h>

/* Every block whose flag is above 3 writes: the witness holds two such flags. */
tile_kernel void flag_above(const int *restrict flag, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(flag, n);
    int i = tile_bid(0);
    if (flag[i] > 3)
        y[0] = 1.0f; // @above
}

// EXPECT kernel flag_above
// EXPECT verdict race
// EXPECT TR001 @above @above
// EXPECT observable no

tile_kernel void equal_entries(const int *restrict a, const int *restrict b, float *restrict y,
                               int n)
{
    tile_grid(n);
    tile_extent(a, n);
    tile_extent(b, n);
    int i = tile_bid(0);
    if (a[i] == b[i])
        y[0] = 1.0f; // @equal
}

// EXPECT kernel equal_entries
// EXPECT verdict race
// EXPECT TR001 @equal @equal
// EXPECT observable no

/* One number names one block, whatever it is. */
tile_kernel void one_owner(const int *restrict owner, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(owner, 1);
    int i = tile_bid(0);
    if (owner[0] == i)
        y[0] = 1.0f;
}

// EXPECT kernel one_owner
// EXPECT verdict race-free

/* Ranks are unique, so one block has rank 7. */
tile_kernel void one_rank(const int *restrict rank, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(rank, n);
    tile_unique(rank);
    int i = tile_bid(0);
    if (rank[i] == 7)
        y[0] = 1.0f;
}

// EXPECT kernel one_rank
// EXPECT verdict race-free

tile_kernel void two_ranks(const int *restrict rank, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(rank, n);
    tile_unique(rank);
    int i = tile_bid(0);
    if (rank[i] == 7 || rank[i] == 8)
        y[0] = 1.0f; // @two_ranks
}

// EXPECT kernel two_ranks
// EXPECT verdict race
// EXPECT TR001 @two_ranks @two_ranks
// EXPECT observable no

/* The same of floats. */
tile_kernel void float_above(const float *restrict x, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(x, n);
    int i = tile_bid(0);
    if (x[i] > 0.5f)
        y[0] = x[i]; // @float_above
}

// EXPECT kernel float_above
// EXPECT verdict race
// EXPECT TR001 @float_above @float_above
// EXPECT observable no

tile_kernel void float_below_own(const float *restrict x, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(x, n);
    int i = tile_bid(0);
    if (x[i] < 0.25f)
        y[i] = x[i];
}

// EXPECT kernel float_below_own
// EXPECT verdict race-free

/* The condition leaves one block. */
tile_kernel void float_never(const float *restrict x, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(x, n);
    int i = tile_bid(0);
    if (x[i] > 1.0f && i == 0)
        y[0] = x[i];
}

// EXPECT kernel float_never
// EXPECT verdict race-free

tile_kernel void float_equal(const float *restrict x, const float *restrict z, float *restrict y,
                             int n)
{
    tile_grid(n);
    tile_extent(x, n);
    tile_extent(z, n);
    int i = tile_bid(0);
    if (x[i] == z[i] && x[i] * 2.0f > 3.0f)
        y[0] = x[i]; // @float_equal
}

// EXPECT kernel float_equal
// EXPECT verdict race
// EXPECT TR001 @float_equal @float_equal
// EXPECT observable no

/* Two buffers have to hold different numbers. */
tile_kernel void float_between(const float *restrict low, const float *restrict high,
                               float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(low, n);
    tile_extent(high, n);
    int i = tile_bid(0);
    if (low[i] < -2.0f && high[i] > 700.0f)
        y[i / 2] = (float)i; // @float_between
}

// EXPECT kernel float_between
// EXPECT verdict race
// EXPECT TR001 @float_between @float_between
// EXPECT observable yes

/* A float parameter decides, too. */
tile_kernel void float_argument(const float *restrict x, float *restrict y, int n, float threshold)
{
    tile_grid(n);
    tile_extent(x, n);
    int i = tile_bid(0);
    if (x[i] > threshold)
        y[0] = x[i]; // @threshold
}

// EXPECT kernel float_argument
// EXPECT verdict race
// EXPECT TR001 @threshold @threshold
// EXPECT observable no

/* A mask, element by element. */
tile_kernel void float_mask(const float *restrict x, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(x, 64L * n);
    int i = tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + 64 * i));
    tile_store_masked(tile_pointers(y, tile_iota(64)), v, tile_gt(v, 0.0f)); // @float_mask
}

// EXPECT kernel float_mask
// EXPECT verdict race
// EXPECT TR001 @float_mask @float_mask
// EXPECT observable no

tile_kernel void float_largest(const float *restrict x, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(x, 64L * n);
    int i = tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + 64 * i));
    float most = tile_to_float(tile_reduce_max(v, 0));
    if (most > 1.0f)
        y[0] = most; // @largest
}

// EXPECT kernel float_largest
// EXPECT verdict race
// EXPECT TR001 @largest @largest
// EXPECT observable no

/* An integer condition from the model, a float one invented. */
tile_kernel void half_and_int(const int *restrict length, const f16 *restrict w, float *restrict y,
                              int n)
{
    tile_grid(n);
    tile_extent(length, n);
    tile_extent(w, n);
    int i = tile_bid(0);
    float h = tile_to_float(tile_cast(tile_load_ptr(tile_pointers(w, i)), float));
    if (length[i] % 3 == 1 && h < 0.25f)
        y[length[i] / 3] = h; // @both
}

// EXPECT kernel half_and_int
// EXPECT verdict conditional
// EXPECT TR001 @both @both
// EXPECT requires unique-contents:race

/* The kernel writes what it asks, after it has asked. */
tile_kernel void written_too(int *restrict flag, float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(flag, n);
    int i = tile_bid(0);
    if (flag[i] > 3) {
        flag[i] = 0;
        y[0] = 1.0f; // @written
    }
}

// EXPECT kernel written_too
// EXPECT verdict race
// EXPECT TR001 @written @written
// EXPECT observable no

/* Block 0 is above and comes to the place of block 1, which is below. */
tile_kernel void next_if_above(const float *restrict f, float *restrict y)
{
    int i = tile_bid(0);
    y[i + (f[i] > 0.5f ? 1 : 0)] = (float)i; // @next
}

// EXPECT kernel next_if_above
// EXPECT verdict race
// EXPECT TR001 @next @next
// EXPECT observable yes

tile_kernel void moved_if_above(const float *restrict f, float *restrict y)
{
    int i = tile_bid(0);
    if (f[i] > 100.0f)
        i++;
    y[i] = (float)i; // @moved
}

// EXPECT kernel moved_if_above
// EXPECT verdict race
// EXPECT TR001 @moved @moved
// EXPECT observable no

tile_kernel void pairs_by_above(const float *restrict f, float *restrict y)
{
    int i = tile_bid(0);
    y[2 * i + (f[i] > 0.5f ? 1 : 0)] = (float)i;
}

// EXPECT kernel pairs_by_above
// EXPECT verdict race-free
