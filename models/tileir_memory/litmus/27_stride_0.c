/* 27. A tile of two rows in a tensor whose row stride is 0. Race: the rows have the same addresses,
 * so one store writes every element twice (D1, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void stride_0(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_tensor rows = tile_tensor_strided(x, tile_shape(2, T * blocks), tile_strides(0, 1));
    tile_view X = tile_partition(rows, 2, T);
    tile_store_tko(X, tile_reshape(tile_iota(2 * T), 2, T), after_none, 0, tile_bid(0)); // @store
}

// EXPECT verdict race
// EXPECT TR004 @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
