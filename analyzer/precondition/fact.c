/* A fact about the launch as a precondition: of which class it is, and whether it leaves the pair
 * that needs it anything to do. */
#include "precondition/fact.h"

#include "precondition/added.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"

#include "base/ds.h"

require_answer require_reaches(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, smt_t also, smt_t fact)
{
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, relation);
    query_add(k, &conjuncts, also);
    smt_verdict verdict = ask(k, query_with(k, conjuncts, fact), "require-reachable").verdict;
    return verdict == SMT_SAT     ? REQUIRE_ADMITTED
           : verdict == SMT_UNSAT ? REQUIRE_FORBIDDEN
                                  : REQUIRE_OPEN;
}

typedef struct array_search {
    const checker *k;
    bool stranger;
} array_search;

static void look_for_stranger(void *user, smt_t term)
{
    array_search *s = user;
    const contract *c = s->k->contract;
    if (term->kind != SMT_VAR)
        return;
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].member.role != CONTRACT_ALONE && contract_param(s->k->ctx, c, i) == term)
            return;
    s->stranger = true;
}

/* Does the fact speak of extents and strides of arrays that were passed as such, and of nothing
 * else? Those of a tensor that the kernel makes of numbers are the kernel's own. */
static bool is_of_arrays(const checker *k, smt_t fact)
{
    array_search s = {k, false};
    smt_visit(k->ctx, fact, look_for_stranger, &s);
    return !s.stranger;
}

void require_add_fact(checker *k, precondition_kind kind, smt_t fact)
{
    precondition what = precondition_of_term(kind, fact);
    if (kind == PRECONDITION_NO_SELF_OVERLAP && k->deciding.a && !is_of_arrays(k, fact))
        what.class_ = PRECONDITION_CLASS_RACE;
    /* A length that a pair of accesses asks for: in a shorter table they meet, with no undefined
     * behaviour before. */
    if (kind == PRECONDITION_IN_BOUNDS && k->deciding.a)
        what.class_ = PRECONDITION_CLASS_RACE;
    require_add(k, what, fact);
}
