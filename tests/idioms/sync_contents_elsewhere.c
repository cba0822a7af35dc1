/* What a contract says of the contents of a buffer it says of whole elements. A word of another
 * width, or one that lies half over the next element, holds another number at launch; 0 it is where
 * all elements are. */
#include <tile.h>

#define LAUNCH(value)                                                                              \
    tile_grid(2);                                                                                  \
    tile_contents(f, value, value);                                                                \
    tile_extent(f, 8);                                                                             \
    int b = tile_bid(0)
#define HALVES(f, at)   tile_offset(tile_ptr_cast(tile_pointers(f, 0), short), at)
#define WORD(f, at)     tile_ptr_cast(HALVES(f, at), int)
#define LONG(f)         tile_ptr_cast(tile_pointers(f, 0), long)
#define RAISE(p, value) tile_store_ptr_at(p, value, TILE_RELEASE, TILE_DEVICE)
#define LOOK(p)         tile_load_ptr_at(p, TILE_ACQUIRE, TILE_DEVICE)

/* The word between two elements of 1 is 65536. */
tile_kernel void between_two(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(1);
    if (b == 0) {
        x[0] = 1; // @between_two
        RAISE(WORD(f, 1), 7);
    } else if (tile_to_int(LOOK(WORD(f, 1))) != 1) {
        y[0] = x[0]; // @read_between_two
    }
}
// EXPECT kernel between_two
// EXPECT verdict race
// EXPECT TR020 @between_two @read_between_two
// EXPECT observable yes

tile_kernel void whole_element(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(1);
    if (b == 0) {
        x[0] = 1;
        RAISE(WORD(f, 2), 7);
    } else if (tile_to_int(LOOK(WORD(f, 2))) != 1) {
        y[0] = x[0];
    }
}
// EXPECT kernel whole_element
// EXPECT verdict race-free

/* The lower half of an element of 1 is not 0. */
tile_kernel void half(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(1);
    if (b == 0) {
        x[0] = 1; // @half
        RAISE(HALVES(f, 0), (short)5);
    } else if (tile_to_int(tile_cast(LOOK(HALVES(f, 0)), int)) != 0) {
        y[0] = x[0]; // @read_half
    }
}
// EXPECT kernel half
// EXPECT verdict race
// EXPECT TR020 @half @read_half
// EXPECT observable yes

tile_kernel void half_of_zero(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(0);
    if (b == 0) {
        x[0] = 1;
        RAISE(HALVES(f, 0), (short)5);
    } else if (tile_to_int(tile_cast(LOOK(HALVES(f, 0)), int)) != 0) {
        y[0] = x[0];
    }
}
// EXPECT kernel half_of_zero
// EXPECT verdict race-free

tile_kernel void two_elements(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(1);
    if (b == 0) {
        x[0] = 1; // @two_elements
        RAISE(LONG(f), 5L);
    } else if (tile_to_long(LOOK(LONG(f))) != 0) {
        y[0] = x[0]; // @read_two_elements
    }
}
// EXPECT kernel two_elements
// EXPECT verdict race
// EXPECT TR020 @two_elements @read_two_elements
// EXPECT observable yes

tile_kernel void between_zeros(int *restrict x, int *restrict y, int *restrict f)
{
    LAUNCH(0);
    if (b == 0) {
        x[0] = 1;
        RAISE(WORD(f, 1), 7);
    } else if (tile_to_int(LOOK(WORD(f, 1))) != 0) {
        y[0] = x[0];
    }
}
// EXPECT kernel between_zeros
// EXPECT verdict race-free

/* Elements that differ: what lies between two of them need not. Here nobody says what it is. */
tile_kernel void table_between(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_unique(f);
    tile_contents(f, 0, 1000000);
    tile_extent(f, 8);
    int i = tile_to_int(tile_load_ptr(WORD(f, 2 * tile_bid(0) + 1)));
    if (i >= 0)
        x[i] = 1; // @table_between
}
// EXPECT kernel table_between
// EXPECT verdict unknown
// EXPECT reason data-dependent
// EXPECT TR001 @table_between @table_between possible

tile_kernel void table(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_unique(f);
    tile_contents(f, 0, 1000000);
    tile_extent(f, 8);
    int i = tile_to_int(tile_load_ptr(WORD(f, 2 * tile_bid(0))));
    if (i >= 0)
        x[i] = 1;
}
// EXPECT kernel table
// EXPECT verdict race-free
