/* Rectifies in place. The host passes the number of blocks as the step of the loop. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 512;
using lanes = ct::tile<int, ct::shape<TILE>>;

__tile_global__ void relu_step_argument(float *x, int n, int step)
{
    int tiles = (n + TILE - 1) / TILE;
    for (int t = ct::bid().x; t < tiles; t += step) {
        auto i = t * TILE + ct::iota<lanes>();
        auto inside = i < n;
        auto v = ct::load_masked(x + i, inside); // @load
        ct::store_masked(x + i, ct::max(v, 0.0f), inside); // @store
    }
}

// With more blocks than the step, two blocks rectify one tile.
// EXPECT verdict conditional
// EXPECT TR001 @store @store
// EXPECT requires grid-bound:race no-wrap
