// Far more buffers than accesses, and a counter that is a global of the module: what is known of
// accesses is one thing, what is known of buffers another.
#include <tile.h>

#define TEN(p)                                                                                     \
    float *restrict p##0, float *restrict p##1, float *restrict p##2, float *restrict p##3,        \
        float *restrict p##4, float *restrict p##5, float *restrict p##6, float *restrict p##7,    \
        float *restrict p##8, float *restrict p##9
#define HUNDRED TEN(a), TEN(b), TEN(c), TEN(d), TEN(e), TEN(f), TEN(g), TEN(h), TEN(i), TEN(j)

tile_global int counter[1] = {0};
tile_global int last[1] = {0};

tile_kernel void draws(int *restrict x, HUNDRED)
{
    int t = tile_to_int(tile_atomic_add(tile_pointers(counter, 0), 1, TILE_RELAXED, TILE_DEVICE));
    if (t >= 0 && t < 64)
        x[t] = 1; // @draws
}

// The last block reads what all have written, and puts the counter back.
tile_kernel void last_resets(int *restrict x, int *restrict y, HUNDRED)
{
    tile_grid(4);
    int b = tile_bid(0);
    x[b] = 1;
    int t = tile_to_int(tile_atomic_add(tile_pointers(last, 0), 1, TILE_ACQ_REL, TILE_DEVICE));
    if (t == 3) {
        y[0] = x[b ^ 1];
        tile_store_ptr_at(tile_pointers(last, 0), 0, TILE_RELAXED, TILE_DEVICE);
    }
}

// EXPECT kernel draws
// EXPECT verdict unknown
// EXPECT TR001 @draws @draws possible

// EXPECT kernel last_resets
// EXPECT verdict race-free
// EXPECT requires contents-range:standing
