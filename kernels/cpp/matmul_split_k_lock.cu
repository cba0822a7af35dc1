/* c = a b with the inner dimension split over blocks. The blocks of one tile of c add their shares
 * under the tile's lock. The host has set c and the locks to zero. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 64, BN = 64, BK = 64;
constexpr auto ACQUIRE = ct::memory_order::acquire;
constexpr auto RELEASE = ct::memory_order::release;
constexpr auto DEVICE = ct::thread_scope::device;

__tile_global__ void matmul_split_k_lock(const __half *__restrict__ a, const __half *__restrict__ b,
                                         float *__restrict__ c, int *__restrict__ lock, int m, int n,
                                         int k)
{
    auto in_a = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<BM, BK>{}};
    auto in_b = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<BK, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<BM, BN>{}};

    int i = ct::bid().x, j = ct::bid().y;
    int n_tiles = (n + BN - 1) / BN;
    int k_tiles = (k + BK - 1) / BK;

    auto share = ct::zeros<ct::tile<float, ct::shape<BM, BN>>>();
    for (int p = ct::bid().z; p < k_tiles; p += ct::num_blocks().z)
        share = ct::mma(in_a.load_masked(i, p), in_b.load_masked(p, j), share);

    int *mine = lock + (i * n_tiles + j);
    while (ct::atomic_compare_exchange<ACQUIRE, DEVICE>(mine, 0, 1) != 0) {
    }
    out.store_masked(out.load_masked(i, j) + share, i, j);
    ct::atomic_xchg<RELEASE, DEVICE>(mine, 0);
}

// EXPECT verdict race-free
