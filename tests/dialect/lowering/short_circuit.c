#include <tile.h>

tile_kernel void k(const int *q, int *p, int n)
{
    if (n > 0 && q[n] == 7)
        p[0] = n > 3 || !(n == 2) ? n : -n;
}
