/* 90. A block passes the address of its own memory to another block by message passing, and that
 * block loads through it. The order is right, but it is undefined behaviour all the same: the
 * address is valid only in its own block (U9). */
#include <tile.h>

tile_kernel void alloca_escape(long *box, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(box, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        int *own = tile_alloca(int, 1);
        token stored = tile_store_ptr_tko(tile_pointers(own, 0), 7, after_none);
        tile address = tile_ptr_to_int(tile_pointers(own, 0));
        token boxed = tile_store_ptr_tko(tile_pointers(box, 0), address, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored, boxed));
    } else {
        token looked, opened, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile address = tile_load_ptr_tko(tile_pointers(box, 0), after(looked), &opened);
            tile theirs = tile_int_to_ptr(address, int);
            tile v = tile_load_ptr_tko(theirs, after(opened), &loaded);
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict unknown
// EXPECT reason data-dependent
// LAUNCH grid 2
