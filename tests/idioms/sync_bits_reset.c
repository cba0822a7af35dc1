/* The last block of all, elected by bits, clears the word again. No lemma follows the store that
 * does; what the word holds at launch is 0 all the same where nobody says so, and launches in which
 * it holds anything else are no examples. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(3 <= n && n <= 8);                                                                 \
    tile_extent(x, 64);                                                                            \
    tile_extent(f, 8)
#define SET(bit) tile_to_int(tile_atomic_or(tile_pointers(f, 0), bit, TILE_ACQ_REL, TILE_DEVICE))
#define CLEAR    tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELAXED, TILE_DEVICE)
#define ALL      ((1 << n) - 1)

tile_kernel void by_the_last(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b; // @last_x
    if ((SET(bit) | bit) == ALL) {
        y[0] = x[0]; // @last_y
        CLEAR;
    }
}
// EXPECT kernel by_the_last
// EXPECT verdict unknown
// EXPECT TR020 @last_x @last_y possible
// EXPECT TR001 @last_y @last_y possible
// EXPECT requires no-wrap:launch

/* Whoever finds no bit clears those of the others: then nobody finds all. */
tile_kernel void by_the_first(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b; // @first_x
    int before = SET(bit);
    if ((before | bit) == ALL)
        y[0] = x[0]; // @first_y
    if (before == 0)
        CLEAR;
}
// EXPECT kernel by_the_first
// EXPECT verdict unknown
// EXPECT TR020 @first_x @first_y possible
// EXPECT TR001 @first_y @first_y possible
// EXPECT requires no-wrap:launch

/* One block earlier than the last: a race of launches that find the word cleared. */
tile_kernel void by_the_last_but_one(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b; // @early_x
    if ((SET(bit) | bit | 1) == ALL) {
        y[0] = x[0]; // @early_y
        CLEAR;
    }
}
// EXPECT kernel by_the_last_but_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @early_x @early_y
// EXPECT TR001 @early_y @early_y
// EXPECT requires no-wrap:launch
