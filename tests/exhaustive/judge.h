/* The checker's verdict on one kernel against brute force. */
#ifndef EXHAUSTIVE_JUDGE_H
#define EXHAUSTIVE_JUDGE_H

#include "brute.h"

#include "rules/rules.h"

#define OUTCOMES(X)                                                                                \
    X(AGREES, "agrees")                                                                            \
    X(MISSED, "missed race")        /* some launch that the verdict covers races */                \
    X(FALSE_ALARM, "false alarm")   /* the witness, or a conditional verdict's example, does       \
                                       not race */                                                 \
    X(NO_WITNESS, "no witness")     /* a race without a launch that shows it */                    \
    X(OUTSIDE, "witness outside")   /* the witness does not meet the contract */                   \
    X(FORBIDDEN, "forbidden")       /* preconditions that leave no launch worth running */         \
    X(NOT_EXCLUDED, "not excluded") /* an example that no precondition excludes */                 \
    X(UNREADABLE, "unreadable")     /* a precondition that is no term */                           \
    X(MISCLASSED, "misclassed") /* race-free with a race precondition, or conditional without */   \
    X(INVALID, "invalid kernel")

typedef enum outcome {
#define X(name, text) name,
    OUTCOMES(X)
#undef X
        N_OUTCOMES
} outcome;

typedef struct judgement {
    outcome outcome;
    verdict_kind verdict;
    reason_kind reason;
    bool asks;  /* for a precondition that is not a standing one */
    bool races; /* in some launch of the box */
    double ms;  /* of the check */
    launch at;  /* where it disagrees */
} judgement;

const char *outcome_text(outcome o);
judgement judge_shape(const grammar *g, const shape *s, smt_steps steps, tr_text *report);

#endif
