/* Attention with the online softmax: a block holds BM queries of one head and walks over the keys
 * up to the diagonal. Groups of query heads share a head of keys and values. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 64, BN = 64, D = 64;
using scores = ct::tile<float, ct::shape<BM, BN>>;
using column = ct::tile<float, ct::shape<BM, 1>>;

__tile_global__ void attention_forward(const __half *__restrict__ q, const __half *__restrict__ k,
                                       const __half *__restrict__ v, __half *__restrict__ o,
                                       float *__restrict__ lse, int batches, int heads,
                                       int key_heads, int length, float scale)
{
    auto queries = ct::partition_view{ct::tensor_span{q, ct::extents{batches, heads, length, D}},
                                      ct::shape<1, 1, BM, D>{}};
    auto outputs = ct::partition_view{ct::tensor_span{o, ct::extents{batches, heads, length, D}},
                                      ct::shape<1, 1, BM, D>{}};
    auto per_key = [=](auto *data) {
        return ct::partition_view{ct::tensor_span{data, ct::extents{batches, key_heads, length, D}},
                                  ct::shape<1, 1, BN, D>{}};
    };

    int m = ct::bid().x, head = ct::bid().y, batch = ct::bid().z;
    int key_head = head / (heads / key_heads);

    auto query = ct::reshape(queries.load_masked(batch, head, m, 0), ct::shape<BM, D>{});
    auto row = m * BM + ct::iota<ct::tile<int, ct::shape<BM>>>();
    auto top = ct::full<column>(-1e30f);
    auto weight = ct::zeros<column>();
    auto sum = ct::zeros<ct::tile<float, ct::shape<BM, D>>>();

    for (int n : ct::irange(0, m * (BM / BN) + BM / BN)) {
        auto key = ct::reshape(per_key(k).load_masked(batch, key_head, n, 0), ct::shape<BN, D>{});
        auto s = ct::mma(query, ct::transpose(key), ct::zeros<scores>()) * scale;
        auto col = n * BN + ct::iota<ct::tile<int, ct::shape<1, BN>>>();
        auto seen = ct::reshape(row, ct::shape<BM, 1>{}) >= col;
        s = ct::select(seen, s, ct::full<scores>(-1e30f));

        auto next = ct::max(top, ct::reduce_max<1>(s));
        auto p = ct::exp(s - next);
        auto shrink = ct::exp(top - next);
        auto value = ct::reshape(per_key(v).load_masked(batch, key_head, n, 0), ct::shape<BN, D>{});
        weight = weight * shrink + ct::sum<1>(p);
        sum = ct::mma(ct::element_cast<__half>(p), value, sum * shrink);
        top = next;
    }

    auto result = ct::reshape(ct::element_cast<__half>(sum / weight), ct::shape<1, 1, BM, D>{});
    outputs.store_masked(result, batch, head, m, 0);
    auto slot = lse + ((batch * heads + head) * length + row);
    ct::store_masked(slot, ct::reshape(top + ct::log(weight), ct::shape<BM>{}), row < length);
}

// EXPECT verdict race-free
