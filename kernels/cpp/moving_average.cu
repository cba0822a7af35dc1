/* Mean of the 64 elements behind each, by a view whose tiles overlap: a tile of 128 steps by 64. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 64;

__tile_global__ void moving_average(const float *__restrict__ x, float *__restrict__ y, int n)
{
    auto wide = ct::strided_view{ct::tensor_span{x, ct::extents{n}}, ct::shape<2 * TILE>{},
                                 ct::strides<ct::uint32_t, TILE>{}};
    auto out = ct::partition_view{ct::tensor_span{y, ct::extents{n}}, ct::shape<TILE>{}};

    int i = ct::bid().x;
    auto run = ct::partial_sum<0>(wide.load_masked(i));
    auto head = ct::extract(run, ct::shape<TILE>{}, 0);
    auto tail = ct::extract(run, ct::shape<TILE>{}, 1);
    out.store_masked((tail - head) * (1.0f / TILE), i);
}

// EXPECT verdict race-free
