/* tilerace explain: what a rule, a verdict or a precondition means, in the terminal. */
#include "session/session.h"

#include <ctype.h>
#include <string.h>

#include "driver/commands.h"
#include "driver/explained.h"
#include "judge/words.h"

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

static void add_rule(tr_text *out, const explained *e)
{
    tr_text_addf(out, "%s %s (%s)\n\n", e->code, e->name, report_level_name(e->level));
    char first[2] = {(char)toupper((unsigned char)e->summary[0]), 0};
    tr_text sentence = {0};
    tr_text_addf(&sentence, "%s%s.", first, e->summary + 1);
    add_wrapped(out, tr_text_get(&sentence));
    tr_text_free(&sentence);
    tr_text_add(out, "\n");
    add_wrapped(out, e->help);
    tr_text_addf(out, "\nWith an example: %s.md\n", e->page);
}

/* A verdict or a precondition. */
static void add_titled(tr_text *out, const explained *e)
{
    static const char *const classes[] = {
        [PRECONDITION_CLASS_STANDING] = "a standing assumption",
        [PRECONDITION_CLASS_LAUNCH] = "a launch precondition",
        [PRECONDITION_CLASS_RACE] = "a race precondition: the verdict is conditional",
    };
    tr_text_addf(out, "%s (%s)\n\n", e->name,
                 e->kind == EXPLAINED_VERDICT ? "verdict" : classes[e->class_]);
    add_wrapped(out, e->summary);
    tr_text_add(out, "\n");
    add_wrapped(out, e->help);
    tr_text_addf(out, "\nMore: %s.md\n", e->page);
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
    judge_list_words(out);
}

static int complain_unknown(session *s, const char *word)
{
    const char *near = explained_nearest(word);
    if (near)
        return session_complain(s, "there is no rule '%s'; did you mean '%s'?", word, near);
    return session_complain(s, "there is no rule '%s'; 'tilerace explain' lists them", word);
}

int command_explain(session *s)
{
    const char *word = s->options->n_files > 0 ? s->options->files[0] : NULL;
    explained found;
    tr_text of_judge = {0};
    bool is_known = word && explained_find(s->arena, word, &found);
    bool is_judges = word && judge_explain(&of_judge, word); /* "race" is a verdict, too */
    if (word && !is_known && !is_judges)
        return complain_unknown(s, word);
    tr_text text = {0};
    if (!word)
        add_list(&text);
    else if (is_known && found.kind == EXPLAINED_RULE)
        add_rule(&text, &found);
    else if (is_known)
        add_titled(&text, &found);
    if (is_known && is_judges)
        tr_text_add(&text, "\n");
    tr_text_add(&text, tr_text_get(&of_judge));
    int code = session_emit(s, &text);
    tr_text_free(&text);
    tr_text_free(&of_judge);
    return code;
}
