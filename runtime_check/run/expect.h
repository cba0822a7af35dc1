/* The values that the outputs of a plan are compared with. */
#ifndef RUN_EXPECT_H
#define RUN_EXPECT_H

#include "run/target.h"

/* Reads the kernel that "FILE" or "FILE:KERNEL" names, by itself. NULL, with *why in the session's
 * arena. `input` is to be released by load_free, whatever comes of it. */
const loaded_kernel *run_open_reference(const session *s, const char *words, loaded *input,
                                        const char **why);
/* How far results of that type may be apart where sums are taken in another order: relative above
 * 1, absolute below. */
double run_tolerance(const ir_function *kernel, gpu_element element);
typedef struct run_reference { /* opened once, for many launches */
    const char *words;
    const loaded *input;
    const loaded_kernel *kernel;
} run_reference;

/* Runs another kernel ("FILE" or "FILE:KERNEL") on the plan's inputs, on the interpreter, and
 * compares these buffers with its results; its parameters are matched by name. *is_defined: it does
 * nothing undefined on these inputs. False with *why. */
bool run_expect_kernel(const run_target *target, gpu_plan *plan, const char *words, size_t n,
                       const size_t *buffers, bool *is_defined, const char **why);
/* Runs the interpreter on the plan's inputs and compares the outputs with its results, if no
 * reference is stated. False with *why. */
bool run_expect_interpreter(const run_target *target, gpu_plan *plan, const char **why);

#endif
