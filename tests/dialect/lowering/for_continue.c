#include <tile.h>

tile_kernel void k(int *p, int n)
{
    int s = 0;
    for (int i = 2; i <= n; i += 3) {
        if (i == 5)
            continue;
        s += i;
    }
    p[0] = s;
}
