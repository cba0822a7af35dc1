/* TR011: a contract that no launch meets proves everything and means nothing. */
#include "precondition/contents_fit.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "rules/rule.h"

#include "base/ds.h"

static void report(checker *k, const char *why, const tr_place *place)
{
    finding f = {.rule = RULE_CONTRACT,
                 .level = rule_info_of(RULE_CONTRACT)->level,
                 .confidence = CONFIDENCE_CONFIRMED,
                 .message = tr_arena_printf(k->arena, "no launch of '%s' meets its contract%s%s",
                                            k->kernel->shown, why ? ": " : "", why ? why : "")};
    f.locations = TR_NEW(k->arena, finding_location);
    f.n_locations = 1;
    f.locations[0] =
        (finding_location){.role = "contract", .place = place, .op_text = k->kernel->shown};
    arrput(k->findings, f);
    count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                  "the contract contradicts itself, so nothing follows from it");
}

void rule_contract(checker *k)
{
    const tr_place *contents = NULL;
    bool always = smt_is_false(k->known.launch) ||
                  ask_never(k, smt_bool_const(k->ctx, true), "contract", CONTRACT_NEVER);
    const char *why = always ? k->contract->contradiction
                             : require_impossible_contents(k, k->contract, &contents);
    if (!always && !why)
        return;
    const tr_place *place = k->contract->place ? k->contract->place : k->kernel->place;
    for (size_t i = 0; i < arrlenu(k->contract->facts); i++)
        if (k->contract->facts[i].place && smt_is_false(k->contract->facts[i].term))
            place = k->contract->facts[i].place;
    report(k, why, contents ? contents : place);
}
