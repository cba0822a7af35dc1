/* Pointers that are one of several buffers': `?:` and an assignment in a branch, tiles of pointers
 * chosen element by element or joined, views over a chosen pointer, index tables and counters that
 * are chosen. An access goes to either buffer under the condition that chose it. */
#include <tile.h>

tile_kernel void by_parity(float *restrict even, float *restrict odd, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    float *to = i % 2 == 0 ? even : odd;
    to[i / 2] = 1.0f;
}

// EXPECT kernel by_parity
// EXPECT verdict race-free

/* Four blocks of one parity share an element: the race is in both buffers. */
tile_kernel void by_parity_shared(float *restrict even, float *restrict odd, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    float *to = i % 2 == 0 ? even : odd;
    to[i / 4] = 1.0f; // @shared
}

// EXPECT kernel by_parity_shared
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @shared @shared
// EXPECT TR001 @shared @shared

/* Double buffering: what one step reads, the next one writes. */
tile_kernel void double_buffer(float *restrict a, float *restrict b, int n, int step)
{
    tile_grid(n);
    tile_extent(a, (long)n + 1);
    tile_extent(b, (long)n + 1);
    int i = tile_bid(0);
    const float *from = step % 2 == 0 ? a : b;
    float *to = step % 2 == 0 ? b : a;
    to[i] = from[i + 1];
}

// EXPECT kernel double_buffer
// EXPECT verdict race-free

/* The two conditions are the same, so it reads where it writes. */
tile_kernel void double_buffer_same(float *restrict a, float *restrict b, int n, int step)
{
    tile_grid(n);
    tile_extent(a, (long)n + 1);
    tile_extent(b, (long)n + 1);
    int i = tile_bid(0);
    const float *from = step % 2 == 0 ? a : b;
    float *to = step % 2 == 0 ? a : b;
    to[i] = from[i + 1]; // @same_step
}

// EXPECT kernel double_buffer_same
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR002 @same_step @same_step
// EXPECT TR002 @same_step @same_step

tile_kernel void in_a_branch(float *restrict a, float *restrict b, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    float *to = a;
    if (i >= n / 2)
        to = b;
    to[i] = 1.0f;
}

// EXPECT kernel in_a_branch
// EXPECT verdict race-free

/* The second buffer is counted from its own beginning, but one block too early. */
tile_kernel void in_a_branch_overlap(float *restrict a, float *restrict b, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    float *to = a + i;
    if (i >= n / 2)
        to = b + (i - n / 2) / 2;
    *to = 1.0f; // @overlap
}

// EXPECT kernel in_a_branch_overlap
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @overlap @overlap

/* Which of three outputs is the block's second id. */
tile_kernel void one_of_three(float *restrict q, float *restrict k, float *restrict v, int n)
{
    tile_grid(n, 3);
    int i = tile_bid(0), which = tile_bid(1);
    float *to = which == 0 ? q : which == 1 ? k : v;
    to[i] = 1.0f;
}

// EXPECT kernel one_of_three
// EXPECT verdict race-free

/* A fourth id takes the last buffer once more. */
tile_kernel void one_of_three_for_four(float *restrict q, float *restrict k, float *restrict v,
                                       int n)
{
    tile_grid(n, 4);
    int i = tile_bid(0), which = tile_bid(1);
    float *to = which == 0 ? q : which == 1 ? k : v;
    to[i] = 1.0f; // @twice
}

// EXPECT kernel one_of_three_for_four
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @twice @twice

/* What is loaded decides; the elements are the block's own all the same. */
tile_kernel void by_contents(float *restrict a, float *restrict b, const int *restrict kind, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    float *to = kind[i] > 0 ? a : b;
    to[i] = 1.0f;
}

// EXPECT kernel by_contents
// EXPECT verdict race-free

/* Each buffer is numbered by how many blocks came before, of both kinds together or of none. */
tile_kernel void by_contents_dense(float *restrict a, float *restrict b, const int *restrict kind,
                                   int n)
{
    tile_grid(n);
    tile_extent(kind, n);
    int i = tile_bid(0);
    float *to = kind[i] > 0 ? a + i / 2 : b + i;
    *to = 1.0f; // @dense
}

// EXPECT kernel by_contents_dense
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @dense @dense

/* Element by element: the first half of the tile goes to one buffer, the second to another. */
tile_kernel void halves(float *restrict low, float *restrict high, int n)
{
    tile_grid(n);
    tile e = tile_iota(64);
    int first = 32 * tile_bid(0);
    tile to = tile_select(tile_lt(e, 32), tile_pointers(low, first + e),
                          tile_pointers(high, first - 32 + e));
    tile_store_ptr(to, 1.0f);
}

// EXPECT kernel halves
// EXPECT verdict race-free

/* 16 elements go to the first buffer, so 48 to the second, at steps of 32. */
tile_kernel void halves_uneven(float *restrict low, float *restrict high, int n)
{
    tile_grid(n);
    tile e = tile_iota(64);
    int first = 32 * tile_bid(0);
    tile to = tile_select(tile_lt(e, 16), tile_pointers(low, first + e),
                          tile_pointers(high, first - 16 + e));
    tile_store_ptr(to, 1.0f); // @uneven
}

// EXPECT kernel halves_uneven
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @uneven @uneven

tile_kernel void joined(const float *restrict x, float *restrict low, float *restrict high, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    tile e = tile_iota(32) + 32 * i;
    tile to = tile_cat(tile_pointers(low, e), tile_pointers(high, e), 0);
    tile_store_ptr(to, tile_load_ptr(tile_pointers(x, tile_iota(64) + 64 * i)));
}

// EXPECT kernel joined
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

/* Both halves go to one buffer, the second an element behind the first. */
tile_kernel void joined_shifted(const float *restrict x, float *restrict low, int n)
{
    tile_grid(n);
    int i = tile_bid(0);
    tile e = tile_iota(32) + 32 * i;
    tile to = tile_cat(tile_pointers(low, e), tile_pointers(low, e + 1), 0);
    tile_store_ptr(to, tile_load_ptr(tile_pointers(x, tile_iota(64) + 64 * i))); // @shifted
}

// EXPECT kernel joined_shifted
// EXPECT verdict race
// EXPECT requires in-bounds:launch
// EXPECT observable yes
// EXPECT TR001 @shifted @shifted
// EXPECT TR004 @shifted

tile_kernel void view_of_choice(float *restrict a, float *restrict b, int n)
{
    tile_grid(n, 2);
    float *to = tile_bid(1) == 0 ? a : b;
    tile_store(tile_partition(tile_tensor(to, (long)n * 64), 64), tile_full(1.0f, 64), tile_bid(0));
}

// EXPECT kernel view_of_choice
// EXPECT verdict race-free

/* The view's rows are chosen by an id that has three values. */
tile_kernel void view_of_choice_shared(float *restrict a, float *restrict b, int n)
{
    tile_grid(n, 3);
    float *to = tile_bid(1) == 0 ? a : b;
    tile_view rows = tile_partition(tile_tensor(to, (long)n * 64), 64);
    tile_store(rows, tile_full(1.0f, 64), tile_bid(0)); // @view
}

// EXPECT kernel view_of_choice_shared
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @view @view

/* All blocks look into the same table. */
tile_kernel void one_table(const int *restrict up, const int *restrict down, float *restrict y,
                           int n, int forward)
{
    tile_grid(n);
    tile_unique(up);
    tile_unique(down);
    tile_contents(up, 0, n - 1);
    tile_contents(down, 0, n - 1);
    tile_extent(up, n);
    tile_extent(down, n);
    tile_extent(y, n);
    const int *table = forward > 0 ? up : down;
    y[table[tile_bid(0)]] = 1.0f;
}

// EXPECT kernel one_table
// EXPECT verdict race-free

/* Blocks of either parity look into different tables, which may hold the same number. */
tile_kernel void two_tables(const int *restrict up, const int *restrict down, float *restrict y,
                            int n)
{
    tile_grid(n);
    tile_unique(up);
    tile_unique(down);
    tile_contents(up, 0, n - 1);
    tile_contents(down, 0, n - 1);
    tile_extent(up, n);
    tile_extent(down, n);
    tile_extent(y, n);
    int i = tile_bid(0);
    const int *table = i % 2 == 0 ? up : down;
    y[table[i]] = 1.0f; // @tables
}

// EXPECT kernel two_tables
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @tables @tables

/* Two counters give two sequences of tickets, and each has a half of the list. */
tile_kernel void two_counters(int *restrict heads, int *restrict tails, const int *restrict kind,
                              int *restrict list, int n)
{
    tile_grid(n);
    tile_assume(n < 1 << 20);
    tile_contents(heads, 0, 0);
    tile_contents(tails, 0, 0);
    tile_extent(heads, 1);
    tile_extent(tails, 1);
    tile_extent(kind, n);
    tile_extent(list, 2L * n);
    int i = tile_bid(0);
    bool is_head = kind[i] > 0;
    int *counter = is_head ? heads : tails;
    int slot =
        tile_to_int(tile_atomic_add(tile_pointers(counter, 0), 1, TILE_RELAXED, TILE_DEVICE));
    list[is_head ? slot : n + slot] = i;
}

// EXPECT kernel two_counters
// EXPECT verdict race-free

/* Both sequences begin at the same end of the list. */
tile_kernel void two_counters_one_end(int *restrict heads, int *restrict tails,
                                      const int *restrict kind, int *restrict list, int n)
{
    tile_grid(n);
    tile_assume(n < 1 << 20);
    tile_contents(heads, 0, 0);
    tile_contents(tails, 0, 0);
    tile_extent(heads, 1);
    tile_extent(tails, 1);
    tile_extent(kind, n);
    tile_extent(list, 2L * n);
    int i = tile_bid(0);
    int *counter = kind[i] > 0 ? heads : tails;
    int slot =
        tile_to_int(tile_atomic_add(tile_pointers(counter, 0), 1, TILE_RELAXED, TILE_DEVICE));
    list[slot] = i; // @one_end
}

// EXPECT kernel two_counters_one_end
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @one_end @one_end

/* Behind the loop, the pointer is at the place that its end gives, in either buffer. */
tile_kernel void moved(float *restrict even, float *restrict odd, int n)
{
    tile_grid(2);
    tile_assume(0 <= n && n <= 100);
    tile_extent(even, 128);
    tile_extent(odd, 128);
    int b = tile_bid(0);
    float *p = n % 2 == 0 ? even : odd;
    for (int i = 0; i < n + b; i++)
        p = p + 1;
    p[0] = (float)b;
}

// EXPECT kernel moved
// EXPECT verdict race-free

/* The second block stops one element earlier, and stores one element further. */
tile_kernel void moved_to_one_end(float *restrict even, float *restrict odd, int n)
{
    tile_grid(2);
    tile_assume(1 <= n && n <= 100);
    tile_extent(even, 128);
    tile_extent(odd, 128);
    int b = tile_bid(0);
    float *p = n % 2 == 0 ? even : odd;
    for (int i = 0; i < n - b; i++)
        p = p + 1;
    p[b] = (float)b; // @end
}

// EXPECT kernel moved_to_one_end
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @end @end
// EXPECT TR001 @end @end
