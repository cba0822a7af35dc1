/* tilerace run --device cpu: the interpreter in the GPU's place, tile blocks in other orders. */
#include "driver/run_report.h"

#include <stdlib.h>
#include <string.h>

#include "interp/interp.h"
#include "interp/launch_private.h"
#include "interp/schedule.h"

/* Floats get values where hardware is free in them, too: one of those that it may give. */
static const interp_limits with_values = {.values = true};

typedef struct snapshot { /* what one run left in one buffer */
    unsigned char *bytes;
    bool *known; /* per element */
} snapshot;

/* The launch with the contents that the GPU would get. */
static interp_launch launch_with_contents(const run_target *t, const gpu_plan *plan)
{
    tr_arena *arena = t->input->arena;
    interp_launch launch = *t->launch;
    launch.buffers =
        tr_arena_copy(arena, launch.buffers, launch.n_buffers * sizeof *launch.buffers);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        interp_buffer *b = &launch.buffers[i];
        b->data = tr_arena_alloc(arena, plan->buffers[i].bytes);
        gpu_fill_bytes(&plan->buffers[i], b->data);
        b->bytes = b->data_bytes = (int64_t)plan->buffers[i].bytes;
        b->known = NULL;
        b->opaque = b->unbounded = false;
        b->n_pokes = 0;
    }
    launch.args = tr_arena_copy(arena, launch.args, launch.n_args * sizeof *launch.args);
    for (size_t i = 0; i < plan->n_args; i++)
        if (plan->args[i].buffer < 0) {
            launch.args[i].exact = true;
            if (ir_type_is_float(t->kernel->function->body->args[i]->type->elem))
                launch.args[i].value = (int64_t)plan->args[i].bits;
        }
    return launch;
}

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

static void read_buffer(const interp_run *run, size_t buffer, const gpu_buffer *b, snapshot *to)
{
    int width = gpu_element_bytes(b->element);
    uint64_t elements = b->bytes / (uint64_t)width;
    for (uint64_t i = 0; i < elements; i++) {
        uint64_t bits = 0;
        to->known[i] = interp_read_back(run, (int)buffer, (int64_t)i * width, width, &bits);
        memcpy(to->bytes + i * (uint64_t)width, &bits, (size_t)width);
    }
}

static snapshot snapshot_new(const gpu_buffer *b)
{
    uint64_t elements = b->bytes / (uint64_t)gpu_element_bytes(b->element);
    return (snapshot){calloc(b->bytes, 1), calloc(elements, sizeof(bool))};
}

typedef struct comparison { /* of one buffer over all runs */
    snapshot first, now;
    gpu_output output;
    uint64_t *per_run;
    uint16_t *heat;
    bool any_unknown;
    run_tiles *tiles; /* who wrote what, in the first run; or NULL */
} comparison;

static void compare(const gpu_buffer *b, comparison *c, unsigned run)
{
    size_t width = (size_t)gpu_element_bytes(b->element);
    for (uint64_t i = 0; i < c->output.elements; i++) {
        bool known = c->first.known[i] && c->now.known[i];
        c->any_unknown |= !known;
        if (known && memcmp(c->first.bytes + i * width, c->now.bytes + i * width, width) != 0) {
            c->per_run[run]++;
            c->heat[i]++;
        }
    }
}

static run_tiles *note_writers(const run_target *t, const interp_run *run, int number,
                               const gpu_buffer *b, const comparison *c)
{
    gpu_output nothing_yet = {.elements = c->output.elements, .heat = c->heat};
    run_tiles *tiles = run_tiles_of(t->s->arena, b, &nothing_yet, 1);
    if (tiles)
        run_tiles_writers(t->s->arena, run, number, b, tiles);
    return tiles;
}

static interp_run *run_scheduled(const run_target *t, const interp_launch *launch, uint64_t seed,
                                 unsigned number)
{
    interp_schedule schedule = {.policy = number ? INTERP_RANDOM : INTERP_IN_ORDER,
                                .seed = seed + number};
    return interp_execute_scheduled(t->kernel->function, launch, &t->s->rules.model, &with_values,
                                    0, NULL, &schedule);
}

static bool one_run(const run_target *t, const gpu_plan *plan, const interp_launch *launch,
                    uint32_t *order, unsigned number, comparison *all, run_report *report)
{
    size_t blocks = (size_t)(launch->grid[0] * launch->grid[1] * launch->grid[2]);
    bool scheduled = number % 2 == 0 || run_waits_for_others(t->kernel->function);
    if (!scheduled)
        order_blocks(order, blocks, number, plan->seed);
    interp_run *run = scheduled ? run_scheduled(t, launch, plan->seed, number)
                                : interp_execute(t->kernel->function, launch, &t->s->rules.model,
                                                 &with_values, order);
    interp_status status = interp_run_status(run);
    if (status != INTERP_DONE) {
        report->hang = status == INTERP_HANG;
        report->words = "the interpreter did not come to the kernel's end";
        report->error = tr_arena_strdup(t->s->arena, interp_run_why(run));
    }
    for (size_t i = 0; i < plan->n_buffers && status == INTERP_DONE; i++) {
        if (!plan->buffers[i].output)
            continue;
        read_buffer(run, i, &plan->buffers[i], number ? &all[i].now : &all[i].first);
        if (number == 0)
            all[i].tiles = note_writers(t, run, (int)i, &plan->buffers[i], &all[i]);
        else
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
        gpu_summarise(&plan->buffers[i], &c->output);
        result.outputs[i] = c->output;
        unknown |= c->any_unknown;
    }
    const char *launch = report->launch;
    run_report_of_gpu(t->s->arena, report->file, report->kernel, plan, &result, report);
    report->device = "cpu";
    report->launch = launch;
    for (size_t i = 0, o = 0; i < plan->n_buffers; i++) {
        if (!plan->buffers[i].output)
            continue;
        run_tiles *tiles = report->outputs[o++].tiles;
        if (tiles && all[i].tiles) {
            tiles->writer = all[i].tiles->writer;
            tiles->writers = all[i].tiles->writers;
        }
    }
    if (!report->nondeterministic && !report->order_dependent)
        report->words = tr_arena_printf(
            t->s->arena, "no difference in %u schedules: not a proof%s", report->runs,
            unknown ? "; values that the interpreter does not know were left out" : "");
}

int run_on_interpreter(run_target *t, const gpu_plan *plan, size_t n_witnesses,
                       const run_witness *witnesses, run_report *report)
{
    interp_launch launch = launch_with_contents(t, plan);
    size_t blocks = (size_t)(launch.grid[0] * launch.grid[1] * launch.grid[2]);
    uint32_t *order = calloc(blocks + 1, sizeof *order);
    comparison *all = calloc(plan->n_buffers + 1, sizeof *all);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        if (!b->output)
            continue;
        all[i].output.elements = b->bytes / (uint64_t)gpu_element_bytes(b->element);
        all[i].first = snapshot_new(b);
        all[i].now = snapshot_new(b);
        all[i].per_run = calloc(plan->repeat, sizeof(uint64_t));
        all[i].heat = calloc(all[i].output.elements, sizeof(uint16_t));
    }
    *report =
        (run_report){.file = t->input->file, .kernel = t->kernel->function->shown, .device = "cpu"};
    while (report->runs < plan->repeat &&
           one_run(t, plan, &launch, order, report->runs, all, report))
        report->runs++;
    if (!report->error) {
        conclude(t, plan, all, report);
        run_show_schedules(t, n_witnesses, witnesses, report);
    }
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
    return report->error                                ? EXIT_BAD
           : report->nondeterministic || report->missed ? EXIT_FINDINGS
                                                        : EXIT_CLEAN;
}

/* ---- What a GPU's run is compared with ---- */

/* Largest relative difference, and absolute below 1, that sums in another order and functions of
 * the hardware's own rounding may make: a few units in the last place of the format, times the
 * square root of some ten thousand terms. */
static double tolerance_of(gpu_element element)
{
    switch (element) {
    case GPU_F64:
        return 1e-12;
    case GPU_F32:
        return 1e-4;
    case GPU_TF32:
    case GPU_F16:
        return 1e-2;
    case GPU_BF16:
        return 5e-2;
    case GPU_F8E4M3:
    case GPU_F8E5M2:
        return 0.25;
    default:
        return 0;
    }
}

bool run_expect_interpreter(const run_target *t, gpu_plan *plan, const char **why)
{
    tr_arena *arena = t->input->arena;
    interp_launch launch = launch_with_contents(t, plan);
    interp_run *run = run_scheduled(t, &launch, plan->seed, 0);
    bool good = interp_run_status(run) == INTERP_DONE;
    if (!good)
        *why = tr_arena_printf(arena, "the interpreter did not come to the kernel's end: %s",
                               interp_run_why(run) ? interp_run_why(run) : "");
    for (size_t i = 0; i < plan->n_buffers && good; i++) {
        gpu_buffer *b = &plan->buffers[i];
        if (!b->output || b->expected)
            continue;
        uint64_t elements = b->bytes / (uint64_t)gpu_element_bytes(b->element);
        snapshot seen = {tr_arena_alloc(arena, b->bytes), TR_NEW_ARRAY(arena, bool, elements)};
        read_buffer(run, i, b, &seen);
        b->expected = seen.bytes;
        b->expected_known = (const unsigned char *)seen.known; /* false is 0, true 1 */
        b->tolerance = b->tolerance > 0 ? b->tolerance : tolerance_of(b->element);
    }
    interp_run_free(run);
    return good;
}
