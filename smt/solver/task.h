/* A prover, and one question on its way. */
#ifndef SMT_SOLVER_TASK_H
#define SMT_SOLVER_TASK_H

#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/process.h"
#include "solver/prover.h"
#include "solver/remember.h"

struct smt_prover {
    smt_ctx *ctx;
    tr_arena *arena; /* answers and models */
    smt_options options;
    const char *why_no_solver; /* a sentence when none was found */
    bool asks_none;            /* options.solver is "": strategies alone decide */
    const char *command;       /* NULL then */
    smt_solver *solver;        /* NULL then */
    smt_solver *second;        /* the same program, asked for a second time; NULL: not yet */
    const char *contradiction; /* a sentence; or NULL */
    smt_failure *failures;     /* stb_ds array, in the order in which they happened */
    smt_memory *memory;
    smt_statistics statistics;
    size_t n_kept;
    const char *not_kept; /* why one of them could not be written; or NULL */
};

/* One smt_check on its way. */
typedef struct smt_task {
    smt_prover *prover;
    smt_ctx *ctx; /* of this task alone: what strategies make dies with it, and leaves the caller's
                     terms and their order as they were */
    size_t n_original;
    const smt_t *original; /* what a model must satisfy */
    smt_steps deadline;    /* of the whole, by smt_steps_taken */
    smt_answer answer;     /* the best so far */
    int failures;          /* of the solver */
    bool leaned;           /* an `unsat` of the solver was used */
    unsigned scale;        /* of this round's limits: 1, 4, 16, ...; 0: ask nothing */
    bool cut_short;        /* a question of this round had too few steps */
} smt_task;

#endif
