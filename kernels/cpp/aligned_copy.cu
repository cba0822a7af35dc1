/* Copies rows whose alignment the caller promises, several at a time. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int BM = 4, BN = 256;

__tile_global__ void aligned_copy(const float *__restrict__ src, float *__restrict__ dst, int rows,
                                  int columns, int pitch)
{
    rows = ct::assume_bounded<0, 1 << 20>(rows);
    columns = ct::assume_divisible<BN>(ct::assume_bounded<0, 1 << 16>(columns));
    pitch = ct::assume_divisible<4>(ct::assume_bounded<0, 1 << 16>(pitch));
    src = ct::assume_aligned<16>(src);
    dst = ct::assume_aligned<16>(dst);

    auto cells = [=](auto *data) {
        auto mapping = ct::layout_strided_mapping{ct::extents{rows, columns},
                                                  ct::strides{pitch, 1_ic}};
        return ct::partition_view{ct::tensor_span{data, mapping}, ct::shape<BM, BN>{}};
    };
    int i = ct::bid().y, j = ct::bid().x;
    cells(dst).store_masked(cells(src).load_masked(i, j), i, j); // @store
}

// EXPECT verdict conditional
// EXPECT TR004 @store
// EXPECT requires index-in-space no-self-overlap kernel-assume
