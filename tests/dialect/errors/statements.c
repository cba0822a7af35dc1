#include <tile.h>

tile_kernel void k(int *p, int n)
{
    switch (n) { // error: kernels have no switch
    case 1:
        p[0] = 1;
    }
    goto out; // error: kernels have no goto
out: // error: kernels have no goto
    p[1] = 2;
    __asm__("nop"); // error: kernels have no assembler
    p[2] = ({ // error: a statement inside an expression
        1;
    });
}
