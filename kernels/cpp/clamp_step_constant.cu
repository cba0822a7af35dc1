/* Clamps in place. The kernel is meant for a device with 132 multiprocessors, one block each. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 512;
constexpr int PROCESSORS = 132;
using lanes = ct::tile<int, ct::shape<TILE>>;

__tile_global__ void clamp_step_constant(float *x, int n, float low, float high)
{
    int tiles = (n + TILE - 1) / TILE;
    for (int t : ct::irange(int(ct::bid().x), tiles, PROCESSORS)) {
        auto i = t * TILE + ct::iota<lanes>();
        auto inside = i < n;
        auto v = ct::load_masked(x + i, inside); // @load
        ct::store_masked(x + i, ct::min(ct::max(v, low), high), inside); // @store
    }
}

// With more blocks than the step, two blocks clamp one tile.
// EXPECT verdict conditional
// EXPECT TR001 @store @store
// EXPECT requires grid-bound:race no-wrap
