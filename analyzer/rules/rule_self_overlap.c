/* TR004: two elements of one store are one location. The events of one tile op have no order among
 * each other (D1), so they must be disjoint or scoped (A2). */
#include "question/accesses.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "rules/add_finding.h"
#include "rules/pair.h"
#include "rules/rule.h"

#include "base/ds.h"

smt_t self_overlap_elements_differ(checker *k, const ix_access *a)
{
    smt_t differ = smt_bool_const(k->ctx, false);
    for (int d = 0; d < a->rank; d++) {
        smt_t e = ix_coordinate(k->ctx, d, a->tile[d]);
        smt_t first = copy_term(k, e, COPY_SAME_OP, 0), second = copy_term(k, e, COPY_SAME_OP, 1);
        differ = smt_or(k->ctx, differ, smt_ne(k->ctx, first, second));
    }
    return differ;
}

finding *self_overlap_report(checker *k, confidence_kind confidence, const ix_access *a, witness *w)
{
    return finding_add(k, RULE_SELF_OVERLAP, confidence, a, a, w,
                       confidence == CONFIDENCE_CONFIRMED
                           ? "one store writes the same element of '%s' twice"
                           : "one store may write the same element of '%s' twice",
                       buffer_name(k, a));
}

static void check_access(checker *k, const ix_access *a)
{
    smt_t differ = self_overlap_elements_differ(k, a);
    if (smt_is_false(differ))
        return; /* a single element */
    witness *w;
    pair_outcome outcome = pair_decide(k, a, a, COPY_SAME_OP, differ, "self-overlap",
                                       "distinctness of the elements of one store", &w);
    if (outcome == PAIR_RACE)
        self_overlap_report(k, CONFIDENCE_CONFIRMED, a, w);
    else if (outcome == PAIR_POSSIBLE)
        self_overlap_report(k, CONFIDENCE_POSSIBLE, a, w);
}

void rule_self_overlap(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->writes && pair_may_conflict(k, a, a, true))
            check_access(k, a);
    }
}
