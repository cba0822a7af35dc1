/* A lock that is freed by a swap: only who holds it can have done so. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 4);                                                                 \
    tile_extent(x, 64);                                                                            \
    tile_extent(f, 64);                                                                            \
    tile_contents(f, 0, 0)
#define SWAP(p, from, to, order)                                                                   \
    tile_to_int(tile_atomic_cas(tile_pointers(f, p), from, to, order, TILE_DEVICE))

tile_kernel void freed_by_a_swap(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    while (SWAP(0, 0, 1, TILE_ACQUIRE) != 0)
        ;
    x[0] = x[0] + 1;
    SWAP(0, 1, 0, TILE_RELEASE);
}
// EXPECT kernel freed_by_a_swap
// EXPECT verdict race-free

/* The word says who holds it. */
tile_kernel void freed_by_its_holder(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int own = tile_bid(0) + 1;
    while (SWAP(0, 0, own, TILE_ACQUIRE) != 0)
        ;
    x[0] = x[0] + 1;
    SWAP(0, own, 0, TILE_RELEASE);
}
// EXPECT kernel freed_by_its_holder
// EXPECT verdict race-free

/* A swap for a number that is not there frees nothing: nobody comes after the first. */
tile_kernel void never_freed(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    if (SWAP(0, 0, 1, TILE_ACQUIRE) == 0) {
        x[0] = x[0] + 1;
        SWAP(0, 2, 0, TILE_RELEASE);
    }
}
// EXPECT kernel never_freed
// EXPECT verdict race-free

tile_kernel void freed_relaxed(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    while (SWAP(0, 0, 1, TILE_ACQUIRE) != 0)
        ;
    x[0] = x[0] + 1; // @freed_relaxed
    SWAP(0, 1, 0, TILE_RELAXED);
}
// EXPECT kernel freed_relaxed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR014 @freed_relaxed @freed_relaxed
// EXPECT TR014 @freed_relaxed @freed_relaxed

tile_kernel void freed_too_early(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    while (SWAP(0, 0, 1, TILE_ACQUIRE) != 0)
        ;
    SWAP(0, 1, 0, TILE_RELEASE);
    x[0] = x[0] + 1; // @freed_too_early
}
// EXPECT kernel freed_too_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR021 @freed_too_early @freed_too_early
// EXPECT TR021 @freed_too_early @freed_too_early

/* Freed by whoever comes by, too. */
tile_kernel void freed_by_all(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    if (SWAP(0, 0, 1, TILE_ACQUIRE) == 0)
        x[0] = x[0] + 1; // @freed_by_all
    SWAP(0, 1, 0, TILE_RELEASE);
}
// EXPECT kernel freed_by_all
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @freed_by_all @freed_by_all
// EXPECT TR018 @freed_by_all @freed_by_all
