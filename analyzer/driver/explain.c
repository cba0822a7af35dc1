/* tilerace explain: a rule's meaning in the terminal. */
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

static void add_list(tr_text *out)
{
    for (int id = 0; id < RULE_COUNT; id++) {
        const rule_info *rule = rule_info_of((rule_id)id);
        tr_text_addf(out, "%s %-26s %s\n", rule->code, rule->name, rule->summary);
    }
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

static int complain_unknown(session *s, const char *word)
{
    const char *names[2 * RULE_COUNT];
    for (int id = 0; id < RULE_COUNT; id++) {
        names[2 * id] = rule_info_of((rule_id)id)->code;
        names[2 * id + 1] = rule_info_of((rule_id)id)->name;
    }
    const char *near = nearest_name(word, TR_COUNT(names), names);
    if (near)
        return session_complain(s, "there is no rule '%s'; did you mean '%s'?", word, near);
    return session_complain(s, "there is no rule '%s'; 'tilerace explain' lists them", word);
}

int command_explain(session *s)
{
    const char *word = s->options->n_files > 0 ? s->options->files[0] : NULL;
    const rule_info *rule = word ? rule_named(word) : NULL;
    const report_absence *absence = word ? absence_named(word) : NULL;
    if (word && !rule && !absence)
        return complain_unknown(s, word);
    tr_text text = {0};
    if (!word)
        add_list(&text);
    else if (rule)
        add_rule(&text, rule->code, rule->name, report_level_name(rule->level), rule->summary,
                 rule->help);
    else
        add_rule(&text, absence->code, absence->name, "note", absence->summary, absence->help);
    int code = session_emit(s, &text);
    tr_text_free(&text);
    return code;
}
