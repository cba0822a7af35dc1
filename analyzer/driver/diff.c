/* tilerace diff OLD NEW: two reports of `check --format json`. What is new, what is fixed, what
 * stays; and of what nobody can say so, why. */
#include "driver/diff.h"

#include <string.h>

#include "base/ds.h"
#include "driver/commands.h"
#include "inputs/load.h"
#include "report/history.h"
#include "report/report.h"
#include "session/session.h"

typedef struct diff {
    session *s;
    const char *paths[2];
    history then, now;
    diff_item *items; /* stb_ds array */
    size_t counts[DIFF_STATES];
} diff;

const char *diff_state_name(diff_state state)
{
    static const char *const names[DIFF_STATES] = {
#define DIFF_STATE(id, name, words) [DIFF_##id] = name,
#include "driver/diff.def"
    };
    return names[state];
}

static const char *words_of(diff_state state)
{
    static const char *const words[DIFF_STATES] = {
#define DIFF_STATE(id, name, words) [DIFF_##id] = words,
#include "driver/diff.def"
    };
    return words[state];
}

/* ---- Section: What each finding is ---- */

static void add(diff *d, diff_state state, const history_finding *f, const history_finding *was,
                const char *why)
{
    arrput(d->items, ((diff_item){state, f, was, why}));
    d->counts[state] += !f->is_note;
}

static const char *how_words(const diff *d, const history_finding *f, const history_finding *was)
{
    switch (f->how) {
    case HISTORY_FILE_RENAMED:
        return tr_arena_printf(d->s->arena, "it was in %s", was->file);
    case HISTORY_KERNEL_RENAMED:
        return tr_arena_printf(d->s->arena, "it was in '%s'", was->kernel);
    case HISTORY_SAME:
        break;
    }
    return NULL;
}

static void sort_now(diff *d, const history_finding *f)
{
    const history_finding *was = f->has_other ? &d->then.findings[f->other] : NULL;
    const char *how = was ? how_words(d, f, was) : NULL;
    if (f->hidden)
        add(d, was && was->hidden ? DIFF_UNCHANGED : DIFF_HIDDEN, f, was, how);
    else if (was && was->hidden)
        add(d, DIFF_NEW, f, was, "it was hidden before");
    else
        add(d, was ? DIFF_UNCHANGED : DIFF_NEW, f, was, how);
}

/* Sorts a finding that NEW does not have. It counts as fixed only if its kernel was decided. */
static void sort_then(diff *d, const history_finding *f)
{
    static const struct {
        diff_state state;
        const char *why;
    } rows[] = {
        [HISTORY_NOT_LOOKED_AT] = {DIFF_OPEN, "its file is not in the second report"},
        [HISTORY_UNCHECKED] = {DIFF_OPEN, "its file could not be checked"},
        [HISTORY_UNDECIDED] = {DIFF_OPEN, "its kernel is not decided any more"},
        [HISTORY_DECIDED] = {DIFF_FIXED, NULL},
        [HISTORY_KERNEL_GONE] = {DIFF_FIXED, "its kernel is gone"},
        [HISTORY_FILE_GONE] = {DIFF_FIXED, "its file is gone"},
    };
    history_state state = history_state_of(&d->now, f->file, f->kernel);
    if (!f->has_other && !f->hidden)
        add(d, rows[state].state, f, NULL, rows[state].why);
}

static void sort(diff *d)
{
    for (size_t i = 0; i < arrlenu(d->now.findings); i++)
        sort_now(d, &d->now.findings[i]);
    for (size_t i = 0; i < arrlenu(d->then.findings); i++)
        sort_then(d, &d->then.findings[i]);
}

/* ---- Section: Text ---- */

static void write_item(tr_text *out, const diff_item *item)
{
    const history_finding *f = item->of;
    bool counts = item->state == DIFF_NEW;
    const char *place = f->place ? f->place : f->file;
    tr_text_addf(out, "%s: %s: %s: %s [%s]\n", place, counts ? f->level : "note",
                 diff_state_name(item->state), f->message, f->rule);
    tr_text_addf(out, "%s: note: in kernel '%s'", place, f->kernel);
    if (f->compiled_for)
        tr_text_addf(out, ", compiled for: %s", f->compiled_for);
    tr_text_addf(out, "%s%s\n", item->why ? "; " : "", item->why ? item->why : "");
}

static void write_text(const diff *d, tr_text *out)
{
    for (int state = 0; state < DIFF_STATES; state++)
        for (size_t i = 0; i < arrlenu(d->items); i++)
            if (d->items[i].state == (diff_state)state &&
                (state != DIFF_UNCHANGED || d->s->options->verbose))
                write_item(out, &d->items[i]);
    tr_text_add(out, "findings:");
    const char *comma = "";
    for (int state = 0; state < DIFF_STATES; state++)
        if (state <= DIFF_UNCHANGED || d->counts[state] > 0) {
            tr_text_addf(out, "%s %zu %s", comma, d->counts[state], words_of((diff_state)state));
            comma = ",";
        }
    tr_text_add(out, "\n");
}

/* ---- Section: The command ---- */

static bool read_one(diff *d, int which, history *h)
{
    tr_errors errors = tr_errors_make(d->s->arena);
    bool good = history_read_report(h, d->paths[which], &errors);
    loaded holder = {.file = d->paths[which], .errors = errors};
    load_complain(d->s, &holder);
    tr_errors_free(&errors);
    return good;
}

static int compare(diff *d, bool is_json)
{
    bool good = read_one(d, 0, &d->then);
    if (!read_one(d, 1, &d->now) || !good)
        return EXIT_BAD;
    history_match(&d->then, &d->now);
    sort(d);
    tr_text text = {0};
    if (is_json)
        diff_write_json(&text, d->items, d->counts);
    else
        write_text(d, &text);
    int code = session_emit(d->s, &text);
    tr_text_free(&text);
    return code != EXIT_CLEAN ? code : d->counts[DIFF_NEW] > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
}

int command_diff(session *s)
{
    const driver_options *o = s->options;
    report_format format;
    if (!report_format_of(REPORT_OF_ALL, o->format, &format))
        return session_complain(s, "--format of diff is %s, not '%s'",
                                report_format_names(s->arena, REPORT_OF_ALL), o->format);
    bool is_json = format == REPORT_JSON;
    diff d = {.s = s,
              .paths = {o->files[0], o->files[1]},
              .then = history_make(s->arena),
              .now = history_make(s->arena)};
    int code = compare(&d, is_json);
    history_free(&d.then);
    history_free(&d.now);
    arrfree(d.items);
    return code;
}
