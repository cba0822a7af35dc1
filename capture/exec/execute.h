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

/* Sets *ranges to the memory of which the execution needs the contents next, and returns how many
 * ranges that are. They do not overlap. 0: it needs no more, or is refused already. A launch with
 * lists of arrays needs memory twice: the rows of its lists name the arrays to give next. */
size_t execution_wants(const execution *e, const execute_range **ranges);
/* Gives the contents of these ranges, in the same order. contents[k] is NULL if range k cannot be
 * read, and undefined[k] is NULL if all its bytes have been written; else its bit i % 8 of byte
 * i / 8 says that nothing has written byte i of the range yet. If execution_wants()
 * wants more after this call, the contents have been read; else they have to live until the
 * changes have been read with execution_changes(). */
void execution_give(execution *e, const uint8_t *const *contents, const uint8_t *const *undefined);

/* Runs the launch for at most `steps` steps, once nothing more is wanted. *used: the steps that it
 * took. `races`: whether to look for races in this run as well. */
void execution_run(execution *e, uint64_t steps, bool races, uint64_t *used);
/* The faults of the launch that the run shows, for people; "": none. A launch with faults may still
 * be executed. */
const char *execution_found(const execution *e);
/* The printed output of the kernel; or "". */
const char *execution_printed(const execution *e);
/* Returns why the launch is not executed, in a sentence, with the operation at which that showed,
 * or NULL, in *where. NULL: it is executed. */
const char *execution_why(const execution *e, const ir_op **where);

/* A page of memory that a launch changes: bit i % 8 of which[i / 8] says whether the byte at
 * address + i becomes contents[i]. */
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
