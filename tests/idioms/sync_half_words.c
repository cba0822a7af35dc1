/* A word that was written over half of the one that is looked at says nothing of what wrote the
 * other half: the number that is read there is none that anybody has put. */
#include <tile.h>

/* The word of f that begins so many half words behind the element. */
#define FURTHER(f, at, on)                                                                         \
    tile_ptr_cast(tile_offset(tile_ptr_cast(tile_pointers(f, at), short), on), int)
#define PUT(f, at, on, value)                                                                      \
    tile_store_ptr_at(FURTHER(f, at, on), value, TILE_RELAXED, TILE_DEVICE)
#define GET(f, at) tile_to_int(tile_load_ptr_at(tile_pointers(f, at), TILE_ACQUIRE, TILE_DEVICE))

tile_kernel void upper_half(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_extent(x, 64);
    tile_extent(f, 16);
    int b = tile_bid(0);
    PUT(f, 2 * b, 1, 1);
    if (GET(f, 2 * b) == 65536)
        x[0] = b; // @upper_half
}

tile_kernel void lower_half(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_extent(x, 64);
    tile_extent(f, 16);
    int b = tile_bid(0);
    PUT(f, 2 * b, 1, 65536);
    if (GET(f, 2 * b + 1) == 1)
        x[0] = b; // @lower_half
}

tile_kernel void by_an_update(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_extent(x, 64);
    tile_extent(f, 16);
    int b = tile_bid(0);
    tile_atomic_add(FURTHER(f, 2 * b, 1), 1, TILE_RELAXED, TILE_DEVICE);
    if (GET(f, 2 * b) == 65536)
        x[0] = b; // @by_an_update
}

tile_kernel void no_half(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_extent(x, 64);
    tile_extent(f, 16);
    int b = tile_bid(0);
    PUT(f, 2 * b, 2, 1);
    if (GET(f, 2 * b + 1) == 65536)
        x[0] = b;
}

// EXPECT kernel upper_half
// EXPECT verdict race
// EXPECT TR017 @upper_half @upper_half
// EXPECT observable yes

// EXPECT kernel lower_half
// EXPECT verdict race
// EXPECT TR017 @lower_half @lower_half
// EXPECT observable yes

// EXPECT kernel by_an_update
// EXPECT verdict race
// EXPECT TR017 @by_an_update @by_an_update
// EXPECT observable yes

// EXPECT kernel no_half
// EXPECT verdict race-free
