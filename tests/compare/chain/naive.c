/* c = a b, a row of a times a column of b for each element. */
#include <tile.h>

enum { BK = 16 };

tile_kernel void naive(const float *a, const float *b, float *c, int M, int N, int K)
{
    tile_grid(M, N);
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096 && 0 < K && K <= 4096);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, 1, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, 1);
    tile_view out = tile_partition(tile_tensor(c, M, N), 1, 1);

    tile acc = tile_zeros(float, 1, BK);
    for (int k = 0; k < tile_cdiv(K, BK); k++)
        acc = acc +
              tile_load(in_a, tile_bid(0), k) * tile_permute(tile_load(in_b, k, tile_bid(1)), 1, 0);
    tile_store(out, tile_expand(tile_reduce_sum(acc, 1), 1), tile_bid(0), tile_bid(1));
}
