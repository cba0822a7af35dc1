/* Rows and columns that are looked up, each kept below an extent by a guard. A pitch that is the
 * wrong one of the two extents is a mistake: that the columns stay below it would relate the two
 * extents, as `w <= h` does, and is nothing to ask for. */
#include <tile.h>

tile_kernel void pitch_of_rows(float *restrict y, const int *restrict r, const int *restrict c,
                               int w, int h)
{
    int b = tile_bid(0);
    if (c[b] >= 0 && c[b] < w && r[b] >= 0 && r[b] < h)
        y[r[b] * h + c[b]] = 1.0f; // @pitch_of_rows
}
// EXPECT kernel pitch_of_rows
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @pitch_of_rows @pitch_of_rows
// EXPECT requires no-wrap:launch

tile_kernel void rows_for_columns(float *restrict y, const int *restrict r, const int *restrict c,
                                  int w, int h)
{
    int b = tile_bid(0);
    if (c[b] >= 0 && c[b] < w && r[b] >= 0 && r[b] < h)
        y[c[b] * w + r[b]] = 1.0f; // @rows_for_columns
}
// EXPECT kernel rows_for_columns
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @rows_for_columns @rows_for_columns
// EXPECT requires no-wrap:launch

tile_kernel void rows_of_blocks(float *restrict y, const int *restrict c, int w, int h)
{
    int b = tile_bid(0);
    if (c[b] >= 0 && c[b] < w && b < h)
        y[b * h + c[b]] = (float)b; // @rows_of_blocks
}
// EXPECT kernel rows_of_blocks
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @rows_of_blocks @rows_of_blocks
// EXPECT requires no-wrap:launch

tile_kernel void columns_by_a_loop(float *restrict y, const int *restrict r, int w, int h)
{
    int b = tile_bid(0);
    for (int i = 0; i < w; i++)
        if (r[b] >= 0 && r[b] < h)
            y[r[b] + i * w] = (float)b; // @columns_by_a_loop
}
// EXPECT kernel columns_by_a_loop
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @columns_by_a_loop @columns_by_a_loop
// EXPECT requires no-wrap:launch

tile_kernel void of_a_tile(float *restrict y, const int *restrict c, int w, int h)
{
    int b = tile_bid(0);
    tile column = tile_load_ptr(tile_pointers(c, b * 16 + tile_iota(16)));
    tile inside = tile_and(tile_ge(column, 0), tile_lt(column, w));
    if (b < h)
        tile_store_masked(tile_pointers(y, column + b * h), 1.0f, inside); // @of_a_tile
}
// EXPECT kernel of_a_tile
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @of_a_tile @of_a_tile
// EXPECT requires no-wrap:launch in-bounds:launch contents-range:launch unique-contents:race

tile_kernel void beyond_a_number(float *restrict y, const int *restrict r, const int *restrict c,
                                 int h)
{
    int b = tile_bid(0);
    if (c[b] >= 0 && c[b] < 100 && r[b] >= 0 && r[b] < h)
        y[r[b] * 64 + c[b]] = 1.0f; // @beyond_a_number
}
// EXPECT kernel beyond_a_number
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @beyond_a_number @beyond_a_number
// EXPECT requires no-wrap:launch

/* Twins: the pitch is the columns' extent, or a size of its own that the extent has to fit. */
tile_kernel void pitch_of_columns(float *restrict y, const int *restrict r, const int *restrict c,
                                  int w, int h)
{
    int b = tile_bid(0);
    if (c[b] >= 0 && c[b] < w && r[b] >= 0 && r[b] < h)
        y[r[b] * w + c[b]] = 1.0f; // @pitch_of_columns
}
// EXPECT kernel pitch_of_columns
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT TR001 @pitch_of_columns @pitch_of_columns
// EXPECT requires no-wrap:launch unique-contents:race

tile_kernel void pitch_of_its_own(float *restrict y, const int *restrict r, const int *restrict c,
                                  int w, int pitch)
{
    int b = tile_bid(0);
    if (c[b] >= 0 && c[b] < w)
        y[r[b] * pitch + c[b]] = 1.0f; // @pitch_of_its_own
}
// EXPECT kernel pitch_of_its_own
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT TR001 @pitch_of_its_own @pitch_of_its_own
// EXPECT requires no-wrap:launch stride-relation:race unique-contents:race
