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

/* One position of one sequence: beside the column, an index that the other axis takes beyond a view
 * of one sequence, and one that needs an extent. */
tile_kernel void one_position(const float *x, float *y, int heads)
{
    tile_view in = tile_partition(tile_tensor(x, 1, heads, D), 1, 1, D);
    tile_view out = tile_partition(tile_tensor(y, 1, heads, D), 1, 1, D);
    tile t = tile_load(in, tile_bid(1) / 8, tile_bid(1) % 8, tile_bid(0));
    tile_store(out, t, tile_bid(1) / 8, tile_bid(1) % 8, tile_bid(0));
}

/* All heads go to the first one. */
tile_kernel void heads_in_one(const float *x, float *y, int heads)
{
    tile_view in = tile_partition(tile_tensor(x, 1, heads, D), 1, 1, D);
    tile_view out = tile_partition(tile_tensor(y, 1, heads, D), 1, 1, D);
    tile t = tile_load(in, tile_bid(1) / 8, tile_bid(1) % 8, tile_bid(0));
    tile_store(out, t, tile_bid(1) / 8, 0, tile_bid(0)); // @heads
}

/* Rows of the only sequence: what is stored does not say that there is one, what is loaded does. */
tile_kernel void rows_of_one(const float *x, float *y, int rows)
{
    tile_view in = tile_partition(tile_tensor(x, 1, rows, D), 1, 1, D);
    tile_view out = tile_partition(tile_tensor(y, rows, D), 1, D);
    tile t = tile_load(in, tile_bid(1) / 8, tile_bid(1) % 8, tile_bid(0));
    tile_store(out, tile_reshape(t, 1, D), tile_bid(1) % 8, tile_bid(0));
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

/* A wait before the view may never end: then nothing is undefined, and the blocks have raced. */
tile_kernel void after_a_wait(const float *restrict x, float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    y[tile_bid(0)] = (float)tile_bid(1); // @after_a_wait
    while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) != 1)
        ;
    tile_view in = tile_partition(tile_tensor(x, D), D);
    tile_print("%f", tile_load(in, tile_bid(1)));
}

#define TAKE(f)                                                                                    \
    while (tile_to_int(tile_atomic_cas(tile_pointers(f, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) !=   \
           0)                                                                                      \
        ;
#define FREE(f) tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELEASE, TILE_DEVICE)

/* So does the wait for a lock that the launch left taken. */
tile_kernel void after_a_lock(const float *restrict x, float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 1);
    y[tile_bid(0)] = (float)tile_bid(1); // @after_a_lock
    TAKE(f);
    tile_view in = tile_partition(tile_tensor(x, D), D);
    tile_print("%f", tile_load(in, tile_bid(1)));
    FREE(f);
}

tile_kernel void after_a_return(const float *restrict x, float *restrict y, const int *restrict t)
{
    y[tile_bid(0)] = (float)tile_bid(1); // @after_a_return
    for (int i = 0; i < 100; i++)
        if (t[i] == 3)
            return;
    tile_view in = tile_partition(tile_tensor(x, D), D);
    tile_print("%f", tile_load(in, tile_bid(1)));
}

tile_kernel void before_a_lock(const float *restrict x, float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 1);
    y[tile_bid(0)] = (float)tile_bid(1); // @before_a_lock
    tile_view in = tile_partition(tile_tensor(x, D), D);
    tile_print("%f", tile_load(in, tile_bid(1)));
    TAKE(f);
    FREE(f);
}

/* This loop ends, whatever it finds. */
tile_kernel void after_a_search(const float *restrict x, float *restrict y, const int *restrict t)
{
    int at = 0;
    y[tile_bid(0)] = (float)tile_bid(1); // @after_a_search
    for (; at < 100; at++)
        if (t[at] == 3)
            break;
    tile_view in = tile_partition(tile_tensor(x, D), D);
    tile_print("%f %d", tile_load(in, tile_bid(1)), at);
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

// EXPECT kernel one_position
// EXPECT verdict race-free
// EXPECT requires specialised-launch:launch
// EXPECT asks grid.x == 1: the kernel was compiled for such launches
// EXPECT asks grid.y <= 8
// EXPECT asks heads >= 8
// EXPECT requires index-in-space:launch

// EXPECT kernel rows_of_one
// EXPECT verdict race-free
// EXPECT requires specialised-launch:launch
// EXPECT asks grid.x == 1: the kernel was compiled for such launches
// EXPECT asks grid.y <= 8
// EXPECT asks rows >= 8
// EXPECT requires index-in-space:launch

// EXPECT kernel heads_in_one
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @heads @heads
// EXPECT requires specialised-launch:launch
// EXPECT requires index-in-space:launch no-wrap:launch

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
// EXPECT requires index-in-space:launch
// EXPECT requires specialised-launch:launch

// EXPECT kernel whole
// EXPECT verdict race-free
// EXPECT TR007 @whole

// EXPECT kernel stated
// EXPECT verdict race-free
// EXPECT TR007 @stated

// EXPECT kernel after_a_wait
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @after_a_wait @after_a_wait

// EXPECT kernel after_a_lock
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR021 @after_a_lock @after_a_lock
// EXPECT requires specialised-launch:launch

// EXPECT kernel after_a_return
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @after_a_return @after_a_return
// EXPECT requires specialised-launch:launch

// EXPECT kernel before_a_lock
// EXPECT verdict conditional
// EXPECT TR021 @before_a_lock @before_a_lock
// EXPECT requires specialised-launch:race

// EXPECT kernel after_a_search
// EXPECT verdict conditional
// EXPECT TR001 @after_a_search @after_a_search
// EXPECT requires specialised-launch:race
