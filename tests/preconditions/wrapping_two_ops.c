/* Block 256 goes where block 0 goes, because 256 * 2^24 is 0 in 32 bits: by another operation, or
 * by one that far blocks alone execute. */
#include <tile.h>

tile_kernel void two_stores(int *x)
{
    unsigned b = tile_bid(0);
    if (b < 256u)
        x[b << 24] = 1; // @near
    else
        x[b << 24] = 2; // @far
}

tile_kernel void as_many_again(int *x)
{
    unsigned b = tile_bid(0);
    if (b < 256u)
        x[b * 16777216u] = 1; // @first
    else if (b < 512u)
        x[b * 16777216u] = 2; // @second
}

tile_kernel void store_and_load(int *restrict x, int *restrict y)
{
    unsigned b = tile_bid(0);
    if (b < 256u)
        x[b * 16777216u] = 1; // @stored
    else
        y[b] = x[b * 16777216u]; // @loaded
}

tile_kernel void store_and_update(int *x)
{
    unsigned b = tile_bid(0);
    if (b < 256u)
        x[b * 16777216u] = 1; // @plain
    else
        tile_atomic_add(tile_pointers(x, b * 16777216u), 1, TILE_RELAXED, TILE_DEVICE); // @update
}

tile_kernel void one_place(int *restrict x, int *restrict y)
{
    unsigned b = tile_bid(0);
    if (b == 0u)
        x[0] = 1; // @one
    else
        y[b] = x[b * 16777216u]; // @all
}

tile_kernel void far_blocks(int *x)
{
    unsigned b = tile_bid(0);
    if (b >= 256u)
        x[b * 16777216u] = 1; // @beyond
}

/* Twins: what updates alone, and grids that end before values begin again. */
tile_kernel void updates_alone(int *x)
{
    unsigned b = tile_bid(0);
    if (b < 256u)
        tile_atomic_add(tile_pointers(x, b * 16777216u), 1, TILE_RELAXED, TILE_DEVICE);
    else
        tile_atomic_add(tile_pointers(x, b * 16777216u), 2, TILE_RELAXED, TILE_DEVICE);
}

tile_kernel void small_grid(int *x)
{
    tile_grid(256);
    unsigned b = tile_bid(0);
    if (b < 128u)
        x[b * 16777216u] = 1;
    else
        x[b * 16777216u] = 2;
}

/* The blocks between leave the buffer, which is an error in itself. */
tile_kernel void ended(int *x)
{
    tile_extent(x, 1000000);
    unsigned b = tile_bid(0);
    if (b < 256u)
        x[b << 24] = 1; // @outside
    else
        x[b << 24] = 2;
}

tile_kernel void ended_offset(int *x, unsigned n)
{
    tile_extent(x, 1000000);
    tile_assume(n < 8);
    unsigned b = tile_bid(0);
    x[b * 65536u + n] = 1;
}

tile_kernel void ended_alone(int *x)
{
    tile_extent(x, 1000000);
    unsigned b = tile_bid(0);
    x[b * 65536u] = 1;
}

/* Updates whose scope leaves out the other blocks race as stores do. */
tile_kernel void narrow_update(int *x)
{
    unsigned b = tile_bid(0);
    tile_atomic_add(tile_pointers(x, b * 16777216u), 1, TILE_RELAXED, TILE_BLOCK); // @narrow
}

tile_kernel void narrow_updates(int *x)
{
    unsigned b = tile_bid(0);
    if (b < 256u)
        tile_atomic_add(tile_pointers(x, b << 24), 1, TILE_RELAXED, TILE_BLOCK); // @narrow_near
    else
        tile_atomic_add(tile_pointers(x, b << 24), 1, TILE_RELAXED, TILE_BLOCK); // @narrow_far
}

tile_kernel void narrow_and_wide(int *x)
{
    unsigned b = tile_bid(0);
    if (b < 256u)
        tile_atomic_add(tile_pointers(x, b << 24), 1, TILE_RELAXED, TILE_BLOCK); // @narrower
    else
        tile_atomic_add(tile_pointers(x, b << 24), 1, TILE_RELAXED, TILE_DEVICE); // @wider
}

tile_kernel void wide_update(int *x)
{
    unsigned b = tile_bid(0);
    tile_atomic_add(tile_pointers(x, b * 16777216u), 1, TILE_RELAXED, TILE_DEVICE);
}

// EXPECT kernel two_stores
// EXPECT verdict race
// EXPECT TR001 @near @far
// EXPECT TR001 @far @far
// EXPECT observable no

// EXPECT kernel as_many_again
// EXPECT verdict race
// EXPECT TR001 @first @second
// EXPECT observable no

// EXPECT kernel store_and_load
// EXPECT verdict race
// EXPECT TR002 @stored @loaded
// EXPECT observable no

// EXPECT kernel store_and_update
// EXPECT verdict race
// EXPECT TR005 @plain @update
// EXPECT observable no

// EXPECT kernel one_place
// EXPECT verdict race
// EXPECT TR002 @one @all
// EXPECT observable no

// EXPECT kernel far_blocks
// EXPECT verdict race
// EXPECT TR001 @beyond @beyond
// EXPECT observable no

// EXPECT kernel updates_alone
// EXPECT verdict race-free

// EXPECT kernel small_grid
// EXPECT verdict race-free

// EXPECT kernel ended
// EXPECT verdict race-free
// EXPECT TR008 @outside
// EXPECT requires no-wrap:launch

// EXPECT kernel ended_offset
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch

// EXPECT kernel ended_alone
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

// EXPECT kernel narrow_update
// EXPECT verdict race
// EXPECT TR006 @narrow @narrow
// EXPECT observable no

// EXPECT kernel narrow_updates
// EXPECT verdict race
// EXPECT TR006 @narrow_near @narrow_far
// EXPECT TR006 @narrow_far @narrow_far
// EXPECT observable no

// EXPECT kernel narrow_and_wide
// EXPECT verdict race
// EXPECT TR006 @narrower @wider
// EXPECT observable no

// EXPECT kernel wide_update
// EXPECT verdict race-free
