/* Runs a launch on the interpreter, with the memory that its program has, and tells which bytes of
 * it change. What cannot be run to its end changes nothing: a launch is executed whole or not. */
#ifndef EXEC_EXECUTE_H
#define EXEC_EXECUTE_H

#include "interp/interp.h"
#include "launches/names.h"
#include "launches/seen.h"

enum { EXECUTE_MOST_BYTES = 512 << 20 }; /* of memory that a launch is given */

typedef struct execute_range {
    uint64_t address, bytes;
    const uint8_t *contents;  /* NULL: not given yet */
    const uint8_t *undefined; /* as of execution_give() */
} execute_range;

typedef struct execution execution;

/* The launch fits the kernel. All of it lives in the arena and has to outlive the execution.
 * `names` may be NULL. */
tr_give execution *execution_new(tr_arena *arena, const ir_function *function,
                                 const tilerace_kernel *kernel, const seen_names *names,
                                 const seen_launch *launch);
void execution_free(tr_take execution *e);

/* Memory that it needs next; none meets another. 0: nothing more. */
size_t execution_wants(const execution *e, const execute_range **ranges);
/* Gives the contents of what is wanted, in that order; they have to live until the next call, or
 * until execution_run() returns where this says that nothing more is wanted. NULL: of a range that
 * cannot be read. Bit i % 8 of byte i / 8 of undefined[k]: nothing has written the byte i of it
 * yet; NULL: all of them are written. */
void execution_give(execution *e, const uint8_t *const *contents, const uint8_t *const *undefined);

/* Runs it, once nothing more is wanted, for so many steps at most. *used: how many it took.
 * `races`: of this run are looked for. */
void execution_run(execution *e, uint64_t steps, bool races, uint64_t *used);
/* The faults of the launch that the run shows, for people; "": none. A launch with faults may still
 * be executed. */
const char *execution_found(const execution *e);
/* The printed output of the kernel; or "". */
const char *execution_printed(const execution *e);
/* Why it is not executed, in a sentence, and the operation where that showed, or NULL. NULL: it is.
 */
const char *execution_why(const execution *e, const ir_op **where);

/* A page of memory of which bytes change: bit i % 8 of which[i / 8] says whether that at
 * address + i is to be contents[i]. */
typedef struct execute_page {
    uint64_t address;
    size_t bytes;
    uint8_t which[INTERP_PAGE_BYTES / 8];
    const uint8_t *contents;
} execute_page;

/* Calls `each` for every such page of a launch that was executed. */
void execution_changes(const execution *e, void (*each)(void *user, const execute_page *page),
                       void *user);

#endif
