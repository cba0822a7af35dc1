/* Contents that no table can have would prove everything. */
#include <tile.h>

tile_kernel void crossed(float *x, const int *r)
{
    tile_grid(8);
    tile_contents(r, 5, 3); // @crossed
    x[r[tile_bid(0)]] = 1.0f;
}

tile_kernel void crossed_by_sizes(float *x, const int *r, int n, int m)
{
    tile_grid(8);
    tile_assume(m < n);
    tile_contents(r, n, m); // @sizes
    x[r[tile_bid(0)]] = 1.0f;
}

tile_kernel void beyond_the_type(float *x, const unsigned char *r)
{
    tile_grid(8);
    tile_contents(r, 300, 1000); // @type
    x[r[tile_bid(0)]] = 1.0f;
}

tile_kernel void pigeons(float *x, const int *r)
{
    tile_grid(64);
    tile_extent(r, 64);
    tile_unique(r);
    tile_contents(r, 0, 62); // @pigeons
    x[r[tile_bid(0)]] = 1.0f;
}

tile_kernel void as_many_as_values(float *x, const int *r)
{
    tile_grid(64);
    tile_extent(r, 64);
    tile_unique(r);
    tile_contents(r, 0, 63);
    x[r[tile_bid(0)]] = 1.0f;
}

/* The others may be -1, all of them. */
tile_kernel void few_of_them(float *x, const int *r)
{
    tile_grid(64);
    tile_extent(r, 64);
    tile_unique_when(r, tile_value() >= 0);
    tile_contents(r, -1, 3);
    int i = r[tile_bid(0)];
    if (i >= 0)
        x[i] = 1.0f;
}

tile_kernel void of_any_size(float *x, const int *r, int n)
{
    tile_grid(n);
    tile_assume(n >= 0);
    tile_extent(r, n);
    tile_unique(r);
    tile_contents(r, 0, n - 1);
    x[r[tile_bid(0)]] = 1.0f;
}

// EXPECT kernel crossed
// EXPECT verdict unknown
// EXPECT TR011 @crossed
// EXPECT observable no

// EXPECT kernel crossed_by_sizes
// EXPECT verdict unknown
// EXPECT TR011 @sizes
// EXPECT observable no

// EXPECT kernel beyond_the_type
// EXPECT verdict unknown
// EXPECT TR011 @type
// EXPECT observable no

// EXPECT kernel pigeons
// EXPECT verdict unknown
// EXPECT TR011 @pigeons
// EXPECT observable no

// EXPECT kernel as_many_as_values
// EXPECT verdict race-free

// EXPECT kernel few_of_them
// EXPECT verdict race-free

// EXPECT kernel of_any_size
// EXPECT verdict race-free
