/* Globals of the module as words to synchronise by: do they hold 0 at the next launch too? */
#include <tile.h>

#define LOOK(p, i)    tile_to_int(tile_load_ptr_at(tile_pointers(p, i), TILE_ACQUIRE, TILE_DEVICE))
#define TELL(p, i, v) tile_store_ptr_at(tile_pointers(p, i), v, TILE_RELEASE, TILE_DEVICE)
#define PUT(p, i, v)  tile_store_ptr_at(tile_pointers(p, i), v, TILE_RELAXED, TILE_DEVICE)
#define COUNT(p, i)   tile_to_int(tile_atomic_add(tile_pointers(p, i), 1, TILE_ACQ_REL, TILE_DEVICE))

tile_global int counter[4] = {0};
tile_global int flags[64] = {0};
tile_global int stays[4] = {0};
tile_global int ones[4] = {1, 1, 1, 1};
tile_global int shared[4] = {0};

tile_kernel void last_resets(float *restrict x, float *restrict y)
{
    tile_grid(4);
    int i = tile_bid(0);
    x[i] = 1.0f;
    if (COUNT(counter, 0) == 3) {
        y[0] = x[i ^ 1];
        PUT(counter, 0, 0);
    }
}

tile_kernel void all_flags(float *restrict x, float *restrict y, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n <= 64);
    int i = tile_bid(0);
    x[i] = 1.0f;
    TELL(flags, i, 1);
    if (i == 0) {
        for (int j = 0; j < n; j++)
            while (LOOK(flags, j) == 0)
                ;
        for (int j = 0; j < n; j++) {
            y[j] = x[j];
            PUT(flags, j, 0);
        }
    }
}

tile_kernel void flag_stays(float *restrict x, float *restrict y)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @stays_x
        TELL(stays, 0, 1);
    } else {
        while (LOOK(stays, 0) == 0)
            ;
        y[0] = x[0]; // @stays_y
    }
}

tile_kernel void starts_at_one(float *restrict x, float *restrict y)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @one_x
        TELL(ones, 0, 1);
    } else {
        while (LOOK(ones, 0) == 0)
            ;
        y[0] = x[0]; // @one_y
        PUT(ones, 0, 0);
    }
}

tile_kernel void another_kernel_sets_it(float *restrict x, float *restrict y)
{
    tile_grid(2);
    if (tile_bid(0) == 0) {
        x[0] = 1.0f; // @shared_x
        TELL(shared, 0, 1);
    } else {
        while (LOOK(shared, 0) == 0)
            ;
        y[0] = x[0]; // @shared_y
        PUT(shared, 0, 0);
    }
}

tile_kernel void sets_it(float *restrict x)
{
    x[tile_bid(0)] = 1.0f;
    if (tile_bid(0) == 0)
        TELL(shared, 0, 1);
}

// EXPECT kernel last_resets
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel all_flags
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

// EXPECT kernel flag_stays
// EXPECT verdict unknown
// EXPECT TR020 @stays_x @stays_y possible

// EXPECT kernel starts_at_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @one_x @one_y

// EXPECT kernel another_kernel_sets_it
// EXPECT verdict unknown
// EXPECT TR020 @shared_x @shared_y possible

// EXPECT kernel sets_it
// EXPECT verdict race-free
