/* 60 under the other reading of D17: the token stands for all iterations, so the release comes
 * after all parts. Race-free. */
#include "60_mp_loop_last.c"

// EXPECT args --loop-tokens=per-name
// EXPECT verdict race-free
// LAUNCH grid 1,2 pairs 1 n 2 reading per-name
