/* c[b] = a[b] w, one product a batch, all of whose sizes are multiples of a tile. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 64, BN = 64, BK = 64;

__tile_global__ void batched_matmul(const __half *__restrict__ a, const __half *__restrict__ w,
                                    __half *__restrict__ c, int batches, int m, int n, int k)
{
    auto in_a = ct::partition_view{ct::tensor_span{a, ct::extents{batches, m, k}},
                                   ct::shape<1, BM, BK>{}};
    auto in_w = ct::partition_view{ct::tensor_span{w, ct::extents{k, n}}, ct::shape<BK, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{c, ct::extents{batches, m, n}},
                                  ct::shape<1, BM, BN>{}};

    auto [j, i, batch] = ct::bid();
    auto sum = ct::zeros<ct::tile<float, ct::shape<BM, BN>>>();
    for (int p : ct::irange(0, k / BK)) {
        auto left = ct::reshape(in_a.load(batch, i, p), ct::shape<BM, BK>{});
        sum = ct::mma(left, in_w.load(p, j), sum);
    }
    out.store(ct::reshape(ct::element_cast<__half>(sum), ct::shape<1, BM, BN>{}), batch, i, j);
}

// EXPECT verdict race-free
