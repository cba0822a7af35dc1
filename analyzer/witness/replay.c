/* Makes a launch of a solver's model, replays it on the interpreter, and makes a witness of the
 * run.
 *
 * A race is reported only when the replay shows it: two events of the two ops, conflicting and
 * unordered. Everything in the witness is read off the replay (describe.c), nothing off the
 * model. */
#include "witness/replay.h"

#include "interp/interp.h"
#include "interp/launch.h"
#include "launch/from_contract.h"
#include "order/state.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "solver/model.h"
#include "witness/describe.h"
#include "witness/invent.h"
#include "witness/launches.h"
#include "witness/shrink.h"

#include "base/ds.h"

static bool is_the_pair(const checker *k, const interp_run *run, const interp_race *race,
                        const ix_access *a, const ix_access *b, copy_relation relation)
{
    const char *buffer = interp_buffer_name(run, race->a.buffer);
    if (access_of_buffer(k, a->op, buffer)->allocation != a->allocation ||
        access_of_buffer(k, b->op, buffer)->allocation != b->allocation)
        return false; /* the same ops, in another of the buffers that they may mean */
    const interp_instance *x = interp_instance_of(run, race->a.instance);
    const interp_instance *y = interp_instance_of(run, race->b.instance);
    bool ops = (x->op == a->op && y->op == b->op) || (x->op == b->op && y->op == a->op);
    bool same_block = race->a.block == race->b.block;
    bool same_instance = race->a.instance == race->b.instance;
    switch (relation) {
    case COPY_OTHER_BLOCK:
        return ops && !same_block;
    case COPY_SAME_BLOCK:
        return ops && same_block && !same_instance;
    default:
        return ops && same_instance;
    }
}

enum { MAX_RACES = 256 };

static void note_races(checker *k, const interp_run *run, size_t n, const interp_race *races,
                       order_seen_run *seen)
{
    order_racing_ops found[MAX_RACES];
    size_t n_found = 0;
    for (size_t i = 0; i < n; i++) {
        const ir_op *a = interp_op_of(run, races[i].a.instance);
        const ir_op *b = interp_op_of(run, races[i].b.instance);
        size_t at = 0;
        while (at < n_found && (found[at].a != a || found[at].b != b))
            at++;
        if (at == n_found)
            found[n_found++] = (order_racing_ops){a, b};
    }
    seen->n_races = n_found;
    seen->races = tr_arena_copy(k->arena, found, n_found * sizeof *found);
}

witness *witness_among_races(checker *k, const concrete_launch *launch, const interp_run *run,
                             const ix_access *a, const ix_access *b, copy_relation relation,
                             const char **why, order_seen_run *seen)
{
    static const char *const status_text[] = {
        [INTERP_DONE] = "it ran to the end without the race",
        [INTERP_UNDECIDED] = "it depends on a value that is not known",
        [INTERP_LIMIT] = "it is too long to replay",
        [INTERP_HANG] = "it waits for ever",
        [INTERP_UB] = "it runs into undefined behaviour first",
        [INTERP_UNSUPPORTED] = "it uses an operation that the interpreter does not run",
    };
    interp_status status = interp_run_status(run);
    *why =
        interp_run_why(run) ? tr_arena_strdup(k->arena, interp_run_why(run)) : status_text[status];
    interp_race *races = TR_NEW_ARRAY(k->arena, interp_race, MAX_RACES);
    size_t n = ask_races(k, run, MAX_RACES, races);
    if (seen)
        note_races(k, run, n, races, seen);
    for (size_t i = 0; i < n; i++) {
        if (!is_the_pair(k, run, &races[i], a, b, relation) || races[i].a.address < 0 ||
            interp_event_is_outside(&races[i].a))
            continue; /* outside the buffer there is nothing to race for */
        witness *w = witness_describe_launch(k, launch, run);
        if (!w) {
            *why = "the launch breaks what the contract states";
            return NULL;
        }
        const interp_event *first = &races[i].a, *second = &races[i].b;
        if (interp_op_of(run, first->instance) != a->op) {
            first = &races[i].b;
            second = &races[i].a;
        }
        w->n_events = 2;
        w->events[0] = witness_describe_event(k, launch, run, first);
        w->events[1] = witness_describe_event(k, launch, run, second);
        return w;
    }
    return NULL;
}

witness *witness_in_run(checker *k, const concrete_launch *launch, const interp_run *run,
                        const ix_access *a, const ix_access *b, copy_relation relation,
                        const char **why)
{
    return witness_among_races(k, launch, run, a, b, relation, why, NULL);
}

/* Two blocks of a large grid are enough to replay a race between them. */
static interp_run *replay(checker *k, const concrete_launch *launch, size_t n,
                          const uint32_t *blocks)
{
    /* A pair that is proved already is not looked at for seconds once more. */
    uint64_t steps = k->wraps.machine_values ? 500 * 1000 : 20 * 1000 * 1000;
    return ask_run_blocks(k, launch, steps, n, blocks);
}

static bool value_in_model(const smt_model *model, smt_t term, int64_t *out)
{
    smt_int value;
    if (!smt_model_eval(model, term, &value) || value > INT64_MAX || value < INT64_MIN)
        return false;
    *out = (int64_t)value;
    return true;
}

/* Finds the word that holds the parameter's value. */
static bool word_in_model(const smt_model *model, smt_t parameter, int64_t *out)
{
    smt_int value;
    if (!smt_model_eval(model, parameter, &value) || value > UINT64_MAX || value < INT64_MIN)
        return false;
    *out = (int64_t)(uint64_t)value;
    return true;
}

/* The buffer elements that the model's query spoke of. */
static size_t contents_in_model(checker *k, const smt_model *model, interp_contents *out)
{
    size_t n = 0;
    for (size_t a = 0; a < k->s->n_allocations; a++) {
        interp_cell *cells = TR_NEW_ARRAY(k->arena, interp_cell, arrlenu(k->apps) + 1);
        size_t n_cells = 0;
        for (size_t i = 0; i < arrlenu(k->apps); i++) {
            interp_cell cell;
            if (summary_contents_of(k->s, k->apps[i], NULL) == (int)a &&
                value_in_model(model, k->apps[i]->args[0], &cell.index) &&
                value_in_model(model, k->apps[i], &cell.value))
                cells[n_cells++] = cell;
        }
        if (n_cells)
            out[n++] = (interp_contents){k->s->allocations[a].name, n_cells, cells};
    }
    return n;
}

/* `near_zero`: what the model says nothing of; see interp_filling. */
static concrete_launch *launch_of_model(checker *k, const smt_model *model, bool near_zero,
                                        interp_filling *filling, const char **why)
{
    size_t n = k->contract->n_args;
    int64_t grid[3], *scalars = TR_NEW_ARRAY(k->arena, int64_t, n + 1);
    int64_t *offsets = TR_NEW_ARRAY(k->arena, int64_t, n + 1);
    interp_contents *contents = TR_NEW_ARRAY(k->arena, interp_contents, k->s->n_allocations + 1);
    *why = "the solver's model cannot be turned into a launch";
    for (int axis = 0; axis < 3; axis++)
        if (!value_in_model(model, k->s->grid[axis], &grid[axis]))
            return NULL;
    for (size_t i = 0; i < n; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind == CONTRACT_SCALAR &&
            !word_in_model(model, contract_param(k->ctx, k->contract, i), &scalars[i]))
            return NULL;
        if (arg->kind == CONTRACT_POINTER) {
            const ir_type *pointer = k->kernel->body->args[i]->type->elem;
            if (!value_in_model(model, k->s->arg_bytes[i], &offsets[i]))
                return NULL;
            offsets[i] /= ir_type_bytes(pointer->elem);
        }
    }
    *filling = (interp_filling){.seed = 1,
                                .offsets = offsets,
                                .contents = contents,
                                .most_filled = RULES_FILLED,
                                .near_zero = near_zero};
    filling->n_contents = contents_in_model(k, model, contents);
    return concrete_launch_from(k->arena, k->ctx, k->kernel, witness_with_indices(k), grid, scalars,
                                filling, why);
}

const concrete_launch *witness_launch(checker *k, const smt_model *model, const char **why)
{
    interp_filling filling;
    return launch_of_model(k, model, false, &filling, why);
}

/* The copy's block as a linear number; false when the model says nothing usable. */
static bool block_in_model(checker *k, const smt_model *model, copy_relation relation, int copy,
                           const concrete_launch *launch, uint32_t *out)
{
    int64_t id[3];
    for (int axis = 0; axis < 3; axis++) {
        smt_t term = copy_term(k, k->s->block_id[axis], relation, copy);
        if (!value_in_model(model, term, &id[axis]) || id[axis] < 0 ||
            id[axis] >= launch->grid[axis])
            return false;
    }
    *out = (uint32_t)(id[0] + launch->grid[0] * (id[1] + launch->grid[1] * id[2]));
    return true;
}

/* Elements that the model says nothing of are drawn, or near zero. */
static witness *witness_with_elements(checker *k, const smt_model *model, bool near_zero,
                                      const ix_access *a, const ix_access *b,
                                      copy_relation relation, const char **why)
{
    interp_filling filling;
    concrete_launch *launch = launch_of_model(k, model, near_zero, &filling, why);
    uint32_t blocks[2];
    if (!launch)
        return NULL;
    *why = "the model names no block of the grid";
    if (!block_in_model(k, model, relation, 0, launch, &blocks[0]) ||
        !block_in_model(k, model, relation, 1, launch, &blocks[1]) ||
        !witness_allows(k, launch, why))
        return NULL;
    size_t n_blocks = blocks[0] == blocks[1] ? 1 : 2;
    interp_run *run = replay(k, launch, n_blocks, blocks);
    witness *w = witness_in_run(k, launch, run, a, b, relation, why);
    bool undecided = interp_run_status(run) == INTERP_UNDECIDED;
    interp_run_free(run);
    const float_question question = {a, b, relation, n_blocks, blocks};
    if (!w && undecided)
        w = witness_with_floats(k, &question, &launch, &filling);
    witness *readable = w ? witness_made_readable(k, a, b, relation, launch, &filling) : NULL;
    return readable ? readable : w;
}

witness *witness_of_race(checker *k, const smt_model *model, const ix_access *a, const ix_access *b,
                         copy_relation relation, const char **why)
{
    step_begins(k, RULES_WITNESS);
    /* A value that is drawn may lead a third block into a branch that is undefined, or both
     * accesses out of their buffer. */
    witness *w = witness_with_elements(k, model, false, a, b, relation, why);
    return w ? w : witness_with_elements(k, model, true, a, b, relation, why);
}

/* `width`: bytes of an element; 0: wherever it is. */
static witness *first_event_in(checker *k, const concrete_launch *launch, const interp_run *run,
                               const ir_op *op, const bytes_touched *part, int width)
{
    const interp_event *events;
    size_t n = interp_events(run, &events);
    for (size_t i = 0; i < n; i++) {
        if (interp_op_of(run, events[i].instance) != op || events[i].out_of_buffer ||
            (width && (events[i].address >= part->to || events[i].address + width <= part->from)) ||
            (part->early && interp_comes_after_wait(run, events[i].instance)))
            continue;
        witness *w = witness_describe_launch(k, launch, run);
        if (!w)
            return NULL;
        w->n_events = 1;
        w->events[0] = witness_describe_event(k, launch, run, &events[i]);
        return w;
    }
    return NULL;
}

static witness *first_event(checker *k, const concrete_launch *launch, const interp_run *run,
                            const ir_op *op, bool early)
{
    const bytes_touched anywhere = {.early = early};
    return first_event_in(k, launch, run, op, &anywhere, 0);
}

witness *witness_of_access(checker *k, const concrete_launch *launch, const interp_run *run,
                           const ir_op *op)
{
    return first_event(k, launch, run, op, false);
}

witness *witness_of_early_access(checker *k, const concrete_launch *launch, const interp_run *run,
                                 const ir_op *op)
{
    return first_event(k, launch, run, op, true);
}

/* The first time that this op is undefined in a run; NULL when it never is. */
witness *witness_undefined_in_run(checker *k, const concrete_launch *launch, const interp_run *run,
                                  const ir_op *op, bool index_space)
{
    const interp_ub *ubs, *ub = NULL;
    size_t n = interp_ubs(run, &ubs);
    for (size_t i = 0; i < n && !ub; i++)
        if (ubs[i].op == op && index_space == interp_ub_is_of_index(ubs[i].kind))
            ub = &ubs[i];
    if (!ub)
        return NULL;
    witness *w = witness_describe_launch(k, launch, run);
    if (!w)
        return NULL;
    w->n_events = 1;
    w->events[0] = witness_describe_undefined(k, launch, ub, index_space);
    return w;
}

/* Replays the one block of the model in *launch; NULL, and *why: the model names none. */
static interp_run *replay_of_block(checker *k, const smt_model *model, concrete_launch **launch,
                                   const char **why)
{
    interp_filling filling;
    uint32_t block;
    *launch = launch_of_model(k, model, false, &filling, why);
    if (!*launch)
        return NULL;
    *why = "the model names no block of the grid";
    if (!block_in_model(k, model, COPY_NONE, 0, *launch, &block))
        return NULL;
    return replay(k, *launch, 1, &block);
}

witness *witness_of_event(checker *k, const smt_model *model, const ir_op *op, bool index_space,
                          const char **why)
{
    concrete_launch *launch;
    interp_run *run = replay_of_block(k, model, &launch, why);
    if (!run)
        return NULL;
    witness *w = witness_undefined_in_run(k, launch, run, op, index_space);
    *why = "the replay shows no undefined behaviour";
    interp_run_free(run);
    return w;
}

witness *witness_of_bytes(checker *k, const smt_model *model, const ix_access *a,
                          const bytes_touched *part, const char **why)
{
    concrete_launch *launch;
    interp_run *run = replay_of_block(k, model, &launch, why);
    if (!run)
        return NULL;
    witness *w = first_event_in(k, launch, run, a->op, part, a->width);
    *why = "the replay shows no access to the bytes that the preceding launch touches";
    interp_run_free(run);
    return w;
}
