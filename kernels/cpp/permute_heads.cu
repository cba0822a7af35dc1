/* (batch, head, position, feature) to (batch, position, head, feature). */
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int BM = 32, D = 64;

__tile_global__ void permute_heads(const float *__restrict__ src, float *__restrict__ dst,
                                   int batches, int heads, int length)
{
    auto in = ct::partition_view{ct::tensor_span{src, ct::extents{batches, heads, length, D}},
                                 ct::shape<1, 1, BM, D>{}};
    auto out = ct::partition_view{ct::tensor_span{dst, ct::extents{batches, length, heads, D}},
                                  ct::shape<1, BM, 1, D>{}};

    int batch = ct::bid().x / heads, head = ct::bid().x % heads, m = ct::bid().y;
    auto tile = in.load_masked(batch, head, m, 0);
    out.store_masked(ct::permute(tile, ct::dimension_map{0_ic, 2_ic, 1_ic, 3_ic}), batch, m, head,
                     0);
}

// EXPECT verdict race-free
