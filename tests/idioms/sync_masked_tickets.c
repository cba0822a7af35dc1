/* A loop that ends by what a ticket says draws a bounded number of tickets, where every round draws
 * one. A masked-off draw reads no value of the counter. */
#include <tile.h>

static int draw(int *f)
{
    return tile_to_int(tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE));
}

enum { LIMIT = 2147483640, NEAR_LIMIT = 2147483600 };

tile_kernel void every_second_round(int *restrict x, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, NEAR_LIMIT, NEAR_LIMIT);
    for (int i = 0; i <= 200; i++) {
        int t = tile_to_int(tile_atomic_masked(TILE_ADD, tile_pointers(f, 0), 1, i % 2 == 1,
                                               TILE_RELAXED, TILE_DEVICE));
        if (i % 2 == 1 && t < 0)
            x[0] = 1; // @masked
        if (i % 2 == 0 && t >= LIMIT)
            break;
    }
}

tile_kernel void behind_a_branch(int *restrict x, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, NEAR_LIMIT, NEAR_LIMIT);
    int t = 0;
    for (int i = 0; i <= 200; i++) {
        if (i % 2 == 1)
            t = draw(f);
        if (t < 0)
            x[0] = 1; // @branch
    }
}

tile_kernel void every_round(int *restrict x, int *restrict f, int n)
{
    tile_grid(8);
    tile_assume(n > 0 && n < 1 << 20);
    tile_contents(f, 0, 0);
    while (true) {
        int t = draw(f);
        if (t >= n)
            break;
        x[t] = 1;
    }
}

// EXPECT kernel every_second_round
// EXPECT verdict unknown
// EXPECT TR001 @masked @masked possible
// EXPECT observable no

// EXPECT kernel behind_a_branch
// EXPECT verdict race
// EXPECT TR001 @branch @branch
// EXPECT observable no

// EXPECT kernel every_round
// EXPECT verdict race-free
