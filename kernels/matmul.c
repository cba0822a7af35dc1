/* c = a * b, one tile of c a block. The tails of K must count as zero, so a and b are padded; the
 * tails of M and N are cut off by the store. */
#include <tile.h>

enum { BM = 128, BN = 128, BK = 32 };

tile_kernel void matmul(const f16 *a, const f16 *b, float *c, int M, int N, int K)
{
    tile_grid(tile_cdiv(M, BM), tile_cdiv(N, BN));
    tile_assume(0 < M && M <= 1 << 24 && 0 < N && N <= 1 << 24 && 0 < K && K <= 1 << 24);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int m = tile_bid(0);
    int n = tile_bid(1);
    int k_tiles = tile_tiles(in_a, 1);

    tile acc = tile_zeros(float, BM, BN);
    for (int k = 0; k < k_tiles; k++) {
        tile x = tile_load(in_a, m, k);
        tile y = tile_load(in_b, k, n);
        acc = tile_mma(x, y, acc);
    }
    tile_store(out, acc, m, n);
}

// EXPECT verdict race-free
