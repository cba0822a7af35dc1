/* Flags and what they speak of in one allocation, which two arguments may point into. */
#include <tile.h>

#define RAISE(f) tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE)
#define WAIT(f)                                                                                    \
    while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0)     \
        ;

/* At one place, the weak store meets the look of who waits. */
tile_kernel void one_place(int *x, int *f, int *restrict y)
{
    tile_may_alias(x, f);
    tile_grid(2);
    tile_contents(f, 0, 0);
    tile_extent(f, 8);
    if (tile_bid(0) == 0) {
        x[0] = 1; // @store
        RAISE(f); // @raise
    } else {
        WAIT(f);     // @wait
        y[0] = x[0]; // @load
    }
}

// EXPECT kernel one_place
// EXPECT verdict race
// EXPECT TR005 @store @wait
// EXPECT TR005 @raise @load
// EXPECT TR020 @store @load
// EXPECT observable yes

tile_kernel void own_place(int *x, int *f, int *restrict y)
{
    tile_may_alias(x, f);
    tile_alias_offset(x, 0);
    tile_alias_offset(f, 8);
    tile_grid(2);
    tile_contents(f, 0, 0);
    tile_extent(x, 8);
    tile_extent(f, 8);
    if (tile_bid(0) == 0) {
        x[0] = 1;
        RAISE(f);
    } else {
        WAIT(f);
        y[0] = x[0];
    }
}
// EXPECT kernel own_place
// EXPECT verdict race-free
