/* Runs one launch of a candidate on a GPU many times, with varied timing, and says whether the runs
 * agree with each other and with the interpreter. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/ds.h"
#include "base/process.h"
#include "driver/toolchain.h"
#include "plan/blocks.h"
#include "gpu/cuda.h"
#include "gpu/rounding.h"
#include "plan/text.h"
#include "judge/private.h"

enum { RUNS = 10, PHASE_MS = 60 * 1000 };

const char *judge_lacks_gpu(const session *s)
{
    cuda_api api;
    const char *why;
    if (s->options->device && strcmp(s->options->device, "cpu") == 0)
        return "no GPU is asked for (--device)";
    if (!cuda_open(s->arena, &api, &why))
        return "there is no GPU with its driver";
    return toolchain_find_tileiras(s->arena, &why)
               ? NULL
               : "there is no tileiras, which makes machine code for a GPU";
}

const confinement *judge_confinement(const session *s)
{
    confinement *c = TR_NEW(s->arena, confinement);
    *c = judge_lacks_gpu(s) ? confine_plan(s->arena, s->solver, NULL, NULL)
                            : (confinement){.why_not = "a GPU is asked"};
    return c;
}

/* Runs the plan without the memory limit of the judging process, since a driver maps much more
 * memory than it uses. The driver's own process ends with the runs. */
static gpu_result *execute(const judging *j, const gpu_plan *plan)
{
    struct rlimit before, lifted;
    bool is_limited = getrlimit(RLIMIT_DATA, &before) == 0;
    lifted = before;
    lifted.rlim_cur = lifted.rlim_max;
    if (is_limited)
        setrlimit(RLIMIT_DATA, &lifted);
    gpu_result *result = gpu_execute(j->s->arena, plan, NULL, NULL);
    if (is_limited)
        setrlimit(RLIMIT_DATA, &before);
    return result;
}

static void add_fault(judging *j, const judged_kernel *k, const gpu_plan *plan, judge_class class_,
                      const char *what, const char *shown)
{
    judge_add_fault(j, (judge_fault){.stage = JUDGE_STAGE_GPU,
                                     .class_ = class_,
                                     .kernel = k->report->kernel,
                                     .place = k->report->place,
                                     .what = what,
                                     .launch = plan->launch,
                                     .shown = shown});
}

/* Returns an output that differs between runs, unless the order of sums explains that; NULL: there
 * is none. */
static const gpu_buffer *that_differs(judging *j, const gpu_plan *plan, const gpu_result *result)
{
    const gpu_buffer *found = NULL;
    for (size_t i = 0; i < plan->n_buffers && !found; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        if (b->output && result->outputs[i].differing && !b->order_dependent)
            found = b;
    }
    return found && plan_may_differ(plan)                                            ? NULL
           : found && gpu_differs_by_rounding(j->s->arena, plan, result, NULL, NULL) ? NULL
                                                                                     : found;
}

static void compare(judging *j, const judged_kernel *k, const gpu_plan *plan,
                    const gpu_result *result)
{
    tr_arena *arena = j->s->arena;
    const gpu_buffer *differs = that_differs(j, plan, result);
    if (differs)
        add_fault(j, k, plan, JUDGE_NONDETERMINISTIC,
                  tr_arena_printf(
                      arena, "runs on a GPU from the same inputs leave different values in '%s'",
                      differs->name),
                  plan_result_words(arena, plan, result));
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_output *o = &result->outputs[i];
        if (!plan->buffers[i].output || o->agreement != GPU_DIFFERENT)
            continue;
        add_fault(j, k, plan, JUDGE_WRONG_RESULT,
                  tr_arena_printf(arena,
                                  "%llu of %llu elements of '%s' are on a GPU not as the "
                                  "interpreter has them",
                                  (unsigned long long)o->wrong, (unsigned long long)o->compared,
                                  plan->buffers[i].name),
                  plan_result_words(arena, plan, result));
    }
}

/* NULL, or why nothing is known. */
static const char *run(judging *j, const judged_kernel *k, const gpu_plan *plan)
{
    judge_result *stage = &j->into->stages[JUDGE_STAGE_GPU];
    const char *why = NULL;
    gpu_result *result = execute(j, plan);
    stage->n_tried++;
    switch (result->status) {
    case GPU_DONE:
        stage->n_reached++;
        compare(j, k, plan, result);
        break;
    case GPU_HANG:
        stage->n_reached++;
        add_fault(j, k, plan, JUDGE_LIMIT, "a run on a GPU does not end", result->why);
        break;
    case GPU_FAILED:
        stage->n_reached++;
        why = tr_arena_strdup(j->s->arena, result->why);
        break;
    }
    gpu_result_free(result);
    return why;
}

/* The launch with what the interpreter makes of it as what is expected, and its machine code. NULL,
 * with *why. */
static gpu_plan *prepare(judging *j, run_target *target, const judge_outputs *outputs,
                         const char **why)
{
    if (run_takes_addresses(target)) {
        *why = "the kernel loads the addresses that it accesses, which only its program can make";
        return NULL;
    }
    gpu_plan *plan = run_plan(target, why);
    if (!plan)
        return NULL;
    judge_begin_undefined(plan, outputs);
    if (!run_expect_interpreter(target, plan, why))
        return NULL;
    plan->launch = tr_arena_strdup(
        j->s->arena, run_launch_words(target->input->arena, target, target->launch, plan));
    char *said = NULL;
    size_t length = 0;
    target->s->err = open_memstream(&said, &length);
    if (!target->s->err)
        tr_no_memory();
    int code = run_compile(target, plan);
    fclose(target->s->err);
    if (code != EXIT_CLEAN)
        *why = tr_arena_printf(j->s->arena, "it is not assembled for a GPU: %s", said);
    free(said);
    return code == EXIT_CLEAN ? plan : NULL;
}

void judge_try_gpu(judging *j, const judged_kernel *k, const judge_outputs *outputs,
                   const concrete_launch *launch)
{
    judge_result *stage = &j->into->stages[JUDGE_STAGE_GPU];
    if (stage->state != JUDGE_HELD || arrlenu(j->into->faults) > 0)
        return;
    double began = tr_now_fine_ms();
    const char *why = judge_begin(j, JUDGE_AT_GPU);
    driver_options options = *j->s->options;
    session own = *j->s;
    options.against_interpreter = true; /* inputs for which last bits matter little */
    options.repeat = RUNS;
    options.timeout = (options.timeout ? options.timeout : PHASE_MS) / 4; /* of one run */
    own.options = &options;
    run_target target = judge_target(j, k, launch);
    target.s = &own;
    gpu_plan *plan = why ? NULL : prepare(j, &target, outputs, &why);
    if (plan)
        why = run(j, k, plan);
    if (why)
        judge_leave_open(j, JUDGE_STAGE_GPU, why);
    stage->ms += tr_now_fine_ms() - began;
}
