/* Cuts to a narrow type, through which elements that differ become one index. That the elements
 * stay below what the type leaves of them would excuse the cut, whatever else is done to them. */
#include <tile.h>

tile_kernel void doubled(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2)] = b; // @doubled
}
// EXPECT kernel doubled
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @doubled @doubled

tile_kernel void doubled_bytes(int *restrict x, const unsigned char *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned char)(t[b] * 2)] = b; // @doubled_bytes
}
// EXPECT kernel doubled_bytes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @doubled_bytes @doubled_bytes

/* The slot behind the one that is meant. */
tile_kernel void odd_slots(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2 + 1)] = b; // @odd_slots
}
// EXPECT kernel odd_slots
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @odd_slots @odd_slots

tile_kernel void by_steps(int *restrict x, const unsigned char *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    unsigned char i = t[b];
    i <<= 1;
    i += 1;
    x[i] = b; // @by_steps
}
// EXPECT kernel by_steps
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @by_steps @by_steps

/* Two tables of 65536 elements each, one of which is cut. */
tile_kernel void behind_others(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[65536 + (unsigned short)(t[b] << 1)] = b; // @behind_others
}
// EXPECT kernel behind_others
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @behind_others @behind_others

tile_kernel void halved_again(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2) / 2] = b; // @halved_again
}
// EXPECT kernel halved_again
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @halved_again @halved_again

tile_kernel void guarded_too_late(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    if (t[b] <= 32768)
        x[(unsigned short)(t[b] * 2)] = b; // @guarded_too_late
}
// EXPECT kernel guarded_too_late
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @guarded_too_late @guarded_too_late

tile_kernel void guarded(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    if (t[b] < 32768)
        x[(unsigned short)(t[b] * 2)] = b;
}
// EXPECT kernel guarded
// EXPECT verdict race-free

tile_kernel void stated_low(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    tile_contents(t, 0, 32767);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2)] = b;
}
// EXPECT kernel stated_low
// EXPECT verdict race-free

/* All of them lose the same bit. */
tile_kernel void stated_high(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    tile_contents(t, 32768, 65535);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2)] = b;
}
// EXPECT kernel stated_high
// EXPECT verdict race-free

tile_kernel void stated_across(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    tile_contents(t, 100, 33000);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2)] = b; // @stated_across
}
// EXPECT kernel stated_across
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @stated_across @stated_across

/* An odd factor loses nothing: modulo 65536 it has an inverse. */
tile_kernel void tripled(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 3)] = b;
}
// EXPECT kernel tripled
// EXPECT verdict race-free

tile_kernel void rows_apart(int *restrict x, const unsigned short *restrict t)
{
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2) + 65536 * b] = b;
}
// EXPECT kernel rows_apart
// EXPECT verdict race-free
// EXPECT requires no-wrap
// EXPECT asks grid.x <= 32768

/* What the cut leaves is not what was cut, but it is still one number for two. */
tile_kernel void shifted(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2 - 6)] = b; // @shifted
}
// EXPECT kernel shifted
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @shifted @shifted

tile_kernel void shifted_before(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)((t[b] - 5) * 2)] = b; // @shifted_before
}
// EXPECT kernel shifted_before
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @shifted_before @shifted_before

tile_kernel void six_times(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 6)] = b; // @six_times
}
// EXPECT kernel six_times
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @six_times @six_times

tile_kernel void from_the_middle(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(short)(t[b] * 2) + 32768] = b; // @from_the_middle
}
// EXPECT kernel from_the_middle
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @from_the_middle @from_the_middle

/* Two elements of one remainder differ by their sign. */
tile_kernel void signed_elements(int *restrict x, const short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 2)] = b; // @signed_elements
}
// EXPECT kernel signed_elements
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @signed_elements @signed_elements

tile_kernel void elements_themselves(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)t[b]] = b; // @elements_themselves
}
// EXPECT kernel elements_themselves
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @elements_themselves @elements_themselves

tile_kernel void cut_signed(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(long)(short)t[b] + 32768] = b; // @cut_signed
}
// EXPECT kernel cut_signed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @cut_signed @cut_signed

tile_kernel void elements_that_fit(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    tile_contents(t, 1000, 60000);
    int b = tile_bid(0);
    x[(unsigned short)t[b]] = b;
}
// EXPECT kernel elements_that_fit
// EXPECT verdict race-free

/* A cut that merges nothing beside one that does. */
tile_kernel void beside_another(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] * 3) / 65535 * 65536 + (unsigned short)(t[b] * 6)] = b; // @beside
}
// EXPECT kernel beside_another
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @beside @beside
