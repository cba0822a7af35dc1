/* Ticket locks: a ticket by an atomic addition, a wait for one's turn, a release that hands over,
 * by a store of the next number or by an addition. Which of the three is wrong decides whether it
 * is a race. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(n);                                                                                  \
    tile_assume(2 <= n && n <= 16);                                                                \
    tile_extent(x, 64);                                                                            \
    tile_extent(y, 64);                                                                            \
    tile_extent(f, 64);                                                                            \
    tile_contents(f, 0, 0)
#define TAKE(at)          tile_to_int(tile_atomic_add(tile_pointers(f, at), 1, TILE_RELAXED, TILE_DEVICE))
#define SERVING(at)       tile_to_int(tile_load_ptr_at(tile_pointers(f, at), TILE_ACQUIRE, TILE_DEVICE))
#define HAND_OVER(at, to) tile_store_ptr_at(tile_pointers(f, at), to, TILE_RELEASE, TILE_DEVICE)
#define COUNT_ON(at)      tile_atomic_add(tile_pointers(f, at), 1, TILE_RELEASE, TILE_DEVICE)

tile_kernel void by_store(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) != t)
        ;
    x[0] = x[0] + 1;
    y[0] = y[0] + x[0];
    HAND_OVER(1, t + 1);
}
// EXPECT kernel by_store
// EXPECT verdict race-free

tile_kernel void by_addition(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) != t)
        ;
    x[0] = x[0] + 1;
    COUNT_ON(1);
}
// EXPECT kernel by_addition
// EXPECT verdict race-free

/* The tickets are in a buffer of their own; whose turn it is is looked at by an update. */
tile_kernel void two_buffers(int *restrict x, int *restrict g, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 1000);
    tile_extent(x, 64);
    tile_extent(g, 1);
    tile_extent(f, 1);
    tile_contents(f, 0, 0);
    tile_contents(g, 0, 0);
    int t = tile_to_int(tile_atomic_add(tile_pointers(g, 0), 1, TILE_RELAXED, TILE_DEVICE));
    while (tile_to_int(tile_atomic_or(tile_pointers(f, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) < t)
        ;
    x[0] = x[0] + 1;
    COUNT_ON(0);
}
// EXPECT kernel two_buffers
// EXPECT verdict race-free

/* A lock for each of four elements. */
tile_kernel void many_locks(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0), c = b % 4;
    int t = TAKE(2 * c);
    while (SERVING(2 * c + 1) != t)
        ;
    x[c] = x[c] + 1;
    HAND_OVER(2 * c + 1, t + 1);
}
// EXPECT kernel many_locks
// EXPECT verdict race-free

/* The lock of one element of two. */
tile_kernel void many_locks_shared(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int b = tile_bid(0), c = b % 4;
    int t = TAKE(2 * c);
    while (SERVING(2 * c + 1) != t)
        ;
    x[c / 2] = x[c / 2] + 1; // @many_locks_shared_a
    HAND_OVER(2 * c + 1, t + 1);
}
// EXPECT kernel many_locks_shared
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @many_locks_shared_a @many_locks_shared_a
// EXPECT TR020 @many_locks_shared_a @many_locks_shared_a

/* Tickets and turns start at 5, as the contract says. */
tile_kernel void from_five(int *restrict x, int *restrict g, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 1000);
    tile_extent(x, 64);
    tile_extent(g, 1);
    tile_extent(f, 1);
    tile_contents(f, 5, 5);
    tile_contents(g, 5, 5);
    int t = tile_to_int(tile_atomic_add(tile_pointers(g, 0), 1, TILE_RELAXED, TILE_DEVICE));
    while (SERVING(0) < t)
        ;
    x[0] = x[0] + 1;
    HAND_OVER(0, t + 1);
}
// EXPECT kernel from_five
// EXPECT verdict race-free

/* Turns start above the tickets. */
tile_kernel void from_above(int *restrict x, int *restrict g, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(2 <= n && n <= 1000);
    tile_extent(x, 64);
    tile_extent(g, 1);
    tile_extent(f, 1);
    tile_contents(f, 1, 1);
    tile_contents(g, 0, 0);
    int t = tile_to_int(tile_atomic_add(tile_pointers(g, 0), 1, TILE_RELAXED, TILE_DEVICE));
    while (SERVING(0) < t)
        ;
    x[0] = x[0] + 1; // @from_above_a
    HAND_OVER(0, t + 1);
}
// EXPECT kernel from_above
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @from_above_a @from_above_a
// EXPECT TR020 @from_above_a @from_above_a

/* Handing over skips a turn, and the wait is content with any later one. */
tile_kernel void two_turns(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) < t)
        ;
    x[0] = x[0] + 1; // @two_turns_a
    HAND_OVER(1, t + 2);
}
// EXPECT kernel two_turns
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @two_turns_a @two_turns_a
// EXPECT TR020 @two_turns_a @two_turns_a

/* Two additions for one ticket. */
tile_kernel void counted_twice(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) < t)
        ;
    x[0] = x[0] + 1; // @counted_twice_a
    COUNT_ON(1);
    COUNT_ON(1);
}
// EXPECT kernel counted_twice
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @counted_twice_a @counted_twice_a
// EXPECT TR020 @counted_twice_a @counted_twice_a

/* All hand over to the same ticket. */
tile_kernel void to_a_constant(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) < t)
        ;
    x[0] = x[0] + 1; // @to_a_constant_a
    HAND_OVER(1, 15);
}
// EXPECT kernel to_a_constant
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR018 @to_a_constant_a @to_a_constant_a
// EXPECT TR018 @to_a_constant_a @to_a_constant_a

/* A wait for the turn before one's own. */
tile_kernel void turn_before(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) < t - 1)
        ;
    x[0] = x[0] + 1; // @turn_before_a
    COUNT_ON(1);
}
// EXPECT kernel turn_before
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @turn_before_a @turn_before_a
// EXPECT TR020 @turn_before_a @turn_before_a

/* Handed over before the section ends. */
tile_kernel void too_early(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) != t)
        ;
    HAND_OVER(1, t + 1);
    x[0] = x[0] + 1; // @too_early_a
}
// EXPECT kernel too_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR016 @too_early_a @too_early_a
// EXPECT TR016 @too_early_a @too_early_a

/* The ticket is read, not taken: two blocks may have the same. */
tile_kernel void not_taken(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = tile_to_int(tile_atomic_or(tile_pointers(f, 0), 0, TILE_RELAXED, TILE_DEVICE));
    tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE);
    while (SERVING(1) < t)
        ;
    x[0] = x[0] + 1; // @not_taken_a
    COUNT_ON(1);
}
// EXPECT kernel not_taken
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @not_taken_a @not_taken_a
// EXPECT TR020 @not_taken_a @not_taken_a

/* One block goes on after some looks. */
tile_kernel void impatient(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    for (int i = 0; i < 3; i++)
        if (SERVING(1) == t)
            break;
    x[0] = x[0] + 1; // @impatient_a
    HAND_OVER(1, t + 1);
}
// EXPECT kernel impatient
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @impatient_a @impatient_a
// EXPECT TR020 @impatient_a @impatient_a

/* A look without an acquire. */
tile_kernel void relaxed_look(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 1), TILE_RELAXED, TILE_DEVICE)) != t)
        ;
    x[0] = x[0] + 1; // @relaxed_look_a
    HAND_OVER(1, t + 1);
}
// EXPECT kernel relaxed_look
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR015 @relaxed_look_a @relaxed_look_a
// EXPECT TR015 @relaxed_look_a @relaxed_look_a

/* Tickets wrap round to the places of a ring: two blocks have one place. */
tile_kernel void ticket_in_a_ring(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    x[t % 4] = t; // @ticket_in_a_ring_a
}
// EXPECT kernel ticket_in_a_ring
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @ticket_in_a_ring_a @ticket_in_a_ring_a

/* As many places as tickets. */
tile_kernel void ticket_in_a_wide_ring(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    x[t % 16] = t;
}
// EXPECT kernel ticket_in_a_wide_ring
// EXPECT verdict race-free

/* Three bits of the ticket: it wraps at 8. */
tile_kernel void ticket_of_three_bits(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    x[t & 7] = t; // @ticket_of_three_bits_a
}
// EXPECT kernel ticket_of_three_bits
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @ticket_of_three_bits_a @ticket_of_three_bits_a

/* Two sections, hand over hand. */
tile_kernel void two_locks(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) != t)
        ;
    x[0] = x[0] + 1;
    int u = TAKE(2);
    HAND_OVER(1, t + 1);
    while (SERVING(3) != u)
        ;
    y[0] = y[0] + 1;
    HAND_OVER(3, u + 1);
}
// EXPECT kernel two_locks
// EXPECT verdict race-free

/* The second section uses the first one's data. */
tile_kernel void two_locks_mixed(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0);
    while (SERVING(1) != t)
        ;
    x[0] = x[0] + 1; // @two_locks_mixed_a
    HAND_OVER(1, t + 1);
    int u = TAKE(2);
    while (SERVING(3) != u)
        ;
    x[0] = x[0] + 1; // @two_locks_mixed_b
    HAND_OVER(3, u + 1);
}
// EXPECT kernel two_locks_mixed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @two_locks_mixed_a @two_locks_mixed_b
// EXPECT TR002 @two_locks_mixed_a @two_locks_mixed_b
// EXPECT TR002 @two_locks_mixed_a @two_locks_mixed_b

/* A turn in each iteration. */
tile_kernel void lock_in_loop(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    for (int i = 0; i < 4; i++) {
        int t = TAKE(0);
        while (SERVING(1) != t)
            ;
        x[0] = x[0] + 1;
        HAND_OVER(1, t + 1);
    }
}
// EXPECT kernel lock_in_loop
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void lock_in_loop_by_size(int *restrict x, int *restrict y, int *restrict f, int n,
                                      int m)
{
    LAUNCH;
    tile_assume(0 <= m && m <= 1000);
    for (int i = 0; i < m; i++) {
        int t = TAKE(0);
        while (SERVING(1) < t)
            ;
        x[0] = x[0] + 1;
        COUNT_ON(1);
    }
}
// EXPECT kernel lock_in_loop_by_size
// EXPECT verdict race-free

tile_kernel void lock_in_loop_over_elements(int *restrict x, int *restrict y, int *restrict f,
                                            int n)
{
    LAUNCH;
    for (int i = 0; i < 4; i++) {
        int t = TAKE(2 * i);
        while (SERVING(2 * i + 1) != t)
            ;
        x[i] = x[i] + 1;
        HAND_OVER(2 * i + 1, t + 1);
    }
}
// EXPECT kernel lock_in_loop_over_elements
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void lock_in_loop_next_element(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    for (int i = 0; i < 4; i++) {
        int t = TAKE(2 * i);
        while (SERVING(2 * i + 1) != t)
            ;
        x[i / 2] = x[i / 2] + 1; // @lock_in_loop_next_element_a
        HAND_OVER(2 * i + 1, t + 1);
    }
}
// EXPECT kernel lock_in_loop_next_element
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR020 @lock_in_loop_next_element_a @lock_in_loop_next_element_a
// EXPECT TR020 @lock_in_loop_next_element_a @lock_in_loop_next_element_a

tile_kernel void lock_in_loop_handed_over_twice(int *restrict x, int *restrict y, int *restrict f,
                                                int n)
{
    LAUNCH;
    for (int i = 0; i < 2; i++) {
        int t = TAKE(0);
        while (SERVING(1) < t)
            ;
        COUNT_ON(1);
        x[0] = x[0] + 1; // @lock_in_loop_handed_over_twice_a
    }
}
// EXPECT kernel lock_in_loop_handed_over_twice
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR016 @lock_in_loop_handed_over_twice_a @lock_in_loop_handed_over_twice_a
// EXPECT TR016 @lock_in_loop_handed_over_twice_a @lock_in_loop_handed_over_twice_a

/* A place for each ticket. */
tile_kernel void queue_in_loop(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    for (int i = 0; i < 4; i++)
        x[TAKE(0)] = i;
}
// EXPECT kernel queue_in_loop
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

tile_kernel void queue_in_loop_shared(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    for (int i = 0; i < 4; i++)
        x[TAKE(0) / 2] = i; // @queue_in_loop_shared_a
}
// EXPECT kernel queue_in_loop_shared
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires in-bounds:launch
// EXPECT TR001 @queue_in_loop_shared_a @queue_in_loop_shared_a

tile_kernel void queue_in_loops(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            x[TAKE(0)] = i;
}
// EXPECT kernel queue_in_loops
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

/* As many places as there are of the buffer, and any number of tickets. */
tile_kernel void queue_in_a_ring(int *restrict x, int *restrict y, int *restrict f, int n, int m)
{
    LAUNCH;
    tile_assume(0 <= m);
    for (int i = 0; i < m; i++)
        x[TAKE(0) % 64] = i; // @queue_in_a_ring_a
}
// EXPECT kernel queue_in_a_ring
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires in-bounds:launch
// EXPECT TR001 @queue_in_a_ring_a @queue_in_a_ring_a

/* A block takes two tickets and hands over three times, so the next one comes too early. Each two
 * of the three could have different tickets. */
tile_kernel void three_for_two(int *restrict x, int *restrict y, int *restrict f, int n)
{
    LAUNCH;
    int t = TAKE(0), u = TAKE(0);
    while (SERVING(1) < t)
        ;
    COUNT_ON(1);
    while (SERVING(1) < u)
        ;
    COUNT_ON(1);
    x[0] = x[0] + 1; // @three_for_two_a
    COUNT_ON(1);
}
// EXPECT kernel three_for_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @three_for_two_a @three_for_two_a
// EXPECT TR002 @three_for_two_a @three_for_two_a
