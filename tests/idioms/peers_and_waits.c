// Kernels of peers, and a kernel before that may still run: what this kernel synchronises by may
// order or exclude more than its own tokens say, and two widths are never strong to each other.
#include <tile.h>

#define ADD(p, i, by, order) tile_atomic_add(tile_pointers(p, i), by, order, TILE_DEVICE)

// A ticket excludes peers, too.
tile_kernel void tickets(int *restrict x, int *restrict f)
{
    tile_peers(TILE_DEVICE);
    int t = tile_to_int(ADD(f, 0, 1, TILE_RELAXED));
    x[t] = 1;
}

tile_kernel void claims(int *restrict x, int *restrict f)
{
    tile_peers(TILE_DEVICE);
    int b = tile_bid(0);
    if (tile_to_int(tile_atomic_cas(tile_pointers(f, b), 0, 1, TILE_RELAXED, TILE_DEVICE)) == 0)
        x[b] = 1;
}

tile_kernel void plain(int *restrict x)
{
    tile_peers(TILE_DEVICE);
    x[tile_bid(0)] = 1; // @plain
}

tile_kernel void updates(int *restrict x)
{
    tile_peers(TILE_DEVICE);
    ADD(x, tile_bid(0), 1, TILE_RELAXED);
}

// A peer's long overlaps this kernel's int in part.
tile_kernel void two_widths(int *restrict x)
{
    tile_peers(TILE_DEVICE);
    int b = tile_bid(0);
    ADD(x, 2 * b, 1, TILE_RELAXED);
    tile_atomic_add(tile_offset(tile_ptr_cast(tile_pointers(x, 0), long), b), 1, TILE_RELAXED,
                    TILE_DEVICE);
}

// Block 0 waits for the kernel before, and tells the others.
tile_kernel void told_of_the_wait(int *restrict x, int *restrict y, int *restrict f)
{
    tile_predecessor_writes(x);
    tile_dependent_launch();
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    if (b == 0) {
        tile_gdc_wait();
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
    }
    y[b] = x[b];
}

tile_kernel void never_waits(int *restrict x, int *restrict y)
{
    tile_predecessor_writes(x);
    tile_dependent_launch();
    int b = tile_bid(0);
    y[b] = x[b]; // @never
}

// EXPECT kernel tickets
// EXPECT verdict unknown
// EXPECT requires contents-range:standing

// EXPECT kernel claims
// EXPECT verdict unknown

// EXPECT kernel plain
// EXPECT verdict race
// EXPECT TR001 @plain
// EXPECT observable no

// EXPECT kernel updates
// EXPECT verdict race-free

// EXPECT kernel two_widths
// EXPECT verdict unknown
// EXPECT requires in-bounds:launch

// EXPECT kernel told_of_the_wait
// EXPECT verdict unknown

// EXPECT kernel never_waits
// EXPECT verdict race
// EXPECT TR002 @never
// EXPECT observable no
