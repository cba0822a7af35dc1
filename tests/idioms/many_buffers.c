/* Pointers that are one of eight buffers', as many as are followed, and of nine. */
#include <tile.h>

/* As many buffers as are followed, one for each block. */
tile_kernel void eight_buffers(int *restrict a, int *restrict b, int *restrict c, int *restrict d,
                               int *restrict e, int *restrict f, int *restrict g, int *restrict h)
{
    tile_grid(8);
    int n = tile_bid(0);
    int *p = n == 0   ? a
             : n == 1 ? b
             : n == 2 ? c
             : n == 3 ? d
             : n == 4 ? e
             : n == 5 ? f
             : n == 6 ? g
                      : h;
    p[0] = n;
}

// EXPECT kernel eight_buffers
// EXPECT verdict race-free

/* The last buffer is that of two blocks. */
tile_kernel void eight_buffers_and_a_block(int *restrict a, int *restrict b, int *restrict c,
                                           int *restrict d, int *restrict e, int *restrict f,
                                           int *restrict g, int *restrict h)
{
    tile_grid(9);
    int n = tile_bid(0);
    int *p = n == 0   ? a
             : n == 1 ? b
             : n == 2 ? c
             : n == 3 ? d
             : n == 4 ? e
             : n == 5 ? f
             : n == 6 ? g
                      : h;
    p[0] = n; // @eighth
}

// EXPECT kernel eight_buffers_and_a_block
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @eighth @eighth

/* One buffer more: where the access goes is not known, and none of them is left out. */
tile_kernel void nine_buffers(int *restrict a, int *restrict b, int *restrict c, int *restrict d,
                              int *restrict e, int *restrict f, int *restrict g, int *restrict h,
                              int *restrict i, int m)
{
    tile_grid(m);
    tile_assume(m <= 9);
    int n = tile_bid(0);
    int *p = n == 0   ? a
             : n == 1 ? b
             : n == 2 ? c
             : n == 3 ? d
             : n == 4 ? e
             : n == 5 ? f
             : n == 6 ? g
             : n == 7 ? h
                      : i;
    p[0] = n;
}

// EXPECT kernel nine_buffers
// EXPECT verdict unknown
// EXPECT reason data-dependent

/* A run of a launch that is stated whole knows where each access goes. */
tile_kernel void nine_buffers_whole(int *restrict a, int *restrict b, int *restrict c,
                                    int *restrict d, int *restrict e, int *restrict f,
                                    int *restrict g, int *restrict h, int *restrict i)
{
    tile_grid(9);
    int n = tile_bid(0);
    int *p = n == 0   ? a
             : n == 1 ? b
             : n == 2 ? c
             : n == 3 ? d
             : n == 4 ? e
             : n == 5 ? f
             : n == 6 ? g
             : n == 7 ? h
                      : i;
    p[0] = n;
}

// EXPECT kernel nine_buffers_whole
// EXPECT verdict race-free

/* The last buffer is that of two blocks. */
tile_kernel void nine_buffers_and_a_block(int *restrict a, int *restrict b, int *restrict c,
                                          int *restrict d, int *restrict e, int *restrict f,
                                          int *restrict g, int *restrict h, int *restrict i)
{
    tile_grid(10);
    int n = tile_bid(0);
    int *p = n == 0   ? a
             : n == 1 ? b
             : n == 2 ? c
             : n == 3 ? d
             : n == 4 ? e
             : n == 5 ? f
             : n == 6 ? g
             : n == 7 ? h
                      : i;
    p[0] = n; // @ninth
}

// EXPECT kernel nine_buffers_and_a_block
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @ninth @ninth
