#include <tile.h>

struct pair {
    int a, b;
};

tile_kernel int gives(int *p) // error: a kernel returns void
{
    return p[0];
}

tile_kernel void takes(struct pair s, // error: a kernel cannot have a parameter of this type
                       float **table, // error: a kernel cannot have a parameter of this type
                       void *anything, // error: a kernel cannot have a parameter of this type
                       tile t) // error: a kernel cannot have a parameter of this type
{
}
