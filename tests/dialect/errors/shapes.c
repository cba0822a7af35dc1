#include <tile.h>

enum { N = 8 };

tile_kernel void k(float *p, int n)
{
    tile a = tile_zeros(float, 4, N), b = tile_zeros(float, N, 4);
    int five = 5;
    a = a + b; // error: tile<4x8xf32> and tile<8x4xf32> do not match in shape
    a = tile_zeros(float, n); // error: a tile extent must be a constant integer
    a = tile_zeros(float, five); // error: a tile extent must be a constant integer
    a = tile_zeros(float, 6); // error: a tile extent must be a power of two, but 6 is not
    a = tile_zeros(float, 0); // error: a tile extent must be at least 1
    a = tile_zeros(float, 4096, 8192); // error: at most 16777216 elements
    a = tile_zeros(float, 1L << 62); // error: at most 16777216 elements
    a = tile_zeros(float, 1, 1, 1, 1, 1, 1, 1, 1, 1); // error: at most 8 dimensions, not 9
    a = tile_mma(b, b, b); // error: is no matrix product
    a = tile_mma(b, tile_zeros(float, 4, 8), tile_zeros(double, 8, 8)); // error: cannot be added
    a = tile_reshape(b, 16); // error: has 32 elements, but tile<16xf32> has 16
    a = tile_permute(b, 0, 0); // error: list the numbers 0 to 1, each once
    a = tile_cat(b, b, 2); // error: cannot be joined along dimension 2
    a = tile_extract(b, tile_shape(16, 4), 0, 0); // error: is no subtile of
    a = tile_extract(b, tile_shape(4, 4), 2, 0); // error: so 2 is too much
    a = tile_broadcast(b, 16, 4); // error: cannot be broadcast
    a = tile_full(b, 4); // error: tile_full repeats one number
    a = tile_expand(b, 3); // error: the dimension must be 0 to 2
    a = tile_reduce_sum(b, 2); // error: the dimension must be 0 to 1
    a = tile_reduce_sum(1.0f, 0); // error: has no dimension to reduce or scan along
    a = tile_iota(3); // error: a power of two
    a = tile_iota_as(signed char, 512); // error: cannot count to 512
    p[0] = b; // error: tile<8x4xf32> is used as a number
    p[1] = tile_to_float(b); // error: has more than one element
    if (b == 0) // error: tiles cannot be compared with an operator
        p[2] = 1;
}
