// A kernel whose memory operations lie in functions that are inlined: the places of the module name
// the line here and the call sites around it.
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename View> __tile__ auto twice(View view, int index)
{
    auto loaded = view.load(index);
    return loaded + loaded;
}

extern "C" __tile_global__ void inlined(const float *__restrict__ in, float *__restrict__ out, int n)
{
    auto from = ct::partition_view(ct::tensor_span{in, ct::extents{n}}, ct::shape<16>{});
    auto to = ct::partition_view(ct::tensor_span{out, ct::extents{n}}, ct::shape<16>{});
    int block = ct::bid().x;
    to.store(twice(from, block), block);
}
