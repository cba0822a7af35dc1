/* Slices of tiles, and tiles put behind each other: a slice is one that the tile has, and elements
 * that are not followed make no others known. */
#include <tile.h>

tile_kernel void a_slice_of_four(int *restrict x, int n)
{
    tile_grid(1);
    tile_assume(0 <= n && n < 4);
    tile_extent(x, 16);
    tile_store_ptr(tile_pointers(x, tile_extract(tile_iota(16), tile_shape(4), n)), 1);
}
// EXPECT kernel a_slice_of_four
// EXPECT verdict race-free

tile_kernel void a_slice_behind_the_last(int *restrict x, int n)
{
    tile_grid(1);
    tile_assume(0 <= n && n <= 4);
    tile_extent(x, 32);
    tile at = tile_extract(tile_iota(16), tile_shape(4), n); // @behind
    tile_store_ptr(tile_pointers(x, at), 1);
}
// EXPECT kernel a_slice_behind_the_last
// EXPECT verdict race-free
// EXPECT TR007 @behind

tile_kernel void a_slice_before_the_first(int *restrict x, int n)
{
    tile_grid(1);
    tile_assume(-1 <= n && n < 4);
    tile_extent(x, 16);
    tile at = tile_extract(tile_iota(16), tile_shape(4), n); // @before
    tile_store_ptr(tile_pointers(x, at), 1);
}
// EXPECT kernel a_slice_before_the_first
// EXPECT verdict race-free
// EXPECT TR007 @before

tile_kernel void a_slice_of_each_row(int *restrict x, int n)
{
    tile_grid(4);
    tile_extent(x, 16);
    tile rows = tile_permute(tile_reshape(tile_iota(16), 4, 4), 1, 0);
    tile at = tile_reshape(tile_extract(rows, tile_shape(4, 1), 0, tile_bid(0)), 4);
    tile_store_ptr(tile_pointers(x, at), 1);
}
// EXPECT kernel a_slice_of_each_row
// EXPECT verdict race-free

tile_kernel void a_slice_of_two_rows(int *restrict x, int n)
{
    tile_grid(4);
    tile_extent(x, 16);
    tile rows = tile_permute(tile_reshape(tile_iota(16), 4, 4), 1, 0);
    tile at = tile_reshape(tile_extract(rows, tile_shape(4, 1), 0, tile_bid(0) / 2), 4);
    tile_store_ptr(tile_pointers(x, at), tile_bid(0)); // @two_rows
}
// EXPECT kernel a_slice_of_two_rows
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @two_rows @two_rows

/* Halves of a tile that tile blocks share, or have for themselves. */
tile_kernel void own_halves(int *restrict x)
{
    tile_grid(4);
    tile_extent(x, 64);
    tile half = tile_iota(4) + 4 * tile_bid(0);
    tile_store_ptr(tile_pointers(x, tile_cat(half, half + 16, 0)), 1);
}
// EXPECT kernel own_halves
// EXPECT verdict race-free

tile_kernel void a_half_of_the_next(int *restrict x)
{
    tile_grid(4);
    tile_extent(x, 64);
    tile half = tile_iota(4) + 4 * tile_bid(0);
    tile_store_ptr(tile_pointers(x, tile_cat(half, half + 4, 0)), tile_bid(0)); // @of_the_next
}
// EXPECT kernel a_half_of_the_next
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @of_the_next @of_the_next

/* Floats are not followed, and numbers that are made of them are not known. */
tile_kernel void halves_of_floats(float *restrict x)
{
    tile_grid(4);
    tile_extent(x, 32);
    tile half = tile_full(1.0f, 4), both = tile_cat(half, half + 1.0f, 0);
    tile_store_ptr(tile_pointers(x, tile_iota(8) + 8 * tile_bid(0)), both);
}
// EXPECT kernel halves_of_floats
// EXPECT verdict race-free

#define PLACES                                                                                     \
    tile_grid(2);                                                                                  \
    tile_extent(f, 4);                                                                             \
    tile own = tile_iota(4) + 4 * tile_bid(0), at = tile_iota(8);                                  \
    tile any = tile_cast(tile_load_ptr(tile_pointers(f, tile_iota(4))), int)

tile_kernel void own_places_first(int *restrict x, const float *restrict f)
{
    PLACES;
    at = tile_cat(own, any, 0);
    tile_store_masked(tile_pointers(x, at), 1, tile_lt(tile_iota(8), 4));
}
// EXPECT kernel own_places_first
// EXPECT verdict race-free

tile_kernel void any_places_first(int *restrict x, const float *restrict f)
{
    PLACES;
    at = tile_cat(any, own, 0);
    tile_store_masked(tile_pointers(x, at), 1, tile_lt(tile_iota(8), 4)); // @any_places
}
// EXPECT kernel any_places_first
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @any_places @any_places
// EXPECT TR004 @any_places
