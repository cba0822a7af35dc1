/* What a load gives where its mask is false is computed like any other number: it may wrap. */
#include <tile.h>

tile_kernel void padding_wraps(int *restrict x, const unsigned *restrict t)
{
    tile_grid(4);
    unsigned b = (unsigned)tile_bid(0);
    tile at = tile_pointers(t, 0);
    x[(unsigned)tile_to_int(tile_load_masked(at, b > 4u, b * 2147483648u))] = 1; // @wraps
}
// Blocks 0 and 2 get 0.
// EXPECT kernel padding_wraps
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @wraps @wraps

tile_kernel void padding_stays(int *restrict x, const unsigned *restrict t)
{
    tile_grid(4);
    unsigned b = (unsigned)tile_bid(0);
    tile at = tile_pointers(t, 0);
    x[(unsigned)tile_to_int(tile_load_masked(at, b > 4u, b * 1024u))] = 1;
}
// EXPECT kernel padding_stays
// EXPECT verdict race-free

tile_kernel void padding_lanes(int *restrict x, const unsigned *restrict t)
{
    tile_grid(2);
    tile e = tile_cast(tile_iota(4), unsigned), none = tile_lt(e, 0u);
    tile v = tile_load_masked(tile_pointers(t, e), none, e * 1073741824u * 2u);
    tile_store_masked(tile_pointers(x, v), tile_bid(0), tile_eq(e, 2u * tile_bid(0))); // @lanes
}
// Lane 0 of block 0 and lane 2 of block 1 have 0.
// EXPECT kernel padding_lanes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @lanes @lanes

tile_kernel void padding_chooses(int *restrict x, const unsigned *restrict t)
{
    tile_grid(4);
    unsigned b = (unsigned)tile_bid(0);
    tile at = tile_pointers(t, 0);
    if (tile_to_int(tile_load_masked(at, b > 4u, (b + 1u) * 2147483648u)) == 0)
        x[0] = (int)b; // @chooses
}
// Blocks 1 and 3 get 0.
// EXPECT kernel padding_chooses
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @chooses @chooses

tile_kernel void padding_narrow(int *restrict x, const unsigned char *restrict t)
{
    tile_grid(4);
    unsigned char b = (unsigned char)tile_bid(0);
    tile at = tile_pointers(t, 0);
    tile v = tile_load_masked(at, tile_bid(0) > 4, tile_mul(b, (unsigned char)128));
    x[tile_to_int(tile_cast(v, int))] = tile_bid(0); // @narrow
}
// EXPECT kernel padding_narrow
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @narrow @narrow

tile_kernel void padding_is_data(unsigned *restrict x, const unsigned *restrict t)
{
    unsigned b = (unsigned)tile_bid(0);
    x[b] = (unsigned)tile_to_int(tile_load_masked(tile_pointers(t, b), t[b] > 5u, b * 2654435761u));
}
// EXPECT kernel padding_is_data
// EXPECT verdict race-free
