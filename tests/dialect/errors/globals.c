#include <tile.h>

int host_side;
tile_global int three[3];
tile_global int two[2] = {1, 2};
tile_global struct {
    int a;
} pair;

tile_kernel void k(int *p, int n)
{
    p[0] = host_side; // error: host_side is a variable of the host
    p[1] = three[0]; // error: a power of two
    p[2] = pair.a; // error: this expression means nothing
    int *both = n > 3 ? two : p;
    both[0] = 1;
    int m = tile_alloca(int, n)[0]; // error: the number of elements must be a constant integer
    (void)m;
}
