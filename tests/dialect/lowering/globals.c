#include <tile.h>

tile_global int counter[2] = {3, -1};
static const float table[2] = {0.5f, 2};
static const int N = 7;
tile_kernel void k(float *p)
{
    counter[1] = N;
    float *s = tile_alloca(float, 8);
    s[2] = table[tile_bid(1)];
    p[0] = s[2];
    tile_gdc_wait();
    p[1] = 0;
}
