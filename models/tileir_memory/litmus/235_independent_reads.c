/* 235. Two blocks store to one element each, two others load both, in opposite orders, all with
 * release or acquire. Race-free (A2). The readers may disagree about which store came first: no
 * rule gives all writes one order (D22). */
#include <tile.h>

tile_kernel void independent_reads(int *x, int *y, int *seen)
{
    tile_grid(4);
    tile_extent(x, 1);
    tile_extent(y, 1);
    tile_extent(seen, 4);
    tile_contents(x, 0, 0);
    tile_contents(y, 0, 0);

    int b = tile_bid(0);
    tile at_x = tile_pointers(x, 0), at_y = tile_pointers(y, 0);
    token first, second;
    if (b == 0) {
        tile_store_masked_tko(at_x, 1, true, TILE_RELEASE, TILE_DEVICE, after_none);
    } else if (b == 1) {
        tile_store_masked_tko(at_y, 1, true, TILE_RELEASE, TILE_DEVICE, after_none);
    } else if (b == 2) {
        tile v = tile_load_masked_tko(at_x, true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none, &first);
        tile w =
            tile_load_masked_tko(at_y, true, 0, TILE_ACQUIRE, TILE_DEVICE, after(first), &second);
        tile_store_ptr_tko(tile_pointers(seen, b), v + 2 * w, after_none);
    } else {
        tile v = tile_load_masked_tko(at_y, true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none, &first);
        tile w =
            tile_load_masked_tko(at_x, true, 0, TILE_ACQUIRE, TILE_DEVICE, after(first), &second);
        tile_store_ptr_tko(tile_pointers(seen, b), v + 2 * w, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 4
// OUTCOME allowed r0=1 r1=0 r2=1 r3=0
// OUTCOME allowed r0=1 r1=1 r2=1 r3=1
