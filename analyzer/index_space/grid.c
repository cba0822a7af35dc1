/* Finds which axes of the grid a kernel reads, and what is known of their extents and block ids. */
#include "index_space/walk.h"

#include "base/ds.h"

static const char *const axis_names[3] = {"x", "y", "z"};

/* Front ends always ask for all three ids; an axis counts as read when its result is used. An
 * assume only hands it on. */
static void find_axes_read(summary *s)
{
    bool *used = TR_NEW_ARRAY(s->arena, bool, s->kernel->n_values + 1);
    bool changed = true;
    while (changed) { /* as often as assume ops follow each other */
        changed = false;
        for (const ir_op *op = ir_first_op(s->kernel); op; op = ir_next_op(op)) {
            if (op->code == IR_OP_ASSUME && !used[op->results[0].id])
                continue;
            for (uint32_t i = 0; i < op->n_operands; i++) {
                const ir_value *operand = op->operands[i];
                changed |= !used[operand->id];
                used[operand->id] = true;
                const ir_op *def = operand->def;
                if (!def)
                    continue;
                bool id = def->code == IR_OP_GET_TILE_BLOCK_ID;
                if (id)
                    s->reads_id[operand->index] = true;
                if (id || def->code == IR_OP_GET_NUM_TILE_BLOCKS)
                    s->reads_axis[operand->index] = true;
            }
        }
    }
}

/* Does an expression of the contract, besides the grid's own, speak of the variable? */
static bool contract_mentions(const contract *c, smt_t variable)
{
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        if (smt_contains(c->facts[i].term, variable))
            return true;
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        const smt_t terms[] = {arg->elements,
                               arg->offset,
                               arg->contents.min,
                               arg->contents.max,
                               arg->contents.unique_when,
                               arg->contents.regions};
        for (size_t t = 0; t < TR_COUNT(terms); t++)
            if (terms[t] && smt_contains(terms[t], variable))
                return true;
    }
    return false;
}

typedef struct name_search {
    smt_t extent;
    bool others;
} name_search;

static void look_for_others(void *user, smt_t term)
{
    name_search *s = user;
    s->others |= term->kind == SMT_VAR && term != s->extent;
}

static bool has_factor(smt_t summand, smt_t extent)
{
    bool any = summand == extent;
    for (uint32_t i = 0; summand->kind == SMT_PROD && i < summand->n_args; i++)
        any |= summand->args[i] == extent;
    return any;
}

/* `16 * grid.y == h` and `grid.y >= h` say what the extent is, or what it is at least, as a stated
 * grid does: with an extent of 1 they would only leave out sizes. */
static bool says_extent(smt_ctx *ctx, smt_t fact, smt_t extent)
{
    bool any = false, is_factor = false;
    for (uint32_t i = 0; fact->kind == SMT_AND && i < fact->n_args; i++)
        any |= says_extent(ctx, fact->args[i], extent);
    if (fact->kind != SMT_EQ && fact->kind != SMT_LE)
        return any;
    smt_t sum = fact->args[0];
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        is_factor |=
            has_factor(sum->args[i], extent) && (fact->kind == SMT_EQ || sum->coefs[i] < 0);
    name_search s = {.extent = extent};
    smt_visit(ctx, sum, look_for_others, &s);
    return is_factor && s.others;
}

/* An axis that is neither read nor stated has extent 1, unless the contract says the opposite: a
 * fact that does not hold where all such axes have extent 1. The axes of that fact are free then,
 * as is one whose extent a fact gives or bounds from below by a parameter or another axis. A fact
 * that 1 does meet changes nothing else. */
static void find_axes_by_default(summary *s)
{
    smt_ctx *ctx = s->ctx;
    const contract *c = s->contract;
    smt_t from[3], to[3];
    size_t n = 0;
    bool any_stated = c->grid[0] || c->grid[1] || c->grid[2];
    for (int axis = 0; axis < 3 && !any_stated; axis++) {
        if (s->reads_axis[axis])
            continue;
        s->axis_by_default[axis] = true;
        from[n] = contract_grid(ctx, axis);
        to[n++] = smt_int_const(ctx, 1);
    }
    for (size_t i = 0; i < arrlenu(c->facts) && n > 0; i++) {
        smt_t fact = c->facts[i].term;
        for (int axis = 0; axis < 3; axis++)
            if (says_extent(ctx, fact, contract_grid(ctx, axis)))
                s->axis_by_default[axis] = false;
        if (!smt_is_false(smt_substitute(ctx, fact, n, from, to)))
            continue;
        for (int axis = 0; axis < 3; axis++)
            if (smt_contains(fact, contract_grid(ctx, axis)))
                s->axis_by_default[axis] = false;
    }
}

void ix_set_up_grid(summary *s)
{
    smt_ctx *ctx = s->ctx;
    smt_t one = smt_int_const(ctx, 1), zero = smt_int_const(ctx, 0);
    smt_t most = smt_int_const(ctx, (1 << 24) - 1);
    smt_t launch = smt_bool_const(ctx, true);
    find_axes_read(s);
    bool any_read = s->reads_axis[0] || s->reads_axis[1] || s->reads_axis[2];
    s->reads_axis[0] |= !any_read && ix_updates_steer(s->arena, s->kernel); /* made for many */
    bool any_stated = s->contract->grid[0] || s->contract->grid[1] || s->contract->grid[2];
    find_axes_by_default(s);
    for (int axis = 0; axis < 3; axis++) {
        smt_t extent = s->contract->grid[axis];
        if (!extent && (any_stated || s->axis_by_default[axis]))
            extent = one; /* a stated grid leaves the axes that it does not name at 1 */
        if (!extent)
            extent = contract_grid(ctx, axis);
        s->grid[axis] = extent;
        launch = smt_and(ctx, launch, smt_le(ctx, one, extent));
        launch = smt_and(ctx, launch, smt_le(ctx, extent, most));
        if (extent == one) {
            s->block_id[axis] = zero;
            continue;
        }
        const char *name = tr_arena_printf(s->arena, "bid.%s", axis_names[axis]);
        s->block_id[axis] = smt_var(ctx, name, 0, (1 << 24) - 2);
        launch = smt_and(ctx, launch, smt_lt(ctx, s->block_id[axis], extent));
    }
    s->launch = smt_and(ctx, s->launch, launch);
    for (int axis = 0; axis < 3; axis++) {
        smt_t name = contract_grid(ctx, axis);
        if (contract_mentions(s->contract, name))
            s->launch = smt_and(ctx, s->launch, smt_eq(ctx, name, s->grid[axis]));
    }
}
