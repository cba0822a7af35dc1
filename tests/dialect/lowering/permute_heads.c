#include <tile.h>

enum { BM = 64, D = 64 };

tile_kernel void transpose_heads(const float *src, float *dst, int B, int H, int M)
{
    tile_grid(B * H);
    tile_assume(B > 0 && H > 0 && M % BM == 0);

    tile_view in = tile_partition(tile_tensor(src, B, H, M, D), 1, 1, BM, D);
    tile_view out = tile_partition(tile_tensor(dst, B, M, H, D), 1, BM, 1, D);

    int b = tile_bid(0) / H, h = tile_bid(0) % H;
    for (int m = 0; m < M / BM; m++) {
        tile t = tile_load(in, b, h, m, 0);
        tile_store(out, tile_permute(t, 0, 2, 1, 3), b, m, h, 0);
    }
}
