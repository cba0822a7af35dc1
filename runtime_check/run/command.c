/* tilerace run: the kernel many times from the same inputs, and what differs between the runs. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"
#include "driver/commands.h"
#include "gpu/cuda.h"
#include "inputs/load.h"
#include "report/report.h"
#include "run/blocks.h"
#include "run/choose.h"
#include "run/code.h"
#include "run/conclude.h"
#include "run/cpu.h"
#include "run/expect.h"
#include "run/fills.h"
#include "run/gpu.h"
#include "run/narrow.h"
#include "run/outputs.h"
#include "run/page.h"
#include "run/plan.h"
#include "run/printed.h"
#include "run/races.h"
#include "run/report.h"
#include "run/repro.h"
#include "run/schedules.h"
#include "run/target.h"
#include "run/undefined.h"
#include "run/witness.h"
#include "session/session.h"
#include "solver/find_solver.h"

static int worse(int a, int b)
{
    static const int order[] = {EXIT_CLEAN, EXIT_FINDINGS, EXIT_BAD};
    for (size_t i = TR_COUNT(order); i-- > 0;)
        if (a == order[i] || b == order[i])
            return order[i];
    return EXIT_BAD;
}

static bool is_bundle(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int run_bundle(session *s, const char *folder, run_report **reports)
{
    const char *why = NULL;
    gpu_plan *plan = plan_read(s->arena, folder, &why);
    if (!plan)
        return session_complain(s, "%s", why);
    if (s->options->repeat)
        plan->repeat = (unsigned)s->options->repeat;
    run_report report;
    int code = run_execute_plan(s, folder, plan->kernel, plan, &report);
    arrput(*reports, report);
    return code;
}

static bool has_gpu(session *s)
{
    const char *why;
    cuda_api api;
    return cuda_open(s->arena, &api, &why);
}

/* The launch that was chosen, on a device. */
static int run_launch(run_target *t, gpu_plan *plan, bool gpu, size_t n_witnesses,
                      const run_witness *witnesses, run_report *report)
{
    session *s = t->s;
    if (!gpu)
        return run_on_interpreter(t, plan, n_witnesses, witnesses, report);
    if (has_gpu(s))
        plan->blocks = run_trace_blocks(t, plan, n_witnesses, witnesses);
    int code = run_execute_plan(s, t->input->file, t->kernel->function->shown, plan, report);
    if (!report->error && !report->hang && (report->nondeterministic || report->order_dependent)) {
        run_judge(t, plan, report);
        run_conclude(t, report);
        code = worse(code, run_exit_code(report));
    }
    if (!report->error && !report->hang) {
        run_judge_undefined(t, plan, report);
        code = worse(code, run_exit_code(report));
    }
    if (n_witnesses && !report->error && !report->hang)
        run_show_schedules(t, n_witnesses, witnesses, report);
    return code;
}

static int complain_of(const run_target *t, const char *why)
{
    return session_complain(t->s, "%s: %s: %s", t->input->file, t->kernel->function->shown, why);
}

/* The text of the file that the kernel's lines are of, where it is still there, or beside the
 * module that was made of it. */
static void take_source(const run_target *t, gpu_plan *plan)
{
    tr_arena *arena = t->input->arena;
    const tr_place *place = t->kernel->function->place;
    if (!place || !place->file || strpbrk(place->file, "\r\n"))
        return;
    const char *slash = strrchr(t->input->file, '/'), *name = strrchr(place->file, '/');
    const char *paths[] = {
        place->file, tr_arena_printf(arena, "%.*s%s", slash ? (int)(slash + 1 - t->input->file) : 0,
                                     t->input->file, name ? name + 1 : place->file)};
    for (size_t i = 0; i < TR_COUNT(paths) && !plan->source; i++) {
        size_t length = 0;
        const char *why;
        plan->source = tr_read_file(arena, TR_FILE_KERNELS, paths[i], &length, &why);
        plan->source_name = paths[i];
        if (plan->source && strlen(plan->source) != length)
            plan->source = NULL; /* no text */
    }
}

/* t->launch to its end: a bundle, or a report. */
static int run_prepared(run_target *t, bool gpu, size_t n_witnesses, const run_witness *witnesses,
                        run_report **reports)
{
    session *s = t->s;
    const char *why = NULL;
    if ((s->options->bundle || gpu) && run_takes_addresses(t))
        return complain_of(t, "the kernel loads the addresses that it accesses; on a GPU only the "
                              "program that launches it can make such a table (--device cpu runs "
                              "it on the interpreter)");
    gpu_plan *plan = run_plan(t, &why);
    if (plan && s->options->against_interpreter && !run_expect_interpreter(t, plan, &why))
        plan = NULL;
    if (!plan)
        return complain_of(t, why);
    plan->launch = run_launch_words(t->input->arena, t, t->launch, plan);
    take_source(t, plan);
    int code = s->options->bundle || gpu ? run_compile(t, plan) : EXIT_CLEAN;
    if (code != EXIT_CLEAN)
        return code;
    if (s->options->bundle) {
        plan->blocks = run_trace_blocks(t, plan, n_witnesses, witnesses);
        run_report judged = {0};
        run_judge(t, plan, &judged);
        if (judged.n_races)
            plan->blocks->seen = run_race_words(s->arena, &judged.races[0]);
        run_note_undefined(t, plan);
        return run_write_bundle(s, plan);
    }
    run_report report = {0};
    code = run_launch(t, plan, gpu, n_witnesses, witnesses, &report);
    report.launch = tr_arena_strdup(s->arena, plan->launch);
    run_say_printed(s, &report);
    if (report.contradiction && !run_keep_contradiction(t, &report))
        code = EXIT_BAD;
    arrput(*reports, report);
    return code;
}

/* Runs the launches of the races on a GPU. The interpreter runs a launch of its own, and shows the
 * races as schedules. */
static int run_witnesses(run_target *t, bool gpu, run_report **reports)
{
    run_witness *witnesses = NULL;
    const char *why = NULL;
    int code = EXIT_CLEAN;
    if (!run_read_witnesses(t, t->s->options->witness, &witnesses, &why)) {
        code = session_complain(t->s, "%s: %s", t->kernel->function->shown, why);
    } else if (!gpu && !t->s->options->bundle) {
        code = run_choose_launch(t, true, &why)
                   ? run_prepared(t, false, arrlenu(witnesses), witnesses, reports)
                   : complain_of(t, why);
    } else {
        size_t n = t->s->options->bundle ? 1 : arrlenu(witnesses);
        for (size_t i = 0; i < n; i++) {
            t->launch = witnesses[i].launch;
            code = worse(code, run_prepared(t, gpu, 1, &witnesses[i], reports));
        }
    }
    arrfree(witnesses);
    return code;
}

/* The kernel of `t` under what its verdict requires; its launch chosen. False where no such launch
 * is found; then nothing needs to be released. */
static bool narrow(run_target *t, bool small, const char *text, loaded *input)
{
    const char *why;
    run_target narrowed = *t;
    if (!run_narrow(&narrowed, text, input))
        return false;
    if (!run_choose_launch(&narrowed, small, &why)) {
        load_free(input);
        return false;
    }
    *t = narrowed;
    return true;
}

/* The launch that the contract states, or a small one that meets it, once. */
static int run_for_outputs(run_target *t)
{
    const char *why = NULL;
    gpu_plan *plan = run_choose_launch(t, true, &why) ? run_plan(t, &why) : NULL;
    if (!plan)
        return complain_of(t, why);
    plan->launch = run_launch_words(t->input->arena, t, t->launch, plan);
    why = run_leave_outputs(t, plan);
    return why ? complain_of(t, why) : EXIT_CLEAN;
}

static int run_kernel(run_target *t, run_report **reports)
{
    session *s = t->s;
    const char *device = s->options->device ? s->options->device : "auto", *why = NULL;
    bool gpu = strcmp(device, "gpu") == 0 ||
               (strcmp(device, "auto") == 0 && has_gpu(s) && !run_takes_addresses(t));
    if (t->kernel->contract->is_empty)
        return complain_of(t, "the launch has no tile blocks: there is nothing to run");
    if (s->options->outputs)
        return run_for_outputs(t);
    if (s->options->witness)
        return run_witnesses(t, gpu, reports);
    bool small = s->options->against_interpreter || run_has_reference_kernel(t) ||
                 (!gpu && !s->options->bundle);
    run_witness *witnesses = NULL;
    const char *required;
    t->checker = run_check(t, &witnesses, &required);
    t->races = arrlenu(witnesses) > 0;
    loaded input;
    bool narrowed = required && narrow(t, small, required, &input);
    int code = narrowed || run_choose_launch(t, small, &why)
                   ? run_prepared(t, gpu, arrlenu(witnesses), witnesses, reports)
                   : complain_of(t, why);
    if (narrowed)
        load_free(&input);
    arrfree(witnesses);
    return code;
}

static int run_file(session *s, const char *file, run_report **reports)
{
    loaded input;
    load_input(s, file, 0, &input);
    int code = EXIT_CLEAN;
    if (tr_errors_count(&input.errors) > 0) {
        load_complain(s, &input);
        code = EXIT_BAD;
    } else if ((s->options->bundle || s->options->outputs) && arrlenu(input.kernels) != 1) {
        code = session_complain(s, "%s holds %zu launches of kernels; %s of one", file,
                                arrlenu(input.kernels),
                                s->options->bundle ? "a bundle is" : "--outputs is");
    } else {
        for (size_t i = 0; i < arrlenu(input.kernels); i++) {
            run_target target = {.s = s, .input = &input, .kernel = &input.kernels[i]};
            code = worse(code, run_kernel(&target, reports));
        }
    }
    load_free(&input);
    return code;
}

int command_run(session *s)
{
    const driver_options *o = s->options;
    report_format format;
    if (!report_format_of(REPORT_OF_RUNS, o->format, &format))
        return session_complain(s, "--format of run is %s, not '%s'",
                                report_format_names(s->arena, REPORT_OF_RUNS), o->format);
    if (o->outputs && (o->n_files != 1 || o->bundle || o->witness ||
                       (o->device && strcmp(o->device, "gpu") == 0)))
        return session_complain(s, "--outputs is of one file, run on the interpreter");
    const char *ignored;
    s->solver = o->witness ? NULL : smt_find_solver(s->arena, &ignored);
    run_report *reports = NULL;
    int code = EXIT_CLEAN;
    for (size_t i = 0; i < o->n_files; i++)
        code = worse(code, is_bundle(o->files[i]) ? run_bundle(s, o->files[i], &reports)
                                                  : run_file(s, o->files[i], &reports));
    tr_text out = {0};
    if (format == REPORT_JSON)
        run_report_json(&out, arrlenu(reports), reports);
    else if (format == REPORT_HTML)
        run_report_html(&out, arrlenu(reports), reports);
    else
        for (size_t i = 0; i < arrlenu(reports); i++)
            run_report_text(&out, &reports[i]);
    if (out.length > 0 && session_emit(s, &out) != EXIT_CLEAN)
        code = EXIT_BAD;
    tr_text_free(&out);
    arrfree(reports);
    return code;
}
