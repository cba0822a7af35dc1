/* Elections by the bits of a word: the first to set a bit, as in a bitmap of what was visited, and
 * the last of all to set its own. Where another bit is looked at, where a bit is taken away, or
 * where the word holds bits at launch, several tile blocks proceed. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(3 <= n && n <= 16);                                                                \
    tile_extent(x, 64);                                                                            \
    tile_extent(y, 64);                                                                            \
    tile_extent(f, 4)
#define CLEARED tile_contents(f, 0, 0)
#define SET(at, bits, order)                                                                       \
    tile_to_int(tile_atomic_or(tile_pointers(f, at), bits, order, TILE_DEVICE))
#define ALL ((1 << n) - 1)

static int sum_of(const int *x, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i]; // @sum
    return sum;
}

/* The last one adds up what all have stored. */
tile_kernel void last_of_all(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b;
    if ((SET(0, bit, TILE_ACQ_REL) | bit) == ALL)
        y[0] = sum_of(x, n);
}
// EXPECT kernel last_of_all
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* By what the others have set. */
tile_kernel void last_by_the_others(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b;
    if (SET(0, bit, TILE_ACQ_REL) == (ALL ^ bit))
        y[0] = sum_of(x, n);
}
// EXPECT kernel last_by_the_others
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* Block 0's bit is taken for set, so the one before the last proceeds too. */
tile_kernel void last_but_one(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b; // @last_but_one_x
    if ((SET(0, bit, TILE_ACQ_REL) | bit | 1) == ALL)
        y[0] = sum_of(x, n); // @last_but_one_y
}
// EXPECT kernel last_but_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @last_but_one_x
// EXPECT TR001 @last_but_one_y @last_but_one_y
// EXPECT requires no-wrap:launch

/* No order with those before. */
tile_kernel void last_relaxed(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b; // @last_relaxed_x
    if ((SET(0, bit, TILE_RELAXED) | bit) == ALL)
        y[0] = sum_of(x, n); // @last_relaxed_y
}
// EXPECT kernel last_relaxed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR014 @sum @last_relaxed_x
// EXPECT requires no-wrap:launch

/* Two tile blocks share a bit. */
tile_kernel void last_of_pairs(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    tile_assume(n == 4);
    int b = tile_bid(0), bit = 1 << (b / 2);
    x[b] = b; // @last_of_pairs_x
    if ((SET(0, bit, TILE_ACQ_REL) | bit) == 3)
        y[0] = sum_of(x, n); // @last_of_pairs_y
}
// EXPECT kernel last_of_pairs
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @last_of_pairs_x
// EXPECT TR001 @last_of_pairs_y @last_of_pairs_y

/* Block 0 sets all bits at once. */
tile_kernel void last_beside_a_leader(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    tile_assume(n == 4);
    int b = tile_bid(0), bit = 1 << b;
    x[b] = b; // @leader_x
    if ((SET(0, b == 0 ? 15 : bit, TILE_ACQ_REL) | bit) == 15)
        y[0] = sum_of(x, n); // @leader_y
}
// EXPECT kernel last_beside_a_leader
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @leader_x
// EXPECT TR001 @leader_y @leader_y

/* The first of all, in any order. */
tile_kernel void first_of_all(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    if ((SET(0, 1, TILE_RELAXED) & 1) == 0)
        y[0] = b;
}
// EXPECT kernel first_of_all
// EXPECT verdict race-free

/* What was visited: whoever sets the bit of an element stores it. */
tile_kernel void visited(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    tile_contents(x, 0, 63);
    int b = tile_bid(0), i = x[b], bit = 1 << i % 32;
    if ((SET(i / 32, bit, TILE_RELAXED) & bit) == 0)
        y[i] = b;
}
// EXPECT kernel visited
// EXPECT verdict race-free

tile_kernel void visited_in_turn(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    tile_contents(x, 0, 31);
    for (int j = 0; j < 4; j++) {
        int i = x[4 * (tile_bid(0) % 16) + j];
        if ((SET(0, 1 << i, TILE_RELAXED) >> i & 1) == 0)
            y[i] = j;
    }
}
// EXPECT kernel visited_in_turn
// EXPECT verdict race-free

/* Two elements of two bits are one place. */
tile_kernel void visited_in_pairs(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    tile_contents(x, 0, 63);
    int b = tile_bid(0), i = x[b], bit = 1 << i % 32;
    if ((SET(i / 32, bit, TILE_RELAXED) & bit) == 0)
        y[i / 2] = b; // @visited_in_pairs
}
// EXPECT kernel visited_in_pairs
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @visited_in_pairs @visited_in_pairs

/* Bits of all words, places of one. */
tile_kernel void visited_of_words(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    tile_contents(x, 0, 63);
    int b = tile_bid(0), i = x[b], bit = 1 << i % 32;
    if ((SET(i / 32, bit, TILE_RELAXED) & bit) == 0)
        y[i % 32] = b; // @visited_of_words
}
// EXPECT kernel visited_of_words
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @visited_of_words @visited_of_words

/* A bit that nobody sets. */
tile_kernel void first_by_another_bit(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    int b = tile_bid(0);
    if ((SET(0, 1, TILE_ACQ_REL) & 2) == 0)
        y[0] = b; // @another_bit
}
// EXPECT kernel first_by_another_bit
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @another_bit @another_bit

/* Turned and turned back: every other one finds the bit clear. */
tile_kernel void first_by_turning(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    CLEARED;
    int b = tile_bid(0);
    if ((tile_to_int(tile_atomic_xor(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE)) & 1) == 0)
        y[0] = b; // @turning
}
// EXPECT kernel first_by_turning
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @turning @turning
