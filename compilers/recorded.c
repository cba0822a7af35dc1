#include "compilers/recorded.h"

#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"
#include "checking/checking.h"
#include "compilers/unchecked.h"
#include "inputs/load.h"
#include "inputs/recorded.h"
#include "session/session.h"

/* ---- Section: The folder ---- */

bool compilers_recorded_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void compilers_recorded_open(session *s, const char *folder, bool is_error,
                             const report_options *how, report_tally *tally)
{
    tr_text out = {0};
    tr_errors errors = tr_errors_make(s->arena);
    s->seen = recorded_launches_read(s->arena, folder, &errors);
    for (size_t i = 0; i < arrlenu(errors.items); i++) {
        const char *file = errors.items[i].place.file;
        report_message m = {.severity = is_error ? REPORT_ERROR : REPORT_WARNING,
                            .text = errors.items[i].text,
                            .group = "-Wrace",
                            .was_warning = is_error};
        report_write_message(&out, &m, file ? file : folder, how, tally);
    }
    const report_message unused = {.severity = REPORT_NOTE,
                                   .text = "kernels are checked without this recording"};
    if (!s->seen)
        report_write_message(&out, &unused, folder, how, tally);
    fputs(tr_text_get(&out), s->err);
    tr_text_free(&out);
    tr_errors_free(&errors);
}

/* ---- Section: One kernel ---- */

typedef struct telling {
    const kernels_check *c;
    loaded *input;
    const kernel_report *all; /* for every launch that the contract allows */
    const report_grading *grading;
    tr_text *out;
    report_tally *tally;
    input_report report;
    const finding **told; /* stb_ds array */
    bool undecided_told;
} telling;

static void say(telling *t, const tr_place *place, report_severity severity, const char *text)
{
    bool is_remark = severity == REPORT_REMARK;
    report_message m = {.place = place,
                        .severity = severity,
                        .text = text,
                        .group = severity == REPORT_NOTE ? NULL
                                 : is_remark             ? "-Rrace"
                                                         : "-Wrace",
                        .was_warning = severity == REPORT_ERROR};
    /* A remark on the recording asks for no look at the source. */
    report_tally uncounted = {0};
    report_write_message(t->out, &m, t->report.file, &t->c->how, is_remark ? &uncounted : t->tally);
}

/* The strength of a finding: of two at one place, the stronger one is shown. */
static int strength(const finding *f)
{
    bool is_error = f->level == LEVEL_ERROR && !f->is_example;
    return f->confidence == CONFIDENCE_POSSIBLE || f->hidden.by ? 0 : is_error ? 2 : 1;
}

static bool are_at_one_place(const finding *a, const finding *b)
{
    const tr_place *x = a->n_locations > 0 ? a->locations[0].place : NULL;
    const tr_place *y = b->n_locations > 0 ? b->locations[0].place : NULL;
    bool are_known = x && y && x->line > 0;
    return a->rule == b->rule && (are_known ? x->line == y->line && x->column == y->column
                                            : strcmp(a->message, b->message) == 0);
}

/* The report without what was told of another launch. */
static kernel_report untold(telling *t, const kernel_report *k)
{
    kernel_report rest = *k;
    finding *findings = TR_NEW_ARRAY(t->input->arena, finding, k->n_findings + 1);
    rest.findings = findings;
    rest.n_findings = 0;
    for (size_t i = 0; i < k->n_findings; i++) {
        bool is_told = false;
        for (size_t told = 0; told < arrlenu(t->told); told++)
            is_told |= are_at_one_place(t->told[told], &k->findings[i]) &&
                       strength(t->told[told]) >= strength(&k->findings[i]);
        if (!is_told)
            findings[rest.n_findings++] = k->findings[i];
    }
    for (size_t i = 0; i < rest.n_findings; i++)
        arrput(t->told, &findings[i]);
    bool is_repeated = k->verdict == VERDICT_UNKNOWN ? t->undecided_told : rest.n_findings == 0;
    t->undecided_told |= k->verdict == VERDICT_UNKNOWN;
    if (is_repeated)
        rest.verdict = VERDICT_RACE_FREE; /* of it there is nothing more to say */
    return rest;
}

/* False: it had nothing to say. */
static bool tell(telling *t, const kernel_report *k, const report_grading *grading)
{
    kernel_report rest = untold(t, k);
    size_t before = t->out->length;
    report_write_warnings(t->out, &t->report, &rest, grading, &t->c->how, t->tally);
    return t->out->length > before;
}

static bool has_error(const kernel_report *k)
{
    for (size_t i = 0; i < k->n_findings; i++)
        if (strength(&k->findings[i]) == 2)
            return true;
    return false;
}

static void tell_launch(telling *t, const kernel_report *k)
{
    if (tell(t, k, t->grading) && k->origin.program)
        say(t, t->all->place, REPORT_NOTE,
            tr_arena_printf(t->input->arena, "launched by %s", k->origin.program));
}

/* "the launch of 'k' in .tilerace" */
static const char *launches_in_words(const telling *t, size_t n)
{
    const char *folder = recorded_launches_folder(t->c->s->seen);
    return n == 1 ? tr_arena_printf(t->input->arena, "the launch of '%s' in %s", t->all->kernel,
                                    folder)
                  : tr_arena_printf(t->input->arena, "all %zu launches of '%s' in %s", n,
                                    t->all->kernel, folder);
}

/* Reports conditions that all recorded launches meet, but that no contract states for other
 * launches. */
static void tell_conditions(telling *t, size_t n)
{
    for (size_t i = 0; i < t->all->n_requires; i++)
        if (t->all->requires_[i].what.class_ == PRECONDITION_CLASS_RACE)
            say(t, t->all->place, REPORT_REMARK,
                tr_arena_printf(t->input->arena, "race-free in %s; in others only if %s",
                                launches_in_words(t, n), t->all->requires_[i].brief));
}

/* A remark on what other launches may do is milder where launches are known and do not do it. */
static void tell_others(telling *t, size_t n, bool all_held)
{
    const report_severity other = t->grading->other;
    const report_grading milder = {other, other};
    if (all_held && t->all->verdict == VERDICT_CONDITIONAL && other < REPORT_ERROR)
        tell_conditions(t, n);
    else if (tell(t, t->all, &milder) && all_held)
        say(t, t->all->place, REPORT_NOTE,
            tr_arena_printf(t->input->arena, "other launches: %s %s race-free",
                            launches_in_words(t, n), n == 1 ? "is" : "are"));
}

static void tell_absence(telling *t, const loaded_seen *seen)
{
    const char *folder = recorded_launches_folder(t->c->s->seen);
    const char *text =
        seen->n_stale > 0
            ? tr_arena_printf(t->input->arena,
                              "'%s' has changed since %s was recorded, and is checked without it",
                              t->all->kernel, folder)
            : tr_arena_printf(t->input->arena,
                              "%s has no launch of '%s', which is checked without it", folder,
                              t->all->kernel);
    say(t, t->all->place, REPORT_REMARK, text);
}

void compilers_recorded_write(const kernels_check *c, loaded *input, const loaded_kernel *kernel,
                              const loaded_seen *seen, const report_grading *grading, tr_text *out,
                              report_tally *tally)
{
    const rules_options how = session_rules(c->s, 0);
    kernel_report *all = load_check(c->s, input, kernel, &how);
    kernels_hide(c, all);
    telling t = {.c = c,
                 .input = input,
                 .all = all,
                 .grading = grading,
                 .out = out,
                 .tally = tally,
                 .report = {.file = c->file ? c->file : all->kernel}};
    size_t n = arrlenu(seen->launches);
    bool all_held = n > 0 && !seen->unfit;
    for (size_t i = 0; i < n; i++) {
        kernel_report *k = load_check(c->s, input, &seen->launches[i], &how);
        kernels_hide(c, k);
        all_held &= k->verdict == VERDICT_RACE_FREE && !has_error(k);
        tell_launch(&t, k);
    }
    if (seen->unfit)
        say(&t, all->place, grading->race,
            tr_arena_printf(input->arena, "a launch of '%s' in %s is none that it allows: %s",
                            all->kernel, recorded_launches_folder(c->s->seen), seen->unfit));
    if (n == 0 && !seen->unfit)
        tell_absence(&t, seen);
    if (n > 0 && kernel->contract->source != CONTRACT_FILE)
        tell_others(&t, n, all_held);
    else
        tell(&t, all, grading);
    arrfree(t.told);
}
