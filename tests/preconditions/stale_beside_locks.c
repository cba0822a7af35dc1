/* Words beside those of a ticket lock, in one buffer. What earlier launches drew does not matter to
 * the lock; a word that is never written holds 0 at every launch, and one that is left at another
 * value is stale at the next. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 16)
#define LOOK(p, at)   tile_to_int(tile_load_ptr_at(tile_pointers(p, at), TILE_ACQUIRE, TILE_DEVICE))
#define PUT(p, at, v) tile_store_ptr_at(tile_pointers(p, at), v, TILE_RELEASE, TILE_DEVICE)
#define UNDER_LOCK(f)                                                                              \
    int t = tile_to_int(tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE));       \
    while (LOOK(f, 1) != t)                                                                        \
        ;                                                                                          \
    x[0] = x[0] + 1;                                                                               \
    PUT(f, 1, t + 1)

tile_kernel void never_written(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    UNDER_LOCK(f);
    if (LOOK(f, 2) != 0)
        y[0] = tile_bid(0);
}
// EXPECT kernel never_written
// EXPECT verdict race-free
// EXPECT requires contents-range:standing no-wrap:launch no-wrap:launch

tile_kernel void never_written_and_0(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    UNDER_LOCK(f);
    if (LOOK(f, 2) == 0)
        y[0] = tile_bid(0); // @zero
}
// EXPECT kernel never_written_and_0
// EXPECT verdict race
// EXPECT TR016 @zero @zero
// EXPECT requires contents-range:standing
// EXPECT observable yes

tile_kernel void left_at_1(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    UNDER_LOCK(f);
    if (tile_bid(0) == 0) {
        y[0] = 1; // @first
        PUT(f, 2, 1);
    }
    if (tile_bid(0) == 1) {
        while (LOOK(f, 2) == 0)
            ;
        y[0] = 2; // @second
    }
}
// EXPECT kernel left_at_1
// EXPECT verdict conditional
// EXPECT TR001 @first @second
// EXPECT requires stale-synchronisation:race

tile_kernel void left_at_5(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    UNDER_LOCK(f);
    if (tile_bid(0) == 0) {
        y[0] = 1; // @one
        PUT(f, 2, 5);
    }
    if (tile_bid(0) == 1 && LOOK(f, 2) == 5)
        y[0] = 2; // @two
}
// EXPECT kernel left_at_5
// EXPECT verdict conditional
// EXPECT TR001 @one @two
// EXPECT requires stale-synchronisation:race

/* In grids that no small launch shows: nobody knows. */
tile_kernel void left_at_1_late(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 1000);
    UNDER_LOCK(f);
    if (tile_bid(0) == 370) {
        y[0] = 1;
        PUT(f, 2, 1);
    }
    if (tile_bid(0) == 371) {
        while (LOOK(f, 2) == 0)
            ;
        y[0] = 2;
    }
}
// EXPECT kernel left_at_1_late
// EXPECT verdict unknown
// EXPECT requires contents-range:standing
// EXPECT reason contract-silent
