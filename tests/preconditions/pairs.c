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
