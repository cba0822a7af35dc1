/* What the parts of `tilerace run` share. */
#ifndef DRIVER_RUN_H
#define DRIVER_RUN_H

#include "driver/session.h"
#include "gpu/execute.h"
#include "launch/search.h"

typedef struct run_target { /* one launch of one kernel, made concrete */
    session *s;
    loaded *input;
    const loaded_kernel *kernel;
    bool races; /* the checker says so: a launch in which it shows is wanted */
    const interp_launch *launch;
    const char *checker; /* what it says: "race: TR001 at line 21"; NULL: it was not asked */
    const kernel_report *report; /* the same whole, and what it is about; NULL: not asked */
    const loaded *checked;
    const loaded_kernel *checked_kernel;
    const struct run_reference *reference; /* one that is open already (run_report.h); or NULL */
} run_target;

/* Picks values that meet the contract: those that it states, else the launch with the most tile
 * blocks that is quick to run on a GPU or, `small`, on the interpreter. False with *why. */
bool run_choose_launch(run_target *target, bool small, const char **why);

/* Launches that meet the contract and what the kernel assumes of its parameters, as
 * interp_enumerate_launches finds them; in the input's arena. */
size_t run_search_launches(const run_target *target, const interp_search *search,
                           interp_launch ***found);

/* The input of `target` once more, under the launch contract in `text` (contract_as_required): what
 * a proof asks of the launch is no race's fault, so a run that breaks it shows nothing. False: it
 * cannot be read so, and there is nothing to release. Else target->input is `input`, to be released
 * by load_free, and target->kernel the kernel of the same name. */
bool run_narrow(run_target *target, const char *text, loaded *input);

/* The launch with 1 for each integer that neither kernel nor contract looks at: front ends pass
 * sizes and strides unread, and any value is as good. In the arena. */
const interp_launch *run_with_idle_ones(tr_arena *arena, const loaded_kernel *kernel,
                                        const interp_launch *launch);

#define RUN_FLOAT 1.0 /* what a float parameter is where nobody says so */

/* The elements of a buffer whose pointers point to `elem` (NULL: nobody knows): bytes where they
 * have no format of their own there. */
gpu_element run_element(const ir_type *elem);
/* Does the kernel access memory by pointers that it loads? Those of a launch on a GPU are made by
 * the program that launches it. */
bool run_takes_addresses(const run_target *target);
/* Is the size of some buffer stated nowhere? */
bool run_has_open_buffers(const interp_launch *launch);
/* Bytes of the buffers whose size is stated; INT64_MAX: more than that. */
int64_t run_stated_bytes(const interp_launch *launch);
/* Does the interpreter, block after block, keep within the limits? */
bool run_ends_within(const run_target *target, const interp_launch *launch,
                     const interp_limits *limits);
/* How far the kernel reaches into each buffer whose size nobody states, in bytes, as the
 * interpreter sees it: `ends` has one entry a buffer, zero before. `limits` may be NULL. False with
 * *why where the interpreter does not get to the end. */
bool run_measure(const run_target *target, const interp_launch *launch, const interp_limits *limits,
                 int64_t *ends, const char **why);

/* Does a loop of the kernel read what another tile block may write in order? Then blocks rely on
 * others being started, and may wait for ever where these come later. */
bool run_waits_for_others(const ir_function *kernel);
/* Has it any op by which tile blocks synchronise? */
bool run_synchronises(const ir_function *kernel);

/* The plan of the launch, without code: buffers with their contents, arguments, grid. Sizes that
 * nobody states are found by running the interpreter. NULL with *why. */
gpu_plan *run_plan(const run_target *target, const char **why);
/* What the launch file says of filling and expecting, into the plan. False with *why. */
bool run_plan_fills(const run_target *target, gpu_plan *plan, const char **why);
/* Does the launch file name a kernel as the reference of an argument? */
bool run_has_reference_kernel(const run_target *target);
/* "grid 4 x 1 x 1, M = 128, scale = 0.5"; floats by the plan where there is one. */
const char *run_launch_words(tr_arena *arena, const run_target *target, const interp_launch *launch,
                             const gpu_plan *plan);
/* Machine code for the plan: the kernel as written and with its block ids reversed. EXIT_CLEAN, or
 * EXIT_BAD after a complaint. */
int run_compile(const run_target *target, gpu_plan *plan);

#endif
