/* Backward pass of a layer normalisation. The gradient of the weight is summed over rows: rows of
 * one group share a partial sum, guarded by the group's lock. A last kernel adds the groups. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BN = 1024;
constexpr auto ACQUIRE = ct::memory_order::acquire;
constexpr auto RELEASE = ct::memory_order::release;
constexpr auto DEVICE = ct::thread_scope::device;

__tile_global__ void layer_norm_backward(const float *__restrict__ dy, const float *__restrict__ x,
                                         const float *__restrict__ weight,
                                         const float *__restrict__ mean,
                                         const float *__restrict__ rstd, float *__restrict__ dx,
                                         float *__restrict__ dweight, int *__restrict__ lock,
                                         int rows, int columns, int groups)
{
    auto shape = ct::extents{rows, columns};
    auto row_of = [shape](auto *data) {
        return ct::partition_view{ct::tensor_span{data, shape}, ct::shape<1, BN>{}};
    };
    auto gains = ct::partition_view{ct::tensor_span{weight, ct::extents{columns}}, ct::shape<BN>{}};
    auto sums = ct::partition_view{ct::tensor_span{dweight, ct::extents{groups, columns}},
                                   ct::shape<1, BN>{}};
    int row = ct::bid().x;
    auto scaling = ct::load(rstd + row);
    auto gradient = row_of(dy).load_masked(row, 0);
    auto normal = (row_of(x).load_masked(row, 0) - ct::load(mean + row)) * scaling;
    auto weighted = gradient * gains.load_masked(0);
    auto along = ct::sum<1>(normal * weighted) / float(columns);
    auto level = ct::sum<1>(weighted) / float(columns);
    row_of(dx).store_masked((weighted - normal * along - level) * scaling, row, 0);

    int group = row % groups;
    while (ct::atomic_compare_exchange<ACQUIRE, DEVICE>(lock + group, 0, 1) != 0) {
    }
    auto sum = sums.load_masked(group, 0);
    sums.store_masked(sum + gradient * normal, group, 0);
    ct::atomic_xchg<RELEASE, DEVICE>(lock + group, 0);
}

// EXPECT verdict race-free
