#include <tile.h>

/* Constant and dynamic extents and strides, padding, dim_map, index-space sizes. */
tile_kernel void views(float *p, int n, long pitch, unsigned m)
{
    tile_tensor a = tile_tensor_strided(p, tile_shape(n, 8, m), tile_strides(pitch, 0, 1));
    tile_view v = tile_partition_padded(a, TILE_PAD_NEG_INF, 2, 4, 8);
    tile_view w = tile_partition_mapped(a, tile_shape(8, 2, 4), tile_dims(2, 0, 1), TILE_PAD_NAN);
    tile_view s = tile_strided_mapped(tile_tensor(p, 256), tile_shape(16), tile_steps(12),
                                      tile_dims(0), TILE_PAD_ZERO);
    for (int i = 0; i < tile_tiles(v, 0); i++)
        tile_store(v, tile_permute(tile_load(w, m, pitch, i), 1, 2, 0), i, 1, 0L);
    tile_store(s, tile_tensor_extent(a, 1) + tile_tiles(s, 0), tile_grid_extent(2));
}
