#include "driver/explained.h"

#include <strings.h>

#include "report/report.h"
#include "settings/options.h"

static bool is_rule(const char *word, explained *found)
{
    for (int id = 0; id < RULE_COUNT; id++) {
        const rule_info *rule = rule_info_of((rule_id)id);
        if (strcasecmp(rule->code, word) != 0 && strcasecmp(rule->name, word) != 0)
            continue;
        *found = (explained){.kind = EXPLAINED_RULE,
                             .code = rule->code,
                             .name = rule->name,
                             .level = rule->level,
                             .summary = rule->summary,
                             .help = rule->help};
        return true;
    }
    return false;
}

/* The rules that stand for the absence of an answer. */
static bool is_absence(const char *word, explained *found)
{
    for (size_t i = 0; i < REPORT_ABSENCES; i++) {
        const report_absence *absence = report_absence_at(i);
        if (strcasecmp(absence->code, word) != 0 && strcasecmp(absence->name, word) != 0)
            continue;
        *found = (explained){.kind = EXPLAINED_RULE,
                             .code = absence->code,
                             .name = absence->name,
                             .level = absence->level,
                             .summary = absence->summary,
                             .help = absence->help};
        return true;
    }
    return false;
}

static bool is_verdict(const char *word, explained *found)
{
    for (int id = 0; id < VERDICT_COUNT; id++) {
        const verdict_info *info = verdict_info_of((verdict_kind)id);
        if (strcasecmp(info->name, word) != 0)
            continue;
        *found = (explained){.kind = EXPLAINED_VERDICT,
                             .name = info->name,
                             .summary = info->summary,
                             .help = info->help,
                             .page = "docs/proof"};
        return true;
    }
    return false;
}

static bool is_precondition(const char *word, explained *found)
{
    precondition_kind kind;
    if (!precondition_by_name(word, &kind))
        return false;
    *found = (explained){.kind = EXPLAINED_PRECONDITION,
                         .name = precondition_name(kind),
                         .class_ = precondition_default_class(kind),
                         .summary = precondition_summary(kind),
                         .help = precondition_help(kind),
                         .page = "docs/preconditions"};
    return true;
}

bool explained_find(tr_arena *arena, const char *word, explained *found)
{
    if (!is_rule(word, found) && !is_absence(word, found) && !is_verdict(word, found) &&
        !is_precondition(word, found))
        return false;
    if (found->code)
        found->page = tr_arena_printf(arena, "docs/rules/%s", found->code);
    return true;
}

const char *explained_nearest(const char *word)
{
    const char *names[2 * RULE_COUNT + VERDICT_COUNT + PRECONDITION_COUNT];
    size_t n = 0;
    for (int id = 0; id < RULE_COUNT; id++) {
        names[n++] = rule_info_of((rule_id)id)->code;
        names[n++] = rule_info_of((rule_id)id)->name;
    }
    for (int id = 0; id < VERDICT_COUNT; id++)
        names[n++] = verdict_info_of((verdict_kind)id)->name;
    for (int id = 0; id < PRECONDITION_COUNT; id++)
        names[n++] = precondition_name((precondition_kind)id);
    return nearest_name(word, n, names);
}

bool explained_word_at(size_t i, explained_word *word)
{
    size_t rules = RULE_COUNT + REPORT_ABSENCES;
    if (i < 2 * rules) {
        size_t id = i / 2;
        bool is_code = i % 2 == 0;
        if (id < RULE_COUNT) {
            const rule_info *rule = rule_info_of((rule_id)id);
            *word = (explained_word){EXPLAINED_RULE, is_code ? rule->code : rule->name,
                                     is_code ? rule->name : rule->summary, is_code};
        } else {
            const report_absence *absence = report_absence_at(id - RULE_COUNT);
            *word = (explained_word){EXPLAINED_RULE, is_code ? absence->code : absence->name,
                                     is_code ? absence->name : absence->summary, is_code};
        }
        return true;
    }
    i -= 2 * rules;
    if (i < VERDICT_COUNT) {
        const verdict_info *verdict = verdict_info_of((verdict_kind)i);
        *word = (explained_word){EXPLAINED_VERDICT, verdict->name, verdict->summary, false};
        return true;
    }
    i -= VERDICT_COUNT;
    if (i >= PRECONDITION_COUNT)
        return false;
    *word = (explained_word){EXPLAINED_PRECONDITION, precondition_name((precondition_kind)i),
                             precondition_summary((precondition_kind)i), false};
    return true;
}
