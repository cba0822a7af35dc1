/* Launches that may be shown: the contracts that describe them, and whether a launch meets what the
 * verdict requires and presumes (precondition/natural.c). */
#include "witness/launches.h"

#include "interp/launch.h"
#include "launch/from_contract.h"
#include "precondition/contents_range.h"
#include "precondition/natural.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

/* ---- Section: launches ---- */

static bool fails(const checker *k, const concrete_launch *launch, smt_t fact)
{
    concrete_launch_values v = {k->ctx, k->contract, launch};
    smt_int value;
    return fact && smt_eval(fact, concrete_launch_lookup, &v, &value) && value == 0;
}

enum { SMALL_INDEX = 8191 }; /* more than are filled, as they may have to differ */

/* Words to synchronise by that are assumed to hold 0: no launch with others counts. */
static void state_cleared(checker *k, contract *c)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *p = &k->requires_[i].what;
        if (p == k->breaking || !precondition_clears_words(p))
            continue;
        c->args[p->subject.arg].contents.min = p->contents.min;
        c->args[p->subject.arg].contents.max = p->contents.max;
    }
}

/* Are the elements presumed to differ? For a pair of accesses that is being decided that is known
 * already: k->known.contents.unique has what may be presumed for it. An example meets what the
 * verdict lists and no more: offsets of empty segments are equal. */
static bool are_presumed(const checker *k, int arg)
{
    const obligation_of *pair = &k->deciding;
    bool is_decided = k->breaking || (pair->a && !pair->a->unknown && !pair->b->unknown);
    return !require_is_left_open(k, (size_t)arg) &&
           (!is_decided || k->known.contents.unique >> arg & 1);
}

static void state_range(checker *k, contract *c, size_t arg, smt_t low, smt_t high)
{
    contract_contents *contents = &c->args[arg].contents;
    contents->min = require_greater(k, contents->min, low);
    contents->max = require_smaller(k, contents->max, high);
}

/* States what is required of contents and, of indices that write, presumed, as a contract does. */
static void state_indices(checker *k, contract *c, bool to_fill)
{
    uint64_t args = require_index_buffers(k);
    state_cleared(k, c);
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (args >> i & 1 && !c->args[i].contents.min) {
            c->args[i].contents.unique =
                to_fill ? !require_is_left_open(k, i) : are_presumed(k, (int)i);
            /* A value that no condition asks for is easier to read when it is not negative, and it
             * is small so that no other block's address leaves its type. */
            if (to_fill)
                c->args[i].contents.min = smt_int_const(k->ctx, 0);
            if (to_fill && !c->args[i].contents.max)
                c->args[i].contents.max = smt_int_const(k->ctx, SMALL_INDEX);
        }
    /* Elements that are stated to differ, and nothing else: the other blocks' elements are small
     * all the same. */
    uint64_t stated = to_fill ? require_stated_indices(k) : 0;
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (stated >> i & 1)
            state_range(k, c, i, smt_int_const(k->ctx, 0), smt_int_const(k->ctx, SMALL_INDEX));
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (k->known.contents.unique >> i & 1) {
            c->args[i].contents.unique = true;
            c->args[i].contents.unique_when = k->known.contents.unique_when[i];
        }
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (k->known.contents.increasing >> i & 1)
            c->args[i].contents.increasing = true;
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (k->known.contents.prefix >> i & 1)
            c->args[i].contents.prefix_sum_of = k->known.contents.prefix_of[i];
    for (size_t i = 0; i < k->known.contents.n_tuples; i++) {
        contract_contents *contents = &c->args[k->known.contents.tuples[i].arg].contents;
        contents->n_tuple = k->known.contents.tuples[i].n;
        contents->tuple = k->known.contents.tuples[i].with;
    }
    for (size_t i = 0; i < k->known.contents.n_ranges; i++) {
        const contents_range *range = &k->known.contents.ranges[i];
        state_range(k, c, (size_t)range->arg, range->low, range->high);
    }
    /* No proof uses these, but in a launch that breaks them some block may be undefined. */
    for (size_t i = 0; i < arrlenu(k->requires_) && to_fill; i++) {
        const precondition *p = &k->requires_[i].what;
        if (p != k->breaking && p->kind == PRECONDITION_CONTENTS_RANGE &&
            p->class_ == PRECONDITION_CLASS_LAUNCH)
            state_range(k, c, p->subject.arg, p->contents.min, p->contents.max);
    }
}

static const contract *with_indices(checker *k, bool to_fill)
{
    contract *c = tr_arena_copy(k->arena, k->contract, sizeof *k->contract);
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    state_indices(k, c, to_fill);
    return c;
}

const contract *witness_with_indices(checker *k)
{
    return with_indices(k, true);
}

const contract *witness_with_contents(checker *k)
{
    return with_indices(k, false);
}

/* Does the launch meet what was required or presumed of contents, beyond what the contract
 * states? */
static bool contents_hold(checker *k, const concrete_launch *launch)
{
    const char *why;
    return concrete_launch_meets(k->ctx, k->kernel, with_indices(k, false), launch, &why);
}

bool witness_launch_holds(checker *k, const concrete_launch *launch)
{
    return !fails(k, launch, k->known.required) && !fails(k, launch, require_presumed(k)) &&
           !fails(k, launch, k->hoped.facts) && contents_hold(k, launch);
}

static bool is_true(const checker *k, const concrete_launch *launch, smt_t fact)
{
    concrete_launch_values v = {k->ctx, k->contract, launch};
    smt_int value;
    return !fact || (smt_eval(fact, concrete_launch_lookup, &v, &value) && value);
}

bool witness_launch_surely_holds(checker *k, const concrete_launch *launch)
{
    return witness_launch_holds(k, launch) && is_true(k, launch, k->known.required) &&
           is_true(k, launch, require_presumed(k));
}

/* Undefined behaviour at an op that nothing was asked about (data that wraps) excludes no launch.
 */
static bool is_asked_about(const checker *k, const ir_op *op)
{
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++)
        if (k->s->hazards[i].op == op)
            return true;
    return access_of_op(k, op) != NULL;
}

/* Does a precondition say that this op is defined? */
static bool is_judged_by_runs(const checker *k, const ir_op *op)
{
    for (size_t i = 0; i < arrlenu(k->undefined.run_ops); i++)
        if (k->undefined.run_ops[i] == op)
            return true;
    return false;
}

static bool lies_near(const interp_run *run)
{
    for (size_t i = 0; i < interp_rows(run); i++) {
        interp_row row = interp_row_at(run, i);
        if (row.address < 0 || row.address >= REQUIRE_NEAR || row.last < 0 ||
            row.last >= REQUIRE_NEAR)
            return false;
    }
    return true;
}

bool witness_run_is_defined(checker *k, const interp_run *run)
{
    const interp_ub *ubs;
    size_t n = interp_ubs(run, &ubs);
    if ((k->wraps.machine_values && !lies_near(run)) || (k->wraps.by_runs && n > 0))
        return false;
    for (size_t i = 0; i < n; i++) {
        if ((k->wraps.machine_values && ubs[i].kind == INTERP_UB_OUT_OF_BUFFER) ||
            is_judged_by_runs(k, ubs[i].op))
            return false;
        if (ubs[i].kind == INTERP_UB_ASSUME &&
            !(k->wraps.doubted && k->wraps.doubted[ubs[i].op->ordinal]))
            return false; /* the kernel itself says that this launch is none */
        bool open = k->undefined.open || (k->claims.open && ubs[i].kind == INTERP_UB_CLAIM);
        if (!open && ubs[i].kind != INTERP_UB_OUT_OF_BUFFER && is_asked_about(k, ubs[i].op))
            return false;
    }
    return true;
}

/* A launch with values that wrap shows a race only if all of it is defined and in its buffers, so
 * it is run whole although it is large: 16 bits of a number wrap with 65,537 blocks. */
enum { MAX_BLOCKS = 4096, MAX_BLOCKS_WHOLE = 1 << 17 };

static bool has_at_most(const concrete_launch *launch, int64_t most)
{
    for (int axis = 0; axis < 3; axis++)
        if (launch->grid[axis] > most)
            return false;
    return launch->grid[0] * launch->grid[1] * launch->grid[2] <= most;
}

bool witness_allows(checker *k, const concrete_launch *launch, const char **why)
{
    *why = "the launch breaks what the verdict requires";
    if (!witness_launch_holds(k, launch))
        return false;
    bool is_short = has_at_most(launch, MAX_BLOCKS);
    if (!is_short && !k->wraps.machine_values)
        return true; /* too long to run: the witness's two blocks are looked at */
    if (!is_short && !has_at_most(launch, MAX_BLOCKS_WHOLE))
        return false;
    interp_run *run = ask_run(k, launch, 4000000, 1000000, NULL);
    bool whole = is_short || interp_run_status(run) == INTERP_DONE;
    bool defined = whole && witness_run_is_defined(k, run);
    interp_run_free(run);
    return defined;
}

/* ---- Section: a contract of natural launches ---- */

static void add_fact(checker *k, contract *c, smt_t fact)
{
    if (fact->kind == SMT_AND) {
        for (uint32_t i = 0; i < fact->n_args; i++)
            add_fact(k, c, fact->args[i]);
    } else if (!smt_is_true(fact) && term_is_launch_constant(k, fact)) {
        contract_fact added = {.term = fact, .text = "required"};
        for (size_t i = 0; i < arrlenu(c->facts); i++)
            if (c->facts[i].term == fact)
                return;
        arrput(c->facts, added);
    }
}

/* Does an argument state contents of this buffer? A launch takes the contents of a buffer from one
 * argument. */
static bool speaks_of_buffer(const contract *c, size_t of)
{
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_contents *said = &c->args[i].contents;
        if ((said->min || said->max || said->unique) &&
            contract_share_buffer(&c->args[i], &c->args[of]))
            return true;
    }
    return false;
}

/* Locks, flags and counters that the contract does not mention are cleared before the launch;
 * indices that say where the kernel writes are distinct. */
static void presume_contents(checker *k, contract *c)
{
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        int arg = a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
        if (a->ordering == IR_WEAK || !a->reads || arg < 0 || speaks_of_buffer(c, (size_t)arg))
            continue;
        if (!ir_type_is_int(k->kernel->body->args[arg]->type->elem->elem))
            continue;
        c->args[arg].contents.min = c->args[arg].contents.max = smt_int_const(k->ctx, 0);
    }
    state_indices(k, c, true);
}

contract *witness_natural_contract(checker *k)
{
    contract *c = tr_arena_copy(k->arena, k->contract, sizeof *k->contract);
    c->facts = NULL;
    for (size_t i = 0; i < arrlenu(k->contract->facts); i++)
        arrput(c->facts, k->contract->facts[i]);
    presume_contents(k, c);
    add_fact(k, c, require_presumed(k));
    if (k->known.required)
        add_fact(k, c, k->known.required);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        add_fact(k, c, k->s->accesses[i].facts); /* assume ops of the kernel */
    return c;
}
