/* Structured control flow: branches, counted loops, open loops, and what loops carry.
 *
 * A value that a loop carries is solved where its form is simple: unchanged, or moved by the same
 * amount in every iteration (an induction). Any other is a function of the block and the iteration
 * that nothing is known of. To find out, a loop's body is walked on trial with such functions in
 * place; trials record nothing and are bounded over the whole kernel. */
#include "index_space/carry.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: merging the two ways of a branch ---- */

static ix_value merge_values(ix_walk *walk, const ir_value *result, smt_t condition,
                             const ix_value *a, const ix_value *b)
{
    smt_ctx *ctx = walk->ctx;
    if (a->kind == b->kind && (a->kind == IX_INT || a->kind == IX_BOOL)) {
        ix_value v = *a;
        v.term = smt_choice(ctx, condition, a->term, b->term);
        return v;
    }
    return ix_choose(walk, result, "merged", condition, a, b);
}

static void keep_values(ix_walk *walk, const ir_op *terminator, ix_value *out)
{
    for (uint32_t i = 0; out && i < terminator->n_operands; i++) {
        const ir_value *operand = terminator->operands[i];
        out[i] = ix_get(walk, operand);
        const ir_type *elem = ix_element_type(operand->type);
        if (out[i].kind == IX_NONE && ir_type_is_int(elem))
            out[i] = ix_private_value(walk, operand, "value");
    }
}

static ix_end walk_if(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    smt_t condition = ix_bool(walk, op->operands[0]);
    smt_t path = walk->path, facts = walk->facts, yes = smt_bool_const(ctx, true);
    smt_t assumed = walk->assumed;
    size_t n = op->n_results + 1;
    ix_value *values[2];
    smt_t paths[2], side_facts[2];
    ix_end ends[2];
    for (int side = 0; side < 2; side++) {
        values[side] = TR_NEW_ARRAY(walk->arena, ix_value, n);
        walk->path = smt_and(ctx, path, side == 0 ? condition : smt_not(ctx, condition));
        walk->facts = facts;
        walk->assumed = assumed;
        ends[side] = IX_FALLS;
        if (smt_is_false(walk->path))
            ends[side] = IX_LEAVES; /* never taken: its values must not blur the other's */
        else if (op->regions[side])
            ends[side] = ix_walk_block(walk, op->regions[side], values[side]);
        paths[side] = walk->path;
        side_facts[side] = walk->facts;
    }
    walk->assumed = assumed; /* what one branch assumed is not known of the other */
    if (ends[0] == IX_LEAVES && ends[1] == IX_LEAVES) {
        walk->path = smt_bool_const(ctx, false);
        return IX_LEAVES;
    }
    if (ends[0] == IX_FALLS && ends[1] == IX_FALLS) {
        smt_t entered[2] = {smt_and(ctx, path, condition),
                            smt_and(ctx, path, smt_not(ctx, condition))};
        bool whole = paths[0] == entered[0] && paths[1] == entered[1];
        walk->path = whole ? path : smt_or(ctx, paths[0], paths[1]);
        smt_t more = yes; /* what a branch learnt holds where that branch ran */
        if (side_facts[0] != facts)
            more = smt_and(ctx, more, smt_implies(ctx, condition, side_facts[0]));
        if (side_facts[1] != facts)
            more = smt_and(ctx, more, smt_or(ctx, condition, side_facts[1]));
        walk->facts = smt_and(ctx, facts, more);
        for (uint32_t i = 0; i < op->n_results; i++)
            ix_set(walk, &op->results[i],
                   merge_values(walk, &op->results[i], condition, &values[0][i], &values[1][i]));
        return IX_FALLS;
    }
    int side = ends[0] == IX_FALLS ? 0 : 1;
    walk->path = paths[side];
    walk->facts = side_facts[side];
    for (uint32_t i = 0; i < op->n_results; i++)
        ix_set(walk, &op->results[i], values[side][i]);
    return IX_FALLS;
}

/* ---- Section: loops ---- */

void ix_walk_body(ix_walk *walk, loop_walk *lw)
{
    smt_t path = walk->path, facts = walk->facts, assumed = walk->assumed;
    ix_frame frame = {.op = lw->op, .outer = walk->frame};
    walk->frame = &frame;
    walk->path = smt_and(walk->ctx, path, lw->entered);
    uint32_t first = lw->op->code == IR_OP_FOR ? 1 : 0;
    if (first)
        ix_set(walk, lw->body->args[0], lw->induction);
    for (size_t i = 0; i < lw->n; i++)
        ix_set(walk, lw->carried[i].arg, lw->carried[i].value);
    if (!smt_is_false(walk->path))
        ix_walk_block(walk, lw->body, NULL);
    walk->path = path;
    walk->facts = facts;
    walk->assumed = assumed;
    walk->frame = frame.outer;
    arrfree(lw->sites);
    lw->sites = frame.sites;
}

/* Finds the forms of the carried values, inside the loop. */
static void solve_inside(ix_walk *walk, loop_walk *lw)
{
    const ix_loop *outer = walk->loop;
    walk->loop = lw->loop;
    ix_solve_carried(walk, lw);
    walk->loop = outer;
}

/* The walk that counts, all forms being known. */
static void walk_last(ix_walk *walk, loop_walk *lw)
{
    const ix_loop *outer = walk->loop;
    smt_t facts = walk->facts;
    walk->loop = lw->loop;
    walk->facts = smt_and(walk->ctx, facts, ix_carried_facts(walk, lw));
    ix_walk_body(walk, lw);
    walk->facts = facts;
    walk->loop = outer;
}

static ix_loop *new_loop(ix_walk *walk, const ir_op *op, smt_int most)
{
    ix_loop *loop = TR_NEW(walk->arena, ix_loop);
    loop->op = op;
    loop->outer = walk->loop;
    loop->depth = walk->loop ? walk->loop->depth + 1 : 0;
    loop->entered = walk->path;
    const char *stem = "loop";
    if (op->code == IR_OP_FOR && op->regions[0]->args[0]->name)
        stem = op->regions[0]->args[0]->name;
    const char *name = tr_arena_printf(walk->arena, "%s@%u", stem, op->ordinal);
    name = ix_own_name(walk, name);
    loop->counter = smt_private_var(walk->ctx, name, 0, most);
    /* Walked before, when fewer rounds were possible: that variable's range is too small. */
    if (loop->counter->high < most)
        loop->counter =
            smt_private_var(walk->ctx, tr_arena_printf(walk->arena, "%s+", name), 0, SMT_NO_HIGH);
    TR_ASSERT(loop->counter->low <= 0 && most <= loop->counter->high); /* walked before or not */
    bool known = false;
    for (size_t i = 0; i < arrlenu(walk->s->loops); i++)
        if (walk->s->loops[i]->counter == loop->counter) {
            known = true;
            if (walk->record)
                walk->s->loops[i] = loop;
        }
    if (!known)
        arrput(walk->s->loops, loop);
    return loop;
}

static loop_walk begin_loop(ix_walk *walk, const ir_op *op, unsigned init_group, smt_int most)
{
    loop_walk lw = {.op = op, .body = op->regions[0], .loop = new_loop(walk, op, most)};
    lw.entered = smt_bool_const(walk->ctx, true);
    uint32_t count, first = op->code == IR_OP_FOR ? 1 : 0;
    ir_value **inits = ir_group(op, init_group, &count);
    lw.n = count;
    lw.carried = TR_NEW_ARRAY(walk->arena, carried, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        lw.carried[i].arg = lw.body->args[first + i];
        lw.carried[i].init = ix_get(walk, inits[i]);
        if (lw.carried[i].init.kind == IX_NONE && ir_type_is_int(ix_element_type(inits[i]->type)))
            lw.carried[i].init = ix_private_value(walk, inits[i], "value");
    }
    return lw;
}

typedef struct unsigned_search {
    smt_ctx *ctx;
    smt_t counter;
    smt_t last; /* iteration in which the number that counts up is the largest unsigned one */
} unsigned_search;

/* `j < 0 ? j + 2^32 : j`, where j counts up: what is compared as unsigned. */
static void look_for_unsigned(void *user, smt_t term)
{
    unsigned_search *u = user;
    smt_int apart, step = 0;
    if (u->last || term->kind != SMT_ITE || smt_is_bool(term) ||
        !smt_is_const(smt_sub(u->ctx, term->args[1], term->args[2]), &apart))
        return;
    smt_t number = term->args[apart > 0 ? 2 : 1], rest = number;
    for (uint32_t i = 0; number->kind == SMT_SUM && i < number->n_args; i++)
        if (number->args[i] == u->counter)
            step = number->coefs[i];
    rest = smt_sub(u->ctx, number, smt_scale(u->ctx, u->counter, step));
    if (step <= 0 || smt_contains(rest, u->counter))
        return;
    smt_t left = smt_sub(u->ctx, smt_int_const(u->ctx, -1), rest);
    u->last = smt_div(u->ctx, left, smt_int_const(u->ctx, step));
}

/* No earlier iteration broke, so neither did the one with the largest unsigned number, if it is an
 * earlier one. For signed numbers that count up, the current iteration's condition implies those of
 * all iterations before, but with unsigned numbers `j < end` would hold again behind 2^32 - 1. For
 * any number k, the loop reaches iteration `counter` only if it has not left in iteration k, where
 * 0 <= k < counter: that is all that is said here, and it holds whatever k is. */
static void add_largest_iteration(ix_walk *walk, smt_t counter, const ix_site *site,
                                  size_t first_access, size_t first_hazard)
{
    smt_ctx *ctx = walk->ctx;
    summary *s = walk->s;
    unsigned_search u = {ctx, counter, NULL};
    smt_visit(ctx, site->path, look_for_unsigned, &u);
    if (!u.last)
        return;
    smt_t within, left = smt_instantiate(ctx, site->path, 1, &counter, &u.last, &within);
    smt_t earlier = smt_and(ctx, within, smt_lt(ctx, u.last, counter));
    smt_t fact = smt_implies(ctx, earlier, smt_not(ctx, left));
    for (size_t a = first_access; a < arrlenu(s->accesses); a++)
        s->accesses[a].facts = smt_and(ctx, s->accesses[a].facts, fact);
    for (size_t h = first_hazard; h < arrlenu(s->hazards); h++)
        s->hazards[h].facts = smt_and(ctx, s->hazards[h].facts, fact);
}

/* Adds what is known of earlier iterations of an open loop: they did not break. Only what comes
 * before the break in the body needs it; the rest has it in its path. */
static void add_earlier_iterations(ix_walk *walk, const loop_walk *lw, size_t first_access,
                                   size_t first_hazard)
{
    smt_ctx *ctx = walk->ctx;
    summary *s = walk->s;
    smt_t one = smt_int_const(ctx, 1), counter = lw->loop->counter;
    smt_t before = smt_sub(ctx, counter, one);
    for (size_t i = 0; i < arrlenu(lw->sites); i++) {
        const ix_site *site = &lw->sites[i];
        if (!site->is_break)
            continue;
        add_largest_iteration(walk, counter, site, first_access, first_hazard);
        smt_t within, left = smt_instantiate(ctx, site->path, 1, &counter, &before, &within);
        smt_t fact = smt_implies(ctx, within, smt_not(ctx, left));
        for (size_t a = first_access; a < site->n_accesses; a++) {
            ix_access *before_break = &s->accesses[a];
            smt_t others = before_break->unbroken;
            before_break->facts = smt_and(ctx, before_break->facts, fact);
            if (!smt_is_false(smt_and(ctx, before_break->path, site->path)))
                before_break->unbroken = others ? smt_and(ctx, others, fact) : fact;
        }
        for (size_t h = first_hazard; h < site->n_hazards; h++)
            s->hazards[h].facts = smt_and(ctx, s->hazards[h].facts, fact);
    }
}

static smt_t divisor_of(smt_t quotient)
{
    if (quotient->kind == SMT_DIV)
        return quotient->args[1];
    for (uint32_t i = 0; quotient->kind == SMT_SUM && i < quotient->n_args; i++)
        if (quotient->args[i]->kind == SMT_DIV)
            return quotient->args[i]->args[1];
    return NULL;
}

/* `n / 64` that truncates is a choice by the sign of n. As the end of a loop from 0 or more it is
 * as good as the quotient that floors: of a negative n neither is above 0, so nothing runs. */
static smt_t end_without_sign(smt_ctx *ctx, smt_t low, smt_t high)
{
    smt_int least, unused, number;
    smt_bounds(low, &least, &unused);
    if (least < 0 || high->kind != SMT_ITE || high->args[0]->kind != SMT_LE)
        return high;
    smt_t whole = smt_neg(ctx, high->args[0]->args[0]), divisor = divisor_of(high->args[1]);
    bool truncates = divisor && smt_is_const(divisor, &number) && number > 0 &&
                     smt_div_trunc(ctx, whole, divisor) == high;
    return truncates ? smt_div(ctx, whole, divisor) : high;
}

/* What a for loop counts from, to and by, as the exact numbers of its comparison. */
typedef struct for_range {
    smt_t low, high, step;
    int bits;            /* of the number that counts */
    bool low_signed;     /* `low` may be negative where it is read as signed */
    bool beyond_signed;  /* the loop compares unsigned numbers, some of which are above the signed
                            ones */
    smt_int most_rounds; /* SMT_NO_HIGH: not known */
} for_range;

static for_range range_of(ix_walk *walk, const ir_op *op)
{
    smt_t low = ix_int(walk, ir_operand(op, IR_FOR_lower_bound));
    smt_t high = ix_int(walk, ir_operand(op, IR_FOR_upper_bound));
    smt_t step = ix_int(walk, ir_operand(op, IR_FOR_step));
    bool is_unsigned = ir_attr_int(op, IR_AT_FOR_unsigned_cmp, 0) != 0;
    int bits = ir_type_bits(ix_element_type(op->regions[0]->args[0]->type));
    smt_int least, most, least_step, unused;
    ix_bounds(walk, low, &least, &unused);
    for_range r = {.bits = bits, .low_signed = least < 0, .most_rounds = SMT_NO_HIGH};
    r.low = is_unsigned ? ix_as_unsigned(walk, low, bits) : ix_as_signed(walk, low, bits);
    r.high = is_unsigned ? ix_as_unsigned(walk, high, bits) : ix_as_signed(walk, high, bits);
    r.step = ix_as_signed(walk, step, bits);
    r.high = end_without_sign(walk->ctx, r.low, r.high);
    smt_bounds(r.low, &least, &unused);
    smt_bounds(r.high, &unused, &most);
    smt_bounds(r.step, &least_step, &unused);
    if (most < SMT_NO_HIGH && least > SMT_NO_LOW && least_step >= 1)
        r.most_rounds = most > least ? (most - least + least_step - 1) / least_step : 0;
    r.beyond_signed = is_unsigned && most >= (smt_int)1 << (bits - 1);
    return r;
}

/* Sets the induction variable and the condition of an iteration. False: the variable wraps, so it
 * is not the number that the loop counts. */
static bool count_by(ix_walk *walk, const for_range *r, loop_walk *lw)
{
    smt_ctx *ctx = walk->ctx;
    smt_t zero = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1);
    smt_t value = smt_add(ctx, r->low, smt_mul(ctx, lw->loop->counter, r->step));
    /* No value between two signed ends lies beyond the signed range. An end that promised to stay
     * in range has an exact term, whose own range may be a larger one. With 32 bits and more the
     * value is mostly read as unsigned, so it stays exact, and an op that reads it as signed leaves
     * a hazard. */
    bool doubted = ix_is_doubted(walk, lw->op);
    bool wraps = r->beyond_signed && (r->bits <= 16 || r->low_signed || doubted);
    lw->loop->unsigned_value = r->beyond_signed && !wraps ? value : NULL;
    lw->induction = (ix_value){.kind = IX_INT, .allocation = -1, .arg = -1};
    lw->induction.term = wraps ? ix_wrap(walk, value, r->bits) : value;
    ix_hazard_add(walk, IX_STEP, lw->op, true, smt_le(ctx, one, r->step), r->step);
    /* Tile IR asks for a positive step. A loop with another is undefined; where that is doubted to
     * be excluded, its first iteration still runs, for nothing in it needs the step. */
    smt_t steps = smt_le(ctx, one, r->step);
    if (doubted)
        steps = smt_or(ctx, steps, smt_eq(ctx, lw->loop->counter, zero));
    lw->entered = smt_and(ctx, steps, smt_lt(ctx, value, r->high));
    return !wraps;
}

/* Returns result i of a for loop of `trips` iterations: what would be carried into the next one. */
static ix_value after_trips(ix_walk *walk, const loop_walk *lw, size_t i, smt_t trips)
{
    const carried *c = &lw->carried[i];
    const ir_value *result = &lw->op->results[i];
    ix_value v = c->value;
    if (c->form == CARRY_OPEN && ix_worth_solving(c)) {
        v.term = ix_private_value(walk, result, "after").term; /* in the buffer that it stays in */
    } else if (c->form == CARRY_STEP) {
        v = ix_stepped(walk, c, trips);
    } else if (c->form == CARRY_OTHER) {
        smt_t within;
        v.term = smt_instantiate(walk->ctx, v.term, 1, &lw->loop->counter, &trips, &within);
        if (!smt_is_true(within))
            v = ix_private_value(walk, result, "after");
    }
    return v;
}

static ix_end walk_for(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    for_range r = range_of(walk, op);
    loop_walk lw = begin_loop(walk, op, IR_FOR_init_values, r.most_rounds);
    bool exact = count_by(walk, &r, &lw);
    smt_t trips =
        smt_max(ctx, smt_int_const(ctx, 0), smt_div_ceil(ctx, smt_sub(ctx, r.high, r.low), r.step));
    lw.loop->last = smt_sub(ctx, trips, smt_int_const(ctx, 1));
    solve_inside(walk, &lw);
    if (exact && ix_unroll(walk, &lw, r.low, r.high, r.step)) {
        arrfree(lw.sites);
        return IX_FALLS;
    }
    size_t first_access = arrlenu(walk->s->accesses);
    walk_last(walk, &lw);
    ix_remember_iterations(walk, lw.loop, lw.sites, trips, first_access);
    for (size_t i = 0; i < lw.n; i++)
        ix_set(walk, &op->results[i], after_trips(walk, &lw, i, trips));
    arrfree(lw.sites);
    return IX_FALLS;
}

enum { MOST_EXITS = 4 }; /* of one loop that are told apart */

/* The number of the break by which the loop is left, which is the block's own; NULL: not followed.
 */
static smt_t which_exit(ix_walk *walk, const ir_op *op, size_t n_exits)
{
    if (n_exits > MOST_EXITS)
        return NULL;
    if (n_exits == 1)
        return smt_int_const(walk->ctx, 0);
    const char *name = tr_arena_printf(walk->arena, "way.%u", op->ordinal);
    return ix_private_term(walk, name, NULL, false, 0, (smt_int)n_exits - 1);
}

/* Adds what holds behind the loop: it was left by one of its breaks in its last iteration, and by
 * none before. */
static void add_exits(ix_walk *walk, const loop_walk *lw, smt_t way, smt_t last)
{
    smt_ctx *ctx = walk->ctx;
    if (!way)
        return;
    smt_t counter = lw->loop->counter, one = smt_int_const(ctx, 1);
    smt_t before = smt_sub(ctx, last, one), all = smt_bool_const(ctx, true);
    int number = 0;
    for (size_t i = 0; i < arrlenu(lw->sites); i++) {
        const ix_site *exit = &lw->sites[i];
        if (!exit->is_break)
            continue;
        smt_t this = smt_eq(ctx, way, smt_int_const(ctx, number++));
        smt_t left = smt_substitute(ctx, exit->path, 1, &counter, &last), within;
        smt_t earlier = smt_instantiate(ctx, exit->path, 1, &counter, &before, &within);
        all = smt_and(ctx, all, smt_implies(ctx, this, left));
        all = smt_and(ctx, all, smt_implies(ctx, within, smt_not(ctx, earlier)));
    }
    walk->facts = smt_and(ctx, walk->facts, smt_implies(ctx, walk->path, all));
}

/* Finds result i of the loop from the break that left it; false: not followed. */
static bool by_exits(ix_walk *walk, const loop_walk *lw, uint32_t i, smt_t way, ix_value *v)
{
    const ir_value *result = &lw->op->results[i];
    bool first = true;
    int number = 0;
    for (size_t s = 0; s < arrlenu(lw->sites); s++) {
        const ix_value *value = lw->sites[s].is_break ? &lw->sites[s].values[i] : NULL;
        if (!value)
            continue;
        bool followed =
            value->kind == IX_INT || value->kind == IX_BOOL || value->kind == IX_POINTER;
        if (!followed || (!first && value->kind != v->kind))
            return false;
        smt_t this = smt_eq(walk->ctx, way, smt_int_const(walk->ctx, number++));
        *v = first ? *value : merge_values(walk, result, this, value, v);
        first = false;
    }
    return !first;
}

/* Returns result i where the breaks are too many to follow, or its value is nothing that is
 * followed: a pointer keeps its buffer if it is that of every break. */
static ix_value by_any_exit(ix_walk *walk, const loop_walk *lw, uint32_t i)
{
    ix_value v = ix_private_value(walk, &lw->op->results[i], "after");
    bool first = true;
    for (size_t s = 0; s < arrlenu(lw->sites); s++) {
        if (v.kind != IX_POINTER || !lw->sites[s].is_break)
            continue;
        const ix_value *value = &lw->sites[s].values[i];
        int allocation = value->region ? -1 : value->allocation;
        v.allocation = first || v.allocation == allocation ? allocation : -1;
        first = false;
    }
    return v;
}

/* Returns the condition under which another iteration follows. */
static smt_t another_follows(ix_walk *walk, const loop_walk *lw)
{
    smt_t any = smt_bool_const(walk->ctx, false);
    for (size_t i = 0; i < arrlenu(lw->sites); i++)
        if (!lw->sites[i].is_break)
            any = smt_or(walk->ctx, any, smt_and(walk->ctx, lw->sites[i].path, lw->sites[i].facts));
    return any;
}

static size_t count_breaks(const loop_walk *lw)
{
    size_t n = 0;
    for (size_t i = 0; i < arrlenu(lw->sites); i++)
        n += lw->sites[i].is_break;
    return n;
}

/* A term of the counter ends[0], in iteration ends[1]. */
static smt_t in_iteration(ix_walk *walk, smt_t term, void *ends)
{
    const smt_t *both = ends;
    return smt_substitute(walk->ctx, term, 1, &both[0], &both[1]);
}

static ix_end walk_loop(ix_walk *walk, const ir_op *op)
{
    loop_walk lw = begin_loop(walk, op, IR_LOOP_init_values, SMT_NO_HIGH);
    size_t first_access = arrlenu(walk->s->accesses), first_hazard = arrlenu(walk->s->hazards);
    solve_inside(walk, &lw);
    if (ix_unroll(walk, &lw, NULL, NULL, NULL)) {
        arrfree(lw.sites);
        return IX_FALLS;
    }
    walk_last(walk, &lw);
    lw.loop->goes_on = another_follows(walk, &lw);
    if (walk->record)
        add_earlier_iterations(walk, &lw, first_access, first_hazard);

    size_t n_exits = count_breaks(&lw);
    if (n_exits == 0) { /* never left: nothing after it runs */
        walk->path = smt_bool_const(walk->ctx, false);
        arrfree(lw.sites);
        return IX_LEAVES;
    }
    const char *name = tr_arena_printf(walk->arena, IX_EXIT "%u", op->ordinal);
    smt_t last = ix_private_term(walk, name, NULL, false, 0, SMT_NO_HIGH);
    lw.loop->last = last;
    smt_t counter = lw.loop->counter, way = which_exit(walk, op, n_exits);
    add_exits(walk, &lw, way, last);
    const smt_t ends[] = {counter, last};
    for (uint32_t i = 0; i < op->n_results; i++) {
        ix_value v;
        if (way && by_exits(walk, &lw, i, way, &v))
            ix_change_candidates(walk, &v, true, in_iteration, (void *)ends);
        else
            v = by_any_exit(walk, &lw, i);
        ix_set(walk, &op->results[i], v);
    }
    arrfree(lw.sites);
    return IX_FALLS;
}

/* ---- Section: blocks ---- */

static void leave_iteration(ix_walk *walk, const ir_op *op)
{
    if (!walk->frame)
        return;
    ix_value *values = TR_NEW_ARRAY(walk->arena, ix_value, op->n_operands + 1);
    keep_values(walk, op, values);
    ix_site site = {.is_break = op->code == IR_OP_BREAK,
                    .path = walk->path,
                    .facts = walk->facts,
                    .values = values,
                    .n_accesses = arrlenu(walk->s->accesses),
                    .n_hazards = arrlenu(walk->s->hazards)};
    arrput(walk->frame->sites, site);
}

static ix_end walk_control(ix_walk *walk, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_IF:
        return walk_if(walk, op);
    case IR_OP_FOR:
        return walk_for(walk, op);
    default:
        return walk_loop(walk, op);
    }
}

static void walk_plain(ix_walk *walk, const ir_op *op)
{
    if (ix_walk_memory(walk, op) || ix_walk_integer(walk, op) || ix_walk_tile(walk, op) ||
        ix_walk_reduction(walk, op) || ix_walk_folding(walk, op))
        return;
    /* This op is not modelled (floats, bit casts): what an index may use of it is the block's own.
     */
    for (uint32_t i = 0; i < op->n_results; i++)
        ix_set(walk, &op->results[i], ix_private_value(walk, &op->results[i], "value"));
}

static bool is_in_loop(const ir_op *op)
{
    for (const ir_op *at = op->parent->parent; at; at = at->parent->parent)
        if (at->code == IR_OP_LOOP || at->code == IR_OP_FOR)
            return true;
    return false;
}

ix_end ix_walk_block(ix_walk *walk, const ir_block *block, ix_value *yielded)
{
    for (const ir_op *op = block->first; op; op = op->next) {
        if (smt_is_cut(walk->ctx))
            return IX_LEAVES; /* a summary that is cut short is asked nothing */
        if (!walk->record) {
            if (walk->trial_ops == 0)
                return IX_LEAVES;
            walk->trial_ops--;
        }
        switch (op->code) {
        case IR_OP_YIELD:
            keep_values(walk, op, yielded);
            return IX_FALLS;
        case IR_OP_CONTINUE:
        case IR_OP_BREAK:
            leave_iteration(walk, op);
            return IX_LEAVES;
        case IR_OP_RETURN:
            if (is_in_loop(op)) /* what stands behind the loop may then not be reached */
                ix_unsupported(walk, op, "it returns inside of a loop");
            return IX_LEAVES;
        case IR_OP_IF:
        case IR_OP_FOR:
        case IR_OP_LOOP:
            if (walk_control(walk, op) == IX_LEAVES)
                return IX_LEAVES;
            break;
        default:
            walk_plain(walk, op);
            break;
        }
    }
    return IX_FALLS;
}
