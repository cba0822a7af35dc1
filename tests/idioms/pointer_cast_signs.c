/* What is read through a pointer that was cast has the sign of the type that it was cast to, also
 * where that has as many bits. */
#include <tile.h>

tile_kernel void below_zero(int *restrict x, unsigned short *restrict f)
{
    tile_grid(2);
    tile_contents(f, 65535, 65535);
    int b = tile_bid(0);
    int v = tile_to_int(tile_load_ptr(tile_ptr_cast(tile_pointers(f, b), short)));
    if (v < 0)
        x[0] = b; // @below
}

tile_kernel void above_five(int *restrict x, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, -1, -1);
    int b = tile_bid(0);
    if (tile_to_long(tile_load_ptr(tile_ptr_cast(tile_pointers(f, b), unsigned))) > 0)
        x[0] = b; // @above
}

tile_kernel void largest(int *restrict x, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, -1, -1);
    int b = tile_bid(0);
    if (tile_to_int(tile_atomic_max(tile_ptr_cast(tile_pointers(f, 0), unsigned), 1u, TILE_RELAXED,
                                    TILE_DEVICE)) == -1)
        x[0] = b; // @largest
}

/* Twins: the first block alone finds -1, as 1 is more; and nothing is above 0. */
tile_kernel void signed_largest(int *restrict x, unsigned *restrict f)
{
    tile_grid(2);
    tile_contents(f, 4294967295u, 4294967295u);
    int b = tile_bid(0);
    if (tile_to_int(tile_atomic_max(tile_ptr_cast(tile_pointers(f, 0), int), 1, TILE_RELAXED,
                                    TILE_DEVICE)) == -1)
        x[0] = b;
}

tile_kernel void there_and_back(int *restrict x, unsigned *restrict f)
{
    tile_grid(2);
    tile_contents(f, 4294967295u, 4294967295u);
    int b = tile_bid(0);
    if (tile_to_long(
            tile_load_ptr(tile_ptr_cast(tile_ptr_cast(tile_pointers(f, b), int), unsigned))) > 0)
        x[0] = b; // @back
}

// EXPECT kernel below_zero
// EXPECT verdict race
// EXPECT TR001 @below @below
// EXPECT observable yes

// EXPECT kernel above_five
// EXPECT verdict race
// EXPECT TR001 @above @above
// EXPECT observable yes

// EXPECT kernel largest
// EXPECT verdict race
// EXPECT TR001 @largest @largest
// EXPECT observable yes

// EXPECT kernel signed_largest
// EXPECT verdict race-free

// EXPECT kernel there_and_back
// EXPECT verdict race
// EXPECT TR001 @back @back
// EXPECT observable yes
