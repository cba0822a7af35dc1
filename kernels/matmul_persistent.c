/* Matmul by as many blocks as the machine holds at once: each walks a sequence of output tiles, its
 * own id and then every grid extent further. No tile_grid, because any number of blocks will do. */
#include <tile.h>

enum { BM = 128, BN = 128, BK = 32 };

tile_kernel void matmul_persistent(const f16 *a, const f16 *b, float *c, int M, int N, int K)
{
    tile_assume(0 < M && M <= 1 << 18 && 0 < N && N <= 1 << 18 && 0 < K && K <= 1 << 18);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int n_tiles = tile_tiles(out, 1);
    int tiles = tile_tiles(out, 0) * n_tiles;
    int k_tiles = tile_tiles(in_a, 1);
    int blocks = tile_grid_extent(0);

    for (int t = tile_bid(0); t < tiles; t += blocks) {
        int m = t / n_tiles;
        int n = t % n_tiles;

        tile acc = tile_zeros(float, BM, BN);
        for (int k = 0; k < k_tiles; k++) {
            tile x = tile_load(in_a, m, k);
            tile y = tile_load(in_b, k, n);
            acc = tile_mma(x, y, acc);
        }
        tile_store(out, acc, m, n);
    }
}

// EXPECT verdict race-free
