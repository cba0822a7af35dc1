/* Selectors of rules: a code, the beginning of one, a name, or ALL. */
#include "settings/selectors.h"

#include <string.h>

#include "report/report.h"
#include "settings/options.h"
#include "settings/shown.h"

static bool means(const char *selector, const char *code, const char *name)
{
    bool begins = strncmp(selector, "TR", 2) == 0 && strncmp(code, selector, strlen(selector)) == 0;
    return begins || strcmp(selector, "ALL") == 0 || strcmp(selector, name) == 0;
}

bool selector_has(const char *selector, rule_id rule)
{
    const rule_info *info = rule_info_of(rule);
    return means(selector, info->code, info->name);
}

bool selector_has_remark(const char *selector, remark_kind kind)
{
    const report_absence *info = report_remark_info(kind);
    return means(selector, info->code, info->name);
}

bool selector_is_remark(const char *selector)
{
    for (int kind = 0; kind < REMARK_KINDS; kind++)
        if (selector_has_remark(selector, (remark_kind)kind))
            return true;
    return false;
}

static bool is_absence(const char *selector)
{
    return means(selector, report_undecided.code, report_undecided.name) ||
           means(selector, report_unchecked.code, report_unchecked.name);
}

bool selector_is_known(tr_arena *arena, const char *selector, const char **why)
{
    const char *names[2 * RULE_COUNT], *shown;
    for (int id = 0; id < RULE_COUNT; id++) {
        if (selector_has(selector, (rule_id)id))
            return true;
        names[2 * id] = rule_info_of((rule_id)id)->code;
        names[2 * id + 1] = rule_info_of((rule_id)id)->name;
    }
    if (selector_is_remark(selector))
        return true;
    shown = shown_text(arena, selector, strlen(selector));
    const char *near = nearest_name(selector, TR_COUNT(names), names);
    if (is_absence(selector))
        *why =
            tr_arena_printf(arena, "'%s' says that there is no answer, which nothing hides", shown);
    else
        *why = tr_arena_printf(arena, "there is no rule '%s'%s", shown,
                               near ? tr_arena_printf(arena, "; did you mean '%s'?", near)
                                    : "; 'tilerace explain' lists them");
    return false;
}
