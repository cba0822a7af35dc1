/* One step of a bitonic sort over n = 2^p keys: compares each key with its partner at distance
 * 2^q. The lane of the lower index of a pair writes both. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 256;
using lanes = ct::tile<int, ct::shape<TILE>>;

__tile_global__ void bitonic_step(int *keys, int distance, int run)
{
    auto i = int(ct::bid().x) * TILE + ct::iota<lanes>();
    auto partner = i ^ distance;
    auto lower = i < partner;

    auto a = ct::load_masked(keys + i, lower);
    auto b = ct::load_masked(keys + partner, lower);
    auto rising = (i & run) == 0;
    auto small = ct::min(a, b), large = ct::max(a, b);
    ct::store_masked(keys + i, ct::select(rising, small, large), lower);
    ct::store_masked(keys + partner, ct::select(rising, large, small), lower);
}

// EXPECT verdict race-free
// EXPECT requires no-wrap
