#include <tile.h>

tile_kernel void k(int *p)
{
    p[0] = missing; // error: use of undeclared identifier 'missing'
}
