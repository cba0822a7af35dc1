/* Changes of a kernel, made. */
#include "compare/private.h"

/* The floor of extent by tile, in place of the number of tiles. */
static void count_whole_tiles(patch *p, ir_op *op, uint32_t axis)
{
    ir_value *view = op->operands[0];
    const ir_type *type = view->type, *number = op->results[axis].type;
    if (!view->def || view->def->n_operands != 1 || type->kind != IR_PARTITION_VIEW)
        return;
    const ir_type *types[IR_MAX_RANK];
    uint32_t rank = (uint32_t)type->tensor->rank;
    for (uint32_t i = 0; i < rank; i++)
        types[i] = number;
    ir_value *tensor[] = {view->def->operands[0]};
    ir_operand_list of_tensor[] = {{tensor, 1}};
    ir_op *shape = patch_build_many(p, op, IR_OP_GET_TENSOR_SHAPE, of_tensor, rank, types);
    int32_t dim = type->dim_map ? type->dim_map[axis] : (int32_t)axis;
    ir_value *tile = patch_constant(p, shape, true, number, type->shape[axis]);
    ir_value *extent[] = {&shape->results[dim]}, *by[] = {tile};
    ir_operand_list groups[] = {{extent, 1}, {by, 1}};
    ir_op *quotient = patch_build(p, tile->def, true, IR_OP_DIVI, groups, 1, &number);
    quotient->attrs[IR_AT_DIVI_signedness] = ir_attr_of_int(IR_SIGNED);
    quotient->attrs[IR_AT_DIVI_rounding] = ir_attr_of_int(IR_ROUND_ZERO);
    patch_uses(p, &op->results[axis], &quotient->results[0], NULL);
}

static void exchange_extents(patch *p, ir_op *op, uint32_t i, uint32_t k)
{
    ir_value *x = op->operands[i], *y = op->operands[k];
    const ir_value *roots[2] = {edit_root_of(x), edit_root_of(y)};
    for (uint32_t at = 1; at < op->n_operands; at++) {
        const ir_value *root = edit_root_of(op->operands[at]);
        if (op->operands[at]->type == x->type && root && (root == roots[0] || root == roots[1]))
            patch_operand(p, op, at, root == roots[0] ? y : x);
    }
}

/* Everywhere: front ends ask for the ids once for each use. */
static void exchange_ids(patch *p, uint32_t i, uint32_t k)
{
    for (ir_op *user = ir_first_op(patch_function(p)); user; user = ir_next_op(user))
        for (uint32_t at = 0; at < user->n_operands; at++) {
            const ir_value *value = user->operands[at];
            ir_op *ids = value->def;
            if (ids && ids->code == IR_OP_GET_TILE_BLOCK_ID &&
                (value->index == i || value->index == k))
                patch_operand(p, user, at, &ids->results[value->index == i ? k : i]);
        }
}

static void change_result(patch *p, ir_op *op, uint32_t result, int64_t by)
{
    ir_value *sum = patch_sum(p, op, true, &op->results[result], by);
    patch_uses(p, &op->results[result], sum, sum->def);
}

static void change_operand(patch *p, ir_op *op, uint32_t operand, int64_t by)
{
    patch_operand(p, op, operand, patch_sum(p, op, false, op->operands[operand], by));
}

/* A loop's bound moves by a whole step, so that what is stepped over stays so, or by one. */
static void change_bound(patch *p, ir_op *op, uint32_t operand, int64_t by)
{
    if (by == 2 || by == -2) {
        change_operand(p, op, operand, by / 2);
        return;
    }
    const ir_type *type = op->operands[operand]->type;
    ir_value *from[] = {op->operands[operand]}, *step[] = {op->operands[IR_FOR_step]};
    ir_operand_list groups[] = {{from, 1}, {step, 1}};
    ir_op *moved = patch_build(p, op, false, by > 0 ? IR_OP_ADDI : IR_OP_SUBI, groups, 1, &type);
    patch_operand(p, op, operand, &moved->results[0]);
}

static void drop_token(patch *p, ir_op *op, uint32_t operand)
{
    const ir_type *type = op->operands[operand]->type;
    ir_op *made = patch_build(p, op, false, IR_OP_MAKE_TOKEN, NULL, 1, &type);
    patch_operand(p, op, operand, &made->results[0]);
}

void edit_apply(patch *p, const edit *e)
{
    ir_op *op = e->op;
    switch (e->kind) {
    case COMPARE_EDIT_ID_UP:
    case COMPARE_EDIT_ID_DOWN:
    case COMPARE_EDIT_INDICES_UP:
    case COMPARE_EDIT_INDICES_DOWN:
    case COMPARE_EDIT_IOTA_UP:
    case COMPARE_EDIT_IOTA_DOWN:
        change_result(p, op, e->operand, e->number);
        break;
    case COMPARE_EDIT_INDEX_UP:
    case COMPARE_EDIT_INDEX_DOWN:
    case COMPARE_EDIT_OFFSET_UP:
    case COMPARE_EDIT_OFFSET_DOWN:
        change_operand(p, op, e->operand, e->number);
        break;
    case COMPARE_EDIT_BEGIN_UP:
    case COMPARE_EDIT_BEGIN_DOWN:
    case COMPARE_EDIT_END_UP:
    case COMPARE_EDIT_END_DOWN:
        change_bound(p, op, e->operand, e->number);
        break;
    case COMPARE_EDIT_ID_AXIS:
    case COMPARE_EDIT_EXTENT_AXIS:
        patch_uses(p, &op->results[e->operand], &op->results[e->number], NULL);
        break;
    case COMPARE_EDIT_ID_AXES:
        exchange_ids(p, e->operand, (uint32_t)e->number);
        break;
    case COMPARE_EDIT_INDEX_AXES:
    case COMPARE_EDIT_ORDERED_INDEX: {
        ir_value *first = op->operands[e->operand];
        patch_operand(p, op, e->operand, op->operands[e->number]);
        patch_operand(p, op, (uint32_t)e->number, first);
        break;
    }
    case COMPARE_EDIT_TILES:
        count_whole_tiles(p, op, e->operand);
        break;
    case COMPARE_EDIT_QUOTIENT:
        patch_number(p, op, IR_AT_DIVI_rounding, e->number);
        break;
    case COMPARE_EDIT_BOUND:
        patch_number(p, op, IR_AT_CMPI_comparison_predicate, e->number);
        break;
    case COMPARE_EDIT_DIVIDEND:
    case COMPARE_EDIT_STRIDE:
    case COMPARE_EDIT_FACTOR:
        patch_operand(p, op, e->operand, e->value);
        break;
    case COMPARE_EDIT_EXTENTS:
        exchange_extents(p, op, e->operand, (uint32_t)e->number);
        break;
    case COMPARE_EDIT_NO_MASK:
        patch_operand(p, op, e->operand,
                      patch_constant(p, op, false, op->operands[e->operand]->type, 1));
        break;
    case COMPARE_EDIT_NO_CONDITION: {
        ir_value *yes = patch_constant(p, op, true, op->results[0].type, 1);
        patch_uses(p, &op->results[0], yes, NULL);
        break;
    }
    case COMPARE_EDIT_NO_SELECT:
        patch_uses(p, &op->results[0], op->operands[e->operand], NULL);
        break;
    case COMPARE_EDIT_NO_TOKEN:
        drop_token(p, op, e->operand);
        break;
    default:
        edit_apply_type(p, e);
        break;
    }
}
