/* Stores that no launch ever comes to: that they do not meet proves nothing, unless there is
 * something else that was proved. */
#include <tile.h>

tile_kernel void never_runs(int *restrict x, int n)
{
    tile_assume(n <= 1000);
    tile_grid(n);
    int b = tile_bid(0);
    if (b * n > n * n)
        x[b / 2] = 1;
}
// EXPECT kernel never_runs
// EXPECT verdict unknown

tile_kernel void one_never_runs(int *restrict x, int n)
{
    tile_assume(n <= 1000);
    tile_grid(n);
    int b = tile_bid(0);
    if (b * n > n * n)
        x[b / 2] = 1;
    if (b == 0)
        x[b + n] = 2;
}
// EXPECT kernel one_never_runs
// EXPECT verdict race-free

tile_kernel void waits_beside(int *restrict x, const int *restrict y, int n)
{
    tile_assume(n <= 1000);
    tile_grid(n);
    tile_predecessor_writes(y);
    int b = tile_bid(0);
    tile_gdc_wait();
    int v = y[b];
    if (b * n > n * n)
        x[b / 2] = v;
}
// EXPECT kernel waits_beside
// EXPECT verdict race-free

tile_kernel void counts_never(int *restrict count, int n)
{
    tile_assume(n <= 1000);
    tile_grid(n);
    if (tile_bid(0) * n > n * n)
        tile_atomic_add(tile_pointers(count, 0), 1, TILE_RELAXED, TILE_DEVICE);
}
// EXPECT kernel counts_never
// EXPECT verdict race-free
