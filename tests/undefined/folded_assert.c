/* Asserts of what a table holds, folded: no proof follows them, but a launch that breaks one is no
 * example of a race. */
#include <tile.h>

tile_kernel void own_row(float *restrict x, const int *restrict row)
{
    tile_grid(8);
    int b = tile_bid(0);
    tile r = tile_load_ptr(tile_pointers(row, tile_iota(16) + 16 * b));
    tile_assert(tile_to_int(tile_reduce_max(r, 0)) < 16);
    tile_assert(tile_to_int(tile_reduce_min(r, 0)) >= 0);
    x[16 * b + row[16 * b + 3]] = 1.0f;
}
// EXPECT kernel own_row
// EXPECT verdict unknown
// EXPECT reason unreplayed-witness
// EXPECT requires kernel-assume:launch contents-range:race

tile_kernel void in_branch(float *restrict x, const int *restrict row, int n)
{
    tile_grid(8);
    int b = tile_bid(0);
    tile r = tile_load_ptr(tile_pointers(row, tile_iota(16) + 16 * b));
    if (n > 0) {
        tile_assert(tile_to_int(tile_reduce_max(r, 0)) < 16);
        tile_assert(tile_to_int(tile_reduce_min(r, 0)) >= 0);
        x[16 * b + row[16 * b + 3]] = 1.0f;
    }
}
// EXPECT kernel in_branch
// EXPECT verdict unknown
// EXPECT reason unreplayed-witness
// EXPECT requires kernel-assume:launch contents-range:race

tile_kernel void stated(float *restrict x, const int *restrict row)
{
    tile_grid(8);
    tile_contents(row, 0, 15);
    int b = tile_bid(0);
    tile r = tile_load_ptr(tile_pointers(row, tile_iota(16) + 16 * b));
    tile_assert(tile_to_int(tile_reduce_max(r, 0)) < 16);
    x[16 * b + row[16 * b + 3]] = 1.0f;
}
// EXPECT kernel stated
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch

/* Blocks write what is asserted: the race of a run that breaks the assert counts. */
tile_kernel void written(float *restrict x, int *restrict row)
{
    tile_grid(8);
    int b = tile_bid(0), v = row[0]; // @read
    tile_assert(v * v < 1000);
    x[b % 4] = 1.0f; // @x
    if (b == 3)
        row[0] = 1; // @row
}
// EXPECT kernel written
// EXPECT verdict race
// EXPECT TR001 @x @x
// EXPECT TR002 @read @row
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:launch

tile_kernel void one_element(float *restrict x, const int *restrict row)
{
    tile_grid(8);
    int b = tile_bid(0), v = row[b];
    tile_assert(v < 16 && v >= 0);
    x[16 * b + v] = 1.0f;
}
// EXPECT kernel one_element
// EXPECT verdict race-free
// EXPECT requires contents-range:launch
