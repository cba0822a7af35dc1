/* One block run alone, with somebody else saying what its reads give and following what depends on
 * what. The machine knows whoever that is by this table alone; a run without hooks asks nobody. */
#ifndef INTERP_HOOKS_H
#define INTERP_HOOKS_H

#include "interp/interp.h"

typedef struct interp_hooks {
    void *user; /* given to each of them */
    /* Called before and after each op, also of ops with regions; the run may have stopped
     * meanwhile. */
    void (*before)(void *user, interp_run *run, const ir_op *op);
    void (*after)(void *user, interp_run *run, const ir_op *op);
    /* n values are handed on at once: sources[i] to arguments[i], or to results[i] where there are
     * no arguments. */
    void (*pass)(void *user, uint32_t n, ir_value *const *sources, ir_value *const *arguments,
                 const ir_value *results);
    /* Gives the value of a read, and whether it is known. False: memory says. */
    bool (*read)(void *user, interp_run *run, int32_t buffer, int64_t address, int width,
                 uint64_t *bits, bool *known);
    /* Takes what is written; *changes: the loop around has done something by it. False: memory
     * takes it. */
    bool (*write)(void *user, interp_run *run, uint64_t bits, bool known, bool *changes);
    /* A loop's iteration has changed nothing, after `earlier` ones that did not either: does the
     * loop go on so for ever? Else it gets another iteration. */
    bool (*goes_on)(void *user, const interp_run *run, uint32_t earlier);
} interp_hooks;

/* Runs that block of the grid. The hooks are asked until the block has ended or the run has
 * stopped; they, the kernel and the launch are borrowed until then, the latter two for as long as
 * the run lives. */
tr_give interp_run *interp_execute_hooked(const ir_function *kernel, const concrete_launch *launch,
                                          const model_choices *choices, const interp_limits *limits,
                                          uint32_t block, const interp_hooks *hooks);

/* ---- Section: What hooks may ask and do while the run goes on ---- */

/* Ends the run; the first call wins. */
void interp_stop(interp_run *run, interp_status status, const ir_op *op, const char *why);
bool interp_has_stopped(const interp_run *run);
/* The contents of memory, whatever the hooks say; false when not all bytes are known. */
bool interp_memory_holds(interp_run *run, int32_t buffer, int64_t address, int width,
                         uint64_t *bits);
/* The iterations of the loops around what is being executed, outermost first; how many. */
size_t interp_iterations_now(const interp_run *run, const int64_t **iterations);
/* Does the token in that value, which may be NULL, order what comes after it behind the instance?
 */
bool interp_token_follows(interp_run *run, const ir_value *token, uint32_t instance);
/* The buffer's number among the module's globals; -1: it is none. */
int interp_global_of(const interp_run *run, int buffer);

#endif
