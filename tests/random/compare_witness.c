/* Findings' witnesses, run anew. */
#include "compare_private.h"

#include "launch/from_contract.h"
#include "interp/schedule.h"

#include <string.h>

static int64_t value_named(const witness *w, const char *name)
{
    for (size_t i = 0; i < w->n_params; i++)
        if (strcmp(w->params[i].name, name) == 0)
            return w->params[i].value;
    return 0;
}

/* The witness's launch made anew from what the report says of it; NULL when there is none. */
static concrete_launch *launch_of(judge *j, const witness *w, uint64_t seed)
{
    const contract *c = j->s->contract;
    int64_t scalars[MAX_ARGS] = {0}, offsets[MAX_ARGS] = {0}, grid[3];
    memcpy(grid, w->grid, sizeof grid);
    for (size_t i = 0; i < c->n_args; i++) {
        scalars[i] = value_named(w, c->args[i].name);
        offsets[i] = value_named(w, tr_arena_printf(j->arena, "offset of %s", c->args[i].name));
    }
    if (!concrete_launch_holds(j->ctx, c, scalars, grid) || memcmp(grid, w->grid, sizeof grid) != 0)
        return NULL;
    interp_contents *contents = TR_NEW_ARRAY(j->arena, interp_contents, w->n_contents + 1);
    for (size_t i = 0; i < w->n_contents; i++) {
        const witness_contents *from = &w->contents[i];
        interp_cell *cells = TR_NEW_ARRAY(j->arena, interp_cell, from->count + 1);
        for (size_t k = 0; k < from->count; k++)
            cells[k] = (interp_cell){(int64_t)k, from->values[k]};
        contents[i] = (interp_contents){from->buffer, from->count, cells};
    }
    interp_filling filling = {
        .seed = seed, .offsets = offsets, .n_contents = w->n_contents, .contents = contents};
    return concrete_launch_from(j->arena, j->ctx, j->s->kernel, c, grid, scalars, &filling, NULL);
}

/* The witness's tile blocks alone, for other blocks may come later; or all of them. */
static interp_run *run_witness(const judge *j, const witness *w, const concrete_launch *launch,
                               bool alone)
{
    if (!alone)
        return compare_run(j->s->kernel, launch);
    model_choices model = model_default_choices();
    interp_limits limits = {.steps = 4000000, .events = 4000000};
    uint32_t blocks[2];
    size_t n = 0;
    for (size_t i = 0; i < w->n_events; i++) {
        const int64_t *id = w->events[i].block;
        blocks[n++] = (uint32_t)(id[0] + w->grid[0] * (id[1] + w->grid[1] * id[2]));
        n -= n == 2 && blocks[0] == blocks[1];
    }
    return interp_execute_blocks(j->s->kernel, launch, &model, &limits, n, blocks);
}

static const ir_op *op_number(const judge *j, uint32_t ordinal)
{
    const ir_op *op = ir_first_op(j->s->kernel);
    while (op && op->ordinal != ordinal)
        op = ir_next_op(op);
    return op;
}

static bool shows_race(const finding *f, tr_take interp_run *run)
{
    static interp_race races[COMPARE_MAX_RACES];
    bool synchronisation;
    size_t n = compare_races(run, races, &synchronisation);
    bool shown = interp_run_status(run) == INTERP_LIMIT;
    for (size_t i = 0; i < n && !shown; i++) {
        uint32_t a = interp_instance_of(run, races[i].a.instance)->op->ordinal;
        uint32_t b = interp_instance_of(run, races[i].b.instance)->op->ordinal;
        uint32_t x = compare_ordinal(f, 0), y = compare_ordinal(f, 1);
        shown = ((a == x && b == y) || (a == y && b == x)) &&
                compare_same_block(f->rule) == (races[i].a.block == races[i].b.block);
    }
    interp_run_free(run);
    return shown;
}

/* What blocks read of each other can decide whether a race comes about: then other orders show it
 * than one block after the other. */
static bool some_order_shows_race(judge *j, const finding *f, const concrete_launch *launch)
{
    model_choices model = model_default_choices();
    interp_limits limits = {.steps = 400000, .events = 400000};
    const ir_op *a = op_number(j, compare_ordinal(f, 0)), *b = op_number(j, compare_ordinal(f, 1));
    const interp_schedule schedules[] = {
        {.policy = INTERP_AIMED, .held = a, .until = b, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_AIMED, .held = b, .until = a, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_RANDOM},
        {.policy = INTERP_RANDOM, .window = 1},
    };
    bool shown = false;
    for (size_t s = 0; s < 24 * TR_COUNT(schedules) && !shown; s++) {
        interp_schedule schedule = schedules[s % TR_COUNT(schedules)];
        schedule.seed = s / TR_COUNT(schedules);
        shown = shows_race(
            f, interp_execute_scheduled(j->s->kernel, launch, &model, &limits, 0, NULL, &schedule));
    }
    return shown;
}

static bool shows_ub(judge *j, const finding *f, const concrete_launch *launch, bool alone)
{
    interp_run *run = run_witness(j, f->witness, launch, alone);
    const interp_ub *ubs;
    interp_status status = interp_run_status(run);
    const ir_op *where = interp_run_where(run);
    bool shown = status == INTERP_LIMIT ||
                 (status == INTERP_UB && where && where->ordinal == compare_ordinal(f, 0));
    for (size_t i = 0, n = interp_ubs(run, &ubs); i < n && !shown; i++)
        shown = ubs[i].op->ordinal == compare_ordinal(f, 0);
    interp_run_free(run);
    return shown;
}

/* What only a run with other undefined behaviour shows depends on what that behaviour is. */
static bool is_undefined_anyway(const judge *j, const witness *w, const concrete_launch *launch)
{
    bool undefined = false;
    for (int alone = 0; alone < 2; alone++) {
        interp_run *run = run_witness(j, w, launch, alone);
        const interp_ub *ubs;
        undefined |= interp_ubs(run, &ubs) > 0;
        interp_run_free(run);
    }
    return undefined;
}

void compare_witnesses(judge *j)
{
    for (size_t i = 0; i < j->report->n_findings; i++) {
        const finding *f = &j->report->findings[i];
        if (f->confidence == CONFIDENCE_POSSIBLE) {
            j->result.possible++;
            continue;
        }
        if (f->rule == RULE_CONTRACT || f->rule == RULE_UNCOVERED)
            continue;
        bool race = rule_is_race(f->rule);
        concrete_launch *launch = NULL;
        bool shown = false;
        /* What a witness leaves open of buffers' contents was filled in some way. */
        for (uint64_t seed = 1; seed < 20 && f->witness && !shown; seed++) {
            launch = launch_of(j, f->witness, seed);
            for (int alone = 1; alone >= 0 && launch && !shown; alone--)
                shown = race ? shows_race(f, run_witness(j, f->witness, launch, alone))
                             : shows_ub(j, f, launch, alone);
        }
        if (race && launch && !shown)
            shown = some_order_shows_race(j, f, launch);
        if (race && shown && j->report->verdict == VERDICT_CONDITIONAL &&
            compare_meets(j->arena, j->ctx, j->s, j->report, launch))
            compare_disagree(j, NOT_EXCLUDED, launch, op_number(j, compare_ordinal(f, 0)),
                             op_number(j, compare_ordinal(f, 1)), rule_info_of(f->rule)->code,
                             f->message);
        if (shown || (launch && is_undefined_anyway(j, f->witness, launch)))
            continue;
        compare_disagree(j, race ? FALSE_ALARM : FALSE_UB, launch,
                         op_number(j, compare_ordinal(f, 0)), op_number(j, compare_ordinal(f, 1)),
                         rule_info_of(f->rule)->code,
                         launch ? f->message : "the witness is no launch of the contract");
    }
}
