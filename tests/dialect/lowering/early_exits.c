#include <tile.h>

/* Returns from loops and from nested ifs. */
static int find(const int *p, int n)
{
    for (int i = 0; i < n; i++)
        if (p[i] == 7)
            return i;
    return -1;
}

tile_kernel void early(int *p, int n)
{
    if (n > 3) {
        if (n > 5)
            return;
        p[1] = 1;
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (p[i] == j)
                return;
        p[j] = 2;
    }
    p[0] = find(p, n);
}
