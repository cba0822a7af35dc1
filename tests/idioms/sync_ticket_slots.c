/* Tickets as slots of a ring: of one launch they differ by less than there are tile blocks, from
 * whatever number on. */
#include <tile.h>

#define TAKE(f) tile_to_int(tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE))

tile_kernel void ring(int *restrict x, int *restrict f)
{
    tile_grid(8);
    tile_contents(f, 0, 1000);
    x[TAKE(f) % 8] = tile_bid(0);
}
// EXPECT kernel ring
// EXPECT verdict race-free

tile_kernel void ring_too_short(int *restrict x, int *restrict f)
{
    tile_grid(9);
    tile_contents(f, 0, 1000);
    x[TAKE(f) % 8] = tile_bid(0); // @ring_too_short
}
// EXPECT kernel ring_too_short
// EXPECT verdict race
// EXPECT TR001 @ring_too_short @ring_too_short
// EXPECT observable yes

/* Nobody sets the counter back. */
tile_kernel void ring_of_launches(int *restrict x, int *restrict f)
{
    tile_grid(8);
    x[TAKE(f) % 8] = tile_bid(0);
}
// EXPECT kernel ring_of_launches
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void two_draws(int *restrict x, int *restrict f)
{
    tile_grid(4);
    tile_contents(f, 0, 1000);
    int s = TAKE(f), t = TAKE(f);
    x[s % 8] = tile_bid(0);
    x[t % 8] = tile_bid(0);
}
// EXPECT kernel two_draws
// EXPECT verdict race-free

tile_kernel void two_draws_too_many(int *restrict x, int *restrict f)
{
    tile_grid(5);
    tile_contents(f, 0, 1000);
    int s = TAKE(f), t = TAKE(f);
    x[s % 8] = tile_bid(0) + t; // @two_draws_too_many
}
// EXPECT kernel two_draws_too_many
// EXPECT verdict race
// EXPECT TR001 @two_draws_too_many @two_draws_too_many
// EXPECT observable yes

/* Each draws as many numbers as it says, 3 at most. */
tile_kernel void several(int *restrict x, int *restrict f, const int *restrict many)
{
    tile_grid(4);
    tile_contents(f, 0, 1000);
    tile_contents(many, 1, 3);
    tile_extent(many, 4);
    int k = many[tile_bid(0)];
    int t = tile_to_int(tile_atomic_add(tile_pointers(f, 0), k, TILE_RELAXED, TILE_DEVICE));
    for (int i = 0; i < k; i++)
        x[(t + i) % 12] = 1;
}
// EXPECT kernel several
// EXPECT verdict race-free

tile_kernel void several_too_many(int *restrict x, int *restrict f, const int *restrict many)
{
    tile_grid(4);
    tile_contents(f, 0, 1000);
    tile_contents(many, 1, 3);
    tile_extent(many, 4);
    int k = many[tile_bid(0)];
    int t = tile_to_int(tile_atomic_add(tile_pointers(f, 0), k, TILE_RELAXED, TILE_DEVICE));
    for (int i = 0; i < k; i++)
        x[(t + i) % 4] = tile_bid(0); // @several_too_many
}
// EXPECT kernel several_too_many
// EXPECT verdict race
// EXPECT TR001 @several_too_many @several_too_many
// EXPECT observable yes

/* A counter that another tile block moves on by a hundred. */
tile_kernel void moved_on(int *restrict x, int *restrict f)
{
    tile_grid(8);
    tile_contents(f, 0, 1000);
    int b = tile_bid(0);
    if (b == 0)
        tile_atomic_add(tile_pointers(f, 0), 101, TILE_RELAXED, TILE_DEVICE);
    else
        x[TAKE(f) % 8] = b; // @moved_on
}
// EXPECT kernel moved_on
// EXPECT verdict race
// EXPECT TR001 @moved_on @moved_on
// EXPECT observable yes

/* A word beside the tickets that is written otherwise. */
tile_kernel void beside(int *restrict x, int *restrict f)
{
    tile_grid(8);
    tile_contents(f, 0, 1000);
    tile_extent(x, 8);
    int b = tile_bid(0), t = TAKE(f);
    tile_store_ptr_at(tile_pointers(f, 1), t, TILE_RELAXED, TILE_DEVICE);
    x[t % 8] = b;
}
// EXPECT kernel beside
// EXPECT verdict race-free

tile_kernel void not_beside(int *restrict x, int *restrict f)
{
    tile_grid(8);
    tile_contents(f, 0, 1000);
    tile_extent(x, 8);
    int b = tile_bid(0), t = TAKE(f);
    tile_store_ptr_at(tile_pointers(f, b / 7), t, TILE_RELAXED, TILE_DEVICE);
    if (t >= 0)
        x[t % 8] = b; // @not_beside
}
// EXPECT kernel not_beside
// EXPECT verdict race
// EXPECT TR001 @not_beside @not_beside
// EXPECT observable yes

/* A counter and a ring for each row of tile blocks. */
#define TAKE_OF(row)                                                                               \
    tile_to_int(tile_atomic_add(tile_pointers(f, row), 1, TILE_RELAXED, TILE_DEVICE))

tile_kernel void rings(int *restrict x, int *restrict f)
{
    tile_grid(8, 4);
    tile_contents(f, 0, 1000);
    int row = tile_bid(1);
    x[8 * row + TAKE_OF(row) % 8] = 1;
}
// EXPECT kernel rings
// EXPECT verdict race-free

tile_kernel void rings_of_two_rows(int *restrict x, int *restrict f)
{
    tile_grid(8, 4);
    tile_contents(f, 0, 1000);
    int row = tile_bid(1) / 2;
    x[8 * row + TAKE_OF(row) % 8] = 1; // @rings_of_two_rows
}
// EXPECT kernel rings_of_two_rows
// EXPECT verdict race
// EXPECT TR001 @rings_of_two_rows @rings_of_two_rows
// EXPECT observable no

tile_kernel void rings_on_diagonals(int *restrict x, int *restrict f)
{
    tile_grid(4, 4);
    tile_contents(f, 0, 1000);
    int row = (tile_bid(0) + tile_bid(1)) % 4;
    x[2 * row + TAKE_OF(row) % 2] = 1; // @rings_on_diagonals
}
// EXPECT kernel rings_on_diagonals
// EXPECT verdict race
// EXPECT TR001 @rings_on_diagonals @rings_on_diagonals
// EXPECT observable no

/* Some draw twice. */
tile_kernel void rings_drawn_twice(int *restrict x, int *restrict f)
{
    tile_grid(8, 4);
    tile_contents(f, 0, 1000);
    int row = tile_bid(1);
    if (tile_bid(0) < 4)
        TAKE_OF(row);
    x[8 * row + TAKE_OF(row) % 8] = 1; // @rings_drawn_twice
}
// EXPECT kernel rings_drawn_twice
// EXPECT verdict race
// EXPECT TR001 @rings_drawn_twice @rings_drawn_twice
// EXPECT observable no

/* Rows that a table names, each once. */
tile_kernel void rings_named(int *restrict x, int *restrict f, const int *restrict rows)
{
    tile_grid(8, 4);
    tile_contents(f, 0, 1000);
    tile_contents(rows, 0, 3);
    tile_unique(rows);
    tile_extent(rows, 4);
    int row = rows[tile_bid(1)];
    x[8 * row + TAKE_OF(row) % 8] = 1;
}
// EXPECT kernel rings_named
// EXPECT verdict race-free
