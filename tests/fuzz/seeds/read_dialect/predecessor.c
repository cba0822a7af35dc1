#include <tile.h>

/* A launch before this one may still run. */
tile_kernel void k(const float *restrict x, const unsigned char *restrict t, float *restrict y,
                   int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 1024);
    tile_extent(x, n);
    tile_extent(y, n > 4 ? 256L * n : 1024);
    tile_distinct(x, t, y);
    tile_contents(t, 0, 255);
    tile_increasing(t);
    tile_dependent_launch();
    tile_predecessor_writes(x);
    tile_predecessor_reads(y);
    float before = t[tile_bid(0)];
    tile_gdc_wait();
    y[256 * tile_bid(0) + t[tile_bid(0)]] = x[tile_bid(0)] * before;
}
