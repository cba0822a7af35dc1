#include <tile.h>

enum { BM = 64 };

tile_kernel void halve_rows(const float *src, float *dst, int N)
{
    tile_grid(N / BM);
    tile_assume(N % BM == 0);
    tile_view in = tile_partition(tile_tensor(src, N), BM);
    tile_view out = tile_partition(tile_tensor(dst, N), BM);
    int b = tile_bid(0);
	tile t = tile_load(in, b); /* a tab */
    /* ä and 𝕏 */ tile_store(out, t, b / 2);
}

static void put(tile_view out, tile t, int at)
{
    tile_store(out, t, at);
}
