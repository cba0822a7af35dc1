#include <tile.h>

tile_kernel void k(int *p)
{
    p[0] = ; // error: expected expression
}
