/* columns.jl line by line, as cuTile.jl lays it out: column-major, sizes first, a seed last. */
// clang-format off
#include <tile.h>
#define ARRAY(a) tile_partition(tile_tensor_strided(a, tile_shape(a##2, a##1), tile_shape(a##s2, 1)), 16, 16)
tile_kernel void swapped(float *restrict a, int a1, int a2, int as1, int as2, float *restrict c, int c1, int c2, int cs1, int cs2, unsigned seed) {
    int j = tile_bid(1);
    tile t = tile_load(ARRAY(a), j, 0);
    tile_store(ARRAY(c), t, 0, 0);
}


tile_kernel void straight(float *restrict a, int a1, int a2, int as1, int as2, float *restrict c, int c1, int c2, int cs1, int cs2, unsigned seed) {
    int j = tile_bid(1);
    tile t = tile_load(ARRAY(a), j, 0);
    tile_store(ARRAY(c), t, j, 0);
}
