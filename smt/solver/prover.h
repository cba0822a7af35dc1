/* Provers: a solver process, and all answers that were given.
 *
 * What the solver answers late, wrongly formed or not at all is SMT_UNKNOWN. */
#ifndef SMT_SOLVER_PROVER_H
#define SMT_SOLVER_PROVER_H

#include "solver/answer.h"
#include "terms/term.h"

typedef struct smt_prover smt_prover; /* one solver process, restarted when it had to be killed */

typedef struct smt_options {
    const char *solver;      /* command line; NULL: the one found by smt_find_solver; "": none, what
                                the strategies cannot decide by themselves is SMT_UNKNOWN */
    const char *keep_folder; /* every query is written there as NAME.smt2; or NULL */
    const char *keep_prefix; /* first part of those names */
    unsigned patience_ms;    /* for so long a solver may do nothing before it counts as hung; 0: the
                                default of a minute */
} smt_options;

typedef struct smt_statistics {
    size_t queries;      /* smt_check calls */
    size_t recalled;     /* asked before, answered as then, or met by an earlier model */
    size_t syntactic;    /* decided without the solver */
    size_t solver_calls; /* check-sat sent */
    size_t splits;       /* cases made by strategies */
    size_t restarts;
    size_t failures; /* answers that a clock, a signal or a broken solver gave: another time there
                        may be others */
    size_t noted;    /* failures, also that there is no solver */
    size_t leaned;   /* answers, recalled ones among them, that rest on the solver */
} smt_statistics;

/* The process is started when it is first asked. */
tr_give smt_prover *smt_prover_new(smt_ctx *ctx, const smt_options *options);
void smt_prover_free(tr_take smt_prover *prover);
const char *smt_prover_solver(smt_prover *prover); /* "Z3 5.4.0"; "unknown" when it does not say */
/* NULL, or a sentence: why answers of the solver, once it was asked, are not taken (it is older
 * than Z3 5), or why a query that was to be kept is not. */
const char *smt_prover_failure(const smt_prover *prover);
smt_statistics smt_prover_statistics(const smt_prover *prover);
/* The gravest failure among those since so many were noted. */
smt_failure smt_prover_failed_since(const smt_prover *prover, size_t noted);
/* NULL, or a sentence: the solver answered one question in two ways. Nothing that it said since the
 * prover was made is to be believed. */
const char *smt_prover_contradiction(const smt_prover *prover);
/* The mappings of the solver's process when it came up (tr_process_maps); NULL: none has. */
const char *smt_prover_maps(const smt_prover *prover);

/* Forgets all answers and ends the solver's process: what is asked from now on is answered as if
 * nothing had been asked before. */
void smt_prover_forget(smt_prover *prover);

#endif
