/* A plan as the interpreter runs it. */
#ifndef RUN_CONTENTS_H
#define RUN_CONTENTS_H

#include "interp/interp.h"
#include "run/target.h"

/* The launch with the contents that the GPU would get; in the input's arena. */
concrete_launch run_filled_launch(const run_target *target, const gpu_plan *plan);
/* A run with tile blocks taking turns: number 0 in order, the others as the seed gives. */
tr_give interp_run *run_in_turns(const session *s, const ir_function *kernel,
                                 const concrete_launch *launch, uint64_t seed, unsigned number);
/* A buffer after a run: its bytes, and per element whether they are known. */
void run_read_buffer(const interp_run *run, size_t buffer, const gpu_buffer *b,
                     unsigned char *bytes, bool *known);

#endif
