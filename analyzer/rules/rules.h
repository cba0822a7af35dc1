/* One kernel and its contract in, a verdict with findings out. */
#ifndef RULES_H
#define RULES_H

#include "ir/ir.h"
#include "rules/findings.h"
#include "smt/prove.h"
#include "tileir_memory/model.h"

enum { RULES_STEPS = 20 * 1000 * 1000 }; /* about 20 seconds' work */
/* Races between accesses that differ in constants alone: further ones would say the same again. */
enum { RULES_MOST_ALIKE = 16 };

typedef enum rules_step { /* what is done with a kernel, for those who watch */
                          RULES_SUMMARY,
                          RULES_PROVING,
                          RULES_PRECONDITIONS, /* facts are looked for under which a proof succeeds
                                                */
                          RULES_WITNESS,       /* a launch that races is made small and replayed */
} rules_step;

typedef struct rules_watch { /* called when a step begins; nothing else follows from it */
    void (*begins)(void *user, rules_step step);
    void *user;
} rules_watch;

typedef struct rules_options {
    model_choices model;
    smt_steps
        steps;    /* for one kernel; 0: RULES_STEPS. A --budget is the context's: smt_set_budget */
    bool strict;  /* requires that are not in the contract make the verdict unknown */
    bool notes;   /* also report what is no race but worth knowing */
    bool reaches; /* also say how far a kernel that is proved goes in its buffers */
    tr_text
        *obligations; /* not NULL: every obligation's SMT-LIB is appended (dump --obligations) */
    rules_watch watch;
} rules_options;

/* Checks one kernel. `c` states facts over contract_param() and contract_grid() variables of `ctx`.
 * The report and all it points to live in `arena` and in the module's arena. */
kernel_report *rules_check(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                           const ir_function *kernel, const contract *c,
                           const rules_options *options);

/* Makes the fingerprints of a kernel that is compiled for several signatures those of this one.
 * Where it has one signature, or nobody states it, they stay. */
void rules_tell_apart(kernel_report *kernel, const kernel_signature *signature);

#endif
