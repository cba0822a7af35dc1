#include <tile.h>

/* Each two tile blocks write the same elements. */
tile_kernel void racy(float *out, int n)
{
    tile_view view = tile_partition(tile_tensor(out, n), 16);
    int block = tile_bid(0);
    if (block < 30000)
        tile_store(view, tile_full(1.0f, 16), block / 2 * 77 % 32768);
}
