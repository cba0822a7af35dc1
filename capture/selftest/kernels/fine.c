#include <tile.h>

/* Each tile block writes elements of its own, which takes a solver to see. */
tile_kernel void fine(float *out, int n)
{
    tile_view view = tile_partition(tile_tensor(out, n), 16);
    int block = tile_bid(0);
    if (block < 30000)
        tile_store(view, tile_full(1.0f, 16), block * 77 % 32768);
}
