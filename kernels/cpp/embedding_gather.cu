/* out[i] = table[id[i]]: rows of an embedding by a view that gathers. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int ROWS = 32, BN = 64;

__tile_global__ void embedding_gather(const float *__restrict__ table, const int *__restrict__ id,
                                      float *__restrict__ out, int words, int n, int columns)
{
    auto rows = ct::gather_scatter_view{ct::tensor_span{table, ct::extents{words, columns}},
                                        ct::shape<ROWS, BN>{}, 0_ic};
    auto ids = ct::partition_view{ct::tensor_span{id, ct::extents{n}}, ct::shape<ROWS>{}};
    auto into = ct::partition_view{ct::tensor_span{out, ct::extents{n, columns}},
                                   ct::shape<ROWS, BN>{}};

    int i = ct::bid().x;
    auto word = ids.load_masked(i);
    for (int c : ct::irange(0, (columns + BN - 1) / BN))
        into.store_masked(rows.load_masked(word, c * BN), i, c);
}

// EXPECT verdict race-free
