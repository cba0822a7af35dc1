/* A launch chooses the factor by which values wrap, a table is added to them, or they are indices
 * of a view: far blocks meet all the same, and a bound of the grid would only excuse it. */
#include <tile.h>

tile_kernel void chosen_factor(int *restrict x, int n)
{
    unsigned b = tile_bid(0);
    x[b * (n > 3 ? 65536u : 1u)] = 1; // @factor
}

tile_kernel void factor_of_a_table(int *restrict x, const int *restrict t)
{
    unsigned b = tile_bid(0);
    x[b * (t[0] > 3 ? 65536u : 1u)] = 1; // @of_a_table
}

tile_kernel void two_factors(int *restrict x, int n, int m)
{
    unsigned b = tile_bid(0);
    x[b * (n > 3 ? 65536u : 1u) * (m > 3 ? 1u : 16u)] = 1; // @two
}

tile_kernel void chosen_twice(int *restrict x, int n)
{
    unsigned b = tile_bid(0), s = n > 3 ? 65536u : 1u;
    s = n > 5 ? s : 1u;
    x[b * s] = 1; // @twice
}

/* Two elements of the table may be equal in three bits, also where they all differ. */
tile_kernel void beside_own_elements(int *restrict x, const int *restrict t)
{
    unsigned b = tile_bid(0);
    x[b * 65536u + (unsigned)(t[b] & 7)] = 1; // @beside
}

tile_kernel void beside_stated_elements(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    unsigned b = tile_bid(0);
    x[b * 16777216u + (unsigned)(t[b] & 7)] = 1; // @beside_stated
}

tile_kernel void index_of_a_view(int *restrict x, int n)
{
    unsigned b = tile_bid(0);
    tile_view v = tile_partition(tile_tensor(x, n), 1);
    tile_store(v, tile_full(1, 1), (int)((b * 65536u) >> 8)); // @view
}

tile_kernel void row_of_a_view(int *restrict x, int n, int m, int k)
{
    unsigned b = tile_bid(0);
    tile_view v = tile_partition(tile_tensor(x, n, m), 1, 16);
    if (k > 3)
        tile_store(v, tile_full(1, 1, 16), (int)((b << 24) >> 24), 0); // @row
}

/* Twins. */
tile_kernel void small_grid(int *restrict x, int n)
{
    tile_grid(4096);
    unsigned b = tile_bid(0);
    x[b * (n > 3 ? 65536u : 1u)] = 1;
}

tile_kernel void never_chosen(int *restrict x, int n)
{
    unsigned b = tile_bid(0), s = n > 3 ? 65536u : 1u;
    if (n <= 3)
        x[b * s] = 1;
}

tile_kernel void apart_by_a_table(int *restrict x, const int *restrict t)
{
    tile_contents(t, tile_index(), tile_index());
    unsigned b = tile_bid(0);
    x[b * 16777216u + (unsigned)t[b]] = 1;
}

tile_kernel void in_64_bits(int *restrict x, const int *restrict t)
{
    unsigned long b = tile_bid(0);
    x[b * 65536ul + (unsigned)(t[b] & 7)] = 1;
}

/* The view ends before its index begins again. */
tile_kernel void short_view(int *restrict x)
{
    unsigned b = tile_bid(0);
    tile_view v = tile_partition(tile_tensor(x, 4000), 16);
    tile_store(v, tile_full(1, 16), (int)((b << 24) >> 20));
}

// EXPECT kernel chosen_factor
// EXPECT verdict race
// EXPECT TR001 @factor @factor
// EXPECT observable no

// EXPECT kernel factor_of_a_table
// EXPECT verdict race
// EXPECT TR001 @of_a_table @of_a_table
// EXPECT observable no

// EXPECT kernel two_factors
// EXPECT verdict race
// EXPECT TR001 @two @two
// EXPECT observable no

// EXPECT kernel chosen_twice
// EXPECT verdict race
// EXPECT TR001 @twice @twice
// EXPECT observable no

// EXPECT kernel beside_own_elements
// EXPECT verdict race
// EXPECT TR001 @beside @beside
// EXPECT observable no

// EXPECT kernel beside_stated_elements
// EXPECT verdict race
// EXPECT TR001 @beside_stated @beside_stated
// EXPECT observable no

// EXPECT kernel index_of_a_view
// EXPECT verdict race
// EXPECT TR001 @view @view
// EXPECT requires index-in-space:launch
// EXPECT observable no

// EXPECT kernel row_of_a_view
// EXPECT verdict race
// EXPECT TR001 @row @row
// EXPECT requires index-in-space:launch
// EXPECT observable no

// EXPECT kernel small_grid
// EXPECT verdict race-free

// EXPECT kernel never_chosen
// EXPECT verdict race-free

// EXPECT kernel apart_by_a_table
// EXPECT verdict race-free

// EXPECT kernel in_64_bits
// EXPECT verdict race-free

// EXPECT kernel short_view
// EXPECT verdict race-free
// EXPECT requires index-in-space:launch
