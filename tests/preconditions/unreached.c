/* An op that is undefined for some launches, where it runs: behind a parameter, a loaded value, a
 * loop without iterations or a return, or in blocks that a small grid lacks. A launch that breaks
 * what the op needs and never reaches it is defined, and what it races on is a race. */
#include <tile.h>

tile_kernel void asserted(float *restrict x, int flag, int n)
{
    tile_grid(8);
    if (flag > 3)
        tile_assert(n >= 4);
    for (int i = 0; i < 4; i++)
        x[tile_bid(0) * n + i] = 1.0f; // @asserted
}

tile_kernel void always_asserted(float *restrict x, int n)
{
    tile_grid(8);
    tile_assert(n >= 4);
    for (int i = 0; i < 4; i++)
        x[tile_bid(0) * n + i] = 1.0f;
}

tile_kernel void asserted_of_grid(float *restrict x, int flag)
{
    if (flag > 3)
        tile_assert(tile_grid_extent(0) <= 4);
    x[tile_bid(0) & 3] = 1.0f; // @grid
}

tile_kernel void stepped(float *restrict x, int *restrict z, int flag, int s)
{
    tile_grid(8);
    if (flag > 3)
        for (int i = 0; i < 100; i += s)
            z[tile_bid(0) * 100 + i] = 1;
    x[tile_bid(0) * s] = 1.0f; // @stepped
}

tile_kernel void returned(float *restrict x, int flag, int n)
{
    tile_grid(8);
    for (int i = 0; i < 4; i++)
        x[tile_bid(0) * n + i] = 1.0f; // @returned
    if (flag > 3)
        return;
    tile_assert(n >= 4);
}

tile_kernel void asserted_by_block_nine(float *restrict x, int n)
{
    if (tile_bid(0) == 9)
        tile_assert(n >= 4);
    for (int i = 0; i < 4; i++)
        x[tile_bid(0) * n + i] = 1.0f; // @nine
}

tile_kernel void asserted_in_rounds(float *restrict x, int rounds, int n)
{
    tile_grid(8);
    for (int i = 0; i < rounds; i++)
        tile_assert(n >= 4);
    for (int i = 0; i < 4; i++)
        x[tile_bid(0) * n + i] = 1.0f; // @rounds
}

tile_kernel void asserted_by_block_zero(float *restrict x, int n)
{
    tile_grid(8);
    if (tile_bid(0) == 0)
        tile_assert(n >= 4);
    for (int i = 0; i < 4; i++)
        x[tile_bid(0) * n + i] = 1.0f;
}

/* No tensor is made where flag is 0, so n may be negative there. */
tile_kernel void sized(float *restrict x, float *restrict z, int flag, int n)
{
    tile_grid(8);
    if (flag > 3)
        tile_store(tile_partition(tile_tensor(z, n), 8), tile_zeros(float, 8), tile_bid(0));
    x[tile_bid(0) * (n + 1)] = 1.0f; // @sized
}

/* What is undefined for one element of a table says nothing of the others. */
tile_kernel void own_element(float *restrict x, const int *restrict row)
{
    tile_grid(8);
    int r = row[tile_bid(0)];
    tile_assert(0 <= r && r < 16);
    x[16 * tile_bid(0) + r] = 1.0f;
}

// EXPECT kernel asserted
// EXPECT verdict conditional
// EXPECT TR001 @asserted @asserted
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel always_asserted
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch no-wrap:launch

// EXPECT kernel asserted_of_grid
// EXPECT verdict race
// EXPECT TR001 @grid @grid
// EXPECT requires kernel-assume:launch
// EXPECT observable no

// EXPECT kernel stepped
// EXPECT verdict conditional
// EXPECT TR001 @stepped @stepped
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel returned
// EXPECT verdict conditional
// EXPECT TR001 @returned @returned
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel asserted_by_block_nine
// EXPECT verdict conditional
// EXPECT TR001 @nine @nine
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel asserted_in_rounds
// EXPECT verdict conditional
// EXPECT TR001 @rounds @rounds
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel asserted_by_block_zero
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch no-wrap:launch

// EXPECT kernel sized
// EXPECT verdict conditional
// EXPECT TR001 @sized @sized
// EXPECT requires index-in-space:launch no-wrap:launch stride-relation:race

// EXPECT kernel own_element
// EXPECT verdict race-free
// EXPECT requires contents-range:launch
