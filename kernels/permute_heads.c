/* (B, H, M, D) to (B, M, H, D): what torch writes as permute(0, 2, 1, 3), between attention and
 * the output projection. One tile block owns one head of one batch and walks its rows. */
#include <tile.h>

enum { BM = 64, D = 64 };

tile_kernel void permute_heads(const float *src, float *dst, int B, int H, int M)
{
    tile_grid(B * H);
    tile_assume(0 < B && B <= 4096 && 0 < H && H < 4096 && 0 < M && M <= 1 << 20);
    tile_extent(src, (long)B * H * M * D);
    tile_extent(dst, (long)B * M * H * D);

    tile_view in = tile_partition(tile_tensor(src, B, H, M, D), 1, 1, BM, D);
    tile_view out = tile_partition(tile_tensor(dst, B, M, H, D), 1, BM, 1, D);

    /* Both halves of the block id reach the store's index, so no two blocks share a tile. */
    int b = tile_bid(0) / H;
    int h = tile_bid(0) % H;
    int row_tiles = tile_tiles(in, 2);

    for (int m = 0; m < row_tiles; m++) {
        tile t = tile_load(in, b, h, m, 0);
        tile_store(out, tile_permute(t, 0, 2, 1, 3), b, m, h, 0);
    }
}

// EXPECT verdict race-free
