/* tilerace check: every file on the command line to a verdict, several at once. */
#include "driver/session.h"

#include <string.h>
#include <sys/stat.h>
#include <errno.h>

#include "base/ds.h"
#include "driver/fail_on.h"
#include "driver/outputs.h"
#include "driver/pool.h"
#include "driver/progress.h"

typedef struct check_run {
    session *s;
    loaded *inputs;
    input_report *reports;
    const char **solvers;  /* what each input's solver called itself; or NULL */
    const char **unusable; /* why its answers are not taken; or NULL */
} check_run;

typedef struct watched_file {
    progress *progress;
    size_t number;
} watched_file;

static void tell_step(void *user, rules_step step)
{
    static const progress_step steps[] = {[RULES_SUMMARY] = PROGRESS_SUMMARY,
                                          [RULES_PROVING] = PROGRESS_PROVING,
                                          [RULES_PRECONDITIONS] = PROGRESS_PRECONDITIONS,
                                          [RULES_WITNESS] = PROGRESS_WITNESS};
    const watched_file *file = user;
    progress_phase(file->progress, file->number, steps[step]);
}

static void check_kernels(const session *s, size_t number, loaded *input, input_report *report)
{
    size_t n = arrlenu(input->kernels);
    watched_file watched = {s->progress, number};
    rules_options options = s->rules;
    options.watch = (rules_watch){tell_step, &watched};
    report->kernels = TR_NEW_ARRAY(input->arena, kernel_report, n + 1);
    for (size_t i = 0; i < n; i++) {
        progress_kernel(s->progress, number, input->kernels[i].function->shown);
        kernel_report *kernel = load_check(s, input, &input->kernels[i], &options);
        report->kernels[report->n_kernels++] = *kernel;
    }
}

static void check_one(void *user, size_t i)
{
    check_run *run = user;
    loaded *input = &run->inputs[i];
    input_report *report = &run->reports[i];
    progress_begin_file(run->s->progress, i, run->s->files[i]);
    load_file(run->s, i, input);
    report->file = input->file;
    report->errors = input->errors.items;
    report->n_errors = arrlenu(input->errors.items);
    if (report->n_errors == 0)
        check_kernels(run->s, i, input, report);
    /* A solver that nobody asked is not waited for. */
    if (input->prover && smt_prover_statistics(input->prover).solver_calls > 0)
        run->solvers[i] = tr_arena_strdup(input->arena, smt_prover_solver(input->prover));
    const char *unusable = input->prover ? smt_prover_unusable(input->prover) : NULL;
    if (unusable)
        run->unusable[i] = tr_arena_strdup(input->arena, unusable);
    load_stop_solver(input);
    progress_end_file(run->s->progress, i);
}

static void check_all(void *user)
{
    check_run *run = user;
    const driver_options *o = run->s->options;
    pool_run(o->jobs ? o->jobs : pool_processors(), run->s->n_files, check_one, run);
}

/* What was found when a signal came. The files that are not done belong to workers which still run:
 * nothing of them is looked at. */
static check_run finished_part(const check_run *run)
{
    session *s = run->s;
    size_t n = s->n_files, done = 0;
    check_run part = {.s = s,
                      .inputs = TR_NEW_ARRAY(s->arena, loaded, n),
                      .reports = TR_NEW_ARRAY(s->arena, input_report, n),
                      .solvers = TR_NEW_ARRAY(s->arena, const char *, n),
                      .unusable = TR_NEW_ARRAY(s->arena, const char *, n)};
    for (size_t i = 0; i < n; i++) {
        if (progress_is_done(s->progress, i)) {
            part.inputs[i] = run->inputs[i];
            part.reports[i] = run->reports[i];
            part.solvers[i] = run->solvers[i];
            part.unusable[i] = run->unusable[i];
            done++;
            continue;
        }
        loaded *input = &part.inputs[i];
        *input = (loaded){.arena = s->arena, .file = s->files[i]};
        input->errors = tr_errors_make(s->arena);
        tr_errors_add(&input->errors, &(tr_place){.file = s->files[i]},
                      "was not checked: the run was interrupted");
        part.reports[i] = (input_report){.file = input->file,
                                         .errors = input->errors.items,
                                         .n_errors = arrlenu(input->errors.items)};
    }
    fprintf(s->err, "tilerace: interrupted: %zu of %zu file%s checked\n", done, n,
            n == 1 ? " was" : "s were");
    return part;
}

/* Makes the folder of --keep-obligations and those above it. */
static int make_folders(session *s, const char *folder)
{
    char *path = tr_arena_strdup(s->arena, folder);
    for (char *slash = path + 1;; slash++) {
        slash += strcspn(slash, "/");
        char kept = *slash;
        *slash = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return session_complain(s, "--keep-obligations: %s cannot be made: %s", path,
                                    strerror(errno));
        *slash = kept;
        if (!kept)
            return EXIT_CLEAN;
    }
}

/* Where people do not read the report itself, they must still learn what was not checked. */
static void complain_of_unread(check_run *run, const outputs *to, size_t n)
{
    if (to->items[0].format == REPORT_TEXT && !to->items[0].path)
        return;
    for (size_t i = 0; i < n; i++)
        load_complain(run->s, &run->inputs[i]);
}

/* What comments of the sources allow. Those of a source that has changed since its kernels were
 * recorded stand in other lines. */
static void mark_allowed(check_run *run, size_t i)
{
    session *s = run->s;
    if (s->recorded[i] && s->recorded[i]->is_stale)
        return;
    tr_errors wrong = tr_errors_make(run->inputs[i].arena);
    report_mark_allowed(run->inputs[i].arena, s->unsaved, &run->reports[i], &wrong);
    for (size_t k = 0; k < arrlenu(wrong.items); k++)
        fprintf(s->err, "%s:%u: warning: %s\n", wrong.items[k].place.file,
                (unsigned)wrong.items[k].place.line, wrong.items[k].text);
    tr_errors_free(&wrong);
}

int check_files(session *s, void (*find)(session *s, size_t *n_wrong, void *user), void *user)
{
    const driver_options *o = s->options;
    outputs to;
    if (outputs_read(s, &to) != EXIT_CLEAN)
        return EXIT_BAD;
    unsigned fails;
    const char *why;
    if (!fail_on_read(s->arena, o, &fails, &why))
        return session_complain(s, "%s", why);
    if (o->keep_obligations && make_folders(s, o->keep_obligations) != EXIT_CLEAN)
        return EXIT_BAD;
    if (session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    size_t n_wrong;
    find(s, &n_wrong, user);
    size_t n = s->n_files;
    if (outputs_spare(s, n, s->files) != EXIT_CLEAN)
        return EXIT_BAD;
    check_run run = {.s = s,
                     .inputs = TR_NEW_ARRAY(s->arena, loaded, n),
                     .reports = TR_NEW_ARRAY(s->arena, input_report, n),
                     .solvers = TR_NEW_ARRAY(s->arena, const char *, n),
                     .unusable = TR_NEW_ARRAY(s->arena, const char *, n)};
    bool is_whole = progress_run(s->progress, n, check_all, &run);
    check_run part, *seen = &run; /* `run` is the workers' as long as they run */
    if (!is_whole) {
        part = finished_part(&run);
        seen = &part;
    }

    for (size_t i = 0; i < n; i++)
        mark_allowed(seen, i);
    full_report report = {.n_inputs = n, .inputs = seen->reports};
    for (size_t i = 0; i < n && !report.solver; i++)
        report.solver = seen->solvers[i];
    int code = outputs_write(s, &to, &report, fail_on_report(fails));
    complain_of_unread(seen, &to, n);
    report_totals totals = report_count(&report);
    totals.not_checked += n_wrong;
    int asked = fail_on_exit(fails, &totals);
    for (size_t i = 0; i < n && code == EXIT_CLEAN; i++)
        if (seen->unusable[i])
            code = session_complain(s, "%s", seen->unusable[i]);
    if (!is_whole)
        progress_quit(s->progress);
    if (code == EXIT_CLEAN)
        code = launch_check_names(s, n, seen->inputs);
    for (size_t i = 0; i < n; i++)
        load_free(&seen->inputs[i]);
    return code != EXIT_CLEAN ? code : asked;
}

static void find_files(session *s, size_t *n_wrong, void *user)
{
    (void)user;
    session_find_files(s, n_wrong);
}

int command_check(session *s)
{
    return check_files(s, find_files, NULL);
}
