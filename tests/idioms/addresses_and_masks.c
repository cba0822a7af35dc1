/* Where an access goes and which of its elements: pointers chosen lane by lane, constant addresses,
 * the null pointer behind a mask, 4-bit elements, flags of the launch. */
#include <tile.h>

/* Each lane is stored to one of two buffers, by one tile block each. */
tile_kernel void lanes_of_two_buffers(int *restrict x, int *restrict y, int n)
{
    tile_grid(2);
    tile_extent(x, 8);
    tile_extent(y, 8);
    int b = tile_bid(0);
    tile lane = tile_iota(8);
    tile own = tile_eq(tile_rem(lane, 2), b);
    tile at = tile_select(own, tile_pointers(x, lane), tile_pointers(y, lane));
    tile_store_masked(at, b, tile_lt(lane, n));
}

// EXPECT kernel lanes_of_two_buffers
// EXPECT verdict race-free

tile_kernel void lanes_shared_in_one(int *restrict x, int *restrict y, int n)
{
    tile_grid(2);
    tile_extent(x, 8);
    tile_extent(y, 8);
    int b = tile_bid(0);
    tile lane = tile_iota(8);
    tile own = tile_lt(tile_rem(lane, 2), b);
    tile at = tile_select(own, tile_pointers(x, lane), tile_pointers(y, lane));
    tile_store_masked(at, b, tile_lt(lane, n)); // @lanes_shared_in_one
}

// EXPECT kernel lanes_shared_in_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @lanes_shared_in_one @lanes_shared_in_one

/* One tile block stores to the chosen buffer; then both. */
tile_kernel void chosen_by_one(int *restrict x, int *restrict y, int n)
{
    tile_grid(2);
    tile_extent(x, 8);
    tile_extent(y, 8);
    if (tile_bid(0) == 0)
        *(n > 3 ? x : y) = 1;
}

// EXPECT kernel chosen_by_one
// EXPECT verdict race-free

tile_kernel void chosen_by_both(int *restrict x, int *restrict y, int n)
{
    tile_grid(2);
    tile_extent(x, 8);
    tile_extent(y, 8);
    int b = tile_bid(0);
    if (b < 2)
        *(n > 3 ? x : y) = b; // @chosen_by_both
}

// EXPECT kernel chosen_by_both
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @chosen_by_both @chosen_by_both
// EXPECT TR001 @chosen_by_both @chosen_by_both

/* No null pointer: the address may be that of an element of x. */
tile_kernel void constant_update(int *restrict x)
{
    tile_grid(2);
    tile_atomic_add(tile_int_to_ptr(4096L, int), 1, TILE_RELAXED, TILE_DEVICE);
    x[tile_bid(0)] = 1;
}

// EXPECT kernel constant_update
// EXPECT verdict unknown
// EXPECT reason data-dependent

/* The null pointer behind a mask that lets nothing through. */
tile_kernel void masked_null(int *restrict x, int n)
{
    tile_grid(2);
    tile_assume(n < 0);
    int read = tile_to_int(tile_load_masked(tile_int_to_ptr(0L, int), n > 0, 5));
    x[tile_bid(0)] = read;
}

// EXPECT kernel masked_null
// EXPECT verdict unknown
// EXPECT reason data-dependent

/* A flag of the launch. */
tile_kernel void flag_is_off(int *restrict x, bool flag)
{
    tile_grid(2);
    tile_assume(!flag);
    int b = tile_bid(0);
    if (flag)
        x[0] = b;
    x[b + 1] = b;
}

// EXPECT kernel flag_is_off
// EXPECT verdict race-free

tile_kernel void flag_is_on(int *restrict x, bool flag)
{
    tile_grid(2);
    tile_assume(flag);
    int b = tile_bid(0);
    if (flag)
        x[0] = b; // @flag_is_on
}

// EXPECT kernel flag_is_on
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @flag_is_on @flag_is_on

/* Flags from memory, and what stands in place of those behind the mask. */
tile_kernel void flags_padded_by_true(int *restrict x, const bool *restrict flags, int n)
{
    tile_grid(4);
    tile_extent(flags, 4);
    int b = tile_bid(0);
    if (tile_to_bool(tile_load_masked(tile_pointers(flags, b), b < n, true)))
        x[b / 2] = b; // @flags_padded_by_true
}

// EXPECT kernel flags_padded_by_true
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @flags_padded_by_true @flags_padded_by_true

tile_kernel void flags_padded_by_false(int *restrict x, const bool *restrict flags, int n)
{
    tile_grid(4);
    tile_extent(flags, 4);
    int b = tile_bid(0);
    if (tile_to_bool(tile_load_masked(tile_pointers(flags, b), b < 0, false)))
        x[b / 2] = b;
    x[b + 4] = b;
}

// EXPECT kernel flags_padded_by_false
// EXPECT verdict race-free

/* Two elements to a byte: the tile of block 1 begins in the middle of one, and ends in the first of
 * block 2. */
tile_kernel void tiles_from_an_odd_half(f4e2m1 *restrict x)
{
    tile_grid(3);
    tile_extent(x, 256);
    int b = tile_bid(0);
    if (b == 1)
        tile_store(tile_partition(tile_tensor(x + 65, 64), 64), tile_zeros(f4e2m1, 64), 0);
    else
        tile_store(tile_partition(tile_tensor(x + 64 * b, 64), 64), tile_zeros(f4e2m1, 64), 0);
}

// EXPECT kernel tiles_from_an_odd_half
// EXPECT verdict unknown
// EXPECT reason data-dependent

tile_kernel void tiles_from_even_halves(f4e2m1 *restrict x)
{
    tile_grid(3);
    tile_extent(x, 256);
    int b = tile_bid(0);
    if (b == 1)
        tile_store(tile_partition(tile_tensor(x + 64, 64), 64), tile_zeros(f4e2m1, 64), 0);
    else
        tile_store(tile_partition(tile_tensor(x + 64 * b, 64), 64), tile_zeros(f4e2m1, 64), 0);
}

// EXPECT kernel tiles_from_even_halves
// EXPECT verdict race-free

/* An unknown address may lead to the memory of another tile block, if that was given away. */
tile_kernel void memory_of_a_block(const int *x)
{
    tile_grid(2);
    tile_extent(x, 4);
    tile number = tile_ptr_to_int(tile_pointers(x, 0));
    int *own = tile_alloca(int, 4);
    token read, stored = tile_store_ptr_tko(tile_pointers(own, 0), tile_bid(0), after_none);
    tile_load_ptr_tko(tile_int_to_ptr(number, int), after(stored), &read);
}

// EXPECT kernel memory_of_a_block
// EXPECT verdict race-free
tile_kernel void memory_that_others_may_use(const int *x)
{
    tile_grid(2);
    tile_extent(x, 4);
    tile number = tile_ptr_to_int(tile_pointers(x, 0));
    int *own = tile_alloca_global(int, 4);
    token read, stored = tile_store_ptr_tko(tile_pointers(own, 0), tile_bid(0), after_none);
    tile_load_ptr_tko(tile_int_to_ptr(number, int), after(stored), &read);
}

// EXPECT kernel memory_that_others_may_use
// EXPECT verdict unknown
// EXPECT reason data-dependent
