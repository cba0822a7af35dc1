/* Bytes that a kernel reads as bools: true where they are not 0, whatever number the contract says
 * that they hold. */
#include <tile.h>

#define TRUTH(t, i) tile_to_bool(tile_load_ptr(tile_ptr_cast(tile_pointers(t, i), bool)))

tile_kernel void bytes_differ(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(4);
    tile_extent(t, 4);
    tile_unique(t);
    int b = tile_bid(0);
    if (TRUTH(t, b))
        x[0] = b; // @differ
}
// EXPECT kernel bytes_differ
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @differ @differ

tile_kernel void some_bytes_differ(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(4);
    tile_extent(t, 4);
    tile_unique_when(t, tile_value() > 0);
    int b = tile_bid(0);
    if (TRUTH(t, b))
        x[0] = b; // @some
}
// EXPECT kernel some_bytes_differ
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @some @some

tile_kernel void bytes_above_one(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(4);
    tile_extent(t, 4);
    tile_contents(t, 2, 5);
    tile_view v = tile_partition(tile_tensor((const bool *)t, 4), 1);
    int b = tile_bid(0);
    tile_store_masked(tile_pointers(x, tile_full(0, 1)), b, tile_load(v, b)); // @above
}
// EXPECT kernel bytes_above_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @above @above

tile_kernel void negative_bytes_rise(int *restrict x, const signed char *restrict t)
{
    tile_grid(4);
    tile_extent(t, 4);
    tile_increasing(t);
    int b = tile_bid(0);
    if (TRUTH(t, 0) && !TRUTH(t, b))
        x[0] = b; // @rise
}
// -1 and zeros; no launch is made up that has both.
// EXPECT kernel negative_bytes_rise
// EXPECT verdict unknown
// EXPECT reason unreplayed-witness
// EXPECT TR001 @rise @rise possible

tile_kernel void place_by_truth(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(2);
    tile_extent(t, 2);
    tile_contents(t, 1, 255);
    int b = tile_bid(0);
    x[TRUTH(t, b) ? 0 : b] = b; // @place
}
// EXPECT kernel place_by_truth
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @place @place

tile_kernel void place_of_its_own(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(2);
    tile_extent(t, 2);
    tile_unique(t);
    int b = tile_bid(0);
    x[TRUTH(t, b) ? 2 * b : 2 * b + 1] = b;
}
// EXPECT kernel place_of_its_own
// EXPECT verdict race-free
