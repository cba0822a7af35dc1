#include <tile.h>

#define HALF(x) _Generic((x), float: scale * 0.5f, int: 3)

enum { WIDTH = 16 };
static const float step = 1.5f - 0.25f / 2.0f + 3.0f * 2.0f;

/* Constants that are computed, and the identities of scans and reductions. */
tile_kernel void k(const unsigned short *restrict t, const float *restrict x, float *restrict y,
                   float scale)
{
    tile_grid(4);
    tile_contents(t, 0, 65535);
    tile_prefix_sum(t, t);
    float least = tile_min(1.0f, 2.0f - 3.0f / 4.0f), most = tile_max(0.5f * 3.0f, step);
    tile lane = tile_iota(WIDTH);
    tile in = tile_load_ptr(tile_pointers(t + tile_bid(0) * WIDTH, lane));
    tile low = tile_scan_min(in, 0) + tile_reduce_min(in, 0);
    tile high = tile_scan_max(tile_cast(in, int), 0) - tile_reduce_min(tile_cast(in, int), 0);
    tile real = tile_scan_min(tile_load_ptr(tile_pointers(x + tile_bid(0) * WIDTH, lane)), 0);
    y[tile_bid(0)] = HALF(scale) * (least + most - 2.0f * 4.0f) / (1.0f + 0.5f);
    tile_store_ptr(tile_pointers(y + 64 + tile_bid(0) * WIDTH, lane),
                   real * tile_cast(low, float) * 2.0f);
    tile_store_ptr(tile_pointers(y + 256 + tile_bid(0) * WIDTH, lane),
                   tile_cast(high, float) * HALF(7));
}
