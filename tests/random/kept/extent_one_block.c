/* An extent that is negative in every tile block but those with id 0 on an axis: that it is not
 * would leave one block on that axis, where nothing is stored at all. */
#include <tile.h>

tile_kernel void extent_one_block(int *x)
{
    int rows = -(tile_bid(2) * 3), b = tile_bid(0);
    tile_view v = tile_gather_scatter(tile_tensor(x, rows, 4), 0, 4, 1);
    tile_store(v, tile_zeros(int, 4, 1), b * 4 + tile_iota(4), tile_bid(2));
}

// EXPECT verdict unknown
// EXPECT reason unsupported-op
