/* Running sum of a vector in one launch, by decoupled look-back. Block b tells its tile's sum at
 * once (state 1) and, when it knows it, the sum up to and with its tile (state 2). It gets there by
 * going back over the blocks before it, taking tiles' sums until one tells the sum up to it. The
 * host clears `state`. */
#include <tile.h>

enum { TILE = 256, NOTHING = 0, OWN = 1, TOTAL = 2 };

tile_kernel void scan_look_back(const float *x, float *y, float *own, float *total, int *state,
                                int n)
{
    tile_grid(tile_cdiv(n, TILE));
    tile_assume(0 < n && n <= 1 << 30);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_extent(own, tile_cdiv(n, TILE));
    tile_extent(total, tile_cdiv(n, TILE));
    tile_extent(state, tile_cdiv(n, TILE));
    tile_contents(state, NOTHING, NOTHING);
    tile_distinct(x, y, own, total, state);

    tile_view in = tile_partition_padded(tile_tensor(x, n), TILE_PAD_ZERO, TILE);
    tile_view out = tile_partition(tile_tensor(y, n), TILE);

    int b = tile_bid(0);
    tile t = tile_load(in, b);
    float mine = tile_to_float(tile_reduce_sum(t, 0)), before = 0;
    own[b] = mine; // @own
    tile_store_ptr_at(tile_pointers(state, b), OWN, TILE_RELEASE, TILE_DEVICE);

    for (int p = b - 1; p >= 0; p--) {
        int told = NOTHING;
        while (told == NOTHING)
            told = tile_atomic_or(tile_pointers(state, p), 0, TILE_ACQUIRE, TILE_DEVICE);
        if (told == TOTAL) {
            before += total[p]; // @total_of
            break;
        }
        before += own[p]; // @own_of
    }
    total[b] = before + mine; // @total
    tile_store_ptr_at(tile_pointers(state, b), TOTAL, TILE_RELEASE, TILE_DEVICE);
    tile_store(out, tile_scan_sum(t, 0) + before, b);
}

// EXPECT verdict race-free
