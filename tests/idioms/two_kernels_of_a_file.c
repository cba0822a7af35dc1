/* Two kernels of one file have a value at the same place, of types with other ranges: what is known
 * of the first one's says nothing of the second one's. */
#include <tile.h>

tile_kernel void bytes(float *restrict y, signed char *restrict c)
{
    tile_grid(2);
    tile_extent(y, 1024);
    tile_extent(c, 2);
    int b = tile_bid(0);
    int v = c[b];
    c[b] = 1;
    y[512 * b + (v & 255)] = 1.0f;
}

tile_kernel void words(float *restrict y, int *restrict c)
{
    tile_grid(2);
    tile_extent(y, 1024);
    tile_extent(c, 2);
    int b = tile_bid(0);
    int v = c[b];
    c[b] = 1;
    if (0 <= v && v < 512)
        y[(v > 200 ? 0 : 512 * b) + v] = 1.0f; // @store
}

// EXPECT kernel bytes
// EXPECT verdict race-free

// It races where a word holds more than 200; a value that the kernel writes itself is not invented.
// EXPECT kernel words
// EXPECT verdict unknown
// EXPECT reason data-dependent
// EXPECT TR001 @store @store possible

/* Two kernels of three stores each, which are asked about together: those of the second one lie
 * further apart. */
tile_kernel void thirds(int *restrict x)
{
    int b = tile_bid(0);
    x[3 * b] = 1;
    x[3 * b + 1] = 2;
    x[3 * b + 2] = 3;
}

tile_kernel void thirds_and_a_fourth(int *restrict x)
{
    int b = tile_bid(0);
    x[3 * b] = 1; // @first
    x[3 * b + 1] = 2;
    x[3 * b + 3] = 3; // @fourth
}

tile_kernel void tiles_of_two(int *restrict x, int n)
{
    int b = tile_bid(0);
    tile_view v = tile_partition(tile_tensor(x, n), 16);
    tile_store(v, tile_full(1, 16), 2 * b);
    tile_store(v, tile_full(2, 16), 2 * b + 1);
}

tile_kernel void tiles_of_three(int *restrict x, int n)
{
    int b = tile_bid(0);
    tile_view v = tile_partition(tile_tensor(x, n), 16);
    tile_store(v, tile_full(1, 16), 2 * b);     // @near
    tile_store(v, tile_full(2, 16), 2 * b + 2); // @next
}

// EXPECT kernel thirds
// EXPECT verdict race-free

// EXPECT kernel thirds_and_a_fourth
// EXPECT verdict race
// EXPECT TR001 @first @fourth
// EXPECT observable yes

// EXPECT kernel tiles_of_two
// EXPECT verdict race-free
// EXPECT requires index-in-space:launch

// EXPECT kernel tiles_of_three
// EXPECT verdict race
// EXPECT TR001 @near @next
// EXPECT requires index-in-space:launch
// EXPECT observable yes
