/* Shifts by a number that the launch decides: rows whose width is a power of two, block ids that
 * are taken apart by it, segments. A row that is longer than the shift, a shift that is one less,
 * or one that drops what tells two blocks apart, is a race. */
#include <tile.h>

#define LAUNCH(most)                                                                               \
    tile_grid(8);                                                                                  \
    tile_assume(0 <= s && s <= (most));                                                            \
    tile_extent(y, 4096)

tile_kernel void starts(float *restrict y, int s)
{
    LAUNCH(7);
    y[tile_bid(0) << s] = 1;
}
// EXPECT kernel starts
// EXPECT verdict race-free

/* Two blocks at each place. */
tile_kernel void starts_of_two(float *restrict y, int s)
{
    LAUNCH(7);
    y[(tile_bid(0) / 2) << s] = tile_bid(0); // @starts_of_two
}
// EXPECT kernel starts_of_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @starts_of_two @starts_of_two

/* Shifted by 31, an id of 2 has no bit left. */
tile_kernel void drops_all(float *restrict y, int s)
{
    tile_grid(3);
    tile_assume(31 <= s && s <= 31);
    unsigned b = tile_bid(0);
    if (b != 1)
        y[b << s] = b; // @drops_all
}
// EXPECT kernel drops_all
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @drops_all @drops_all

tile_kernel void rows(float *restrict y, int s)
{
    LAUNCH(8);
    int b = tile_bid(0);
    for (int j = 0; j < 1 << s; j++)
        y[(b << s) + j] = 1;
}
// EXPECT kernel rows
// EXPECT verdict race-free

tile_kernel void rows_one_longer(float *restrict y, int s)
{
    LAUNCH(7);
    int b = tile_bid(0);
    for (int j = 0; j <= 1 << s; j++)
        y[(b << s) + j] = b; // @rows_one_longer
}
// EXPECT kernel rows_one_longer
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @rows_one_longer @rows_one_longer

tile_kernel void rows_by_product(float *restrict y, int s)
{
    LAUNCH(8);
    int b = tile_bid(0);
    for (int j = 0; j < 1 << s; j++)
        y[(1 << s) * b + j] = 1;
}
// EXPECT kernel rows_by_product
// EXPECT verdict race-free

/* Rows start at half their width: no launch has them apart. */
tile_kernel void rows_of_half(float *restrict y, int s)
{
    LAUNCH(8);
    tile_assume(s >= 1);
    int b = tile_bid(0);
    for (int j = 0; j < 1 << s; j++)
        y[(1 << (s - 1)) * b + j] = b; // @rows_of_half
}
// EXPECT kernel rows_of_half
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @rows_of_half @rows_of_half

tile_kernel void rows_joined(float *restrict y, int s)
{
    LAUNCH(8);
    int b = tile_bid(0);
    for (int j = 0; j < 1 << s; j++)
        y[(b << s) | j] = 1;
}
// EXPECT kernel rows_joined
// EXPECT verdict race-free

tile_kernel void rows_joined_twice(float *restrict y, int s)
{
    LAUNCH(8);
    int b = tile_bid(0);
    for (int j = 0; j < 2 << s; j++)
        y[(b << s) | j] = b; // @rows_joined_twice
}
// EXPECT kernel rows_joined_twice
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @rows_joined_twice @rows_joined_twice

tile_kernel void lanes(float *restrict y, int s)
{
    LAUNCH(5);
    tile e = tile_iota(32);
    tile_store_masked(tile_pointers(y, (tile_bid(0) << s) + e), tile_zeros(float, 32),
                      tile_lt(e, 1 << s));
}
// EXPECT kernel lanes
// EXPECT verdict race-free

/* The mask of rows twice as wide. */
tile_kernel void lanes_of_two(float *restrict y, int s)
{
    LAUNCH(4);
    tile e = tile_iota(32);
    tile_store_masked(tile_pointers(y, (tile_bid(0) << s) + e), // @lanes_of_two
                      tile_full(1.0f, 32) * tile_bid(0), tile_lt(e, 2 << s));
}
// EXPECT kernel lanes_of_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @lanes_of_two @lanes_of_two

/* Row and column of the block's number. */
tile_kernel void taken_apart(float *restrict y, int s)
{
    LAUNCH(7);
    int b = tile_bid(0), row = b >> s, column = b & ((1 << s) - 1);
    y[row * (1 << s) + column] = 1;
}
// EXPECT kernel taken_apart
// EXPECT verdict race-free

/* The column loses its highest bit. */
tile_kernel void column_too_narrow(float *restrict y, int s)
{
    LAUNCH(2);
    tile_assume(s >= 1);
    int b = tile_bid(0), row = b >> s, column = b & ((1 << (s - 1)) - 1);
    y[row * (1 << s) + column] = b; // @column_too_narrow
}
// EXPECT kernel column_too_narrow
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @column_too_narrow @column_too_narrow

tile_kernel void groups(float *restrict y, int s)
{
    LAUNCH(3);
    y[tile_bid(0) >> s] = tile_bid(0); // @groups
}
// EXPECT kernel groups
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @groups @groups

/* Each element belongs to one segment. */
tile_kernel void segments(float *restrict y, int s, int n)
{
    LAUNCH(7);
    tile_assume(0 < n && n <= 4096);
    for (int i = 0; i < n; i++)
        if (i >> s == tile_bid(0))
            y[i] = 1;
}
// EXPECT kernel segments
// EXPECT verdict race-free

tile_kernel void segments_of_two(float *restrict y, int s, int n)
{
    LAUNCH(7);
    tile_assume(0 < n && n <= 4096);
    for (int i = 0; i < n; i++)
        if (i >> s == tile_bid(0) / 2)
            y[i] = tile_bid(0); // @segments_of_two
}
// EXPECT kernel segments_of_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @segments_of_two @segments_of_two

/* In 16 bits the ids keep all of theirs up to a shift of 13. */
tile_kernel void narrow(float *restrict y, int s)
{
    tile_grid(8);
    tile_assume(0 <= s && s <= 13);
    tile_extent(y, 65536);
    unsigned short b = (unsigned short)tile_bid(0);
    y[(unsigned short)(b << s)] = 1;
}
// EXPECT kernel narrow
// EXPECT verdict race-free

tile_kernel void narrow_by_one_more(float *restrict y, int s)
{
    tile_grid(8);
    tile_assume(0 <= s && s <= 14);
    tile_extent(y, 65536);
    unsigned short b = (unsigned short)tile_bid(0);
    y[(unsigned short)(b << s)] = b; // @narrow_by_one_more
}
// EXPECT kernel narrow_by_one_more
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @narrow_by_one_more @narrow_by_one_more

/* A negative number goes to the right as an unsigned one, and lands elsewhere. */
tile_kernel void unsigned_right(float *restrict y, int s)
{
    tile_grid(8);
    tile_assume(24 <= s && s <= 28);
    tile_extent(y, 4096);
    y[(unsigned)(tile_bid(0) - 4) >> s] = tile_bid(0); // @unsigned_right
}
// EXPECT kernel unsigned_right
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @unsigned_right @unsigned_right
