/* Matmul in an order that is kind to the L2 cache: blocks that run together work on GROUP rows of
 * tiles, column by column, so that they share tiles of b. */
#include <tile.h>

enum { BM = 128, BN = 128, BK = 32, GROUP = 8 };

tile_kernel void matmul_swizzle(const f16 *a, const f16 *b, float *c, int M, int N, int K)
{
    tile_grid(tile_cdiv(M, BM) * tile_cdiv(N, BN));
    tile_assume(0 < M && M <= 1 << 18 && 0 < N && N <= 1 << 18 && 0 < K && K <= 1 << 18);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int m_tiles = tile_tiles(out, 0);
    int n_tiles = tile_tiles(out, 1);
    int k_tiles = tile_tiles(in_a, 1);

    int group_blocks = GROUP * n_tiles;
    int first = tile_bid(0) / group_blocks * GROUP; /* row of tiles */
    int rows = tile_min(m_tiles - first, GROUP);    /* the last group may be ragged */
    int within = tile_bid(0) % group_blocks;
    int m = first + within % rows;
    int n = within / rows;

    tile acc = tile_zeros(float, BM, BN);
    for (int k = 0; k < k_tiles; k++) {
        tile x = tile_load(in_a, m, k);
        tile y = tile_load(in_b, k, n);
        acc = tile_mma(x, y, acc);
    }
    tile_store(out, acc, m, n);
}

// EXPECT verdict race-free
