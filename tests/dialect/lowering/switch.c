#include <tile.h>

enum { KEEP, TWICE, NONE = 7 };

tile_kernel void k(float *p, int mode, int n)
{
    float x = p[0];
    switch (mode) {
    case KEEP:
        break;
    case TWICE:
    case TWICE + 1: {
        x = x * 2;
        break;
    }
    case NONE:
        return;
    default:
        x = 0;
    }
    for (int i = 0; i < n; i++) {
        switch (i % 3) {
        case 0:
            continue;
        case 1:
            p[i] = x;
            break;
        }
        p[n] = x;
    }
    switch (2) {
    case 2:
        p[1] = 3;
        break;
    default:
        p[1] = 4;
    }
}
