#include <tile.h>

tile_kernel void below_zero(float *p, const unsigned char *q)
{
    tile_contents(q, -5, 5); // error: an unsigned element is never below 0
    p[q[tile_bid(0)]] = 1;
}

tile_kernel void from_below_zero(float *p, const unsigned *q)
{
    tile_contents(q, -1, 8); // error: an unsigned element is never below 0
    p[q[tile_bid(0)]] = 1;
}
