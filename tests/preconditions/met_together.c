/* What is asked of one table, taken together and with what is stated of it: where no table can meet
 * all of it, nothing is proved. */
#include <tile.h>

/* Eight blocks and four values: two are equal. */
tile_kernel void four_values(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    int v = t[tile_bid(0)];
    tile_assert(v < 4 && v >= 0);
    x[v] = 1.0f; // @four_values
}
// EXPECT kernel four_values
// EXPECT verdict race
// EXPECT TR001 @four_values @four_values
// EXPECT requires contents-range:launch
// EXPECT observable no

tile_kernel void eight_values(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    int v = t[tile_bid(0)];
    tile_assert(v < 8 && v >= 0);
    x[v] = 1.0f; // @eight_values
}
// EXPECT kernel eight_values
// EXPECT verdict conditional
// EXPECT TR001 @eight_values @eight_values
// EXPECT requires contents-range:launch unique-contents:race

tile_kernel void five_places(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    tile_extent(x, 5);
    x[t[tile_bid(0)]] = 1.0f; // @five_places
}
// EXPECT kernel five_places
// EXPECT verdict race
// EXPECT TR001 @five_places @five_places
// EXPECT requires contents-range:launch
// EXPECT observable no

tile_kernel void five_places_or_none(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    tile_extent(x, 5);
    int v = t[tile_bid(0)];
    if (v >= 0)
        x[v] = 1.0f; // @or_none
}
// EXPECT kernel five_places_or_none
// EXPECT verdict conditional
// EXPECT TR001 @or_none @or_none
// EXPECT requires contents-range:launch unique-contents:race

tile_kernel void any_grid(float *restrict x, const int *restrict t)
{
    tile_extent(x, 5);
    x[t[tile_bid(0)]] = 1.0f; // @any_grid
}
// EXPECT kernel any_grid
// EXPECT verdict conditional
// EXPECT TR001 @any_grid @any_grid
// EXPECT requires contents-range:launch unique-contents:race

/* The second element is 2 at least: a launch of one tile block alone is defined. */
tile_kernel void too_large_from_two_on(float *restrict x, const int *restrict t)
{
    tile_extent(t, 2000);
    tile_contents(t, tile_index() * 2, tile_index() * 2 + 1);
    int v = t[tile_bid(0)];
    tile_assert(v < 2);
    x[v] = 1.0f;
}
// EXPECT kernel too_large_from_two_on
// EXPECT verdict unknown
// EXPECT requires contents-range:launch in-bounds:launch
// EXPECT reason contract-silent

/* Of a hundred elements the last ones are beyond what is asked of all. */
tile_kernel void too_large_from_forty_on(float *restrict x, const int *restrict t)
{
    tile_extent(t, 100);
    tile_contents(t, tile_index() / 2, 200);
    int v = t[tile_bid(0)];
    tile_assert(v < 20);
    x[v] = 1.0f;
}
// EXPECT kernel too_large_from_forty_on
// EXPECT verdict unknown
// EXPECT requires contents-range:launch in-bounds:launch unique-contents:race
// EXPECT reason contract-silent

tile_kernel void as_long_as_asked(float *restrict x, const int *restrict t)
{
    tile_extent(t, 40);
    tile_contents(t, tile_index() / 2, 200);
    int v = t[tile_bid(0)];
    tile_assert(v < 20);
    x[v] = 1.0f; // @as_long
}
// EXPECT kernel as_long_as_asked
// EXPECT verdict conditional
// EXPECT TR001 @as_long @as_long
// EXPECT requires contents-range:launch in-bounds:launch unique-contents:race
