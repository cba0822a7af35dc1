/* A precondition is taken when the prover says that it is enough and that the launch may be asked
 * for it. Without an answer to one of the two it may still be one that a caller keeps, so a launch
 * that breaks it shows no race of the verdict's: the verdict would be conditional. The search for a
 * witness therefore looks among launches that keep all such preconditions. */
#include "precondition/hope.h"

#include "precondition/choose.h"

#include "base/ds.h"

void hope_begin(checker *k)
{
    k->hoped = (hoped_for){.why = SMT_WHY_STEPS};
}

void hope_for_fact(checker *k, smt_t fact, smt_unknown_kind why)
{
    if (!k->hoped.facts)
        k->hoped = (hoped_for){smt_bool_const(k->ctx, true), k->known.contents, k->hoped.why};
    smt_t all = smt_and(k->ctx, k->hoped.facts, fact);
    if (!smt_is_false(smt_and(k->ctx, k->known.launch, all)))
        k->hoped.facts = all;
    k->hoped.why = why > k->hoped.why ? why : k->hoped.why;
}

void hope_for(checker *k, const candidate *candidates, const bool *kept, const known_contents *base,
              smt_unknown_kind why)
{
    const known_contents now = k->known.contents;
    k->known.contents = hope_is_left(k) ? k->hoped.contents : *base;
    for (size_t i = 0; i < arrlenu(candidates); i++)
        if (kept[i]) {
            hope_for_fact(k, candidates[i].fact, why);
            require_assume_contents(k, &candidates[i]);
        }
    k->hoped.contents = k->known.contents;
    k->known.contents = now;
}
