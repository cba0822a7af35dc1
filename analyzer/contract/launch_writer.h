/* The writer of launch contracts: what a contract states and what a proof asks for besides, as
 * JSON that launch_file.h reads. */
#ifndef CONTRACT_LAUNCH_WRITER_H
#define CONTRACT_LAUNCH_WRITER_H

#include "contract/precondition.h"

typedef struct launch_writer launch_writer;

/* An empty file. Everything that is printed lives in the arena of `ctx`. */
tr_give launch_writer *launch_writer_new(smt_ctx *ctx);
void launch_writer_free(tr_take launch_writer *w);

/* Adds a launch of the kernel `shown`, with what its settled contract states; what follows is about
 * this launch. `stated`: that launch as its contract file has it (launch_file_text), so that
 * nothing of it is lost; NULL: it comes from the source. `lost` gets, as stb_ds array in the
 * arena's strings, what the source states and no contract can say; it may be NULL. */
void launch_writer_add(launch_writer *w, const contract *c, const char *shown, const char *stated,
                       const char ***lost);
/* False, and nothing done, where no contract can say it. */
bool launch_writer_require(launch_writer *w, const precondition *p);
const char *launch_writer_text(launch_writer *w);

#endif
