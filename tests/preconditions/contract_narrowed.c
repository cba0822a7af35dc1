/* Contracts that state less than the verdict needs: what `tilerace contract` writes needs no more.
 */
#include <tile.h>

/* Stated: the kept entries differ. Needed: all that are read. */
tile_kernel void kept(float *restrict x, const int *restrict t)
{
    tile_unique_when(t, tile_value() >= 0);
    x[t[tile_bid(0)] + 8] = 1.0f; // @kept
}

/* Stated: a range wider than one row. */
tile_kernel void rows(float *restrict x, const int *restrict t)
{
    tile_contents(t, 0, 300);
    x[tile_bid(0) * 256 + t[tile_bid(0)]] = 1.0f; // @rows
}

/* Stated: a bound that depends on the index. */
tile_kernel void by_index(float *restrict x, const int *restrict t)
{
    tile_contents(t, 0, tile_index() / 2 + 100);
    x[t[tile_bid(0)]] = 1.0f; // @by_index
}

// EXPECT kernel kept
// EXPECT verdict conditional
// EXPECT requires contents-range:launch
// EXPECT requires unique-contents:race
// EXPECT TR001 @kept @kept

// EXPECT kernel rows
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT requires no-wrap:launch
// EXPECT asks grid.x <= 8388608
// EXPECT asks every element of 't' is at least 0 and below 256
// EXPECT TR001 @rows @rows

// EXPECT kernel by_index
// EXPECT verdict conditional
// EXPECT requires unique-contents:race
// EXPECT TR001 @by_index @by_index
