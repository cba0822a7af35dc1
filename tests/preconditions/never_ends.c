/* What stands behind a loop that may never end is not always executed: the launch is not undefined
 * because it would be undefined there. `n >= 4` keeps the blocks' rows apart; a launch with `n = 2`
 * races before it waits for ever. */
#include <tile.h>

tile_kernel void behind_wait(float *restrict x, int *restrict f, int n)
{
    tile_contents(f, 0, 0);
    tile_extent(f, 1);
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f); // @behind_wait
    if (b == 5)
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    if (b == 0) {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        tile_assert(n >= 4);
    }
}

/* Other blocks than those that wait enforce it. */
tile_kernel void beside_wait(float *restrict x, int *restrict f, int n)
{
    tile_contents(f, 0, 0);
    tile_extent(f, 1);
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f);
    if (b == 5)
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    if (b == 2)
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
    tile_assert(n >= 4);
}

tile_kernel void before_wait(float *restrict x, int *restrict f, int n)
{
    tile_contents(f, 0, 0);
    tile_extent(f, 1);
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f);
    if (b == 5)
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    tile_assert(n >= 4);
    while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0)
        ;
}

/* The only launches that race do not end, and no run shows them. */
tile_kernel void behind_loop(float *restrict x, int n, int m)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f);
    unsigned i = 0;
    while (i != (unsigned)m)
        i += 2;
    tile_assert(n >= 4);
}

/* The third round is not reached where the first one does not end. */
tile_kernel void in_later_round(float *restrict x, int n, int m)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f); // @in_later_round
    for (int i = 0; i < 3; i++) {
        if (i == 2)
            tile_assert(n >= 4);
        if (i == m)
            while (1) {
            }
    }
}

tile_kernel void in_first_round(float *restrict x, int n, int m)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f);
    for (int i = 0; i < 3; i++) {
        tile_assert(n >= 4);
        if (i == m)
            while (1) {
            }
    }
}

/* A count down by two comes to its end at every launch. */
tile_kernel void behind_count(float *restrict x, int n, int m)
{
    int b = tile_bid(0), i = m;
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f);
    while (i > 0)
        i -= 2;
    tile_assert(n >= 4);
}

/* One by a step that may be 0 does not; no run shows the launches that race. */
tile_kernel void behind_steps(float *restrict x, int n, int m, int s)
{
    int b = tile_bid(0), i = 0;
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f);
    while (i < m)
        i += s;
    tile_assert(n >= 4);
}

/* An iteration is reached only if none before it has left the loop. */
tile_kernel void after_break(float *restrict x, int n, int m)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f); // @after_break
    for (int i = 0; i < 100; i++) {
        if (m == i)
            break;
        if (i == 1)
            tile_assert(n >= 4);
    }
}

/* That an extent is not negative is known of launches that make the view. */
tile_kernel void extent_behind_loop(float *restrict x, float *restrict y, int n, int m)
{
    int b = tile_bid(0);
    x[n < 0 ? 0 : b] = 1.0f; // @extent_behind_loop
    if (m != 0)
        while (1) {
        }
    tile_view v = tile_partition(tile_tensor(y, n), 16);
    tile_store(v, tile_cast(tile_iota(16), float), b);
}

// EXPECT kernel behind_wait
// EXPECT verdict conditional
// EXPECT TR001 @behind_wait @behind_wait
// EXPECT requires no-wrap in-bounds stride-relation:race
// EXPECT observable no

// EXPECT kernel beside_wait
// EXPECT verdict race-free
// EXPECT requires kernel-assume no-wrap in-bounds

// EXPECT kernel before_wait
// EXPECT verdict race-free
// EXPECT requires kernel-assume no-wrap in-bounds

// EXPECT kernel in_first_round
// EXPECT verdict race-free
// EXPECT requires kernel-assume no-wrap in-bounds

// EXPECT kernel behind_count
// EXPECT verdict race-free
// EXPECT requires kernel-assume no-wrap in-bounds

// EXPECT kernel behind_loop
// EXPECT verdict unknown
// EXPECT requires no-wrap in-bounds stride-relation:race

// EXPECT kernel behind_steps
// EXPECT verdict unknown
// EXPECT requires no-wrap in-bounds stride-relation:race

// EXPECT kernel in_later_round
// EXPECT verdict conditional
// EXPECT TR001 @in_later_round @in_later_round
// EXPECT requires no-wrap in-bounds stride-relation:race
// EXPECT observable no

// EXPECT kernel after_break
// EXPECT verdict conditional
// EXPECT TR001 @after_break @after_break
// EXPECT requires no-wrap in-bounds stride-relation:race
// EXPECT observable no

// EXPECT kernel extent_behind_loop
// EXPECT verdict race
// EXPECT TR001 @extent_behind_loop @extent_behind_loop
// EXPECT asks m != 0 || grid.x <= cdiv(n, 16)
// EXPECT requires index-in-space
// EXPECT observable no
