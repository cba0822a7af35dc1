/* Runs a plan on the GPU, many times from the same inputs, and compares the runs bit for bit. */
#ifndef GPU_EXECUTE_H
#define GPU_EXECUTE_H

#include "plan/result.h"

/* Called in the calling process after every run. */
typedef void (*gpu_progress)(void *user, unsigned runs, unsigned of);

/* Forks before the driver is touched, so that a run which never ends can be killed and the caller
 * stays as it was. Never NULL; everything but the big arrays lives in the arena, those in memory
 * that gpu_result_free gives back. `progress` may be NULL. */
tr_give gpu_result *gpu_execute(tr_arena *arena, const gpu_plan *plan, gpu_progress progress,
                                void *user);
void gpu_result_free(tr_take gpu_result *result);

#endif
