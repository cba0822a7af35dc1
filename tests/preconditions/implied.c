/* Of two preconditions, one of which implies the other, the weaker one is not asked for. */
#include <tile.h>

/* That the rows do not wrap says so of the number of blocks, where there is any round at all. */
tile_kernel void rounds(float *restrict y, int s, int m)
{
    tile_assume(s >= 1);
    int b = tile_bid(0);
    for (int i = 0; i < m; i += s)
        y[b * 2000 + i] = 1.0f; // @rounds
}

/* Behind a wait that may never end no extent is sure to be asked about. */
tile_kernel void extent_in_rounds(const float *x, float *y, int *next, int tiles)
{
    tile_view in = tile_partition(tile_tensor(x, tiles * 128), 128);
    tile_view out = tile_partition(tile_tensor(y, tiles * 128), 128);
    for (;;) {
        int t = tile_to_int(tile_atomic_add(tile_pointers(next, 0), 1, TILE_RELAXED, TILE_DEVICE));
        if (t >= tiles)
            break;
        tile_store(out, tile_load(in, t), t);
    }
}

/* The branch is taken by launches whose clamp lets an entry through alone. */
tile_kernel void clamped(float *restrict y, int n, int end)
{
    int i = tile_bid(0), at = tile_min(i, n);
    if (at < end)
        y[at * 8 + 5] = 1.0f; // @clamped
}

/* What both branches assert, and the rows need of every launch. */
tile_kernel void asserted_lower(float *restrict x, int pitch, int flag)
{
    int b = tile_bid(0);
    if (flag > 7)
        tile_assert(pitch >= 16);
    if (flag < 2)
        tile_assert(pitch >= 8);
    tile_store_ptr(tile_pointers(x, b * pitch + tile_iota(32)), 1.0f); // @lower
}

/* More than the rows need: it stays, as only the launches that take the branch keep it. */
tile_kernel void asserted_higher(float *restrict x, int pitch, int flag)
{
    int b = tile_bid(0);
    if (flag > 7)
        tile_assert(pitch >= 64);
    tile_store_ptr(tile_pointers(x, b * pitch + tile_iota(32)), 1.0f); // @higher
}

/* An extent that is no size in the loop, beside one that is larger anyway. */
tile_kernel void grid_twice(float *restrict y, int m)
{
    int b = tile_bid(0);
    for (int i = 1; i < m; i++)
        y[b * 4096 + i + 17] = 1.0f; // @twice
}

// EXPECT kernel rounds
// EXPECT verdict conditional
// EXPECT TR001 @rounds @rounds
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel extent_in_rounds
// EXPECT verdict race-free
// EXPECT requires contents-range:launch no-wrap:launch

// EXPECT kernel clamped
// EXPECT verdict conditional
// EXPECT TR001 @clamped @clamped
// EXPECT requires in-bounds:race
// EXPECT observable no

// EXPECT kernel asserted_lower
// EXPECT verdict conditional
// EXPECT TR001 @lower @lower
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel asserted_higher
// EXPECT verdict conditional
// EXPECT TR001 @higher @higher
// EXPECT requires in-bounds:launch kernel-assume:launch no-wrap:launch stride-relation:race

// EXPECT kernel grid_twice
// EXPECT verdict conditional
// EXPECT TR001 @twice @twice
// EXPECT requires no-wrap:launch stride-relation:race
