/* Uses each fact inside the others: a part of a disjunction that another fact decides goes away. */
#include "goal/facts.h"

#include "goal/goal.h"
#include "terms/assume.h"
#include "terms/node.h"

#include "base/ds.h"

/* Has it boolean parts below its top? */
static bool has_parts(smt_t fact)
{
    return fact->kind == SMT_OR || smt_has(fact, SMT_HAS_ITE) ||
           (fact->kind == SMT_NOT && fact->args[0]->kind != SMT_EQ && fact->args[0]->n_args > 0);
}

/* Rewriting a fact walks all of its nodes. In a goal of thousands of facts that share one large
 * term only some of the large ones are worth it; the others stay as they are. */
enum { LARGE = 2000, MOST_LARGE = 64 };

bool smt_goal_use_facts(smt_ctx *ctx, smt_goal *goal)
{
    bool any = false, changed = false;
    for (size_t i = 0; i < arrlenu(goal->facts) && !any; i++)
        any = has_parts(goal->facts[i]);
    if (!any)
        return false;
    smt_known known = {.ctx = ctx};
    for (size_t i = 0; i < arrlenu(goal->facts); i++)
        smt_known_learn(&known, goal->facts[i]);
    size_t n = arrlenu(goal->facts), large = 0;
    for (size_t i = 0; i < n && !smt_is_over(ctx); i++) {
        smt_t fact = goal->facts[i];
        if (!has_parts(fact) || (smt_is_larger(fact, LARGE) && ++large > MOST_LARGE))
            continue;
        known.self = fact;
        smt_t shorter = smt_known_use(&known, fact);
        if (shorter == fact)
            continue;
        changed = true;
        goal->facts[i] = shorter;
        goal->is_false |= shorter->kind == SMT_FALSE;
    }
    smt_known_free(&known);
    return changed;
}
