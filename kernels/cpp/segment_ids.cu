/* Every block writes its own number for the groups of rows that belong to it: those between two
 * elements of a table of starts. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int GROUP = 16;

__tile_global__ void segment_ids(const int *__restrict__ starts, int *__restrict__ ids)
{
    int block = ct::bid().x;
    int first = ct::load(starts + block) / GROUP;
    int end = (ct::load(starts + block + 1) + GROUP - 1) / GROUP;
    for (int i : ct::irange(first, end))
        ct::store(ids + i, block); // @store
}

// Where the starts decrease, or are no multiples of the group, two blocks number one row.
// EXPECT verdict conditional
// EXPECT TR001 @store @store
// EXPECT requires contents-range:race increasing-contents:race
