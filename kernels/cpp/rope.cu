/* Rotary position embedding in place: turns the pair (i, i + D / 2) of a head's features. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BS = 16, D = 128, HALF = D / 2;

__tile_global__ void rope(float *x, const float *cosine, const float *sine, int batches, int length,
                          int heads)
{
    auto halves = ct::partition_view{ct::tensor_span{x, ct::extents{batches, length, heads, D}},
                                     ct::shape<1, BS, 1, HALF>{}};
    auto angles = [=](const float *data) {
        return ct::partition_view{ct::tensor_span{data, ct::extents{length, HALF}},
                                  ct::shape<BS, HALF>{}};
    };

    int s = ct::bid().x, head = ct::bid().y, batch = ct::bid().z;
    auto c = ct::reshape(angles(cosine).load_masked(s, 0), ct::shape<1, BS, 1, HALF>{});
    auto d = ct::reshape(angles(sine).load_masked(s, 0), ct::shape<1, BS, 1, HALF>{});

    auto low = halves.load_masked(batch, s, head, 0);
    auto high = halves.load_masked(batch, s, head, 1);
    halves.store_masked(low * c - high * d, batch, s, head, 0);
    halves.store_masked(high * c + low * d, batch, s, head, 1);
}

// EXPECT verdict race-free
