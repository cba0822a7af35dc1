// What a reduction begins with takes part in it like an element: the least of all flags and -1 is
// -1, whatever the flags are.
#include <tile.h>

#define FLAG(i)    tile_pointers(f, i)
#define RAISE(i)   tile_store_ptr_at(FLAG(i), 1, TILE_RELEASE, TILE_DEVICE)
#define LOWER(i)   tile_store_ptr_at(FLAG(i), 0, TILE_RELEASE, TILE_DEVICE)
#define LOOK(tile) tile_load_ptr_at(FLAG(tile), TILE_ACQUIRE, TILE_DEVICE)

static tile least(tile a, tile b)
{
    return tile_minimum(a, b);
}

static tile most(tile a, tile b)
{
    return tile_maximum(a, b);
}

tile_kernel void looks_once(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(2);
    tile_contents(f, 0, 0);
    if (tile_bid(0) == 0) {
        x[0] = 1; // @once
        RAISE(0);
        RAISE(1);
    } else if (tile_to_int(tile_reduce(LOOK(tile_iota(2)), 0, -1, least)) != 0) {
        y[0] = x[0]; // @read_once
    }
}

tile_kernel void waits_for_eight(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(9);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b < 8) {
        x[b] = 1; // @eight
        RAISE(b);
    } else {
        while (tile_to_int(tile_reduce(LOOK(tile_iota(8)), 0, -7, least)) == 0)
            ;
        y[0] = x[3]; // @read_eight
    }
}

// Flags that fall from 1 to 0: the greatest of them and 2 is 2.
tile_kernel void falling(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(9);
    tile_contents(f, 1, 1);
    int b = tile_bid(0);
    if (b < 8) {
        x[b] = 1; // @falling
        LOWER(b);
    } else {
        while (tile_to_int(tile_reduce(LOOK(tile_iota(8)), 0, 2, most)) == 1)
            ;
        y[0] = x[3]; // @read_falling
    }
}

tile_kernel void rows_first(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(9);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b < 8) {
        x[b] = 1; // @rows
        RAISE(b);
    } else {
        tile all = tile_reshape(LOOK(tile_iota(8)), 2, 4);
        tile rows = tile_reduce(all, 1, -1, least);
        while (tile_to_int(tile_reduce_min(rows, 0)) == 0) {
            all = tile_reshape(LOOK(tile_iota(8)), 2, 4);
            rows = tile_reduce(all, 1, -1, least);
        }
        y[0] = x[3]; // @read_rows
    }
}

// Nothing is above the greatest number, so that the result is one of the flags.
tile_kernel void true_identity(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(9);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b < 8) {
        x[b] = 1;
        RAISE(b);
    } else {
        while (tile_to_int(tile_reduce(LOOK(tile_iota(8)), 0, 2147483647, least)) == 0)
            ;
        y[0] = x[3];
    }
}

// 5 is above every flag.
tile_kernel void above_all(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(9);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b < 8) {
        x[b] = 1;
        RAISE(b);
    } else {
        while (tile_to_int(tile_reduce(LOOK(tile_iota(8)), 0, 5, least)) == 0)
            ;
        y[0] = x[3];
    }
}

// EXPECT kernel looks_once
// EXPECT verdict race
// EXPECT TR018 @once @read_once
// EXPECT observable yes

// EXPECT kernel waits_for_eight
// EXPECT verdict race
// EXPECT TR018 @eight @read_eight
// EXPECT observable yes

// EXPECT kernel falling
// EXPECT verdict race
// EXPECT TR018 @falling @read_falling
// EXPECT observable yes

// EXPECT kernel rows_first
// EXPECT verdict race
// EXPECT TR018 @rows @read_rows
// EXPECT observable yes

// EXPECT kernel true_identity
// EXPECT verdict race-free

// EXPECT kernel above_all
// EXPECT verdict race-free
