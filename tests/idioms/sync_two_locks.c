/* Two locks: one for each buffer, one inside the other, hand over hand; and what goes wrong with
 * them. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 16);                                                                \
    tile_contents(f, 0, 0);                                                                        \
    tile_contents(g, 0, 0)

static void lock(int *p)
{
    while (tile_to_int(tile_atomic_cas(tile_pointers(p, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
        ;
}

static void unlock(int *p)
{
    tile_store_ptr_at(tile_pointers(p, 0), 0, TILE_RELEASE, TILE_DEVICE);
}

tile_kernel void one_after_the_other(int *restrict x, int *restrict y, int *restrict f,
                                     int *restrict g, int n)
{
    LAUNCH;
    lock(f);
    x[0] = x[0] + 1;
    unlock(f);
    lock(g);
    y[0] = y[0] + 1;
    unlock(g);
}
// EXPECT kernel one_after_the_other
// EXPECT verdict race-free

tile_kernel void one_in_the_other(int *restrict x, int *restrict y, int *restrict f,
                                  int *restrict g, int n)
{
    LAUNCH;
    lock(f);
    lock(g);
    x[0] = x[0] + y[0];
    y[0] = x[0];
    unlock(g);
    unlock(f);
}
// EXPECT kernel one_in_the_other
// EXPECT verdict race-free

tile_kernel void hand_over_hand(int *restrict x, int *restrict y, int *restrict f, int *restrict g,
                                int n)
{
    LAUNCH;
    lock(f);
    x[0] = x[0] + 1;
    lock(g);
    unlock(f);
    y[0] = y[0] + 1;
    unlock(g);
}
// EXPECT kernel hand_over_hand
// EXPECT verdict race-free

tile_kernel void by_parity(int *restrict x, int *restrict y, int *restrict f, int *restrict g,
                           int n)
{
    LAUNCH;
    if (tile_bid(0) % 2) {
        lock(f);
        x[0] = x[0] + 1;
        unlock(f);
    } else {
        lock(g);
        y[0] = y[0] + 1;
        unlock(g);
    }
}
// EXPECT kernel by_parity
// EXPECT verdict race-free

tile_kernel void by_parity_one_buffer(int *restrict x, int *restrict y, int *restrict f,
                                      int *restrict g, int n)
{
    LAUNCH;
    if (tile_bid(0) % 2) {
        lock(f);
        x[0] = x[0] + 1; // @odd
        unlock(f);
    } else {
        lock(g);
        x[0] = x[0] + 1; // @even
        unlock(g);
    }
}
// EXPECT kernel by_parity_one_buffer
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR022 @odd @even
// EXPECT TR022 @odd @even
// EXPECT TR022 @odd @even

tile_kernel void freed_before_the_second(int *restrict x, int *restrict y, int *restrict f,
                                         int *restrict g, int n)
{
    LAUNCH;
    lock(f);
    unlock(f);
    lock(g);
    y[0] = y[0] + 1;
    unlock(g);
    x[0] = x[0] + 1; // @freed
}
// EXPECT kernel freed_before_the_second
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR002 @freed @freed
// EXPECT TR021 @freed @freed

tile_kernel void other_lock_freed(int *restrict x, int *restrict y, int *restrict f,
                                  int *restrict g, int n)
{
    LAUNCH;
    lock(f);
    lock(g);
    y[0] = y[0] + 1;
    unlock(f);
    x[0] = x[0] + 1; // @x
    unlock(g);
}
// EXPECT kernel other_lock_freed
// EXPECT verdict race-free

/* Who holds the first lock alone may be there while who holds the second one alone is. */
tile_kernel void held_by_either(int *restrict x, int *restrict y, int *restrict f, int *restrict g,
                                int n)
{
    LAUNCH;
    lock(f);
    x[0] = x[0] + 1; // @first
    lock(g);
    unlock(f);
    x[0] = x[0] + 1; // @second
    unlock(g);
}
// EXPECT kernel held_by_either
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR022 @first @second
// EXPECT TR022 @first @second
// EXPECT TR022 @first @second
