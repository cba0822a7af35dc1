/* First step of a prefix sum: each block sums its own tile and leaves the tile's total. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 1024;

__tile_global__ void prefix_sum_blocks(const int *__restrict__ x, int *__restrict__ y,
                                       int *__restrict__ total, int n)
{
    auto in = ct::partition_view{ct::tensor_span{x, ct::extents{n}}, ct::shape<TILE>{}};
    auto out = ct::partition_view{ct::tensor_span{y, ct::extents{n}}, ct::shape<TILE>{}};

    auto i = ct::bid().x;
    auto tile = in.load_masked(i);
    out.store_masked(ct::partial_sum<0>(tile), i);
    ct::store(total + i, ct::reshape(ct::sum<0>(tile), ct::shape<>{}));
}

// EXPECT verdict race-free
// EXPECT requires index-in-space
