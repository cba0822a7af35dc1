/* y = alpha * x + y through pointers, in place; the last block's tail is masked. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 1024;
using lanes = ct::tile<int, ct::shape<TILE>>;

__tile_global__ void saxpy(const float *__restrict__ x, float *__restrict__ y, float alpha, int n)
{
    auto i = int(ct::bid().x) * TILE + ct::iota<lanes>();
    auto inside = i < n;

    auto old = ct::load_masked(y + i, inside);
    auto add = ct::load_masked(x + i, inside);
    ct::store_masked(y + i, alpha * add + old, inside);
}

// EXPECT verdict race-free
