/* Counts values over a limit in a variable of the module, which all blocks and launches share. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 512;
using lanes = ct::tile<int, ct::shape<TILE>>;

__tile__ int over_limit = 0;

__tile_global__ void global_counter(const float *__restrict__ x, int *__restrict__ counts, int n,
                                    float limit)
{
    auto i = int(ct::bid().x) * TILE + ct::iota<lanes>();
    auto over = ct::load_masked(x + i, i < n, limit) > limit;
    int count(ct::reshape(ct::sum<0>(ct::element_cast<int>(over)), ct::shape<>{}));
    ct::store(counts + ct::bid().x, count);
    ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(&over_limit, count);
}

// EXPECT verdict race-free
