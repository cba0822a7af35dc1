/* Plain read-modify-write through an index buffer: a race wherever an index occurs twice. */
#include <tile.h>

enum { D = 64 };

tile_kernel void add_edges(float *y, const int *row, const float *v)
{
    int e = tile_bid(0);
    int r = row[e];
    y[r] = y[r] + v[e]; // @edges
}

tile_kernel void add_rows(float *table, const int *token, const float *gradient)
{
    int t = tile_bid(0);
    tile at = token[t] * D + tile_iota(D);
    tile sum = tile_load_ptr(tile_pointers(table, at));
    sum = sum + tile_load_ptr(tile_pointers(gradient, t * D + tile_iota(D)));
    tile_store_ptr(tile_pointers(table, at), sum); // @rows
}

tile_kernel void add_masked(float *y, const int *bucket, const float *v, int n, int m)
{
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile in = tile_lt(i, n);
    tile b = tile_load_masked(tile_pointers(bucket, i), in, m);
    tile good = tile_lt(b, m);
    tile sum = tile_load_masked(tile_pointers(y, b), good, 0.0f);
    sum = sum + tile_load_masked(tile_pointers(v, i), in, 0.0f);
    tile_store_masked(tile_pointers(y, b), sum, good); // @masked
}

// EXPECT kernel add_edges
// EXPECT verdict conditional
// EXPECT TR001 @edges @edges
// EXPECT requires unique-contents:race

// EXPECT kernel add_rows
// EXPECT verdict conditional
// EXPECT TR001 @rows @rows
// EXPECT requires contents-range:launch in-bounds:launch unique-contents:race

// EXPECT kernel add_masked
// EXPECT verdict conditional
// EXPECT TR004 @masked
// EXPECT requires unique-contents:race
