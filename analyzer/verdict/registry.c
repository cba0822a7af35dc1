/* The tables of rules.def, verdicts.def, reasons.def, trusts.def, hidden.def and skipped.def. */
#include "verdict/findings.h"

#include <string.h>

static const rule_info rules[RULE_COUNT] = {
#define RACE    true
#define NO_RACE false
#define RULE(id, number, name, level, race, file, summary, help)                                   \
    {RULE_##id, number, name, level, race, summary, help},
#include "verdict/rules.def"
};

const rule_info *rule_info_of(rule_id id)
{
    return &rules[id];
}

const rule_info *rule_by_code(const char *code)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (strcmp(rules[i].code, code) == 0 || strcmp(rules[i].name, code) == 0)
            return &rules[i];
    return NULL;
}

bool rule_is_race(rule_id id)
{
    return rules[id].is_race;
}

const verdict_info *verdict_info_of(verdict_kind verdict)
{
    static const verdict_info infos[VERDICT_COUNT] = {
#define VERDICT(id, name, summary, help) {name, summary, help},
#include "verdict/verdicts.def"
    };
    return &infos[verdict];
}

const trust_info *trust_info_of(trust_choice choice)
{
    static const trust_info infos[TRUST_COUNT] = {
#define TRUST(id, name, listed) {name, listed},
#include "verdict/trusts.def"
    };
    return &infos[choice];
}

const hidden_info *hidden_info_of(hidden_by by)
{
    static const hidden_info infos[HIDDEN_BY_COUNT] = {
#define HIDDEN(id, json, sarif, words, heading) [HIDDEN_BY_##id] = {json, sarif, words, heading},
#include "verdict/hidden.def"
    };
    TR_ASSERT(by > HIDDEN_BY_NOTHING && by < HIDDEN_BY_COUNT);
    return &infos[by];
}

const skip_info *skip_info_of(skip_reason reason)
{
    static const skip_info infos[SKIPPED_COUNT] = {
#define SKIPPED(id, name, words) {name, words},
#include "verdict/skipped.def"
    };
    return &infos[reason];
}

const char *reason_name(reason_kind kind)
{
    static const char *const names[REASON_COUNT] = {
#define REASON(id, text, passing) text,
#include "verdict/reasons.def"
    };
    return names[kind];
}

bool reason_is_failed_solver(reason_kind kind)
{
    return kind >= REASON_SOLVER_MODEL && kind <= REASON_SOLVER_CONTRADICTION;
}

bool reason_is_passing(reason_kind kind)
{
    static const bool passing_of[REASON_COUNT] = {
#define REASON(id, text, passing) passing,
#include "verdict/reasons.def"
    };
    return passing_of[kind];
}
