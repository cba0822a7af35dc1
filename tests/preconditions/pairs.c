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
