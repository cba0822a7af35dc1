/* Findings of two times, matched. */
#include "report/history.h"
#include "report/report_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

struct history_index {
    char *key;
    size_t value; /* from 1; 0: not there */
};

const char *history_strength_name(history_strength strength)
{
    static const char *const names[HISTORY_STRENGTHS] = {[HISTORY_POSSIBLE] = "possible",
                                                         [HISTORY_CONDITIONAL] = "conditional",
                                                         [HISTORY_CONFIRMED] = "confirmed"};
    return names[strength];
}

history history_make(tr_arena *arena)
{
    return (history){.arena = arena};
}

void history_free(history *h)
{
    arrfree(h->findings);
    arrfree(h->kernels);
    shfree(h->index);
}

/* ---- Section: What is there ---- */

static size_t look_up(const history *h, const char *key)
{
    history_index *index = h->index; /* stb_ds may note that it looked, and makes a map of none */
    return index ? shget(index, key) : 0;
}

static void note(history *h, const char *key, size_t value)
{
    shput(h->index, tr_arena_strdup(h->arena, key), value);
}

enum { FILE_UNCHECKED = 1, FILE_CHECKED }; /* values in the index */
enum { KERNEL_DECIDED = 1, KERNEL_UNDECIDED };

static const char *file_key(const history *h, const char *file)
{
    return tr_arena_printf(h->arena, "file\n%s", file);
}

static const char *kernel_key(const history *h, const char *file, const char *kernel)
{
    return tr_arena_printf(h->arena, "kernel\n%s\n%s", file, kernel);
}

void history_add_file(history *h, const char *file, bool checked)
{
    const char *key = file_key(h, file);
    size_t known = look_up(h, key);
    if (!known || known == FILE_CHECKED) /* in one of its compilations it could not be checked */
        note(h, key, checked ? FILE_CHECKED : FILE_UNCHECKED);
}

size_t history_add_launch(history *h, const char *file, const char *kernel, uint32_t line,
                          uint32_t column, bool undecided)
{
    const char *name = kernel_key(h, file, kernel);
    size_t known = look_up(h, name);
    note(h, name, undecided || known == KERNEL_UNDECIDED ? KERNEL_UNDECIDED : KERNEL_DECIDED);
    if (!look_up(h, file_key(h, file)))
        history_add_file(h, file, true);
    h->n_launches++;
    const char *key = tr_arena_printf(h->arena, "group\n%s\n%u:%u", name, line, column);
    size_t group = look_up(h, key);
    if (!group) {
        arrput(h->kernels, ((history_kernel){.file = file, .kernel = kernel}));
        group = arrlenu(h->kernels);
        note(h, key, group);
    }
    h->kernels[group - 1].undecided |= undecided;
    return group - 1;
}

size_t history_add_finding(history *h, const history_finding *found)
{
    const char *of_launch =
        tr_arena_printf(h->arena, "times\n%zu\n%s", h->n_launches, found->fingerprint);
    size_t times = look_up(h, of_launch) + 1;
    note(h, of_launch, times);
    const char *key =
        tr_arena_printf(h->arena, "finding\n%zu\n%s\n%zu", found->group, found->fingerprint, times);
    size_t known = look_up(h, key);
    if (!known) {
        arrput(h->findings, *found);
        note(h, key, arrlenu(h->findings));
        return arrlenu(h->findings) - 1;
    }
    history_finding *same = &h->findings[known - 1];
    if (found->strength > same->strength)
        same->strength = found->strength;
    same->hidden &= found->hidden;
    same->is_note &= found->is_note;
    return known - 1;
}

history_state history_state_of(const history *h, const char *file, const char *kernel)
{
    size_t of_kernel = look_up(h, kernel_key(h, file, kernel));
    size_t of_file = look_up(h, file_key(h, file));
    if (of_file == FILE_UNCHECKED)
        return HISTORY_UNCHECKED;
    if (of_kernel)
        return of_kernel == KERNEL_UNDECIDED ? HISTORY_UNDECIDED : HISTORY_DECIDED;
    if (of_file)
        return HISTORY_KERNEL_GONE;
    return h->is_there && !h->is_there(h->user, file) ? HISTORY_FILE_GONE : HISTORY_NOT_LOOKED_AT;
}

/* ---- Section: Matching ---- */

typedef struct waiting { /* findings of `then` without another one; stb_ds map entry */
    char *key;
    size_t *value; /* stb_ds array, the last is taken first */
} waiting;

typedef struct matching {
    history *then, *now;
    size_t *order; /* of `now`: those that count first, the strongest of them first */
    waiting *waiting;
} matching;

/* Returns what must be equal of two findings; `with_file`, `with_kernel`: of what is not allowed to
 * differ. */
static const char *key_of(const history *h, const history_finding *f, history_how how)
{
    static const int OF_KERNEL = 16; /* digits of the fingerprint that say which kernel it is */
    bool is_whole = strlen(f->fingerprint) > (size_t)OF_KERNEL;
    switch (how) {
    case HISTORY_SAME:
        return tr_arena_printf(h->arena, "%s\n%s\n%s", f->file, f->kernel, f->fingerprint);
    case HISTORY_FILE_RENAMED:
        return tr_arena_printf(h->arena, "%s\n%s", f->kernel, f->fingerprint);
    case HISTORY_KERNEL_RENAMED:
        return tr_arena_printf(h->arena, "%s\n%s", f->file,
                               is_whole ? f->fingerprint + OF_KERNEL : f->fingerprint);
    }
    return "";
}

/* May the finding stand elsewhere now? Only where its kernel is certainly not where it was. */
static bool may_have_moved(const matching *m, const history_finding *f, history_how how)
{
    history_state state = history_state_of(m->now, f->file, f->kernel);
    if (how == HISTORY_SAME || state == HISTORY_KERNEL_GONE || state == HISTORY_FILE_GONE)
        return true;
    /* Two reports: nobody can say whether a file that is not in the second is still there. */
    return how == HISTORY_FILE_RENAMED && state == HISTORY_NOT_LOOKED_AT && !m->now->is_there;
}

/* May the finding have come from elsewhere? Only where its kernel was not there. */
static bool may_be_moved(const matching *m, const history_finding *f, history_how how)
{
    return how == HISTORY_SAME || !look_up(m->then, kernel_key(m->then, f->file, f->kernel));
}

static int by_strength(const void *a, const void *b, void *user)
{
    const history *h = user;
    const history_finding *x = &h->findings[*(const size_t *)a];
    const history_finding *y = &h->findings[*(const size_t *)b];
    if (x->hidden != y->hidden)
        return x->hidden ? 1 : -1;
    if (x->strength != y->strength)
        return x->strength > y->strength ? -1 : 1;
    return *(const size_t *)a < *(const size_t *)b ? -1 : 1;
}

static size_t *ordered(history *h)
{
    size_t *order = NULL;
    for (size_t i = 0; i < arrlenu(h->findings); i++)
        arrput(order, i);
    if (arrlenu(order) > 0)
        qsort_r(order, arrlenu(order), sizeof *order, by_strength, h);
    return order;
}

/* Collects the findings of `then` that may be matched in this way, the strongest last. */
static void collect(matching *m, const size_t *order, history_how how)
{
    for (size_t i = arrlenu(order); i-- > 0;) {
        history_finding *f = &m->then->findings[order[i]];
        if (f->has_other || !may_have_moved(m, f, how))
            continue;
        const char *key = key_of(m->then, f, how);
        ptrdiff_t at = shgeti(m->waiting, key);
        if (at < 0) {
            shput(m->waiting, tr_arena_strdup(m->then->arena, key), NULL);
            at = shgeti(m->waiting, key);
        }
        arrput(m->waiting[at].value, order[i]);
    }
}

static void take(matching *m, size_t which, history_how how)
{
    history_finding *f = &m->now->findings[which];
    if (f->has_other || !may_be_moved(m, f, how))
        return;
    ptrdiff_t at = shgeti(m->waiting, key_of(m->now, f, how));
    if (at < 0 || arrlenu(m->waiting[at].value) == 0)
        return;
    size_t other = arrlast(m->waiting[at].value);
    history_finding *was = &m->then->findings[other];
    if (f->strength > was->strength) /* and so than all others */
        return;
    (void)arrpop(m->waiting[at].value);
    f->has_other = was->has_other = true;
    f->how = was->how = how;
    f->other = other;
    was->other = which;
}

void history_match(history *then, history *now)
{
    matching m = {.then = then, .now = now, .order = ordered(now)};
    size_t *of_then = ordered(then);
    static const history_how ways[] = {HISTORY_SAME, HISTORY_FILE_RENAMED, HISTORY_KERNEL_RENAMED};
    for (size_t w = 0; w < TR_COUNT(ways); w++) {
        collect(&m, of_then, ways[w]);
        for (size_t i = 0; i < arrlenu(m.order); i++)
            take(&m, m.order[i], ways[w]);
        for (ptrdiff_t i = 0; i < shlen(m.waiting); i++)
            arrfree(m.waiting[i].value);
        shfree(m.waiting);
    }
    arrfree(of_then);
    arrfree(m.order);
}

/* ---- Section: Of a report ---- */

static history_strength strength_of(const finding *f)
{
    return f->confidence == CONFIDENCE_POSSIBLE ? HISTORY_POSSIBLE
           : f->is_example                      ? HISTORY_CONDITIONAL
                                                : HISTORY_CONFIRMED;
}

static void add_kernel(history *h, const kernel_report *k, const char *file, size_t **which)
{
    const tr_place *place = k->place;
    bool undecided = k->verdict == VERDICT_UNKNOWN || k->unknown > 0;
    const char *words = signature_words(h->arena, k);
    history_finding found = {.file = file,
                             .kernel = history_shown(h->arena, k->kernel),
                             .compiled_for = words ? history_shown(h->arena, words) : NULL};
    found.group = history_add_launch(h, file, found.kernel, place ? place->line : 0,
                                     place ? place->column : 0, undecided);
    for (size_t i = 0; i < k->n_findings; i++) {
        const finding *f = &k->findings[i];
        found.rule = rule_info_of(f->rule)->code;
        found.fingerprint = f->fingerprint;
        found.strength = strength_of(f);
        found.message = history_shown(h->arena, f->message);
        found.level = report_level_name(f->level);
        found.hidden = f->hidden.by != HIDDEN_BY_NOTHING;
        found.is_note = f->level == LEVEL_NOTE;
        arrput(*which, history_add_finding(h, &found));
    }
}

void history_of_report(history *h, const full_report *report,
                       const char *(*name)(void *user, const char *file), void *user,
                       size_t **which)
{
    for (size_t i = 0; i < report->n_inputs; i++) {
        const input_report *input = report_input(report, i);
        const char *file = name(user, input->file);
        history_add_file(h, file, input->n_errors == 0);
        for (size_t k = 0; k < input->n_kernels; k++) {
            const tr_place *place = input->kernels[k].place;
            bool known = place && place->file && place->line > 0;
            add_kernel(h, &input->kernels[k], known ? name(user, place->file) : file, which);
        }
        for (size_t k = 0; k < input->n_left_out; k++) {
            const left_out_kernel *left_out = &input->left_out[k];
            const tr_place *place = left_out->place;
            bool known = place && place->file && place->line > 0;
            history_add_launch(h, known ? name(user, place->file) : file,
                               history_shown(h->arena, left_out->kernel), known ? place->line : 0,
                               known ? place->column : 0, true);
        }
    }
}
