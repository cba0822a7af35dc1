/* Rotary position embedding, in place: turns feature pairs (i, i + D / 2) of each query or key by
 * an angle that grows with its position. A block reads what it alone overwrites. */
#include <tile.h>

enum { BS = 16, D = 128, HALF = D / 2 };

tile_kernel void rope(float *x, const float *cosine, const float *sine, int B, int S, int H)
{
    tile_grid(tile_cdiv(S, BS), H, B);
    tile_assume(0 < S && S <= 1 << 20 && H <= 1 << 10 && B <= 1 << 10);
    tile_extent(x, (long)B * S * H * D);
    tile_extent(cosine, (long)S * HALF);
    tile_extent(sine, (long)S * HALF);

    tile_view halves = tile_partition(tile_tensor(x, B, S, H, D), 1, BS, 1, HALF);
    tile_view cosines = tile_partition(tile_tensor(cosine, S, HALF), BS, HALF);
    tile_view sines = tile_partition(tile_tensor(sine, S, HALF), BS, HALF);

    int s = tile_bid(0), h = tile_bid(1), b = tile_bid(2);
    tile cos = tile_reshape(tile_load(cosines, s, 0), 1, BS, 1, HALF);
    tile sin = tile_reshape(tile_load(sines, s, 0), 1, BS, 1, HALF);

    tile low = tile_load(halves, b, s, h, 0);
    tile high = tile_load(halves, b, s, h, 1);
    tile_store(halves, low * cos - high * sin, b, s, h, 0);
    tile_store(halves, high * cos + low * sin, b, s, h, 1);
}
