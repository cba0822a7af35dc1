/* Unsigned products of a parameter with the grid's extent, or with a ticket, that wrap: which block
 * is the last one, and how far apart two are, is another question then. In 64 bits they do not
 * wrap. */
#include <tile.h>

tile_kernel void last_of_the_grid(int *restrict x, unsigned n)
{
    unsigned b = tile_bid(0), g = tile_grid_extent(0);
    tile_assert(n >= 1u);
    if ((b + 1u) * n == g * n)
        x[0] = 1; // @last
}
// EXPECT kernel last_of_the_grid
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:race
// EXPECT TR001 @last @last

tile_kernel void distance_to_the_last(int *restrict x, unsigned n)
{
    unsigned b = tile_bid(0), g = tile_grid_extent(0);
    tile_assert(n >= 1u);
    if ((g - 1u - b) * n == 0u)
        x[0] = 1; // @distance
}
// EXPECT kernel distance_to_the_last
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:race
// EXPECT TR001 @distance @distance

tile_kernel void by_a_ticket(int *restrict x, int *restrict c, unsigned n)
{
    tile_contents(c, 0, 0);
    tile_assert(n >= 1u);
    unsigned t =
        (unsigned)tile_to_int(tile_atomic_add(tile_pointers(c, 0), 1, TILE_RELAXED, TILE_DEVICE));
    x[t * n / n] = 1; // @ticket
}
// EXPECT kernel by_a_ticket
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:race
// EXPECT TR001 @ticket @ticket

tile_kernel void last_in_64_bits(int *restrict x, unsigned n)
{
    unsigned long b = tile_bid(0), g = tile_grid_extent(0);
    tile_assert(n >= 1u);
    if ((b + 1ul) * n == g * n)
        x[0] = 1;
}
// EXPECT kernel last_in_64_bits
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch

tile_kernel void last_of_few(int *restrict x, unsigned n)
{
    tile_grid(1000);
    tile_assume(n >= 1u && n <= 1000u);
    unsigned b = tile_bid(0), g = tile_grid_extent(0);
    if ((b + 1u) * n == g * n)
        x[0] = 1;
}
// EXPECT kernel last_of_few
// EXPECT verdict race-free
