/* Positions of kept elements: those of the others may be equal to any of them. */
#include <tile.h>

tile_kernel void compacted(float *restrict out, const int *restrict keep, const int *restrict pos)
{
    int b = tile_bid(0);
    if (keep[b] != 0)
        out[pos[b]] = 1.0f; // @compacted
}

tile_kernel void by_bool(float *restrict out, const bool *restrict keep, const int *restrict pos,
                         int n)
{
    int b = tile_bid(0);
    if (b < n && keep[b])
        out[pos[b]] = 1.0f; // @bool
}

tile_kernel void rows(float *restrict out, const int *restrict length, const int *restrict row)
{
    int b = tile_bid(0);
    tile lane = tile_iota(64);
    if (length[b] > 0)
        tile_store_ptr(tile_pointers(out, row[b] * 64 + lane), 1.0f); // @rows
}

tile_kernel void both(float *restrict out, const int *restrict keep, const int *restrict pos)
{
    int b = tile_bid(0);
    if (keep[b] != 0 && pos[b] >= 0)
        out[pos[b]] = 1.0f; // @both
}

/* Another element's flag says nothing of this one's position. */
tile_kernel void next_flag(float *restrict out, const int *restrict keep, const int *restrict pos)
{
    int b = tile_bid(0);
    if (keep[b + 1] != 0)
        out[pos[b]] = 1.0f; // @next
}

/* The sums of flags are what a scan makes: nothing more is asked. */
tile_kernel void scanned(float *restrict out, const int *restrict keep, const int *restrict pos)
{
    tile_prefix_sum(pos, keep);
    tile_contents(keep, 0, 1);
    int b = tile_bid(0);
    if (keep[b] != 0)
        out[pos[b]] = 1.0f;
}

/* Dropped elements are stored as well, where the next kept one goes. */
tile_kernel void all_stored(float *restrict out, const int *restrict keep, const int *restrict pos)
{
    tile_grid(64);
    tile_prefix_sum(pos, keep);
    tile_contents(keep, 0, 1);
    int b = tile_bid(0);
    out[pos[b]] = (float)keep[b]; // @all
}

/* The flag of the position, not of the element, drops whole positions. */
tile_kernel void by_position(float *restrict out, const int *restrict keep, const int *restrict pos)
{
    int b = tile_bid(0);
    if (keep[pos[b]] != 0)
        out[pos[b]] = 1.0f; // @position
}

/* Two elements share a flag, and both are kept. */
tile_kernel void halved(float *restrict out, const int *restrict keep, const int *restrict pos)
{
    int b = tile_bid(0);
    if (keep[b] != 0)
        out[pos[b] / 2] = 1.0f; // @halved
}

/* In tiles, with padding behind the end. */
tile_kernel void in_tiles(float *restrict out, const int *restrict keep, const int *restrict pos,
                          int n)
{
    tile at = tile_bid(0) * 64 + tile_iota(64), in = tile_lt(at, n);
    tile kept = tile_load_masked(tile_pointers(keep, at), in, 0);
    tile p = tile_load_masked(tile_pointers(pos, at), in, 0);
    tile_store_masked(tile_pointers(out, p), 1.0f, tile_and(in, tile_ne(kept, 0))); // @tiles
}

// EXPECT kernel compacted
// EXPECT verdict conditional
// EXPECT TR001 @compacted @compacted
// EXPECT requires unique-contents:race

// EXPECT kernel by_bool
// EXPECT verdict conditional
// EXPECT TR001 @bool @bool
// EXPECT requires unique-contents:race

// EXPECT kernel rows
// EXPECT verdict conditional
// EXPECT TR001 @rows @rows
// EXPECT requires contents-range:launch unique-contents:race

// EXPECT kernel both
// EXPECT verdict conditional
// EXPECT TR001 @both @both
// EXPECT requires unique-contents:race

// EXPECT kernel next_flag
// EXPECT verdict conditional
// EXPECT TR001 @next @next
// EXPECT requires unique-contents:race

// EXPECT kernel scanned
// EXPECT verdict race-free

// EXPECT kernel all_stored
// EXPECT verdict conditional
// EXPECT TR001 @all @all
// EXPECT requires unique-contents:race

// EXPECT kernel by_position
// EXPECT verdict conditional
// EXPECT TR001 @position @position
// EXPECT requires unique-contents:race

// EXPECT kernel halved
// EXPECT verdict race
// EXPECT TR001 @halved @halved
// EXPECT observable no

// EXPECT kernel in_tiles
// EXPECT verdict conditional
// EXPECT TR004 @tiles
// EXPECT requires unique-contents:race
