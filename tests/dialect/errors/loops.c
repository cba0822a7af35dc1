#include <tile.h>

tile_kernel void k(float *p, float *r, int n)
{
    tile_distinct(p, r);
    tile acc = 0.0f;
    for (int i = 0; i < n; i++) // error: acc is tile<f32> before the loop, but tile<4xf32> after
        acc = acc + tile_zeros(float, 4);
    float *at = p;
    while (n > *at) // error: at points to another buffer after an iteration
        at = r;
    token seen;
    for (int i = 0; i < n; i++)
        seen = make_token();
    tile_join_order(p, seen); // error: seen may have no value here
    for (int i = 0; i < n; i++) { // error: at points to another buffer after an iteration
        float *scratch = tile_alloca(float, 4);
        scratch[0] = 1;
        at = scratch;
    }
}

tile_kernel void first_value(int *p, int n)
{
    int found, late;
    while (p[0] < n) {
        if (p[1] == n)
            break;
        found = p[2];
    }
    p[3] = found; // error: found may have no value here
    do {
        if (p[1] == n) {
            late = 1;
            break;
        }
        p[4] = late; // error: late may have no value here
        late = 2;
    } while (p[5] < n);
}
