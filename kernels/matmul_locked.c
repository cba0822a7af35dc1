/* C += A B, K split over the z axis: blocks of one tile of C add their share in turn, under the
 * tile's lock. The host clears `c` and `lock`. */
#include <tile.h>

enum { BM = 64, BN = 64, BK = 32 };

tile_kernel void matmul_locked(const float *a, const float *b, float *c, int *lock, int M, int N,
                               int K, int splits)
{
    tile_grid(tile_cdiv(N, BN), tile_cdiv(M, BM), splits);
    tile_assume(0 < M && M <= 1 << 14 && 0 < N && N <= 1 << 14 && 0 < K && K <= 1 << 20);
    tile_assume(0 < splits && splits <= 1 << 10);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);
    tile_extent(lock, tile_cdiv(M, BM) * tile_cdiv(N, BN));
    tile_contents(lock, 0, 0);
    tile_distinct(a, b, c, lock);

    tile_view left = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view right = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int i = tile_bid(1), j = tile_bid(0), chunks = tile_tiles(left, 1);
    tile acc = tile_zeros(float, BM, BN);
    for (int k = tile_bid(2); k < chunks; k += splits)
        acc = tile_mma(tile_load(left, i, k), tile_load(right, k, j), acc);

    tile mine = tile_pointers(lock, i * tile_grid_extent(0) + j);
    while (tile_to_int(tile_atomic_cas(mine, 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
        ;
    tile sum = tile_load(out, i, j);  // @load
    tile_store(out, sum + acc, i, j); // @store
    tile_atomic_xchg(mine, 0, TILE_RELEASE, TILE_DEVICE);
}

// EXPECT verdict race-free
