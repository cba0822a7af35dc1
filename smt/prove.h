/* Is a conjunction of terms satisfiable? Strategies first, a solver process for the rest.
 *
 * A strategy may only split cases or add lemmas that hold of themselves; it never assumes. What the
 * solver answers late, wrongly formed or not at all is SMT_UNKNOWN. */
#ifndef SMT_PROVE_H
#define SMT_PROVE_H

#include <sys/types.h>

#include "smt/term.h"

typedef struct smt_prover smt_prover; /* one solver process, restarted when it had to be killed */
typedef struct smt_model smt_model;   /* values of variables and applications; lives in an arena */

typedef enum smt_verdict { SMT_UNSAT, SMT_SAT, SMT_UNKNOWN } smt_verdict;
/* Why. In the order of what they say: of several reasons the last one is told. */
typedef enum smt_unknown_kind {
    SMT_WHY_NONE,
    SMT_WHY_STEPS,      /* as many as were given were not enough */
    SMT_WHY_BUDGET,     /* the wall-clock guard came first */
    SMT_WHY_TIMEOUT,    /* the solver hung */
    SMT_WHY_MODEL,      /* it gave a model that is none of the question's, or cannot be read */
    SMT_WHY_NONSENSE,   /* it printed what is no answer */
    SMT_WHY_DIED,       /* it ended by itself */
    SMT_WHY_KILLED,     /* a signal ended it */
    SMT_WHY_MISSING,    /* there is none that can be used */
    SMT_WHY_CONTRADICTS /* it answered one question in two ways */
} smt_unknown_kind;

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

typedef struct smt_answer {
    smt_verdict verdict;
    smt_model *model;     /* SMT_SAT: checked by evaluation against every term; else NULL */
    smt_unknown_kind why; /* SMT_UNKNOWN */
    const char *why_text; /* a sentence; in the prover's arena */
    const char *strategy; /* which strategy decided, for statistics and --obligations */
    bool by_solver;       /* it rests on an `unsat` of the solver, or the model is the solver's */
} smt_answer;

typedef struct smt_failure { /* of the solver */
    smt_unknown_kind why;    /* SMT_WHY_NONE: none */
    const char *text;        /* a sentence */
} smt_failure;

/* Path of the solver: $TILERACE_SOLVER, the build's own, z3 on PATH. NULL and *why, a sentence with
 * the remedy, when there is none. Its version is looked at when it is first asked: a start of it
 * takes longer than many a check. */
const char *smt_find_solver(tr_arena *arena, const char **why);

/* The process is started when it is first asked. */
tr_give smt_prover *smt_prover_new(smt_ctx *ctx, const smt_options *options);
void smt_prover_free(tr_take smt_prover *prover);
const char *smt_prover_solver(smt_prover *prover); /* "Z3 5.4.0"; "unknown" when it does not say */
/* NULL, or a sentence: the solver was asked and is one whose answers are not taken (older than Z3
 * 5).
 */
const char *smt_prover_unusable(const smt_prover *prover);
/* Like smt_prover_unusable(), or why a query that was to be kept is not. */
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

/* Satisfiable? `conjuncts` n boolean terms; ranges of variables are added by itself. At most so
 * many steps, which count as taken in the context (smt_steps_taken), the solver's among them. No
 * clock is looked at but that of the context's budget (smt_set_budget), and one that finds out that
 * a solver hangs. `name` goes into the kept obligation's file name and comment. */
smt_answer smt_check(smt_prover *prover, size_t n, const smt_t *conjuncts, smt_steps steps,
                     const char *name);
/* Like smt_check(), where only the verdict matters: the model of a late answer, if it satisfies
 * these terms too, shows that they are SAT. Not where a fact is quantified. */
smt_verdict smt_check_verdict(smt_prover *prover, size_t n, const smt_t *conjuncts, smt_steps steps,
                              const char *name);
/* As smt_check, and on SAT the model is made small: the terms of `small` in turn are pushed towards
 * 0 (their absolute value) while there are steps left. */
smt_answer smt_check_small(smt_prover *prover, size_t n, const smt_t *conjuncts, size_t n_small,
                           const smt_t *small, smt_steps steps, const char *name);
/* The whole query as SMT-LIB 2 text, nothing left out as it is where the solver is asked. */
void smt_print_query(tr_text *out, smt_ctx *ctx, size_t n, const smt_t *conjuncts);

/* Value of a term in the model (variables and applications that the model does not mention are 0,
 * or the nearest value in their range). False on division by zero or overflow. */
bool smt_model_eval(const smt_model *model, smt_t term, smt_int *value);

#endif
