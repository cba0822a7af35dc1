/* A scatter by rank, with more and more stated: no true statement makes the answer worse. */
#include <tile.h>
tile_kernel void scatter_rank(float *restrict out, const int *restrict rank,
                              const float *restrict in)
{
    int i = tile_bid(0);
    out[rank[i]] = in[i]; // @store
}
tile_kernel void scatter_rank_grid(float *restrict out, const int *restrict rank,
                                   const float *restrict in, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    out[rank[i]] = in[i]; // @store2
}
tile_kernel void scatter_rank_range(float *restrict out, const int *restrict rank,
                                    const float *restrict in, int n)
{
    tile_grid(n);
    tile_extent(out, n);
    tile_extent(rank, n);
    tile_extent(in, n);
    tile_contents(rank, 0, n - 1);
    int i = tile_bid(0);
    out[rank[i]] = in[i]; // @store3
}
tile_kernel void scatter_rank_eight(float *restrict out, const int *restrict rank,
                                    const float *restrict in)
{
    tile_grid(8);
    tile_unique_when(rank, tile_index() < tile_grid_extent(0));
    int i = tile_bid(0);
    out[rank[i]] = in[i]; // @store4
}

// EXPECT kernel scatter_rank
// EXPECT verdict conditional
// EXPECT TR001 @store @store
// EXPECT requires unique-contents:race

// EXPECT kernel scatter_rank_grid
// EXPECT verdict conditional
// EXPECT TR001 @store2 @store2
// EXPECT requires unique-contents:race

// EXPECT kernel scatter_rank_range
// EXPECT verdict conditional
// EXPECT TR001 @store3 @store3
// EXPECT requires unique-contents:race

// EXPECT kernel scatter_rank_eight
// EXPECT verdict race-free
