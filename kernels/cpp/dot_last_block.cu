/* Dot product in one launch: every block leaves a partial sum and draws a ticket; who draws the
 * last one adds the partial sums in order. The host has cleared the tickets. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 1024, MOST = 256;
using lanes = ct::tile<int, ct::shape<TILE>>;
using blocks = ct::tile<int, ct::shape<MOST>>;

__tile_global__ void dot_last_block(const float *__restrict__ x, const float *__restrict__ y,
                                    float *__restrict__ part, int *__restrict__ tickets,
                                    float *__restrict__ result, int n)
{
    int block = ct::bid().x, count = ct::num_blocks().x;
    auto i = block * TILE + ct::iota<lanes>();
    auto product = ct::load_masked(x + i, i < n, 0.0f) * ct::load_masked(y + i, i < n, 0.0f);
    ct::store(part + block, ct::reshape(ct::sum<0>(product), ct::shape<>{}));

    int drawn = ct::atomic_add<ct::memory_order::acq_rel, ct::thread_scope::device>(tickets, 1);
    if (drawn == count - 1) {
        auto b = ct::iota<blocks>();
        auto sums = ct::load_masked(part + b, b < count, 0.0f);
        ct::store(result, ct::reshape(ct::sum<0>(sums), ct::shape<>{}));
    }
}

// EXPECT verdict race-free
