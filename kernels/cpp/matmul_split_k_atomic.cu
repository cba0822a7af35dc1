/* c += a b with the inner dimension split over blocks, which add their shares atomically. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 64, BN = 64, BK = 32;
constexpr ct::memory_order_constant<ct::memory_order::relaxed> RELAXED;
constexpr ct::thread_scope_constant<ct::thread_scope::device> DEVICE;

__tile_global__ void matmul_split_k_atomic(const __half *__restrict__ a,
                                           const __half *__restrict__ b, float *__restrict__ c,
                                           int m, int n, int k)
{
    auto in_a = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<BM, BK>{}};
    auto in_b = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<BK, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<BM, BN>{}};

    int i = ct::bid().x, j = ct::bid().y;
    int k_tiles = (k + BK - 1) / BK;

    auto share = ct::zeros<ct::tile<float, ct::shape<BM, BN>>>();
    for (int p = ct::bid().z; p < k_tiles; p += ct::num_blocks().z)
        share = ct::mma(in_a.load_masked(i, p), in_b.load_masked(p, j), share);
    out.atomic_add(share, RELAXED, DEVICE, i, j);
}

// EXPECT verdict race-free
