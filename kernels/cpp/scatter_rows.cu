/* dst[index[i]] = src[i], whole rows, through pointers. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int ROWS = 16, BN = 128;

__tile_global__ void scatter_rows(const float *__restrict__ src, const int *__restrict__ index,
                                  float *__restrict__ dst, int n, int columns)
{
    auto row = int(ct::bid().x) * ROWS + ct::iota<ct::tile<int, ct::shape<ROWS, 1>>>();
    auto column = int(ct::bid().y) * BN + ct::iota<ct::tile<int, ct::shape<1, BN>>>();
    auto inside = (row < n) & (column < columns);

    auto to = ct::load_masked(index + row, row < n, 0);
    auto value = ct::load_masked(src + (row * columns + column), inside);
    ct::store_masked(dst + (to * columns + column), value, inside);
}

// EXPECT verdict race-free
