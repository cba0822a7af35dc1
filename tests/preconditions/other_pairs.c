/* What one store needs of the launch excuses no mistake of another: the verdict is the same in
 * either order of the statements. */
#include <tile.h>

tile_kernel void wrap_first(float *restrict x, float *restrict y, int s, int flag)
{
    tile_assume(s >= 1 && s <= 1000);
    tile_grid(16);
    int b = tile_bid(0);
    x[b % s] = 1.0f; // @wrap_first
    if (flag > 0)
        tile_store_ptr(tile_pointers(y, b * s + tile_iota(16)), 1.0f);
}

tile_kernel void wrap_last(float *restrict x, float *restrict y, int s, int flag)
{
    tile_assume(s >= 1 && s <= 1000);
    tile_grid(16);
    int b = tile_bid(0);
    if (flag > 0)
        tile_store_ptr(tile_pointers(y, b * s + tile_iota(16)), 1.0f);
    x[b % s] = 1.0f; // @wrap_last
}

tile_kernel void clamp_last(float *restrict x, float *restrict y, int s, int flag)
{
    tile_assume(s >= 1 && s <= 1000);
    tile_grid(16);
    int b = tile_bid(0);
    if (flag > 0)
        tile_store_ptr(tile_pointers(y, b * s + tile_iota(16)), 1.0f);
    x[tile_min(b, s - 1)] = 1.0f; // @clamp_last
}

tile_kernel void fold_last(float *restrict x, float *restrict y, int s, int flag)
{
    int b = tile_bid(0);
    if (flag > 0)
        tile_store_ptr(tile_pointers(y, b * s + tile_iota(16)), 1.0f);
    x[s < 0 ? 0 : b] = 1.0f; // @fold_last
}

tile_kernel void short_pitch_last(float *restrict x, float *restrict y, int s, int flag)
{
    int b = tile_bid(0);
    if (flag > 0)
        tile_store_ptr(tile_pointers(y, b * s + tile_iota(16)), 1.0f);
    if (s < 16)
        x[0] = 1.0f; // @short_pitch
}

tile_kernel void leader_of_rows(float *restrict x, float *restrict y, const int *restrict row,
                                int flag)
{
    tile_grid(8);
    int b = tile_bid(0);
    if (flag > 0)
        y[row[b]] = 1.0f;
    if (row[b] == row[0])
        x[0] = b; // @leader
}

tile_kernel void equal_rows(float *restrict x, float *restrict y, const int *restrict row, int flag)
{
    int b = tile_bid(0), r = row[b];
    if (flag > 0)
        y[r] = 1.0f;
    x[r == row[b + 1] ? 0 : b + 1] = 1.0f; // @equal
}

/* Two remedies that leave one pitch alone. */
tile_kernel void one_pitch(float *restrict x, float *restrict y, int s)
{
    int b = tile_bid(0);
    tile e = tile_iota(64);
    tile_store_ptr(tile_pointers(x, b * s + tile_iota(16)), 1.0f);
    tile_store_masked(tile_pointers(y, b * 16 + e), 1.0f, tile_lt(e, s)); // @one_pitch
}

/* One remedy for both, in either order. */
tile_kernel void rows_first(float *restrict x, float *restrict y, int s)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(y, b * s + tile_iota(16)), 1.0f); // @rows_first
    tile_store_ptr(tile_pointers(x, b * s + tile_iota(8)), 1.0f);
}

tile_kernel void rows_last(float *restrict x, float *restrict y, int s)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * s + tile_iota(8)), 1.0f);
    tile_store_ptr(tile_pointers(y, b * s + tile_iota(16)), 1.0f); // @rows_last
}

tile_kernel void two_tables(float *restrict x, float *restrict y, const int *restrict row,
                            const int *restrict column)
{
    int b = tile_bid(0);
    y[row[b]] = 1.0f;    // @row
    x[column[b]] = 1.0f; // @column
    y[row[b]] = 2.0f;
}

// EXPECT kernel wrap_first
// EXPECT verdict race
// EXPECT TR001 @wrap_first @wrap_first
// EXPECT requires in-bounds:launch stride-relation:race
// EXPECT observable no

// EXPECT kernel wrap_last
// EXPECT verdict race
// EXPECT TR001 @wrap_last @wrap_last
// EXPECT requires in-bounds:launch stride-relation:race
// EXPECT observable no

// EXPECT kernel clamp_last
// EXPECT verdict race
// EXPECT TR001 @clamp_last @clamp_last
// EXPECT requires in-bounds:launch stride-relation:race
// EXPECT observable no

// EXPECT kernel fold_last
// EXPECT verdict race
// EXPECT TR001 @fold_last @fold_last
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race
// EXPECT observable no

// EXPECT kernel short_pitch_last
// EXPECT verdict race
// EXPECT TR001 @short_pitch @short_pitch
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race
// EXPECT observable no

// EXPECT kernel leader_of_rows
// EXPECT verdict race
// EXPECT TR001 @leader @leader
// EXPECT requires unique-contents:race
// EXPECT observable no

// EXPECT kernel equal_rows
// EXPECT verdict race
// EXPECT TR001 @equal @equal
// EXPECT requires unique-contents:race
// EXPECT observable no

// EXPECT kernel one_pitch
// EXPECT verdict race
// EXPECT TR001 @one_pitch @one_pitch
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race
// EXPECT observable no

// EXPECT kernel rows_first
// EXPECT verdict conditional
// EXPECT TR001 @rows_first @rows_first
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel rows_last
// EXPECT verdict conditional
// EXPECT TR001 @rows_last @rows_last
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel two_tables
// EXPECT verdict conditional
// EXPECT TR001 @row @row
// EXPECT TR001 @column @column
// EXPECT requires unique-contents:race
