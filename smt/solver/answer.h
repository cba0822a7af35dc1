/* The answer to a question. */
#ifndef SMT_SOLVER_ANSWER_H
#define SMT_SOLVER_ANSWER_H

#include "base/base.h"

typedef struct smt_model smt_model; /* values of variables and applications; lives in an arena */

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

#endif
