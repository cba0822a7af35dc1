/* Softmax of rows that fit one tile; what lies behind the last column counts as minus infinity. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BN = 1024;
constexpr ct::view_padding_constant<ct::view_padding::negative_inf> LOWEST;

__tile_global__ void softmax_rows(const float *__restrict__ x, float *__restrict__ y, int rows,
                                  int columns)
{
    auto shape = ct::extents{rows, columns};
    auto in = ct::partition_view{ct::tensor_span{x, shape}, ct::shape<1, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{y, shape}, ct::shape<1, BN>{}};

    int row = ct::bid().x;
    auto v = in.load_masked(LOWEST, row, 0);
    auto e = ct::exp(v - ct::reduce_max<1>(v));
    out.store_masked(e / ct::sum<1>(e), row, 0);
}

// EXPECT verdict race-free
