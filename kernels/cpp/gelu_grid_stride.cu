/* Gaussian error linear unit by tanh. Any number of blocks shares the rows: each steps by the
 * number of blocks of the launch. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BN = 256;

template <typename Tile>
__tile__ Tile gelu(Tile x)
{
    auto inner = 0.7978845608f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + ct::tanh(inner));
}

__tile_global__ void gelu_grid_stride(const float *__restrict__ x, float *__restrict__ y, int rows,
                                      int columns)
{
    auto shape = ct::extents{rows, columns};
    auto in = ct::partition_view{ct::tensor_span{x, shape}, ct::shape<1, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{y, shape}, ct::shape<1, BN>{}};

    int chunks = (columns + BN - 1) / BN;
    for (int row = ct::bid().x; row < rows; row += ct::num_blocks().x)
        for (int c = 0; c < chunks; c++)
            out.store_masked(gelu(in.load_masked(row, c)), row, c);
}

// EXPECT verdict race-free
// EXPECT requires no-wrap
