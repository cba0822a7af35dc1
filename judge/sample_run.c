/* Runs one launch of a candidate on the interpreter: what its run shows, and what it leaves. */
#include <math.h>
#include <string.h>

#include "base/ds.h"
#include "driver/contract_command.h"
#include "gpu/rounding.h"
#include "inputs/load.h"
#include "judge/samples.h"
#include "launch/from_contract.h"
#include "run/ub.h"

#define MOST_CHECKS    ((uint64_t)5000000) /* of the search for races of one run */
#define MOST_SCHEDULES 3 /* besides the first, of kernels whose blocks synchronise */

typedef enum trial_kind {
    TRIAL_SAMPLE,
    TRIAL_EXCLUDED, /* it is looked at only where the verdict excludes it */
    TRIAL_STATED,   /* the context wants this very launch, whatever the verdict excludes */
} trial_kind;

typedef struct trial { /* one launch */
    judging *j;
    const judged_kernel *k;
    const run_target *target;
    gpu_plan *plan;
    concrete_launch launch; /* with its contents */
    const bool *is_output;  /* by buffer: it has to be written wholly */
    const char *words;      /* the launch in words */
    trial_kind kind;
    bool reference_is_defined; /* there is one, and it does nothing undefined at this launch */
} trial;

static const char *element_words(const trial *t, int32_t buffer, int64_t address)
{
    const gpu_buffer *b =
        buffer >= 0 && (size_t)buffer < t->plan->n_buffers ? &t->plan->buffers[buffer] : NULL;
    return b ? tr_arena_printf(t->j->s->arena, "%s[%lld]", b->name,
                               (long long)(address / plan_element_bytes(b->element)))
             : "memory";
}

static void add_fault(const trial *t, judge_stage stage, judge_class class_, const char *rule,
                      const ir_op *op, const char *what, const char *shown, const char *help)
{
    judge_add_fault(
        t->j,
        (judge_fault){.stage = stage,
                      .class_ = class_,
                      .rule = rule,
                      .kernel = t->k->report->kernel,
                      .place = op && op->place && op->place->line ? op->place : t->k->report->place,
                      .what = what,
                      .launch = t->words,
                      .shown = shown,
                      .help = help});
}

static const char *block_words(const trial *t, const interp_run *run, uint32_t block)
{
    int64_t id[3];
    interp_block_of(run, block, id);
    return tr_arena_printf(t->j->s->arena, "tile block (%lld, %lld, %lld)", (long long)id[0],
                           (long long)id[1], (long long)id[2]);
}

/* ---- Section: How it ended ---- */

static bool take_undefined_behaviour(const trial *t, const interp_run *run)
{
    const interp_ub *ubs;
    if (interp_ubs(run, &ubs) == 0)
        return false;
    const rule_info *rule = rule_info_of(run_ub_of(ubs[0].kind).rule);
    add_fault(t, JUDGE_STAGE_BOUNDS, JUDGE_OUT_OF_BOUNDS, rule->code, ubs[0].op, rule->summary,
              tr_arena_printf(t->j->s->arena, "%s does so", block_words(t, run, ubs[0].block)),
              rule->help);
    return true;
}

static const char *source_words(const trial *t, const interp_undefined *source)
{
    const tr_place *place = source->op ? source->op->place : NULL;
    const char *words = interp_undefined_info_of(source->kind)->words;
    return place && place->line ? tr_arena_printf(t->j->s->arena, "line %u: %s", place->line, words)
                                : words;
}

static const char undefined_help[] =
    "Give the load a padding value, or a mask that covers every stored element; write memory "
    "before it is read, outputs included.";

/* False where the run says nothing of results. */
static bool take_status(const trial *t, const interp_run *run)
{
    const interp_undefined *source = interp_run_undefined_by(run);
    const char *why = interp_run_why(run) ? interp_run_why(run) : "the interpreter did not finish";
    switch (interp_run_status(run)) {
    case INTERP_DONE:
        return true;
    case INTERP_HANG:
        add_fault(t, JUDGE_STAGE_SYNCHRONISATION, JUDGE_LIMIT, NULL, interp_run_where(run),
                  "a loop waits for memory that no tile block changes", why, NULL);
        return false;
    case INTERP_UNDECIDED:
        if (source) {
            add_fault(t, JUDGE_STAGE_DEFINED, JUDGE_UNDEFINED_VALUE, NULL, interp_run_where(run),
                      "a branch, a mask or an address depends on a value that is not defined",
                      source_words(t, source), undefined_help);
            return false;
        }
        break;
    case INTERP_UB:
        add_fault(t, JUDGE_STAGE_BOUNDS, JUDGE_OUT_OF_BOUNDS, NULL, interp_run_where(run), why,
                  NULL, NULL);
        return false;
    case INTERP_LIMIT:
    case INTERP_UNSUPPORTED:
        break;
    }
    for (int stage = JUDGE_STAGE_WRITTEN; stage <= JUDGE_STAGE_SCHEDULES; stage++)
        judge_leave_open(t->j, (judge_stage)stage, why);
    return false;
}

static void take_races(const trial *t, const interp_run *run)
{
    interp_race race;
    bool order_matters;
    uint64_t checks = MOST_CHECKS;
    if (interp_find_races_within(run, false, &race, 1, &order_matters, &checks) == 0)
        return;
    const ir_op *ops[2] = {interp_op_of(run, race.a.instance), interp_op_of(run, race.b.instance)};
    const interp_event *events[2] = {&race.a, &race.b};
    const rule_info *rule = rule_info_of(run_race_rule(run, &race));
    tr_text shown = {0};
    for (int i = 0; i < 2; i++) {
        tr_text_addf(&shown, "%s%s %s %s", i ? "\n" : "", block_words(t, run, events[i]->block),
                     interp_verb_of(ops[i]),
                     element_words(t, events[i]->buffer, events[i]->address));
        if (ops[i]->place && ops[i]->place->line)
            tr_text_addf(&shown, " in line %u", ops[i]->place->line);
    }
    add_fault(t, judge_stage_of_rule(rule->id), JUDGE_RACE, rule->code, ops[0], rule->summary,
              tr_text_get(&shown), rule->help);
    tr_text_free(&shown);
}

/* ---- Section: What it leaves ---- */

static void take_undefined(const trial *t, const interp_run *run)
{
    const interp_unknown_store *stores;
    size_t n = interp_unknown_stores(run, &stores);
    for (size_t i = 0; i < n; i++) {
        if (!stores[i].source || !interp_stays_unknown(run, &stores[i]))
            continue;
        add_fault(t, JUDGE_STAGE_DEFINED, JUDGE_UNDEFINED_VALUE, NULL, stores[i].op,
                  tr_arena_printf(t->j->s->arena, "%s stores a value that is not defined to %s",
                                  block_words(t, run, stores[i].block),
                                  element_words(t, stores[i].buffer, stores[i].address)),
                  source_words(t, interp_undefined_at(run, stores[i].source)), undefined_help);
        return;
    }
}

/* Returns which elements of a buffer the run stores. */
static bool *stored_elements(const trial *t, const interp_run *run, size_t buffer)
{
    const gpu_buffer *b = &t->plan->buffers[buffer];
    int64_t width = plan_element_bytes(b->element), n = (int64_t)b->bytes / width;
    bool *stored = TR_NEW_ARRAY(t->k->input->arena, bool, (size_t)n + 1);
    for (size_t i = 0, rows = interp_rows(run); i < rows; i++) {
        interp_row row = interp_row_at(run, i);
        if (row.buffer != (int32_t)buffer ||
            !(ir_op_info_of(row.op->code)->effects & (IR_WRITES | IR_ATOMIC)))
            continue;
        for (int64_t at = row.address / width; at * width < row.address + row.bytes && at < n; at++)
            if (at >= 0)
                stored[at] = true;
    }
    return stored;
}

/* Every element that has a value in the reference, where there is one, else every one. */
static void take_unwritten(const trial *t, const interp_run *run, size_t buffer)
{
    const gpu_buffer *b = &t->plan->buffers[buffer];
    uint64_t n = b->bytes / (uint64_t)plan_element_bytes(b->element), missing = 0, first = 0;
    const bool *stored = stored_elements(t, run, buffer);
    for (uint64_t i = n; i-- > 0;)
        if (!stored[i] && (!b->expected_known || b->expected_known[i])) {
            missing++;
            first = i;
        }
    if (missing == n) /* what is proved of stores, there is none of */
        t->j->into->stores_nothing = true;
    if (missing)
        add_fault(t, JUDGE_STAGE_WRITTEN, JUDGE_INCOMPLETE, rule_info_of(RULE_UNCOVERED)->code,
                  NULL,
                  tr_arena_printf(t->j->s->arena,
                                  "%llu of %llu elements of '%s' are stored by no tile block",
                                  (unsigned long long)missing, (unsigned long long)n, b->name),
                  tr_arena_printf(t->j->s->arena, "the first of them is %s[%llu]", b->name,
                                  (unsigned long long)first),
                  "Launch as many tile blocks as the output has tiles, or correct the index of the "
                  "store.");
}

/* Like take_unwritten(), for a run that is undefined on its way: how much of an output is missing
 * says little then, but that there is nothing at all says that the kernel stores nothing. */
static void take_idleness(const trial *t, const interp_run *run)
{
    for (size_t i = 0; i < t->plan->n_buffers && interp_run_status(run) == INTERP_DONE; i++) {
        const gpu_buffer *b = &t->plan->buffers[i];
        uint64_t n = b->bytes / (uint64_t)plan_element_bytes(b->element), at = 0;
        if (!t->is_output[i] || b->fill != GPU_FILL_UNDEFINED)
            continue;
        const bool *stored = stored_elements(t, run, i);
        while (at < n && !stored[at])
            at++;
        if (at == n)
            t->j->into->stores_nothing = true;
    }
}

static const char *mismatches(const trial *t, const gpu_buffer *b, const gpu_output *o)
{
    tr_text shown = {0};
    for (size_t i = 0; i < o->n_listed; i++)
        tr_text_addf(&shown, "%s%s[%llu] is %.9g, the reference has %.9g", i ? "\n" : "", b->name,
                     (unsigned long long)o->listed[i].at, o->listed[i].got, o->listed[i].want);
    const char *kept = tr_arena_strdup(t->j->s->arena, tr_text_get(&shown));
    tr_text_free(&shown);
    return kept;
}

/* Elements without a value agree with nothing. Where no fault explains them, the interpreter alone
 * does not know them. */
static void take_lack(const trial *t)
{
    judge_result *stages = t->j->into->stages;
    if (stages[JUDGE_STAGE_WRITTEN].state == JUDGE_FAILED ||
        stages[JUDGE_STAGE_DEFINED].state == JUDGE_FAILED)
        stages[JUDGE_STAGE_AGREES].state = JUDGE_FAILED;
    else
        judge_leave_open(t->j, JUDGE_STAGE_AGREES,
                         "the interpreter does not know all values of the outputs");
}

/* Compares a buffer after the run with the result of the reference. Elements that one of them
 * leaves unknown are not compared; take_lack() deals with those that only the run leaves unknown.
 */
static void compare_with_reference(const trial *t, const interp_run *run, size_t buffer)
{
    const gpu_buffer *b = &t->plan->buffers[buffer];
    tr_arena *arena = t->k->input->arena;
    uint64_t n = b->bytes / (uint64_t)plan_element_bytes(b->element);
    unsigned char *bytes = tr_arena_alloc(arena, b->bytes);
    bool *known = TR_NEW_ARRAY(arena, bool, n + 1);
    unsigned char *compared = tr_arena_alloc(arena, n + 1);
    run_read_buffer(run, buffer, b, bytes, known);
    bool lacks = false;
    for (uint64_t i = 0; i < n; i++) {
        compared[i] = known[i] && (!b->expected_known || b->expected_known[i]);
        lacks |= !known[i] && (!b->expected_known || b->expected_known[i]);
    }
    if (lacks)
        take_lack(t);
    gpu_buffer with = *b;
    with.expected_known = compared;
    gpu_output o = {.elements = n, .contents = bytes, .heat = TR_NEW_ARRAY(arena, uint16_t, n + 1)};
    plan_summarise(&with, &o);
    if (o.agreement == GPU_DIFFERENT)
        add_fault(t, JUDGE_STAGE_AGREES, JUDGE_WRONG_RESULT, NULL, NULL,
                  tr_arena_printf(t->j->s->arena,
                                  "%llu of %llu elements of '%s' are not as the reference has them",
                                  (unsigned long long)o.wrong, (unsigned long long)o.compared,
                                  b->name),
                  mismatches(t, b, &o), NULL);
}

/* ---- Section: Other orders ---- */

/* Compares orders of blocks, for a kernel without a race whose blocks synchronise: the order may
 * decide the result. */
static void compare_orders(const trial *t, const interp_run *first)
{
    tr_arena *arena = t->k->input->arena;
    size_t buffer = 0;
    uint64_t at = 0;
    bool same = true;
    for (unsigned i = 1; i <= MOST_SCHEDULES && same; i++) {
        interp_run *other =
            run_in_turns(t->j->s, t->k->kernel->function, &t->launch, t->j->context->seed, i);
        same = interp_run_status(other) != INTERP_DONE ||
               judge_ends_alike(t->plan, arena, first, other, &buffer, &at);
        interp_run_free(other);
    }
    if (same)
        return;
    arena = t->j->s->arena; /* texts outlive the input */
    const char *name = t->plan->buffers[buffer].name;
    add_fault(t, JUDGE_STAGE_SCHEDULES, JUDGE_NONDETERMINISTIC, NULL, NULL,
              tr_arena_printf(arena, "two orders of the tile blocks leave different values in '%s'",
                              name),
              tr_arena_printf(arena, "the first element that differs is %s[%llu]", name,
                              (unsigned long long)at),
              "Let no result depend on which tile block is first: take partial results in a fixed "
              "order.");
}

/* ---- Section: One launch ---- */

/* Does the launch break what the verdict asks for, and the checker reports no error of? Such a
 * launch is outside of what is judged. */
static bool is_outside(const trial *t, const interp_run *run)
{
    const run_broken *broken;
    const char *undecided = NULL;
    size_t n = run_broken_preconditions(t->target, t->target->launch, run, &broken, &undecided);
    bool outside = undecided != NULL;
    for (size_t i = 0; i < n; i++)
        outside = outside || !broken[i].reported;
    return outside;
}

/* Does the kernel do what is undefined with the smallest grid, too? So no choice of a grid that
 * nobody states keeps it from that. */
static bool is_undefined_with_any_grid(const trial *t)
{
    const ir_function *kernel = t->k->kernel->function;
    concrete_launch smallest = t->launch;
    const interp_ub *ubs;
    for (int axis = 0; axis < 3; axis++)
        if (!t->k->kernel->contract->grid[axis])
            smallest.grid[axis] = 1;
    interp_run *run = run_in_turns(t->j->s, kernel, &smallest, t->j->context->seed, 0);
    bool is_undefined = interp_ubs(run, &ubs) > 0;
    interp_run_free(run);
    return is_undefined;
}

/* A launch that the verdict excludes is the candidate's fault all the same where the reference does
 * nothing undefined: a candidate may not narrow what it is for. */
static void take_excluded(const trial *t, const interp_run *run)
{
    if (t->reference_is_defined && is_undefined_with_any_grid(t)) {
        take_undefined_behaviour(t, run);
        take_idleness(t, run);
    }
}

static void take_results(const trial *t, const interp_run *run)
{
    take_undefined(t, run);
    for (size_t i = 0; i < t->plan->n_buffers; i++) {
        if (t->is_output[i] && t->plan->buffers[i].fill == GPU_FILL_UNDEFINED)
            take_unwritten(t, run, i);
        if (t->plan->buffers[i].expected)
            compare_with_reference(t, run, i);
    }
    if (run_synchronises(t->k->kernel->function))
        compare_orders(t, run);
}

/* Counts the stages that the launch can say something about; `reached`: and did. */
static void count(const trial *t, bool reached)
{
    judge_result *stages = t->j->into->stages;
    bool writes = false, compares = false;
    for (size_t i = 0; i < t->plan->n_buffers; i++) {
        writes |= t->is_output[i];
        compares |= t->plan->buffers[i].expected != NULL;
    }
    const bool says[JUDGE_STAGE_COUNT] = {[JUDGE_STAGE_WRITTEN] = writes,
                                          [JUDGE_STAGE_DEFINED] = true,
                                          [JUDGE_STAGE_AGREES] = compares,
                                          [JUDGE_STAGE_SCHEDULES] = true};
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        *(reached ? &stages[i].n_reached : &stages[i].n_tried) += says[i];
}

static void judge_trial(trial *t)
{
    session *s = t->j->s;
    interp_run *run = run_in_turns(s, t->k->kernel->function, &t->launch, t->j->context->seed, 0);
    bool outside = is_outside(t, run);
    if (outside && t->kind != TRIAL_STATED) {
        take_excluded(t, run);
    } else if (t->kind != TRIAL_EXCLUDED) {
        count(t, false);
        bool is_undefined = take_undefined_behaviour(t, run);
        if (outside || t->k->report->verdict == VERDICT_UNKNOWN)
            take_races(t, run);
        if (take_status(t, run) && !is_undefined) {
            count(t, true);
            take_results(t, run);
        } else if (is_undefined) {
            take_idleness(t, run);
        }
    }
    interp_run_free(run);
}

/* ---- Section: All of them ---- */

/* A tolerance that nobody states is absolute for values below 1, which lets anything pass where all
 * of them are far below: there it is of the largest one. What cancels out leaves the rounding of
 * what it was computed from, so there is a least value. */
static void narrow_tolerance(gpu_buffer *b)
{
    static const double least = 1.0 / 256;
    size_t width = (size_t)plan_element_bytes(b->element);
    double largest = 0;
    if (!b->expected || !plan_element_is_float(b->element))
        return;
    for (uint64_t i = 0; i < b->bytes / width; i++) {
        double value = fabs(plan_element_value(b->element, b->expected + i * width));
        if (isfinite(value) && (!b->expected_known || b->expected_known[i]))
            largest = fmax(largest, value);
    }
    b->tolerance *= fmin(1, fmax(largest, least));
}

static bool expect_reference(trial *t, const char **why)
{
    size_t n = 0, *buffers = TR_NEW_ARRAY(t->k->input->arena, size_t, t->plan->n_buffers + 1);
    bool *is_open = TR_NEW_ARRAY(t->k->input->arena, bool, t->plan->n_buffers + 1);
    for (size_t i = 0; i < t->plan->n_buffers; i++)
        if (t->is_output[i]) {
            gpu_buffer *b = &t->plan->buffers[i];
            buffers[n++] = i;
            b->output = true;
            if (t->j->context->tolerance >= 0)
                b->tolerance = t->j->context->tolerance;
            is_open[i] = b->tolerance < 0;
        }
    if (n == 0 || !t->j->context->reference)
        return true;
    if (!run_expect_kernel(t->target, t->plan, t->j->context->reference, n, buffers,
                           &t->reference_is_defined, why))
        return false;
    for (size_t i = 0; i < n; i++)
        if (is_open[buffers[i]])
            narrow_tolerance(&t->plan->buffers[buffers[i]]);
    return true;
}

/* Floats that are all different make much of what is mixed up; but a softmax of them takes the
 * largest alone. So every other launch has small ones that lie close together. */
static void vary_fills(gpu_plan *plan, size_t number)
{
    for (size_t i = 0; i < plan->n_buffers && number % 2 == 1; i++)
        if (plan->buffers[i].fill == GPU_FILL_UNIQUE &&
            plan_element_is_float(plan->buffers[i].element))
            plan->buffers[i].fill = GPU_FILL_SMALL;
}

static bool try_launch(judging *j, const judged_kernel *k, const judge_outputs *outputs,
                       const concrete_launch *launch, trial_kind kind, size_t number,
                       const char **why)
{
    run_target target = judge_target(j, k, launch);
    trial t = {.j = j, .k = k, .kind = kind, .target = &target, .plan = run_plan(&target, why)};
    if (!t.plan)
        return false;
    t.is_output = judge_mark_outputs(t.plan, outputs, k->input->arena);
    if (kind != TRIAL_STATED) { /* which says itself what buffers hold */
        vary_fills(t.plan, number);
        judge_begin_undefined(t.plan, outputs);
    }
    if (!expect_reference(&t, why))
        return false;
    t.launch = run_filled_launch(&target, t.plan);
    t.words =
        tr_arena_strdup(j->s->arena, run_launch_words(k->input->arena, &target, launch, t.plan));
    judge_trial(&t);
    return true;
}

/* Without a reference, is it known what a launch has to write? Not if the grid is open, since
 * nobody chose it so that everything is written. Nor if the context states launches to try, whose
 * arrays it knows better. */
static bool knows_outputs(const judging *j, const judged_kernel *k)
{
    const loaded_kernel *stated = k->checked ? k->checked_kernel : k->kernel;
    if (j->context->reference)
        return true;
    for (int axis = 0; axis < 3; axis++)
        if (!stated->contract->grid[axis] && concrete_reads_axis(stated->function, axis))
            return false;
    return !j->context->trials;
}

/* A stage of which no launch says anything does not hold. */
static void leave_untried(judging *j, const judged_kernel *k)
{
    judge_result *stages = j->into->stages;
    bool tried = stages[JUDGE_STAGE_DEFINED].n_tried > 0;
    for (int i = JUDGE_STAGE_WRITTEN; i <= JUDGE_STAGE_SCHEDULES; i++) {
        if (stages[i].state != JUDGE_HELD || stages[i].n_tried > 0)
            continue;
        bool is_asked = !tried || j->context->reference ||
                        (i == JUDGE_STAGE_WRITTEN && j->context->n_outputs > 0);
        if (!is_asked) /* launches were tried, and none says what would have to come out */
            judge_not_asked(j, (judge_stage)i, "no launch has a reference or an output");
        else if (arrlenu(j->into->faults) > 0)
            stages[i].state = JUDGE_NOT_REACHED;
        else
            judge_leave_open(
                j, (judge_stage)i,
                tried && i == JUDGE_STAGE_WRITTEN && !knows_outputs(j, k)
                    ? "the context does not say how large the grid is"
                    : "every launch that was tried breaks a precondition of the verdict");
    }
}

static void try_all(judging *j, const judged_kernel *k, const judge_outputs *outputs,
                    trial_kind kind)
{
    samples all = judge_samples(j, k);
    const char *why = all.why;
    const judge_outputs *known = knows_outputs(j, k) ? outputs : &(judge_outputs){0};
    for (size_t i = 0; i < all.n; i++)
        if (!try_launch(j, k, known, all.launches[i], kind, i, &why))
            break;
    for (int stage = JUDGE_STAGE_WRITTEN; stage <= JUDGE_STAGE_SCHEDULES && why; stage++)
        if (kind != TRIAL_EXCLUDED)
            judge_leave_open(j, (judge_stage)stage, why);
    if (all.n && kind != TRIAL_EXCLUDED) /* the largest */
        judge_try_gpu(j, k, known, all.launches[all.n - 1]);
}

/* Launches that keep what the verdict asks for, where it asks for something; what the context's
 * launch says of contents and references stays. */
void judge_take_samples(judging *j, const judged_kernel *k, const judge_outputs *outputs)
{
    run_target target = {.s = j->s, .input = k->input, .kernel = k->kernel};
    loaded narrowed;
    if (k->report->n_requires == 0 ||
        !run_narrow(&target, driver_contract_as_required(k->input, k->kernel, k->report),
                    &narrowed)) {
        try_all(j, k, outputs, TRIAL_SAMPLE);
        leave_untried(j, k);
        return;
    }
    launch_file *required = narrowed.launches;
    narrowed.launches = k->input->launches;
    const judged_kernel within = {.input = &narrowed,
                                  .kernel = target.kernel,
                                  .report = k->report,
                                  .checked = k->input,
                                  .checked_kernel = k->kernel};
    try_all(j, &within, outputs, TRIAL_SAMPLE);
    if (j->context->reference)
        try_all(j, k, outputs, TRIAL_EXCLUDED);
    leave_untried(j, k);
    narrowed.launches = required;
    load_free(&narrowed);
}

void judge_take_trials(judging *j, const judged_kernel *k, const judge_outputs *outputs)
{
    session alone = *j->s;
    const char *why = NULL;
    loaded input;
    alone.launches = j->context->trials;
    alone.solver = NULL;
    load_input(&alone, k->input->file, 0, &input);
    if (tr_errors_count(&input.errors) > 0)
        why = input.errors.items[0].text;
    session *s = j->s;
    j->s = &alone;
    for (size_t i = 0; i < arrlenu(input.kernels) && !why; i++) {
        const judged_kernel own = {.input = &input,
                                   .kernel = &input.kernels[i],
                                   .report = k->report,
                                   .checked = k->input,
                                   .checked_kernel = k->kernel};
        run_target target = {.s = &alone, .input = &input, .kernel = own.kernel};
        if (strcmp(own.kernel->function->name, k->kernel->function->name) == 0 &&
            run_choose_launch(&target, true, &why) &&
            try_launch(j, &own, outputs, target.launch, TRIAL_STATED, 0, &why))
            judge_try_gpu(j, &own, &(judge_outputs){0}, target.launch);
    }
    j->s = s;
    for (int stage = JUDGE_STAGE_WRITTEN; stage <= JUDGE_STAGE_SCHEDULES && why; stage++)
        judge_leave_open(j, (judge_stage)stage, why);
    load_free(&input);
}
