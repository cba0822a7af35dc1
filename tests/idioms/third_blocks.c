/* Races of a pair of blocks that a third one, or several, let happen: they write the value that the
 * pair waits for or asks. */
#include <tile.h>

/* Block 2 sets the flag; both others go on when they have seen it. */
tile_kernel void told_by_third(int *restrict flag, float *restrict y)
{
    tile_grid(3);
    tile_extent(flag, 1);
    tile_extent(y, 1);
    tile_contents(flag, 0, 0);
    int i = tile_bid(0);
    if (i == 2) {
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        int seen = tile_to_int(tile_load_ptr_at(tile_pointers(flag, 0), TILE_ACQUIRE, TILE_DEVICE));
        if (seen == 1)
            y[0] = 1.0f; // @told
    }
}

// EXPECT kernel told_by_third
// EXPECT verdict race
// EXPECT TR001 @told @told
// EXPECT observable no

/* Each of the two others writes its own element. */
tile_kernel void told_by_third_apart(int *restrict flag, float *restrict y)
{
    tile_grid(3);
    tile_extent(flag, 1);
    tile_extent(y, 3);
    tile_contents(flag, 0, 0);
    int i = tile_bid(0);
    if (i == 2) {
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        int seen = tile_to_int(tile_load_ptr_at(tile_pointers(flag, 0), TILE_ACQUIRE, TILE_DEVICE));
        if (seen == 1)
            y[i] = 1.0f;
    }
}

// EXPECT kernel told_by_third_apart
// EXPECT verdict race-free

/* A count of two is reached by blocks that do not write. */
tile_kernel void counted_by_others(int *restrict count, float *restrict y)
{
    tile_grid(4);
    tile_extent(count, 1);
    tile_extent(y, 1);
    tile_contents(count, 0, 0);
    int i = tile_bid(0);
    if (i >= 2) {
        tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE);
    } else {
        int seen =
            tile_to_int(tile_load_ptr_at(tile_pointers(count, 0), TILE_ACQUIRE, TILE_DEVICE));
        if (seen == 2)
            y[0] = 1.0f; // @counted
    }
}

// EXPECT kernel counted_by_others
// EXPECT verdict race
// EXPECT TR001 @counted @counted
// EXPECT observable no

/* No four blocks count to nine. */
tile_kernel void never_counted(int *restrict count, float *restrict y)
{
    tile_grid(4);
    tile_extent(count, 1);
    tile_extent(y, 1);
    tile_contents(count, 0, 0);
    int i = tile_bid(0);
    if (i >= 2) {
        tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE);
    } else {
        int seen =
            tile_to_int(tile_load_ptr_at(tile_pointers(count, 0), TILE_ACQUIRE, TILE_DEVICE));
        if (seen == 9)
            y[0] = 1.0f;
    }
}

// EXPECT kernel never_counted
// EXPECT verdict race-free

/* Two flags, set by two other blocks, let the pair meet. */
tile_kernel void two_flags(int *restrict a, int *restrict b, float *restrict y)
{
    tile_grid(4);
    tile_extent(a, 1);
    tile_extent(b, 1);
    tile_extent(y, 1);
    tile_contents(a, 0, 0);
    tile_contents(b, 0, 0);
    int i = tile_bid(0);
    if (i == 2)
        tile_store_ptr_at(tile_pointers(a, 0), 1, TILE_RELEASE, TILE_DEVICE);
    else if (i == 3)
        tile_store_ptr_at(tile_pointers(b, 0), 1, TILE_RELEASE, TILE_DEVICE);
    else {
        int *flag = i == 0 ? a : b;
        int seen = tile_to_int(tile_load_ptr_at(tile_pointers(flag, 0), TILE_ACQUIRE, TILE_DEVICE));
        if (seen == 1)
            y[0] = 1.0f; // @flags
    }
}

// EXPECT kernel two_flags
// EXPECT verdict race
// EXPECT TR001 @flags @flags
// EXPECT observable no
