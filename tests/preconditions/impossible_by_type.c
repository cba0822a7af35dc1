/* A table whose elements have few values: where more of them have to differ, no launch meets the
 * contract. What nobody gives an extent has as many elements at least as every launch reads. */
#include <tile.h>

tile_kernel void bytes(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(400);
    tile_extent(t, 400);
    tile_unique(t); // @bytes
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel bytes
// EXPECT verdict unknown
// EXPECT TR011 @bytes
// EXPECT observable no

tile_kernel void as_many_bytes(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(256);
    tile_extent(t, 256);
    tile_unique(t);
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel as_many_bytes
// EXPECT verdict race-free

tile_kernel void halves(int *restrict x, const short *restrict t)
{
    tile_grid(8);
    tile_extent(t, 65537);
    tile_unique(t); // @halves
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel halves
// EXPECT verdict unknown
// EXPECT TR011 @halves
// EXPECT observable no

tile_kernel void bools(int *restrict x, const bool *restrict t)
{
    tile_grid(3);
    tile_extent(t, 3);
    tile_unique(t); // @bools
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel bools
// EXPECT verdict unknown
// EXPECT TR011 @bools
// EXPECT observable no

tile_kernel void bytes_of_any_number(int *restrict x, const unsigned char *restrict t, int n)
{
    tile_grid(n);
    tile_assume(n > 256);
    tile_extent(t, n);
    tile_unique(t); // @bytes_of_any_number
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel bytes_of_any_number
// EXPECT verdict unknown
// EXPECT TR011 @bytes_of_any_number
// EXPECT observable no

/* The numbers from 100 on are 156 of a byte. */
tile_kernel void range_beyond_type(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_extent(t, 157);
    tile_unique(t);
    tile_contents(t, 100, 10000); // @range_beyond_type
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel range_beyond_type
// EXPECT verdict unknown
// EXPECT TR011 @range_beyond_type
// EXPECT observable no

tile_kernel void range_beyond_type_of_few(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_extent(t, 156);
    tile_unique(t);
    tile_contents(t, 100, 10000);
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel range_beyond_type_of_few
// EXPECT verdict race-free

tile_kernel void those_of_the_grid(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(400);
    tile_extent(t, 400);
    tile_unique_when(t, tile_index() < tile_grid_extent(0)); // @those_of_the_grid
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel those_of_the_grid
// EXPECT verdict unknown
// EXPECT TR011 @those_of_the_grid
// EXPECT observable no

tile_kernel void those_in_the_middle(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(300);
    tile_unique_when(t, tile_index() >= 10 && tile_index() < 267); // @those_in_the_middle
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel those_in_the_middle
// EXPECT verdict unknown
// EXPECT TR011 @those_in_the_middle
// EXPECT observable no

tile_kernel void those_of_a_range(int *restrict x, const int *restrict t)
{
    tile_grid(300);
    tile_contents(t, 0, 298);
    tile_unique_when(t, tile_value() >= 0 && tile_index() < 300); // @those_of_a_range
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel those_of_a_range
// EXPECT verdict unknown
// EXPECT TR011 @those_of_a_range
// EXPECT observable no

tile_kernel void as_many_of_a_range(int *restrict x, const int *restrict t)
{
    tile_grid(300);
    tile_contents(t, 0, 299);
    tile_unique_when(t, tile_value() >= 0 && tile_index() < tile_grid_extent(0));
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel as_many_of_a_range
// EXPECT verdict race-free

tile_kernel void bytes_that_are_read(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(257);
    tile_unique(t); // @bytes_that_are_read
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel bytes_that_are_read
// EXPECT verdict unknown
// EXPECT TR011 @bytes_that_are_read
// EXPECT observable no

tile_kernel void lanes_that_are_read(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_unique(t); // @lanes_that_are_read
    tile e = tile_iota(64) + 64 * tile_bid(0);
    tile_store_ptr(tile_pointers(x, tile_cast(tile_load_ptr(tile_pointers(t, e)), int)), 1);
}
// EXPECT kernel lanes_that_are_read
// EXPECT verdict unknown
// EXPECT TR011 @lanes_that_are_read
// EXPECT observable no

/* Launches with a small n read few of them. */
tile_kernel void read_by_some(int *restrict x, const unsigned char *restrict t, int n)
{
    tile_grid(400);
    tile_unique(t);
    if (tile_bid(0) < n)
        x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel read_by_some
// EXPECT verdict race-free

/* Two tile blocks read the same elements, 253 in all. */
tile_kernel void windows(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(190);
    tile_unique(t);
    tile v = tile_load_ptr(tile_pointers(t, tile_iota(64) + tile_bid(0)));
    tile_store_ptr(tile_pointers(x, tile_cast(v, int)), 1); // @windows
}
// EXPECT kernel windows
// EXPECT verdict race
// EXPECT TR001 @windows @windows
// EXPECT observable no

tile_kernel void last_has_none(int *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    tile_contents(t, tile_index(), 6); // @last_has_none
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel last_has_none
// EXPECT verdict unknown
// EXPECT TR011 @last_has_none
// EXPECT observable no

tile_kernel void each_has_one(int *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    tile_unique(t);
    tile_contents(t, tile_index(), 7);
    x[t[tile_bid(0)]] = 1;
}
// EXPECT kernel each_has_one
// EXPECT verdict race-free

/* That all elements differ cannot be asked for either. */
tile_kernel void others_are_equal(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(400);
    tile_extent(t, 400);
    tile_unique_when(t, tile_index() < 200);
    x[t[tile_bid(0)]] = 1; // @others
}
// EXPECT kernel others_are_equal
// EXPECT verdict race
// EXPECT TR001 @others @others
// EXPECT observable no
