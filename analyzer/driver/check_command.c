/* tilerace check: every file on the command line to a verdict, several at once. */
#include "driver/check_command.h"

#include <string.h>
#include <sys/stat.h>
#include <errno.h>

#include "base/ds.h"
#include "builds/build.h"
#include "cache/cache.h"
#include "checking/affected.h"
#include "checking/checking.h"
#include "checking/hide.h"
#include "checking/workers.h"
#include "driver/baseline.h"
#include "driver/commands.h"
#include "driver/outputs.h"
#include "driver/results.h"
#include "inputs/inputs.h"
#include "inputs/load.h"
#include "processes/pool.h"
#include "rules/rules.h"
#include "session/progress.h"
#include "session/session.h"
#include "settings/configs.h"
#include "settings/fail_on.h"

typedef struct check_run {
    session *s;
    results *found;            /* what was found of each input */
    bool is_whole;             /* no signal came */
    bool keeps;                /* all results stay in memory once they were read */
    size_t *unknown;           /* stb_ds array: numbers of the inputs that are to be checked */
    input_report *reports;     /* of all inputs; whole is the one that is shown */
    checked_input *results;    /* the same */
    size_t shown;              /* SIZE_MAX: none */
    tr_arena *arena;           /* of the one that is shown */
    checked_input *names;      /* where launches name kernels: the kernels' names; or NULL */
    bool *was_read;            /* where `keeps`: those that are whole */
    report_comments *comments; /* of the sources */
} check_run;

static void recall_one(void *user, size_t i)
{
    check_run *run = user;
    struct progress *p = run->s->progress;
    tr_text packed = {0};
    if (!run->s->affected && checking_recall(run->s, i, &packed)) {
        results_put(run->found, i, &packed);
        progress_begin_file(p, i, run->s->files[i]);
        progress_end_file(p, i);
    }
    tr_text_free(&packed);
}

static void take(void *user, size_t i, const tr_text *packed)
{
    check_run *run = user;
    results_put(run->found, i, packed);
}

static void check_unknown(void *user, size_t i)
{
    check_run *run = user;
    (void)i;
    const workers_task task = {
        .s = run->s, .n = arrlenu(run->unknown), .files = run->unknown, .take = take, .user = run};
    workers_run(&task);
}

static void check_all(void *user)
{
    check_run *run = user;
    const driver_options *o = run->s->options;
    pool_run(o->jobs ? o->jobs : pool_processors(), run->s->n_files, recall_one, run);
    for (size_t i = 0; i < run->s->n_files; i++)
        if (!results_has(run->found, i))
            arrput(run->unknown, i);
    pool_run(1, 1, check_unknown, run);
}

/* ---- Section: Results, one after another ---- */

static void forget_shown(check_run *run)
{
    if (run->shown == SIZE_MAX)
        return;
    input_report *report = &run->reports[run->shown];
    *report = (input_report){.file = report->file,
                             .n_remarks = report->n_remarks,
                             .remarks = report->remarks,
                             .n_hidden_remarks = report->n_hidden_remarks,
                             .failing = report->failing};
    run->results[run->shown] = (checked_input){0};
    run->shown = SIZE_MAX;
    tr_arena_free(run->arena);
    run->arena = NULL;
}

/* Reads the packed result of a file. After a signal, unfinished files belong to workers that still
 * run, so they are not looked at. */
static void read_packed(const check_run *run, size_t i, tr_text *packed)
{
    const session *s = run->s;
    if (run->is_whole || progress_is_done(s->progress, i))
        results_get(run->found, i, packed);
    else
        checking_failed(s->files[i], "was not checked: the run was interrupted", packed);
}

/* Findings in a source that has changed since its kernels were recorded stand in other lines. */
static void mark_allowed(const check_run *run, size_t i)
{
    const recorded_module *recorded = run->s->recorded[i];
    if (!recorded || !recorded->is_stale)
        report_comments_hide(run->comments, &run->reports[i]);
}

/* A module that --build made for one of several signatures looks like those for the others. */
static void take_signature(const session *s, size_t i, input_report *report)
{
    const build_module *built = s->built ? s->built[i] : NULL;
    for (size_t k = 0; built && built->signature.of > 0 && k < report->n_kernels; k++) {
        report->kernels[k].signature = &built->signature;
        rules_tell_apart(&report->kernels[k], &built->signature);
    }
}

/* An input as the report has it: full_report.read. */
static void show(void *user, size_t i)
{
    check_run *run = user;
    session *s = run->s;
    if (run->shown == i || (run->keeps && run->was_read[i]))
        return;
    if (!run->keeps)
        forget_shown(run);
    tr_arena *arena = run->keeps ? s->arena : (run->arena = tr_arena_new());
    tr_text packed = {0};
    read_packed(run, i, &packed);
    input_report *report = &run->reports[i];
    const input_report before = *report;
    run->results[i] = checking_result(s, i, &packed, arena);
    tr_text_free(&packed);
    *report = run->results[i].report;
    report->file = s->files[i];
    report->n_remarks = before.n_remarks;
    report->remarks = before.remarks;
    report->n_hidden_remarks = before.n_hidden_remarks;
    report->failing = before.failing;
    run->shown = run->keeps ? SIZE_MAX : i;
    if (run->keeps)
        run->was_read[i] = true;
    take_signature(s, i, report);
    mark_allowed(run, i);
    affected_take_out(report);
    hide_findings(arena, session_settings(s, i), report);
}

static void say_what_was_done(const check_run *run)
{
    session *s = run->s;
    size_t n = s->n_files, done = 0;
    for (size_t i = 0; i < n; i++)
        done += progress_is_done(s->progress, i);
    tr_say(s->err, "tilerace: interrupted: %zu of %zu file%s checked\n", done, n,
           n == 1 ? " was" : "s were");
}

/* Makes the folder of --keep-obligations and those above it. */
static int make_folders(session *s, const char *folder)
{
    char *path = tr_arena_strdup(s->arena, folder);
    for (char *slash = path + 1;; slash++) {
        slash += strcspn(slash, "/");
        char kept = *slash;
        *slash = 0;
        struct stat info;
        if (mkdir(path, 0777) != 0 &&
            (errno != EEXIST || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)))
            return session_complain(s, "--keep-obligations: %s cannot be made: %s", path,
                                    strerror(errno));
        *slash = kept;
        if (!kept)
            return EXIT_CLEAN;
    }
}

/* Tells people who do not read the report itself what was not checked. */
static void complain_of_unread(check_run *run, const outputs *to)
{
    if (to->items[0].format == REPORT_TEXT && !to->items[0].path)
        return;
    for (size_t i = 0; i < run->s->n_files; i++) {
        show(run, i);
        checking_complain(run->s, &run->results[i]);
    }
}

/* GitLab's form has no place for a finding that does not count. */
static void say_what_is_hidden(const session *s, const outputs *to, const full_report *report)
{
    report_totals totals = report_count(report);
    const char *words = report_hidden_words(s->arena, totals.hidden);
    size_t n = 0;
    for (int by = HIDDEN_BY_NOTHING + 1; by < HIDDEN_BY_COUNT; by++)
        n += totals.hidden[by];
    if (n > 0 && to->items[0].format == REPORT_GITLAB)
        tr_say(s->err, "tilerace: note: %zu finding%s hidden: %s\n", n, n == 1 ? " is" : "s are",
               words);
}

/* Remarks on comments come when all inputs were seen. */
static void judge_comments(check_run *run)
{
    for (size_t i = 0; i < run->s->n_files; i++)
        show(run, i);
    forget_shown(run);
    report_comments_judge(run->comments);
}

/* The exit code that the report asks for: each input by its own settings. */
static int exit_of(const check_run *run, const full_report *report, size_t n_wrong)
{
    static const int worst_first[] = {EXIT_BAD, EXIT_FINDINGS, EXIT_UNDECIDED};
    const session *s = run->s;
    bool has[4] = {[EXIT_BAD] = n_wrong > 0};
    for (size_t i = 0; i < report->n_inputs; i++) {
        const full_report one = {.n_inputs = 1, .inputs = report_input(report, i)};
        report_totals totals = report_count(&one);
        has[fail_on_exit(session_settings(s, i)->fails, &totals)] = true;
    }
    for (size_t i = 0; i < report->n_skipped; i++) {
        const skipped_file *skipped = &report->skipped[i];
        bool is_unseen = skipped->reason == SKIPPED_UNRECORDED || skipped->reason == SKIPPED_STALE;
        if (is_unseen && configs_for(s->configs, skipped->path)->fails & FAIL_ON_UNSEEN)
            has[EXIT_FINDINGS] = true;
    }
    for (size_t i = 0; i < TR_COUNT(worst_first); i++)
        if (has[worst_first[i]])
            return worst_first[i];
    return EXIT_CLEAN;
}

static affected *open_affected(session *s)
{
    const char *why = NULL;
    affected *a = affected_open(s, &why);
    if (!a)
        session_complain(s, "--diff-base: %s", why);
    return a;
}

static const char *kept(tr_arena *arena, const char *text)
{
    return text ? tr_arena_strdup(arena, text) : NULL;
}

/* The names of an input's kernels outlive it: launches of --launch are looked for among all. */
static void note_names(check_run *run, size_t i)
{
    tr_arena *arena = run->s->arena;
    const checked_input *from = &run->results[i];
    checked_input *to = &run->names[i];
    to->report.n_errors = from->report.n_errors;
    to->n_kernels = from->n_kernels;
    to->kernels = TR_NEW_ARRAY(arena, checked_kernel, from->n_kernels + 1);
    for (size_t k = 0; k < from->n_kernels; k++)
        to->kernels[k] = (checked_kernel){.symbol = kept(arena, from->kernels[k].symbol),
                                          .shown = kept(arena, from->kernels[k].shown),
                                          .is_only_entry = from->kernels[k].is_only_entry};
}

/* Writes the report; the exit code. */
static int report_found(check_run *run, const outputs *to, size_t n_wrong)
{
    session *s = run->s;
    size_t n = s->n_files;
    const char *failure = NULL;
    full_report report = {.n_inputs = n,
                          .inputs = run->reports,
                          .read = show,
                          .user = run,
                          .n_skipped = arrlenu(s->skipped),
                          .skipped = s->skipped,
                          .since = s->options->diff_base};
    judge_comments(run);
    for (size_t i = 0; i < n; i++) {
        report_failing *failing = TR_NEW(s->arena, report_failing);
        hide_remarks(s->arena, session_settings(s, i), &run->reports[i]);
        *failing = fail_on_report(session_settings(s, i)->fails);
        show(run, i);
        run->reports[i].failing = failing;
        report.n_left_out += run->reports[i].n_left_out;
        if (run->names)
            note_names(run, i);
        if (run->results[i].solver && !report.solver)
            report.solver = tr_arena_strdup(s->arena, run->results[i].solver);
        if (run->results[i].failure && !failure)
            failure = tr_arena_strdup(s->arena, run->results[i].failure);
    }
    int hiding = driver_apply_baseline(s, &report);
    int code = outputs_write(s, to, &report);
    code = code == EXIT_CLEAN ? hiding : code;
    complain_of_unread(run, to);
    say_what_is_hidden(s, to, &report);
    int asked = exit_of(run, &report, n_wrong);
    if (failure && code == EXIT_CLEAN)
        code = session_complain(s, "%s", failure);
    if (run->is_whole && code == EXIT_CLEAN)
        code = run->names ? checking_names(s, n, run->names) : EXIT_CLEAN;
    return code != EXIT_CLEAN ? code : asked;
}

static int check_configured(session *s, void (*find)(session *s, size_t *n_wrong, void *user),
                            void *user)
{
    const driver_options *o = s->options;
    outputs to;
    if (outputs_read(s, &to) != EXIT_CLEAN)
        return EXIT_BAD;
    if (driver_check_baseline_options(s) != EXIT_CLEAN || build_check_options(s) != EXIT_CLEAN)
        return EXIT_BAD;
    for (size_t i = 0; i < to.n; i++)
        s->pictures = s->pictures || to.items[i].format == REPORT_HTML;
    if (o->keep_obligations && make_folders(s, o->keep_obligations) != EXIT_CLEAN)
        return EXIT_BAD;
    if (session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    size_t n_wrong;
    find(s, &n_wrong, user);
    build_all(s);
    size_t n = s->n_files;
    if (outputs_spare(s, n, s->files) != EXIT_CLEAN)
        return EXIT_BAD;
    if (o->diff_base && !(s->affected = open_affected(s)))
        return EXIT_BAD;
    check_run run = {.s = s,
                     .found = results_new(n),
                     .keeps = o->baseline != NULL, /* what is compared is marked in the report */
                     .results = TR_NEW_ARRAY(s->arena, checked_input, n),
                     .reports = TR_NEW_ARRAY(s->arena, input_report, n),
                     .was_read = TR_NEW_ARRAY(s->arena, bool, n),
                     .names = s->launches ? TR_NEW_ARRAY(s->arena, checked_input, n) : NULL,
                     .shown = SIZE_MAX,
                     .comments = report_comments_make(s->arena, s->unsaved)};
    s->cache = cache_open(s);
    run.is_whole = progress_run(s->progress, n, check_all, &run);
    if (run.is_whole) { /* else workers still use them, until the process ends */
        cache_close(s, s->cache);
        arrfree(run.unknown);
        affected_close(s->affected);
    } else {
        say_what_was_done(&run);
    }
    s->cache = NULL;
    int code = report_found(&run, &to, n_wrong);
    if (!run.is_whole)
        progress_quit(s->progress);
    forget_shown(&run);
    report_comments_free(run.comments);
    results_free(run.found);
    return code;
}

int driver_check_files(session *s, void (*find)(session *s, size_t *n_wrong, void *user),
                       void *user)
{
    unsigned fails;
    const char *why;
    if (!fail_on_read(s->arena, s->options, &fails, &why))
        return session_complain(s, "%s", why);
    s->configs = configs_open(s->arena, s->options, s->working_folder, &why);
    if (!s->configs)
        return session_complain(s, "%s", why);
    const settings *named = configs_named(s->configs);
    loaded holder = {.file = s->options->config, .errors = named ? named->wrong : (tr_errors){0}};
    load_complain(s, &holder);
    int code = arrlenu(holder.errors.items) > 0 ? EXIT_BAD : check_configured(s, find, user);
    configs_close(s->configs);
    s->configs = NULL;
    return code;
}

static void find_files(session *s, size_t *n_wrong, void *user)
{
    const driver_options *o = s->options;
    const char *standard = o->stdin_filename;
    (void)user;
    inputs *in = inputs_open(s);
    for (size_t i = 0; i < o->n_files && !standard; i++)
        if (strcmp(o->files[i], "-") == 0)
            standard = "<stdin>";
    if (standard)
        inputs_add_standard(in, standard);
    for (size_t i = 0; i < o->n_files; i++)
        if (strcmp(o->files[i], "-") != 0)
            inputs_add_named(in, o->files[i]);
    *n_wrong = inputs_close(in);
}

int command_check(session *s)
{
    int code = driver_check_files(s, find_files, NULL);
    inputs_release(s);
    return code;
}
