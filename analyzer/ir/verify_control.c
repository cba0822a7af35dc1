/* Rules of control flow, reductions and assumptions. */
#include "ir/ir.h"
#include "ir/verify.h"

/* ---- Loops and ifs ---- */

/* Views are not values that a loop or an if can hand on. */
static bool check_carried(verifier *v, const ir_op *op, const ir_type *type)
{
    return (type->kind != IR_TENSOR_VIEW && !ir_type_is_tile_view(type)) ||
           ir_fail(v, op, "a view (%s) cannot be carried", ir_type_text(v, type));
}

static bool check_iter_values(verifier *v, const ir_op *op, unsigned group, uint32_t first_arg)
{
    uint32_t count;
    ir_value **inits = ir_group(op, group, &count);
    const ir_block *body = op->regions[0];
    if (body->n_args != first_arg + count) {
        return ir_fail(v, op, "%u initial values for a body with %u arguments", count,
                       body->n_args);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (inits[i]->type != body->args[first_arg + i]->type) {
            return ir_fail(v, op, "carried value %u starts as %s and goes on as %s", i,
                           ir_type_text(v, inits[i]->type),
                           ir_type_text(v, body->args[first_arg + i]->type));
        }
        if (!check_carried(v, op, inits[i]->type)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (!check_carried(v, op, op->results[i].type)) {
            return false;
        }
    }
    return true;
}

bool ir_check_for(verifier *v, const ir_op *op)
{
    uint32_t count;
    ir_value **inits = ir_group(op, IR_FOR_init_values, &count);
    const ir_block *body = op->regions[0];
    if (!check_iter_values(v, op, IR_FOR_init_values, 1)) {
        return false;
    }
    if (body->args[0]->type != ir_operand(op, IR_FOR_lower_bound)->type) {
        return ir_fail(v, op, "the counter is %s, the bounds are %s",
                       ir_type_text(v, body->args[0]->type),
                       ir_type_text(v, ir_operand(op, IR_FOR_lower_bound)->type));
    }
    if (op->n_results != count) {
        return ir_fail(v, op, "%u results for %u carried values", op->n_results, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (op->results[i].type != inits[i]->type) {
            return ir_fail(v, op, "carried value %u is %s, its result %s", i,
                           ir_type_text(v, inits[i]->type), ir_type_text(v, op->results[i].type));
        }
    }
    return true;
}

bool ir_check_loop(verifier *v, const ir_op *op)
{
    return check_iter_values(v, op, IR_LOOP_init_values, 0);
}

bool ir_check_if(verifier *v, const ir_op *op)
{
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (!check_carried(v, op, op->results[i].type)) {
            return false;
        }
    }
    for (uint32_t r = 0; r < op->n_regions; r++) {
        if (op->regions[r] && op->regions[r]->n_args) {
            return ir_fail(v, op, "a branch has arguments");
        }
    }
    return op->n_results == 0 || op->regions[IR_RG_IF_else] ||
           ir_fail(v, op, "it has results, but no else branch");
}

/* ---- Terminators: what they hand over against what is waited for ---- */

/* The loop that a continue or break belongs to: through ifs, and nothing else. */
static const ir_op *loop_around(const ir_op *op, bool for_too)
{
    const ir_op *at = op->parent->parent;
    while (at && at->code == IR_OP_IF) {
        at = at->parent->parent;
    }
    bool is_loop = at && (at->code == IR_OP_LOOP || (for_too && at->code == IR_OP_FOR));
    return is_loop ? at : NULL;
}

static bool check_handed(verifier *v, const ir_op *op, uint32_t count,
                         const ir_type *(*type_at)(const ir_op *, uint32_t), const ir_op *to)
{
    if (op->n_operands != count) {
        return ir_fail(v, op, "it hands %u values to '%s', which takes %u", op->n_operands,
                       ir_op_info_of(to->code)->mnemonic, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (op->operands[i]->type != type_at(to, i)) {
            return ir_fail(v, op, "value %u is %s, but '%s' takes %s", i,
                           ir_type_text(v, op->operands[i]->type),
                           ir_op_info_of(to->code)->mnemonic, ir_type_text(v, type_at(to, i)));
        }
    }
    return true;
}

static const ir_type *result_type(const ir_op *op, uint32_t index)
{
    return op->results[index].type;
}

static const ir_type *carried_type(const ir_op *op, uint32_t index)
{
    unsigned group = op->code == IR_OP_FOR ? (unsigned)IR_FOR_init_values : 0;
    uint32_t count;
    return ir_group(op, group, &count)[index]->type;
}

bool ir_check_continue(verifier *v, const ir_op *op)
{
    const ir_op *loop = loop_around(op, true);
    if (!loop) {
        return ir_fail(v, op, "it is in no loop");
    }
    uint32_t count;
    ir_group(loop, loop->code == IR_OP_FOR ? (unsigned)IR_FOR_init_values : 0, &count);
    return check_handed(v, op, count, carried_type, loop);
}

bool ir_check_break(verifier *v, const ir_op *op)
{
    const ir_op *loop = loop_around(op, false);
    if (!loop) {
        return ir_fail(v, op, "it is in no 'loop'");
    }
    return check_handed(v, op, loop->n_results, result_type, loop);
}

static const ir_type *element_type(const ir_op *op, uint32_t index)
{
    return op->regions[0]->args[2 * index]->type;
}

bool ir_check_yield(verifier *v, const ir_op *op)
{
    const ir_op *parent = op->parent->parent;
    if (parent && parent->code == IR_OP_IF) {
        return check_handed(v, op, parent->n_results, result_type, parent);
    }
    if (parent && (parent->code == IR_OP_REDUCE || parent->code == IR_OP_SCAN)) {
        if (parent->regions[0]->n_args != 2 * parent->n_operands) {
            return false; /* said at the parent */
        }
        return check_handed(v, op, parent->n_operands, element_type, parent);
    }
    return ir_fail(v, op, "it is in no 'if', 'reduce' or 'scan'");
}

bool ir_check_return(verifier *v, const ir_op *op)
{
    for (const ir_op *at = op->parent->parent; at; at = at->parent->parent) {
        if (at->code != IR_OP_IF && at->code != IR_OP_LOOP && at->code != IR_OP_FOR) {
            return ir_fail(v, op, "it is inside of '%s'", ir_op_info_of(at->code)->mnemonic);
        }
    }
    const ir_type *type = v->function->type;
    if (op->n_operands != (uint32_t)type->n_results) {
        return ir_fail(v, op, "it returns %u values, the function %d", op->n_operands,
                       type->n_results);
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        if (op->operands[i]->type != type->results[i]) {
            return ir_fail(v, op, "value %u is %s, the function returns %s", i,
                           ir_type_text(v, op->operands[i]->type),
                           ir_type_text(v, type->results[i]));
        }
    }
    return true;
}

/* ---- Reduce and scan ---- */

static const ir_attr *identities_of(const ir_op *op)
{
    return &op->attrs[op->code == IR_OP_SCAN ? (int)IR_AT_SCAN_identities
                                             : (int)IR_AT_REDUCE_identities];
}

static bool check_identities(verifier *v, const ir_op *op)
{
    const ir_attr *identities = identities_of(op);
    if (identities->count != op->n_operands) {
        return ir_fail(v, op, "%zu identities for %u operands", identities->count, op->n_operands);
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const ir_type *type = identities->items[i].type, *elem = op->operands[i]->type->elem;
        bool halves = type && ((type->kind == IR_F16 && elem->kind == IR_BF16) ||
                               (type->kind == IR_BF16 && elem->kind == IR_F16));
        if (!type || (type != elem && !halves)) {
            return ir_fail(v, op, "identity %u is not of the operand's element type", i);
        }
    }
    return true;
}

/* The shape that a result must have: the operand's, for reduce without the dimension. */
static bool has_result_shape(const ir_op *op, const ir_type *operand, const ir_type *result,
                             int64_t dim)
{
    if (op->code == IR_OP_SCAN) {
        return operand == result;
    }
    if (result->elem != operand->elem || result->rank != operand->rank - 1) {
        return false;
    }
    for (int i = 0; i < result->rank; i++) {
        if (result->shape[i] != operand->shape[i < dim ? i : i + 1]) {
            return false;
        }
    }
    return true;
}

static bool check_body(verifier *v, const ir_op *op)
{
    const ir_block *body = op->regions[0];
    if (body->n_args != 2 * op->n_operands) {
        return ir_fail(v, op, "%u operands need %u region arguments, not %u", op->n_operands,
                       2 * op->n_operands, body->n_args);
    }
    for (uint32_t i = 0; i < body->n_args; i++) {
        const ir_type *type = body->args[i]->type;
        if (type->kind != IR_TILE || type->rank != 0 ||
            type->elem != op->operands[i / 2]->type->elem) {
            return ir_fail(v, op, "region argument %u is %s, not a scalar of operand %u", i,
                           ir_type_text(v, type), i / 2);
        }
    }
    for (const ir_op *inner = body->first; inner; inner = inner->next) {
        if (ir_op_info_of(inner->code)->effects &
            (IR_READS | IR_WRITES | IR_ATOMIC | IR_UNKNOWN_EFFECT)) {
            return ir_fail(v, inner, "only pure operations stand inside of '%s'",
                           ir_op_info_of(op->code)->mnemonic);
        }
    }
    return true;
}

bool ir_check_reduction(verifier *v, const ir_op *op)
{
    int64_t dim = ir_attr_int(op, IR_AT_REDUCE_dim, -1);
    if (op->n_operands == 0 || op->n_operands != op->n_results) {
        return ir_fail(v, op, "%u operands and %u results", op->n_operands, op->n_results);
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const ir_type *operand = op->operands[i]->type;
        if (dim < 0 || dim >= operand->rank) {
            return ir_fail(v, op, "dimension %lld of %s", (long long)dim, ir_type_text(v, operand));
        }
        if (!has_result_shape(op, operand, op->results[i].type, dim)) {
            return ir_fail(v, op, "result %u is %s for an operand %s", i,
                           ir_type_text(v, op->results[i].type), ir_type_text(v, operand));
        }
    }
    return check_identities(v, op) && check_body(v, op);
}

/* ---- Assume ---- */

static bool check_div_by(verifier *v, const ir_op *op, const ir_attr *attr, const ir_type *type)
{
    uint64_t divisor = attr->assume.divisor;
    if (divisor == 0 || (divisor & (divisor - 1)) || divisor > (uint64_t)1 << 62) {
        return ir_fail(v, op, "the divisor is no power of two up to 2^62");
    }
    if (attr->assume.has_every != attr->assume.has_along) {
        return ir_fail(v, op, "'every' and 'along' go together");
    }
    if (attr->assume.has_along &&
        (attr->assume.along < 0 || attr->assume.along >= type->rank || attr->assume.every < 1)) {
        return ir_fail(v, op, "'every %lld along %lld' for %s", (long long)attr->assume.every,
                       (long long)attr->assume.along, ir_type_text(v, type));
    }
    bool fits =
        type->kind == IR_TENSOR_VIEW ||
        (type->kind == IR_TILE && (ir_type_is_int(type->elem) || type->elem->kind == IR_POINTER));
    return fits || ir_fail(v, op, "div_by on %s", ir_type_text(v, type));
}

static bool check_same_elements(verifier *v, const ir_op *op, const ir_attr *attr,
                                const ir_type *type)
{
    if (type->kind != IR_TILE || attr->assume.n_values != (size_t)type->rank) {
        return ir_fail(v, op, "%zu runs for %s", attr->assume.n_values, ir_type_text(v, type));
    }
    for (int i = 0; i < type->rank; i++) {
        if (attr->assume.values[i] < 0 || attr->assume.values[i] > type->shape[i]) {
            return ir_fail(v, op, "a run of %lld in dimension %d of %s",
                           (long long)attr->assume.values[i], i, ir_type_text(v, type));
        }
    }
    return true;
}

bool ir_check_assume(verifier *v, const ir_op *op)
{
    const ir_attr *attr = &op->attrs[IR_AT_ASSUME_predicate];
    const ir_type *type = op->operands[0]->type;
    switch (attr->assume.kind) {
    case IR_ASSUME_DIV_BY:
        return check_div_by(v, op, attr, type);
    case IR_ASSUME_SAME_ELEMENTS:
        return check_same_elements(v, op, attr, type);
    case IR_ASSUME_BOUNDED:
        if (!ir_type_is_tile_of_int(type)) {
            return ir_fail(v, op, "bounded on %s", ir_type_text(v, type));
        }
        return !attr->assume.has_low || !attr->assume.has_high ||
               attr->assume.low <= attr->assume.high ||
               ir_fail(v, op, "the lower bound is above the upper one");
    }
    return ir_fail(v, op, "it has no such predicate");
}
