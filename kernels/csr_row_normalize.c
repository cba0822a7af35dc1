/* Scales every row of a sparse matrix in CSR form to sum 1, in place. Row r owns
 * values[offsets[r] .. offsets[r + 1]); that no two rows share a value follows from offsets that
 * never decrease, and from nothing else. */
#include <tile.h>

enum { BN = 128 }; /* values a step */

tile_kernel void csr_row_normalize(float *values, const int *offsets, int rows, int nonzeros)
{
    tile_grid(rows);
    tile_assume(0 <= nonzeros && nonzeros <= 1 << 30);
    tile_extent(values, nonzeros);
    tile_extent(offsets, (long)rows + 1);
    tile_contents(offsets, 0, nonzeros);
    tile_increasing(offsets);

    int row = tile_bid(0), first = offsets[row], end = offsets[row + 1];
    tile part = tile_zeros(float, BN);
    for (int i = first; i < end; i += BN) {
        tile at = tile_iota(BN) + i;
        part = part + tile_load_masked(tile_pointers(values, at), tile_lt(at, end), 0.0f);
    }
    tile sum = tile_reduce_sum(part, 0);
    for (int i = first; i < end; i += BN) {
        tile at = tile_iota(BN) + i, inside = tile_lt(at, end);
        tile t = tile_load_masked(tile_pointers(values, at), inside, 0.0f);
        tile_store_masked(tile_pointers(values, at), t / sum, inside);
    }
}
