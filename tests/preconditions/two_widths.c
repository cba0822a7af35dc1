/* Rows of one stride that are filled twice, over n columns and over m: each loop alone asks for its
 * width, and the two beside each other need both. */
#include <tile.h>

tile_kernel void stores(int *restrict x, int s, int n, int m)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        x[b * s + i] = 1; // @stores_n
    for (int i = 0; i < m; i++)
        x[b * s + i] = 2; // @stores_m
}
// EXPECT kernel stores
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT TR001 @stores_n @stores_n
// EXPECT TR001 @stores_m @stores_m

tile_kernel void of_unsigned(int *restrict x, unsigned s, unsigned n, unsigned m)
{
    unsigned b = tile_bid(0);
    for (unsigned i = 0; i < n; i++)
        x[b * s + i] = 1; // @unsigned_n
    for (unsigned i = 0; i < m; i++)
        x[b * s + i] = 2; // @unsigned_m
}
// EXPECT kernel of_unsigned
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT TR001 @unsigned_n @unsigned_n
// EXPECT TR001 @unsigned_m @unsigned_m

tile_kernel void read_back(int *restrict x, int *restrict y, int s, int n, int m)
{
    int b = tile_bid(0), sum = 0;
    for (int i = 0; i < n; i++)
        x[b * s + i] = i; // @fill
    for (int i = 0; i < m; i++)
        sum += x[b * s + i]; // @back
    y[b] = sum;
}
// EXPECT kernel read_back
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT TR001 @fill @fill
// EXPECT TR002 @fill @back

tile_kernel void masked(int *restrict x, int s, int n, int m)
{
    int b = tile_bid(0);
    for (int i = 0; i < 32; i++) {
        if (i < n)
            x[b * s + i] = 1; // @masked_n
        if (i < m)
            x[b * s + i] = 2; // @masked_m
    }
}
// EXPECT kernel masked
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT TR001 @masked_n @masked_n
// EXPECT TR001 @masked_m @masked_m

tile_kernel void of_views(int *restrict x, int r, int s, int n, int m)
{
    int b = tile_bid(0);
    tile_view v =
        tile_partition(tile_tensor_strided(x, tile_shape(r, n), tile_strides(s, 1)), 1, 8);
    tile_view w =
        tile_partition(tile_tensor_strided(x, tile_shape(r, m), tile_strides(s, 1)), 1, 8);
    for (int i = 0; i < tile_tiles(v, 1); i++)
        tile_store(v, tile_zeros(int, 1, 8), b, i); // @views_n
    for (int i = 0; i < tile_tiles(w, 1); i++)
        tile_store(w, tile_zeros(int, 1, 8), b, i); // @views_m
}
// EXPECT kernel of_views
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires index-in-space:launch no-self-overlap:race no-wrap:launch
// EXPECT TR001 @views_n @views_n
// EXPECT TR001 @views_m @views_m

/* The second loop begins one element later: its last one is the next row's first, whatever the
 * widths are but for those that leave it out. */
tile_kernel void one_later(int *restrict x, int s, int n, int m)
{
    tile_assume(n >= 1 && m >= 1 && n == s && m == s);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        x[b * s + i] = 1; // @one_later_n
    for (int i = 0; i < m; i++)
        x[b * s + i + 1] = 2; // @one_later_m
}
// EXPECT kernel one_later
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @one_later_n @one_later_m

tile_kernel void within(int *restrict x, int s, int n, int m)
{
    tile_assume(0 <= n && n <= s && 0 <= m && m <= s);
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        x[b * s + i] = 1;
    for (int i = 0; i < m; i++)
        x[b * s + i] = 2;
}
// EXPECT kernel within
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch
