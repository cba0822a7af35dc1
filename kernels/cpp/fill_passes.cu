/* Fills a vector anew in each pass. As a matrix of one row the view has rank 2, and the compiler
 * carries the token of each store on to the next. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 128;
using vector = ct::tile<float, ct::shape<1, TILE>>;

__tile_global__ void fill_passes(float *__restrict__ y, int tiles, int passes)
{
    auto out = ct::partition_view{ct::tensor_span{y, ct::extents{1, tiles * TILE}},
                                  ct::shape<1, TILE>{}};
    for (int pass : ct::irange(0, passes))
        for (int i : ct::irange(0, tiles))
            out.store(ct::full<vector>(1.0f * pass), 0, i);
}
