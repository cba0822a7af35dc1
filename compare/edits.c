/* Changes that are known of a kernel, by its ops: ids, axes, loops, strides, masks, tokens. */
#include <string.h>

#include "base/ds.h"
#include "compare/private.h"

#define MOST_ROOTS 24 /* numbers that may stand for one another */

typedef struct listing {
    ir_function *function;
    edit **edits;
    ir_value *roots[MOST_ROOTS]; /* whole numbers that are parameters, or one converted */
    size_t n_roots;
} listing;

static void add(listing *l, compare_edit_kind kind, ir_op *op, uint32_t operand, int64_t number,
                ir_value *value)
{
    edit e = {.kind = kind, .op = op, .operand = operand, .number = number, .value = value};
    arrput(*l->edits, e);
}

/* ---- Section: What values are ---- */

static bool is_number(const ir_value *value)
{
    return value->type->kind == IR_TILE && value->type->rank == 0 &&
           ir_type_is_int(value->type->elem);
}

static bool is_condition(const ir_value *value)
{
    return value->type->kind == IR_TILE && value->type->elem->kind == IR_I1;
}

const ir_value *edit_root_of(const ir_value *value)
{
    while (value->def && value->def->n_operands == 1 &&
           (value->def->code == IR_OP_EXTI || value->def->code == IR_OP_TRUNCI ||
            value->def->code == IR_OP_ASSUME))
        value = value->def->operands[0];
    return value->def || (value->block && value->block->parent) ? NULL : value;
}

/* Is the value defined where the op stands: a parameter, or computed earlier at the top level? */
static bool is_before(const ir_value *value, const ir_op *op)
{
    if (!value->def)
        return !value->block->parent;
    return !value->def->parent->parent && value->def->ordinal < op->ordinal;
}

static void find_roots(listing *l)
{
    const ir_block *body = l->function->body;
    for (uint32_t i = 0; i < body->n_args && l->n_roots < MOST_ROOTS; i++)
        if (is_number(body->args[i]))
            l->roots[l->n_roots++] = body->args[i];
    for (ir_op *op = ir_first_op(l->function); op && l->n_roots < MOST_ROOTS; op = ir_next_op(op))
        if (op->n_results == 1 && is_number(&op->results[0]) && !op->parent->parent &&
            edit_root_of(&op->results[0]))
            l->roots[l->n_roots++] = &op->results[0];
}

/* ---- Section: Ids and axes ---- */

static bool is_used(const listing *l, const ir_value *value)
{
    return ir_is_used(l->function, value);
}

static void list_ids(listing *l, ir_op *op)
{
    bool is_id = op->code == IR_OP_GET_TILE_BLOCK_ID;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (!is_used(l, &op->results[axis]))
            continue;
        if (is_id) {
            add(l, COMPARE_EDIT_ID_UP, op, axis, 1, NULL);
            add(l, COMPARE_EDIT_ID_DOWN, op, axis, -1, NULL);
        }
        for (uint32_t other = 0; other < 3; other++)
            if (other != axis)
                add(l, is_id ? COMPARE_EDIT_ID_AXIS : COMPARE_EDIT_EXTENT_AXIS, op, axis, other,
                    NULL);
        for (uint32_t other = axis + 1; other < 3 && is_id; other++)
            add(l, COMPARE_EDIT_ID_AXES, op, axis, other, NULL);
    }
}

static void list_extents(listing *l, ir_op *op)
{
    for (uint32_t axis = 0; axis < op->n_results; axis++)
        for (uint32_t other = 0; other < op->n_results; other++)
            if (other != axis && is_used(l, &op->results[axis]))
                add(l, COMPARE_EDIT_EXTENT_AXIS, op, axis, other, NULL);
    for (uint32_t axis = 0; axis < op->n_results; axis++)
        if (op->code == IR_OP_GET_INDEX_SPACE_SHAPE && is_used(l, &op->results[axis]))
            add(l, COMPARE_EDIT_TILES, op, axis, 0, NULL);
}

static unsigned group_of_index(const ir_op *op)
{
    switch (op->code) {
    case IR_OP_LOAD_VIEW_TKO:
        return IR_LOAD_VIEW_TKO_index;
    case IR_OP_STORE_VIEW_TKO:
        return IR_STORE_VIEW_TKO_index;
    case IR_OP_ATOMIC_RED_VIEW_TKO:
        return IR_ATOMIC_RED_VIEW_TKO_index;
    default:
        return UINT32_MAX;
    }
}

static unsigned group_of_view(const ir_op *op)
{
    return op->code == IR_OP_LOAD_VIEW_TKO    ? IR_LOAD_VIEW_TKO_view
           : op->code == IR_OP_STORE_VIEW_TKO ? IR_STORE_VIEW_TKO_view
                                              : IR_ATOMIC_RED_VIEW_TKO_view;
}

static bool is_ordered(const ir_type *view)
{
    for (int i = 0; i < view->rank && view->dim_map; i++)
        if (view->dim_map[i] != i)
            return true;
    return false;
}

/* How many accesses by views take it as an index? */
static size_t count_indexed(const listing *l, const ir_value *value)
{
    size_t n = 0;
    for (const ir_op *op = ir_first_op(l->function); op; op = ir_next_op(op)) {
        uint32_t n_index = 0;
        ir_value **index =
            group_of_index(op) == UINT32_MAX ? NULL : ir_group(op, group_of_index(op), &n_index);
        for (uint32_t i = 0; i < n_index; i++)
            n += index[i] == value;
    }
    return n;
}

static void list_result(listing *l, ir_op *op)
{
    if (op->n_results != 1 || !is_number(&op->results[0]) || op->n_regions > 0 ||
        count_indexed(l, &op->results[0]) < 2)
        return;
    add(l, COMPARE_EDIT_INDICES_UP, op, 0, 1, NULL);
    add(l, COMPARE_EDIT_INDICES_DOWN, op, 0, -1, NULL);
}

static void list_indices(listing *l, ir_op *op)
{
    uint32_t n, first;
    ir_value **index = ir_group(op, group_of_index(op), &n);
    first = (uint32_t)(index - op->operands);
    bool ordered = is_ordered(ir_operand(op, group_of_view(op))->type);
    for (uint32_t i = 0; i < n; i++) {
        if (!ir_type_is_int(index[i]->type->elem))
            continue;
        add(l, COMPARE_EDIT_INDEX_UP, op, first + i, 1, NULL);
        add(l, COMPARE_EDIT_INDEX_DOWN, op, first + i, -1, NULL);
        for (uint32_t k = i + 1; k < n; k++)
            if (index[k]->type == index[i]->type && index[k] != index[i])
                add(l, ordered ? COMPARE_EDIT_ORDERED_INDEX : COMPARE_EDIT_INDEX_AXES, op,
                    first + i, first + k, NULL);
    }
}

/* ---- Section: Loops and bounds ---- */

static void list_loop(listing *l, ir_op *op)
{
    static const struct {
        compare_edit_kind kind;
        unsigned group;
        int number;
    } changes[] = {/* 1 stands for a step of the loop, 2 for the number one */
                   {COMPARE_EDIT_BEGIN_UP, IR_FOR_lower_bound, 1},
                   {COMPARE_EDIT_BEGIN_DOWN, IR_FOR_lower_bound, -1},
                   {COMPARE_EDIT_END_UP, IR_FOR_upper_bound, 1},
                   {COMPARE_EDIT_END_DOWN, IR_FOR_upper_bound, -1},
                   {COMPARE_EDIT_END_UP, IR_FOR_upper_bound, 2},
                   {COMPARE_EDIT_END_DOWN, IR_FOR_upper_bound, -2}};
    for (size_t i = 0; i < TR_COUNT(changes); i++)
        add(l, changes[i].kind, op, changes[i].group, changes[i].number, NULL);
}

static void list_comparison(listing *l, ir_op *op)
{
    static const int64_t other[] = {
        [IR_LT] = IR_LE, [IR_LE] = IR_LT, [IR_GT] = IR_GE, [IR_GE] = IR_GT};
    int64_t is = ir_attr_int(op, IR_AT_CMPI_comparison_predicate, IR_EQ);
    if (is >= IR_LT && is <= IR_GE)
        add(l, COMPARE_EDIT_BOUND, op, 0, other[is], NULL);
}

/* ---- Section: Strides and factors ---- */

static void list_others(listing *l, compare_edit_kind kind, ir_op *op, uint32_t operand)
{
    const ir_value *is = op->operands[operand];
    for (size_t i = 0; i < l->n_roots; i++) {
        ir_value *root = l->roots[i];
        if (root->type == is->type && root != is && edit_root_of(root) != edit_root_of(is) &&
            is_before(root, op))
            add(l, kind, op, operand, 0, root);
    }
}

static void list_tensor(listing *l, ir_op *op)
{
    for (uint32_t i = 1; i < op->n_operands; i++) {
        list_others(l, COMPARE_EDIT_STRIDE, op, i);
        for (uint32_t k = i + 1; k < op->n_operands; k++)
            if (op->operands[i]->type == op->operands[k]->type && edit_root_of(op->operands[i]) &&
                edit_root_of(op->operands[k]) &&
                edit_root_of(op->operands[i]) != edit_root_of(op->operands[k]))
                add(l, COMPARE_EDIT_EXTENTS, op, i, k, NULL);
    }
}

static void list_product(listing *l, ir_op *op)
{
    for (uint32_t i = 0; i < 2; i++)
        if (is_number(op->operands[i]))
            list_others(l, COMPARE_EDIT_FACTOR, op, i);
        else if (op->operands[i]->def && op->operands[i]->type->kind == IR_TILE) {
            /* A tile of one number: what is behind its broadcast and reshape. */
            ir_op *of = op->operands[i]->def;
            while ((of->code == IR_OP_BROADCAST || of->code == IR_OP_RESHAPE) &&
                   of->operands[0]->def && !is_number(of->operands[0]))
                of = of->operands[0]->def;
            if ((of->code == IR_OP_BROADCAST || of->code == IR_OP_RESHAPE) &&
                is_number(of->operands[0]))
                list_others(l, COMPARE_EDIT_FACTOR, of, 0);
        }
}

static void list_quotient(listing *l, ir_op *op)
{
    static const int64_t roundings[] = {IR_ROUND_ZERO, IR_ROUND_NEGATIVE_INF,
                                        IR_ROUND_POSITIVE_INF};
    int64_t is = ir_attr_int(op, IR_AT_DIVI_rounding, IR_ROUND_ZERO);
    for (size_t i = 0; i < TR_COUNT(roundings); i++)
        if (roundings[i] != is)
            add(l, COMPARE_EDIT_QUOTIENT, op, 0, roundings[i], NULL);
    ir_op *sum = op->operands[0]->def;
    for (uint32_t i = 0; i < 2 && sum && (sum->code == IR_OP_ADDI || sum->code == IR_OP_SUBI); i++)
        if (sum->code == IR_OP_ADDI || i == 0)
            add(l, COMPARE_EDIT_DIVIDEND, op, 0, 0, sum->operands[i]);
}

/* ---- Section: Masks and conditions ---- */

static void list_mask(listing *l, ir_op *op, unsigned group)
{
    uint32_t n;
    ir_value **mask = ir_group(op, group, &n);
    if (n == 1)
        add(l, COMPARE_EDIT_NO_MASK, op, (uint32_t)(mask - op->operands), 0, NULL);
}

/* Does a loop end by what it guards? Then without it the loop does not end. */
static bool guards_loop(const ir_op *op)
{
    for (int i = 0; op->code == IR_OP_IF && i < 2; i++)
        for (const ir_op *in = op->regions[i] ? op->regions[i]->first : NULL; in; in = in->next)
            if (in->code == IR_OP_BREAK || in->code == IR_OP_CONTINUE)
                return true;
    return false;
}

static void list_condition(listing *l, ir_op *op)
{
    if (op->n_results != 1 || !is_condition(&op->results[0]) || op->code == IR_OP_CONSTANT)
        return;
    for (const ir_op *user = ir_first_op(l->function); user; user = ir_next_op(user))
        for (uint32_t i = 0; i < user->n_operands; i++)
            if (user->operands[i] == &op->results[0] && guards_loop(user))
                return;
    add(l, COMPARE_EDIT_NO_CONDITION, op, 0, 1, NULL);
}

/* ---- Section: All of them ---- */

static void list_tokens(listing *l, ir_op *op)
{
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (op->operands[i]->type->kind == IR_TOKEN && op->operands[i]->def &&
            op->operands[i]->def->code != IR_OP_MAKE_TOKEN &&
            !(ir_op_info_of(op->code)->effects & (IR_CONTROL | IR_TERMINATOR)))
            add(l, COMPARE_EDIT_NO_TOKEN, op, i, 0, NULL);
}

static void list_op(listing *l, ir_op *op)
{
    list_tokens(l, op);
    list_condition(l, op);
    list_result(l, op);
    switch (op->code) {
    case IR_OP_GET_TILE_BLOCK_ID:
    case IR_OP_GET_NUM_TILE_BLOCKS:
        list_ids(l, op);
        break;
    case IR_OP_GET_INDEX_SPACE_SHAPE:
    case IR_OP_GET_TENSOR_SHAPE:
        list_extents(l, op);
        break;
    case IR_OP_LOAD_VIEW_TKO:
    case IR_OP_STORE_VIEW_TKO:
    case IR_OP_ATOMIC_RED_VIEW_TKO:
        list_indices(l, op);
        break;
    case IR_OP_LOAD_PTR_TKO:
        list_mask(l, op, IR_LOAD_PTR_TKO_mask);
        break;
    case IR_OP_STORE_PTR_TKO:
        list_mask(l, op, IR_STORE_PTR_TKO_mask);
        break;
    case IR_OP_ATOMIC_RMW_TKO:
        list_mask(l, op, IR_ATOMIC_RMW_TKO_mask);
        break;
    case IR_OP_OFFSET:
        add(l, COMPARE_EDIT_OFFSET_UP, op, 1, 1, NULL);
        add(l, COMPARE_EDIT_OFFSET_DOWN, op, 1, -1, NULL);
        break;
    case IR_OP_IOTA:
        add(l, COMPARE_EDIT_IOTA_UP, op, 0, 1, NULL);
        add(l, COMPARE_EDIT_IOTA_DOWN, op, 0, -1, NULL);
        break;
    case IR_OP_FOR:
        list_loop(l, op);
        break;
    case IR_OP_CMPI:
        list_comparison(l, op);
        break;
    case IR_OP_MAKE_TENSOR_VIEW:
        list_tensor(l, op);
        break;
    case IR_OP_MULI:
        list_product(l, op);
        break;
    case IR_OP_DIVI:
        list_quotient(l, op);
        break;
    case IR_OP_SELECT:
        add(l, COMPARE_EDIT_NO_SELECT, op, IR_SELECT_val_if_true, 0, NULL);
        add(l, COMPARE_EDIT_NO_SELECT, op, IR_SELECT_val_if_false, 0, NULL);
        break;
    default:
        break;
    }
}

edit *edits_of(ir_function *function)
{
    edit *edits = NULL;
    listing l = {.function = function, .edits = &edits};
    find_roots(&l);
    for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op))
        list_op(&l, op);
    edits_of_types(function, &edits);
    return edits;
}
