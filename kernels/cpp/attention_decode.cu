/* One new query against a long cache: the cache is split over blocks, each of which leaves an
 * unweighted part of the output and its weight for a second kernel to join. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BN = 64, D = 128;

__tile_global__ void attention_decode(const __half *__restrict__ q, const __half *__restrict__ k,
                                      const __half *__restrict__ v, float *__restrict__ part,
                                      float *__restrict__ lse, int heads, int length, int share,
                                      float scale)
{
    int head = ct::bid().x, split = ct::bid().y, splits = ct::num_blocks().y;
    auto query_view = ct::partition_view{ct::tensor_span{q, ct::extents{heads, D}},
                                         ct::shape<1, D>{}};
    auto cache = [=](const __half *data) {
        return ct::partition_view{ct::tensor_span{data, ct::extents{heads, length, D}},
                                  ct::shape<1, BN, D>{}};
    };
    auto parts = ct::partition_view{ct::tensor_span{part, ct::extents{heads, splits, D}},
                                    ct::shape<1, 1, D>{}};

    auto query = ct::element_cast<float>(query_view.load(head, 0));
    int begin = split * share;
    int end = ct::min(begin + share, length);
    auto lane = ct::iota<ct::tile<int, ct::shape<BN, 1>>>();

    float top = -1e30f, weight = 0;
    auto sum = ct::zeros<ct::tile<float, ct::shape<1, D>>>();
    for (int n = begin / BN; n * BN < end; n++) {
        auto key = ct::element_cast<float>(
            ct::reshape(cache(k).load_masked(head, n, 0), ct::shape<BN, D>{}));
        auto value = ct::element_cast<float>(
            ct::reshape(cache(v).load_masked(head, n, 0), ct::shape<BN, D>{}));
        auto s = ct::sum<1>(key * query) * scale;
        s = ct::select(n * BN + lane < end, s, 0.0f * s - 1e30f);
        float next = ct::max(top, float(ct::reshape(ct::reduce_max<0>(s), ct::shape<>{})));
        auto p = ct::exp(s - next);
        float shrink = ct::exp(top - next);
        weight = weight * shrink + float(ct::reshape(ct::sum<0>(p), ct::shape<>{}));
        sum = sum * shrink + ct::sum<0>(p * value);
        top = next;
    }
    parts.store(ct::reshape(sum / weight, ct::shape<1, 1, D>{}), head, split, 0);
    ct::store(lse + (head * splits + split), top + ct::log(weight));
}

// EXPECT verdict race-free
