/* A semaphore of one: a block raises a counter, goes on where it was the first to do so, and lowers
 * the counter again, also where it was not. */
#include <tile.h>

#define LAUNCH(start)                                                                              \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 4);                                                                 \
    tile_extent(x, 64);                                                                            \
    tile_extent(y, 64);                                                                            \
    tile_extent(f, 64);                                                                            \
    tile_contents(f, start, start)
#define ADD(by, order) tile_to_int(tile_atomic_add(tile_pointers(f, 0), by, order, TILE_DEVICE))

tile_kernel void of_one(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    while (ADD(1, TILE_ACQUIRE) != 0)
        ADD(-1, TILE_RELAXED);
    x[0] = x[0] + 1;
    ADD(-1, TILE_RELEASE);
}
// EXPECT kernel of_one
// EXPECT verdict race-free

/* Permits that are taken. */
tile_kernel void of_one_permit(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    while (ADD(-1, TILE_ACQUIRE) != 1)
        ADD(1, TILE_RELAXED);
    x[0] = x[0] + 1;
    ADD(1, TILE_RELEASE);
}
// EXPECT kernel of_one_permit
// EXPECT verdict race-free

/* Two may be in at once. */
tile_kernel void of_two(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    while (ADD(1, TILE_ACQUIRE) > 1)
        ADD(-1, TILE_RELAXED);
    x[0] = x[0] + 1; // @of_two_a
    ADD(-1, TILE_RELEASE);
}
// EXPECT kernel of_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @of_two_a @of_two_a
// EXPECT TR020 @of_two_a @of_two_a

/* Tried once: who was not alone goes on without it, and leaves it alone. */
tile_kernel void tried_once(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    if (ADD(1, TILE_ACQUIRE) == 0)
        x[0] = x[0] + 1;
    ADD(-1, TILE_RELEASE);
}
// EXPECT kernel tried_once
// EXPECT verdict race-free

/* Tried once, and used whether it was free or not. */
tile_kernel void tried_in_vain(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    int v = ADD(1, TILE_ACQUIRE);
    x[0] = x[0] + 1; // @tried_in_vain_a
    if (v == 0)
        ADD(-1, TILE_RELEASE);
    else
        ADD(-1, TILE_RELAXED);
}
// EXPECT kernel tried_in_vain
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @tried_in_vain_a @tried_in_vain_a
// EXPECT TR018 @tried_in_vain_a @tried_in_vain_a

/* Lowered without a release. */
tile_kernel void lowered_relaxed(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    while (ADD(1, TILE_ACQUIRE) != 0)
        ADD(-1, TILE_RELAXED);
    x[0] = x[0] + 1; // @lowered_relaxed_a
    ADD(-1, TILE_RELAXED);
}
// EXPECT kernel lowered_relaxed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR014 @lowered_relaxed_a @lowered_relaxed_a
// EXPECT TR014 @lowered_relaxed_a @lowered_relaxed_a

/* Raised without an acquire. */
tile_kernel void raised_relaxed(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    while (ADD(1, TILE_RELAXED) != 0)
        ADD(-1, TILE_RELAXED);
    x[0] = x[0] + 1; // @raised_relaxed_a
    ADD(-1, TILE_RELEASE);
}
// EXPECT kernel raised_relaxed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR015 @raised_relaxed_a @raised_relaxed_a
// EXPECT TR015 @raised_relaxed_a @raised_relaxed_a

/* Lowered before the section ends. */
tile_kernel void lowered_early(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    while (ADD(1, TILE_ACQUIRE) != 0)
        ADD(-1, TILE_RELAXED);
    ADD(-1, TILE_RELEASE);
    x[0] = x[0] + 1; // @lowered_early_a
}
// EXPECT kernel lowered_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR016 @lowered_early_a @lowered_early_a
// EXPECT TR016 @lowered_early_a @lowered_early_a

/* The counter is 1 at launch, and a block goes on where it reads no more. */
tile_kernel void from_one(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(1);
    while (ADD(1, TILE_ACQUIRE) > 1)
        ADD(-1, TILE_RELAXED);
    x[0] = x[0] + 1;
    ADD(-1, TILE_RELEASE);
}
// EXPECT kernel from_one
// EXPECT verdict race-free

/* Tried again and again. */
tile_kernel void tried_many_times(int *restrict x, int *restrict y, int *restrict f, int n, int m)
{
    LAUNCH(0);
    for (int i = 0; i < m; i++) {
        if (ADD(1, TILE_ACQUIRE) == 0)
            x[0] = x[0] + 1;
        ADD(-1, TILE_RELEASE);
    }
}
// EXPECT kernel tried_many_times
// EXPECT verdict race-free

/* Not lowered after the last try: one is missing for each block. */
tile_kernel void kept_at_last(int *restrict x, int *restrict y, int *restrict f, int n, int m)
{
    LAUNCH(0);
    for (int i = 0; i < m; i++) {
        if (ADD(1, TILE_ACQUIRE) == 0)
            x[0] = x[0] + 1;
        if (i + 1 < m)
            ADD(-1, TILE_RELEASE);
    }
}
// EXPECT kernel kept_at_last
// EXPECT verdict race-free

/* Raised twice by one block: no bound of the blocks says that the counter does not wrap. */
tile_kernel void kept_at_last_two(int *restrict x, int *restrict y, int *restrict f, int n, int m)
{
    LAUNCH(0);
    for (int i = 0; i < m; i++) {
        if (ADD(1, TILE_ACQUIRE) == 0)
            x[0] = x[0] + 1; // @kept_at_last_two
        if (i + 2 < m)
            ADD(-1, TILE_RELEASE);
    }
}
// EXPECT kernel kept_at_last_two
// EXPECT verdict unknown
// EXPECT TR020 @kept_at_last_two @kept_at_last_two possible
// EXPECT TR020 @kept_at_last_two @kept_at_last_two possible
// EXPECT requires no-wrap:launch

/* Lowered once without having been raised: two get in, and the others spin for a long time, which
 * is followed in few steps. */
tile_kernel void lowered_before(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(0);
    if (tile_bid(0) == 0)
        ADD(-1, TILE_RELEASE);
    while (ADD(1, TILE_ACQUIRE) != 0)
        ADD(-1, TILE_RELAXED);
    x[0] = x[0] + 1; // @lowered_before
    ADD(-1, TILE_RELEASE);
}
// EXPECT kernel lowered_before
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @lowered_before @lowered_before
// EXPECT TR020 @lowered_before @lowered_before
