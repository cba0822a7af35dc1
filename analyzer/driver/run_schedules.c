/* A race as two schedules, side by side; or all schedules of a small launch, and no difference. */
#include "driver/run_report.h"

#include <string.h>

#include "base/ds.h"
#include "interp/schedule.h"

#define SMALL_BLOCKS       6
#define SMALL_ELEMENTS     65536
#define SMALL_LAUNCHES     12
#define MAX_RUNS           2000 /* of one exploration */
#define MAX_LISTED         8
#define MAX_WITNESS_BLOCKS 64

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
    const char *words = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return words;
}

static void coordinates_of(const interp_launch *launch, uint32_t block, int64_t at[3])
{
    at[0] = block % launch->grid[0];
    at[1] = block / launch->grid[0] % launch->grid[1];
    at[2] = block / launch->grid[0] / launch->grid[1];
}

static const ir_type *element_type(const run_target *t, const interp_launch *launch, int buffer)
{
    const ir_block *body = t->kernel->function->body;
    for (uint32_t i = 0; i < body->n_args; i++)
        if (launch->args[i].buffer == buffer && body->args[i]->type->elem->kind == IR_POINTER)
            return body->args[i]->type->elem->elem;
    return NULL;
}

static const char *words_of_element(const run_target *t, const interp_launch *launch,
                                    const interp_differing *e)
{
    const ir_type *type = element_type(t, launch, e->buffer);
    const char *name =
        (size_t)e->buffer < launch->n_buffers ? launch->buffers[e->buffer].name : "a module global";
    tr_text text = {0};
    tr_text_addf(&text, "%s[%lld]:", name, (long long)(e->address / (e->width ? e->width : 1)));
    for (int i = 0; i < 2; i++) {
        tr_text_add(&text, i ? " or " : " ");
        if (type && ir_type_is_float(type) && ir_type_bytes(type) == e->width)
            tr_text_addf(&text, "%.9g", ir_float_value(type, e->values[i]));
        else
            tr_text_addf(&text, "%llu", (unsigned long long)e->values[i]);
    }
    const char *words = tr_arena_strdup(t->s->arena, tr_text_get(&text));
    tr_text_free(&text);
    return words;
}

/* ---- Into the report ---- */

static void take_difference(const run_target *t, const interp_launch *launch,
                            const interp_difference *d, run_report *report)
{
    tr_arena *arena = t->s->arena;
    run_difference *shown = TR_NEW(arena, run_difference);
    *shown = (run_difference){.launch = run_launch_words(t->s->arena, t, launch, NULL),
                              .adjacent = d->adjacent,
                              .at = d->at,
                              .n_elements = d->n_elements};
    memcpy(shown->grid, launch->grid, sizeof shown->grid);
    for (int i = 0; i < 2; i++) {
        run_step *steps = TR_NEW_ARRAY(arena, run_step, d->n_steps[i] + 1);
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
    shown->n_listed = d->n_listed < MAX_LISTED ? d->n_listed : MAX_LISTED;
    shown->elements = TR_NEW_ARRAY(arena, const char *, shown->n_listed + 1);
    for (size_t i = 0; i < shown->n_listed; i++)
        shown->elements[i] = words_of_element(t, launch, &d->elements[i]);
    report->difference = shown;
}

/* Contents after each schedule of the launch: are they all what the first one left? */
typedef struct agreement {
    const interp_launch *launch;
    unsigned char *first; /* stb_ds array: the bytes of all buffers */
    bool any, differs;
} agreement;

static bool compare_run(void *user, const interp_run *run)
{
    agreement *a = user;
    size_t at = 0;
    for (size_t i = 0; i < a->launch->n_buffers; i++)
        for (int64_t address = 0; address < a->launch->buffers[i].bytes; address++, at++) {
            uint64_t bits = 0;
            unsigned char byte =
                interp_read_back(run, (int)i, address, 1, &bits) ? (unsigned char)bits : 0;
            if (!a->any)
                arrput(a->first, byte);
            else
                a->differs |= a->first[at] != byte;
        }
    a->any = true;
    return !a->differs;
}

static bool is_bounded(const interp_launch *launch)
{
    for (size_t i = 0; i < launch->n_buffers; i++)
        if (launch->buffers[i].unbounded)
            return false;
    return true;
}

static void explore(const run_target *t, const interp_launch *launch, run_report *report)
{
    agreement a = {.launch = launch};
    interp_exploration seen = interp_explore(t->kernel->function, launch, &t->s->rules.model, NULL,
                                             0, NULL, MAX_RUNS, compare_run, &a);
    arrfree(a.first);
    report->explored += seen.runs;
    if (seen.complete && !a.differs && is_bounded(launch)) {
        report->exhaustive = true;
        report->explored_launch = run_launch_words(t->s->arena, t, launch, NULL);
    }
}

static bool show(const run_target *t, const interp_launch *launch, const interp_aim *aim,
                 run_report *report)
{
    tr_arena *arena = t->input->arena;
    launch = interp_fill_launch(arena, t->kernel->function, launch, t->s->options->seed);
    const interp_difference *d = interp_find_difference(
        arena, t->kernel->function, launch, &t->s->rules.model, &run_with_values, 0, NULL, aim);
    if (!d)
        return false;
    report->explored += d->runs;
    take_difference(t, launch, d, report);
    return true;
}

static bool is_small(const interp_launch *launch)
{
    return launch->grid[0] * launch->grid[1] * launch->grid[2] <= MAX_WITNESS_BLOCKS;
}

void run_show_schedules(const run_target *t, size_t n_witnesses, const run_witness *witnesses,
                        run_report *report)
{
    tr_arena *arena = t->input->arena;
    uint64_t seed = t->s->options->seed;
    for (size_t i = 0; i < n_witnesses && !report->difference; i++) {
        const run_witness *w = &witnesses[i];
        interp_aim aim = {w->ops[0], w->ops[1], w->blocks[0], w->blocks[1], seed, 0};
        if (is_small(w->launch) && show(t, w->launch, &aim, report))
            report->replayed = w->words;
    }
    interp_search search = {.wanted = SMALL_LAUNCHES,
                            .max_blocks = SMALL_BLOCKS,
                            .max_elements = SMALL_ELEMENTS,
                            .seed = seed};
    interp_launch **found = NULL;
    size_t n = report->difference || n_witnesses
                   ? 0
                   : interp_enumerate_launches(arena, t->input->ctx, t->kernel->function,
                                               t->kernel->contract, &search, &found);
    interp_aim any = {
        .first_block = INTERP_ANY_BLOCK, .second_block = INTERP_ANY_BLOCK, .seed = seed};
    const interp_launch *smallest =
        n_witnesses && is_small(witnesses[0].launch) ? witnesses[0].launch : NULL;
    for (size_t i = 0; i < n && !report->difference; i++) {
        int64_t blocks = found[i]->grid[0] * found[i]->grid[1] * found[i]->grid[2];
        if (!show(t, found[i], &any, report) && blocks > 1 && !smallest)
            smallest = found[i];
    }
    if (!report->difference && smallest)
        explore(t, interp_fill_launch(arena, t->kernel->function, smallest, seed), report);
}
