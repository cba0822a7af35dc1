#include <tile.h>

tile_kernel void k(int *p, int n)
{
    int i = n;
    while (i > 0) {
        if (p[i] == 0)
            break;
        i = i / 2;
    }
    p[0] = i;
}
