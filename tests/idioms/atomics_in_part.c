/* Atomic accesses of one width order what they do to one word. Two that lie half over each other
 * are of no one word, and nothing orders them. */
#include <tile.h>

/* A word of the buffer of halves that begins so many halves behind its start. */
#define WORD(x, at) tile_ptr_cast(tile_pointers(x, at), int)
#define ADD(x, at)  tile_atomic_add(WORD(x, at), 1, TILE_RELAXED, TILE_DEVICE)
#define LONG(x, at) tile_ptr_cast(tile_pointers(x, at), long)

tile_kernel void own_words(short *restrict x)
{
    ADD(x, 2 * tile_bid(0));
}
// EXPECT kernel own_words
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

tile_kernel void half_further(short *restrict x)
{
    tile_grid(4);
    ADD(x, tile_bid(0)); // @half_further
}
// EXPECT kernel half_further
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @half_further @half_further

tile_kernel void two_ops(short *restrict x)
{
    tile_grid(2);
    if (tile_bid(0) == 0)
        ADD(x, 2); // @even
    else
        ADD(x, 3); // @odd
}
// EXPECT kernel two_ops
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @even @odd

tile_kernel void a_load_half_further(short *restrict x, int *restrict y)
{
    tile_grid(2);
    if (tile_bid(0) == 0)
        tile_store_ptr_at(WORD(x, 2), 1, TILE_RELAXED, TILE_DEVICE); // @put
    else
        y[0] = tile_to_int(tile_load_ptr_at(WORD(x, 1), TILE_RELAXED, TILE_DEVICE)); // @get
}
// EXPECT kernel a_load_half_further
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR002 @put @get

tile_kernel void three_halves(short *restrict x)
{
    tile_grid(4);
    ADD(x, 3 * tile_bid(0));
}
// EXPECT kernel three_halves
// EXPECT verdict race-free

tile_kernel void of_eight_bytes(short *restrict x)
{
    tile_grid(4);
    tile_atomic_add(LONG(x, 2 * tile_bid(0)), 1L, TILE_RELAXED, TILE_DEVICE); // @of_eight_bytes
}
// EXPECT kernel of_eight_bytes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @of_eight_bytes @of_eight_bytes

tile_kernel void own_eight_bytes(short *restrict x)
{
    tile_grid(4);
    tile_atomic_add(LONG(x, 4 * tile_bid(0)), 1L, TILE_RELAXED, TILE_DEVICE);
}
// EXPECT kernel own_eight_bytes
// EXPECT verdict race-free

/* As many blocks as there may be: of a kernel that reads no axis nothing is asked, which the
 * contract that is written of it says, too. */
tile_kernel void of_no_axis(short *restrict x)
{
    ADD(x, 2);
}
// EXPECT kernel of_no_axis
// EXPECT verdict race-free
