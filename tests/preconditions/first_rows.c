/* Rows that start at `bid.y * s`, under a mask that keeps them inside at both ends, as the mask of
 * a view does. That no row starts below 0 follows from a stride that holds the tiles of an axis;
 * the mask then cuts at one end only, which excuses nothing. */
#include <tile.h>

tile_kernel void tiles_of_rows(float *restrict y, int n, int s)
{
    tile row = tile_iota(64) + (tile_bid(1) * s + tile_bid(0)) * 64;
    tile inside = tile_and(tile_ge(row, 0), tile_lt(row, n));
    tile_store_masked(tile_pointers(y, row), 1.0f, inside); // @tiles_of_rows
}
// EXPECT kernel tiles_of_rows
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires grid-bound:race no-wrap:launch
// EXPECT asks grid.x + s * grid.y <= s + 33554432
// EXPECT asks grid.x <= s
// EXPECT TR001 @tiles_of_rows @tiles_of_rows

tile_kernel void one_row_each(float *restrict y, int n, int s)
{
    int i = tile_bid(1) * s + tile_bid(0);
    if (i >= 0 && i < n)
        y[i] = 1.0f; // @one_row_each
}
// EXPECT kernel one_row_each
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires grid-bound:race no-wrap:launch
// EXPECT asks grid.x + s * grid.y <= s + 2147483648
// EXPECT asks grid.x <= s
// EXPECT TR001 @one_row_each @one_row_each

tile_kernel void of_three_axes(float *restrict y, int n, int s, int t)
{
    int i = tile_bid(2) * t + tile_bid(1) * s + tile_bid(0);
    if (i >= 0 && i < n)
        y[i] = 1.0f; // @of_three_axes
}
// EXPECT kernel of_three_axes
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires grid-bound:race no-wrap:launch
// EXPECT TR001 @of_three_axes @of_three_axes

/* A mask that something else than a negative stride fails is one that guards. */
tile_kernel void behind_a_margin(float *restrict y, int n, int s, int margin)
{
    int i = tile_bid(1) * s + tile_bid(0) - margin;
    if (i >= 0 && i < n)
        y[i] = 1.0f; // @behind_a_margin
}
// EXPECT kernel behind_a_margin
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires grid-bound:race no-wrap:launch
// EXPECT TR001 @behind_a_margin @behind_a_margin

/* Rows of the wrong axis stay a race. */
tile_kernel void rows_of_columns(float *restrict y, int n, int w, int h)
{
    int r = tile_bid(1), c = tile_bid(0), i = r * h + c;
    if (i >= 0 && r < h && c < w)
        y[i] = (float)c; // @rows_of_columns
}
// EXPECT kernel rows_of_columns
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @rows_of_columns @rows_of_columns
