/* Ops that make and move tiles: an integer tile is a function of the element's coordinate, so
 * moving elements is substituting coordinates. */
#include "index_space/walk.h"

static bool is_followed(const ix_value *v)
{
    return v->kind == IX_INT || v->kind == IX_BOOL || v->kind == IX_POINTER;
}

typedef struct moved {
    const ir_type *type;
    const smt_t *to;
    smt_t *within; /* where there are such elements */
} moved;

static smt_t at_moved(ix_walk *walk, smt_t term, void *user)
{
    const moved *m = user;
    return ix_at(walk, term, m->type, m->to, m->within);
}

/* result(e) = source(to(e)); keeps what else is known of a pointer. */
static void move(ix_walk *walk, const ir_op *op, const smt_t *to)
{
    const ir_value *source = op->operands[0], *result = &op->results[0];
    ix_value v = ix_get(walk, source);
    if (!is_followed(&v)) {
        v = ix_private_value(walk, result, "moved");
        ix_set(walk, result, v);
        return;
    }
    smt_t within = smt_bool_const(walk->ctx, true);
    moved by = {source->type, to, &within};
    ix_change_candidates(walk, &v, true, at_moved, &by);
    /* A slice that the source does not have is undefined behaviour (IX_SLICE), and so is what is
     * computed with it; every other op has an element for each. */
    TR_ASSERT(op->code == IR_OP_EXTRACT || smt_is_true(within));
    ix_set(walk, result, v);
}

static void broadcast(ix_walk *walk, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *into = op->results[0].type;
    smt_t to[IR_MAX_RANK];
    for (int d = 0; d < from->rank; d++)
        to[d] = from->shape[d] == 1 ? smt_int_const(walk->ctx, 0)
                                    : ix_coordinate(walk->ctx, d, into->shape[d]);
    move(walk, op, to);
}

static void reshape(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    const ir_type *from = op->operands[0]->type, *into = op->results[0].type;
    smt_t to[IR_MAX_RANK], linear = smt_int_const(ctx, 0);
    for (int d = 0; d < into->rank; d++)
        linear = smt_add(ctx, smt_scale(ctx, linear, into->shape[d]),
                         ix_coordinate(ctx, d, into->shape[d]));
    for (int s = from->rank - 1; s >= 0; s--) {
        smt_t extent = smt_int_const(ctx, from->shape[s]);
        to[s] = smt_mod(ctx, linear, extent);
        linear = smt_div(ctx, linear, extent);
    }
    move(walk, op, to);
}

static void permute(ix_walk *walk, const ir_op *op)
{
    const ir_attr *permutation = &op->attrs[IR_AT_PERMUTE_permutation];
    smt_t to[IR_MAX_RANK] = {0};
    /* result dimension i is source dimension permutation[i] */
    for (size_t i = 0; i < permutation->count && i < IR_MAX_RANK; i++)
        to[permutation->numbers[i]] =
            ix_coordinate(walk->ctx, (int)i, op->results[0].type->shape[i]);
    move(walk, op, to);
}

static void cat(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    const ir_value *lhs = op->operands[0], *result = &op->results[0];
    int dim = (int)ir_attr_int(op, IR_AT_CAT_dim, 0);
    ix_value a = ix_get(walk, lhs), b = ix_get(walk, op->operands[1]);
    if (a.kind != b.kind || !is_followed(&a)) {
        ix_set(walk, result, ix_private_value(walk, result, "cat"));
        return;
    }
    smt_t to[IR_MAX_RANK], border = smt_int_const(ctx, lhs->type->shape[dim]);
    for (int d = 0; d < result->type->rank; d++)
        to[d] = ix_coordinate(ctx, d, result->type->shape[d]);
    smt_t first = smt_lt(ctx, to[dim], border), within;
    moved by = {lhs->type, to, &within}; /* elements of the one where `first` holds */
    ix_change_candidates(walk, &a, true, at_moved, &by);
    to[dim] = smt_sub(ctx, to[dim], border);
    by.type = op->operands[1]->type; /* of the other elsewhere */
    ix_change_candidates(walk, &b, true, at_moved, &by);
    if (a.kind == IX_POINTER)
        a = ix_choose(walk, result, "cat", first, &a, &b);
    else
        a.term = smt_ite(ctx, first, a.term, b.term);
    ix_set(walk, result, a);
}

static void extract(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    const ir_type *into = op->results[0].type;
    smt_t to[IR_MAX_RANK];
    for (int d = 0; d < into->rank; d++) {
        smt_t index = ix_int(walk, op->operands[1 + d]); /* in units of the result's extent */
        int64_t slices = op->operands[0]->type->shape[d] / into->shape[d];
        smt_t inside = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, 0), index),
                               smt_lt(ctx, index, smt_int_const(ctx, slices)));
        ix_hazard_add(walk, IX_SLICE, op, true, inside, index);
        to[d] = smt_add(ctx, smt_scale(ctx, index, into->shape[d]),
                        ix_coordinate(ctx, d, into->shape[d]));
    }
    move(walk, op, to);
}

enum { MAX_TABLE = 64 }; /* constants with more elements become unknown numbers of their range */

static void constant(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    const ir_value *result = &op->results[0];
    const ir_type *elem = ix_element_type(result->type);
    const ir_attr *value = &op->attrs[IR_AT_CONSTANT_value];
    if (!ir_type_is_int(elem))
        return;
    int64_t count = value->splat ? 1 : ir_type_elements(result->type);
    if (count > MAX_TABLE) {
        ix_set(walk, result, ix_private_value(walk, result, "table"));
        return;
    }
    smt_t linear = smt_int_const(ctx, 0);
    for (int d = 0; d < result->type->rank; d++)
        linear = smt_add(ctx, smt_scale(ctx, linear, result->type->shape[d]),
                         ix_coordinate(ctx, d, result->type->shape[d]));
    smt_t term = smt_int_const(ctx, ir_dense_int(value, count - 1));
    for (int64_t i = count - 2; i >= 0; i--)
        term = smt_ite(ctx, smt_eq(ctx, linear, smt_int_const(ctx, i)),
                       smt_int_const(ctx, ir_dense_int(value, i)), term);
    if (elem->kind == IR_I1)
        ix_set_bool(walk, result, smt_ne(ctx, term, smt_int_const(ctx, 0)));
    else
        ix_set_int(walk, result, term);
}

smt_t summary_assumption(smt_ctx *ctx, const ir_op *assume, smt_t operand)
{
    const ir_attr *predicate = &assume->attrs[IR_AT_ASSUME_predicate];
    smt_t fact = smt_bool_const(ctx, true);
    if (predicate->assume.kind == IR_ASSUME_DIV_BY && predicate->assume.divisor > 1) {
        smt_t divisor = smt_int_const(ctx, (smt_int)predicate->assume.divisor);
        return smt_eq(ctx, smt_mod(ctx, operand, divisor), smt_int_const(ctx, 0));
    }
    if (predicate->assume.kind == IR_ASSUME_BOUNDED && predicate->assume.has_low)
        fact = smt_le(ctx, smt_int_const(ctx, predicate->assume.low), operand);
    if (predicate->assume.kind == IR_ASSUME_BOUNDED && predicate->assume.has_high)
        fact = smt_and(ctx, fact, smt_le(ctx, operand, smt_int_const(ctx, predicate->assume.high)));
    return fact;
}

/* The kernel itself states the condition. That it holds is an obligation, and a fact from here on.
 */
static void rely_on(ix_walk *walk, const ir_op *op, smt_t condition, smt_t value)
{
    ix_hazard_add(walk, IX_ASSUME, op, true, condition, value);
    ix_learn(walk, op, condition);
}

static void assume(ix_walk *walk, const ir_op *op)
{
    smt_ctx *ctx = walk->ctx;
    ix_value v = ix_get(walk, op->operands[0]);
    ix_set(walk, &op->results[0], v);
    if (v.kind != IX_INT || op->operands[0]->type->rank > 0)
        return; /* of pointers and tiles: alignment, which no access depends on */
    if (ir_claim_is_idle(op))
        return;
    rely_on(walk, op, summary_assumption(ctx, op, v.term), v.term);
}

static void assertion(ix_walk *walk, const ir_op *op)
{
    if (op->operands[0]->type->rank > 0)
        return;
    smt_t holds = ix_bool(walk, op->operands[0]);
    rely_on(walk, op, holds,
            smt_ite(walk->ctx, holds, smt_int_const(walk->ctx, 1), smt_int_const(walk->ctx, 0)));
}

static void block_numbers(ix_walk *walk, const ir_op *op, const smt_t *terms)
{
    for (uint32_t axis = 0; axis < 3; axis++)
        ix_set_int(walk, &op->results[axis], terms[axis]);
}

bool ix_walk_tile(ix_walk *walk, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_GET_TILE_BLOCK_ID:
        block_numbers(walk, op, walk->s->block_id);
        return true;
    case IR_OP_GET_NUM_TILE_BLOCKS:
        block_numbers(walk, op, walk->s->grid);
        return true;
    case IR_OP_CONSTANT:
        constant(walk, op);
        return true;
    case IR_OP_IOTA: /* 8 bits have 256 numbers, of which half are negative */
        ix_set_int(walk, &op->results[0],
                   ix_wrap(walk, ix_coordinate(walk->ctx, 0, op->results[0].type->shape[0]),
                           ir_type_bits(ix_element_type(op->results[0].type))));
        return true;
    case IR_OP_BROADCAST:
        broadcast(walk, op);
        return true;
    case IR_OP_RESHAPE:
        reshape(walk, op);
        return true;
    case IR_OP_PERMUTE:
        permute(walk, op);
        return true;
    case IR_OP_CAT:
        cat(walk, op);
        return true;
    case IR_OP_EXTRACT:
        extract(walk, op);
        return true;
    case IR_OP_ASSUME:
        assume(walk, op);
        return true;
    case IR_OP_ASSERT:
        assertion(walk, op);
        return true;
    default:
        return false;
    }
}
