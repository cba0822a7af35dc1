/* 43. All blocks write the same value to one tile. Race: the axioms do not require that values
 * differ (A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void same_value(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(x, T);

    tile_view X = tile_partition(tile_tensor(x, T), T);
    tile_store_tko(X, 1, after_none, 0); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3
