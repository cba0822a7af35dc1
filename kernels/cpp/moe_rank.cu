/* Rank of each token among those of its expert, in the order of the tokens. A block serves one
 * expert and walks over all tokens, so each rank is written by the block of its token's expert. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int TILE = 256;
using lanes = ct::tile<int, ct::shape<TILE>>;

__tile_global__ void moe_rank(const int *__restrict__ expert_of, int *__restrict__ rank,
                              int *__restrict__ count, int tokens)
{
    int expert = ct::bid().x;
    int seen = 0;
    for (int first = 0; first < tokens; first += TILE) {
        auto token = first + ct::iota<lanes>();
        auto inside = token < tokens;
        auto mine = ct::load_masked(expert_of + token, inside, -1) == expert;
        auto one = ct::element_cast<int>(mine);
        auto order = ct::partial_sum<0>(one);
        ct::store_masked(rank + token, seen + order - 1, mine);
        seen += int(ct::reshape(ct::sum<0>(one), ct::shape<>{}));
    }
    ct::store(count + expert, seen);
}

// EXPECT verdict race-free
