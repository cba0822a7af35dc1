/* Root mean square normalisation. A fixed number of blocks walks over the rows. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BN = 1024;

__tile_global__ void rms_norm(const float *__restrict__ x, const float *__restrict__ weight,
                              float *__restrict__ y, int rows, int columns, float epsilon)
{
    auto shape = ct::extents{rows, columns};
    auto in = ct::partition_view{ct::tensor_span{x, shape}, ct::shape<1, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{y, shape}, ct::shape<1, BN>{}};
    auto gains = ct::partition_view{ct::tensor_span{weight, ct::extents{columns}}, ct::shape<BN>{}};
    auto gain = gains.load_masked(0);

    int step = ct::num_blocks().x;
    for (int row = ct::bid().x; row < rows; row += step) {
        auto v = in.load_masked(row, 0);
        auto scaling = ct::rsqrt(ct::sum<1>(v * v) / float(columns) + epsilon);
        out.store_masked(v * scaling * gain, row, 0);
    }
}

// EXPECT verdict race-free
// EXPECT requires index-in-space no-wrap
