/* Keeps what holds of all iterations of a loop, or of all elements of a tile, as statements that
 * are instantiated where one case is needed. A wait for many flags is one of the two. */
#include "index_space/walk.h"

#include "base/ds.h"

#include <string.h>

static void keep(ix_walk *walk, ix_universal universal)
{
    summary *s = walk->s;
    for (size_t i = 0; i < arrlenu(s->universals); i++)
        if (strcmp(s->universals[i].app->name, universal.app->name) == 0) {
            s->universals[i] = universal; /* the loop around is walked once more */
            return;
        }
    arrput(s->universals, universal);
}

static smt_t from_zero(ix_walk *walk, smt_t variable, smt_t end)
{
    return smt_and(walk->ctx, smt_le(walk->ctx, smt_int_const(walk->ctx, 0), variable),
                   smt_lt(walk->ctx, variable, end));
}

/* ---- Section: loops ---- */

static bool is_among(smt_t term, smt_t all)
{
    for (uint32_t i = 0; all->kind == SMT_AND && i < all->n_args; i++)
        if (all->args[i] == term)
            return true;
    return all == term;
}

/* The conjuncts that were not known before the loop. */
static smt_t learnt(ix_walk *walk, smt_t facts)
{
    smt_t more = smt_bool_const(walk->ctx, true);
    if (facts->kind != SMT_AND)
        return is_among(facts, walk->facts) ? more : facts;
    for (uint32_t i = 0; i < facts->n_args; i++)
        if (!is_among(facts->args[i], walk->facts))
            more = smt_and(walk->ctx, more, facts->args[i]);
    return more;
}

static bool any_acquires(const summary *s, size_t first_access)
{
    for (size_t i = first_access; i < arrlenu(s->accesses); i++) {
        ir_ordering ordering = s->accesses[i].ordering;
        if (s->accesses[i].reads && ordering != IR_WEAK)
            return true;
    }
    return false;
}

void ix_remember_iterations(ix_walk *walk, const ix_loop *loop, const ix_site *sites, smt_t trips,
                            size_t first_access)
{
    if (!walk->record || arrlenu(sites) != 1 || sites[0].is_break ||
        !any_acquires(walk->s, first_access))
        return;
    smt_t found = learnt(walk, sites[0].facts);
    if (smt_is_true(found))
        return;
    const char *name = tr_arena_printf(walk->arena, "all.%u", loop->op->ordinal);
    smt_t app = ix_private_term(walk, name, NULL, true, 0, 1);
    keep(walk, (ix_universal){.app = app,
                              .variable = loop->counter,
                              .range = from_zero(walk, loop->counter, trips),
                              .last = loop->last,
                              .statement = smt_and(walk->ctx, sites[0].path, found)});
    walk->facts = smt_and(walk->ctx, walk->facts, app);
}

/* ---- Section: reductions ---- */

static void keep_elements(ix_walk *walk, const ir_op *op, smt_t app, smt_t statement, smt_t also,
                          smt_t summand)
{
    const ir_type *of = op->operands[0]->type;
    int dim = of->rank - 1;
    int64_t n = of->shape[dim];
    smt_t e = ix_coordinate(walk->ctx, dim, n);
    if (walk->record && (summand || !smt_is_true(statement)))
        keep(walk, (ix_universal){.app = app,
                                  .variable = e,
                                  .range = from_zero(walk, e, smt_int_const(walk->ctx, n)),
                                  .statement = statement,
                                  .also = also,
                                  .summand = summand,
                                  .n = n,
                                  .bits = ir_type_bits(ix_element_type(of))});
}

/* The op that the reduction of one operand folds with; NULL where it is more than one. */
static const ir_op *folded_with(const ir_op *op)
{
    const ir_block *body = op->regions[0];
    const ir_op *fold = body ? body->first : NULL;
    if (!fold || !fold->next || fold->next->code != IR_OP_YIELD || fold->n_results != 1 ||
        fold->next->operands[0] != &fold->results[0] || fold->n_operands != 2)
        return NULL;
    const ir_value *a = fold->operands[0], *b = fold->operands[1];
    bool both =
        (a == body->args[0] && b == body->args[1]) || (a == body->args[1] && b == body->args[0]);
    return both ? fold : NULL;
}

/* Walks a reduction of truths: a predicate says that all elements are true, or that none is. */
static bool walk_truths(ix_walk *walk, const ir_op *op, const ir_op *fold)
{
    smt_ctx *ctx = walk->ctx;
    bool all = fold->code == IR_OP_ANDI, none = fold->code == IR_OP_ORI;
    if (!all && !none)
        return false;
    const ir_value *of = op->operands[0];
    const char *name = tr_arena_printf(walk->arena, IX_REDUCED "%u", op->ordinal);
    smt_t app = ix_private_term(walk, name, op->results[0].type, true, 0, 1), x = ix_bool(walk, of);
    ix_set_bool(walk, &op->results[0], all ? app : smt_not(ctx, app));
    keep_elements(walk, op, app, all ? x : smt_not(ctx, x), NULL, NULL);
    return true;
}

static bool is_signed_extreme(const ir_op *fold)
{
    unsigned at = fold->code == IR_OP_MINI ? (unsigned)IR_AT_MINI_signedness
                                           : (unsigned)IR_AT_MAXI_signedness;
    return ir_attr_int(fold, at, IR_SIGNED) == IR_SIGNED;
}

/* Returns what the reduction's value says of each element. */
static smt_t of_each(ix_walk *walk, const ir_op *fold, const ir_value *result, const ir_value *of)
{
    smt_ctx *ctx = walk->ctx;
    smt_t zero = smt_int_const(ctx, 0), r = ix_int(walk, result), x = ix_int(walk, of);
    int bits = ir_type_bits(ix_element_type(of->type));
    bool is_min = fold->code == IR_OP_MINI;
    switch (fold->code) {
    case IR_OP_MINI:
    case IR_OP_MAXI: {
        bool is_signed = is_signed_extreme(fold);
        r = is_signed ? ix_as_signed(walk, r, bits) : ix_as_unsigned(walk, r, bits);
        x = is_signed ? ix_as_signed(walk, x, bits) : ix_as_unsigned(walk, x, bits);
        return is_min ? smt_le(ctx, r, x) : smt_le(ctx, x, r);
    }
    case IR_OP_ANDI:
    case IR_OP_MULI:
        return smt_or(ctx, smt_eq(ctx, r, zero), smt_ne(ctx, x, zero));
    case IR_OP_ORI:
        return smt_or(ctx, smt_ne(ctx, r, zero), smt_eq(ctx, x, zero));
    default:
        return smt_bool_const(ctx, true);
    }
}

/* Is the value the end of the type that leaves every element as it is? */
static bool is_neutral(const ir_op *fold, const ir_type *elem, smt_int identity)
{
    smt_int low, high;
    ix_type_range(elem, &low, &high);
    if (is_signed_extreme(fold))
        return identity == (fold->code == IR_OP_MINI ? high : low);
    return identity == (fold->code == IR_OP_MINI ? -1 : 0);
}

/* The least or greatest of them is one of them, or the identity, which takes part. */
static smt_t is_some(ix_walk *walk, const ir_op *op, const ir_op *fold)
{
    const ir_attr *identities = &op->attrs[IR_AT_REDUCE_identities];
    if ((fold->code != IR_OP_MINI && fold->code != IR_OP_MAXI) || identities->count != 1)
        return NULL;
    const ir_value *of = op->operands[0];
    const char *name = tr_arena_printf(walk->arena, "pick.%u", op->ordinal);
    int dim = of->type->rank - 1;
    smt_t at[IR_MAX_RANK], within;
    for (int d = 0; d < dim; d++)
        at[d] = ix_coordinate(walk->ctx, d, of->type->shape[d]);
    at[dim] = ix_private_term(walk, name, op->results[0].type, false, 0, of->type->shape[dim] - 1);
    smt_t picked = ix_at(walk, ix_int(walk, of), of->type, at, &within);
    TR_ASSERT(smt_is_true(within));
    smt_t one = smt_eq(walk->ctx, ix_int(walk, &op->results[0]), picked);
    smt_int identity = ix_identity_of(op, 0);
    if (is_neutral(fold, ix_element_type(of->type), identity))
        return one;
    smt_t itself = smt_int_const(walk->ctx, identity);
    return smt_or(walk->ctx, one, smt_eq(walk->ctx, ix_int(walk, &op->results[0]), itself));
}

/* The element, where the value is the sum of all of them; else NULL. */
static smt_t summand_of(ix_walk *walk, const ir_op *op, const ir_op *fold)
{
    const ir_attr *identities = &op->attrs[IR_AT_REDUCE_identities];
    if (fold->code != IR_OP_ADDI || identities->count != 1 || identities->items[0].number != 0)
        return NULL;
    return ix_int(walk, op->operands[0]);
}

/* Is the reduction along the last dimension of a tile? Then the other dimensions are the result's,
 * under the same coordinates. */
static bool is_along_last(const ir_op *op)
{
    const ir_type *of = op->operands[0]->type;
    int64_t dim = ir_attr_int(op, IR_AT_REDUCE_dim, 0);
    return of->rank >= 1 && dim == of->rank - 1 && of->shape[dim] > 1;
}

bool ix_walk_reduction(ix_walk *walk, const ir_op *op)
{
    if (op->code != IR_OP_REDUCE || op->n_operands != 1 || op->n_results != 1)
        return false;
    const ir_value *of = op->operands[0], *result = &op->results[0];
    const ir_op *fold = folded_with(op);
    const ir_type *elem = ix_element_type(of->type);
    if (!fold || of->type->kind != IR_TILE || !is_along_last(op) || !ir_type_is_int(elem) ||
        !walk->relevant[result->id])
        return false;
    if (elem->kind == IR_I1)
        return walk_truths(walk, op, fold);
    ix_set_int(walk, result, ix_folded_term(walk, op, 0, IX_REDUCED));
    ix_remember_sum(walk, op, 0, ix_get(walk, result).term);
    keep_elements(walk, op, ix_get(walk, result).term, of_each(walk, fold, result, of),
                  is_some(walk, op, fold), summand_of(walk, op, fold));
    return true;
}
