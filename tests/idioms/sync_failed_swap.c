// A compare-and-swap that finds another value writes nothing, and so releases nothing: a relaxed
// store behind it hands on nothing of what came before.
#include <tile.h>

tile_kernel void never_succeeds(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, 0, 0);
    if (tile_bid(0) == 0) {
        x[0] = 1; // @constant
        tile_atomic_cas(tile_pointers(f, 0), 5, 6, TILE_RELEASE, TILE_DEVICE);
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) != 1)
            ;
        y[0] = x[0]; // @read_constant
    }
}

tile_kernel void claimed_by_another(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(3);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b == 0) {
        x[0] = 1; // @claimed
        tile_atomic_cas(tile_pointers(f, 0), 0, 3, TILE_RELEASE, TILE_DEVICE);
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else if (b == 1) {
        tile_atomic_cas(tile_pointers(f, 0), 0, 2, TILE_RELAXED, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) != 1)
            ;
        y[0] = x[0]; // @read_claimed
    }
}

tile_kernel void then_an_update(int *restrict x, int *restrict y, int *restrict f, int old)
{
    tile_grid(2);
    tile_contents(f, 0, 0);
    if (tile_bid(0) == 0) {
        x[0] = 1; // @updated
        tile_atomic_cas(tile_pointers(f, 0), old, 8, TILE_ACQ_REL, TILE_DEVICE);
        tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        y[0] = x[0]; // @read_updated
    }
}

// One flag for each pair of tile blocks.
tile_kernel void for_each_pair(int *restrict x, int *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b % 2 == 0) {
        x[b] = 1; // @even
        tile_atomic_cas(tile_pointers(f, b), 1, 2, TILE_RELEASE, TILE_DEVICE);
        tile_store_ptr_at(tile_pointers(f, b), 1, TILE_RELAXED, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, b - 1), TILE_ACQUIRE, TILE_DEVICE)) !=
               1)
            ;
        y[b] = x[b - 1]; // @odd
    }
}

tile_kernel void stores_where_it_succeeds(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, 0, 0);
    if (tile_bid(0) == 0) {
        x[0] = 1;
        if (tile_to_int(tile_atomic_cas(tile_pointers(f, 0), 0, 3, TILE_RELEASE, TILE_DEVICE)) == 0)
            tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) != 1)
            ;
        y[0] = x[0];
    }
}

// An exchange always writes.
tile_kernel void exchanges(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, 0, 0);
    if (tile_bid(0) == 0) {
        x[0] = 1;
        tile_atomic_xchg(tile_pointers(f, 0), 5, TILE_RELEASE, TILE_DEVICE);
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) != 1)
            ;
        y[0] = x[0];
    }
}

// EXPECT kernel never_succeeds
// EXPECT verdict race
// EXPECT TR014 @constant @read_constant
// EXPECT observable no

// EXPECT kernel claimed_by_another
// EXPECT verdict race
// EXPECT TR014 @claimed @read_claimed
// EXPECT observable no

// EXPECT kernel then_an_update
// EXPECT verdict race
// EXPECT TR014 @updated @read_updated
// EXPECT observable no

// EXPECT kernel for_each_pair
// EXPECT verdict race
// EXPECT TR014 @even @odd
// EXPECT observable no

// EXPECT kernel stores_where_it_succeeds
// EXPECT verdict race-free

// EXPECT kernel exchanges
// EXPECT verdict race-free
