/* Chooses the launch that a picture shows: the witness's, else a small one that meets all that is
 * asked. */
#include "checking/picture_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "launch/from_contract.h"
#include "launch/search.h"

enum {
    WANTED = 24,
    MOST_BLOCKS = 64,
    MOST_ELEMENTS = 1 << 16,
    GROWN_BYTES = 4 << 20,
    TRIAL_STEPS = 4 * 1000 * 1000,
    MOST_DOUBLED = 9,
    GOOD_EXTENT = 6, /* of an axis: more blocks show no more */
};

static const char *name_of(const contract *c, size_t i)
{
    return c->args[i].name ? c->args[i].name : "";
}

/* ---- The launch of a witness ---- */

static const finding *first_witness(const kernel_report *report)
{
    const finding *found = NULL;
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (!f->witness || f->confidence != CONFIDENCE_CONFIRMED)
            continue;
        if (rule_is_race(f->rule) && f->witness->n_events == 2)
            return f;
        found = found ? found : f;
    }
    return found;
}

/* Makes the launch that a witness describes. NULL with *why: it cannot be made. */
static const concrete_launch *launch_of_witness(const picture_task *t, const witness *from,
                                                const char **why)
{
    tr_arena *arena = t->input->arena;
    const contract *c = t->kernel->contract;
    int64_t *scalars = TR_NEW_ARRAY(arena, int64_t, c->n_args + 1);
    int64_t *offsets = TR_NEW_ARRAY(arena, int64_t, c->n_args + 1);
    for (size_t i = 0; i < c->n_args; i++) {
        const char *offset = tr_arena_printf(arena, "offset of %s", name_of(c, i));
        for (size_t k = 0; k < from->n_params; k++)
            if (strcmp(from->params[k].name, name_of(c, i)) == 0)
                scalars[i] = from->params[k].value;
            else if (strcmp(from->params[k].name, offset) == 0)
                offsets[i] = from->params[k].value;
    }
    interp_contents *contents = TR_NEW_ARRAY(arena, interp_contents, from->n_contents + 1);
    for (size_t i = 0; i < from->n_contents; i++) {
        interp_cell *cells = TR_NEW_ARRAY(arena, interp_cell, from->contents[i].count + 1);
        for (size_t k = 0; k < from->contents[i].count; k++)
            cells[k] = (interp_cell){(int64_t)k, from->contents[i].values[k]};
        contents[i] = (interp_contents){from->contents[i].buffer, from->contents[i].count, cells};
    }
    const interp_filling filling = {.seed = 1,
                                    .offsets = offsets,
                                    .n_contents = from->n_contents,
                                    .contents = contents,
                                    .near_zero = true};
    return concrete_launch_from(arena, t->input->ctx, t->kernel->function, c, from->grid, scalars,
                                &filling, why);
}

/* ---- A run ---- */

/* Floats that nobody knows are 0 then, and what hardware may round freely has a value. */
static concrete_launch with_zeros(const picture_task *t, const concrete_launch *l)
{
    concrete_launch with = *l;
    tr_arena *arena = t->input->arena;
    with.buffers = tr_arena_copy(arena, l->buffers, l->n_buffers * sizeof *l->buffers);
    with.args = tr_arena_copy(arena, l->args, l->n_args * sizeof *l->args);
    for (size_t i = 0; i < l->n_buffers; i++)
        with.buffers[i].opaque = false;
    for (size_t i = 0; i < l->n_args; i++)
        with.args[i].exact = true;
    return with;
}

static interp_run *run_within(const picture_task *t, const concrete_launch *l, uint64_t steps)
{
    const interp_limits limits = {
        .steps = steps, .events = PICTURE_EVENTS, .budget = &t->input->budget, .values = true};
    return interp_execute(t->kernel->function, l, &t->s->rules.model, &limits, NULL);
}

tr_give interp_run *picture_run(const picture_task *t, const concrete_launch *l, bool *limit,
                                const char **why)
{
    interp_run *run = run_within(t, l, PICTURE_STEPS);
    if (interp_run_status(run) == INTERP_UNDECIDED) {
        interp_run_free(run);
        const concrete_launch zeros = with_zeros(t, l);
        run = run_within(t, tr_arena_copy(t->input->arena, &zeros, sizeof zeros), PICTURE_STEPS);
    }
    interp_status status = interp_run_status(run);
    *limit = status == INTERP_LIMIT;
    if (status == INTERP_DONE)
        return run;
    *why = tr_arena_strdup(t->input->arena,
                           interp_run_why(run) ? interp_run_why(run) : "it did not end");
    interp_run_free(run);
    return NULL;
}

/* ---- A small launch ---- */

/* Adds what the verdict requires, as far as it is a fact over parameters and grid. */
static contract *with_requires(const picture_task *t)
{
    smt_t *facts = NULL;
    for (size_t i = 0; i < t->report->n_requires; i++) {
        const precondition *what = &t->report->requires_[i].what;
        if (what->term && !what->of_contents && !what->words)
            arrput(facts, what->term);
    }
    contract *c = contract_with_facts(t->input->ctx, t->kernel->contract, arrlenu(facts), facts);
    arrfree(facts);
    return c;
}

/* Tile blocks, as far as more of them on an axis show more. */
static int64_t shown_blocks(const concrete_launch *l)
{
    int64_t blocks = 1, axes = 0;
    for (int axis = 0; axis < 3; axis++)
        axes += l->grid[axis] > 1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t most = axes > 1 ? GOOD_EXTENT : GOOD_EXTENT * GOOD_EXTENT;
        blocks *= l->grid[axis] < most ? l->grid[axis] : most;
    }
    return blocks;
}

/* Many tile blocks on all axes that matter; of those the smaller buffers. */
static int64_t worth(const concrete_launch *l)
{
    const int64_t most = (int64_t)1 << 39;
    int64_t bytes = concrete_stated_bytes(l);
    return shown_blocks(l) * 2 * most - (bytes < most ? bytes : most);
}

static int best_first(const void *a, const void *b)
{
    int64_t x = worth(*(concrete_launch *const *)a), y = worth(*(concrete_launch *const *)b);
    return (x < y) - (x > y);
}

/* It ends, and nothing in it is undefined. */
static bool is_defined(const picture_task *t, const concrete_launch *l)
{
    interp_run *run = run_within(t, l, TRIAL_STEPS);
    const interp_ub *met;
    interp_status status = interp_run_status(run);
    bool good = (status == INTERP_DONE || status == INTERP_UNDECIDED) && interp_ubs(run, &met) == 0;
    interp_run_free(run);
    return good;
}

/* The launch with one number made larger, by the least power of two that gives more tile blocks to
 * look at; NULL: none does. */
static const concrete_launch *grow_one(const picture_task *t, const contract *c,
                                       const concrete_launch *l, size_t which)
{
    tr_arena *arena = t->input->arena;
    const interp_filling filling = {.seed = 1, .near_zero = true, .most_elements = GROWN_BYTES};
    int64_t *values = TR_NEW_ARRAY(arena, int64_t, l->n_args + 1), grid[3];
    const char *why;
    for (size_t i = 0; i < l->n_args; i++)
        values[i] = l->args[i].value;
    for (int doubled = 0; doubled < MOST_DOUBLED && values[which] <= INT32_MAX / 4; doubled++) {
        values[which] *= 2;
        memcpy(grid, l->grid, sizeof grid); /* of axes that nobody states */
        if (!concrete_launch_holds(t->input->ctx, c, values, grid))
            continue;
        concrete_launch probe = *l;
        memcpy(probe.grid, grid, sizeof grid);
        if (shown_blocks(&probe) <= shown_blocks(l))
            continue;
        if (concrete_launch_blocks(&probe) > MOST_BLOCKS)
            return NULL;
        const concrete_launch *more = concrete_launch_from(
            arena, t->input->ctx, t->kernel->function, c, grid, values, &filling, &why);
        return more && concrete_stated_bytes(more) <= GROWN_BYTES && is_defined(t, more) ? more
                                                                                         : NULL;
    }
    return NULL;
}

/* Larger in each number in turn, the smallest first, so that no dimension is left behind. */
static const concrete_launch *grow(const picture_task *t, const contract *c,
                                   const concrete_launch *l)
{
    for (bool grown = true; grown;) {
        grown = false;
        int64_t before = 0;
        for (size_t k = 0; k < l->n_args; k++) {
            size_t next = l->n_args;
            for (size_t i = 0; i < l->n_args; i++)
                if (c->args[i].kind == CONTRACT_SCALAR && l->args[i].value > before &&
                    (next == l->n_args || l->args[i].value < l->args[next].value))
                    next = i;
            if (next == l->n_args)
                break;
            const concrete_launch *more = grow_one(t, c, l, next);
            before = more ? more->args[next].value : l->args[next].value;
            grown |= more != NULL;
            l = more ? more : l;
        }
    }
    return l;
}

static const concrete_launch *search(const picture_task *t, const contract *c, const char **why)
{
    const interp_search wanted = {.wanted = WANTED,
                                  .max_blocks = MOST_BLOCKS,
                                  .max_elements = MOST_ELEMENTS,
                                  .near_zero = true,
                                  .seed = 1};
    concrete_launch **found = NULL;
    size_t n = concrete_enumerate_launches(t->input->arena, t->input->ctx, t->kernel->function, c,
                                           &wanted, &found);
    if (n == 0)
        *why = "no small launch was found that meets the contract and what the verdict requires";
    else
        *why = "in each small launch that was tried something is undefined, or it does not end";
    if (n > 0)
        qsort(found, n, sizeof *found, best_first);
    for (size_t i = 0; i < n; i++)
        if (is_defined(t, found[i]))
            return concrete_with_idle_ones(t->input->arena, t->kernel->function,
                                           t->kernel->contract, grow(t, c, found[i]));
    return NULL;
}

picture_launch picture_choose(const picture_task *t)
{
    picture_launch chosen = {.shown = first_witness(t->report)};
    if (t->report->is_empty) {
        chosen.why = "the launch has no tile blocks";
        return chosen;
    }
    if (chosen.shown) {
        chosen.launch = launch_of_witness(t, chosen.shown->witness, &chosen.why);
        return chosen;
    }
    contract *c = with_requires(t);
    chosen.launch = search(t, c, &chosen.why);
    contract_free(c);
    return chosen;
}
