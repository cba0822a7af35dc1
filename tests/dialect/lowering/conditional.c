#include <tile.h>

tile_kernel void conditional(float *p, const float *a, const float *b, int n)
{
    int i = n > 3 ? n : 3;
    float x = n > 4 ? a[i] : 0;
    const float *from = n > 5 ? a : b;
    p[0] = from[1] + x;
    tile t = tile_zeros(float, 4);
    t = n > 6 ? t : 1.0f;
    tile_store_ptr(tile_pointers(p, tile_iota(4)), t);
}
