/* Three axes of the grid in one index, with extents that are symbols. */
#include <tile.h>

#define AXES                                                                                       \
    tile_grid(A, B, C);                                                                            \
    tile_assume(0 < A && A <= 256 && 0 < B && B <= 256 && 0 < C && C <= 256);                      \
    int a = tile_bid(0), b = tile_bid(1), c = tile_bid(2)

tile_kernel void rising(float *restrict y, int A, int B, int C)
{
    AXES;
    y[(c * B + b) * A + a] = 1.0f;
}
// EXPECT kernel rising
// EXPECT verdict race-free

tile_kernel void falling(float *restrict y, int A, int B, int C)
{
    AXES;
    y[(a * B + b) * C + c] = 1.0f;
}
// EXPECT kernel falling
// EXPECT verdict race-free

tile_kernel void multiplied_out(float *restrict y, int A, int B, int C)
{
    AXES;
    y[a + b * A + c * A * B] = 1.0f;
}
// EXPECT kernel multiplied_out
// EXPECT verdict race-free

tile_kernel void backwards(float *restrict y, int A, int B, int C)
{
    AXES;
    y[((C - 1 - c) * B + (B - 1 - b)) * A + (A - 1 - a)] = 1.0f;
}
// EXPECT kernel backwards
// EXPECT verdict race-free

tile_kernel void in_tiles(float *restrict y, int A, int B, int C)
{
    AXES;
    tile_store_ptr(tile_pointers(y, ((c * B + b) * A + a) * 16 + tile_iota(16)), 1.0f);
}
// EXPECT kernel in_tiles
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

tile_kernel void flat_and_apart_again(float *restrict y, int A, int B, int C)
{
    AXES;
    int flat = (c * B + b) * A + a;
    int r = flat / A;
    y[(r % B + r / B * B) * A + flat % A] = 1.0f;
}
// EXPECT kernel flat_and_apart_again
// EXPECT verdict race-free

tile_kernel void inner_extent_twice(float *restrict y, int A, int B, int C)
{
    AXES;
    y[(c * A + b) * A + a] = 1.0f; // @twice
}
// EXPECT kernel inner_extent_twice
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @twice @twice

tile_kernel void outer_extent_inside(float *restrict y, int A, int B, int C)
{
    AXES;
    y[(c * B + b) * C + a] = 1.0f; // @inside
}
// EXPECT kernel outer_extent_inside
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @inside @inside

tile_kernel void one_axis_dropped(float *restrict y, int A, int B, int C)
{
    AXES;
    y[c * A + a] = (float)b; // @dropped
}
// EXPECT kernel one_axis_dropped
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @dropped @dropped

tile_kernel void added_not_multiplied(float *restrict y, int A, int B, int C)
{
    AXES;
    y[a + A * (b + c)] = 1.0f; // @added
}
// EXPECT kernel added_not_multiplied
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @added @added
