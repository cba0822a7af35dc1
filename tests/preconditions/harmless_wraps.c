/* Arithmetic that wraps by definition and whose wrapped values are as far apart as the exact ones:
 * that it does not wrap is nothing to ask for. */
#include <tile.h>

/* An odd factor has an inverse modulo 2^32. */
tile_kernel void odd_factor(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    x[t[tile_bid(0)] * 3u] = 1;
}
// EXPECT kernel odd_factor
// EXPECT verdict race-free

tile_kernel void odd_factor_of_a_tile(int *restrict x, const unsigned *restrict t, int n)
{
    tile_unique(t);
    tile at = tile_iota(64) + tile_bid(0) * 64;
    tile inside = tile_lt(at, n);
    tile row = tile_load_masked(tile_pointers(t, at), inside, 0u) * 5u;
    tile_store_masked(tile_pointers(x, row), 1, inside);
}
// EXPECT kernel odd_factor_of_a_tile
// EXPECT verdict race-free

tile_kernel void moved(int *restrict x, const unsigned *restrict t, unsigned n)
{
    tile_unique(t);
    x[t[tile_bid(0)] + n] = 1;
}
// EXPECT kernel moved
// EXPECT verdict race-free

tile_kernel void odd_factor_and_unique(int *restrict x, const unsigned *restrict t)
{
    x[t[tile_bid(0)] * 7u + 1u] = 1; // @unique
}
// EXPECT kernel odd_factor_and_unique
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires unique-contents:race
// EXPECT asks no two elements of 't' are equal
// EXPECT TR001 @unique @unique

/* Twins: an even factor has none. */
tile_kernel void even_factor(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    x[t[tile_bid(0)] * 6u] = 1; // @even
}
// EXPECT kernel even_factor
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT TR001 @even @even

tile_kernel void moved_and_halved(int *restrict x, const unsigned *restrict t, unsigned n)
{
    tile_unique(t);
    x[(t[tile_bid(0)] + n) * 2u] = 1; // @halved
}
// EXPECT kernel moved_and_halved
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT TR001 @halved @halved

/* No two wrapped values meet in the first gigabytes of the buffer, where a launch is looked for;
 * further on they do. */
tile_kernel void far_away(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    x[(long)(t[tile_bid(0)] * 2u) + 4000000000] = 1;
}
// EXPECT kernel far_away
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void far_away_moved(int *restrict x, const unsigned *restrict t, unsigned n)
{
    tile_unique(t);
    x[(long)((t[tile_bid(0)] + n) * 4u) + 4000000000] = 1;
}
// EXPECT kernel far_away_moved
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void far_ones_meet(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    unsigned e = t[tile_bid(0)];
    x[e < 100000u ? (long)e : 4000000000 + (long)(e * 4u)] = 1;
}
// EXPECT kernel far_ones_meet
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

/* In a branch that a launch need not take a parameter is bounded; what wraps is beside it. */
tile_kernel void bounded_in_a_branch(int *restrict x, const unsigned *restrict t, unsigned n)
{
    unsigned b = tile_bid(0);
    if (t[b] > 5u)
        tile_assert(n < 1000u);
    if (n > 0u)
        x[b * (n * 2u)] = 1; // @bounded
}
// EXPECT kernel bounded_in_a_branch
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:launch no-wrap:race
// EXPECT TR001 @bounded @bounded

tile_kernel void elements_in_a_branch(int *restrict x, const unsigned *restrict s,
                                      const unsigned *restrict t, const unsigned *restrict u)
{
    tile_unique(t);
    unsigned b = tile_bid(0), e = t[b];
    if (s[b] > 5u)
        tile_assert(e < 1000u);
    x[e * 2u] = 1; // @elements
}
// EXPECT kernel elements_in_a_branch
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race kernel-assume:launch
// EXPECT TR001 @elements @elements
