/* A race as two schedules, side by side; or all schedules of a small launch, and no difference. */
#include "run/schedules.h"

#include "run/choose.h"
#include "run/contents.h"
#include "run/plan.h"
#include "run/races.h"
#include "run/report.h"
#include "run/target.h"
#include "run/witness.h"

#include <math.h>
#include <string.h>

#include "base/ds.h"
#include "interp/schedule.h"
#include "launch/fill.h"
#include "launch/overlap.h"
#include "launch/predecessor.h"
#include "launch/search.h"

#define SMALL_BLOCKS       6
#define SMALL_ELEMENTS     65536
#define SMALL_LAUNCHES     12
#define SHIFTS             2    /* ways to let arrays of one launch overlap */
#define NEAR_LAUNCHES      8    /* like the one of a witness */
#define MAX_RUNS           2000 /* of one exploration */
#define MAX_LISTED         8
#define MAX_WITNESS_BLOCKS 64
#define MAX_STEPS          40000000  /* of one run */
#define MAX_EVENTS         100000    /* of one run, by rows: who has more is not looked at */
#define MAX_WORK           400000000 /* of all: some seconds */

static interp_limits exploring_limits(void)
{
    return (interp_limits){.values = true, .steps = MAX_STEPS};
}

typedef struct showing {
    const run_target *t;
    run_report *report;
    ir_module *made_up; /* where a kernel that may still run before this one goes */
    interp_spent spent;
    const concrete_launch *launch; /* that is being run */
    const char *seen_by;
} showing;

/* Looks for races. If the kernel is reported to race anyway, races are known without these runs. */
static void look_for_races(void *user, const interp_run *run)
{
    showing *w = user;
    if (!w->t->races)
        run_collect_races(w->t, w->launch, run, w->seen_by, w->report);
}

/* ---- Words ---- */

static const char *words_of_step(tr_arena *arena, const interp_shown_step *step)
{
    const tr_place *place = step->op->place;
    tr_text text = {0};
    tr_text_add(&text, ir_op_info_of(step->op->code)->mnemonic);
    if (place && place->line)
        tr_text_addf(&text, ", line %u", place->line);
    for (uint32_t d = 0; d < step->n_loops; d++)
        tr_text_addf(&text, "%s%lld", d ? ", " : ", iteration ", (long long)step->iterations[d]);
    if (step->before)
        tr_text_add(&text, ", of the preceding kernel, which may still run");
    if (step->backwards)
        tr_text_add(&text, ", elements last first");
    const char *words = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return words;
}

static void coordinates_of(const concrete_launch *launch, uint32_t block, int64_t at[3])
{
    at[0] = block % launch->grid[0];
    at[1] = block / launch->grid[0] % launch->grid[1];
    at[2] = block / launch->grid[0] / launch->grid[1];
}

static const ir_type *element_of(const ir_function *kernel, const interp_arg *args, int buffer)
{
    const ir_block *body = kernel->body;
    for (uint32_t i = 0; i < body->n_args; i++)
        if (args[i].buffer == buffer && body->args[i]->type->elem->kind == IR_POINTER)
            return body->args[i]->type->elem->elem;
    return NULL;
}

static const ir_type *element_type(const run_target *t, const concrete_launch *launch, int buffer)
{
    const ir_type *type = element_of(t->kernel->function, launch->args, buffer);
    const interp_before *before = launch->before;
    return type || !before ? type : element_of(before->kernel, before->args, buffer);
}

static const char *words_of_element(const run_target *t, const concrete_launch *launch,
                                    const interp_differing *e)
{
    const ir_type *type = element_type(t, launch, e->buffer);
    const char *name =
        (size_t)e->buffer < launch->n_buffers ? launch->buffers[e->buffer].name : "a module global";
    tr_text text = {0};
    tr_text_addf(&text, "%s[%lld]:", name, (long long)(e->address / (e->width ? e->width : 1)));
    for (int i = 0; i < 2; i++) {
        tr_text_add(&text, i ? " or " : " ");
        if (e->open[i])
            tr_text_add(&text, "anything");
        else if (type && ir_type_is_float(type) && ir_type_bytes(type) == e->width)
            tr_text_addf(&text, "%.9g", ir_float_value(type, e->values[i]));
        else
            tr_text_addf(&text, "%llu", (unsigned long long)e->values[i]);
    }
    const char *words = tr_arena_strdup(t->s->arena, tr_text_get(&text));
    tr_text_free(&text);
    return words;
}

/* No more apart than sums of floats in another order are. */
static bool nearly_equal(const run_target *t, const concrete_launch *launch,
                         const interp_differing *e)
{
    const ir_type *type = element_type(t, launch, e->buffer);
    if (!type || !ir_type_is_float(type) || ir_type_bytes(type) != e->width || e->open[0] ||
        e->open[1])
        return false;
    double a = ir_float_value(type, e->values[0]), b = ir_float_value(type, e->values[1]);
    return fabs(a - b) <= 1e-4 * (1 + fabs(a) + fabs(b));
}

/* ---- Into the report ---- */

static void take_difference(const run_target *t, const concrete_launch *launch, bool two,
                            const interp_difference *d, run_report *report)
{
    tr_arena *arena = t->s->arena;
    const char *words = run_launch_words(arena, t, launch, NULL);
    run_difference *shown = TR_NEW(arena, run_difference);
    *shown =
        (run_difference){.launch = two ? tr_arena_printf(arena, "two blocks of %s", words) : words,
                         .adjacent = d->adjacent,
                         .at = d->at,
                         .n_elements = d->n_elements};
    memcpy(shown->grid, launch->grid, sizeof shown->grid);
    for (int i = 0; i < 2; i++) {
        machine_step *steps = TR_NEW_ARRAY(arena, machine_step, d->n_steps[i] + 1);
        for (size_t k = 0; k < d->n_steps[i]; k++) {
            const interp_shown_step *from = &d->steps[i][k];
            coordinates_of(launch, from->block, steps[k].block);
            steps[k].what = words_of_step(arena, from);
            steps[k].line = from->op->place ? from->op->place->line : 0;
            steps[k].matters = from->matters;
        }
        shown->n_steps[i] = d->n_steps[i];
        shown->steps[i] = steps;
    }
    shown->rounds = true;
    for (size_t i = 0; i < d->n_listed; i++)
        shown->rounds &= nearly_equal(t, launch, &d->elements[i]);
    shown->n_listed = d->n_listed < MAX_LISTED ? d->n_listed : MAX_LISTED;
    shown->elements = TR_NEW_ARRAY(arena, const char *, shown->n_listed + 1);
    for (size_t i = 0; i < shown->n_listed; i++)
        shown->elements[i] = words_of_element(t, launch, &d->elements[i]);
    report->difference = shown;
}

typedef struct word { /* eight bytes of memory */
    uint64_t bits;
    uint8_t known; /* a bit a byte; others are 0 in `bits` */
} word;

/* Contents after each schedule of the launch: are they all what the first one left? */
typedef struct agreement {
    showing *w;
    const concrete_launch *launch;
    word *first; /* stb_ds array: all buffers */
    bool any, differs;
} agreement;

static word word_at(const interp_run *run, int buffer, int64_t address, int64_t end)
{
    word w = {.known = 0xFF};
    if (end - address >= 8 && interp_read_back(run, buffer, address, 8, &w.bits))
        return w;
    w = (word){0};
    for (int i = 0; i < 8 && address + i < end; i++) {
        uint64_t byte;
        if (!interp_read_back(run, buffer, address + i, 1, &byte))
            continue;
        w.bits |= byte << (8 * i);
        w.known |= (uint8_t)(1 << i);
    }
    return w;
}

static bool compare_run(void *user, const interp_run *run)
{
    agreement *a = user;
    size_t at = 0;
    look_for_races(a->w, run);
    for (size_t i = 0; i < a->launch->n_buffers && !a->differs; i++) {
        int64_t end = a->launch->buffers[i].bytes;
        for (int64_t address = 0; address < end; address += 8, at++) {
            word now = word_at(run, (int)i, address, end);
            if (!a->any)
                arrput(a->first, now);
            else
                a->differs |= a->first[at].bits != now.bits || a->first[at].known != now.known;
        }
    }
    a->any = true;
    return !a->differs;
}

static bool is_bounded(const concrete_launch *launch)
{
    for (size_t i = 0; i < launch->n_buffers; i++)
        if (launch->buffers[i].unbounded)
            return false;
    return true;
}

static const concrete_launch *prepare(const showing *w, const concrete_launch *launch)
{
    const loaded_kernel *k = w->t->kernel;
    tr_arena *arena = w->t->input->arena;
    launch = concrete_with_predecessor(arena, w->made_up, k->function, k->contract, launch);
    return concrete_fill(arena, k->function, launch, w->t->s->options->seed);
}

/* ---- Looking ---- */

/* `two`: these blocks alone; NULL: all. */
static bool show(showing *w, const concrete_launch *launch, const uint32_t *two, interp_aim aim)
{
    const run_target *t = w->t;
    if (w->spent.work >= MAX_WORK)
        return false;
    launch = prepare(w, launch);
    w->launch = launch;
    w->seen_by = "happens-before of a schedule of a small launch";
    aim.visit = look_for_races;
    aim.user = w;
    aim.seed = t->s->options->seed;
    aim.max_work = MAX_WORK - w->spent.work;
    aim.spent = &w->spent;
    interp_limits limits = exploring_limits();
    const interp_difference *d =
        interp_find_difference(t->input->arena, t->kernel->function, launch, &t->s->rules.model,
                               &limits, two ? 2 : 0, two, &aim);
    if (d)
        take_difference(t, launch, two != NULL, d, w->report);
    return d != NULL;
}

static bool is_small(const concrete_launch *launch)
{
    return concrete_launch_blocks(launch) <= MAX_WITNESS_BLOCKS;
}

static size_t launches_of(const showing *w, const interp_search *search, concrete_launch ***found)
{
    const run_target *t = w->t;
    return concrete_enumerate_launches(t->input->arena, t->input->ctx, t->kernel->function,
                                       t->kernel->contract, search, found);
}

/* First the launches of all witnesses, then launches like them: the smallest one that races may
 * have too little in it for two results. */
static bool show_witnesses(showing *w, size_t n_witnesses, const run_witness *witnesses)
{
    for (size_t i = 0; i < n_witnesses; i++) {
        const run_witness *from = &witnesses[i];
        interp_aim aim = {.first = from->ops[0],
                          .second = from->ops[1],
                          .first_block = from->blocks[0],
                          .second_block = from->blocks[1]};
        w->report->replayed = from->words;
        bool small = is_small(from->launch), pair = from->blocks[0] != from->blocks[1];
        if ((small || pair) && show(w, from->launch, small ? NULL : from->blocks, aim))
            return true;
    }
    for (size_t i = 0; i < n_witnesses; i++) {
        const run_witness *from = &witnesses[i];
        interp_search search = {.wanted = NEAR_LAUNCHES,
                                .max_blocks = MAX_WITNESS_BLOCKS,
                                .max_elements = SMALL_ELEMENTS,
                                .seed = w->t->s->options->seed,
                                .near = from->launch};
        interp_aim aim = {.first = from->ops[0],
                          .second = from->ops[1],
                          .first_block = INTERP_ANY_BLOCK,
                          .second_block = INTERP_ANY_BLOCK};
        concrete_launch **found = NULL;
        size_t n = is_small(from->launch) ? launches_of(w, &search, &found) : 0;
        w->report->replayed = from->words;
        for (size_t k = 0; k < n; k++)
            if (show(w, found[k], NULL, aim))
                return true;
    }
    w->report->replayed = NULL;
    return false;
}

/* Does the launch end within few steps? If sizes stand in memory that nobody describes, even a
 * small launch may loop for ever. */
static bool ends_soon(const run_target *t, const concrete_launch *launch)
{
    return run_ends_within(t, launch,
                           &(interp_limits){.steps = MAX_STEPS / 8, .events = MAX_EVENTS});
}

/* Small launches of all kinds. Gives the first of several blocks. */
static const concrete_launch *show_any(showing *w)
{
    const run_target *t = w->t;
    interp_search search = {.wanted = SMALL_LAUNCHES,
                            .max_blocks = SMALL_BLOCKS,
                            .max_elements = SMALL_ELEMENTS,
                            .seed = t->s->options->seed};
    interp_aim any = {.first_block = INTERP_ANY_BLOCK, .second_block = INTERP_ANY_BLOCK};
    concrete_launch **found = NULL;
    const concrete_launch *smallest = NULL;
    size_t n = launches_of(w, &search, &found);
    for (size_t i = 0; i < n && !w->report->difference; i++) {
        if (ends_soon(t, found[i]) && !show(w, found[i], NULL, any) &&
            concrete_launch_blocks(found[i]) > 1 && !smallest)
            smallest = found[i];
        for (uint64_t k = 0; k < SHIFTS && !w->report->difference; k++) {
            const concrete_launch *moved =
                concrete_overlap(t->input->arena, t->input->ctx, t->kernel->function,
                                 t->kernel->contract, found[i], i * SHIFTS + k);
            if (moved)
                show(w, moved, NULL, any);
        }
    }
    return smallest;
}

static void explore(showing *w, const concrete_launch *launch)
{
    const run_target *t = w->t;
    uint64_t each = w->spent.runs ? w->spent.work / w->spent.runs + 1 : 1;
    uint64_t most = MAX_WORK / each < MAX_RUNS ? MAX_WORK / each + 1 : MAX_RUNS;
    agreement a = {.w = w, .launch = launch = prepare(w, launch)};
    w->launch = launch;
    w->seen_by = "happens-before of a schedule of a small launch";
    interp_limits limits = exploring_limits();
    interp_exploration seen = interp_explore(t->kernel->function, launch, &t->s->rules.model,
                                             &limits, 0, NULL, most, compare_run, &a);
    arrfree(a.first);
    w->spent.runs += seen.runs;
    if (a.differs)
        show(w, launch, NULL,
             (interp_aim){.first_block = INTERP_ANY_BLOCK,
                          .second_block = INTERP_ANY_BLOCK,
                          .max_runs = MAX_RUNS});
    if (seen.complete && !a.differs && is_bounded(launch) && !w->report->nondeterministic) {
        w->report->exhaustive = true;
        w->report->explored_launch = run_launch_words(t->s->arena, t, launch, NULL);
    }
}

void run_show_schedules(const run_target *t, size_t n_witnesses, const run_witness *witnesses,
                        run_report *report)
{
    showing w = {.t = t, .report = report, .made_up = ir_module_new("before")};
    const concrete_launch *smallest = NULL;
    if (!show_witnesses(&w, n_witnesses, witnesses))
        smallest = show_any(&w);
    if (n_witnesses && is_small(witnesses[0].launch))
        smallest = witnesses[0].launch;
    if (!report->difference && smallest)
        explore(&w, smallest);
    report->explored += w.spent.runs;
    ir_module_free(w.made_up);
}
