/* Changes of what tiles are: products, transposed tiles, dimensions, padding, the order of axes. */
#include <string.h>

#include "base/ds.h"
#include "compare/private.h"

static void add(edit **edits, compare_edit_kind kind, ir_op *op, uint32_t operand, int64_t number,
                const ir_type *type)
{
    edit e = {.kind = kind, .op = op, .operand = operand, .number = number, .type = type};
    arrput(*edits, e);
}

/* ---- Section: Products ---- */

static bool is_square(const ir_type *tile)
{
    return tile->kind == IR_TILE && tile->rank >= 2 &&
           tile->shape[tile->rank - 1] == tile->shape[tile->rank - 2];
}

static void list_product(edit **edits, ir_op *op)
{
    const ir_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type,
                  *acc = op->operands[2]->type;
    bool same_shape = lhs->rank == acc->rank && lhs == rhs &&
                      memcmp(lhs->shape, acc->shape, (size_t)acc->rank * sizeof *acc->shape) == 0;
    if (same_shape && op->code == IR_OP_MMAF)
        add(edits, COMPARE_EDIT_PRODUCT, op, 0, 0, NULL);
    if (lhs == rhs && is_square(acc))
        add(edits, COMPARE_EDIT_FACTORS, op, 0, 1, NULL);
}

/* ---- Section: Dimensions and permutations ---- */

/* Is it a product, or a sum of some, whose axes are permuted to be stored? */
static bool is_stored_product(const ir_function *f, const ir_op *permute)
{
    bool stored = false, multiplies = false;
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op)) {
        multiplies |= op->code == IR_OP_MMAF || op->code == IR_OP_MMAI;
        for (uint32_t i = 0; i < op->n_operands; i++)
            stored |= op->operands[i] == &permute->results[0] &&
                      ir_op_info_of(op->code)->effects & (IR_WRITES | IR_ATOMIC);
    }
    return stored && multiplies;
}

static void list_permutation(const ir_function *f, edit **edits, ir_op *op)
{
    compare_edit_kind kind =
        is_stored_product(f, op) ? COMPARE_EDIT_STORED_AXES : COMPARE_EDIT_PERMUTATION;
    const ir_attr *attr = &op->attrs[IR_AT_PERMUTE_permutation];
    int rank = (int)attr->count;
    for (int i = 0; i < rank; i++)
        for (int k = i + 1; k < rank; k++)
            if (op->results[0].type->shape[i] == op->results[0].type->shape[k])
                add(edits, kind, op, (uint32_t)i, k, NULL);
}

static void list_dimension(edit **edits, ir_op *op, unsigned attr)
{
    const ir_type *tile = op->operands[0]->type;
    int64_t is = ir_attr_int(op, attr, 0);
    for (int dim = 0; dim < tile->rank; dim++)
        if (dim != is && (op->code == IR_OP_SCAN || tile->shape[dim] == tile->shape[is]))
            add(edits, COMPARE_EDIT_DIMENSION, op, attr, dim, NULL);
}

/* ---- Section: Views ---- */

static const ir_type *view_like(ir_module *m, const ir_type *v, ir_padding padding,
                                const int32_t *dim_map)
{
    switch (v->kind) {
    case IR_PARTITION_VIEW:
        return ir_type_partition_view(m, v->tensor, v->rank, v->shape, dim_map, padding);
    case IR_STRIDED_VIEW:
        return ir_type_strided_view(m, v->tensor, v->rank, v->shape, v->traversal_strides, dim_map,
                                    padding);
    default:
        return ir_type_gather_scatter_view(m, v->tensor, v->rank, v->shape, v->sparse_dim, padding);
    }
}

static bool is_loaded(ir_function *f, const ir_value *view)
{
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        if (op->code == IR_OP_LOAD_VIEW_TKO && ir_operand(op, IR_LOAD_VIEW_TKO_view) == view)
            return true;
    return false;
}

static void list_view(ir_function *f, edit **edits, ir_op *op)
{
    const ir_type *v = op->results[0].type;
    if (is_loaded(f, &op->results[0]))
        for (int padding = IR_PAD_NONE; padding <= IR_PAD_NEG_INF; padding++)
            if (padding != (int)v->padding)
                add(edits, COMPARE_EDIT_VIEW_PADDING, op, 0, padding,
                    view_like(f->module, v, (ir_padding)padding, v->dim_map));
    for (int i = 0; i < v->rank && v->dim_map && v->kind != IR_GATHER_SCATTER_VIEW; i++)
        for (int k = i + 1; k < v->rank; k++) {
            int32_t map[IR_MAX_RANK];
            memcpy(map, v->dim_map, (size_t)v->rank * sizeof *map);
            map[i] = v->dim_map[k];
            map[k] = v->dim_map[i];
            add(edits, COMPARE_EDIT_ORDERED_SHAPE, op, 0, 0,
                view_like(f->module, v, v->padding, map));
        }
}

/* ---- Section: Padding of pointers ---- */

typedef enum load_padding { PAD_ZERO, PAD_ONE, PAD_LOW, PAD_HIGH, PAD_COUNT } load_padding;

static void list_load(edit **edits, ir_op *op)
{
    uint32_t n;
    ir_group(op, IR_LOAD_PTR_TKO_padding_value, &n);
    for (int i = 0; i < PAD_COUNT && n == 1; i++)
        add(edits, COMPARE_EDIT_LOAD_PADDING, op, 0, i, NULL);
}

void edits_of_types(ir_function *f, edit **edits)
{
    for (ir_op *op = ir_first_op(f); op; op = ir_next_op(op)) {
        switch (op->code) {
        case IR_OP_MMAF:
        case IR_OP_MMAI:
            list_product(edits, op);
            break;
        case IR_OP_STORE_VIEW_TKO:
            if (is_square(op->operands[0]->type))
                add(edits, COMPARE_EDIT_TRANSPOSED, op, 0, 0, NULL);
            break;
        case IR_OP_STORE_PTR_TKO:
            if (is_square(op->operands[1]->type))
                add(edits, COMPARE_EDIT_TRANSPOSED, op, 1, 0, NULL);
            break;
        case IR_OP_PERMUTE:
            list_permutation(f, edits, op);
            break;
        case IR_OP_REDUCE:
            list_dimension(edits, op, IR_AT_REDUCE_dim);
            break;
        case IR_OP_SCAN:
            list_dimension(edits, op, IR_AT_SCAN_dim);
            break;
        case IR_OP_MAKE_PARTITION_VIEW:
        case IR_OP_MAKE_STRIDED_VIEW:
        case IR_OP_MAKE_GATHER_SCATTER_VIEW:
            list_view(f, edits, op);
            break;
        case IR_OP_LOAD_PTR_TKO:
            list_load(edits, op);
            break;
        default:
            break;
        }
    }
}

/* ---- Section: Making them ---- */

static ir_value *as_accumulated(patch *p, ir_op *at, ir_value *value, const ir_type *acc)
{
    if (value->type == acc)
        return value;
    const ir_type *types[] = {acc};
    ir_value *from[] = {value};
    ir_operand_list groups[] = {{from, 1}};
    ir_op *op = patch_build(p, at, false, IR_OP_FTOF, groups, 1, types);
    op->attrs[IR_AT_FTOF_rounding_mode] = ir_attr_of_int(IR_ROUND_NEAREST_EVEN);
    return &op->results[0];
}

static ir_op *build_float(patch *p, ir_op *at, ir_opcode code, ir_value *a, ir_value *b,
                          const ir_type *type)
{
    const ir_type *types[] = {type};
    ir_value *left[] = {a}, *right[] = {b};
    ir_operand_list groups[] = {{left, 1}, {right, 1}};
    return patch_build(p, at, false, code, groups, 1, types);
}

static void multiply_elements(patch *p, ir_op *op)
{
    const ir_type *acc = op->operands[2]->type;
    ir_value *a = as_accumulated(p, op, op->operands[0], acc),
             *b = as_accumulated(p, op, op->operands[1], acc);
    ir_op *product = build_float(p, op, IR_OP_MULF, a, b, acc);
    ir_op *sum = build_float(p, op, IR_OP_ADDF, &product->results[0], op->operands[2], acc);
    patch_uses(p, &op->results[0], &sum->results[0], NULL);
}

static void transpose(patch *p, ir_op *op, uint32_t operand)
{
    const ir_type *type = op->operands[operand]->type, *types[] = {type};
    int64_t axes[IR_MAX_RANK];
    for (int i = 0; i < type->rank; i++)
        axes[i] = i;
    axes[type->rank - 1] = type->rank - 2;
    axes[type->rank - 2] = type->rank - 1;
    ir_value *from[] = {op->operands[operand]};
    ir_operand_list groups[] = {{from, 1}};
    ir_op *permute = patch_build(p, op, false, IR_OP_PERMUTE, groups, 1, types);
    permute->attrs[IR_AT_PERMUTE_permutation] =
        ir_attr_of_ints(patch_function(p)->module, (size_t)type->rank, axes);
    patch_operand(p, op, operand, &permute->results[0]);
}

static void exchange_axes(patch *p, ir_op *op, uint32_t i, int64_t k)
{
    const ir_attr *attr = &op->attrs[IR_AT_PERMUTE_permutation];
    int64_t axes[IR_MAX_RANK];
    memcpy(axes, attr->numbers, attr->count * sizeof *axes);
    axes[i] = attr->numbers[k];
    axes[k] = attr->numbers[i];
    ir_attr other = ir_attr_of_ints(patch_function(p)->module, attr->count, axes);
    patch_set(p, &op->attrs[IR_AT_PERMUTE_permutation], &other, sizeof other);
}

static void pad_load(patch *p, ir_op *op, load_padding padding)
{
    uint32_t n;
    ir_value **at = ir_group(op, IR_LOAD_PTR_TKO_padding_value, &n);
    const ir_type *type = (*at)->type, *elem = type->elem;
    static const double floats[] = {0, 1, -__builtin_inf(), __builtin_inf()};
    int bits = ir_type_bits(elem);
    int64_t high = ir_type_is_int(elem) ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1) : 0;
    const int64_t numbers[] = {0, 1, -high - 1, high};
    ir_value *with = patch_constant(p, op, false, type, 0);
    with->def->attrs[IR_AT_CONSTANT_value] =
        ir_type_is_int(elem)
            ? ir_attr_splat_int(patch_function(p)->module, type, numbers[padding])
            : ir_attr_splat_float(patch_function(p)->module, type, floats[padding]);
    patch_operand(p, op, (uint32_t)(at - op->operands), with);
}

void edit_apply_type(patch *p, const edit *e)
{
    ir_op *op = e->op;
    switch (e->kind) {
    case COMPARE_EDIT_PRODUCT:
        multiply_elements(p, op);
        break;
    case COMPARE_EDIT_FACTORS: {
        ir_value *first = op->operands[0];
        patch_operand(p, op, 0, op->operands[1]);
        patch_operand(p, op, 1, first);
        break;
    }
    case COMPARE_EDIT_TRANSPOSED:
        transpose(p, op, e->operand);
        break;
    case COMPARE_EDIT_PERMUTATION:
    case COMPARE_EDIT_STORED_AXES:
        exchange_axes(p, op, e->operand, e->number);
        break;
    case COMPARE_EDIT_DIMENSION:
        patch_number(p, op, e->operand, e->number);
        break;
    case COMPARE_EDIT_VIEW_PADDING:
    case COMPARE_EDIT_ORDERED_SHAPE:
        patch_type(p, &op->results[0], e->type);
        break;
    case COMPARE_EDIT_LOAD_PADDING:
        pad_load(p, op, (load_padding)e->number);
        break;
    default:
        break;
    }
}
