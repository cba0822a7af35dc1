/* Softmax of every row of x in three passes over chunks: the maximum, the exponentials and their
 * sum, the division. The exponentials wait in y, so that each is computed once.
 *
 * Tokens order the passes by hand. The chunks of one pass never touch the same element, so nothing
 * but the pass before has to be waited for, and all stores of a pass may be under way at once. */
#include <tile.h>

enum { BN = 512 }; /* columns a chunk */

tile_kernel void softmax_chunked(const float *x, float *y, int rows, int n)
{
    tile_grid(rows);
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, (long)rows * n);
    tile_extent(y, (long)rows * n);

    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_NEG_INF, 1, BN);
    tile_view out = tile_partition(tile_tensor(y, rows, n), 1, BN);

    int row = tile_bid(0), chunks = tile_tiles(in, 1);
    tile top = tile_full(-TILE_INF, 1, BN);
    for (int c = 0; c < chunks; c++)
        top = tile_maximum(top, tile_load(in, row, c));
    top = tile_expand(tile_reduce_max(top, 1), 1);

    tile sum = tile_zeros(float, 1, BN);
    token written = make_token();
    for (int c = 0; c < chunks; c++) {
        tile e = tile_exp(tile_load(in, row, c) - top);
        sum = sum + e;
        token stored = tile_store_tko(out, e, after_none, row, c);
        written = join_tokens(written, stored); /* after this chunk and all before it */
    }
    sum = tile_expand(tile_reduce_sum(sum, 1), 1);

    for (int c = 0; c < chunks; c++) {
        token loaded;
        tile e = tile_load_tko(out, after(written), &loaded, row, c);
        tile_store_tko(out, e / sum, after(loaded), row, c);
    }
}
