#include <tile.h>

/* Narrow elements, packed and scaled, and what a tile is made of. */
tile_kernel void k(const f8e4m3 *restrict a, const f8e8m0 *restrict s, const int *restrict t,
                   float *restrict y, long *restrict where)
{
    tile_grid(4);
    tile lhs = tile_load(tile_partition(tile_tensor(a, 64, 128), 16, 32), tile_bid(0), 0);
    tile scale = tile_load(tile_partition(tile_tensor(s, 64, 4), 16, 1), tile_bid(0), 0);
    tile rhs = tile_load(tile_partition(tile_tensor(a, 128, 64), 32, 16), 0, tile_bid(0));
    tile turned = tile_load(tile_partition(tile_tensor(s, 4, 64), 1, 16), 0, tile_bid(0));
    tile sum = tile_mma_scaled(lhs, rhs, tile_zeros(float, 16, 16), scale, turned);
    tile bytes = tile_pack(tile_load(tile_partition(tile_tensor(t, 64), 16), tile_bid(0)));
    tile words = tile_unpack(bytes, unsigned);
    tile turn = tile_not(tile_neg(tile_cast(words, int)));
    tile some = tile_insert(sum, tile_full(1.0f, 4, 4), 2, 3);
    tile mask = tile_isnan(some);
    tile_store(tile_partition(tile_tensor(y, 64, 16), 16, 16), tile_select(mask, sum, -some),
               tile_bid(0), 0);
    tile_store_ptr(tile_pointers(where + tile_bid(0) * 16, tile_iota(16)),
                   tile_ptr_to_int(tile_pointers(t, turn)));
}
