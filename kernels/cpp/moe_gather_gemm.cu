/* Matrix product of a mixture of experts. Slots are sorted by expert and padded to whole tiles;
 * slot ids name a (token, choice) pair, padding has ids from `slots` on. A row of a is read by
 * token, a row of c is written by slot id. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 64, BN = 64, BK = 64;

__tile_global__ void moe_gather_gemm(const __half *__restrict__ a, const __half *__restrict__ w,
                                     const int *__restrict__ ids,
                                     const int *__restrict__ expert_of, float *__restrict__ c,
                                     int slots, int choices, int experts, int n, int k)
{
    auto weights = ct::partition_view{ct::tensor_span{w, ct::extents{experts, k, n}},
                                      ct::shape<1, BK, BN>{}};
    int block = ct::bid().x, j = ct::bid().y;
    int expert = ct::load(expert_of + block);

    auto id = ct::load(ids + (block * BM + ct::iota<ct::tile<int, ct::shape<BM, 1>>>()));
    auto real = id < slots;
    auto row = id / choices;
    auto inner = ct::iota<ct::tile<int, ct::shape<1, BK>>>();

    auto sum = ct::zeros<ct::tile<float, ct::shape<BM, BN>>>();
    for (int p : ct::irange(0, k / BK)) {
        auto left = ct::load_masked(a + (row * k + (p * BK + inner)), real);
        auto right = ct::reshape(weights.load(expert, p, j), ct::shape<BK, BN>{});
        sum = ct::mma(left, right, sum);
    }
    auto column = j * BN + ct::iota<ct::tile<int, ct::shape<1, BN>>>();
    ct::store_masked(c + (id * n + column), sum, ct::broadcast(real, ct::shape<BM, BN>{}));
}

// EXPECT verdict race-free
