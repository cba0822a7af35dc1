/* Undefined behaviour that a run has met, in words: the table ub.def. */
#ifndef RUN_UB_H
#define RUN_UB_H

#include "interp/interp.h"
#include "verdict/findings.h"

typedef struct run_ub {
    rule_id rule;
    const char *words; /* a clause */
} run_ub;

run_ub run_ub_of(interp_ub_kind kind);

#endif
