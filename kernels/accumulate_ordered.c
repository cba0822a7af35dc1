/* Adds the chosen slices of `in` to a running sum in memory and writes its mean, ordered by hand.
 * Program order means nothing to a _tko access: each takes a token from the one it must follow. */
#include <tile.h>

enum { TILE = 512 };

tile_kernel void accumulate_ordered(const float *in, const int *chosen, float *sum, float *mean,
                                    int slices, int n)
{
    tile_grid(tile_cdiv(n, TILE));
    tile_assume(0 < slices && slices <= 1 << 20 && 0 < n && n <= 1 << 28);
    tile_extent(in, (long)slices * n);
    tile_extent(chosen, slices);
    tile_extent(sum, n);
    tile_extent(mean, n);
    tile_distinct(in, chosen, sum, mean);

    tile_view parts = tile_partition(tile_tensor(in, slices, n), 1, TILE);
    tile_view sums = tile_partition(tile_tensor(sum, 1, n), 1, TILE);
    tile_view means = tile_partition(tile_tensor(mean, 1, n), 1, TILE);

    int i = tile_bid(0);
    token stored = make_token();
    for (int s = 0; s < slices; s++) {
        if (chosen[s] != 0) {
            token loaded;
            tile old = tile_load_tko(sums, after(stored), &loaded, 0, i);
            tile part = tile_load(parts, s, i);
            stored = tile_store_tko(sums, old + part, after(loaded), 0, i);
        }
    }

    /* From here on plain accesses to sum: they know nothing of the tokens above until told. */
    tile_join_order(sum, stored);
    tile total = tile_load(sums, 0, i);
    tile_store(means, total / (float)slices, 0, i);
}

// EXPECT verdict race-free
