/* tilerace run --device gpu, and of bundles. */
#include "run/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installed.h"
#include "gpu/rounding.h"
#include "plan/bar.h"
#include "run/report.h"
#include "run/tiles.h"
#include "session/session.h"

#define RUNNER "tilerace-runner"

static gpu_result *execute(session *s, const gpu_plan *plan)
{
    gpu_bar bar = plan_bar_start(s->err, "runs");
    gpu_result *result = gpu_execute(s->arena, plan, plan_bar_step, &bar);
    plan_bar_end(&bar);
    return result;
}

static bool by_rounding(session *s, const gpu_plan *plan, const gpu_result *result)
{
    gpu_bar bar = plan_bar_start(s->err, "runs");
    bool rounding = gpu_differs_by_rounding(s->arena, plan, result, plan_bar_step, &bar);
    plan_bar_end(&bar);
    return rounding;
}

int run_execute_plan(session *s, const char *file, const char *kernel, const gpu_plan *plan,
                     run_report *report)
{
    gpu_result *result = execute(s, plan);
    run_report_of_gpu(s->arena, file, kernel, plan, result, report);
    if (report->nondeterministic && result->status == GPU_DONE && by_rounding(s, plan, result)) {
        report->order_dependent = true;
        report->words =
            tr_arena_printf(s->arena, "%s; %s", report->words, gpu_rounding_words(plan));
    }
    gpu_result_free(result);
    if (plan->blocks) {
        report->checker = plan->blocks->checker;
        run_take_blocks(s->arena, plan, plan->blocks, report);
    }
    return report->error || report->hang                ? EXIT_BAD
           : report->nondeterministic || report->missed ? EXIT_FINDINGS
                                                        : EXIT_CLEAN;
}

/* ---- Bundles ---- */

static bool copy_runner(session *s, const char *folder, const char **why)
{
    static const char *const places[] = {"bin/" RUNNER, RUNNER, NULL};
    const char *from = tr_find_installed(s->arena, places);
    size_t size = 0;
    if (!from) {
        *why = RUNNER " is not installed beside the program";
        return false;
    }
    const char *data = tr_read_file(s->arena, TR_FILE_CODE, from, &size, why);
    if (!data)
        return false;
    const char *to = tr_arena_printf(s->arena, "%s/" RUNNER, folder);
    FILE *out = fopen(to, "wb");
    bool good = out && fwrite(data, 1, size, out) == size;
    if (out && fclose(out) != 0)
        good = false;
    good = good && chmod(to, 0755) == 0;
    if (!good)
        *why = tr_arena_printf(s->arena, "%s cannot be written: %s", to, strerror(errno));
    return good;
}

int run_write_bundle(session *s, const gpu_plan *plan)
{
    const char *folder = s->options->bundle, *why = NULL;
    if (!plan_write(s->arena, plan, folder, &why) || !copy_runner(s, folder, &why))
        return session_complain(s, "%s", why);
    tr_say(s->err,
           "%s: run it on a machine with a GPU by %s/" RUNNER " %s, or by tilerace run %s\n",
           folder, folder, folder, folder);
    return EXIT_CLEAN;
}
