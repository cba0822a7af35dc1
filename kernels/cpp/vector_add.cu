/* c = a + b, one tile a block, through views that mask the tail. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 256;

__tile_global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    auto tiles = [n](auto *data) {
        return ct::partition_view{ct::tensor_span{data, ct::extents{n}}, ct::shape<TILE>{}};
    };
    auto i = ct::bid().x;
    auto sum = tiles(a).load_masked(i) + tiles(b).load_masked(i);
    tiles(c).store_masked(sum, i);
}

// EXPECT verdict race-free
// EXPECT requires index-in-space
