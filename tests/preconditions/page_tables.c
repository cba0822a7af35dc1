/* Pages of a cache, looked up by sequence and position: the pages differ, and a sequence has no
 * more of them than its row of the table. */
#include <tile.h>

enum { SIZE = 16 };

tile_kernel void pages(float *restrict cache, const int *restrict page, int per_sequence)
{
    int s = tile_bid(1), t = tile_bid(0);
    cache[page[s * per_sequence + t / SIZE] * SIZE + t % SIZE] = 1.0f; // @pages
}

tile_kernel void unique_pages(float *restrict cache, const int *restrict page, int per_sequence)
{
    tile_unique(page);
    int s = tile_bid(1), t = tile_bid(0);
    cache[page[s * per_sequence + t / SIZE] * SIZE + t % SIZE] = 1.0f; // @unique
}

tile_kernel void pages_of_any_size(float *restrict cache, const int *restrict page, int size,
                                   int per_sequence)
{
    tile_unique(page);
    int s = tile_bid(1), t = tile_bid(0);
    cache[page[s * per_sequence + t / size] * size + t % size] = 1.0f; // @any_size
}

/* A whole page for each block. */
tile_kernel void whole_pages(float *restrict cache, const int *restrict page, int per_sequence)
{
    tile_unique(page);
    int at = page[tile_bid(1) * per_sequence + tile_bid(0)];
    tile_store_ptr(tile_pointers(cache, at * SIZE + tile_iota(SIZE)), 1.0f); // @whole
}

/* The grid is as the table is. */
tile_kernel void as_stated(float *restrict cache, const int *restrict page, int per_sequence)
{
    tile_unique(page);
    tile_assume(per_sequence > 1 && per_sequence < 1024);
    tile_grid(per_sequence * SIZE, 8);
    tile_extent(page, 8L * per_sequence);
    tile_contents(page, 0, 8191);
    int s = tile_bid(1), t = tile_bid(0);
    cache[page[s * per_sequence + t / SIZE] * SIZE + t % SIZE] = 1.0f;
}

/* Half a page's stride: pages overlap whatever the table holds. */
tile_kernel void half_stride(float *restrict cache, const int *restrict page, int per_sequence)
{
    tile_unique(page);
    int s = tile_bid(1), t = tile_bid(0);
    cache[page[s * per_sequence + t / SIZE] * (SIZE / 2) + t % SIZE] = 1.0f; // @half
}

// EXPECT kernel pages
// EXPECT verdict conditional
// EXPECT TR001 @pages @pages
// EXPECT requires grid-bound:race no-wrap:launch unique-contents:race

// EXPECT kernel unique_pages
// EXPECT verdict conditional
// EXPECT TR001 @unique @unique
// EXPECT requires grid-bound:race no-wrap:launch

// EXPECT kernel pages_of_any_size
// EXPECT verdict conditional
// EXPECT TR001 @any_size @any_size
// EXPECT requires grid-bound:race no-wrap:launch positive-divisor:launch

// EXPECT kernel whole_pages
// EXPECT verdict conditional
// EXPECT TR001 @whole @whole
// EXPECT requires grid-bound:race no-wrap:launch

// EXPECT kernel as_stated
// EXPECT verdict race-free

// EXPECT kernel half_stride
// EXPECT verdict race
// EXPECT TR001 @half @half
// EXPECT requires no-wrap:launch
// EXPECT observable no
