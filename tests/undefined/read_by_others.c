/* Undefined behaviour that the values of other tile blocks decide, or every launch of two blocks on
 * an axis: no host can exclude it, so it hides no race. */
#include <tile.h>

tile_kernel void divided_by_flag(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(y, 2);
    tile_extent(f, 1);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    if (i == 0) {
        x[0] = 1.0f; // @give
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        int q = 8 / tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE));
        y[1] = x[0] + (float)q; // @take
    }
}

tile_kernel void asserted_flag(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(y, 2);
    tile_extent(f, 1);
    tile_contents(f, 0, 0);
    int i = tile_bid(0);
    if (i == 0) {
        x[0] = 1.0f; // @set
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        tile_assert(tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) ==
                    1);
        y[1] = x[0]; // @get
    }
}

tile_kernel void one_element(float *restrict y, int *restrict z)
{
    tile_extent(z, 1);
    int q = z[tile_bid(1)];    // @element
    y[tile_bid(0)] = (float)q; // @axis
}

// EXPECT kernel divided_by_flag
// EXPECT verdict race
// EXPECT TR018 @give @take
// EXPECT requires positive-divisor
// EXPECT observable yes

// EXPECT kernel asserted_flag
// EXPECT verdict race
// EXPECT TR018 @set @get
// EXPECT requires kernel-assume
// EXPECT observable yes

// Every launch of two blocks on the second axis is undefined, and its stores meet all the same.
// EXPECT kernel one_element
// EXPECT verdict race
// EXPECT TR001 @axis @axis
// EXPECT TR008 @element
// EXPECT observable no
