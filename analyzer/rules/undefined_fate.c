/* Decides what undefined behaviour becomes that no fact on the launch excludes: a precondition, or
 * an error with a launch that shows it. */
#include "rules/undefined_fate.h"

#include "precondition/starved.h"
#include "question/ask.h"
#include "question/checker.h"
#include "witness/enumerate.h"
#include "witness/replay.h"

#include "base/ds.h"

/* A launch in which the op is undefined, replayed. */
static witness *find_witness(checker *k, const undefined_op *u)
{
    const char *why;
    witness *w = enumerate_undefined(k, u->op, u->index_space);
    if (w)
        return w;
    query fails = query_with(k, query_of_launch(k), require_failure(k, u));
    smt_answer answer = ask_event(k, fails, "undefined");
    return answer.verdict == SMT_SAT
               ? witness_of_event(k, answer.model, u->op, u->index_space, &why)
               : NULL;
}

undefined_fate rule_decide_undefined(checker *k, const undefined_op *u, witness **w)
{
    *w = NULL;
    if (!require_starves(k, u))
        return UNDEFINED_AVOIDABLE;
    *w = find_witness(k, u);
    return *w ? UNDEFINED_EVERYWHERE : UNDEFINED_DOUBTFUL;
}
