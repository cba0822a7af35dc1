/* Places that are looked up in one table by an element of another. A negative element of the inner
 * one is a load in front of the outer one, which is undefined: it is no race, and nothing more is
 * asked of it than that. */
#include <tile.h>

tile_kernel void both_stated(int *restrict x, const int *restrict t, const int *restrict u)
{
    tile_unique(t);
    tile_unique(u);
    x[u[t[tile_bid(0)]]] = 1;
}
// EXPECT kernel both_stated
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void one_stated(int *restrict x, const int *restrict t, const int *restrict u)
{
    tile_unique(u);
    x[u[t[tile_bid(0)]]] = 1; // @one_stated
}
// EXPECT kernel one_stated
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:launch unique-contents:race
// EXPECT TR001 @one_stated @one_stated

tile_kernel void none_stated(int *restrict x, const int *restrict t, const int *restrict u)
{
    x[u[t[tile_bid(0)]]] = 1; // @none_stated
}
// EXPECT kernel none_stated
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:launch unique-contents:race
// EXPECT TR001 @none_stated @none_stated

tile_kernel void three(int *restrict x, const int *restrict t, const int *restrict u,
                       const int *restrict v)
{
    tile_unique(t);
    tile_unique(u);
    tile_unique(v);
    x[v[u[t[tile_bid(0)]]]] = 1;
}
// EXPECT kernel three
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void in_rows(int *restrict x, const int *restrict t, const int *restrict u)
{
    tile_unique(t);
    tile_unique(u);
    long row = u[t[tile_bid(0)]];
    for (int i = 0; i < 16; i++)
        x[row * 16 + i] = i;
}
// EXPECT kernel in_rows
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

/* Two places next to each other are one. */
tile_kernel void halved(int *restrict x, const int *restrict t, const int *restrict u)
{
    tile_unique(t);
    tile_unique(u);
    x[u[t[tile_bid(0)]] / 2] = 1; // @halved
}
// EXPECT kernel halved
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @halved @halved

/* Where t says nothing, all blocks take the first place. */
tile_kernel void one_for_many(int *restrict x, const int *restrict t, const int *restrict u)
{
    tile_unique(u);
    tile_contents(t, 0, 0);
    x[u[t[tile_bid(0)]]] = 1; // @one_for_many
}
// EXPECT kernel one_for_many
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @one_for_many @one_for_many
