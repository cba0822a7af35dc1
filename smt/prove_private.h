/* Inside of the prover: goals, models and what strategies share. */
#ifndef SMT_PROVE_PRIVATE_H
#define SMT_PROVE_PRIVATE_H

#include "smt/goal.h"
#include "smt/prove.h"
#include "smt/remember.h"
#include "smt/solver.h"

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

/* A strategy says more of the goal than the solver alone sees. True: task->answer is UNSAT, or SAT
 * with a checked model. False: nothing was found out (the reason why is kept in the answer). It
 * works on a copy when it changes the goal for the worse. until: at which count of steps it should
 * give up. */
typedef bool (*smt_strategy_run)(smt_task *task, smt_goal *goal, smt_steps until);

/* ---- Section: Strategies, each in its file ---- */

bool smt_try_guess(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_bits(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_enumerate(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_repair(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_digits(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_cases(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_plain(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_small(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_abstraction(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_euclid(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_split(smt_task *task, smt_goal *goal, smt_steps until);

/* Quotients and remainders become variables, with what defines them; the solver is not asked. What
 * a sum of divisors' signs needs and facts do not show stays open (strategy_euclid.c). */
void smt_goal_remove_divisions(smt_task *task, smt_goal *goal, smt_steps until);

/* ---- Section: What strategies do ---- */

/* 1 or 2: which of two copies a variable is of, by its name; 0: of none. */
int smt_copy_of(const char *name);
bool smt_decided(smt_task *task, smt_verdict verdict, smt_model *model, const char *strategy);
/* Steps until then, 0 when it is past. */
smt_steps smt_left(const smt_task *task, smt_steps until);
/* Asks the solver for the goal, at most so many steps. True when that decides the task: UNSAT, or
 * SAT with a model that satisfies the original. A weakened goal decides by UNSAT only. */
bool smt_ask(smt_task *task, const smt_goal *goal, smt_steps steps, const char *strategy);
/* Are these terms together unsatisfiable, as far as so many steps tell? Without models. */
bool smt_refuted(smt_task *task, size_t n, const smt_t *terms, smt_steps steps);
/* Is `term` implied by the goal's facts that have no divisions, or by its range? */
bool smt_implied(smt_task *task, const smt_goal *goal, smt_t term, smt_steps steps);

/* ---- Section: The solver (confirm.c) ---- */

/* Puts the question to the solver. The script is made here; what is UNSAT was asked twice. */
smt_reply smt_put(smt_task *task, size_t n, const smt_t *terms, smt_steps steps, bool far_bounds,
                  smt_script *script);
void smt_note_failure(smt_prover *prover, smt_unknown_kind why, const char *text);

/* ---- Section: Questions that are kept (kept.c) ---- */

/* Writes the question, before it is asked: what ends the process at it can be looked at. The file,
 * in the prover's arena; NULL: none is to be kept. */
const char *smt_keep(smt_prover *prover, size_t n, const smt_t *conjuncts, const char *name);
/* Writes it once more, with its answer. */
void smt_keep_answer(smt_prover *prover, const char *file, size_t n, const smt_t *conjuncts,
                     const char *name, smt_verdict verdict);

/* ---- Section: Models (model.c) ---- */

struct smt_model {
    smt_ctx *ctx;
    size_t n; /* variables, by rising ids */
    const smt_t *terms;
    const smt_int *values;
    size_t n_points; /* of functions and predicates */
    struct smt_point {
        smt_kind kind;
        const char *name;
        uint32_t n_args;
        const smt_int *args;
        smt_int value;
    } *points;
};

/* From the values of `n` variables and applications, by rising ids; and the values of what the
 * goal's simplification has eliminated. NULL when an argument has no value. */
smt_model *smt_model_make(smt_ctx *ctx, tr_arena *arena, size_t n, const smt_t *terms,
                          const smt_int *values, const smt_goal *goal);
/* Every term true, every variable and application within its range? Quantified facts: true for the
 * arguments that the model knows. */
bool smt_model_satisfies(const smt_model *model, size_t n, const smt_t *terms);
/* Does one of the models satisfy them? */
bool smt_any_model_satisfies(size_t n_models, const smt_model *const *models, size_t n,
                             const smt_t *terms);
/* Like smt_any_model_satisfies(), for the terms of another context; of variables, only those whose
 * id is below. */
smt_model *smt_model_translate(const smt_model *model, smt_ctx *to, tr_arena *arena,
                               uint32_t below);
bool smt_model_lookup(void *model, smt_t term, size_t n_args, const smt_int *args, smt_int *value);

#endif
