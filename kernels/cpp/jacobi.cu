/* One Jacobi step of the heat equation. The grid of cells has a border of one cell, and each
 * neighbour is a view whose base is shifted by one cell. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int BM = 16, BN = 64;

template <typename T>
__tile__ auto cells(T *base, int h, int w)
{
    auto layout = ct::layout_strided_mapping{ct::extents{h, w}, ct::strides{w + 2, 1_ic}};
    return ct::partition_view{ct::tensor_span{base, layout}, ct::shape<BM, BN>{}};
}

__tile_global__ void jacobi(const float *__restrict__ now, float *__restrict__ next, int h, int w,
                            float flow)
{
    int i = ct::bid().y, j = ct::bid().x, row = w + 2;
    auto north = cells(now + 1, h, w).load_masked(i, j);
    auto west = cells(now + row, h, w).load_masked(i, j);
    auto here = cells(now + row + 1, h, w).load_masked(i, j);
    auto east = cells(now + row + 2, h, w).load_masked(i, j);
    auto south = cells(now + 2 * row + 1, h, w).load_masked(i, j);
    auto flux = north + west + east + south - 4.0f * here;
    cells(next + row + 1, h, w).store_masked(here + flow * flux, i, j);
}

// EXPECT verdict race-free
