#include <tile.h>

tile_kernel void k(float *p, const int *q, f8e4m3 *e, f4e2m1 *n)
{
    tile f = tile_zeros(float, 4), i = tile_zeros(int, 4), m = tile_lt(i, 2);
    tile r = f + i; // error: differ in their element type
    r = i + 0.5f; // error: a float number cannot be combined
    r = m + m; // error: addition does not work on tile<4xi1>
    r = tile_exp(i); // error: this does not work on tile<4xi32>
    r = tile_and(f, f); // error: bitwise and does not work on
    r = tile_shl(f, 1); // error: shift does not work on
    r = tile_rem(tile_zeros(f8e4m3, 4), 1); // error: remainder does not work on
    r = ~f; // error: ~ does not work on tiles
    r = tile_select(f, i, i); // error: the condition is tile<4xf32>, not a tile of bool
    r = tile_bitcast(f, short); // error: differ in their number of bits
    r = tile_cast(f, void); // error: this type is no element type
    r = tile_cast(tile_iota(4), f8e8m0); // error: integers cannot be converted to f8E8M0FNU directly
    r = tile_offset(f, 1); // error: this is no pointer
    r = tile_pointers(p, f); // error: an offset must be an integer
    r = tile_int_to_ptr(i, float); // error: pointers are made of 64-bit integers
    tile_store_ptr(tile_pointers(p, i), i); // error: has elements of type i32, but the buffer holds f32
    tile_store_ptr(tile_pointers(q, i), i); // error: this stores to a buffer that is const
    tile_store_ptr(tile_pointers(p, i), tile_zeros(float, 8)); // error: the stored value is tile<8xf32>
    r = tile_load_masked(tile_pointers(p, i), i, 0); // error: a mask is a tile of bool
    r = tile_pointers(n, i); // error: pointers cannot access elements of f4E2M1FN, which have 4 bits
    r = tile_load_ptr(tile_pointers(n, 0)); // error: pointers cannot access elements of f4E2M1FN
    tile_store_ptr(tile_pointers(n, 0), f); // error: pointers cannot access elements of f4E2M1FN
    r = tile_ptr_cast(tile_pointers(p, i), f4e2m1); // error: pointers cannot access elements of f4E2M1FN
    (void)r, (void)e;
}
