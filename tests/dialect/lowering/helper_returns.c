#include <tile.h>

static int half(int x)
{
    if (x < 0)
        return 0;
    return x / 2;
}

tile_kernel void k(int *p, int n)
{
    p[half(n)] = half(4);
}
