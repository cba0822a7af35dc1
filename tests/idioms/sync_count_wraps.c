/* Counters of who comes last, that begin at either end of what a word can hold. */
#include <tile.h>

#define LAUNCH(start)                                                                              \
    tile_grid(4);                                                                                  \
    tile_extent(x, 64);                                                                            \
    tile_extent(y, 64);                                                                            \
    tile_extent(f, 64);                                                                            \
    tile_contents(f, start, start);                                                                \
    int b = tile_bid(0)
#define LEAST   (-2147483647 - 1)
#define ADD(by) tile_to_int(tile_atomic_add(tile_pointers(f, 0), by, TILE_ACQ_REL, TILE_DEVICE))

tile_kernel void last_from_the_least(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(LEAST);
    x[b] = 1;
    int c = ADD(1);
    if (c == LEAST + 3)
        y[b] = x[(b + 1) % 4];
}
// EXPECT kernel last_from_the_least
// EXPECT verdict race-free

tile_kernel void first_from_the_least(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(LEAST);
    x[b] = 1; // @first_write
    int c = ADD(1);
    if (c == LEAST)
        y[b] = x[(b + 1) % 4]; // @first_read
}
// EXPECT kernel first_from_the_least
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @first_write @first_read

tile_kernel void third_from_the_least(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(LEAST);
    x[b] = 1; // @third_write
    int c = ADD(1);
    if (c == LEAST + 2)
        y[b] = x[(b + 1) % 4]; // @third_read
}
// EXPECT kernel third_from_the_least
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @third_write @third_read

tile_kernel void first_that_falls(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(LEAST);
    x[b] = 1; // @falls_write
    int c = ADD(-1);
    if (c == LEAST)
        y[b] = x[(b + 1) % 4]; // @falls_read
}
// EXPECT kernel first_that_falls
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @falls_write @falls_read

/* A store that wraps begins the count anew: at 1 where n is 2. */
tile_kernel void begun_by_a_store(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_assume(1 <= n && n <= 2);
    LAUNCH(0);
    if (b == 0)
        tile_store_ptr_at(tile_pointers(f, 0), (int)(4294967295u + (unsigned)n), TILE_RELAXED,
                          TILE_DEVICE);
    x[b] = 1; // @begun_write
    int c = ADD(1);
    if (c == 3)
        y[b] = x[(b + 1) % 4]; // @begun_read
}
// EXPECT kernel begun_by_a_store
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @begun_write @begun_read
