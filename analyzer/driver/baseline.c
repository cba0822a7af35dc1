#include "driver/baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"
#include "driver/outputs.h"
#include "folders/repository.h"
#include "inputs/load.h"
#include "report/history.h"
#include "session/session.h"

typedef struct baseline {
    session *s;
    full_report *report;
    const char *path, *root;
    history then, now;
    size_t *which; /* stb_ds array: of each finding of the report, its number in `now` */
} baseline;

int driver_check_baseline_options(session *s)
{
    const driver_options *o = s->options;
    if (o->write_baseline && !o->baseline)
        return session_complain(s, "--write-baseline needs --baseline FILE, the file to write");
    return o->baseline ? outputs_spare(s, 1, &o->baseline) : EXIT_CLEAN;
}

/* ---- Section: Files ---- */

static const char *name_of(void *user, const char *file)
{
    baseline *b = user;
    return history_shown(b->s->arena, repository_name(b->s->arena, b->root, file));
}

/* Is the file still there? Names in the baseline may be a stranger's, so no file outside of the
 * repository is looked at. */
static bool is_there(void *user, const char *file)
{
    baseline *b = user;
    struct stat info;
    if (!repository_holds(file))
        return true;
    const char *path = tr_arena_printf(b->s->arena, "%s/%s", b->root, file);
    return stat(path, &info) == 0 || errno != ENOENT;
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* ---- Section: Reading ---- */

static int read_file(baseline *b)
{
    session *s = b->s;
    bool writes = s->options->write_baseline, is_old = false;
    if (!exists(b->path))
        return writes ? EXIT_CLEAN
                      : session_complain(
                            s, "--baseline: there is no %s; --write-baseline writes it", b->path);
    tr_errors errors = tr_errors_make(s->arena);
    bool good = baseline_read(&b->then, b->path, &is_old, &errors);
    int code = good || (writes && is_old) ? EXIT_CLEAN : EXIT_BAD;
    loaded holder = {.file = b->path, .errors = errors};
    if (code == EXIT_BAD)
        load_complain(s, &holder);
    tr_errors_free(&errors);
    if (!good) { /* what was read of it before that hides nothing */
        history_free(&b->then);
        b->then = history_make(s->arena);
    }
    return code;
}

/* None of its files is here, so it is not of this repository: that a kernel has the same name and
 * the same mistake would be chance. */
static bool is_foreign(const baseline *b)
{
    size_t n = arrlenu(b->then.findings);
    for (size_t i = 0; i < n; i++) {
        const history_finding *f = &b->then.findings[i];
        if (history_state_of(&b->now, f->file, f->kernel) != HISTORY_FILE_GONE)
            return false;
    }
    return n > 0;
}

/* ---- Section: Hiding ---- */

static const char *reason_of(const baseline *b, const history_finding *f)
{
    const history_finding *was = &b->then.findings[f->other];
    switch (f->how) {
    case HISTORY_FILE_RENAMED:
        return tr_arena_printf(b->s->arena, "%s has it in %s, where it no longer is", b->path,
                               was->file);
    case HISTORY_KERNEL_RENAMED:
        return tr_arena_printf(b->s->arena, "%s has it in '%s', which no longer exists", b->path,
                               was->kernel);
    case HISTORY_SAME:
        break;
    }
    return tr_arena_printf(b->s->arena, "%s has it", b->path);
}

/* Hides the findings of the report that the baseline has, or will have once it is written. */
static void hide(baseline *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->report->n_inputs; i++)
        for (size_t k = 0; k < b->report->inputs[i].n_kernels; k++) {
            kernel_report *kernel = &b->report->inputs[i].kernels[k];
            for (size_t f = 0; f < kernel->n_findings; f++) {
                const history_finding *known = &b->now.findings[b->which[n++]];
                finding *found = &kernel->findings[f];
                found->is_known = known->has_other ||
                                  (b->s->options->write_baseline && found->level != LEVEL_NOTE);
                if (found->hidden.by || found->level == LEVEL_NOTE)
                    continue;
                if (known->has_other || b->s->options->write_baseline)
                    found->hidden = (finding_hidden){
                        .by = HIDDEN_BY_BASELINE,
                        .reason = known->has_other
                                      ? reason_of(b, known)
                                      : tr_arena_printf(b->s->arena, "%s has it", b->path)};
            }
        }
}

static void say(const baseline *b, size_t n, const char *one, const char *many)
{
    if (n > 0 && !b->s->options->quiet)
        tr_say(b->s->err, "%s: note: %zu %s\n", b->path, n, n == 1 ? one : many);
}

static void say_what_is_over(const baseline *b)
{
    size_t n = 0;
    for (size_t i = 0; i < arrlenu(b->then.findings); i++) {
        const history_finding *f = &b->then.findings[i];
        history_state state = history_state_of(&b->now, f->file, f->kernel);
        n += !f->has_other && (state == HISTORY_DECIDED || state == HISTORY_KERNEL_GONE ||
                               state == HISTORY_FILE_GONE);
    }
    say(b, n, "entry of the baseline matches nothing any more; --write-baseline drops it",
        "entries of the baseline match nothing any more; --write-baseline drops them");
}

static int write_file(const baseline *b)
{
    tr_text text = {0};
    const char *why = NULL;
    size_t n = baseline_write(&text, &b->then, &b->now);
    const tr_new_file file = {b->path, &text};
    bool good = tr_write_files(b->s->arena, 1, &file, &why);
    tr_text_free(&text);
    if (!good)
        return session_complain(b->s, "--write-baseline: %s", why);
    if (!b->s->options->quiet)
        tr_say(b->s->err, "%s: note: written with %zu finding%s\n", b->path, n, n == 1 ? "" : "s");
    return EXIT_CLEAN;
}

static int apply(baseline *b)
{
    if (read_file(b) != EXIT_CLEAN)
        return EXIT_BAD;
    history_of_report(&b->now, b->report, name_of, b, &b->which);
    b->now.is_there = is_there;
    b->now.user = b;
    bool writes = b->s->options->write_baseline;
    if (is_foreign(b) && !writes)
        return session_complain(b->s,
                                "--baseline: none of the files that %s names is in %s, so it hides "
                                "nothing; is it the baseline of another repository? Where all of "
                                "them were renamed, --write-baseline writes it anew",
                                b->path, b->root);
    history_match(&b->then, &b->now);
    if (!writes)
        say_what_is_over(b);
    else if (write_file(b) != EXIT_CLEAN)
        return EXIT_BAD;
    hide(b);
    b->report->has_baseline = true;
    return EXIT_CLEAN;
}

int driver_apply_baseline(session *s, full_report *report)
{
    if (!s->options->baseline)
        return EXIT_CLEAN;
    baseline b = {.s = s,
                  .report = report,
                  .path = s->options->baseline,
                  .root = repository_root(s->arena, s->working_folder),
                  .then = history_make(s->arena),
                  .now = history_make(s->arena)};
    int code = apply(&b);
    history_free(&b.then);
    history_free(&b.now);
    arrfree(b.which);
    return code;
}
