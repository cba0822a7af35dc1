/* Cross entropy of a row of logits and its gradient, which overwrites the logits. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int BN = 2048;
constexpr ct::view_padding_constant<ct::view_padding::negative_inf> LOWEST;

__tile_global__ void cross_entropy(float *logits, const int *target, float *loss, int rows,
                                   int classes, float weight)
{
    auto view = ct::partition_view{ct::tensor_span{logits, ct::extents{rows, classes}},
                                   ct::shape<1, BN>{}};
    int row = ct::bid().x;
    int right = ct::load(target + row);

    auto v = view.load_masked(LOWEST, row, 0);
    auto top = ct::reduce_max<1>(v);
    auto total = ct::sum<1>(ct::exp(v - top));
    auto hit = ct::iota<ct::tile<int, ct::shape<1, BN>>>() == right;
    auto picked = ct::sum<1>(ct::select(hit, v, 0.0f * total + ct::zeros<decltype(v)>()));

    ct::store(loss + row, ct::reshape(top + ct::log(total) - picked, ct::shape<>{}));
    auto gradient = ct::exp(v - top) / total - ct::element_cast<float>(hit);
    view.store_masked(gradient * weight, row, 0);
}

// EXPECT verdict race-free
