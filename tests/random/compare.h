/* The checker's verdict on a kernel against brute force over its launches. */
#ifndef RANDOM_COMPARE_H
#define RANDOM_COMPARE_H

#include "generate.h"

#include "launch/launch.h"
#include "rules/rules.h"

#define DISAGREEMENTS(X)                                                                           \
    X(AGREES, "agrees")                                                                            \
    X(MISSED, "missed race")         /* race-free, and a launch races */                           \
    X(FALSE_ALARM, "false race")     /* a finding whose witness shows no race */                   \
    X(INCOMPLETE, "race not listed") /* race, and a pair that races has no finding */              \
    X(MISSED_UB, "missed undefined") /* undefined behaviour that nothing speaks of */              \
    X(FALSE_UB, "false undefined")   /* a finding whose witness shows no undefined behaviour */    \
    X(INCONSISTENT, "two answers")   /* executions looked at in two ways give two */               \
    X(NOT_EXCLUDED, "not excluded")  /* a conditional verdict's example meets its preconditions */ \
    X(INVALID, "invalid kernel")     /* the generator's own mistake */

typedef enum disagreement {
#define X(name, text) name,
    DISAGREEMENTS(X)
#undef X
        N_DISAGREEMENTS
} disagreement;

const char *disagreement_text(disagreement d);
/* Does the verdict say that launches which meet its preconditions do not race? */
bool compare_proved(verdict_kind verdict);
/* Buffers of their own and one tile block on an unread axis: every launch here has that. */
bool compare_kept_anyway(const require *r);
/* False where the launch is one that a precondition leaves out, or may. */
bool compare_meets(tr_arena *arena, smt_ctx *ctx, const sample *s, const kernel_report *report,
                   const concrete_launch *launch);

typedef struct comparison {
    disagreement kind;
    const char *what; /* more of it: shrinking keeps it */
    verdict_kind verdict;
    reason_kind reason; /* of an unknown verdict */
    size_t launches;    /* run to the end and compared */
    size_t races;       /* seen by brute force */
    size_t left_out;    /* launches outside of what the verdict speaks of, or not run to the end */
    size_t possible;    /* findings without a witness */
    bool stores;        /* some launch that was compared writes memory */
    uint32_t traits;
    double check_ms;
} comparison;

/* `flagged`: the same kernel with all arithmetic flagged. What is to say goes to `out`. */
comparison compare_sample(tr_text *out, smt_ctx *ctx, smt_prover *prover, const sample *s,
                          const sample *flagged, size_t launches, smt_steps steps);
/* Against all executions of the small launches of a sample of sample_make_sync: a race-free kernel
 * has none that races; of a race the witness's launch, or else one of those tried, has. */
comparison compare_sync_sample(tr_text *out, smt_ctx *ctx, smt_prover *prover, const sample *s,
                               smt_steps steps);

#endif
