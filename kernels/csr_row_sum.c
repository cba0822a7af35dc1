/* Sum of every row of a sparse matrix (CSR): row r owns values[offsets[r] .. offsets[r + 1]). */
#include <tile.h>

enum { BN = 128 }; /* values a step */

tile_kernel void csr_row_sum(const float *values, const int *offsets, float *sum, int rows,
                             int nonzeros)
{
    tile_grid(rows);
    tile_assume(0 <= nonzeros && nonzeros <= 1 << 30);
    tile_extent(values, nonzeros);
    tile_extent(offsets, (long)rows + 1);
    tile_extent(sum, rows);
    tile_contents(offsets, 0, nonzeros);
    tile_increasing(offsets);

    int row = tile_bid(0), first = offsets[row], end = offsets[row + 1];
    tile part = tile_zeros(float, BN);
    for (int i = first; i < end; i += BN) {
        tile at = tile_iota(BN) + i;
        part = part + tile_load_masked(tile_pointers(values, at), tile_lt(at, end), 0.0f);
    }
    sum[row] = tile_reduce_sum(part, 0);
}
