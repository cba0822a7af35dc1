/* Random kernels with contracts small enough that all of their launches can be run. */
#ifndef RANDOM_GENERATE_H
#define RANDOM_GENERATE_H

#include "choices.h"

#include "contract/contract.h"
#include "ir/ir.h"

enum { MAX_ARGS = 8 };

typedef struct sample {
    ir_module *module;
    const ir_function *kernel;
    contract *contract;                    /* settled */
    int64_t low[MAX_ARGS], high[MAX_ARGS]; /* of scalars: the values worth trying */
    bool own_memory;                       /* an alloca, or a module's global */
    bool open_offset[MAX_ARGS];            /* pointers whose place in their buffer is not stated */
} sample;

/* The same choices make the same kernel. `flag_all`: all arithmetic promises not to wrap, so that
 * the interpreter says where it does; nothing else differs. */
sample sample_make(choices *c, smt_ctx *ctx, bool flag_all);
/* The same, and `state` may add to the contract before it is settled. */
sample sample_make_stating(choices *c, smt_ctx *ctx, void (*state)(void *, smt_ctx *, contract *),
                           void *user);
/* One that synchronises: generate_sync.c. Its grid is its parameter 0. */
sample sample_make_sync(choices *c, smt_ctx *ctx);
void sample_free(sample *s);
/* Kernel and contract as text. */
void sample_print(tr_text *out, const sample *s);

#endif
