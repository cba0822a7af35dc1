/* Backward pass of attention for one head a block row: a block owns BN keys, sums their gradients
 * over all queries and adds its share of the queries' gradient atomically. */
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BM = 32, BN = 32, D = 64;
constexpr auto RELAXED = ct::memory_order::relaxed;
constexpr auto DEVICE = ct::thread_scope::device;
using scores = ct::tile<float, ct::shape<BM, BN>>;
using block_of_keys = ct::tile<float, ct::shape<BN, D>>;

__tile_global__ void attention_backward(const __half *__restrict__ q, const __half *__restrict__ k,
                                        const __half *__restrict__ v,
                                        const __half *__restrict__ dout,
                                        const float *__restrict__ lse,
                                        const float *__restrict__ delta, float *__restrict__ dq,
                                        __half *__restrict__ dk, __half *__restrict__ dv, int heads,
                                        int length, float scale)
{
    auto rows_of = [=]<int R>(auto *data, ct::integral_constant<R>) {
        return ct::partition_view{ct::tensor_span{data, ct::extents{heads, length, D}},
                                  ct::shape<1, R, D>{}};
    };
    auto queries = rows_of(q, ct::integral_constant<BM>{});
    auto douts = rows_of(dout, ct::integral_constant<BM>{});
    auto stats = [=](const float *data) {
        return ct::partition_view{ct::tensor_span{data, ct::extents{heads, length}},
                                  ct::shape<1, BM>{}};
    };

    int n = ct::bid().x, head = ct::bid().y;
    auto key = ct::reshape(rows_of(k, ct::integral_constant<BN>{}).load(head, n, 0),
                           ct::shape<BN, D>{});
    auto value = ct::reshape(rows_of(v, ct::integral_constant<BN>{}).load(head, n, 0),
                             ct::shape<BN, D>{});
    auto key_sum = ct::zeros<block_of_keys>();
    auto value_sum = ct::zeros<block_of_keys>();
    auto feature = ct::iota<ct::tile<int, ct::shape<1, D>>>();
    auto query_row = ct::iota<ct::tile<int, ct::shape<BM, 1>>>();

    for (int m : ct::irange(0, length / BM)) {
        auto query = ct::reshape(queries.load(head, m, 0), ct::shape<BM, D>{});
        auto out = ct::reshape(douts.load(head, m, 0), ct::shape<BM, D>{});
        auto total = ct::reshape(stats(lse).load(head, m), ct::shape<BM, 1>{});
        auto drift = ct::reshape(stats(delta).load(head, m), ct::shape<BM, 1>{});

        auto s = ct::mma(query, ct::transpose(key), ct::zeros<scores>()) * scale;
        auto p = ct::exp(s - total);
        auto dp = ct::mma(out, ct::transpose(value), ct::zeros<scores>());
        auto ds = ct::element_cast<__half>(p * (dp - drift) * scale);

        value_sum = ct::mma(ct::transpose(ct::element_cast<__half>(p)), out, value_sum);
        key_sum = ct::mma(ct::transpose(ds), query, key_sum);
        auto share = ct::mma(ds, key, ct::zeros<ct::tile<float, ct::shape<BM, D>>>());
        auto at = dq + ((head * length + m * BM + query_row) * D + feature);
        ct::atomic_add<RELAXED, DEVICE>(at, share);
    }

    auto narrow = [](auto sum) {
        return ct::reshape(ct::element_cast<__half>(sum), ct::shape<1, BN, D>{});
    };
    rows_of(dk, ct::integral_constant<BN>{}).store(narrow(key_sum), head, n, 0);
    rows_of(dv, ct::integral_constant<BN>{}).store(narrow(value_sum), head, n, 0);
}

// EXPECT verdict race-free
