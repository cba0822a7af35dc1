#include <tile.h>

/* The functions of two operands that the other kernels do not call. */
tile_kernel void arithmetic(float *p, int *q, unsigned *u)
{
    tile at = tile_iota(8), f = tile_load_ptr(tile_pointers(p, at));
    tile i = tile_load_ptr(tile_pointers(q, at)), n = tile_load_ptr(tile_pointers(u, at));
    tile_store_ptr(tile_pointers(p, at), tile_atan2(tile_rem(f, 3), tile_minimum(f, 2)));
    tile_store_ptr(tile_pointers(q, at), tile_mulhi(tile_minimum(i, 5), tile_rem(i, 7)));
    tile_store_ptr(tile_pointers(u, at), tile_maximum(tile_minimum(n, 5), tile_rem(n, 7)));
}
