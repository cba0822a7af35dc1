/* Flash decoding, first kernel: attention of one new query a head over a cache of keys and values.
 * `splits` blocks share the keys of a head. Each leaves its part in a slot of its own, where
 * flash_decode_reduce finds it. */
#include <tile.h>

enum { BN = 64, D = 128 };

tile_kernel void flash_decode(const f16 *q, const f16 *k, const f16 *v, const int *lengths,
                              float *part, float *part_lse, int B, int H, int N, int splits,
                              float scale)
{
    tile_grid(H, B, splits);
    tile_assume(H <= 1 << 10 && B <= 1 << 10 && 0 < N && N <= 1 << 20 && splits <= 64);
    tile_extent(q, (long)B * H * D);
    tile_extent(k, (long)B * H * N * D);
    tile_extent(v, (long)B * H * N * D);
    tile_extent(lengths, B);
    tile_contents(lengths, 1, N); /* keys of each sequence so far */
    tile_extent(part, (long)B * H * splits * D);
    tile_extent(part_lse, (long)B * H * splits);

    tile_view queries = tile_partition(tile_tensor(q, B, H, D), 1, 1, D);
    tile_view keys = tile_partition(tile_tensor(k, B, H, N, D), 1, 1, BN, D);
    tile_view values =
        tile_partition_padded(tile_tensor(v, B, H, N, D), TILE_PAD_ZERO, 1, 1, BN, D);
    tile_view out = tile_partition(tile_tensor(part, B, H, splits, D), 1, 1, 1, D);
    tile_view out_lse = tile_partition(tile_tensor(part_lse, B, H, splits), 1, 1, 1);

    int h = tile_bid(0), b = tile_bid(1), split = tile_bid(2);
    int length = lengths[b];
    int steps = tile_cdiv(length, BN), share = tile_cdiv(steps, splits);
    int first = split * share, end = tile_min(first + share, steps);
    tile query = tile_cast(tile_reshape(tile_load(queries, b, h, 0), 1, D), float);

    tile top = tile_full(-TILE_INF, 1, 1), sum = tile_zeros(float, 1, 1);
    tile acc = tile_zeros(float, 1, D);
    for (int j = first; j < end; j++) {
        tile key = tile_cast(tile_reshape(tile_load(keys, b, h, j, 0), BN, D), float);
        tile value = tile_cast(tile_reshape(tile_load(values, b, h, j, 0), BN, D), float);
        tile score = tile_expand(tile_reduce_sum(key * query, 1), 1) * scale;
        tile seen = tile_lt(tile_expand(tile_iota(BN) + j * BN, 1), length);
        score = tile_select(seen, score, -TILE_INF);

        tile higher = tile_maximum(top, tile_expand(tile_reduce_max(score, 0), 0));
        tile weight = tile_exp(score - higher), shrink = tile_exp(top - higher);
        sum = sum * shrink + tile_expand(tile_reduce_sum(weight, 0), 0);
        acc = acc * shrink + tile_expand(tile_reduce_sum(value * weight, 0), 0);
        top = higher;
    }
    /* A split without keys leaves zeros and the log of zero: a part without weight. */
    tile scaled = tile_select(tile_gt(sum, 0.0f), acc / sum, 0.0f);
    tile_store(out, tile_reshape(scaled, 1, 1, 1, D), b, h, split, 0);
    tile_store(out_lse, tile_reshape(top + tile_log(sum), 1, 1, 1), b, h, split);
}
