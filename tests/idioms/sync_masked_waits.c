/* Waits for flags of which a mask leaves some out: an element that is left out counts with the
 * padding, and says nothing of its flag. */
#include <tile.h>

#define FLAGS(f, e)  tile_pointers(f, e)
#define RAISE(f, at) tile_store_ptr_at(tile_pointers(f, at), 1, TILE_RELEASE, TILE_DEVICE)
#define LOOK(f, mask, padding)                                                                     \
    tile_load_masked_at(FLAGS(f, tile_iota(8)), mask, padding, TILE_ACQUIRE, TILE_DEVICE)
#define LEAST(t) tile_to_int(tile_reduce_min(t, 0))
#define LAUNCH(blocks)                                                                             \
    tile_grid(blocks);                                                                             \
    tile_contents(f, 0, 0);                                                                        \
    tile_assume(1 <= n && n <= 4);                                                                 \
    int b = tile_bid(0)

tile_kernel void first_n(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(5);
    if (b < 4) {
        x[b] = 1;
        RAISE(f, b);
    } else {
        while (LEAST(LOOK(f, tile_lt(tile_iota(8), n), 1)) == 0)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel first_n
// EXPECT verdict race-free

tile_kernel void one_further(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(5);
    if (b < 4) {
        x[b] = 1; // @one_further
        RAISE(f, b);
    } else {
        while (LEAST(LOOK(f, tile_lt(tile_iota(8), n), 1)) == 0)
            ;
        y[0] = x[n]; // @read_one_further
    }
}
// EXPECT kernel one_further
// EXPECT verdict race
// EXPECT TR020 @one_further @read_one_further
// EXPECT observable yes

/* Padded by -1 the least of all is -1, whatever the flags are. */
tile_kernel void padded_below(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(5);
    if (b < 4) {
        x[b] = 1; // @padded_below
        RAISE(f, b);
    } else {
        while (LEAST(LOOK(f, tile_lt(tile_iota(8), n), -1)) == 0)
            ;
        y[0] = x[0]; // @read_padded_below
    }
}
// EXPECT kernel padded_below
// EXPECT verdict race
// EXPECT TR018 @padded_below @read_padded_below
// EXPECT observable yes

/* One flag, looked at in some launches alone: the padding is a flag that is not set ... */
tile_kernel void looked_at_sometimes(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(2);
    if (b == 0) {
        x[0] = 1;
        RAISE(f, 0);
    } else if (tile_to_int(tile_load_masked_at(FLAGS(f, 0), n > 2, 0, TILE_ACQUIRE, TILE_DEVICE)) !=
               0) {
        y[0] = x[0];
    }
}
// EXPECT kernel looked_at_sometimes
// EXPECT verdict race-free

/* ... or one that is. */
tile_kernel void taken_for_set(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(2);
    if (b == 0) {
        x[0] = 1; // @taken_for_set
        RAISE(f, 0);
    } else if (tile_to_int(tile_load_masked_at(FLAGS(f, 0), n > 2, 1, TILE_ACQUIRE, TILE_DEVICE)) !=
               0) {
        y[0] = x[0]; // @read_taken_for_set
    }
}
// EXPECT kernel taken_for_set
// EXPECT verdict race
// EXPECT TR020 @taken_for_set @read_taken_for_set
// EXPECT observable yes

/* A loop that carries the padded value. */
tile_kernel void carried(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(2);
    if (b == 0) {
        x[0] = 1;
        RAISE(f, 0);
    } else {
        int v = 0;
        for (int i = 0; i < 3; i++) {
            if (v != 0)
                y[i] = x[0];
            v = tile_to_int(tile_load_masked_at(FLAGS(f, 0), n > 2, 0, TILE_ACQUIRE, TILE_DEVICE));
        }
    }
}
// EXPECT kernel carried
// EXPECT verdict race-free

tile_kernel void carried_padding(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(2);
    if (b == 0) {
        x[0] = 1; // @carried_padding
        RAISE(f, 0);
    } else {
        int v = 0;
        for (int i = 0; i < 3; i++) {
            if (v != 0)
                y[i] = x[0]; // @read_carried_padding
            v = tile_to_int(tile_load_masked_at(FLAGS(f, 0), n > 2, 1, TILE_ACQUIRE, TILE_DEVICE));
        }
    }
}
// EXPECT kernel carried_padding
// EXPECT verdict race
// EXPECT TR020 @carried_padding @read_carried_padding
// EXPECT observable yes

/* No contract says that flags start at 0: the waiter sets them back, so they do. That each is 0 or
 * 1 rests on the same. */
tile_kernel void sets_back(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(5);
    int b = tile_bid(0);
    tile e = tile_iota(4);
    if (b < 4) {
        x[b] = 1;
        RAISE(f, b);
    } else {
        while (LEAST(tile_load_ptr_at(FLAGS(f, e), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        y[0] = x[2];
        tile_store_ptr_at(FLAGS(f, e), 0, TILE_RELAXED, TILE_DEVICE);
    }
}
// EXPECT kernel sets_back
// EXPECT verdict race-free
// EXPECT requires contents-range:standing

tile_kernel void sets_none_back(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(5);
    int b = tile_bid(0);
    tile e = tile_iota(4);
    if (b < 4) {
        x[b] = 1; // @sets_none_back
        RAISE(f, b);
    } else {
        while (LEAST(tile_load_ptr_at(FLAGS(f, e), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        y[0] = x[2]; // @read_sets_none_back
    }
}
// EXPECT kernel sets_none_back
// EXPECT verdict conditional
// EXPECT requires stale-synchronisation:race
// EXPECT TR002 @sets_none_back @read_sets_none_back

/* Flags of -1 and 1. */
tile_kernel void of_both_signs(int *restrict x, int *restrict y, int *restrict f)
{
    tile_grid(5);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b < 4) {
        x[b] = 1; // @of_both_signs
        tile_store_ptr_at(FLAGS(f, b), b == 0 ? -1 : 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        while (LEAST(tile_load_ptr_at(FLAGS(f, tile_iota(4)), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        y[0] = x[2]; // @read_of_both_signs
    }
}
// EXPECT kernel of_both_signs
// EXPECT verdict race
// EXPECT TR018 @of_both_signs @read_of_both_signs
// EXPECT observable yes

/* A view that ends before its tile does: what is left out counts as 0. */
#define VIEW(f, n)                                                                                 \
    tile_load_at(tile_partition_padded(tile_tensor(f, n), TILE_PAD_ZERO, 4), TILE_ACQUIRE,         \
                 TILE_DEVICE, 0)
#define SUM(t) tile_to_int(tile_reduce_sum(t, 0))

tile_kernel void sum_of_view(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(5);
    if (b < n) {
        x[b] = 1;
        RAISE(f, b);
    } else if (b == 4) {
        while (SUM(VIEW(f, n)) < n)
            ;
        for (int j = 0; j < n; j++)
            y[j] = x[j];
    }
}
// EXPECT kernel sum_of_view
// EXPECT verdict race-free

tile_kernel void sum_of_view_less(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(5);
    if (b < n) {
        x[b] = 1; // @sum_of_view_less
        RAISE(f, b);
    } else if (b == 4) {
        while (SUM(VIEW(f, n)) < n - 1)
            ;
        y[0] = x[n - 1]; // @read_sum_of_view_less
    }
}
// EXPECT kernel sum_of_view_less
// EXPECT verdict race
// EXPECT TR018 @sum_of_view_less @read_sum_of_view_less
// EXPECT observable yes

tile_kernel void none_below(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH(5);
    if (b < n) {
        x[b] = 1; // @none_below
        RAISE(f, b);
    } else if (b == 4) {
        while (LEAST(VIEW(f, n)) < 0)
            ;
        y[0] = x[0]; // @read_none_below
    }
}
// EXPECT kernel none_below
// EXPECT verdict race
// EXPECT TR018 @none_below @read_none_below
// EXPECT observable yes
