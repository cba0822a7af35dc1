/* A lock for each row orders the blocks of a row; that rows do not overlap is for the stride. */
#include <tile.h>

#define TAKE(word)                                                                                 \
    while (tile_to_int(                                                                            \
               tile_atomic_cas(tile_pointers(lock, word), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
#define GIVE(word) tile_store_ptr_at(tile_pointers(lock, word), 0, TILE_RELEASE, TILE_DEVICE)

tile_kernel void shared_rows(float *restrict x, int *restrict lock, int s)
{
    int b = tile_bid(0);
    TAKE(b / 4);
    for (int c = 0; c < 16; c++)
        x[b / 4 * s + c] = x[b / 4 * s + c] + 1.0f; // @shared
    GIVE(b / 4);
}

tile_kernel void tiles_of_rows(float *restrict x, int *restrict lock, int s)
{
    int b = tile_bid(0);
    tile at = tile_pointers(x, b % 8 * s + tile_iota(32));
    TAKE(b % 8);
    tile_store_ptr(at, tile_load_ptr(at) + 1.0f); // @tiles
    GIVE(b % 8);
}

tile_kernel void rows_of_a_size(float *restrict x, int *restrict lock, int s, int m)
{
    int b = tile_bid(0);
    TAKE(b / 2);
    for (int c = 0; c < m; c++)
        x[b / 2 * s + c] = x[b / 2 * s + c] + 1.0f; // @size
    GIVE(b / 2);
}

/* The ids need not differ: the lock is theirs. */
tile_kernel void rows_by_id(float *restrict x, const int *restrict id, int *restrict lock, int s)
{
    tile_contents(id, 0, 7);
    int r = id[tile_bid(0)];
    TAKE(r);
    for (int c = 0; c < 16; c++)
        x[r * s + c] = x[r * s + c] + 1.0f; // @id
    GIVE(r);
}

tile_kernel void rows_as_stated(float *restrict x, int *restrict lock, int s)
{
    tile_assume(s >= 16 && s <= 64);
    int b = tile_bid(0);
    TAKE(b / 4);
    for (int c = 0; c < 16; c++)
        x[b / 4 * s + c] = x[b / 4 * s + c] + 1.0f;
    GIVE(b / 4);
}

/* Two locks for one row. */
tile_kernel void lock_too_fine(float *restrict x, int *restrict lock, int s)
{
    int b = tile_bid(0);
    TAKE(b / 2);
    for (int c = 0; c < 16; c++)
        x[b / 4 * s + c] = x[b / 4 * s + c] + 1.0f; // @fine
    GIVE(b / 2);
}

/* The lock is given back before the row is written. */
tile_kernel void given_early(float *restrict x, int *restrict lock, int s)
{
    int b = tile_bid(0);
    TAKE(b / 4);
    float first = x[b / 4 * s]; // @first
    GIVE(b / 4);
    for (int c = 0; c < 16; c++)
        x[b / 4 * s + c] = first; // @early
}

// EXPECT kernel shared_rows
// EXPECT verdict conditional
// EXPECT TR001 @shared @shared
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel tiles_of_rows
// EXPECT verdict conditional
// EXPECT TR001 @tiles @tiles
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel rows_of_a_size
// EXPECT verdict conditional
// EXPECT TR001 @size @size
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel rows_by_id
// EXPECT verdict conditional
// EXPECT TR001 @id @id
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel rows_as_stated
// EXPECT verdict race-free

// EXPECT kernel lock_too_fine
// EXPECT verdict race
// EXPECT TR022 @fine @fine
// EXPECT TR022 @fine @fine
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel given_early
// EXPECT verdict race
// EXPECT TR021 @first @early
// EXPECT TR021 @early @early
// EXPECT requires no-wrap:launch
// EXPECT observable no
