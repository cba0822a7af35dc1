/* Memory that a launch touches which may still run when another one starts. */
#ifndef EXEC_TOUCHED_H
#define EXEC_TOUCHED_H

#include "ir/ir.h"
#include "launches/names.h"
#include "launches/seen.h"

/* A launch before, and its kernel as far as it was seen. */
typedef struct touching {
    const seen_launch *launch;
    const ir_function *function;   /* NULL: nothing is known of it, and it may touch anything */
    const tilerace_kernel *kernel; /* NULL as well */
    const seen_names *names;       /* or NULL */
    const bool *only_read;         /* per parameter: nothing is written through it; NULL: unknown */
    bool is_unwaited, is_unclear;  /* see seen_touched; unclear: it may have ended */
} touching;

/* Appends to the stb_ds array what it touches: a bound of it, and with `exactly` also what a run of
 * the kernel shows, which is all of it where the run comes to its end. In the arena. */
void touched_add(tr_arena *arena, const touching *t, bool exactly, seen_touched **list);

#endif
