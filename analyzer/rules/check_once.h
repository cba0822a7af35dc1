/* One check of a kernel, and what asks for another one. */
#ifndef RULES_CHECK_ONCE_H
#define RULES_CHECK_ONCE_H

#include "order/state.h"
#include "question/checker.h"

typedef struct check_task { /* what all checks of one kernel share */
    tr_arena *arena;
    smt_ctx *ctx;
    smt_prover *prover;
    const ir_function *kernel;
    const rules_options *options;
    smt_steps began;           /* they share the kernel's steps */
    bool any_sign;             /* divisors are only required not to be 0 */
    bool machine_values;       /* see question/checker.h */
    const asked_wrap *by_runs; /* as well */
} check_task;

typedef struct asked_sign { /* that a divisor is positive, over the parameters as stated */
    smt_t fact;
    bool listed;  /* the report says so */
    size_t which; /* the number of it among the preconditions */
} asked_sign;

typedef struct check_outcome { /* what asks for another check of the kernel */
    bool one_block;            /* it reads no axis of the grid */
    unsigned specialised;      /* bits: axes that it was compiled to have one block on */
    const contract *risen;     /* counters at 0 leave it undecided: this one may decide it */
    uint64_t counters;         /* by argument: those */
    const contract *turned;    /* the same for its ticket locks */
    size_t n_turns;
    order_turn_words
        turns[ORDER_MOST_TURNS]; /* their words; to ask about them: set by the caller */
    bool keeps_turns;            /* each launch leaves those words as the next one may find them */
    asked_sign *signs;           /* stb_ds array: what was asked of the signs of divisors */
    asked_wrap *wraps; /* stb_ds array: preconditions that arithmetic asks for which may wrap */
    smt_t *beside;     /* stb_ds array: facts of the others, over the parameters as stated */
    smt_t *hoped;      /* those that a defined launch may break; not in `beside` */
    bool leans; /* a defined launch may break some of the others: a proof in which they are facts
                   says nothing of such a launch */
    bool proved_near; /* see question/checker.h */
    bool *never_runs; /* by op: it accesses nothing in any launch that meets the preconditions;
                         NULL: not asked, or no value may wrap */
    bool excuses;     /* races of launches that are also undefined count as races */
    contract *rest;   /* the contract, with all else that the verdict asks; NULL: see above */
} check_outcome;

/* Checks the kernel once under the contract; *outcome says which further checks to make. */
kernel_report *check_once(const check_task *task, const contract *c, check_outcome *outcome);
/* Makes the verdict of a proof unknown, for a contract that has to state all preconditions and does
 * not. */
void check_asked_too_much(kernel_report *r, const tr_place *place);

#endif
