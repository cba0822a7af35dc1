#include <tile.h>

tile_kernel void k(float *p, const int *q, int n)
{
    tile_tensor a = tile_tensor(p, n, 64);
    tile_view v = tile_partition(a, 8, 64), g = tile_gather_scatter(a, 0, 8, 64);
    tile t = tile_zeros(float, 8, 64), rows = tile_zeros(int, 8);
    tile_partition(tile_tensor(p, n, n, n, n, n, n, n, n, n), 1); // error: 1 to 8 dimensions, not 9
    tile_partition(tile_tensor(p, n, 0), 1, 1); // error: an extent must be at least 1
    tile_partition(tile_tensor(p, n, 1L << 62, 4), 1, 1, 1); // error: more than 2^63 elements
    tile_tensor_strided(p, tile_shape(n, 64), tile_strides(64)); // error: 2 extents have 1 strides
    tile_tensor_strided(p, tile_shape(n), tile_strides(-1)); // error: a stride must be at least 0
    tile_partition(a, 8); // error: the tensor has 2 dimensions, but the tile 1
    tile_partition(a, 8, 48); // error: 48 is not
    tile_partition_mapped(a, tile_shape(8, 8), tile_dims(0, 0), TILE_PAD_ZERO); // error: each once
    tile_partition_padded(tile_tensor(q, n), TILE_PAD_NAN, 8); // error: needs a tensor of floats
    tile_strided(a, tile_shape(8, 8), tile_steps(0, 1)); // error: a step must be 1 to
    tile_gather_scatter(a, 2, 8, 64); // error: the sparse dimension must be 0 to 1
    t = tile_load(v, 0); // error: this view has 2 dimensions, but 1 index is given
    t = tile_load(v, rows, 0); // error: a number is needed here
    t = tile_load(v, 0.5f, 0); // error: an index must be an integer
    t = tile_load(g, 0, 0); // error: but a tile of 8 integers is needed
    t = tile_load(g, rows, rows); // error: a number is needed here
    tile_store(v, rows, 0, 0); // error: has elements of type i32
    tile_store(v, tile_zeros(float, 64, 8), 0, 0); // error: the stored value is tile<64x8xf32>
    tile_store(tile_partition(tile_tensor(q, n), 8), 0, 0); // error: a buffer that is const
    int count = tile_tiles(v, 2); // error: the dimension must be 0 to 1
    if (n > 3) // error: g is a view or tensor, which a branch or loop cannot change
        g = tile_partition(a, 8, 64);
    for (int i = 0; i < n; i++) // error: v is a view or tensor, which a loop cannot change
        v = tile_partition(a, 8, 64);
    (void)t, (void)count;
}
