/* Counts how often each value occurs; equal values meet in one tile and in several. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 256;
using lanes = ct::tile<int, ct::shape<TILE>>;

__tile_global__ void histogram(const int *__restrict__ value, unsigned *__restrict__ count, int n)
{
    auto i = int(ct::bid().x) * TILE + ct::iota<lanes>();
    auto inside = i < n;
    auto bin = ct::load_masked(value + i, inside, 0);
    ct::atomic_add_masked<ct::memory_order::relaxed, ct::thread_scope::device>(
        count + bin, ct::full<ct::tile<unsigned, ct::shape<TILE>>>(1), inside);
}

// EXPECT verdict race-free
