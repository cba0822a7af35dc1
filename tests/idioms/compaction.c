/* Compaction by ticket: a block reserves as many elements of a list as it will write, and indices
 * that come out of reductions and scans of its own tile. */
#include <tile.h>

/* The number of elements that a block reserves is loaded. */
tile_kernel void reserve_count(int *restrict counter, const int *restrict count, int *restrict y,
                               int n, int m)
{
    tile_grid(n);
    tile_extent(counter, 1);
    tile_extent(count, n);
    tile_extent(y, m);
    tile_contents(counter, 0, 0);
    tile_contents(count, 0, 16);
    tile_assume(n < 1 << 20 && m > 17 * n);
    int i = tile_bid(0), c = count[i];
    int slot =
        tile_to_int(tile_atomic_add(tile_pointers(counter, 0), c, TILE_RELAXED, TILE_DEVICE));
    for (int j = 0; j < c; j++)
        y[slot + j] = i;
}

// EXPECT kernel reserve_count
// EXPECT verdict race-free

tile_kernel void reserve_one_less(int *restrict counter, const int *restrict count, int *restrict y,
                                  int n, int m)
{
    tile_grid(n);
    tile_extent(counter, 1);
    tile_extent(count, n);
    tile_extent(y, m);
    tile_contents(counter, 0, 0);
    tile_contents(count, 0, 16);
    tile_assume(n < 1 << 20 && m > 17 * n);
    int i = tile_bid(0), c = count[i];
    int slot =
        tile_to_int(tile_atomic_add(tile_pointers(counter, 0), c, TILE_RELAXED, TILE_DEVICE));
    for (int j = 0; j <= c; j++)
        y[slot + j] = i; // @one_less
}

// EXPECT kernel reserve_one_less
// EXPECT verdict race
// EXPECT TR001 @one_less @one_less
// EXPECT observable yes

/* A count may be negative, and then the next block begins before this one's end. */
tile_kernel void reserve_negative(int *restrict counter, const int *restrict count, int *restrict y,
                                  int n, int m)
{
    tile_grid(n);
    tile_extent(counter, 1);
    tile_extent(count, n);
    tile_contents(counter, 64, 64);
    tile_contents(count, -4, 4);
    tile_assume(n < 8 && m > 256);
    tile_extent(y, m);
    int i = tile_bid(0), c = count[i];
    int slot =
        tile_to_int(tile_atomic_add(tile_pointers(counter, 0), c, TILE_RELAXED, TILE_DEVICE));
    for (int j = 0; j < c; j++)
        y[slot + j] = i; // @negative
}

// EXPECT kernel reserve_negative
// EXPECT verdict race
// EXPECT TR001 @negative @negative
// EXPECT requires in-bounds no-wrap
// EXPECT observable yes

/* What is kept of a tile: ranks by a scan, their number by a reduction. */
tile_kernel void keep_positive(int *restrict counter, const int *restrict x, int *restrict y, int n)
{
    tile_grid(n);
    tile_extent(counter, 1);
    tile_extent(y, 64L * n);
    tile_extent(x, 64L * n);
    tile_contents(counter, 0, 0);
    tile_assume(n < 1 << 20);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + 64 * tile_bid(0)));
    tile keep = tile_select(tile_gt(v, 0), 1, 0);
    tile rank = tile_scan_sum(keep, 0) - keep;
    int slot = tile_to_int(tile_atomic_add(tile_pointers(counter, 0), tile_reduce_sum(keep, 0),
                                           TILE_RELAXED, TILE_DEVICE));
    tile_store_masked(tile_pointers(y, slot + rank), v, tile_gt(v, 0));
}

// EXPECT kernel keep_positive
// EXPECT verdict race-free

/* Twice the rank: every other element, of twice as many as were reserved. */
tile_kernel void keep_with_gaps(int *restrict counter, const int *restrict x, int *restrict y,
                                int n)
{
    tile_grid(n);
    tile_extent(counter, 1);
    tile_extent(y, 128L * n);
    tile_extent(x, 64L * n);
    tile_contents(counter, 0, 0);
    tile_assume(n < 1 << 20);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + 64 * tile_bid(0)));
    tile keep = tile_select(tile_gt(v, 0), 1, 0);
    tile rank = tile_scan_sum(keep, 0) - keep;
    int slot = tile_to_int(tile_atomic_add(tile_pointers(counter, 0), tile_reduce_sum(keep, 0),
                                           TILE_RELAXED, TILE_DEVICE));
    tile_store_masked(tile_pointers(y, slot + 2 * rank), v, tile_gt(v, 0)); // @gaps
}

// EXPECT kernel keep_with_gaps
// EXPECT verdict race
// EXPECT TR001 @gaps @gaps
// EXPECT observable yes

/* In the block's own row the ranks alone tell the elements apart. */
tile_kernel void keep_in_row(const int *restrict x, int *restrict y, int n)
{
    tile_grid(n);
    tile_extent(y, 64L * n);
    tile_extent(x, 64L * n);
    tile_assume(n < 1 << 20);
    int row = 64 * tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + row));
    tile keep = tile_select(tile_gt(v, 0), 1, 0);
    tile_store_masked(tile_pointers(y, row + tile_scan_sum(keep, 0) - 1), v, tile_gt(v, 0));
}

// EXPECT kernel keep_in_row
// EXPECT verdict race-free

/* The exclusive rank of what is not kept is the same for its whole run. */
tile_kernel void drop_in_row(const int *restrict x, int *restrict y, int n)
{
    tile_grid(n);
    tile_extent(y, 64L * n + 1);
    tile_extent(x, 64L * n);
    tile_assume(n < 1 << 20);
    int row = 64 * tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + row));
    tile keep = tile_select(tile_gt(v, 0), 1, 0);
    tile rank = tile_scan_sum(keep, 0) - keep;
    tile_store_masked(tile_pointers(y, row + rank), v, tile_le(v, 0)); // @drop
}

// EXPECT kernel drop_in_row
// EXPECT verdict race
// EXPECT TR004 @drop
// EXPECT observable yes

/* The place of the largest element is one of the row's. */
tile_kernel void mark_largest(const int *restrict x, int *restrict y, int n)
{
    tile_grid(n);
    tile_extent(x, 64L * n);
    tile_extent(y, 64L * n);
    tile_assume(n < 1 << 20);
    int row = 64 * tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + row));
    tile is_most = tile_eq(v, tile_reduce_max(v, 0));
    int at = tile_to_int(tile_reduce_min(tile_select(is_most, tile_iota(64), 63), 0));
    y[row + at] = 1;
}

// EXPECT kernel mark_largest
// EXPECT verdict race-free

/* Rows of the result are counted by 32. */
tile_kernel void mark_largest_short(const int *restrict x, int *restrict y, int n)
{
    tile_grid(n);
    tile_extent(x, 64L * n);
    tile_extent(y, 64L * n);
    tile_assume(n < 1 << 20);
    int row = 64 * tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(x, tile_iota(64) + row));
    tile is_most = tile_eq(v, tile_reduce_max(v, 0));
    int at = tile_to_int(tile_reduce_min(tile_select(is_most, tile_iota(64), 63), 0));
    y[row / 2 + at] = 1; // @short
}

// EXPECT kernel mark_largest_short
// EXPECT verdict race
// EXPECT TR001 @short @short
// EXPECT observable no

/* How many of 64 flags are set is at most 64. */
tile_kernel void histogram_of_counts(const int *restrict flags, int *restrict y, int n)
{
    tile_grid(n);
    tile_extent(flags, 64L * n);
    tile_extent(y, 65L * n);
    tile_contents(flags, 0, 1);
    tile_assume(n < 1 << 20);
    int i = tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(flags, tile_iota(64) + 64 * i));
    tile set = tile_select(tile_ne(v, 0), 1, 0);
    y[65 * i + tile_to_int(tile_reduce_sum(set, 0))] = 1;
}

// EXPECT kernel histogram_of_counts
// EXPECT verdict race-free

/* Four elements a block are too few for counts up to 64. */
tile_kernel void histogram_of_counts_short(const int *restrict flags, int *restrict y, int n)
{
    tile_grid(n);
    tile_extent(flags, 64L * n);
    tile_extent(y, 65L * n);
    tile_contents(flags, 0, 1);
    tile_assume(n < 1 << 20);
    int i = tile_bid(0);
    tile v = tile_load_ptr(tile_pointers(flags, tile_iota(64) + 64 * i));
    tile set = tile_select(tile_ne(v, 0), 1, 0);
    y[4 * i + tile_to_int(tile_reduce_sum(set, 0))] = 1; // @counts
}

// EXPECT kernel histogram_of_counts_short
// EXPECT verdict race
// EXPECT TR001 @counts @counts
// EXPECT observable no
