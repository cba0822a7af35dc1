/* dst = src transposed, a square tile a block. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int T = 64;

__tile_global__ void transpose(const float *src, float *dst, int rows, int columns)
{
    auto in = ct::partition_view{ct::tensor_span{src, ct::extents{rows, columns}},
                                 ct::shape<T, T>{}};
    auto out = ct::partition_view{ct::tensor_span{dst, ct::extents{columns, rows}},
                                  ct::shape<T, T>{}};
    auto [j, i, unused] = ct::bid();
    out.store_masked(ct::transpose(in.load_masked(i, j)), j, i);
}

// EXPECT verdict race-free
// EXPECT requires index-in-space
