#include <tile.h>

tile_kernel void unsigned_loop(int *p, unsigned n, int m, long l)
{
    for (unsigned i = 0; i < n; i += 2)
        p[i] = 1;
    for (int i = m; i > 0; i--)
        p[i] = 2;
    for (int i = 0; i < l; i++)
        p[i] = 3;
    for (long i = 0; i < m; i = i + 4)
        p[i] = 4;
    for (int i = 0; i < p[0]; i++)
        p[i] = 5;
    for (int i = 0; m > i; i += m)
        p[i] = 6;
}
