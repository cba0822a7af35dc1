/* 21 under the other reading of D17. Still a race: there is no token to read either way. */
#include "21_nest_uncarried.c"

// EXPECT args --loop-tokens=per-name
// EXPECT verdict race
// EXPECT TR003 @18 @18
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 n 1 m 2 reading per-name
// LAUNCH grid 2 blocks 2 n 2 m 2 reading per-name
