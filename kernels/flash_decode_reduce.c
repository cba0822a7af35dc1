/* Flash decoding, second kernel: weighs the parts that flash_decode left for a head by their sums
 * of exponentials and adds them up. */
#include <tile.h>

enum { SPLITS = 64, D = 128 }; /* no more parts than that */

tile_kernel void flash_decode_reduce(const float *part, const float *part_lse, f16 *o, int B, int H,
                                     int splits)
{
    tile_grid(H, B);
    tile_assume(H <= 1 << 10 && B <= 1 << 10 && 0 < splits && splits <= SPLITS);
    tile_extent(part, (long)B * H * splits * D);
    tile_extent(part_lse, (long)B * H * splits);
    tile_extent(o, (long)B * H * D);

    /* Parts beyond the last one weigh exp(-inf) = 0. */
    tile_view logs =
        tile_partition_padded(tile_tensor(part_lse, B, H, splits), TILE_PAD_NEG_INF, 1, 1, SPLITS);
    tile_view parts =
        tile_partition_padded(tile_tensor(part, B, H, splits, D), TILE_PAD_ZERO, 1, 1, SPLITS, D);
    tile_view out = tile_partition(tile_tensor(o, B, H, D), 1, 1, D);

    int h = tile_bid(0), b = tile_bid(1);
    tile lse = tile_reshape(tile_load(logs, b, h, 0), SPLITS, 1);
    tile weight = tile_exp(lse - tile_reduce_max(lse, 0));
    tile all = tile_reshape(tile_load(parts, b, h, 0, 0), SPLITS, D) * weight;
    tile mean = tile_reduce_sum(all, 0) / tile_reduce_sum(weight, 0);
    tile_store(out, tile_reshape(tile_cast(mean, f16), 1, 1, D), b, h, 0);
}
