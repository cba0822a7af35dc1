/* The stride of a transposed store is the extent of the wrong axis. */
#include <tile.h>

enum { B = 32 };

tile_kernel void transposed(float *y, int M, int N)
{
    tile r = tile_expand(tile_bid(0) * B + tile_iota(B), 1);
    tile c = tile_expand(tile_bid(1) * B + tile_iota(B), 0);
    tile inside = tile_and(tile_lt(r, M), tile_lt(c, N));
    tile_store_masked(tile_pointers(y, c * N + r), 1.0f, inside); // @transposed
}

tile_kernel void transposed_rows(float *y, int M, int N)
{
    int r = tile_bid(0);
    if (r < M)
        for (int c = 0; c < N; c++)
            y[c * N + r] = 1.0f; // @rows
}

tile_kernel void transposed_batch(float *y, int M, int N)
{
    tile r = tile_expand(tile_bid(0) * B + tile_iota(B), 1);
    tile c = tile_expand(tile_bid(1) * B + tile_iota(B), 0);
    tile inside = tile_and(tile_lt(r, M), tile_lt(c, N));
    tile at = tile_bid(2) * (M * N) + c * N + r;
    tile_store_masked(tile_pointers(y, at), 1.0f, inside); // @of_batch
}

// EXPECT kernel transposed
// EXPECT verdict race
// EXPECT TR001 @transposed @transposed
// EXPECT requires no-wrap stride-relation
// EXPECT observable no

// EXPECT kernel transposed_rows
// EXPECT verdict race
// EXPECT TR001 @rows @rows
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel transposed_batch
// EXPECT verdict race
// EXPECT TR001 @of_batch @of_batch
// EXPECT requires no-wrap stride-relation
// EXPECT observable no
