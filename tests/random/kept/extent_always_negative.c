/* An extent that is negative in the first tile block of every launch: that it is not is no require,
 * for no launch can meet it, and nothing is proved from it. */
#include <tile.h>

tile_kernel void extent_always_negative(int *x)
{
    int rows = tile_bid(2) * 6 - 12, b = tile_bid(0);
    tile_view v = tile_gather_scatter(tile_tensor(x, rows, 4), 0, 4, 1);
    tile_store(v, tile_zeros(int, 4, 1), b * 4 + tile_iota(4), tile_bid(2));
}

// EXPECT verdict unknown
// EXPECT reason unsupported-op
