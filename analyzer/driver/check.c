/* tilerace check: every file on the command line to a verdict, several at once. */
#include "driver/session.h"

#include <string.h>
#include <sys/stat.h>
#include <errno.h>

#include "base/ds.h"
#include "driver/fail_on.h"
#include "driver/outputs.h"
#include "driver/pool.h"

typedef struct check_run {
    session *s;
    loaded *inputs;
    input_report *reports;
    const char **solvers;  /* what each input's solver called itself; or NULL */
    const char **unusable; /* why its answers are not taken; or NULL */
} check_run;

static void check_kernels(const session *s, loaded *input, input_report *report)
{
    size_t n = arrlenu(input->kernels);
    report->kernels = TR_NEW_ARRAY(input->arena, kernel_report, n + 1);
    for (size_t i = 0; i < n; i++) {
        kernel_report *kernel = load_check(s, input, &input->kernels[i], &s->rules);
        report->kernels[report->n_kernels++] = *kernel;
    }
}

static void check_one(void *user, size_t i)
{
    check_run *run = user;
    loaded *input = &run->inputs[i];
    input_report *report = &run->reports[i];
    load_file(run->s, i, input);
    report->file = input->file;
    report->errors = input->errors.items;
    report->n_errors = arrlenu(input->errors.items);
    if (report->n_errors == 0)
        check_kernels(run->s, input, report);
    /* A solver that nobody asked is not waited for. */
    if (input->prover && smt_prover_statistics(input->prover).solver_calls > 0)
        run->solvers[i] = tr_arena_strdup(input->arena, smt_prover_solver(input->prover));
    const char *unusable = input->prover ? smt_prover_unusable(input->prover) : NULL;
    if (unusable)
        run->unusable[i] = tr_arena_strdup(input->arena, unusable);
    load_stop_solver(input);
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
    pool_run(o->jobs ? o->jobs : pool_processors(), n, check_one, &run);

    for (size_t i = 0; i < n; i++)
        mark_allowed(&run, i);
    full_report report = {.n_inputs = n, .inputs = run.reports};
    for (size_t i = 0; i < n && !report.solver; i++)
        report.solver = run.solvers[i];
    int code = outputs_write(s, &to, &report, fail_on_report(fails));
    complain_of_unread(&run, &to, n);
    report_totals totals = report_count(&report);
    totals.not_checked += n_wrong;
    int asked = fail_on_exit(fails, &totals);
    for (size_t i = 0; i < n && code == EXIT_CLEAN; i++)
        if (run.unusable[i])
            code = session_complain(s, "%s", run.unusable[i]);
    if (code == EXIT_CLEAN)
        code = launch_check_names(s, n, run.inputs);
    for (size_t i = 0; i < n; i++)
        load_free(&run.inputs[i]);
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
