/* A fact that asks for more than an op needs, and that the launch of a race breaks: what it was
 * asked for is still said. */
#include <tile.h>

tile_kernel void eight_places(float *restrict x, int n)
{
    tile_extent(x, (n + 1) / 2 * 8);
    tile_view v = tile_partition(tile_tensor(x, 8), 1);
    tile_store(v, tile_zeros(float, 1), tile_bid(0) % 8); // @eight
}
// EXPECT kernel eight_places
// EXPECT verdict race
// EXPECT TR001 @eight @eight
// EXPECT observable no
// EXPECT requires in-bounds:launch

tile_kernel void first_three(float *restrict x, int n)
{
    tile_extent(x, n * n);
    int b = tile_bid(0);
    x[b % 3] = 1.0f; // @three
}
// EXPECT kernel first_three
// EXPECT verdict race
// EXPECT TR001 @three @three
// EXPECT observable no
// EXPECT requires in-bounds:launch

tile_kernel void four_tiles(float *restrict x, int n)
{
    tile_view v = tile_partition(tile_tensor(x, n * 16), 16);
    tile_store(v, tile_cast(tile_iota(16), float), tile_bid(0) / 2); // @tiles
}
// EXPECT kernel four_tiles
// EXPECT verdict race
// EXPECT TR001 @tiles @tiles
// EXPECT observable no
// EXPECT requires index-in-space:launch no-wrap:launch

tile_kernel void held(float *restrict x, int n)
{
    tile_extent(x, n * n);
    int b = tile_bid(0);
    x[b] = 1.0f;
}
// EXPECT kernel held
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch
