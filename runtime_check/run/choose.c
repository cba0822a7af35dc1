/* Chooses the launch that is run: one that meets the contract, has many tile blocks and is still
 * quick. */
#include "run/choose.h"

#include "run/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "index_space/summary.h"
#include "interp/interp.h"
#include "launch/from_contract.h"
#include "launch/search.h"

#define MAX_BLOCKS      16384
#define MAX_ELEMENTS    ((int64_t)8 << 20)
#define CPU_BLOCKS      512 /* the interpreter is asked for many runs */
#define CPU_ELEMENTS    ((int64_t)1 << 18)
#define QUICK_STEPS     ((uint64_t)5 << 20) /* of one of these */
#define STATED_BLOCKS   ((int64_t)1 << 30)
#define STATED_ELEMENTS ((int64_t)1 << 34)
#define MEASURED_STEPS  ((uint64_t)8 << 20) /* to see how far a launch reaches */
#define ASSUMED_STEPS   ((uint64_t)1 << 20) /* a kernel says first what it assumes */
#define WANTED_LAUNCHES 48
#define RACY_STEPS      ((uint64_t)2 << 20) /* to see a race; the beginning of a run will do */
#define OTHER_LAUNCHES  6                   /* that are tried where the largest is not quick */

typedef struct bounds { /* of a launch that is still quick to run */
    int64_t blocks, elements;
} bounds;

/* ---- Section: How large it is ---- */

bool run_has_open_buffers(const concrete_launch *l)
{
    for (size_t i = 0; i < l->n_buffers; i++)
        if (l->buffers[i].unbounded)
            return true;
    return false;
}

/* The launch with the value that a run gives to float parameters of which nobody says anything. */
static concrete_launch with_floats(const run_target *t, const concrete_launch *l)
{
    concrete_launch with = *l;
    with.args = tr_arena_copy(t->input->arena, l->args, l->n_args * sizeof *l->args);
    for (size_t i = 0; i < l->n_args; i++) {
        const ir_type *type = t->kernel->function->body->args[i]->type;
        const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
        if (with.args[i].exact || !ir_type_is_float(elem))
            continue;
        with.args[i].value = (int64_t)ir_float_bits(elem, RUN_FLOAT);
        with.args[i].exact = true;
    }
    return with;
}

bool run_measure(const run_target *t, const concrete_launch *l, const interp_limits *limits,
                 int64_t *ends, const char **why)
{
    const concrete_launch known = with_floats(t, l);
    interp_run *run = interp_execute(t->kernel->function, &known, &t->s->rules.model, limits, NULL);
    bool good = interp_run_status(run) == INTERP_DONE;
    if (!good)
        *why = tr_arena_printf(t->input->arena,
                               "how large the buffers are is not stated (args[].elements), and the "
                               "interpreter cannot tell: %s",
                               interp_run_why(run) ? interp_run_why(run) : "it did not end");
    const interp_event *events;
    size_t n = good ? interp_events(run, &events) : 0;
    for (size_t i = 0; i < n; i++) {
        int buffer = events[i].buffer;
        int64_t end = events[i].address + 8; /* elements take at most that */
        if (buffer >= 0 && (size_t)buffer < l->n_buffers && ends[buffer] < end)
            ends[buffer] = end;
    }
    interp_run_free(run);
    return good;
}

/* It touches memory, but not too much. */
static bool fits(const run_target *t, const concrete_launch *l, const bounds *most)
{
    if (l->grid[0] > most->blocks || l->grid[1] > most->blocks / l->grid[0] ||
        l->grid[2] > most->blocks / (l->grid[0] * l->grid[1]))
        return false;
    const interp_limits limits = {.steps = MEASURED_STEPS};
    int64_t *ends = TR_NEW_ARRAY(t->input->arena, int64_t, l->n_buffers + 1),
            bytes = concrete_stated_bytes(l);
    const char *why;
    if (run_has_open_buffers(l) && !run_measure(t, l, &limits, ends, &why))
        return false;
    for (size_t i = 0; i < l->n_buffers; i++)
        if (__builtin_add_overflow(bytes, ends[i], &bytes))
            return false;
    return bytes > 0 && bytes <= 4 * most->elements;
}

bool run_ends_within(const run_target *t, const concrete_launch *l, const interp_limits *limits)
{
    interp_run *run = interp_execute(t->kernel->function, l, &t->s->rules.model, limits, NULL);
    bool ends = interp_run_status(run) != INTERP_LIMIT;
    interp_run_free(run);
    return ends;
}

/* Does the interpreter get through it many times? */
static bool is_quick(const run_target *t, const concrete_launch *l)
{
    return run_ends_within(t, l, &(interp_limits){.steps = QUICK_STEPS});
}

/* ---- Section: What the kernel itself takes for granted ---- */

/* Its assumes and asserts (alignment, bounds), which no contract repeats: a GPU may trap where they
 * do not hold. Seen in the first and the last tile block. */
static bool keeps_assumptions(const run_target *t, const concrete_launch *l)
{
    const interp_limits limits = {.steps = ASSUMED_STEPS};
    int64_t ids[2][3] = {{0}};
    for (int axis = 0; axis < 3; axis++)
        ids[1][axis] = l->grid[axis] - 1;
    interp_run *run = interp_execute_at(t->kernel->function, l, &t->s->rules.model, &limits,
                                        concrete_launch_blocks(l) > 1 ? 2 : 1, ids);
    const interp_ub *met;
    size_t n = interp_ubs(run, &met);
    bool keeps = true;
    for (size_t i = 0; i < n; i++)
        keeps = keeps && met[i].kind != INTERP_UB_ASSUME;
    interp_run_free(run);
    return keeps;
}

/* Its assumptions on its parameters are facts to be searched for. */
contract *run_assumed_contract(const run_target *t)
{
    const ir_function *f = t->kernel->function;
    const contract *c = t->kernel->contract;
    smt_t *term_of = TR_NEW_ARRAY(t->input->arena, smt_t, f->n_values + 1), *facts = NULL;
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].kind == CONTRACT_SCALAR)
            term_of[f->body->args[i]->id] = contract_param(t->input->ctx, c, i);
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op)) {
        smt_t of = op->code == IR_OP_ASSUME ? term_of[op->operands[0]->id] : NULL;
        if (!of)
            continue;
        term_of[op->results[0].id] = of;
        if (!ir_claim_is_idle(op))
            arrput(facts, summary_assumption(t->input->ctx, op, of));
    }
    contract *more = contract_with_facts(t->input->ctx, c, arrlenu(facts), facts);
    arrfree(facts);
    return more;
}

/* ---- Section: Making it large ---- */

/* More tile blocks or longer buffers, and less of neither: a number of passes only takes time. */
static bool is_larger(const concrete_launch *a, const concrete_launch *b)
{
    int64_t blocks = concrete_launch_blocks(a) - concrete_launch_blocks(b),
            bytes = concrete_stated_bytes(a) - concrete_stated_bytes(b);
    return blocks >= 0 && bytes >= 0 && (blocks > 0 || bytes > 0);
}

/* Searching finds small launches; races of tile blocks show where there are many. So numbers are
 * doubled, one after the other, as long as the contract holds. The launch is put on *path (stb_ds),
 * and each larger one after it. */
static void grow(const run_target *t, const concrete_launch *launch, const bounds *most,
                 const concrete_launch ***path)
{
    size_t n = launch->n_args;
    arrput(*path, launch);
    const contract *c = t->kernel->contract;
    int64_t *values = TR_NEW_ARRAY(t->input->arena, int64_t, n + 1);
    for (size_t i = 0; i < n; i++)
        values[i] = launch->args[i].value;
    interp_filling filling = {.seed = t->s->options->seed};
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < n; i++) {
            int64_t old = values[i], grid[3];
            if (c->args[i].kind != CONTRACT_SCALAR || old <= 0 || old > INT32_MAX / 2)
                continue;
            values[i] = old * 2;
            memcpy(grid, launch->grid, sizeof grid); /* of axes that nobody states */
            const char *why;
            const concrete_launch *more =
                concrete_launch_holds(t->input->ctx, c, values, grid)
                    ? concrete_launch_from(t->input->arena, t->input->ctx, t->kernel->function, c,
                                           grid, values, &filling, &why)
                    : NULL;
            if (more && fits(t, more, most) && is_larger(more, launch) &&
                keeps_assumptions(t, more)) {
                launch = more;
                arrput(*path, launch);
                grown = true;
            } else {
                values[i] = old;
            }
        }
    }
}

/* The last launch on the way that is quick; NULL: none is. */
static const concrete_launch *last_quick(const run_target *t, const concrete_launch *const *path,
                                         size_t n)
{
    size_t low = 0, high = n; /* path[low - 1] is quick, path[high] is not */
    if (is_quick(t, path[n - 1]))
        return path[n - 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_quick(t, path[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? path[low - 1] : NULL;
}

/* ---- Section: The choice ---- */

size_t run_search_launches(const run_target *t, const interp_search *search,
                           concrete_launch ***found)
{
    contract *assumed = run_assumed_contract(t);
    size_t n = concrete_enumerate_launches(t->input->arena, t->input->ctx, t->kernel->function,
                                           assumed, search, found);
    contract_free(assumed);
    return n ? n
             : concrete_enumerate_launches(t->input->arena, t->input->ctx, t->kernel->function,
                                           t->kernel->contract, search, found);
}

/* Each launch that is found holds contents for all its buffers: where no number is open, one will
 * do. */
static size_t worth_searching(const contract *c)
{
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].kind == CONTRACT_SCALAR)
            return WANTED_LAUNCHES;
    return c->grid[0] ? 1 : WANTED_LAUNCHES;
}

static int more_blocks_first(const void *a, const void *b)
{
    int64_t x = concrete_launch_blocks(*(concrete_launch *const *)a),
            y = concrete_launch_blocks(*(concrete_launch *const *)b);
    return (x < y) - (x > y);
}

/* Is there a race already where the blocks run one after the other? */
static bool has_race(const run_target *t, const concrete_launch *l)
{
    const interp_limits limits = {.steps = RACY_STEPS};
    interp_run *run = interp_execute(t->kernel->function, l, &t->s->rules.model, &limits, NULL);
    interp_race race;
    bool order_matters;
    bool found = interp_find_races(run, false, &race, 1, &order_matters) > 0;
    interp_run_free(run);
    return found;
}

/* Chooses the launch with the most tile blocks among the best ones, and sorts them all. The best
 * launches meet the kernel's assumptions; then they fit, if sizes must be measured; then they have
 * the race that was reported (another order may be needed to see one). */
static const concrete_launch *best_of(const run_target *t, size_t n, concrete_launch **found,
                                      const bounds *most)
{
    const concrete_launch *best = NULL;
    int merits = -1;
    qsort(found, n, sizeof *found, more_blocks_first);
    for (size_t i = 0; i < n && merits < 7; i++) {
        int has = 4 * keeps_assumptions(t, found[i]) +
                  2 * (!run_has_open_buffers(found[i]) || fits(t, found[i], most));
        has += !t->races || (has == 6 && has_race(t, found[i]));
        if (has > merits) {
            best = found[i];
            merits = has;
        }
    }
    return best;
}

/* Returns another launch that runs quickly; if there is none, the launch at hand. */
static const concrete_launch *another_quick(const run_target *t, size_t n,
                                            concrete_launch *const *found)
{
    for (size_t i = 0; i < n; i += n / OTHER_LAUNCHES + 1)
        if (is_quick(t, found[i]) && keeps_assumptions(t, found[i]))
            return found[i];
    return t->launch;
}

static bounds bounds_of(bool small)
{
    return (bounds){small ? CPU_BLOCKS : MAX_BLOCKS, small ? CPU_ELEMENTS : MAX_ELEMENTS};
}

size_t run_search_for_choice(const run_target *t, bool small, uint64_t seed, size_t least,
                             concrete_launch ***found)
{
    const bounds most = bounds_of(small);
    size_t worth = worth_searching(t->kernel->contract);
    interp_search search = {.wanted = worth > 1 && least > worth ? least : worth,
                            .max_blocks = most.blocks,
                            .max_elements = most.elements,
                            .seed = seed};
    size_t n = run_search_launches(t, &search, found);
    if (n == 0) { /* who states large numbers wants these */
        search.max_blocks = STATED_BLOCKS;
        search.max_elements = STATED_ELEMENTS;
        search.wanted = 1;
        n = run_search_launches(t, &search, found);
    }
    return n;
}

bool run_choose_among(run_target *t, bool small, size_t n, concrete_launch **found,
                      const char **why)
{
    const bounds most = bounds_of(small);
    t->launch = best_of(t, n, found, &most);
    if (!t->launch) {
        *why = "no launch that meets the contract was found: state the arguments' values in a "
               "launch contract (--launch)";
        return false;
    }
    const concrete_launch **path = NULL;
    if (run_has_open_buffers(t->launch)) /* larger numbers may change nothing, or too much */
        arrput(path, t->launch);
    else
        grow(t, t->launch, &most, &path);
    const concrete_launch *chosen = small ? last_quick(t, path, arrlenu(path)) : arrlast(path);
    t->launch = concrete_with_idle_ones(t->input->arena, t->kernel->function, t->kernel->contract,
                                        chosen ? chosen : another_quick(t, n, found));
    arrfree(path);
    return true;
}

bool run_choose_launch(run_target *t, bool small, const char **why)
{
    concrete_launch **found = NULL;
    size_t n = run_search_for_choice(t, small, t->s->options->seed, 0, &found);
    return run_choose_among(t, small, n, found, why);
}
