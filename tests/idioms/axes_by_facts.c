/* Axes that a kernel does not read, and what facts of its contract say of their extents: by default
 * such an axis has one tile block, but a fact may say how many there are. */
#include <tile.h>

/* Tile blocks that differ in y alone store the same element. */
#define BY_X(fact)                                                                                 \
    tile_assume(0 < h && 0 < k);                                                                   \
    tile_assume(fact);                                                                             \
    tile_extent(x, 1024);                                                                          \
    if (tile_bid(0) < 1024)                                                                        \
    x[tile_bid(0)] = 1.0f

static inline bool both(int extent, int h)
{
    return extent == h && h < 100;
}

static inline bool both_turned(int extent, int h)
{
    return h < 100 && extent == h;
}

tile_kernel void one_by_one(float *restrict x, int h, int k)
{
    BY_X(tile_grid_extent(1) == h); // @one_by_one
}
// EXPECT kernel one_by_one
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @one_by_one @one_by_one

tile_kernel void sixteen_for_each(float *restrict x, int h, int k)
{
    BY_X(h == 16 * tile_grid_extent(1)); // @sixteen
}
// EXPECT kernel sixteen_for_each
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @sixteen @sixteen

tile_kernel void as_many_for_each(float *restrict x, int h, int k)
{
    BY_X(k * tile_grid_extent(1) == h); // @as_many
}
// EXPECT kernel as_many_for_each
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @as_many @as_many

tile_kernel void of_both_axes(float *restrict x, int h, int k)
{
    BY_X(tile_grid_extent(0) * tile_grid_extent(1) == h); // @of_both
}
// EXPECT kernel of_both_axes
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @of_both @of_both

tile_kernel void rounded_up(float *restrict x, int h, int k)
{
    BY_X(tile_grid_extent(1) == tile_cdiv(h, 16)); // @rounded
}
// EXPECT kernel rounded_up
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @rounded @rounded

tile_kernel void at_least(float *restrict x, int h, int k)
{
    BY_X(tile_grid_extent(1) >= h); // @at_least
}
// EXPECT kernel at_least
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @at_least @at_least

tile_kernel void at_least_in_all(float *restrict x, int h, int k)
{
    BY_X(tile_grid_extent(0) * tile_grid_extent(1) > h); // @in_all
}
// EXPECT kernel at_least_in_all
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @in_all @in_all

/* The side that speaks of the axis is one of two sides of a conjunction. */
tile_kernel void first_of_two(float *restrict x, int h, int k)
{
    BY_X(both(tile_grid_extent(1), h)); // @first
}
// EXPECT kernel first_of_two
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @first @first

tile_kernel void second_of_two(float *restrict x, int h, int k)
{
    BY_X(both_turned(tile_grid_extent(1), h)); // @second
}
// EXPECT kernel second_of_two
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @second @second

/* One tile block meets these, whatever the sizes are, or they speak of another axis. */
tile_kernel void at_most(float *restrict x, int h, int k)
{
    BY_X(tile_grid_extent(1) <= h);
}
// EXPECT kernel at_most
// EXPECT verdict race-free

tile_kernel void at_most_half(float *restrict x, int h, int k)
{
    BY_X(2 * tile_grid_extent(1) <= h);
}
// EXPECT kernel at_most_half
// EXPECT verdict race-free

tile_kernel void exactly_one(float *restrict x, int h, int k)
{
    BY_X(tile_grid_extent(1) == 1);
}
// EXPECT kernel exactly_one
// EXPECT verdict race-free

tile_kernel void of_the_axis_that_is_read(float *restrict x, int h, int k)
{
    BY_X(16 * tile_grid_extent(0) == h);
}
// EXPECT kernel of_the_axis_that_is_read
// EXPECT verdict race-free

/* A fact and a stated grid speak of one extent. */
tile_kernel void as_many_as_stated(float *restrict x, int n)
{
    tile_grid(8);
    tile_assume(n == tile_grid_extent(0));
    tile_extent(x, n);
    x[tile_bid(0) % n] = 1.0f;
}
// EXPECT kernel as_many_as_stated
// EXPECT verdict race-free

tile_kernel void one_less_than_stated(float *restrict x, int n)
{
    tile_grid(8);
    tile_assume(n + 1 == tile_grid_extent(0));
    tile_extent(x, n);
    x[tile_bid(0) % n] = 1.0f; // @one_less
}
// EXPECT kernel one_less_than_stated
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @one_less @one_less

/* Tickets are for several tile blocks: on the axis that the kernel reads, or on x if it reads none.
 */
#define TICKET                                                                                     \
    tile_extent(x, 1024);                                                                          \
    tile_extent(count, 1);                                                                         \
    tile_contents(count, 0, 0);                                                                    \
    int t = tile_to_int(tile_atomic_add(tile_pointers(count, 0), 1, TILE_RELAXED, TILE_DEVICE))

tile_kernel void tickets_of_rows(float *restrict x, int *restrict count)
{
    TICKET;
    if (t < 5 && tile_bid(1) < 1024)
        x[tile_bid(1)] = 1.0f;
}
// EXPECT kernel tickets_of_rows
// EXPECT verdict race-free

tile_kernel void tickets_of_layers(float *restrict x, int *restrict count)
{
    TICKET;
    if (t < 5 && tile_bid(2) < 1024)
        x[tile_bid(2)] = 1.0f;
}
// EXPECT kernel tickets_of_layers
// EXPECT verdict race-free

tile_kernel void tickets_of_no_axis(float *restrict x, int *restrict count)
{
    TICKET;
    if (t < 5)
        x[0] = 1.0f; // @no_axis
}
// EXPECT kernel tickets_of_no_axis
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @no_axis @no_axis
