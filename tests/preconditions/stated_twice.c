/* What the source states and what the verdict asks beside it, of one thing: the contract that is
 * written of both can be given back. */
#include <tile.h>

tile_kernel void fewer_are_unique(float *restrict x, const int *restrict slot)
{
    tile_contents(slot, -1, 1000);
    tile_unique_when(slot, tile_value() >= 5);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f; // @fewer
}

tile_kernel void first_are_unique(float *restrict x, const int *restrict slot)
{
    tile_unique_when(slot, tile_index() < 8);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f; // @first
}

tile_kernel void more_are_unique(float *restrict x, const int *restrict slot)
{
    tile_contents(slot, -8, 1000);
    tile_unique_when(slot, tile_value() >= -1);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f;
}

tile_kernel void unique_by_choice(float *restrict x, const int *restrict slot, int n, int m)
{
    tile_unique_when(slot, n > 4 ? tile_value() > m : tile_value() > 9);
    x[slot[tile_bid(0)]] = 1.0f; // @choice
}

tile_kernel void bound_by_choice(float *restrict x, const int *restrict slot, int n, int m)
{
    tile_contents(slot, 0, n > 4 ? m : 4);
    x[slot[tile_bid(0)]] = 1.0f; // @bound
}

tile_kernel void extent_by_choice(float *restrict x, int n, int m, int s)
{
    tile_extent(x, n > 4 ? m : n);
    int b = tile_bid(0);
    for (int c = 0; c < n; c++)
        x[b * s + c] = 1.0f; // @extent
}

tile_kernel void grid_by_choice(float *restrict x, int n, int m, int s)
{
    tile_grid(n > 4 ? m : n / 2);
    int b = tile_bid(0);
    for (int c = 0; c < n; c++)
        x[b * s + c] = 1.0f; // @grid
}

// EXPECT kernel fewer_are_unique
// EXPECT verdict conditional
// EXPECT TR001 @fewer @fewer
// EXPECT requires unique-contents:race

// EXPECT kernel first_are_unique
// EXPECT verdict conditional
// EXPECT TR001 @first @first
// EXPECT requires unique-contents:race

// EXPECT kernel more_are_unique
// EXPECT verdict race-free

// EXPECT kernel unique_by_choice
// EXPECT verdict conditional
// EXPECT TR001 @choice @choice
// EXPECT requires unique-contents:race

// EXPECT kernel bound_by_choice
// EXPECT verdict conditional
// EXPECT TR001 @bound @bound
// EXPECT requires unique-contents:race

// EXPECT kernel extent_by_choice
// EXPECT verdict conditional
// EXPECT TR001 @extent @extent
// EXPECT requires in-bounds:launch stride-relation:race

// EXPECT kernel grid_by_choice
// EXPECT verdict conditional
// EXPECT TR001 @grid @grid
// EXPECT requires no-wrap:launch stride-relation:race
