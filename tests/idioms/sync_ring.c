/* Rings of buffers behind flags: a word for each slot, or counts of what was handed over and given
 * back; one tile block fills, another one empties. */
#include <tile.h>

enum { SLOTS = 4 };
#define LAUNCH                                                                                     \
    tile_grid(2);                                                                                  \
    tile_assume(0 < n && n <= 1 << 20);                                                            \
    tile_contents(full, 0, 0);                                                                     \
    tile_contents(empty, 0, 0)
#define LOOK(p, at)   tile_to_int(tile_load_ptr_at(tile_pointers(p, at), TILE_ACQUIRE, TILE_DEVICE))
#define PUT(p, at, v) tile_store_ptr_at(tile_pointers(p, at), v, TILE_RELEASE, TILE_DEVICE)

tile_kernel void counts(int *restrict ring, int *restrict y, int *restrict full,
                        int *restrict empty, int n)
{
    LAUNCH;
    if (tile_bid(0) == 0) {
        for (int i = 0; i < n; i++) {
            while (LOOK(empty, 0) + SLOTS <= i)
                ;
            ring[i % SLOTS] = i;
            PUT(full, 0, i + 1);
        }
    } else {
        for (int i = 0; i < n; i++) {
            while (LOOK(full, 0) <= i)
                ;
            y[i] = ring[i % SLOTS];
            PUT(empty, 0, i + 1);
        }
    }
}
// EXPECT kernel counts
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void counts_of_another_ring(int *restrict ring, int *restrict y, int *restrict full,
                                        int *restrict empty, int n)
{
    LAUNCH;
    if (tile_bid(0) == 0) {
        for (int i = 0; i < n; i++) {
            while (LOOK(empty, 0) + SLOTS <= i)
                ;
            ring[i % (SLOTS - 1)] = i; // @fill
            PUT(full, 0, i + 1);
        }
    } else {
        for (int i = 0; i < n; i++) {
            while (LOOK(full, 0) <= i)
                ;
            y[i] = ring[i % (SLOTS - 1)]; // @take
            PUT(empty, 0, i + 1);
        }
    }
}
// EXPECT kernel counts_of_another_ring
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT observable yes
// EXPECT TR020 @fill @take

tile_kernel void counts_one_early(int *restrict ring, int *restrict y, int *restrict full,
                                  int *restrict empty, int n)
{
    LAUNCH;
    if (tile_bid(0) == 0) {
        for (int i = 0; i < n; i++) {
            while (LOOK(empty, 0) + SLOTS < i)
                ;
            ring[i % SLOTS] = i; // @early
            PUT(full, 0, i + 1);
        }
    } else {
        for (int i = 0; i < n; i++) {
            while (LOOK(full, 0) <= i)
                ;
            y[i] = ring[i % SLOTS]; // @early_take
            PUT(empty, 0, i + 1);
        }
    }
}
// EXPECT kernel counts_one_early
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT observable yes
// EXPECT TR020 @early @early_take

tile_kernel void rounds_in_slots(int *restrict ring, int *restrict y, int *restrict full,
                                 int *restrict empty, int n)
{
    LAUNCH;
    if (tile_bid(0) == 0) {
        for (int i = 0; i < n; i++) {
            while (LOOK(empty, i % SLOTS) < i / SLOTS)
                ;
            ring[i % SLOTS] = i;
            PUT(full, i % SLOTS, i / SLOTS + 1);
        }
    } else {
        for (int i = 0; i < n; i++) {
            while (LOOK(full, i % SLOTS) <= i / SLOTS)
                ;
            y[i] = ring[i % SLOTS];
            PUT(empty, i % SLOTS, i / SLOTS + 1);
        }
    }
}
// EXPECT kernel rounds_in_slots
// EXPECT verdict race-free

tile_kernel void rounds_of_the_next_slot(int *restrict ring, int *restrict y, int *restrict full,
                                         int *restrict empty, int n)
{
    LAUNCH;
    if (tile_bid(0) == 0) {
        for (int i = 0; i < n; i++) {
            while (LOOK(empty, i % SLOTS) < i / SLOTS)
                ;
            PUT(full, i % SLOTS, i / SLOTS + 1);
            ring[i % SLOTS] = i; // @told_early
        }
    } else {
        for (int i = 0; i < n; i++) {
            while (LOOK(full, i % SLOTS) <= i / SLOTS)
                ;
            y[i] = ring[i % SLOTS]; // @told_early_take
            PUT(empty, i % SLOTS, i / SLOTS + 1);
        }
    }
}
// EXPECT kernel rounds_of_the_next_slot
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @told_early @told_early_take
