/* 20 under the other reading of D17: the token stands for its name, and an operation that takes it
 * comes after all iterations that program order puts before it. Race-free. */
#include "20_loop_exit_last.c"

// EXPECT args --loop-tokens=per-name
// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 n 5 reading per-name
// LAUNCH grid 2 blocks 2 n 6 reading per-name
