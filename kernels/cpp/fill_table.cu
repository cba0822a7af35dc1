/* Every block fills the array that its element of a table of addresses points to. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int STEP = 64;

__tile_global__ void fill_table(const long long *__restrict__ table, float value, int n)
{
    auto array = reinterpret_cast<float *>(table[ct::bid().x]);
    auto lane = ct::iota<ct::tile<int, ct::shape<STEP>>>();
    for (int i : ct::irange(0, (n + STEP - 1) / STEP)) {
        auto at = i * STEP + lane;
        ct::store_masked(array + at, ct::full<ct::tile<float, ct::shape<STEP>>>(value), at < n);
    }
}

// EXPECT verdict race-free
