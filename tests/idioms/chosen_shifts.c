/* Shifts by a number of bits that is chosen among some. */
#include <tile.h>

tile_kernel void apart(int *restrict x, int n)
{
    long b = tile_bid(0);
    x[b << (n > 3 ? 4 : 2)] = 1;
}
// EXPECT kernel apart
// EXPECT verdict race-free

/* Of 257 blocks the last one's index has no bit left. */
tile_kernel void leaves_the_type(int *restrict x, int n)
{
    unsigned b = tile_bid(0);
    x[b << (n > 3 ? 24 : 0)] = b; // @leaves
}
// EXPECT kernel leaves_the_type
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @leaves @leaves

tile_kernel void to_the_right(int *restrict x, int n)
{
    long b = tile_bid(0);
    x[b * 4 >> (n > 3 ? 1 : n > 1 ? 2 : 0)] = 1;
}
// EXPECT kernel to_the_right
// EXPECT verdict race-free

tile_kernel void too_far_right(int *restrict x, int n)
{
    long b = tile_bid(0);
    x[b * 4 >> (n > 3 ? 1 : n > 1 ? 3 : 0)] = b; // @right
}
// EXPECT kernel too_far_right
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @right @right

/* Block 1 and block 2 come to 2. */
tile_kernel void by_block(int *restrict x)
{
    int b = tile_bid(0);
    x[b << (b % 2 == 1 ? 1 : 0)] = b; // @by_block
}
// EXPECT kernel by_block
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @by_block @by_block

tile_kernel void rows(int *restrict x, int n)
{
    int s = n == 0 ? 5 : n == 1 ? 6 : 7;
    long b = tile_bid(0);
    for (int i = 0; i < 1 << s; i++)
        x[(b << s) + i] = 1;
}
// EXPECT kernel rows
// EXPECT verdict race-free

tile_kernel void rows_one_longer(int *restrict x, int n)
{
    int s = n == 0 ? 5 : n == 1 ? 6 : 7;
    long b = tile_bid(0);
    for (int i = 0; i <= 1 << s; i++)
        x[(b << s) + i] = b; // @longer
}
// EXPECT kernel rows_one_longer
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @longer @longer

/* A negative number is shifted as an unsigned one. */
tile_kernel void unsigned_numbers(int *restrict x, int n)
{
    int b = tile_bid(0);
    x[(unsigned)(b - 8) >> (n > 3 ? 28 : 4)] = b; // @unsigned
}
// EXPECT kernel unsigned_numbers
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @unsigned @unsigned
