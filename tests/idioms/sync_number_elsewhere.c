/* A number that is loaded and put back one larger is another one for every section only where it is
 * put back where it was loaded. Put elsewhere, each tile block loads the number of the launch. */
#include <tile.h>

#define TAKE(f)                                                                                    \
    while (tile_to_int(tile_atomic_cas(tile_pointers(f, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) !=   \
           0)                                                                                      \
        ;
#define FREE(f) tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELEASE, TILE_DEVICE)

tile_kernel void next_word(int *restrict x, int *restrict f, int *restrict g)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_contents(g, 0, 0);
    tile_extent(x, 64);
    tile_extent(g, 8);
    TAKE(f);
    int v = g[1];
    g[2] = v + 1;
    FREE(f);
    x[v] = 1; // @next_word
}

tile_kernel void own_word(int *restrict x, int *restrict g)
{
    tile_grid(4);
    tile_contents(g, 0, 0);
    tile_extent(x, 64);
    tile_extent(g, 8);
    int v = g[0];
    g[1 + tile_bid(0)] = v + 1;
    x[v] = 1; // @own_word
}

tile_kernel void lowered(int *restrict x, int *restrict g)
{
    tile_grid(4);
    tile_contents(g, 9, 9);
    tile_extent(x, 64);
    tile_extent(g, 8);
    int v = g[0];
    g[1 + tile_bid(0)] = v - 1;
    x[v] = tile_bid(0); // @lowered
}

tile_kernel void looked_up(int *restrict x, int *restrict g, int n)
{
    tile_grid(n);
    tile_contents(g, 0, 3);
    tile_extent(g, 2L * n);
    int b = tile_bid(0), v = g[n + b];
    g[b] = v + 1;
    x[v] = b; // @looked_up
}

tile_kernel void put_back(int *restrict x, int *restrict f, int *restrict g)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_contents(g, 0, 0);
    tile_extent(x, 64);
    tile_extent(g, 8);
    TAKE(f);
    int v = g[1];
    g[1] = v + 1;
    FREE(f);
    x[v] = 1;
}

tile_kernel void drawn(int *restrict x, int *restrict g)
{
    tile_grid(4);
    tile_contents(g, 0, 0);
    tile_extent(x, 64);
    tile_extent(g, 8);
    int v = tile_to_int(tile_atomic_add(tile_pointers(g, 1), 1, TILE_RELAXED, TILE_DEVICE));
    g[2 + tile_bid(0)] = v + 1;
    x[v] = 1;
}

/* The same beside a flag that orders nothing of it. */
tile_kernel void beside_flag(int *restrict x, int *restrict f, int *restrict g)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_contents(g, 0, 0);
    tile_extent(x, 64);
    tile_extent(g, 8);
    int b = tile_bid(0), v = g[0];
    g[1 + b] = v + 1;
    if (tile_to_int(tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE)) >= 0)
        x[v] = 1; // @beside_flag
}

tile_kernel void by_parity(int *restrict x, int *restrict f, int *restrict g)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_contents(g, 0, 0);
    tile_extent(x, 64);
    tile_extent(g, 8);
    TAKE(f);
    int b = tile_bid(0), v = g[b % 2];
    g[2 + b % 2] = v + 1;
    FREE(f);
    x[2 * v + b % 2] = 1; // @by_parity
}

tile_kernel void falling(int *restrict x, int *restrict f, int *restrict g)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_contents(g, 9, 9);
    tile_extent(x, 64);
    tile_extent(g, 8);
    TAKE(f);
    int v = g[3];
    g[5] = v + 2;
    FREE(f);
    x[v] = 1; // @falling
}

// EXPECT kernel next_word
// EXPECT verdict race
// EXPECT TR021 @next_word @next_word
// EXPECT observable no
// EXPECT requires in-bounds:launch

// EXPECT kernel own_word
// EXPECT verdict race
// EXPECT TR001 @own_word @own_word
// EXPECT observable no
// EXPECT requires in-bounds:launch

// EXPECT kernel lowered
// EXPECT verdict race
// EXPECT TR001 @lowered @lowered
// EXPECT observable no
// EXPECT requires in-bounds:launch

// EXPECT kernel looked_up
// EXPECT verdict race
// EXPECT TR001 @looked_up @looked_up
// EXPECT observable no

// EXPECT kernel put_back
// EXPECT verdict race-free

// EXPECT kernel drawn
// EXPECT verdict race-free

// EXPECT kernel beside_flag
// EXPECT verdict race
// EXPECT TR001 @beside_flag @beside_flag
// EXPECT observable no
// EXPECT requires in-bounds:launch

// EXPECT kernel by_parity
// EXPECT verdict race
// EXPECT TR021 @by_parity @by_parity
// EXPECT observable no
// EXPECT requires no-wrap:launch in-bounds:launch

// EXPECT kernel falling
// EXPECT verdict race
// EXPECT TR021 @falling @falling
// EXPECT observable no
// EXPECT requires in-bounds:launch
