#include <tile.h>

tile_kernel void k(float *p, int n)
{
    int i = tile_bid(0);
    if (i >= n)
        return;
    p[i] = 1;
}
