/* The batch's stride is a row's instead of a matrix's: batches overlap unless there is one row. */
#include <tile.h>

enum { BM = 16, BN = 32 };

tile_kernel void batch_by_rows(float *y, int M, int K)
{
    tile b = tile_bid(2);
    tile m = tile_expand(tile_bid(0) * BM + tile_iota(BM), 1);
    tile c = tile_expand(tile_bid(1) * BN + tile_iota(BN), 0);
    tile inside = tile_and(tile_lt(m, M), tile_lt(c, K));
    tile_store_masked(tile_pointers(y, b * K + m * K + c), 1.0f, inside); // @batch
}

tile_kernel void head_by_rows(float *y, int H, int M, int K)
{
    int b = tile_bid(2) / H, h = tile_bid(2) % H;
    tile m = tile_expand(tile_bid(0) * BM + tile_iota(BM), 1);
    tile c = tile_expand(tile_bid(1) * BN + tile_iota(BN), 0);
    tile inside = tile_and(tile_lt(m, M), tile_lt(c, K));
    tile at = (b * H + h) * K + m * K + c;
    tile_store_masked(tile_pointers(y, at), 1.0f, inside); // @head
}

tile_kernel void image_by_row(float *y, int n, int rows, int columns)
{
    int b = tile_bid(1);
    if (b < n)
        for (int r = tile_bid(0); r < rows; r += tile_grid_extent(0))
            for (int c = 0; c < columns; c++)
                y[b * columns + r * columns + c] = 0.0f; // @image
}

// EXPECT kernel batch_by_rows
// EXPECT verdict race
// EXPECT TR001 @batch @batch
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel head_by_rows
// EXPECT verdict race
// EXPECT TR001 @head @head
// EXPECT requires no-wrap positive-divisor
// EXPECT observable no

// EXPECT kernel image_by_row
// EXPECT verdict race
// EXPECT TR001 @image @image
// EXPECT requires no-wrap
// EXPECT observable no
