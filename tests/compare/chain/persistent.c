/* The same by as many blocks as the machine holds: no tile_grid, any number will do. */
#include <tile.h>

enum { BM = 16, BN = 16, BK = 16 };

tile_kernel void persistent(const float *a, const float *b, float *c, int M, int N, int K)
{
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096 && 0 < K && K <= 4096);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int n_tiles = tile_cdiv(N, BN), tiles = tile_cdiv(M, BM) * n_tiles, k_tiles = tile_cdiv(K, BK);
    for (int t = tile_bid(0); t < tiles; t += tile_grid_extent(0)) {
        int m = t / n_tiles, n = t % n_tiles;
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
}
