/* One counter for the tile blocks that share an axis of the grid, as where a sum is split: the last
 * of each group goes on. However many groups there are, a number is read once in each. */
#include <tile.h>

#define COUNT(at) tile_to_int(tile_atomic_add(tile_pointers(f, at), 1, TILE_ACQ_REL, TILE_DEVICE))
#define PARTS     tile_grid_extent(1)

tile_kernel void last_of_column(float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    if (COUNT(column) == PARTS - 1)
        y[column] = part;
}
// EXPECT kernel last_of_column
// EXPECT verdict race-free

tile_kernel void split_sum(float *restrict x, float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1), columns = tile_grid_extent(0);
    x[part * columns + column] = 1.0f;
    if (COUNT(column) == PARTS - 1) {
        float sum = 0.0f;
        for (int i = 0; i < PARTS; i++)
            sum += x[i * columns + column];
        y[column] = sum;
    }
}
// EXPECT kernel split_sum
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void one_result(float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    if (COUNT(column) == PARTS - 1)
        y[column / 2] = part; // @one_result
}
// EXPECT kernel one_result
// EXPECT verdict race
// EXPECT TR001 @one_result @one_result
// EXPECT observable yes

tile_kernel void last_two(float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    if (COUNT(column) >= PARTS - 2)
        y[column] = part; // @last_two
}
// EXPECT kernel last_two
// EXPECT verdict race
// EXPECT TR001 @last_two @last_two
// EXPECT observable yes

/* Set back by one that is not the last: who counts behind it begins anew, and one goes on at most.
 */
tile_kernel void set_back_early(float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    if (COUNT(column) == PARTS - 1)
        y[column] = part;
    if (part == 0)
        tile_store_ptr_at(tile_pointers(f, column), 0, TILE_RELAXED, TILE_DEVICE);
}
// EXPECT kernel set_back_early
// EXPECT verdict race-free

/* Set forward by each: the next one finds the last number again. */
tile_kernel void set_forward(float *restrict y, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), part = tile_bid(1);
    if (COUNT(column) == PARTS - 1)
        y[column] = part; // @set_forward
    tile_store_ptr_at(tile_pointers(f, column), PARTS - 1, TILE_RELAXED, TILE_DEVICE);
}
// EXPECT kernel set_forward
// EXPECT verdict race
// EXPECT TR001 @set_forward @set_forward
// EXPECT observable yes

/* Tickets of a column. */
tile_kernel void places(float *restrict x, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), t = COUNT(column);
    if (t < 8)
        x[8 * column + t] = tile_bid(1);
}
// EXPECT kernel places
// EXPECT verdict race-free

tile_kernel void places_meet(float *restrict x, int *restrict f)
{
    tile_contents(f, 0, 0);
    int column = tile_bid(0), t = COUNT(column);
    if (t < 8)
        x[column + t] = tile_bid(1); // @places_meet
}
// EXPECT kernel places_meet
// EXPECT verdict race
// EXPECT TR001 @places_meet @places_meet
// EXPECT observable yes
