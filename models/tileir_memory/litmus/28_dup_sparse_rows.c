/* 28. A gather-scatter store to the same row twice. Race: two of its elements are one location
 * (D1, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void dup_sparse_rows(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view G = tile_gather_scatter(tile_tensor(x, blocks, T), 0, 2, T);
    tile row = tile_full(tile_bid(0), 2);
    tile_store_tko(G, tile_reshape(tile_iota(2 * T), 2, T), after_none, row, 0); // @store
}

// EXPECT verdict race
// EXPECT TR004 @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
