/* The fate of undefined behaviour that no fact on the launch excludes. */
#ifndef RULES_UNDEFINED_FATE_H
#define RULES_UNDEFINED_FATE_H

#include "precondition/starved.h"
#include "question/checker.h"

typedef enum undefined_fate {
    UNDEFINED_AVOIDABLE,  /* a launch precondition may exclude it */
    UNDEFINED_EVERYWHERE, /* none may: an error, with a witness */
    UNDEFINED_DOUBTFUL,   /* none may, but no run shows it: a precondition that no proof uses */
} undefined_fate;

/* Decides about undefined behaviour that no fact on the launch excludes; *w is set for
 * UNDEFINED_EVERYWHERE. */
undefined_fate rule_decide_undefined(checker *k, const undefined_op *u, witness **w);

#endif
