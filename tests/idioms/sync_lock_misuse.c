/* Locks that are released twice, tried once, or released by who does not hold them. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 16);                                                                \
    tile_contents(f, 0, 0)
#define TRY()  tile_to_int(tile_atomic_cas(tile_pointers(f, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE))
#define FREE() tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELEASE, TILE_DEVICE)

tile_kernel void released_twice(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    while (TRY() != 0)
        ;
    x[0] = x[0] + 1; // @twice
    FREE();
    FREE();
}
// EXPECT kernel released_twice
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR021 @twice @twice
// EXPECT TR021 @twice @twice

tile_kernel void released_twice_by_one(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    while (TRY() != 0)
        ;
    x[0] = x[0] + 1; // @by_one
    FREE();
    if (tile_bid(0) == 1)
        FREE();
}
// EXPECT kernel released_twice_by_one
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR021 @by_one @by_one
// EXPECT TR021 @by_one @by_one

tile_kernel void released_in_between(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    while (TRY() != 0)
        ;
    FREE();
    x[0] = x[0] + 1; // @between
    FREE();
}
// EXPECT kernel released_in_between
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR021 @between @between
// EXPECT TR021 @between @between

tile_kernel void released_in_either_branch(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    while (TRY() != 0)
        ;
    int v = x[0];
    if (v > 10) {
        x[0] = 0;
        FREE();
    } else {
        x[0] = v + 1;
        FREE();
    }
}
// EXPECT kernel released_in_either_branch
// EXPECT verdict race-free

tile_kernel void taken_twice(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    for (int i = 0; i < 2; i++) {
        while (TRY() != 0)
            ;
        x[0] = x[0] + 1;
        FREE();
    }
}
// EXPECT kernel taken_twice
// EXPECT verdict race-free

tile_kernel void tried_once(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    if (TRY() == 0) {
        x[0] = x[0] + 1;
        FREE();
    }
}
// EXPECT kernel tried_once
// EXPECT verdict race-free

tile_kernel void tried_once_kept(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    if (TRY() == 0)
        x[0] = x[0] + 1;
}
// EXPECT kernel tried_once_kept
// EXPECT verdict race-free

tile_kernel void tried_once_in_vain(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    TRY();
    x[0] = x[0] + 1; // @in_vain
    FREE();
}
// EXPECT kernel tried_once_in_vain
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR021 @in_vain @in_vain
// EXPECT TR021 @in_vain @in_vain

tile_kernel void tried_once_freed_by_all(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    if (TRY() == 0)
        x[0] = x[0] + 1; // @freed_by_all
    FREE();
}
// EXPECT kernel tried_once_freed_by_all
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR021 @freed_by_all @freed_by_all
// EXPECT TR021 @freed_by_all @freed_by_all

tile_kernel void tried_three_times(int *restrict x, int *restrict f, int n)
{
    LAUNCH;
    int held = 1;
    for (int i = 0; i < 3; i++) {
        held = TRY();
        if (held == 0)
            break;
    }
    if (held == 0) {
        x[0] = x[0] + 1;
        FREE();
    }
}
// EXPECT kernel tried_three_times
// EXPECT verdict race-free
