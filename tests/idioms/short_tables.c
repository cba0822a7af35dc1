/* Tables of which the contract says how long they are and what they hold. Where that leaves fewer
 * values than elements, nobody can fill the table with different ones: a race by equal elements is
 * a race, however few elements a launch looks at. */
#include <tile.h>

#define GRID                                                                                       \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 3);                                                                 \
    tile_extent(x, 64);                                                                            \
    tile_extent(f, 8)

tile_kernel void one_element(int *restrict x, const int *restrict f, int n)
{
    GRID;
    tile_contents(f, 0, 0);
    int v = tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_RELAXED, TILE_DEVICE));
    if (v < 4)
        x[v] = tile_bid(0); // @one_element
}
// EXPECT kernel one_element
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @one_element @one_element

tile_kernel void one_plain_element(int *restrict x, const int *restrict f, int n)
{
    GRID;
    tile_contents(f, 0, 3);
    x[f[0]] = tile_bid(0); // @one_plain_element
}
// EXPECT kernel one_plain_element
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @one_plain_element @one_plain_element

/* Three blocks read three elements of eight, which have three values. */
tile_kernel void own_element(int *restrict x, const int *restrict f, int n)
{
    GRID;
    tile_contents(f, 0, 2);
    x[f[tile_bid(0)]] = 1; // @own_element
}
// EXPECT kernel own_element
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @own_element @own_element

/* Eight values for eight elements: a caller can keep them different. */
tile_kernel void enough_values(int *restrict x, const int *restrict f, int n)
{
    GRID;
    tile_contents(f, 0, 7);
    x[f[tile_bid(0)]] = 1; // @enough_values
}
// EXPECT kernel enough_values
// EXPECT verdict conditional
// EXPECT requires unique-contents:race
// EXPECT TR001 @enough_values @enough_values

tile_kernel void one_value_apart(int *restrict x, const int *restrict f, int n)
{
    GRID;
    tile_contents(f, 0, 0);
    x[f[0] + tile_bid(0)] = 1;
}
// EXPECT kernel one_value_apart
// EXPECT verdict race-free
