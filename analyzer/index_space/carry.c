/* Describes what loops carry: unchanged values, inductions, first iterations apart, moves by
 * multiples of a step, values that all blocks share. Any other is a function of the block and the
 * iteration. To find out, the body is walked on trial with such functions in place. */
#include "index_space/carry.h"

#include "base/ds.h"

#include <string.h>

/* The value of an open carried value: the block's and the iteration's own. */
static void open_value(ix_walk *walk, carried *c)
{
    c->form = CARRY_OPEN;
    c->value = ix_private_value(walk, c->arg, "carried");
    if (c->value.kind == IX_POINTER && c->init.kind == IX_POINTER) {
        /* The value stays in the same buffer as long as no iteration says otherwise: solve()
         * checks. */
        c->value.allocation = c->init.allocation;
        c->value.arg = c->init.arg;
        c->value.region = c->init.region;
        c->value.unknown = c->init.unknown;
    }
}

/* Does the term change from one iteration of this loop to the next, as far as one can see? */
static bool varies(const loop_walk *lw, smt_t term)
{
    return smt_contains(term, lw->loop->counter);
}

enum { MAX_CHOICES = 4 }; /* inside each other, that a difference is taken into */

/* a - b, taken into the branches of a choice so that b can cancel there. */
static smt_t difference(smt_ctx *ctx, smt_t a, smt_t b, int choices)
{
    if (a->kind != SMT_ITE || choices == 0)
        return smt_sub(ctx, a, b);
    smt_t condition = a->args[0], negation = smt_not(ctx, condition);
    smt_t yes = difference(ctx, a->args[1], smt_assume(ctx, b, condition), choices - 1);
    smt_t no = difference(ctx, a->args[2], smt_assume(ctx, b, negation), choices - 1);
    return smt_choice(ctx, condition, yes, no);
}

/* ---- Section: forms, each of which is given to the open value if it has it ---- */

/* The two forms in which a compiler peels the first iteration: a value that is the same in all
 * later iterations (a flag), and a step that differs in the first one (an increment at the loop's
 * top). */
static void solve_first_apart(ix_walk *walk, const loop_walk *lw, carried *c, smt_t step)
{
    smt_ctx *ctx = walk->ctx;
    smt_t counter = lw->loop->counter, zero = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1);
    smt_t first = smt_eq(ctx, counter, zero);
    if (c->value.kind != IX_INT)
        return;
    smt_t next = smt_add(ctx, c->value.term, step);
    if (!varies(lw, next)) { /* nor does it contain the open value, which varies */
        c->form = CARRY_OTHER;
        c->value = c->init;
        c->value.term = smt_ite(ctx, first, c->init.term, next);
        return;
    }
    if (step->kind != SMT_ITE || step->args[0] != first || varies(lw, step->args[1]) ||
        varies(lw, step->args[2]))
        return;
    smt_t later = smt_mul(ctx, smt_sub(ctx, counter, one), step->args[2]);
    smt_t moved = smt_ite(ctx, first, zero, smt_add(ctx, step->args[1], later));
    c->form = CARRY_OTHER;
    c->value = c->init;
    c->value.term = smt_add(ctx, c->init.term, moved);
}

/* Is the term a value that a load or a reduction gave, or that of a masked load with its
 * padding? */
static bool is_read(smt_t term)
{
    if (term->kind == SMT_ITE)
        term = term->args[1];
    return term->kind == SMT_APP && (strncmp(term->name, IX_LOADED, strlen(IX_LOADED)) == 0 ||
                                     strncmp(term->name, IX_REDUCED, strlen(IX_REDUCED)) == 0);
}

/* Handles a loop in which a value that an iteration has read steers the next one: spinning on a
 * flag, drawing numbers. */
static void solve_read_before(ix_walk *walk, const loop_walk *lw, carried *c, smt_t step)
{
    smt_ctx *ctx = walk->ctx;
    smt_t counter = lw->loop->counter, one = smt_int_const(ctx, 1);
    if (c->value.kind != IX_INT)
        return;
    smt_t next = smt_add(ctx, c->value.term, step), before = smt_sub(ctx, counter, one);
    if (step->kind == SMT_ITE)
        next = smt_ite(ctx, step->args[0], smt_add(ctx, c->value.term, step->args[1]),
                       smt_add(ctx, c->value.term, step->args[2]));
    if (!is_read(next) || smt_contains(next, c->value.term))
        return;
    c->form = CARRY_OTHER;
    c->value = c->init;
    smt_t within, read = smt_instantiate(ctx, next, 1, &counter, &before, &within);
    c->value.term = smt_ite(ctx, within, read, c->init.term);
}

/* A step that is a multiple of what stays the same: X = init + S * times, where times >= 0 is a
 * function of the block and the iteration. A counter moved by the grid's size, or by a number, in
 * an inner loop. */
static void solve_multiple(ix_walk *walk, const loop_walk *lw, carried *c, smt_t step)
{
    smt_ctx *ctx = walk->ctx;
    bool is_scaled = step->kind == SMT_SUM && step->n_args == 1 && step->value == 0;
    smt_t same = smt_int_const(ctx, is_scaled ? step->coefs[0] : 1);
    smt_t product = is_scaled ? step->args[0] : step;
    bool is_product = product->kind == SMT_PROD;
    size_t n_same = is_scaled;
    if (c->value.kind != IX_INT || c->arg->type->rank > 0)
        return;
    for (uint32_t i = 0; i < (is_product ? product->n_args : 1); i++) {
        smt_t factor = is_product ? product->args[i] : product;
        smt_int low, high;
        smt_bounds(factor, &low, &high);
        if (!varies(lw, factor)) {
            same = smt_mul(ctx, same, factor);
            n_same++;
        } else if (low < 0) {
            return;
        }
    }
    if (n_same == 0 || smt_contains(step, c->value.term))
        return;
    const char *name = tr_arena_printf(walk->arena, "times.%u.%u", lw->op->ordinal, c->arg->index);
    smt_t times = ix_private_term(walk, name, NULL, false, 0, SMT_NO_HIGH);
    c->form = CARRY_OTHER;
    c->function = times;
    c->start = smt_int_const(ctx, 0);
    c->value = c->init;
    c->value.term = smt_add(ctx, c->init.term, smt_mul(ctx, same, times));
}

/* A value that starts and moves in the same way in all blocks is a function of the iteration alone:
 * running totals of what a table says. */
static void solve_shared(ix_walk *walk, const loop_walk *lw, size_t i)
{
    smt_ctx *ctx = walk->ctx;
    carried *c = &lw->carried[i];
    smt_t next = NULL;
    if (c->value.kind != IX_INT || c->arg->type->rank > 0 ||
        !ix_is_alike(walk, c->init.term, 0, NULL))
        return;
    for (size_t s = 0; s < arrlenu(lw->sites); s++) {
        const ix_value *passed = &lw->sites[s].values[i];
        if (lw->sites[s].is_break)
            continue;
        if (next && next != passed->term)
            return;
        next = passed->term;
    }
    TR_ASSERT(next); /* where no iteration follows, the value is solved */
    if (!ix_is_alike(walk, next, 1, &c->value.term))
        return;
    smt_t counters[IX_MAX_LOOPS];
    const ix_loop *loops[IX_MAX_LOOPS];
    int n = ix_loops_here(walk, loops);
    for (int d = 0; d < n; d++)
        counters[d] = loops[d]->counter;
    smt_int low, high;
    ix_type_range(ix_element_type(c->arg->type), &low, &high);
    if (n <= 0)
        return;
    const char *name = tr_arena_printf(walk->arena, "shared.%u.%u", lw->op->ordinal, c->arg->index);
    c->form = CARRY_OTHER;
    c->value = c->init;
    c->value.term = smt_app(ctx, ix_own_function(walk, name), (size_t)n, counters, low, high);
    c->function = c->value.term;
    c->start = c->init.term;
}

/* ---- Section: facts about the values that are followed ---- */

/* A carried value as the sum that the iteration before passed on, told by the summand that only
 * that sum has: where the summand stands in a fact, the value can. */
typedef struct passed_on {
    smt_ctx *ctx;
    smt_int times;          /* not 0 */
    smt_t summand, instead; /* times * summand = instead = value - the rest of the sum */
} passed_on;

static smt_t put_value(void *user, smt_t term)
{
    const passed_on *p = user;
    if (p->times == 1)
        return term == p->summand ? p->instead : NULL;
    for (uint32_t i = 0; term->kind == SMT_SUM && i < term->n_args; i++) {
        if (term->args[i] != p->summand || term->coefs[i] % p->times != 0)
            continue;
        smt_t rest = smt_sub(p->ctx, term, smt_scale(p->ctx, p->summand, term->coefs[i]));
        return smt_add(p->ctx, rest, smt_scale(p->ctx, p->instead, term->coefs[i] / p->times));
    }
    return NULL;
}

static bool has_summand(smt_t sum, smt_t summand)
{
    bool found = sum == summand;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args && !found; i++)
        found = sum->args[i] == summand;
    return found;
}

/* Finds the passed-on value: next is what iteration counter - 1 passed on, old the value that it
 * had itself. */
static bool find_passed_on(smt_ctx *ctx, smt_t value, smt_t next, smt_t old, passed_on *p)
{
    for (uint32_t i = 0; next->kind == SMT_SUM && i < next->n_args; i++) {
        smt_t summand = next->args[i];
        smt_int times = next->coefs[i];
        if (summand->kind == SMT_VAR || has_summand(old, summand))
            continue;
        smt_t rest = smt_sub(ctx, next, smt_scale(ctx, summand, times));
        *p = (passed_on){ctx, times, summand, smt_sub(ctx, value, rest)};
        return true;
    }
    return false;
}

/* The fact as it is in the first iteration. */
static smt_t at_start(smt_ctx *ctx, const loop_walk *lw, smt_t fact)
{
    smt_t zero = smt_int_const(ctx, 0);
    for (size_t i = 0; i < lw->n; i++) {
        smt_t within;
        if (!lw->carried[i].function)
            continue;
        fact =
            smt_instantiate(ctx, fact, 1, &lw->carried[i].function, &lw->carried[i].start, &within);
        fact = smt_implies(ctx, within, fact); /* it is what the function is there */
    }
    return smt_substitute(ctx, fact, 1, &lw->loop->counter, &zero);
}

/* A part of what held at the end of the iteration before, in terms of what it passed on. NULL: it
 * does not speak of that. */
static smt_t fact_of_values(smt_ctx *ctx, const loop_walk *lw, const ix_site *passed, smt_t part)
{
    smt_t counter = lw->loop->counter, before = smt_sub(ctx, counter, smt_int_const(ctx, 1));
    bool speaks = false;
    for (size_t i = 0; i < lw->n; i++) {
        const carried *c = &lw->carried[i];
        passed_on p;
        if (!c->function)
            continue;
        smt_t within; /* there is an iteration before: its user says so */
        smt_t next = smt_instantiate(ctx, passed->values[i].term, 1, &counter, &before, &within);
        smt_t old = smt_instantiate(ctx, c->value.term, 1, &counter, &before, &within);
        if (!find_passed_on(ctx, c->value.term, next, old, &p))
            continue;
        smt_t changed = smt_rewrite(ctx, part, put_value, &p);
        speaks |= changed != part;
        part = changed;
    }
    return speaks ? part : NULL;
}

smt_t ix_carried_facts(ix_walk *walk, const loop_walk *lw)
{
    smt_ctx *ctx = walk->ctx;
    smt_t counter = lw->loop->counter, one = smt_int_const(ctx, 1);
    smt_t first = smt_lt(ctx, counter, one), before = smt_sub(ctx, counter, one);
    smt_t facts = smt_bool_const(ctx, true);
    const ix_site *passed = NULL;
    size_t n_passed = 0, n_followed = 0;
    for (size_t s = 0; s < arrlenu(lw->sites); s++) {
        n_passed += !lw->sites[s].is_break;
        if (!lw->sites[s].is_break)
            passed = &lw->sites[s];
    }
    for (size_t i = 0; i < lw->n && n_passed == 1; i++) {
        const carried *c = &lw->carried[i];
        if (!c->function)
            continue;
        smt_t start = smt_eq(ctx, c->function, c->start);
        facts = smt_and(ctx, facts, smt_implies(ctx, first, start));
        n_followed++;
    }
    if (n_followed == 0)
        return facts;
    smt_t within, path = smt_instantiate(ctx, passed->path, 1, &counter, &before, &within);
    smt_t known = smt_instantiate(ctx, passed->facts, 1, &counter, &before, &within);
    uint32_t parts = known->kind == SMT_AND ? known->n_args : 1;
    for (uint32_t k = 0; k < parts; k++) {
        smt_t part = smt_assume(ctx, known->kind == SMT_AND ? known->args[k] : known, path);
        smt_t fact = fact_of_values(ctx, lw, passed, part);
        if (!fact)
            continue;
        /* An invariant where it is true without an iteration before, too. */
        bool always = smt_is_true(at_start(ctx, lw, fact));
        facts = smt_and(ctx, facts, always ? fact : smt_implies(ctx, within, fact));
    }
    return facts;
}

/* ---- Section: solving ---- */

static smt_t plus(ix_walk *walk, smt_t term, void *by)
{
    return smt_add(walk->ctx, term, by);
}

ix_value ix_stepped(ix_walk *walk, const carried *c, smt_t times)
{
    ix_value v = c->init;
    smt_t moved = smt_mul(walk->ctx, times, c->step);
    ix_change_candidates(walk, &v, false, plus, (void *)moved);
    return v;
}

/* Does every continue pass on a pointer into the buffer that open value i points into? If not, its
 * buffer is not known. Values that are no pointers stay. */
static bool stays_in_buffer(loop_walk *lw, size_t i)
{
    ix_value *value = &lw->carried[i].value;
    for (size_t s = 0; s < arrlenu(lw->sites) && value->kind == IX_POINTER; s++) {
        const ix_value *next = &lw->sites[s].values[i];
        if (lw->sites[s].is_break ||
            (next->kind == IX_POINTER && next->allocation == value->allocation &&
             next->region == value->region))
            continue;
        value->allocation = -1;
        value->unknown = "a loop moves the pointer from one buffer to another";
        return false;
    }
    return true;
}

/* Gives open value i its form, if what the continues pass on says which. */
static void solve(ix_walk *walk, loop_walk *lw, size_t i)
{
    carried *c = &lw->carried[i];
    smt_t step = NULL;
    bool any = false;
    if (!stays_in_buffer(lw, i))
        return;
    for (size_t s = 0; s < arrlenu(lw->sites); s++) {
        if (lw->sites[s].is_break)
            continue;
        const ix_value *next = &lw->sites[s].values[i];
        if (next->kind != c->value.kind)
            return;
        smt_t by;
        if (next->kind == IX_BOOL) {
            if (next->term != c->value.term)
                return;
            by = smt_int_const(walk->ctx, 0);
        } else {
            by = difference(walk->ctx, next->term, c->value.term, MAX_CHOICES);
        }
        if (any && by != step)
            return;
        step = by;
        any = true;
    }
    smt_int constant;
    if (!any || (smt_is_const(step, &constant) && constant == 0)) {
        c->form = CARRY_SAME;
        c->value = c->init;
        return;
    }
    solve_first_apart(walk, lw, c, step);
    if (c->form == CARRY_OPEN)
        solve_read_before(walk, lw, c, step);
    if (c->form == CARRY_OPEN && varies(lw, step)) {
        solve_multiple(walk, lw, c, step);
    } else if (c->form == CARRY_OPEN) {
        /* A tile's elements may move by different amounts: the step is a function of the
         * coordinate. */
        c->form = CARRY_STEP;
        c->step = step;
        c->value = ix_stepped(walk, c, lw->loop->counter);
    }
}

/* Floats and tokens are not followed. */
bool ix_worth_solving(const carried *c)
{
    return c->value.kind != IX_NONE;
}

static bool is_open(const carried *c)
{
    return c->form == CARRY_OPEN && ix_worth_solving(c);
}

/* Walks the body on trial. False: it was cut short. Then nothing is said of what iterations pass
 * on, because continues may be missing. */
static bool try_body(ix_walk *walk, loop_walk *lw)
{
    ix_walk_body(walk, lw);
    if (walk->trial_ops == 0)
        arrfree(lw->sites);
    return walk->trial_ops > 0;
}

/* Looks at what a trial has found. True: something new is known. */
static bool look_at_trial(ix_walk *walk, loop_walk *lw)
{
    bool progress = false;
    for (size_t i = 0; i < lw->n; i++) {
        carried *c = &lw->carried[i];
        if (!is_open(c))
            continue;
        int allocation = c->value.allocation;
        solve(walk, lw, i);
        progress |= !is_open(c) || allocation != c->value.allocation;
    }
    for (size_t i = 0; i < lw->n && !progress; i++) { /* where nothing simpler is left */
        if (!is_open(&lw->carried[i]))
            continue;
        solve_shared(walk, lw, i);
        progress = !is_open(&lw->carried[i]);
    }
    return progress;
}

static bool any_is_open(const loop_walk *lw)
{
    for (size_t i = 0; i < lw->n; i++)
        if (is_open(&lw->carried[i]))
            return true;
    return false;
}

void ix_solve_carried(ix_walk *walk, loop_walk *lw)
{
    for (size_t i = 0; i < lw->n; i++)
        open_value(walk, &lw->carried[i]);
    bool record = walk->record;
    walk->record = false;
    bool progress = true;
    while (progress && any_is_open(lw))
        progress = try_body(walk, lw) && look_at_trial(walk, lw);
    for (size_t i = 0; i < lw->n; i++)
        if (lw->carried[i].function) {
            try_body(walk, lw); /* for what it passes on, all forms being known */
            break;
        }
    walk->record = record;
    if (walk->trial_ops > 0)
        return;
    for (size_t i = 0; i < lw->n; i++)
        if (is_open(&lw->carried[i]) && lw->carried[i].value.kind == IX_POINTER) {
            /* no trial said that it stays in its buffer */
            lw->carried[i].value.allocation = -1;
            lw->carried[i].value.unknown = "the loop is too large to follow its pointers";
        }
}
