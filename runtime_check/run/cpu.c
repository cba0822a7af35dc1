/* tilerace run --device cpu: the interpreter in the GPU's place, tile blocks in other orders. */
#include "run/cpu.h"

#include "run/blocks.h"
#include "run/code.h"
#include "run/conclude.h"
#include "run/contents.h"
#include "run/printed.h"
#include "run/races.h"
#include "run/report.h"
#include "run/schedules.h"
#include "run/target.h"
#include "run/undefined.h"
#include "run/witness.h"

#include <stdlib.h>
#include <string.h>

#include "plan/bar.h"
#include "interp/interp.h"
#include "launch/random.h"

typedef struct snapshot { /* what one run left in one buffer */
    unsigned char *bytes;
    bool *known; /* per element */
} snapshot;

/* Run 0 in order, run 1 backwards, the others shuffled by the seed: every second one block after
 * block, the others with blocks and unordered ops taking turns. */
static void order_blocks(uint32_t *order, size_t n, unsigned run, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)(run == 1 ? n - 1 - i : i);
    uint64_t state = seed + run;
    for (size_t i = n; run > 1 && i-- > 1;) {
        size_t other = (size_t)random_between(&state, 0, (int64_t)i);
        uint32_t held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
}

static snapshot snapshot_new(const gpu_buffer *b)
{
    uint64_t elements = b->bytes / (uint64_t)plan_element_bytes(b->element);
    return (snapshot){tr_allocate_zeroed(b->bytes, 1), tr_allocate_zeroed(elements, sizeof(bool))};
}

typedef struct comparison { /* of one buffer over all runs */
    snapshot first, now;
    gpu_output output;
    uint64_t *per_run;
    uint16_t *heat;
    bool any_unknown;
} comparison;

static void compare(const gpu_buffer *b, comparison *c, unsigned run)
{
    size_t width = (size_t)plan_element_bytes(b->element);
    for (uint64_t i = 0; i < c->output.elements; i++) {
        bool known = c->first.known[i] && c->now.known[i];
        c->any_unknown |= !known;
        if (known && memcmp(c->first.bytes + i * width, c->now.bytes + i * width, width) != 0) {
            c->per_run[run]++;
            c->heat[i]++;
        }
    }
}

static bool one_run(const run_target *t, const gpu_plan *plan, const concrete_launch *launch,
                    uint32_t *order, unsigned number, comparison *all, run_report *report)
{
    size_t blocks = (size_t)concrete_launch_blocks(launch);
    bool scheduled = number % 2 == 0 || run_waits_for_others(t->kernel->function);
    if (!scheduled)
        order_blocks(order, blocks, number, plan->seed);
    interp_limits limits = {.values = true};
    const char *seen_by = tr_arena_printf(t->s->arena, "run %u", number);
    interp_run *run =
        scheduled ? run_in_turns(t->s, t->kernel->function, launch, plan->seed, number)
                  : interp_execute(t->kernel->function, launch, &t->s->rules.model, &limits, order);
    interp_status status = interp_run_status(run);
    run_collect_races(t, launch, run, tr_arena_printf(t->s->arena, "happens-before of %s", seen_by),
                      report);
    run_collect_undefined(t, launch, run, seen_by, report);
    if (number == 0)
        run_collect_printed(t->s->arena, run, report);
    if (run_ends_by_undefined(run)) {
        report->words = tr_arena_printf(t->s->arena, "%s ends there", seen_by);
    } else if (status != INTERP_DONE) {
        report->hang = status == INTERP_HANG;
        report->words = "the interpreter did not come to the kernel's end";
        report->error = tr_arena_strdup(t->s->arena, interp_run_why(run));
    }
    for (size_t i = 0; i < plan->n_buffers && status == INTERP_DONE; i++) {
        if (!plan->buffers[i].output)
            continue;
        snapshot *to = number ? &all[i].now : &all[i].first;
        run_read_buffer(run, i, &plan->buffers[i], to->bytes, to->known);
        if (number)
            compare(&plan->buffers[i], &all[i], number);
    }
    interp_run_free(run);
    return status == INTERP_DONE;
}

static void conclude(const run_target *t, const gpu_plan *plan, comparison *all, run_report *report)
{
    gpu_result result = {.status = GPU_DONE, .runs = report->runs, .gpu = ""};
    result.outputs = TR_NEW_ARRAY(t->s->arena, gpu_output, plan->n_buffers + 1);
    bool unknown = false;
    for (size_t i = 0; i < plan->n_buffers; i++) {
        comparison *c = &all[i];
        if (!plan->buffers[i].output)
            continue;
        c->output.heat = c->heat;
        c->output.per_run = c->per_run;
        c->output.contents = c->first.bytes;
        plan_summarise(&plan->buffers[i], &c->output);
        result.outputs[i] = c->output;
        unknown |= c->any_unknown;
    }
    const run_report before = *report;
    run_report_of_gpu(t->s->arena, report->file, report->kernel, plan, &result, report);
    report->device = "cpu";
    report->launch = before.launch;
    report->n_races = before.n_races;
    memcpy(report->races, before.races, sizeof report->races);
    report->races_cut_short = before.races_cut_short;
    report->race_checks = before.race_checks;
    report->n_undefined = before.n_undefined;
    memcpy(report->undefined, before.undefined, sizeof report->undefined);
    report->n_printed = before.n_printed;
    report->printed = before.printed;
    report->printed_cut = before.printed_cut;
    if (!report->nondeterministic && !report->order_dependent)
        report->words = tr_arena_printf(
            t->s->arena, "no difference in %u schedules: not a proof%s", report->runs,
            unknown ? "; values that the interpreter does not know were left out" : "");
}

int run_on_interpreter(run_target *t, const gpu_plan *plan, size_t n_witnesses,
                       const run_witness *witnesses, run_report *report)
{
    concrete_launch launch = run_filled_launch(t, plan);
    size_t blocks = (size_t)concrete_launch_blocks(&launch);
    uint32_t *order = tr_allocate_zeroed(blocks + 1, sizeof *order);
    comparison *all = tr_allocate_zeroed(plan->n_buffers + 1, sizeof *all);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        if (!b->output)
            continue;
        all[i].output.elements = b->bytes / (uint64_t)plan_element_bytes(b->element);
        all[i].first = snapshot_new(b);
        all[i].now = snapshot_new(b);
        all[i].per_run = tr_allocate_zeroed(plan->repeat, sizeof(uint64_t));
        all[i].heat = tr_allocate_zeroed(all[i].output.elements, sizeof(uint16_t));
    }
    *report =
        (run_report){.file = t->input->file, .kernel = t->kernel->function->shown, .device = "cpu"};
    gpu_bar bar = plan_bar_start(t->s->err, "runs");
    while (report->runs < plan->repeat &&
           one_run(t, plan, &launch, order, report->runs, all, report))
        plan_bar_step(&bar, ++report->runs, plan->repeat);
    plan_bar_end(&bar);
    if (report->runs == plan->repeat) {
        conclude(t, plan, all, report);
        run_name_blocks(t, plan, n_witnesses, witnesses, report);
        run_show_schedules(t, n_witnesses, witnesses, report);
    }
    run_conclude(t, report);
    if (!report->error)
        run_conclude_undefined(t->s->arena, report);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        free(all[i].first.bytes);
        free(all[i].first.known);
        free(all[i].now.bytes);
        free(all[i].now.known);
        free(all[i].per_run);
        free(all[i].heat);
    }
    free(all);
    free(order);
    return run_exit_code(report);
}
