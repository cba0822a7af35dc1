#include <tile.h>

tile_kernel void k(float *p, float *r, int n)
{
    tile t = 0.0f;
    float *at = p;
    int x;
    if (n > 3) // error: t is tile<4xf32> on one path and tile<f32> on the other
        t = tile_zeros(float, 4);
    if (n > 4) { // error: at points to memory of tile_alloca that ends with its block
        float *scratch = tile_alloca(float, 4);
        at = scratch;
    }
    if (n > 5)
        x = 1;
    p[0] = x; // error: x may have no value here
    p[1] = n > 6 ? tile_load_ptr(tile_pointers(p, tile_iota(4))) : 0; // error: arms of ?: are
    at[0] = 1;
    r[0] = tile_to_float(t);
}
