#include <tile.h>

tile_kernel void first(int *p)
{
    p[0] = 1;
}

static void helper(int *p, int n)
{
    p[n] = n;
}

tile_kernel void second(int *p, int n)
{
    helper(p, n);
    helper(p + 1, 2);
}
