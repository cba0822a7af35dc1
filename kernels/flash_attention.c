/* Flash attention, forward: each block walks all keys for BM queries of one head and never stores
 * the scores. Keeps the log of each query's sum of exponentials for the backward pass. */
#include <tile.h>

enum { BM = 64, BN = 32, D = 64 };

tile_kernel void flash_attention(const f16 *q, const f16 *k, const f16 *v, f16 *o, float *lse,
                                 int B, int H, int M, int N, float scale, bool causal)
{
    tile_grid(tile_cdiv(M, BM), H, B);
    tile_assume(B <= 1 << 10 && H <= 1 << 10 && 0 < M && M <= 1 << 20 && 0 < N && N <= 1 << 20);
    tile_extent(q, (long)B * H * M * D);
    tile_extent(k, (long)B * H * N * D);
    tile_extent(v, (long)B * H * N * D);
    tile_extent(o, (long)B * H * M * D);
    tile_extent(lse, (long)B * H * M);

    tile_view queries = tile_partition(tile_tensor(q, B, H, M, D), 1, 1, BM, D);
    tile_view keys = tile_partition(tile_tensor(k, B, H, N, D), 1, 1, BN, D);
    /* Their weight is 0, but beyond the last value could be a NaN. */
    tile_view values =
        tile_partition_padded(tile_tensor(v, B, H, N, D), TILE_PAD_ZERO, 1, 1, BN, D);
    tile_view out = tile_partition(tile_tensor(o, B, H, M, D), 1, 1, BM, D);
    tile_view out_lse = tile_partition(tile_tensor(lse, B, H, M), 1, 1, BM);

    int i = tile_bid(0), h = tile_bid(1), b = tile_bid(2);
    tile query = tile_reshape(tile_load(queries, b, h, i, 0), BM, D);

    /* The last key that each query sees, and how many steps reach the last of the block. */
    int steps = tile_tiles(keys, 2);
    tile last = tile_full(N - 1, BM, 1);
    if (causal) {
        steps = tile_min(steps, tile_cdiv((i + 1) * BM, BN));
        last = tile_minimum(last, tile_expand(tile_iota(BM) + i * BM, 1));
    }

    tile top = tile_full(-TILE_INF, BM, 1), sum = tile_zeros(float, BM, 1);
    tile acc = tile_zeros(float, BM, D);
    for (int j = 0; j < steps; j++) {
        tile key = tile_reshape(tile_load(keys, b, h, j, 0), BN, D);
        tile value = tile_reshape(tile_load(values, b, h, j, 0), BN, D);
        tile score = tile_mma(query, tile_permute(key, 1, 0), tile_zeros(float, BM, BN)) * scale;
        score = tile_select(tile_le(tile_iota(BN) + j * BN, last), score, -TILE_INF);

        tile higher = tile_maximum(top, tile_expand(tile_reduce_max(score, 1), 1));
        tile weight = tile_exp(score - higher), shrink = tile_exp(top - higher);
        sum = sum * shrink + tile_expand(tile_reduce_sum(weight, 1), 1);
        acc = tile_mma(tile_cast(weight, f16), value, acc * shrink);
        top = higher;
    }
    tile_store(out, tile_reshape(tile_cast(acc / sum, f16), 1, 1, BM, D), b, h, i, 0);
    tile_store(out_lse, tile_reshape(top + tile_log(sum), 1, 1, BM), b, h, i);
}
