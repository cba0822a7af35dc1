/* C = A B, K split over the z axis. Under the tile's lock the first block stores its share, the
 * others add theirs: `count` is an ordinary number that the lock guards. The host clears `lock` and
 * `count`. */
#include <tile.h>

enum { BM = 64, BN = 64, BK = 32 };

tile_kernel void matmul_counted(const float *a, const float *b, float *c, int *lock, int *count,
                                int M, int N, int K, int splits)
{
    tile_grid(tile_cdiv(N, BN), tile_cdiv(M, BM), splits);
    tile_assume(0 < M && M <= 1 << 14 && 0 < N && N <= 1 << 14 && 0 < K && K <= 1 << 20);
    tile_assume(0 < splits && splits <= 1 << 10);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);
    tile_extent(lock, tile_cdiv(M, BM) * tile_cdiv(N, BN));
    tile_extent(count, tile_cdiv(M, BM) * tile_cdiv(N, BN));
    tile_contents(lock, 0, 0);
    tile_contents(count, 0, 0);
    tile_distinct(a, b, c, lock, count);

    tile_view left = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view right = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);

    int i = tile_bid(1), j = tile_bid(0), chunks = tile_tiles(left, 1);
    tile acc = tile_zeros(float, BM, BN);
    for (int k = tile_bid(2); k < chunks; k += splits)
        acc = tile_mma(tile_load(left, i, k), tile_load(right, k, j), acc);

    int t = i * tile_grid_extent(0) + j;
    while (tile_to_int(tile_atomic_cas(tile_pointers(lock, t), 0, 1, TILE_ACQUIRE, TILE_DEVICE)))
        ;
    int seen = count[t]; // @count
    if (seen > 0)
        acc = acc + tile_load(out, i, j); // @load
    tile_store(out, acc, i, j);           // @store
    count[t] = seen + 1;                  // @counted
    tile_atomic_xchg(tile_pointers(lock, t), 0, TILE_RELEASE, TILE_DEVICE);
}

// EXPECT verdict race-free
