#include <tile.h>

tile_kernel void k(int *p, int n)
{
    int many[4]; // error: many is an array
    static int kept; // error: kept would outlive the kernel
    struct pair { // error: this declaration means nothing
        int a, b;
    } pair; // error: pair has a type that means nothing
    int *to_n = &n; // error: locals have no address
    tile t = 0;
    tile *to_t = &t; // error: to_t has a type
    p = p + 1; // error: p, a pointer that the host passes, cannot change
    p++; // error: p, a pointer that the host passes, cannot change
    int unset;
    p[0] = unset; // error: unset may have no value here
    p[1] = unset;
    token none = 0; // error: none is a token, but this value is not
    (void)many, (void)kept, (void)pair, (void)to_n, (void)to_t, (void)none;
}
