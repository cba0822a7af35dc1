/* Random kernels with contracts small enough that all of their launches can be run. */
#ifndef RANDOM_GENERATE_H
#define RANDOM_GENERATE_H

#include "choices.h"

#include "contract/contract.h"
#include "ir/ir.h"

enum { MAX_ARGS = 8 };

/* What a sample was drawn to have: the summary line counts them, so that none is lost unseen. */
#define TRAITS(X)                                                                                  \
    X(STATED_TIGHT, "contract that states all")                                                    \
    X(STATED_LOOSE, "contract that leaves some open")                                              \
    X(STATED_NOTHING, "no contract")                                                               \
    X(RELATED, "parameters related")                                                               \
    X(UNDEFINED_IN_A_BLOCK, "a division that one block may not do")                                \
    X(UNDEFINED_USED, "and its value used")                                                        \
    X(FLAG_START_TRUE, "flags stated as they are taken")                                           \
    X(FLAG_START_OTHER, "flags stated to start at 1")                                              \
    X(FLAG_START_LOOSE, "flags stated in part")                                                    \
    X(FLAG_START_OPEN, "flags not stated")                                                         \
    X(WAIT_SOME, "waits for flags in a loop")                                                      \
    X(WAIT_LATE, "that starts late")                                                               \
    X(WAIT_EARLY, "that stops early")                                                              \
    X(WAIT_STEPPED, "that steps")                                                                  \
    X(WAIT_LANES, "waits lane by lane")                                                            \
    X(WAIT_SPREAD, "of every other flag")                                                          \
    X(WAIT_ANY, "for any in place of all")                                                         \
    X(WAIT_COUNT, "waits for a count")                                                             \
    X(COUNT_WRONG_START, "from a wrong start")                                                     \
    X(FOLD_BEGUN, "a reduction that begins with another number")                                   \
    X(RAISE_SPLIT, "flags written behind their release")                                           \
    X(RAISE_SWAPPED, "by a swap that may fail")

typedef enum trait {
#define X(name, text) TRAIT_##name,
    TRAITS(X)
#undef X
        N_TRAITS
} trait;

typedef struct sample {
    ir_module *module;
    const ir_function *kernel;
    contract *contract;                    /* settled */
    int64_t low[MAX_ARGS], high[MAX_ARGS]; /* of scalars: the values worth trying */
    bool own_memory;                       /* an alloca, or a module's global */
    bool open_offset[MAX_ARGS];            /* pointers whose place in their buffer is not stated */
    uint32_t traits;                       /* bits 1 << trait */
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
