/* Several damped passes over a band of rows that the block owns, in place. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BAND = 4, BN = 256;

__tile_global__ void smooth_passes(float *field, int rows, int columns, int passes, float damping)
{
    auto tiles = ct::partition_view{ct::tensor_span{field, ct::extents{rows, columns}},
                                    ct::shape<1, BN>{}};
    int first = ct::bid().x * BAND;
    int chunks = (columns + BN - 1) / BN;

    for (int pass = 0; pass < passes; pass++)
        for (int row = first; row < ct::min(first + BAND, rows); row++)
            for (int c = 0; c < chunks; c++)
                tiles.store_masked(tiles.load_masked(row, c) * damping, row, c);
}

// EXPECT verdict race-free
