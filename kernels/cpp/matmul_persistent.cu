/* c = a b. As many blocks as the device runs at once walk over the tiles of c. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 128, BN = 64, BK = 64;

__tile_global__ void matmul_persistent(const __half *__restrict__ a, const __half *__restrict__ b,
                                       __half *__restrict__ c, int m, int n, int k)
{
    auto in_a = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<BM, BK>{}};
    auto in_b = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<BK, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<BM, BN>{}};

    int n_tiles = (n + BN - 1) / BN;
    int tiles = (m + BM - 1) / BM * n_tiles;
    int k_tiles = (k + BK - 1) / BK;

    for (int t = ct::bid().x; t < tiles; t += ct::num_blocks().x) {
        int i = t / n_tiles, j = t % n_tiles;
        auto sum = ct::zeros<ct::tile<float, ct::shape<BM, BN>>>();
        for (int p = 0; p < k_tiles; p++)
            sum = ct::mma(in_a.load_masked(i, p), in_b.load_masked(p, j), sum);
        out.store_masked(ct::element_cast<__half>(sum), i, j);
    }
}

// EXPECT verdict race-free
