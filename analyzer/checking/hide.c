#include "checking/hide.h"

#include <inttypes.h>
#include <string.h>

#include "settings/configs.h"
#include "settings/selectors.h"

static bool is_wanted_note(const settings *st, rule_id rule)
{
    return st->of[SETTING_notes].truth || st->rules[rule].wanted;
}

static const tr_place *kept(tr_arena *arena, const tr_place *place)
{
    return place->file ? tr_arena_copy(arena, place, sizeof *place) : NULL;
}

/* Does the pattern speak of the file? */
static bool is_of(tr_arena *arena, const settings *st, const file_choice *choice, const char *file)
{
    char *path = configs_name_of(arena, file);
    size_t length = strcmp(st->folder, "/") == 0 ? 0 : strlen(st->folder);
    if (strncmp(path, st->folder, length) != 0 || path[length] != '/')
        return false;
    char *within = path + length + 1;
    bool is = patterns_find(&choice->files, within, false) != NULL;
    for (char *end = strrchr(within, '/'); !is && end; end = strrchr(within, '/')) {
        *end = 0;
        is = patterns_find(&choice->files, within, true) != NULL;
    }
    return is;
}

static bool has_rule(const setting_item *item, rule_id rule)
{
    for (size_t i = 0; i < item->n; i++)
        if (selector_has(item->items[i].text, rule))
            return true;
    return false;
}

/* The line of per-file-ignores that the finding falls under, of the file that was checked or of the
 * one that the finding lies in; or NULL. */
static const setting_item *ignored_in_file(tr_arena *arena, const settings *st, const char *file,
                                           const finding *f)
{
    const tr_place *place = f->n_locations > 0 ? f->locations[0].place : NULL;
    for (size_t i = 0; i < st->n_file_choices; i++) {
        const file_choice *choice = &st->file_choices[i];
        if (has_rule(choice->item, f->rule) &&
            (is_of(arena, st, choice, file) ||
             (place && place->file && is_of(arena, st, choice, place->file))))
            return choice->item;
    }
    return NULL;
}

static void hide(tr_arena *arena, finding *f, const char *reason, const tr_place *place)
{
    f->hidden =
        (finding_hidden){.by = HIDDEN_BY_SELECTION, .reason = reason, .place = kept(arena, place)};
}

static void hide_finding(tr_arena *arena, const settings *st, const char *file, finding *f)
{
    const rule_choice *choice = &st->rules[f->rule];
    if (f->hidden.by != HIDDEN_BY_NOTHING)
        return;
    const setting_item *item = ignored_in_file(arena, st, file, f);
    if (choice->hidden)
        hide(arena, f, choice->why, &choice->place);
    else if (item)
        hide(arena, f,
             tr_arena_printf(arena, "per-file-ignores has '%s' (%s:%" PRIu32 ")", item->text,
                             item->place.file, item->place.line),
             &item->place);
}

/* A level that is set lowers every finding of the rule, and raises those that are certain. */
static void set_level(tr_arena *arena, const settings *st, finding *f)
{
    const rule_choice *choice = &st->rules[f->rule];
    bool is_certain = f->confidence == CONFIDENCE_CONFIRMED && !f->is_example;
    if (!choice->has_level || choice->level == f->level ||
        (choice->level > f->level && !is_certain))
        return;
    f->was = f->level;
    f->level = choice->level;
    f->set_level = kept(arena, &choice->level_place);
}

static bool ignores_remark(tr_arena *arena, const settings *st, const char *file,
                           const input_remark *remark)
{
    for (size_t i = 0; i < st->n_file_choices; i++) {
        const file_choice *choice = &st->file_choices[i];
        bool has = false;
        for (size_t k = 0; k < choice->item->n; k++)
            has = has || selector_has_remark(choice->item->items[k].text, remark->kind);
        if (has && (is_of(arena, st, choice, file) ||
                    (remark->place->file && is_of(arena, st, choice, remark->place->file))))
            return true;
    }
    return false;
}

/* A remark on a comment has no verdict that it could be hidden in: it is counted alone. */
void hide_remarks(tr_arena *arena, const settings *st, input_report *input)
{
    input_remark *kept = TR_NEW_ARRAY(arena, input_remark, input->n_remarks + 1);
    size_t n = 0;
    for (size_t i = 0; i < input->n_remarks; i++) {
        const input_remark *remark = &input->remarks[i];
        if (st->hides_remark[remark->kind] || ignores_remark(arena, st, input->file, remark))
            input->n_hidden_remarks++;
        else
            kept[n++] = *remark;
    }
    input->remarks = kept;
    input->n_remarks = n;
}

void hide_findings(tr_arena *arena, const settings *st, input_report *input)
{
    for (size_t k = 0; k < input->n_kernels; k++) {
        kernel_report *kernel = &input->kernels[k];
        size_t n = 0;
        for (size_t i = 0; i < kernel->n_findings; i++) {
            finding *f = &kernel->findings[i];
            if (rule_info_of(f->rule)->level == LEVEL_NOTE && !is_wanted_note(st, f->rule))
                continue;
            hide_finding(arena, st, input->file, f);
            set_level(arena, st, f);
            kernel->findings[n++] = *f;
        }
        kernel->n_findings = n;
    }
}
