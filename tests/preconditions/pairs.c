/* A cache addressed by a sequence and a position: the pairs have to differ, neither alone. */
#include <tile.h>

enum { D = 64 };

tile_kernel void append(float *cache, const int *seq, const int *pos, const float *k, int maxlen)
{
    int t = tile_bid(0);
    if (pos[t] < maxlen)
        cache[seq[t] * maxlen + pos[t]] = k[t]; // @append
}

tile_kernel void append_unguarded(float *cache, const int *seq, const int *pos, const float *k,
                                  int maxlen)
{
    int t = tile_bid(0);
    cache[seq[t] * maxlen + pos[t]] = k[t]; // @unguarded
}

tile_kernel void append_rows(float *cache, const int *page, const int *slot, const float *k,
                             int page_size)
{
    int t = tile_bid(0);
    tile d = tile_iota(D);
    tile row = tile_load_ptr(tile_pointers(k, t * D + d));
    if (0 <= slot[t] && slot[t] < page_size)
        tile_store_ptr(tile_pointers(cache, (page[t] * page_size + slot[t]) * D + d), row); // @rows
}

// EXPECT kernel append
// EXPECT verdict conditional
// EXPECT TR001 @append @append
// EXPECT requires contents-range:race no-wrap:launch unique-contents:race

// EXPECT kernel append_unguarded
// EXPECT verdict conditional
// EXPECT TR001 @unguarded @unguarded
// EXPECT requires contents-range:race no-wrap:launch unique-contents:race

// EXPECT kernel append_rows
// EXPECT verdict conditional
// EXPECT TR001 @rows @rows
// EXPECT requires in-bounds:launch no-wrap:launch unique-contents:race

/* Pages of a constant size: the slot has to lie in its page here, too. */
tile_kernel void append_by_sixteen(float *cache, const int *page, const int *slot)
{
    int t = tile_bid(0);
    cache[page[t] * 16 + slot[t]] = 1.0f; // @sixteen
}

tile_kernel void append_to_own_page(float *cache, const int *page, const int *slot)
{
    tile_unique(page);
    int t = tile_bid(0);
    for (int i = 0; i < 4; i++)
        cache[page[t] * 64 + slot[t] * 4 + i] = 1.0f; // @own_page
}

tile_kernel void append_one_too_many(float *cache, const int *page, const int *slot)
{
    tile_unique(page);
    tile_contents(slot, 0, 15);
    int t = tile_bid(0);
    for (int i = 0; i < 5; i++)
        cache[page[t] * 64 + slot[t] * 4 + i] = 1.0f; // @too_many
}

// EXPECT kernel append_by_sixteen
// EXPECT verdict conditional
// EXPECT TR001 @sixteen @sixteen
// EXPECT requires contents-range:launch contents-range:race unique-contents:race

// EXPECT kernel append_to_own_page
// EXPECT verdict conditional
// EXPECT TR001 @own_page @own_page
// EXPECT requires contents-range:launch contents-range:race

// EXPECT kernel append_one_too_many
// EXPECT verdict race
// EXPECT TR001 @too_many @too_many
// EXPECT observable no
// EXPECT requires contents-range:launch no-wrap:launch

/* Rings of places: positions wrap round, so that pairs that differ may come to one place, and only
 * rings that differ keep blocks apart, where positions are not negative. */
tile_kernel void ring(float *cache, const int *row, const int *pos, int cap)
{
    int t = tile_bid(0);
    int e = row[t], p = pos[t];
    cache[(long)e * cap + p % cap] = 1.0f; // @ring
}

tile_kernel void ring_of_sixty_four(float *cache, const int *row, const int *pos)
{
    int t = tile_bid(0);
    cache[row[t] * 64 + pos[t] % 64] = 1.0f; // @sixty_four
}

tile_kernel void ring_from_three(float *cache, const int *row, const int *pos, int cap)
{
    int t = tile_bid(0);
    cache[(long)row[t] * cap + (pos[t] - 3) % cap] = 1.0f; // @three
}

tile_kernel void ring_by_mask(float *cache, const int *row, const int *pos)
{
    int t = tile_bid(0);
    cache[row[t] * 64 + (pos[t] & 63)] = 1.0f; // @mask
}

tile_kernel void ring_as_stated(float *cache, const int *row, const int *pos, int cap)
{
    tile_assume(cap > 0);
    tile_unique(row);
    tile_contents(pos, 0, 1000000);
    int t = tile_bid(0);
    cache[(long)row[t] * cap + pos[t] % cap] = 1.0f;
}

/* 65 remainders in rings of 64 places. */
tile_kernel void ring_one_too_many(float *cache, const int *row, const int *pos)
{
    int t = tile_bid(0);
    cache[row[t] * 64 + pos[t] % 65] = 1.0f; // @one_more
}
// EXPECT kernel ring
// EXPECT verdict conditional
// EXPECT TR001 @ring @ring
// EXPECT requires contents-range:race positive-divisor:launch unique-contents:race
// EXPECT asks cap > 0
// EXPECT asks every element of 'pos' is at least 0
// EXPECT asks no two elements of 'row' are equal

// EXPECT kernel ring_of_sixty_four
// EXPECT verdict conditional
// EXPECT TR001 @sixty_four @sixty_four
// EXPECT requires contents-range:launch contents-range:race unique-contents:race

// EXPECT kernel ring_from_three
// EXPECT verdict conditional
// EXPECT TR001 @three @three
// EXPECT requires contents-range:race positive-divisor:launch unique-contents:race

// EXPECT kernel ring_by_mask
// EXPECT verdict conditional
// EXPECT TR001 @mask @mask
// EXPECT requires contents-range:launch unique-contents:race

// EXPECT kernel ring_as_stated
// EXPECT verdict race-free

// EXPECT kernel ring_one_too_many
// EXPECT verdict race
// EXPECT TR001 @one_more @one_more
// EXPECT requires contents-range:launch no-wrap:launch
// EXPECT observable no
