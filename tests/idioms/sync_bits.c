/* Flags that are the bits of one word, set by atomic or: one bit awaited, all bits awaited, in a
 * loop over the bits or as a whole, words of 32 and 64 bits, several words. A wait that is content
 * with another bit, or a bit that more than one tile block sets, is a race. */
#include <tile.h>

#define LAUNCH(words)                                                                              \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 16);                                                                \
    tile_extent(x, 64);                                                                            \
    tile_extent(y, 64);                                                                            \
    tile_extent(f, words);                                                                         \
    tile_contents(f, 0, 0)
#define SET(at, bits) tile_atomic_or(tile_pointers(f, at), bits, TILE_RELEASE, TILE_DEVICE)
#define LOOK(at)      tile_to_int(tile_load_ptr_at(tile_pointers(f, at), TILE_ACQUIRE, TILE_DEVICE))

/* The bit of the block before. */
tile_kernel void bit_before(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1;
    SET(0, 1 << b);
    if (b > 0) {
        while ((LOOK(0) & (1 << (b - 1))) == 0)
            ;
        y[b] = x[b - 1];
    }
}
// EXPECT kernel bit_before
// EXPECT verdict race-free

/* The bit before that of the block whose element is read. */
tile_kernel void bit_before_last(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1; // @bit_before_last_a
    SET(0, 1 << b);
    if (b > 1) {
        while ((LOOK(0) & (1 << (b - 2))) == 0)
            ;
        y[b] = x[b - 1]; // @bit_before_last_b
    }
}
// EXPECT kernel bit_before_last
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @bit_before_last_a @bit_before_last_b

/* By a shift to the right. */
tile_kernel void bit_shifted(int *restrict x, int *restrict y, int *restrict f, int n, int j)
{
    LAUNCH(1);
    tile_assume(0 <= j && j < n);
    int b = tile_bid(0);
    x[b] = 1;
    SET(0, 1 << b);
    if (b != j) {
        while (((LOOK(0) >> j) & 1) == 0)
            ;
        y[b] = x[j];
    }
}
// EXPECT kernel bit_shifted
// EXPECT verdict race-free

/* Shifted by one more, so that another bit will do. */
tile_kernel void bit_shifted_more(int *restrict x, int *restrict y, int *restrict f, int n, int j)
{
    LAUNCH(1);
    tile_assume(0 <= j && j < n);
    int b = tile_bid(0);
    x[b] = 1; // @bit_shifted_more_a
    SET(0, 1 << b);
    if (b != j) {
        while ((LOOK(0) >> j) == 0)
            ;
        y[b] = x[j]; // @bit_shifted_more_b
    }
}
// EXPECT kernel bit_shifted_more
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @bit_shifted_more_a @bit_shifted_more_b

/* All bits, one after the other. */
tile_kernel void bits_in_turn(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1;
    SET(0, 1 << b);
    if (b == 0) {
        for (int j = 0; j < n; j++)
            while ((LOOK(0) & (1 << j)) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel bits_in_turn
// EXPECT verdict race-free

/* Block 0's own bit is not waited for, nor is the last one. */
tile_kernel void bits_in_turn_short(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1; // @bits_in_turn_short_a
    SET(0, 1 << b);
    if (b == 0) {
        for (int j = 1; j < n - 1; j++)
            while ((LOOK(0) & (1 << j)) == 0)
                ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @bits_in_turn_short_b
    }
}
// EXPECT kernel bits_in_turn_short
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @bits_in_turn_short_a @bits_in_turn_short_b

/* All bits as one number. */
tile_kernel void bits_at_once(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1;
    SET(0, 1 << b);
    if (b == 0) {
        while (LOOK(0) != (1 << n) - 1)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel bits_at_once
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* All bits but the last. */
tile_kernel void bits_at_once_short(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1; // @bits_at_once_short_a
    SET(0, 1 << b);
    if (b == 0) {
        while ((LOOK(0) & ((1 << (n - 1)) - 1)) != (1 << (n - 1)) - 1)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j]; // @bits_at_once_short_b
    }
}
// EXPECT kernel bits_at_once_short
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR020 @bits_at_once_short_a @bits_at_once_short_b

/* Two bits, both of them. */
tile_kernel void bits_both(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    tile_assume(n >= 4);
    int b = tile_bid(0);
    x[b] = 1;
    SET(0, 1 << b);
    if (b == 1) {
        while ((LOOK(0) & 5) != 5)
            ;
        y[b] = x[0] + x[2];
    }
}
// EXPECT kernel bits_both
// EXPECT verdict race-free

/* Two bits, any of them. */
tile_kernel void bits_either(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    tile_assume(n >= 4);
    int b = tile_bid(0);
    x[b] = 1; // @bits_either_a
    SET(0, 1 << b);
    if (b == 1) {
        while ((LOOK(0) & 5) == 0)
            ;
        y[b] = x[0] + x[2]; // @bits_either_b
    }
}
// EXPECT kernel bits_either
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR019 @bits_either_a @bits_either_b
// EXPECT TR019 @bits_either_a @bits_either_b

/* Many words of 32 bits. */
tile_kernel void bits_of_words(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 1024);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_extent(f, 32);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1;
    SET(b / 32, 1u << (b % 32));
    if (b > 0) {
        while ((LOOK((b - 1) / 32) & (1u << ((b - 1) % 32))) == 0)
            ;
        y[b] = x[b - 1];
    }
}
// EXPECT kernel bits_of_words
// EXPECT verdict race-free

/* The bit of the block before in the word of this one. */
tile_kernel void bits_of_another_word(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 1024);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_extent(f, 256);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1; // @bits_of_another_word_a
    SET(b / 4, 1 << (b % 4));
    if (b > 0) {
        while ((LOOK((b - 1) / 8) & (1 << ((b - 1) % 4))) == 0)
            ;
        y[b] = x[b - 1]; // @bits_of_another_word_b
    }
}
// EXPECT kernel bits_of_another_word
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR019 @bits_of_another_word_a @bits_of_another_word_b

/* Words of 64 bits. */
tile_kernel void bits_long(int *restrict x, int *restrict y, long *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 63);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 1);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1;
    tile_atomic_or(tile_pointers(f, 0), 1l << b, TILE_RELEASE, TILE_DEVICE);
    if (b > 0) {
        while (
            ((long)tile_to_long(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) &
             (1l << (b - 1))) == 0)
            ;
        y[b] = x[b - 1];
    }
}
// EXPECT kernel bits_long
// EXPECT verdict race-free

/* Two tile blocks share a bit. */
tile_kernel void bit_of_two(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1; // @bit_of_two_a
    SET(0, 1 << (b / 2));
    if (b > 1) {
        while ((LOOK(0) & 1) == 0)
            ;
        y[b] = x[0]; // @bit_of_two_b
    }
}
// EXPECT kernel bit_of_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR019 @bit_of_two_a @bit_of_two_b

/* Two bits at once, of which either will do. */
tile_kernel void two_bits_of_one(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    tile_assume(n <= 8);
    int b = tile_bid(0);
    x[b] = 1;
    SET(0, 3 << (2 * b));
    if (b == 1) {
        while ((LOOK(0) & 2) == 0)
            ;
        y[b] = x[0];
    }
}
// EXPECT kernel two_bits_of_one
// EXPECT verdict race-free

/* The second bit of a pair is also the next block's first. */
tile_kernel void two_bits_overlap(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    tile_assume(n >= 3);
    int b = tile_bid(0);
    x[b] = 1; // @two_bits_overlap_a
    SET(0, 3 << b);
    if (b == 2) {
        while ((LOOK(0) & 2) == 0)
            ;
        y[b] = x[0]; // @two_bits_overlap_b
    }
}
// EXPECT kernel two_bits_overlap
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR019 @two_bits_overlap_a @two_bits_overlap_b

/* The bit is set before the element is stored. */
tile_kernel void bit_set_too_early(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    SET(0, 1 << b);
    x[b] = 1; // @bit_set_too_early_a
    if (b == 1) {
        while ((LOOK(0) & 1) == 0)
            ;
        y[b] = x[0]; // @bit_set_too_early_b
    }
}
// EXPECT kernel bit_set_too_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR016 @bit_set_too_early_a @bit_set_too_early_b

/* Another block stores the whole word. */
tile_kernel void bit_stored_over(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    tile_assume(n >= 3);
    int b = tile_bid(0);
    x[b] = 1; // @bit_stored_over_a
    if (b == 2)
        tile_store_ptr_at(tile_pointers(f, 0), 7, TILE_RELAXED, TILE_DEVICE);
    else
        SET(0, 1 << b);
    if (b == 1) {
        while ((LOOK(0) & 1) == 0)
            ;
        y[b] = x[0]; // @bit_stored_over_b
    }
}
// EXPECT kernel bit_stored_over
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR019 @bit_stored_over_a @bit_stored_over_b

/* The bit is there at launch. */
tile_kernel void bit_from_the_start(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 16);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 1);
    tile_contents(f, 0, 1);
    int b = tile_bid(0);
    x[b] = 1; // @bit_from_the_start_a
    SET(0, 1 << b);
    if (b == 1) {
        while ((LOOK(0) & 1) == 0)
            ;
        y[b] = x[0]; // @bit_from_the_start_b
    }
}
// EXPECT kernel bit_from_the_start
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @bit_from_the_start_a @bit_from_the_start_b

/* Scoped for the own tile block alone. */
tile_kernel void bit_narrow(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    int b = tile_bid(0);
    x[b] = 1;                                                              // @bit_narrow_a
    tile_atomic_or(tile_pointers(f, 0), 1 << b, TILE_RELEASE, TILE_BLOCK); // @bit_narrow_b
    if (b == 1) {
        while ((LOOK(0) & 1) == 0) // @bit_narrow_c
            ;
        y[b] = x[0]; // @bit_narrow_d
    }
}
// EXPECT kernel bit_narrow
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR006 @bit_narrow_a @bit_narrow_d
// EXPECT TR006 @bit_narrow_b @bit_narrow_b
// EXPECT TR006 @bit_narrow_b @bit_narrow_c
