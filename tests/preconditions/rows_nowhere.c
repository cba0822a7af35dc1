/* Lanes that have nothing to store go to a row that lies behind the array, a number that was a size
 * when the kernel was compiled; the mask then leaves them out. */
#include <tile.h>

tile_kernel void behind_the_rows(float *restrict y, int n, int m)
{
    tile row = tile_iota(64) + tile_bid(0) * 64;
    tile place = tile_select(tile_lt(row, n), row, 1000);
    tile_store_masked(tile_pointers(y, place), 1.0f, tile_lt(place, m)); // @behind_the_rows
}
// EXPECT kernel behind_the_rows
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires in-bounds:race
// EXPECT asks m <= 1000
// EXPECT TR004 @behind_the_rows

tile_kernel void behind_the_slots(float *restrict y, const int *restrict slot, int n, int m)
{
    tile_unique(slot);
    tile at = tile_iota(64) + tile_bid(0) * 64;
    tile inside = tile_lt(at, n);
    tile row = tile_load_masked(tile_pointers(slot, at), inside, 0);
    tile place = tile_select(inside, row, 4096);
    tile mask = tile_and(tile_ge(place, 0), tile_lt(place, m));
    tile_store_masked(tile_pointers(y, place), 1.0f, mask); // @behind_the_slots
}
// EXPECT kernel behind_the_slots
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires in-bounds:race
// EXPECT asks m <= 4096
// EXPECT TR004 @behind_the_slots

/* Twins: the first row, and one that every array has. */
tile_kernel void to_the_first(float *restrict y, int n, int m)
{
    tile row = tile_iota(64) + tile_bid(0) * 64;
    tile place = tile_select(tile_lt(row, n), row, 0);
    tile_store_masked(tile_pointers(y, place), 1.0f, tile_lt(place, m)); // @to_the_first
}
// EXPECT kernel to_the_first
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @to_the_first @to_the_first
// EXPECT TR004 @to_the_first

tile_kernel void to_the_second(float *restrict y, int n, int m)
{
    tile row = tile_iota(64) + tile_bid(0) * 64;
    tile place = tile_select(tile_lt(row, n), row, 1);
    tile_store_masked(tile_pointers(y, place), 1.0f, tile_lt(place, m)); // @to_the_second
}
// EXPECT kernel to_the_second
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @to_the_second @to_the_second
// EXPECT TR004 @to_the_second

tile_kernel void not_masked(float *restrict y, int n)
{
    tile row = tile_iota(64) + tile_bid(0) * 64;
    tile place = tile_select(tile_lt(row, n), row, 1000);
    tile_store_ptr(tile_pointers(y, place), 1.0f); // @not_masked
}
// EXPECT kernel not_masked
// EXPECT verdict race
// EXPECT observable no
// EXPECT requires in-bounds:launch
// EXPECT TR001 @not_masked @not_masked
// EXPECT TR004 @not_masked
