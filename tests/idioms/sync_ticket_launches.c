/* Ticket locks whose words nobody resets: no launch leaves them at 0. What a launch may find there
 * is what earlier ones have left, and no later launch races as long as each leaves no more in the
 * word that says whose turn it is than in the word of tickets. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 16)
#define TAKE(p, at)   tile_to_int(tile_atomic_add(tile_pointers(p, at), 1, TILE_RELAXED, TILE_DEVICE))
#define LOOK(p, at)   tile_to_int(tile_load_ptr_at(tile_pointers(p, at), TILE_ACQUIRE, TILE_DEVICE))
#define PUT(p, at, v) tile_store_ptr_at(tile_pointers(p, at), v, TILE_RELEASE, TILE_DEVICE)
#define ADD(p, at)    tile_atomic_add(tile_pointers(p, at), 1, TILE_RELEASE, TILE_DEVICE)

tile_kernel void by_store(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, 0);
    while (LOOK(f, 1) != t)
        ;
    x[0] = x[0] + 1;
    PUT(f, 1, t + 1);
}
// EXPECT kernel by_store
// EXPECT verdict race-free
// EXPECT requires contents-range:standing no-wrap:launch no-wrap:launch

tile_kernel void by_addition(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, 0);
    while (LOOK(f, 1) != t)
        ;
    x[0] = x[0] + 1;
    ADD(f, 1);
}
// EXPECT kernel by_addition
// EXPECT verdict race-free
// EXPECT requires contents-range:standing no-wrap:launch

tile_kernel void two_buffers(int *restrict x, int *restrict g, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(g, 2);
    while (LOOK(f, 2) < t)
        ;
    x[0] = x[0] + 1;
    PUT(f, 2, t + 1);
}
// EXPECT kernel two_buffers
// EXPECT verdict race-free
// EXPECT requires contents-range:standing no-wrap:launch

tile_kernel void two_locks(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, 0);
    while (LOOK(f, 1) != t)
        ;
    x[0] = x[0] + 1;
    ADD(f, 1);
    int u = TAKE(f, 2);
    while (LOOK(f, 3) != u)
        ;
    y[0] = y[0] + 1;
    ADD(f, 3);
}
// EXPECT kernel two_locks
// EXPECT verdict race-free
// EXPECT requires contents-range:standing no-wrap:launch

/* Who is not at once in turn goes away; later launches find that no ticket is ever in turn. */
tile_kernel void tried_once(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, 0);
    if (LOOK(f, 1) == t) {
        x[0] = x[0] + 1;
        PUT(f, 1, t + 1);
    }
}
// EXPECT kernel tried_once
// EXPECT verdict race-free
// EXPECT requires contents-range:standing no-wrap:launch no-wrap:launch

/* The tickets begin again, the turns do not: at the second launch all turns have passed. */
tile_kernel void tickets_reset(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, 0);
    while (LOOK(f, 1) < t)
        ;
    x[0] = x[0] + 1; // @tickets_reset
    if (t == n - 1)
        tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELAXED, TILE_DEVICE);
    PUT(f, 1, t + 1);
}
// EXPECT kernel tickets_reset
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR020 @tickets_reset @tickets_reset possible
// EXPECT TR020 @tickets_reset @tickets_reset possible

/* The last block hands over to one more than there are tickets. */
tile_kernel void one_too_many(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, 0);
    while (LOOK(f, 1) < t)
        ;
    x[0] = x[0] + 1; // @one_too_many
    PUT(f, 1, t == n - 1 ? t + 2 : t + 1);
}
// EXPECT kernel one_too_many
// EXPECT verdict conditional
// EXPECT requires stale-synchronisation:race
// EXPECT TR002 @one_too_many @one_too_many

/* Launched with `skip`, a block hands over without a turn of its own. */
tile_kernel void handed_over_twice(int *restrict x, int *restrict f, int n, int skip)
{
    LAUNCH;
    if (skip) {
        if (tile_bid(0) == 0)
            ADD(f, 1);
    } else {
        int t = TAKE(f, 0);
        while (LOOK(f, 1) < t)
            ;
        x[0] = x[0] + 1; // @handed_over_twice
        ADD(f, 1);
    }
}
// EXPECT kernel handed_over_twice
// EXPECT verdict conditional
// EXPECT requires stale-synchronisation:race
// EXPECT TR002 @handed_over_twice @handed_over_twice

/* The words are others at each size of the launch, and one launch's turns are another's tickets. */
tile_kernel void moving_words(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, n);
    while (LOOK(f, n + 1) < t)
        ;
    x[0] = x[0] + 1; // @moving_words
    PUT(f, n + 1, t + 1);
}
// EXPECT kernel moving_words
// EXPECT verdict conditional
// EXPECT requires stale-synchronisation:race
// EXPECT TR002 @moving_words @moving_words

/* Tickets are given back. */
tile_kernel void ticket_returned(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(f, 0);
    while (LOOK(f, 1) < t)
        ;
    x[0] = x[0] + 1; // @ticket_returned
    PUT(f, 1, t + 1);
    if (t == n - 1)
        tile_atomic_add(tile_pointers(f, 0), -1, TILE_RELAXED, TILE_DEVICE);
}
// EXPECT kernel ticket_returned
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR020 @ticket_returned @ticket_returned possible
// EXPECT TR020 @ticket_returned @ticket_returned possible
