/* Divisors, counts of bits and numbers of slices whose arithmetic wraps. Nothing but stored values
 * is made of what they give, yet they decide whether the kernel is defined. */
#include <tile.h>

#define SIZES                                                                                      \
    tile_grid(1);                                                                                  \
    tile_assume(1 <= n && n <= 8);                                                                 \
    tile_extent(x, 4)

/* 2^30 times 4 or 8 is 0. */
tile_kernel void w_divisor(unsigned *restrict x, unsigned n)
{
    SIZES;
    x[0] = 7u / (n * 1073741824u); // @w_divisor
}

tile_kernel void w_remainder(unsigned *restrict x, unsigned n)
{
    SIZES;
    x[0] = 7u % (n * 1073741824u); // @w_remainder
}

tile_kernel void w_sum(unsigned *restrict x, unsigned n)
{
    SIZES;
    x[0] = 7u / (n * 1024u + 4294963200u); // @w_sum
}

tile_kernel void w_count(unsigned *restrict x, unsigned n)
{
    SIZES;
    x[0] = 7u << (n * 1073741833u); // @w_count
}

tile_kernel void w_slice(unsigned *restrict x, unsigned n)
{
    SIZES;
    tile t = tile_extract(tile_iota(16), tile_shape(4), n * 1073741825u); // @w_slice
    tile_store_ptr(tile_pointers(x, tile_iota(4)), t);
}

/* An odd factor makes nothing 0, and four times 2^30 is slice 0. */
tile_kernel void w_odd_divisor(unsigned *restrict x, unsigned n)
{
    SIZES;
    x[0] = 7u / (n * 1073741825u);
}

tile_kernel void w_first_slice(unsigned *restrict x, unsigned n)
{
    SIZES;
    tile t = tile_extract(tile_iota(16), tile_shape(4), (n / 9u + 4u) * 1073741824u);
    tile_store_ptr(tile_pointers(x, tile_iota(4)), t);
}

/* A number that is only stored may wrap. */
tile_kernel void w_stored(unsigned *restrict x, unsigned n)
{
    SIZES;
    x[0] = n * 1073741824u / 3u;
}

/* So may what a shift takes its count from, as random numbers do. */
tile_kernel void w_random(unsigned *restrict x, unsigned long seed)
{
    tile_grid(1);
    tile_extent(x, 4);
    unsigned long s = seed * 6364136223846793005ul + 1442695040888963407ul;
    unsigned low = (unsigned)(((s >> 18) ^ s) >> 27), by = (unsigned)(s >> 59);
    x[0] = low >> by | low << ((32u - by) & 31u);
}

// EXPECT kernel w_divisor
// EXPECT verdict race-free
// EXPECT TR010 @w_divisor

// EXPECT kernel w_remainder
// EXPECT verdict race-free
// EXPECT TR010 @w_remainder

// EXPECT kernel w_sum
// EXPECT verdict race-free
// EXPECT TR010 @w_sum

// EXPECT kernel w_count
// EXPECT verdict race-free
// EXPECT TR010 @w_count

// EXPECT kernel w_slice
// EXPECT verdict race-free
// EXPECT TR007 @w_slice

// EXPECT kernel w_odd_divisor
// EXPECT verdict race-free

// EXPECT kernel w_first_slice
// EXPECT verdict race-free

// EXPECT kernel w_stored
// EXPECT verdict race-free

// EXPECT kernel w_random
// EXPECT verdict race-free
