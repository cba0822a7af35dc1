/* tilerace explain: what a rule, a verdict or a precondition means, in the terminal. */
#include "driver/session.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define WIDTH 80

/* A paragraph, broken at blanks. */
static void add_wrapped(tr_text *out, const char *text)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > WIDTH) {
            tr_text_add(out, "\n");
            column = 0;
        }
        if (column > 0) {
            tr_text_add(out, " ");
            column++;
        }
        tr_text_addn(out, text, length);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    tr_text_add(out, "\n");
}

static void add_rule(tr_text *out, const char *code, const char *name, const char *level,
                     const char *summary, const char *help)
{
    tr_text_addf(out, "%s %s (%s)\n\n", code, name, level);
    char first[2] = {(char)toupper((unsigned char)summary[0]), 0};
    tr_text sentence = {0};
    tr_text_addf(&sentence, "%s%s.", first, summary + 1);
    add_wrapped(out, tr_text_get(&sentence));
    tr_text_free(&sentence);
    tr_text_add(out, "\n");
    add_wrapped(out, help);
    tr_text_addf(out, "\nWith an example: docs/rules/%s.md\n", code);
}

static void add_titled(tr_text *out, const char *name, const char *what, const char *summary,
                       const char *help)
{
    tr_text_addf(out, "%s (%s)\n\n", name, what);
    add_wrapped(out, summary);
    tr_text_add(out, "\n");
    add_wrapped(out, help);
}

static void add_precondition(tr_text *out, precondition_kind kind)
{
    static const char *const classes[] = {
        [PRECONDITION_CLASS_STANDING] = "a standing assumption",
        [PRECONDITION_CLASS_LAUNCH] = "a launch precondition",
        [PRECONDITION_CLASS_RACE] = "a race precondition: the verdict is conditional",
    };
    add_titled(out, precondition_name(kind), classes[precondition_default_class(kind)],
               precondition_summary(kind), precondition_help(kind));
    tr_text_add(out, "\nMore: docs/preconditions.md\n");
}

static void add_verdict(tr_text *out, verdict_kind verdict)
{
    const verdict_info *info = verdict_info_of(verdict);
    add_titled(out, info->name, "verdict", info->summary, info->help);
    tr_text_add(out, "\nMore: docs/proof.md\n");
}

static void add_list(tr_text *out)
{
    tr_text_add(out, "Rules:\n");
    for (int id = 0; id < RULE_COUNT; id++) {
        const rule_info *rule = rule_info_of((rule_id)id);
        tr_text_addf(out, "%s %-26s %s\n", rule->code, rule->name, rule->summary);
    }
    tr_text_add(out, "\nVerdicts:\n");
    for (int id = 0; id < VERDICT_COUNT; id++)
        tr_text_addf(out, "%-22s %s\n", verdict_info_of((verdict_kind)id)->name,
                     verdict_info_of((verdict_kind)id)->summary);
    tr_text_add(out, "\nPreconditions:\n");
    for (int id = 0; id < PRECONDITION_COUNT; id++)
        tr_text_addf(out, "%-22s %s\n", precondition_name((precondition_kind)id),
                     precondition_summary((precondition_kind)id));
}

static const rule_info *rule_named(const char *word)
{
    for (int id = 0; id < RULE_COUNT; id++) {
        const rule_info *rule = rule_info_of((rule_id)id);
        if (strcasecmp(rule->code, word) == 0 || strcasecmp(rule->name, word) == 0)
            return rule;
    }
    return NULL;
}

static const report_absence *absence_named(const char *word)
{
    const report_absence *const absences[] = {&report_undecided, &report_unchecked};
    for (size_t i = 0; i < TR_COUNT(absences); i++)
        if (strcasecmp(absences[i]->code, word) == 0 || strcasecmp(absences[i]->name, word) == 0)
            return absences[i];
    return NULL;
}

static bool verdict_named(const char *word, verdict_kind *verdict)
{
    for (int id = 0; id < VERDICT_COUNT; id++)
        if (strcasecmp(verdict_info_of((verdict_kind)id)->name, word) == 0) {
            *verdict = (verdict_kind)id;
            return true;
        }
    return false;
}

static int complain_unknown(session *s, const char *word)
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
    const char *near = nearest_name(word, n, names);
    if (near)
        return session_complain(s, "there is no rule '%s'; did you mean '%s'?", word, near);
    return session_complain(s, "there is no rule '%s'; 'tilerace explain' lists them", word);
}

int command_explain(session *s)
{
    const char *word = s->options->n_files > 0 ? s->options->files[0] : NULL;
    const rule_info *rule = word ? rule_named(word) : NULL;
    const report_absence *absence = word ? absence_named(word) : NULL;
    precondition_kind kind;
    verdict_kind verdict;
    tr_text text = {0};
    if (!word)
        add_list(&text);
    else if (rule)
        add_rule(&text, rule->code, rule->name, report_level_name(rule->level), rule->summary,
                 rule->help);
    else if (absence)
        add_rule(&text, absence->code, absence->name, "note", absence->summary, absence->help);
    else if (verdict_named(word, &verdict))
        add_verdict(&text, verdict);
    else if (precondition_by_name(word, &kind))
        add_precondition(&text, kind);
    else
        return complain_unknown(s, word);
    int code = session_emit(s, &text);
    tr_text_free(&text);
    return code;
}
