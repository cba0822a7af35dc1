/* Launches as callers make them: what a race that is shown may not break.
 *
 * A race in a launch whose arrays overlap themselves, or whose kernel runs into undefined behaviour
 * that a require excludes, is no race of a launch that anybody is allowed to make. So where nothing
 * proves an obligation, its witness is looked for among natural launches only. A contract that
 * speaks of the strides says what is natural itself. */
#include "rules/require_search.h"

#include "base/ds.h"
#include "interp/launch.h"

#include <string.h>

/* ---- Section: facts on the launch ---- */

static bool is_written(const checker *k, const ix_access *a)
{
    return a->allocation < 0 || k->s->allocations[a->allocation].written;
}

/* The arrays that the kernel writes do not overlap themselves. */
static smt_t arrays_hold(checker *k)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->unknown || !is_written(k, a))
            continue; /* inputs may be broadcast */
        smt_t chain = a->tensor ? layout_chain(k, a->tensor) : require_array_chain(k, a);
        if (!chain || smt_is_true(chain) || !term_is_launch_constant(k, chain) ||
            contract_constrains(k, chain) || smt_is_false(smt_and(ctx, all, chain)))
            continue;
        all = smt_and(ctx, all, chain);
    }
    return all;
}

smt_t require_presumed(checker *k)
{
    if (k->presumed)
        return k->presumed;
    smt_t all = smt_and(k->ctx, arrays_hold(k), require_tables_hold(k));
    if (!smt_is_true(all)) {
        smt_t *conjuncts = NULL;
        arrput(conjuncts, k->launch);
        arrput(conjuncts, all);
        if (ask_briefly(k, conjuncts, "natural").verdict == SMT_UNSAT)
            all = smt_bool_const(k->ctx, true);
        arrfree(conjuncts);
    }
    k->presumed = all;
    return all;
}

smt_t require_in_space(checker *k, const ix_access *a)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true), zero = smt_int_const(ctx, 0);
    for (int i = 0; i < a->n_index; i++)
        if (a->index_end[i])
            all = smt_and(ctx, all,
                          smt_and(ctx, smt_le(ctx, zero, a->index[i]),
                                  smt_lt(ctx, a->index[i], a->index_end[i])));
    return all;
}

smt_t require_defined(checker *k, const ix_access *a)
{
    if (k->undefined_open || a->unknown)
        return smt_bool_const(k->ctx, true);
    smt_t all = smt_and(k->ctx, a->assumed, require_in_space(k, a));
    return a->claimed ? smt_and(k->ctx, all, a->claimed) : all;
}

smt_t require_both_defined(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation)
{
    return smt_and(k->ctx, copy_term(k, require_defined(k, a), relation, 0),
                   copy_term(k, require_defined(k, b), relation, 1));
}

smt_answer require_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, smt_t also, smt_t **conjuncts, const char *name,
                           smt_answer before)
{
    smt_t more = smt_and(k->ctx, require_presumed(k), require_both_defined(k, a, b, relation));
    if (k->hoped)
        more = smt_and(k->ctx, more, k->hoped);
    if (smt_is_true(more) || before.verdict == SMT_UNSAT)
        return before;
    arrput(*conjuncts, more);
    smt_answer answer = ask(k, *conjuncts, name);
    if (answer.verdict != SMT_UNSAT)
        return answer;
    if (k->hoped)
        return (smt_answer){.verdict = SMT_UNKNOWN,
                            .why = SMT_WHY_TIMEOUT,
                            .why_text = "there was no time to find what the launch has to "
                                        "guarantee"};
    smt_t *reach = NULL;
    copy_add_event(k, &reach, a, relation, 0);
    copy_add_event(k, &reach, b, relation, 1);
    arrput(reach, also);
    arrput(reach, more);
    bool reachable = ask(k, reach, "require-reachable").verdict == SMT_SAT;
    arrfree(reach);
    if (!reachable)
        return (smt_answer){.verdict = SMT_UNKNOWN,
                            .why = SMT_WHY_FAILED,
                            .why_text = "no launch was found that keeps the requires and in which "
                                        "both accesses happen"};
    if (!smt_is_true(k->presumed)) {
        smt_t arrays = arrays_hold(k), tables = require_tables_hold(k);
        if (!smt_is_true(arrays))
            require_add_fact(k, REQUIRE_NO_SELF_OVERLAP, arrays);
        if (!smt_is_true(tables))
            require_add_fact(k, REQUIRE_IN_BOUNDS, tables);
    }
    return answer;
}

/* ---- Section: launches ---- */

static bool fails(const checker *k, const interp_launch *launch, smt_t fact)
{
    interp_launch_values v = {k->ctx, k->contract, launch};
    smt_int value;
    return fact && smt_eval(fact, interp_launch_lookup, &v, &value) && value == 0;
}

typedef struct index_search {
    const checker *k;
    uint64_t args;
} index_search;

static void look_for_index(void *user, smt_t term)
{
    index_search *s = user;
    int allocation = summary_contents_of(s->k->s, term, NULL);
    int arg = allocation < 0 ? -1 : s->k->s->allocations[allocation].first_arg;
    if (arg >= 0 && arg < 64)
        s->args |= (uint64_t)1 << arg;
}

/* Index buffers: their elements say where the kernel writes. Where nobody stated anything, they are
 * meant to be distinct. */
static uint64_t index_buffers(checker *k)
{
    index_search s = {k, 0};
    for (size_t i = 0; i < arrlenu(k->s->accesses) && k->contract->source == CONTRACT_NONE; i++)
        if (k->s->accesses[i].writes && k->s->accesses[i].ordering == IR_WEAK)
            smt_visit(k->ctx, k->s->accesses[i].bytes, look_for_index, &s);
    return s.args;
}

enum { MAX_ELEMENTS = 2048 };

static bool is_distinct(const interp_buffer *buffer, size_t width)
{
    size_t n = buffer->data && !buffer->opaque ? (size_t)buffer->data_bytes / width : 0;
    n = n < MAX_ELEMENTS ? n : MAX_ELEMENTS;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (memcmp(buffer->data + i * width, buffer->data + j * width, width) == 0)
                return false;
    return true;
}

static bool indices_are_distinct(checker *k, const interp_launch *launch)
{
    uint64_t args = index_buffers(k);
    for (size_t i = 0; i < launch->n_args && i < 64; i++)
        if (args >> i & 1 && launch->args[i].buffer >= 0 &&
            !is_distinct(&launch->buffers[launch->args[i].buffer],
                         (size_t)ir_type_bytes(k->kernel->body->args[i]->type->elem->elem)))
            return false;
    return true;
}

bool require_launch_holds(checker *k, const interp_launch *launch)
{
    return !fails(k, launch, k->required) && !fails(k, launch, require_presumed(k)) &&
           !fails(k, launch, k->hoped) && indices_are_distinct(k, launch);
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

bool require_run_is_defined(checker *k, const interp_run *run)
{
    const interp_ub *ubs;
    size_t n = interp_ubs(run, &ubs);
    for (size_t i = 0; i < n; i++) {
        if (ubs[i].kind == INTERP_UB_ASSUME)
            return false; /* the kernel itself says that this launch is none */
        if (!k->undefined_open && ubs[i].kind != INTERP_UB_OUT_OF_BUFFER &&
            is_asked_about(k, ubs[i].op))
            return false;
    }
    return true;
}

enum { MAX_BLOCKS = 4096 };

bool require_allows(checker *k, const interp_launch *launch, const char **why)
{
    *why = "the launch breaks what the verdict requires";
    if (!require_launch_holds(k, launch))
        return false;
    if (launch->grid[0] > MAX_BLOCKS || launch->grid[1] > MAX_BLOCKS ||
        launch->grid[2] > MAX_BLOCKS ||
        launch->grid[0] * launch->grid[1] * launch->grid[2] > MAX_BLOCKS)
        return true; /* too long to run: the two blocks of the witness are looked at */
    interp_limits limits = {.steps = 4000000, .events = 1000000};
    interp_run *run = interp_execute(k->kernel, launch, &k->options->model, &limits, NULL);
    bool defined = require_run_is_defined(k, run);
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

/* Locks, flags and counters that nobody says anything of are cleared before the launch; indices of
 * what is written are distinct. */
static void presume_contents(checker *k, contract *c)
{
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        int arg = a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
        if (a->ordering == IR_WEAK || !a->reads || arg < 0 || c->args[arg].contents.min ||
            c->args[arg].contents.max || c->args[arg].contents.unique)
            continue;
        if (!ir_type_is_int(k->kernel->body->args[arg]->type->elem->elem))
            continue;
        c->args[arg].contents.min = c->args[arg].contents.max = smt_int_const(k->ctx, 0);
    }
    uint64_t args = index_buffers(k);
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (args >> i & 1 && !c->args[i].contents.min)
            c->args[i].contents.unique = true;
}

contract *require_natural_contract(checker *k)
{
    contract *c = tr_arena_copy(k->arena, k->contract, sizeof *k->contract);
    c->facts = NULL;
    for (size_t i = 0; i < arrlenu(k->contract->facts); i++)
        arrput(c->facts, k->contract->facts[i]);
    presume_contents(k, c);
    add_fact(k, c, require_presumed(k));
    if (k->required)
        add_fact(k, c, k->required);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        add_fact(k, c, k->s->accesses[i].facts); /* assume ops of the kernel */
    return c;
}
