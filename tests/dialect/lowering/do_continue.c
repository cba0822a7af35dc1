#include <tile.h>

tile_kernel void k(int *p, int n)
{
    int i = 0;
    do {
        i++;
        if (i == 3) continue;
        p[i] = i;
    } while (i < n);
}
