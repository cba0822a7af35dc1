/* c += a b with the steps along K dealt out to several blocks for each tile of c. */
#include <tile.h>

enum { BM = 16, BN = 16, BK = 16 };

tile_kernel void split_k(const float *a, const float *b, float *c, int M, int N, int K, int splits)
{
    tile_grid(tile_cdiv(M, BM), tile_cdiv(N, BN), splits);
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096 && 0 < K && K <= 4096);
    tile_assume(0 < splits && splits <= 64);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int m = tile_bid(0), n = tile_bid(1), k_tiles = tile_cdiv(K, BK);
    tile acc = tile_zeros(float, BM, BN);
    for (int k = tile_bid(2); k < k_tiles; k += splits)
        acc = tile_mma(tile_load(in_a, m, k), tile_load(in_b, k, n), acc);
    tile_red_add(out, acc, m, n);
}
