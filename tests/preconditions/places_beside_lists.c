/* Lists in one buffer, and places beside them that are looked up: elements stay below a list that
 * begins at a size or a number, or behind a header. */
#include <tile.h>

tile_kernel void below_a_number(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[t[b]] = 1.0f;    // @number
    y[100 + b] = 2.0f; // @number_list
}
// EXPECT kernel below_a_number
// EXPECT verdict conditional
// EXPECT TR001 @number @number
// EXPECT TR001 @number @number_list
// EXPECT requires contents-range:race unique-contents:race
// EXPECT asks every element of 't' is below 100
// EXPECT asks no two elements of 't' are equal

tile_kernel void below_a_size(float *restrict y, const int *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    int b = tile_bid(0);
    y[t[b]] = 1.0f;  // @size
    y[n + b] = 2.0f; // @size_list
}
// EXPECT kernel below_a_size
// EXPECT verdict conditional
// EXPECT TR001 @size @size
// EXPECT TR001 @size @size_list
// EXPECT requires contents-range:race unique-contents:race
// EXPECT asks every element of 't' is below n
// EXPECT asks no two elements of 't' are equal

/* What is read there counts as well. */
tile_kernel void read_behind_a_size(float *restrict y, const int *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    int b = tile_bid(0);
    float v = y[n + b]; // @read
    y[t[b]] = v;        // @write
}
// EXPECT kernel read_behind_a_size
// EXPECT verdict conditional
// EXPECT TR001 @write @write
// EXPECT TR002 @read @write
// EXPECT requires contents-range:race unique-contents:race
// EXPECT asks every element of 't' is below n
// EXPECT asks no two elements of 't' are equal

tile_kernel void rows(float *restrict y, const int *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    tile_unique(t);
    tile_contents(t, 0, 1000000);
    int b = tile_bid(0);
    for (int i = 0; i < 64; i++) {
        y[t[b] * 64 + i] = 1.0f;    // @row
        y[(n + b) * 64 + i] = 2.0f; // @row_list
    }
}
// EXPECT kernel rows
// EXPECT verdict conditional
// EXPECT TR001 @row @row_list
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is below n

tile_kernel void unsigned_table(float *restrict y, const unsigned *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    int b = tile_bid(0);
    y[t[b]] = 1.0f;  // @unsigned
    y[n + b] = 2.0f; // @unsigned_list
}
// EXPECT kernel unsigned_table
// EXPECT verdict conditional
// EXPECT TR001 @unsigned @unsigned
// EXPECT TR001 @unsigned @unsigned_list
// EXPECT requires contents-range:race unique-contents:race
// EXPECT asks every element of 't' is at least 0 and below n
// EXPECT asks no two elements of 't' are equal

tile_kernel void one_number_too_many(float *restrict y, const int *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    tile_unique(t);
    tile_contents(t, 0, n);
    int b = tile_bid(0);
    y[t[b]] = 1.0f;  // @many
    y[n + b] = 2.0f; // @many_list
}
// EXPECT kernel one_number_too_many
// EXPECT verdict conditional
// EXPECT TR001 @many @many_list
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is below n

tile_kernel void as_stated(float *restrict y, const int *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    tile_unique(t);
    tile_contents(t, 0, n - 1);
    int b = tile_bid(0);
    y[t[b]] = 1.0f;
    y[n + b] = 2.0f;
}
// EXPECT kernel as_stated
// EXPECT verdict race-free

/* A header of three elements. */
tile_kernel void behind_a_header(float *restrict y, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    float v = y[0] + y[1]; // @head
    v += y[2];
    y[t[b]] = v; // @behind
}
// EXPECT kernel behind_a_header
// EXPECT verdict conditional
// EXPECT TR002 @head @behind
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 3

/* A place of its own for what nobody wants. */
tile_kernel void in_front_of_a_spare_place(float *restrict y, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    y[t[b]] = 1.0f; // @front
    if (b == 0)
        y[1000] = 2.0f; // @spare
}
// EXPECT kernel in_front_of_a_spare_place
// EXPECT verdict conditional
// EXPECT TR001 @front @spare
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is below 1000

tile_kernel void between_header_and_list(float *restrict y, const int *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    tile_unique(t);
    int b = tile_bid(0);
    y[t[b]] = y[0];  // @between
    y[n + b] = 1.0f; // @list
}
// EXPECT kernel between_header_and_list
// EXPECT verdict conditional
// EXPECT TR002 @between @between
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 1 and below n

tile_kernel void table_behind_a_list(float *restrict y, const int *restrict t, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_unique(t);
    tile_contents(t, -5, 1000000);
    int b = tile_bid(0);
    y[n + t[b]] = 1.0f; // @behind_it
    y[b] = 2.0f;        // @before
}
// EXPECT kernel table_behind_a_list
// EXPECT verdict conditional
// EXPECT TR001 @behind_it @before
// EXPECT requires contents-range:race grid-bound:race
// EXPECT asks every element of 't' is at least 0
// EXPECT asks grid.x <= n

tile_kernel void two_tables(float *restrict y, const int *restrict t, const int *restrict u, int n)
{
    tile_assume(n > 0 && n < 1000000);
    tile_grid(64);
    tile_unique(t);
    tile_unique(u);
    tile_contents(u, -5, 1000000);
    int b = tile_bid(0);
    y[t[b]] = 1.0f;     // @first
    y[n + u[b]] = 2.0f; // @second
}
// EXPECT kernel two_tables
// EXPECT verdict conditional
// EXPECT TR001 @first @second
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is below n
// EXPECT asks every element of 'u' is at least 0

/* Nothing says which elements of two tables differ. */
tile_kernel void two_tables_at_one_place(float *restrict y, const int *restrict t,
                                         const int *restrict u)
{
    tile_unique(t);
    tile_unique(u);
    int b = tile_bid(0);
    y[t[b]] = 1.0f; // @one
    y[u[b]] = 2.0f; // @other
}
// EXPECT kernel two_tables_at_one_place
// EXPECT verdict race
// EXPECT TR001 @one @other
// EXPECT observable no

/* Elements name the places that blocks read themselves: behind all of these nobody means. */
tile_kernel void scattered_in_place(float *restrict y, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    float v = y[b]; // @own
    y[t[b]] = v;    // @scattered
}
// EXPECT kernel scattered_in_place
// EXPECT verdict race
// EXPECT TR002 @own @scattered
// EXPECT observable yes

tile_kernel void scattered_in_place_below_a_size(float *restrict y, const int *restrict t, int n)
{
    tile_unique(t);
    int b = tile_bid(0);
    if (b < n) {
        float v = y[b]; // @own_below
        y[t[b]] = v;    // @scattered_below
    }
}
// EXPECT kernel scattered_in_place_below_a_size
// EXPECT verdict race
// EXPECT TR002 @own_below @scattered_below
// EXPECT observable yes

tile_kernel void scattered_from_the_end(float *restrict y, const int *restrict t, int n)
{
    tile_unique(t);
    int b = tile_bid(0);
    if (b < n) {
        float v = y[n - 1 - b]; // @own_last
        y[t[b]] = v;            // @scattered_last
    }
}
// EXPECT kernel scattered_from_the_end
// EXPECT verdict race
// EXPECT TR002 @own_last @scattered_last
// EXPECT observable yes

/* Lists without a table. */
tile_kernel void list_ahead(float *restrict y, int n, int h)
{
    tile_assume(h >= 0 && h < 1000 && n > 0 && n < 1000000);
    int b = tile_bid(0);
    float v = y[b + h]; // @ahead
    y[n + b] = v;       // @list_behind
}
// EXPECT kernel list_ahead
// EXPECT verdict conditional
// EXPECT TR002 @ahead @list_behind
// EXPECT requires grid-bound:race
// EXPECT asks h + grid.x <= n

tile_kernel void list_behind_a_header(float *restrict y, int n)
{
    tile_grid(64);
    tile_assume(n > -1000 && n < 1000000);
    int b = tile_bid(0);
    float v = y[0]; // @first_place
    y[n + b] = v;   // @list_of_all
}
// EXPECT kernel list_behind_a_header
// EXPECT verdict conditional
// EXPECT TR002 @first_place @list_of_all
// EXPECT requires stride-relation:race
// EXPECT asks n > 0

tile_kernel void next_place(float *restrict y)
{
    int b = tile_bid(0);
    float v = y[b + 1]; // @next
    y[b] = v;           // @this
}
// EXPECT kernel next_place
// EXPECT verdict race
// EXPECT TR002 @next @this
// EXPECT observable yes

/* Who updates through a table counts all its elements, those of the place that is read as well. */
tile_kernel void counted(int *restrict y, const int *restrict t, int *restrict z)
{
    int b = tile_bid(0);
    tile_atomic_add(tile_pointers(y, t[b]), 1, TILE_RELAXED, TILE_DEVICE); // @add
    z[b] = y[0];                                                           // @peek
}
// EXPECT kernel counted
// EXPECT verdict race
// EXPECT TR005 @add @peek
// EXPECT observable yes
