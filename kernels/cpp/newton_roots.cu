/* Square roots by Newton's method: iterates until the whole tile is close enough. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 128;

__tile_global__ void newton_roots(const float *__restrict__ x, float *__restrict__ y,
                                  int *__restrict__ steps, int n, float close)
{
    auto in = ct::partition_view{ct::tensor_span{x, ct::extents{n}}, ct::shape<TILE>{}};
    auto out = ct::partition_view{ct::tensor_span{y, ct::extents{n}}, ct::shape<TILE>{}};

    auto i = ct::bid().x;
    auto value = in.load_masked(i);
    auto root = 0.5f * value + 0.5f;
    float error = close + 1.0f;
    int count = 0;
    while (error > close) {
        auto next = 0.5f * (root + value / root);
        error = float(ct::reshape(ct::reduce_max<0>(ct::abs(next - root)), ct::shape<>{}));
        root = next;
        count++;
    }
    out.store_masked(root, i);
    ct::store(steps + i, count);
}

// EXPECT verdict race-free
