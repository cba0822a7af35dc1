/* `b == 0 ? draw() : 3` is what block 0 draws, in block 0. The other blocks have drawn nothing, so
 * nothing follows for them from the draw that the term speaks of. */
#include <tile.h>

#define ADD(at)  tile_to_int(tile_atomic_add(tile_pointers(f, at), 1, TILE_ACQ_REL, TILE_DEVICE))
#define LOOK(at) tile_to_int(tile_load_ptr_at(tile_pointers(f, at), TILE_ACQUIRE, TILE_DEVICE))
#define CLAIM(at)                                                                                  \
    tile_to_int(tile_atomic_cas(tile_pointers(f, at), 0, 1, TILE_RELAXED, TILE_DEVICE))

tile_kernel void number(int *restrict y, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int b = tile_bid(0), v = 3;
    if (b == 0)
        v = ADD(0);
    if (v == 3)
        y[0] = b; // @number
}
// EXPECT kernel number
// EXPECT verdict race
// EXPECT TR001 @number @number
// EXPECT observable yes

tile_kernel void number_drawn(int *restrict y, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int b = tile_bid(0), v = 0;
    if (b < 3)
        v = ADD(0);
    if (v == 2)
        y[0] = b;
}
// EXPECT kernel number_drawn
// EXPECT verdict race-free

tile_kernel void turn(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int b = tile_bid(0), t = 0;
    if (b == 0)
        t = ADD(0);
    while (LOOK(1) < t)
        ;
    x[0] = x[0] + 1; // @turn
    if (b == 0)
        tile_store_ptr_at(tile_pointers(f, 1), t + 1, TILE_RELEASE, TILE_DEVICE);
}
// EXPECT kernel turn
// EXPECT verdict race
// EXPECT TR020 @turn @turn
// EXPECT TR020 @turn @turn
// EXPECT observable yes

tile_kernel void claim(int *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1), v = 0;
    if (part == 0)
        v = CLAIM(column);
    if (v == 0)
        y[column] = part; // @claim
}
// EXPECT kernel claim
// EXPECT verdict race
// EXPECT TR001 @claim @claim
// EXPECT observable yes

tile_kernel void claimed(int *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    if (CLAIM(column) == 0)
        y[column] = part;
}
// EXPECT kernel claimed
// EXPECT verdict race-free

/* The first of each column draws from the counter of the next one. */
tile_kernel void next_column(int *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    int v = part == 0 ? ADD(column + 1) : ADD(column);
    if (v == 1)
        y[column] = part; // @next_column
}
// EXPECT kernel next_column
// EXPECT verdict race
// EXPECT TR001 @next_column @next_column
// EXPECT observable yes

tile_kernel void own_column(int *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    int v = part == 0 ? ADD(column) : ADD(column);
    if (v == 1)
        y[column] = part;
}
// EXPECT kernel own_column
// EXPECT verdict race-free

tile_kernel void flag(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b == 3) {
        x[0] = 1; // @flag
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        int v = 1;
        if (b == 0)
            v = LOOK(0);
        if (v == 1)
            y[b] = x[0]; // @read_flag
    }
}
// EXPECT kernel flag
// EXPECT verdict race
// EXPECT TR020 @flag @read_flag
// EXPECT observable yes

/* Which block draws a parameter says; the others have not drawn at all. */
tile_kernel void number_of_n(int *restrict y, int *restrict f, int n)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    int b = tile_bid(0), v = 3;
    if (b == n)
        v = ADD(0);
    if (v == 3)
        y[0] = b; // @number_of_n
}
// EXPECT kernel number_of_n
// EXPECT verdict race
// EXPECT TR001 @number_of_n @number_of_n
// EXPECT observable yes

/* The same beside a word that is written otherwise. */
tile_kernel void number_of_n_beside(int *restrict y, int *restrict f, int n)
{
    tile_grid(4);
    tile_contents(f, 0, 0);
    tile_extent(f, 8);
    int b = tile_bid(0), v = 3;
    if (b == n)
        v = ADD(0);
    if (v == 3)
        y[0] = b; // @number_of_n_beside
    tile_store_ptr_at(tile_pointers(f, 1), 0, TILE_RELAXED, TILE_DEVICE);
}
// EXPECT kernel number_of_n_beside
// EXPECT verdict race
// EXPECT TR001 @number_of_n_beside @number_of_n_beside
// EXPECT observable yes
