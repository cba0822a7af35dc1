#include <tile.h>

tile_global float scale[1] = {2};

static tile loads(tile a, tile b)
{
    return a + b * scale[0]; // error: a function that combines elements cannot access memory
}

static tile widens(tile a, tile b)
{
    return tile_full(a + b, 2);
}

tile_kernel void k(float *p, float s)
{
    tile x = tile_zeros(float, 4);
    p[0] = tile_reduce(x, 0, 0.0f, loads);
    p[1] = tile_reduce(x, 0, 0.0f, widens); // error: this gives tile<2xf32> where tile<f32> is combined
    p[2] = tile_reduce(x, 0, s, loads); // error: the identity must be a constant number
    p[3] = tile_reduce(x, 0, 0.0f, 0); // error: this is no function
}
