/* Chains of read-modify-writes: an update hands on the release that it has read. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(3 <= n && n <= 16);                                                                \
    tile_contents(f, 0, 0)
#define UPDATE(what, v, order)                                                                     \
    tile_to_int(tile_atomic_##what(tile_pointers(f, 0), v, order, TILE_DEVICE))
#define LOOK() tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE))
#define PUT(v) tile_store_ptr_at(tile_pointers(f, 0), v, TILE_RELEASE, TILE_DEVICE)

/* Two blocks hand on what the first one has released, by an update each of its value. */
tile_kernel void handed_on_by_swaps(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    if (b == 0) {
        x[0] = 1;
        PUT(1);
    } else if (b == 1) {
        while (tile_to_int(tile_atomic_cas(tile_pointers(f, 0), 1, 2, TILE_RELAXED, TILE_DEVICE)) !=
               1)
            ;
    } else if (b == 2) {
        while (LOOK() != 2)
            ;
        y[0] = x[0];
    }
}
// EXPECT kernel handed_on_by_swaps
// EXPECT verdict race-free

tile_kernel void handed_on_by_a_store(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    if (b == 0) {
        x[0] = 1; // @handed_on_by_a_store_1
        PUT(1);
    } else if (b == 1) {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_RELAXED, TILE_DEVICE)) != 1)
            ;
        tile_store_ptr_at(tile_pointers(f, 0), 2, TILE_RELAXED, TILE_DEVICE);
    } else if (b == 2) {
        while (LOOK() != 2)
            ;
        y[0] = x[0]; // @handed_on_by_a_store_2
    }
}
// EXPECT kernel handed_on_by_a_store
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR014 @handed_on_by_a_store_1 @handed_on_by_a_store_2

tile_kernel void all_count(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1;
    if (UPDATE(add, 1, TILE_ACQ_REL) == n - 1)
        for (int i = 0; i < n; i++)
            y[i] = x[i];
}
// EXPECT kernel all_count
// EXPECT verdict race-free

tile_kernel void exchanged(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    if (UPDATE(xchg, 1, TILE_ACQ_REL) == 0)
        x[0] = 1;
}
// EXPECT kernel exchanged
// EXPECT verdict race-free

tile_kernel void exchanged_by_ids(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    if (UPDATE(xchg, tile_bid(0), TILE_ACQ_REL) == 0)
        x[0] = tile_bid(0); // @ids
}
// EXPECT kernel exchanged_by_ids
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @ids @ids

tile_kernel void cut_by_a_store(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    if (b == 0) {
        x[0] = 1; // @cut_store
        PUT(1);
    } else if (b == 1) {
        while (LOOK() < 2)
            ;
        y[0] = x[0]; // @cut_load
    } else if (b == 2)
        tile_store_ptr_at(tile_pointers(f, 0), 2, TILE_RELAXED, TILE_DEVICE);
}
// EXPECT kernel cut_by_a_store
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR019 @cut_store @cut_load

tile_kernel void begun_relaxed(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = 1; // @begun_store
    if (UPDATE(add, 1, TILE_ACQUIRE) == n - 1)
        for (int i = 0; i < n; i++)
            y[i] = x[i]; // @begun_load
}
// EXPECT kernel begun_relaxed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR014 @begun_store @begun_load

tile_kernel void greatest_decides(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0);
    if (UPDATE(max, b + 1, TILE_ACQ_REL) == n)
        x[0] = b; // @greatest
}
// EXPECT kernel greatest_decides
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @greatest @greatest
