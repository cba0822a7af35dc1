/* A table that is read with a padding behind its end, as a bounds-checked gather does: a grid of
 * more blocks than it has entries sends all others to the place of the padding. */
#include <tile.h>

tile_kernel void places(float *restrict y, const int *restrict t, int n)
{
    int b = tile_bid(0);
    y[b < n ? t[b] : 0] = 1.0f; // @places
}

tile_kernel void below_another(float *restrict y, const int *restrict t, int n, int m)
{
    int b = tile_bid(0), i = b < n ? t[b] : 0;
    if (b < m)
        y[i] = 1.0f; // @another
}

tile_kernel void segments(float *restrict y, const int *restrict offset, int n_offsets,
                          const int *restrict length, int n_lengths)
{
    int b = tile_bid(1);
    int from = b < n_offsets ? offset[b] : 0, size = b < n_lengths ? length[b] : 0;
    tile j = tile_bid(0) * 64 + tile_iota(64);
    if (tile_bid(0) * 64 >= size)
        return;
    tile_store_masked(tile_pointers(y, from + j), 1.0f, tile_lt(j, size)); // @segments
}

tile_kernel void rows_of_heads(float *restrict y, const int *restrict offset, int n_offsets,
                               const int *restrict length, int heads)
{
    int b = tile_bid(1), h = tile_bid(2);
    int from = b < n_offsets ? offset[b] : 0;
    if (h >= heads)
        return;
    tile j = tile_bid(0) * 64 + tile_iota(64);
    tile at = tile_pointers(y, (from + j) * heads + h);
    tile_store_masked(at, 1.0f, tile_lt(j, length[b])); // @heads
}

/* The padding is where the first block goes, and every launch has such blocks. */
tile_kernel void one_entry(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b < 1 ? t[b] : 0] = 1.0f; // @entry
}

/* The bound is stated. */
tile_kernel void stated(float *restrict y, const int *restrict t, int n)
{
    tile_assume(tile_grid_extent(0) <= n);
    tile_unique(t);
    int b = tile_bid(0);
    y[b < n ? t[b] : 0] = 1.0f;
}

// EXPECT kernel places
// EXPECT verdict conditional
// EXPECT TR001 @places @places
// EXPECT requires in-bounds:race unique-contents:race

// EXPECT kernel below_another
// EXPECT verdict conditional
// EXPECT TR001 @another @another
// EXPECT requires in-bounds:race unique-contents:race

// EXPECT kernel segments
// EXPECT verdict conditional
// EXPECT TR001 @segments @segments
// EXPECT requires contents-range:race in-bounds:race no-wrap:launch prefix-sum:race

// EXPECT kernel rows_of_heads
// EXPECT verdict conditional
// EXPECT TR001 @heads @heads
// EXPECT requires contents-range:race in-bounds:race no-wrap:launch prefix-sum:race

// EXPECT kernel one_entry
// EXPECT verdict race
// EXPECT TR001 @entry @entry
// EXPECT observable yes

// EXPECT kernel stated
// EXPECT verdict race-free

/* A block behind the table stores at its own place. Ids are no lanes: nothing is asked to be a
 * multiple of how many there may be. */
tile_kernel void own_behind(float *restrict y, const int *restrict t, int n)
{
    tile_unique(t);
    tile_contents(t, 0, n);
    int b = tile_bid(0);
    y[b < n ? t[b] : b] = 1.0f; // @own
}
// EXPECT kernel own_behind
// EXPECT verdict conditional
// EXPECT requires in-bounds:race
// EXPECT asks grid.x <= n
// EXPECT TR001 @own @own
