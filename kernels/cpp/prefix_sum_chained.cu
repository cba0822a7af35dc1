/* Prefix sum in one launch: a block waits for the sum of all before it, which its predecessor
 * publishes through a flag. The host has cleared the flags. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 512;
constexpr auto ACQUIRE = ct::memory_order::acquire;
constexpr auto RELEASE = ct::memory_order::release;
constexpr auto DEVICE = ct::thread_scope::device;

__tile_global__ void prefix_sum_chained(const int *__restrict__ x, int *__restrict__ y,
                                        int *__restrict__ carry, int *__restrict__ flag, int n)
{
    auto in = ct::partition_view{ct::tensor_span{x, ct::extents{n}}, ct::shape<TILE>{}};
    auto out = ct::partition_view{ct::tensor_span{y, ct::extents{n}}, ct::shape<TILE>{}};

    int block = ct::bid().x;
    auto tile = in.load_masked(block);
    int before = 0;
    if (block > 0) {
        while (ct::atomic_or<ACQUIRE, DEVICE>(flag + (block - 1), 0) == 0) {
        }
        before = ct::load(carry + (block - 1));
    }
    ct::store(carry + block, before + int(ct::reshape(ct::sum<0>(tile), ct::shape<>{})));
    ct::atomic_store<RELEASE, DEVICE>(flag + block, 1);
    out.store_masked(before + ct::partial_sum<0>(tile), block);
}

// EXPECT verdict race-free
