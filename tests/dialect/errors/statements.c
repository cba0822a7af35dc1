#include <tile.h>

tile_kernel void k(int *p, int n)
{
    goto out; // error: kernels have no goto
out: // error: kernels have no goto
    p[1] = 2;
    __asm__("nop"); // error: kernels have no assembler
    p[2] = ({ // error: a statement inside an expression
        1;
    });
}

tile_kernel void switches(int *p, int n)
{
    switch (n) {
    case 0:
        p[0] = 1; // error: this case falls through to the next one
    case 1:
        break;
    }
    switch (n) {
    case 0:
        if (p[0]) // error: this leaves the switch from the middle of a case
            break;
        p[1] = 1;
        break;
    }
    switch (n) {
    case 1 ... 3: // error: a case is one value
        break;
    }
    switch (n) {
    case 0:
        while (p[0])
        case 4: // error: kernels have no labels inside other statements
            p[0] = 0;
    }
    switch (n) {
        p[2] = 1; // error: no case reaches this statement
    }
}
