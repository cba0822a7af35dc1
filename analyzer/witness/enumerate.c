/* Runs small launches that meet the contract, one by one: the last resort for a race that the
 * solver did not find, or whose model did not replay. This is done once for each kernel; all races
 * seen are kept by pair.
 */
#include "witness/enumerate.h"

#include "interp/launch.h"
#include "launch/from_contract.h"
#include "launch/search.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "witness/launches.h"
#include "witness/replay.h"
#include "witness/shrink.h"

#include "base/ds.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 256 };
/* Steps of the interpreter for one run; steps of the kernel's own for all runs once the others are
 * used up. */
enum { RUN = 4000 * 1000, OWN_STEPS = 2000 * 1000 };
/* The limits where runs alone are to show a race: they are a second look at what is proved. */
enum { SHORT_RUN = 250 * 1000, OWN_STEPS_BY_RUNS = 120 * 1000 };
/* Steps of all runs together if they are a second look at what the solver has proved. */
enum { SECOND_LOOK = 500 * 1000 };

typedef struct enumerated { /* the first launch that showed a race of these two accesses */
    const ix_access *a, *b;
    copy_relation relation;
    concrete_launch *launch;
    witness *shown; /* made small when first asked for */
} enumerated;

typedef struct enumerated_undefined { /* the first launch in which this op was undefined */
    const ir_op *op;
    bool index_space;
    witness *shown;
} enumerated_undefined;

static enumerated *find(checker *k, const ix_access *a, const ix_access *b, copy_relation relation)
{
    for (size_t i = 0; i < arrlenu(k->small.races); i++) {
        enumerated *e = &k->small.races[i];
        bool both = (e->a == a && e->b == b) || (e->a == b && e->b == a);
        if (both && e->relation == relation)
            return e;
    }
    return NULL;
}

/* Outside a buffer there is nothing to race for: with other contents the two may meet within. Were
 * there such races? */
static bool keep_races(checker *k, concrete_launch *launch, const interp_run *run)
{
    bool outside = false;
    interp_race *races = TR_NEW_ARRAY(k->arena, interp_race, MAX_PAIRS);
    size_t n = ask_races(k, run, MAX_PAIRS, races);
    for (size_t i = 0; i < n; i++) {
        const interp_event *x = &races[i].a, *y = &races[i].b;
        copy_relation relation = x->block != y->block         ? COPY_OTHER_BLOCK
                                 : x->instance != y->instance ? COPY_SAME_BLOCK
                                                              : COPY_SAME_OP;
        const ir_op *a = interp_op_of(run, x->instance);
        const ir_op *b = interp_op_of(run, y->instance);
        const char *buffer = interp_buffer_name(run, x->buffer);
        const ix_access *first = access_of_buffer(k, a, buffer);
        const ix_access *second = access_of_buffer(k, b, buffer);
        if (!first || !second || find(k, first, second, relation))
            continue;
        bool within = x->address >= 0 && !interp_event_is_outside(x);
        if (within)
            arrput(k->small.races, ((enumerated){first, second, relation, launch, NULL}));
        outside |= !within;
    }
    return outside;
}

static enumerated_undefined *find_undefined(checker *k, const ir_op *op, bool index_space)
{
    for (size_t i = 0; i < arrlenu(k->small.undefined); i++)
        if (k->small.undefined[i].op == op && k->small.undefined[i].index_space == index_space)
            return &k->small.undefined[i];
    return NULL;
}

static void keep_undefined(checker *k, const concrete_launch *launch, const interp_run *run)
{
    const interp_ub *ubs;
    size_t n = interp_ubs(run, &ubs);
    if (n > 0)
        arrput(k->small.first_undefined,
               ((enumerated_first){ubs[0].op, interp_ub_is_of_index(ubs[0].kind), launch}));
    for (size_t i = 0; i < n; i++) {
        bool index_space = interp_ub_is_of_index(ubs[i].kind);
        if (find_undefined(k, ubs[i].op, index_space))
            continue;
        witness *w = witness_undefined_in_run(k, launch, run, ubs[i].op, index_space);
        if (w)
            arrput(k->small.undefined, ((enumerated_undefined){ubs[i].op, index_space, w}));
    }
}

/* A launch that people read easily comes first: few blocks, small numbers, and no size of 0 or 1,
 * which hides what a stride or a product does. */
static int64_t size_of(const checker *k, const concrete_launch *launch)
{
    enum { DEGENERATE = 40 };
    int64_t size = 8 * (launch->grid[0] * launch->grid[1] * launch->grid[2]);
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            size += launch->args[i].value < 2 ? DEGENERATE + llabs(launch->args[i].value)
                                              : launch->args[i].value;
    return size;
}

static void sort_by_size(const checker *k, concrete_launch **launches, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        concrete_launch *moving = launches[i];
        size_t at = i;
        for (; at > 0 && size_of(k, launches[at - 1]) > size_of(k, moving); at--)
            launches[at] = launches[at - 1];
        launches[at] = moving;
    }
}

static size_t launches_of(checker *k, const contract *c, interp_search search,
                          concrete_launch ***launches)
{
    return concrete_enumerate_of_any_size(k->arena, k->ctx, k->kernel, c, search, launches);
}

/* The launches of the contract with the facts that a natural launch meets besides. Since a search
 * among more facts may find fewer launches, also those of the contract's facts alone that happen to
 * meet the others. Both have the contents of a natural launch: synchronisation words are cleared.
 */
static size_t natural_launches(checker *k, bool near_zero, concrete_launch ***launches)
{
    interp_search search = {.wanted = 12,
                            .max_blocks = 64,
                            .max_elements = 1 << 20,
                            .most_filled = RULES_FILLED,
                            .near_zero = near_zero};
    contract *natural = witness_natural_contract(k);
    bool more = arrlenu(natural->facts) > arrlenu(k->contract->facts);
    size_t n = launches_of(k, natural, search, launches);
    arrfree(natural->facts);
    if (!more || n == search.wanted)
        return n;
    natural->facts = k->contract->facts;
    concrete_launch **plain, **all = TR_NEW_ARRAY(k->arena, concrete_launch *, 2 * search.wanted);
    size_t n_plain = launches_of(k, natural, search, &plain);
    for (size_t i = 0; i < n; i++)
        all[i] = (*launches)[i];
    for (size_t i = 0; i < n_plain; i++)
        if (witness_launch_holds(k, plain[i]))
            all[n++] = plain[i];
    *launches = all;
    return n;
}

/* Numbers at which a product of 32 or of 64 bits with them wraps to 0 or to half its range: 2^31,
 * which memory has as -2^31, and 2^30; and the largest unsigned ones, behind which sums begin at 0.
 */
static const struct {
    bool negative;
    int bit, less;
} wrapping[] = {{true, 31, 0}, {false, 31, 0}, {false, 30, 0}, {false, 32, 1},
                {true, 63, 0}, {false, 62, 0}, {false, 64, 1}};

enum { MOST_WRAPPING = 24, EACH_WRAPPING = 2, SEARCHED = 300 * 1000 }; /* the last of steps */

/* Does one of the preconditions speak of the parameter, or say in words what may wrap? */
static bool may_wrap_with(const checker *k, smt_t param)
{
    bool wraps = false;
    for (size_t i = 0; i < arrlenu(k->wraps.by_runs) && !wraps; i++)
        wraps = !k->wraps.by_runs[i].fact || smt_contains(k->wraps.by_runs[i].fact, param);
    return wraps;
}

/* Launches with such numbers, one parameter at a time: no search among small numbers comes to one.
 */
static size_t wrapping_launches(checker *k, concrete_launch ***launches)
{
    interp_search search = {.wanted = EACH_WRAPPING,
                            .max_blocks = 64,
                            .max_elements = 1 << 20,
                            .most_filled = RULES_FILLED};
    contract *natural = witness_natural_contract(k);
    concrete_launch **all = TR_NEW_ARRAY(k->arena, concrete_launch *, MOST_WRAPPING);
    size_t n = 0, n_numbers = natural->n_args * TR_COUNT(wrapping);
    smt_steps until = ask_taken(k) + SEARCHED;
    for (size_t i = 0; i < n_numbers && n + EACH_WRAPPING <= MOST_WRAPPING; i++) {
        if (ask_taken(k) > until)
            break;
        size_t arg = i / TR_COUNT(wrapping);
        smt_int size = (smt_int)1 << wrapping[i % TR_COUNT(wrapping)].bit;
        smt_int number = (wrapping[i % TR_COUNT(wrapping)].negative ? -size : size) -
                         wrapping[i % TR_COUNT(wrapping)].less;
        smt_t param = natural->args[arg].kind == CONTRACT_SCALAR
                          ? contract_param(k->ctx, natural, arg)
                          : NULL;
        if (!param || param->kind != SMT_VAR || number < param->low || number > param->high ||
            !may_wrap_with(k, param))
            continue;
        smt_t fact = smt_eq(k->ctx, param, smt_int_const(k->ctx, number));
        contract *with = contract_with_facts(k->ctx, natural, 1, &fact);
        concrete_launch **found;
        size_t n_found = launches_of(k, with, search, &found);
        contract_free(with);
        for (size_t l = 0; l < n_found; l++)
            if (witness_launch_holds(k, found[l]))
                all[n++] = found[l];
    }
    arrfree(natural->facts);
    *launches = all;
    return n;
}

size_t enumerate_launches(checker *k, concrete_launch ***launches)
{
    size_t n =
        k->wraps.by_runs ? wrapping_launches(k, launches) : natural_launches(k, false, launches);
    sort_by_size(k, *launches, n);
    return n;
}

/* Did the run get far enough to count? A race in the beginning of a run is a race, and undefined
 * behaviour that is reported anyway may end the run early. */
static bool got_far_enough(const checker *k, const interp_run *run)
{
    interp_status status = interp_run_status(run);
    bool ended_early = status == INTERP_UNDECIDED || status == INTERP_UB;
    return status == INTERP_DONE || (k->undefined.open && !k->wraps.by_runs && ended_early);
}

/* True where races lay outside their buffers. */
static bool run_launches(checker *k, size_t n, concrete_launch **launches)
{
    bool outside = false, is_short = k->wraps.by_runs || k->small.brief;
    smt_steps before = ask_taken(k), own = k->wraps.by_runs ? OWN_STEPS_BY_RUNS : OWN_STEPS;
    for (size_t i = 0; i < n; i++) {
        if (k->small.brief && ask_taken(k) - before > SECOND_LOOK)
            break;
        /* The solver may have used up all steps; a race can be found without it. */
        if (tr_budget_is_spent(smt_budget(k->ctx)) ||
            (ask_left(k) == 0 && ask_taken(k) - before > own))
            break;
        interp_run *run = ask_run(k, launches[i], is_short ? SHORT_RUN : RUN, RUN / 2, NULL);
        if (got_far_enough(k, run) && witness_run_is_defined(k, run))
            outside |= keep_races(k, launches[i], run);
        keep_undefined(k, launches[i], run);
        interp_run_free(run);
    }
    return outside;
}

static void enumerate(checker *k)
{
    k->small.done = true;
    concrete_launch **launches;
    size_t n = enumerate_launches(k, &launches);
    if (!run_launches(k, n, launches) || k->wraps.by_runs || k->small.brief)
        return;
    n = natural_launches(k, true, &launches);
    sort_by_size(k, launches, n);
    run_launches(k, n, launches);
}

/* ---- Section: what the rules ask ---- */

static void ensure_enumerated(checker *k)
{
    if (k->small.brief)
        enumerate_again(k);
    if (!k->small.done)
        enumerate(k);
}

static witness *seen_race(checker *k, const ix_access *a, const ix_access *b,
                          copy_relation relation)
{
    enumerated *e = find(k, a, b, relation);
    if (e && !witness_launch_holds(k, e->launch)) /* requires found since exclude it */
        return NULL;
    if (e && !e->shown) {
        interp_filling filling = {.seed = 1, .most_filled = RULES_FILLED};
        e->shown = witness_made_readable(k, a, b, relation, e->launch, &filling);
    }
    return e ? e->shown : NULL;
}

witness *enumerate_witness(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation)
{
    ensure_enumerated(k);
    return seen_race(k, a, b, relation);
}

static void ensure_enumerated_briefly(checker *k)
{
    if (k->small.done)
        return;
    k->small.brief = true;
    enumerate(k);
}

size_t enumerate_first_undefined(checker *k, const enumerated_first **first)
{
    ensure_enumerated_briefly(k);
    *first = k->small.first_undefined;
    return arrlenu(k->small.first_undefined);
}

bool enumerate_shows_race(checker *k)
{
    ensure_enumerated_briefly(k);
    bool shows = false;
    for (size_t i = 0; i < arrlenu(k->small.races) && !shows; i++)
        shows = witness_launch_surely_holds(k, k->small.races[i].launch);
    return shows;
}

witness *enumerate_second_look(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation)
{
    ensure_enumerated_briefly(k);
    const enumerated *e = find(k, a, b, relation);
    if (!e || !witness_launch_surely_holds(k, e->launch))
        return NULL;
    return seen_race(k, a, b, relation);
}

witness *enumerate_undefined(checker *k, const ir_op *op, bool index_space)
{
    ensure_enumerated(k);
    enumerated_undefined *e = find_undefined(k, op, index_space);
    return e ? e->shown : NULL;
}

void enumerate_again(checker *k)
{
    k->small.done = k->small.brief = false;
    arrsetlen(k->small.races, 0);
}

void enumerate_free(checker *k)
{
    arrfree(k->small.undefined);
    arrfree(k->small.first_undefined);
    arrfree(k->small.races);
}
