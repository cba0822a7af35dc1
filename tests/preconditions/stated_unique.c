/* What the contract states of contents holds of every witness, and is used in the proof, however
 * the grid is stated: here the elements that the launch reads differ. */
#include <tile.h>

tile_kernel void below_grid(float *out, const int *rank, const float *in)
{
    tile_grid(8);
    tile_unique_when(rank, tile_index() < tile_grid_extent(0));
    int i = tile_bid(0);
    out[rank[i]] = in[i];
}

tile_kernel void below_product(float *out, const int *rank, const float *in, int n)
{
    tile_grid(n, 4);
    tile_unique_when(rank, tile_index() < tile_grid_extent(0) * tile_grid_extent(1));
    int i = tile_bid(1) * tile_grid_extent(0) + tile_bid(0);
    out[rank[i]] = in[i];
}

tile_kernel void by_value(float *out, const int *rank, const float *in)
{
    tile_grid(16);
    tile_unique_when(rank, tile_value() < tile_grid_extent(0));
    int i = tile_bid(0), r = rank[i];
    if (r < 16)
        out[r] = in[i];
}

/* Half of what the launch reads is stated to differ. */
tile_kernel void below_half(float *out, const int *rank, const float *in)
{
    tile_grid(8);
    tile_unique_when(rank, tile_index() < tile_grid_extent(0) / 2);
    tile_contents(rank, 0, 7);
    tile_extent(rank, 8);
    int i = tile_bid(0);
    out[rank[i]] = in[i]; // @half
}

// EXPECT kernel below_grid
// EXPECT verdict race-free

// EXPECT kernel below_product
// EXPECT verdict race-free

// EXPECT kernel by_value
// EXPECT verdict race-free

// EXPECT kernel below_half
// EXPECT verdict conditional
// EXPECT TR001 @half @half
// EXPECT requires unique-contents:race
