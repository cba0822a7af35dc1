#include <tile.h>

/* C's conversions and promotions, and which wraps are undefined. */
tile_kernel void numbers(int *p, long *q, float *f, int n, unsigned u, long l, short s, bool b,
                         double d)
{
    p[0] = n + 1;
    p[1] = (int)(u * 2);
    q[0] = n + l;
    q[1] = u;
    p[2] = s + b;
    p[3] = u / 3 + u % 3 + (u >> 1);
    p[4] = n / 3 + n % 3 + (n >> 1) + (n << 2);
    p[5] = -n + ~n;
    p[6] = (char)n;
    p[7] = n < 3;
    p[8] = !n;
    p[9] = 3 * 4 - 5 / 2;
    f[0] = n;
    f[1] = (float)d * 0.5f + u;
    p[10] = d;
    n += 3;
    s += n;
    p[11] = s++;
    p[12] = (n & 7) | (8 ^ n);
    b = n;
    p[13] = b;
    p[14] = tile_min(n, 3) + tile_cdiv(n, 4);
    q[2] = tile_max(l, 1L);
    *(p + n) += 2;
    --p[1];
    n = (p[2] = 4, n);
    p[15] = sizeof(long) + n;
}
