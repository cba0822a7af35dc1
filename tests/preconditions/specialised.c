/* Kernels whose constants leave one tile along a dimension that they index by a block id. */
#include <tile.h>

enum { D = 64, WIDE = 128 };

/* Compiled for one tile of columns: the source serves several as well. */
tile_kernel void one_column(const float *x, float *y, int n)
{
    tile_view in = tile_partition(tile_tensor(x, n, D), 1, D);
    tile_view out = tile_partition(tile_tensor(y, n, D), 1, D);
    tile_store(out, tile_load(in, tile_bid(0), tile_bid(1)), tile_bid(0), tile_bid(1));
}

/* A tile that is wider than the rows. */
tile_kernel void wider_than_rows(const float *x, float *y, int n)
{
    tile_view in = tile_partition(tile_tensor(x, n, D), 1, WIDE);
    tile_view out = tile_partition(tile_tensor(y, n, D), 1, WIDE);
    tile_store(out, tile_load(in, tile_bid(0), tile_bid(1)), tile_bid(0), tile_bid(1));
}

/* The batch axis, and a third one with one tile. */
tile_kernel void one_head(const float *x, float *y, int b, int n)
{
    tile_view in = tile_partition(tile_tensor(x, b, n, D), 1, 1, D);
    tile_view out = tile_partition(tile_tensor(y, b, n, D), 1, 1, D);
    tile t = tile_load(in, tile_bid(0), tile_bid(1), tile_bid(2));
    tile_store(out, t, tile_bid(0), tile_bid(1), tile_bid(2));
}

/* Only launches of several blocks on the axis race, and all of them are undefined. */
tile_kernel void dropped_column(const float *x, float *y, int n)
{
    tile_view in = tile_partition(tile_tensor(x, n, D), 1, D);
    tile_view out = tile_partition(tile_tensor(y, n, D), 1, D);
    tile_store(out, tile_load(in, tile_bid(0), tile_bid(1)), tile_bid(0), 0); // @dropped
}

/* The other axis races, whatever the launch was compiled for. */
tile_kernel void halved_row(const float *x, float *y, int n)
{
    tile_view in = tile_partition(tile_tensor(x, n, D), 1, D);
    tile_view out = tile_partition(tile_tensor(y, n, D), 1, D);
    tile t = tile_load(in, tile_bid(0) / 2, tile_bid(1));
    tile_store(out, t, tile_bid(0) / 2, tile_bid(1)); // @halved
}

/* The view is read in a branch: launches that do not take it may have several blocks, and race. */
tile_kernel void in_branch(const float *restrict x, float *restrict y, int n, int flag)
{
    if (flag) {
        tile_view in = tile_partition(tile_tensor(x, n, D), 1, D);
        tile_view out = tile_partition(tile_tensor(y, n, D), 1, D);
        tile_store(out, tile_load(in, tile_bid(0), tile_bid(1)), tile_bid(0), tile_bid(1));
    } else {
        y[tile_bid(0)] = 1.0f; // @branch
    }
}

/* No axis is left with several blocks: nothing says that a launch of one block is meant. */
tile_kernel void whole(const float *x, float *y)
{
    tile_view in = tile_partition(tile_tensor(x, D), D), out = tile_partition(tile_tensor(y, D), D);
    tile_store(out, tile_load(in, tile_bid(0)), tile_bid(0)); // @whole
}

/* The contract says that there are two. */
tile_kernel void stated(const float *x, float *y, int n)
{
    tile_grid(n, 2);
    tile_assume(n > 0);
    tile_view in = tile_partition(tile_tensor(x, n, D), 1, D);
    tile_view out = tile_partition(tile_tensor(y, n, D), 1, D);
    tile_store(out, tile_load(in, tile_bid(0), tile_bid(1)), tile_bid(0), tile_bid(1)); // @stated
}

// EXPECT kernel one_column
// EXPECT verdict race-free
// EXPECT requires specialised-launch:launch
// EXPECT asks grid.x <= n
// EXPECT asks grid.y == 1: the kernel was compiled for such launches
// EXPECT requires index-in-space:launch

// EXPECT kernel wider_than_rows
// EXPECT verdict race-free
// EXPECT requires specialised-launch:launch
// EXPECT requires index-in-space:launch

// EXPECT kernel one_head
// EXPECT verdict race-free
// EXPECT requires specialised-launch:launch
// EXPECT requires index-in-space:launch

// EXPECT kernel dropped_column
// EXPECT verdict conditional
// EXPECT requires specialised-launch:race
// EXPECT TR001 @dropped @dropped
// EXPECT requires index-in-space:launch

// EXPECT kernel halved_row
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @halved @halved
// EXPECT requires index-in-space:launch
// EXPECT requires specialised-launch:launch

// EXPECT kernel in_branch
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @branch @branch
// EXPECT requires no-wrap:launch
// EXPECT requires specialised-launch:launch

// EXPECT kernel whole
// EXPECT verdict race-free
// EXPECT TR007 @whole

// EXPECT kernel stated
// EXPECT verdict race-free
// EXPECT TR007 @stated
