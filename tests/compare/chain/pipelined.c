/* The same, the tiles of the next step loaded before those of this one are multiplied. */
#include <tile.h>

enum { BM = 16, BN = 16, BK = 16, GROUP = 4 };

tile_kernel void pipelined(const float *a, const float *b, float *c, int M, int N, int K)
{
    tile_grid(tile_cdiv(M, BM) * tile_cdiv(N, BN));
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096 && 0 < K && K <= 4096);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int m_tiles = tile_cdiv(M, BM), n_tiles = tile_cdiv(N, BN), k_tiles = tile_cdiv(K, BK);
    int group = GROUP * n_tiles, first = tile_bid(0) / group * GROUP;
    int rows = tile_min(m_tiles - first, GROUP), within = tile_bid(0) % group;
    int m = first + within % rows, n = within / rows;
    tile acc = tile_zeros(float, BM, BN);
    tile x = tile_load(in_a, m, 0), y = tile_load(in_b, 0, n);
    for (int k = 1; k < k_tiles; k++) {
        tile next_x = tile_load(in_a, m, k), next_y = tile_load(in_b, k, n);
        acc = tile_mma(x, y, acc);
        x = next_x;
        y = next_y;
    }
    tile_store(out, tile_mma(x, y, acc), m, n);
}
