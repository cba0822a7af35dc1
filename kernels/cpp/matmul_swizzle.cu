/* c = a b. Blocks that run together work on a group of rows of tiles, column by column, so that
 * they share tiles of b in the cache. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 128, BN = 128, BK = 64, GROUP = 8;

__tile_global__ void matmul_swizzle(const __half *__restrict__ a, const __half *__restrict__ b,
                                    float *__restrict__ c, int m, int n, int k)
{
    auto in_a = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<BM, BK>{}};
    auto in_b = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<BK, BN>{}};
    auto out = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<BM, BN>{}};

    int m_tiles = (m + BM - 1) / BM;
    int n_tiles = (n + BN - 1) / BN;
    int k_tiles = (k + BK - 1) / BK;

    int block = ct::bid().x;
    int group_blocks = GROUP * n_tiles;
    int first = block / group_blocks * GROUP;
    int rows = ct::min(m_tiles - first, GROUP);
    int i = first + block % rows;
    int j = block % group_blocks / rows;

    auto sum = ct::zeros<ct::tile<float, ct::shape<BM, BN>>>();
    for (int p : ct::irange(0, k_tiles))
        sum = ct::mma(in_a.load_masked(i, p), in_b.load_masked(p, j), sum);
    out.store_masked(sum, i, j);
}

// EXPECT verdict race-free
