#include "build.h"

#include <stdarg.h>

const ir_type *tile_of(ir_builder *b, ir_type_kind elem, int rank, const int64_t *shape)
{
    return ir_type_tile(b->module, ir_type_scalar(b->module, elem), rank, shape);
}

const ir_type *same_shape(ir_builder *b, const ir_type *elem, val like)
{
    return ir_type_tile(b->module, elem, like->type->rank, like->type->shape);
}

ir_op *op_of(ir_builder *b, ir_opcode code, uint32_t n_results, const ir_type *const *types, ...)
{
    ir_operand_list groups[8] = {{0}};
    val values[8];
    const ir_op_info *info = ir_op_info_of(code);
    va_list given;
    va_start(given, types);
    for (int i = 0; i < info->n_operand_groups; i++) {
        values[i] = va_arg(given, val);
        groups[i] = (ir_operand_list){&values[i], values[i] ? 1 : 0};
    }
    va_end(given);
    return ir_build(b, code, groups, n_results, types, NULL);
}

val unary(ir_builder *b, ir_opcode code, const ir_type *type, val a)
{
    return &op_of(b, code, 1, &type, a)->results[0];
}

val binary(ir_builder *b, ir_opcode code, val a, val c)
{
    return &op_of(b, code, 1, &a->type, a, c)->results[0];
}

val arithmetic(ir_builder *b, ir_opcode code, val a, val c, int flags)
{
    val result = binary(b, code, a, c);
    unsigned at = code == IR_OP_ADDI   ? IR_AT_ADDI_overflow
                  : code == IR_OP_SUBI ? IR_AT_SUBI_overflow
                  : code == IR_OP_MULI ? IR_AT_MULI_overflow
                                       : (unsigned)IR_AT_SHLI_overflow;
    ir_set_int(result->def, at, flags);
    return result;
}

val compare(ir_builder *b, ir_predicate predicate, ir_signedness sign, val a, val c)
{
    const ir_type *type = same_shape(b, ir_type_scalar(b->module, IR_I1), a);
    val result = &op_of(b, IR_OP_CMPI, 1, &type, a, c)->results[0];
    ir_set_int(result->def, IR_AT_CMPI_comparison_predicate, predicate);
    ir_set_int(result->def, IR_AT_CMPI_signedness, sign);
    return result;
}

val select_of(ir_builder *b, val condition, val yes, val no)
{
    return &op_of(b, IR_OP_SELECT, 1, &yes->type, condition, yes, no)->results[0];
}

val constant(ir_builder *b, const ir_type *type, size_t n, const int64_t *values)
{
    int bits = ir_type_bits(type->elem), width = (bits + 7) / 8;
    unsigned char *bytes = tr_arena_alloc(b->module->arena, n * (size_t)width + 1);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < width; k++)
            bytes[i * (size_t)width + (size_t)k] = (unsigned char)((uint64_t)values[i] >> (8 * k));
    ir_op *op = ir_build(b, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    op->attrs[IR_AT_CONSTANT_value] =
        ir_attr_of_dense(b->module, type, bytes, n * (size_t)width, n == 1);
    return &op->results[0];
}

val number(ir_builder *b, ir_type_kind elem, int64_t value)
{
    return constant(b, tile_of(b, elem, 0, NULL), 1, &value);
}

val zeros(ir_builder *b, const ir_type *type)
{
    ir_op *op = ir_build(b, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    op->attrs[IR_AT_CONSTANT_value] = ir_type_is_int(type->elem)
                                          ? ir_attr_splat_int(b->module, type, 0)
                                          : ir_attr_splat_float(b->module, type, 0);
    return &op->results[0];
}

val reshape(ir_builder *b, val tile, int rank, const int64_t *shape)
{
    return unary(b, IR_OP_RESHAPE, ir_type_tile(b->module, tile->type->elem, rank, shape), tile);
}

val broadcast(ir_builder *b, val tile, const int64_t *shape)
{
    const ir_type *type = ir_type_tile(b->module, tile->type->elem, tile->type->rank, shape);
    return type == tile->type ? tile : unary(b, IR_OP_BROADCAST, type, tile);
}

val spread(ir_builder *b, val scalar, int rank, const int64_t *shape)
{
    static const int64_t ones[IR_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    return rank ? broadcast(b, reshape(b, scalar, rank, ones), shape) : scalar;
}

static void set_how(ir_op *op, unsigned ordering, unsigned scope, how h)
{
    ir_set_int(op, ordering, h.ordering);
    if (h.scope != IR_SCOPE_NONE)
        ir_set_int(op, scope, h.scope);
}

static uint32_t rank_of(val view)
{
    return (uint32_t)view->type->rank;
}

ir_op *load_view(ir_builder *b, how h, val view, const val *index, val token)
{
    const ir_type *vt = view->type;
    const ir_type *types[] = {ir_type_tile(b->module, vt->tensor->elem, vt->rank, vt->shape),
                              ir_type_token(b->module)};
    ir_operand_list groups[] = {{&view, 1}, {index, rank_of(view)}, {&token, token ? 1 : 0}};
    ir_op *op = ir_build(b, IR_OP_LOAD_VIEW_TKO, groups, 2, types, NULL);
    set_how(op, IR_AT_LOAD_VIEW_TKO_memory_ordering_semantics, IR_AT_LOAD_VIEW_TKO_memory_scope, h);
    return op;
}

ir_op *store_view(ir_builder *b, how h, val view, val tile, const val *index, val token)
{
    const ir_type *types[] = {ir_type_token(b->module)};
    ir_operand_list groups[] = {
        {&tile, 1}, {&view, 1}, {index, rank_of(view)}, {&token, token ? 1 : 0}};
    ir_op *op = ir_build(b, IR_OP_STORE_VIEW_TKO, groups, 1, types, NULL);
    set_how(op, IR_AT_STORE_VIEW_TKO_memory_ordering_semantics, IR_AT_STORE_VIEW_TKO_memory_scope,
            h);
    return op;
}

ir_op *reduce_view(ir_builder *b, how h, val view, val tile, const val *index, val token)
{
    const ir_type *types[] = {ir_type_token(b->module)};
    ir_operand_list groups[] = {
        {&view, 1}, {index, rank_of(view)}, {&tile, 1}, {&token, token ? 1 : 0}};
    ir_op *op = ir_build(b, IR_OP_ATOMIC_RED_VIEW_TKO, groups, 1, types, NULL);
    set_how(op, IR_AT_ATOMIC_RED_VIEW_TKO_memory_ordering_semantics,
            IR_AT_ATOMIC_RED_VIEW_TKO_memory_scope, h);
    ir_set_int(op, IR_AT_ATOMIC_RED_VIEW_TKO_mode, IR_ATOMIC_ADD);
    return op;
}

ir_op *load_pointer(ir_builder *b, how h, val p, val mask, val padding, val token)
{
    const ir_type *types[] = {same_shape(b, p->type->elem->elem, p), ir_type_token(b->module)};
    ir_op *op = op_of(b, IR_OP_LOAD_PTR_TKO, 2, types, p, mask, padding, token);
    set_how(op, IR_AT_LOAD_PTR_TKO_memory_ordering_semantics, IR_AT_LOAD_PTR_TKO_memory_scope, h);
    return op;
}

ir_op *store_pointer(ir_builder *b, how h, val p, val value, val mask, val token)
{
    const ir_type *types[] = {ir_type_token(b->module)};
    ir_op *op = op_of(b, IR_OP_STORE_PTR_TKO, 1, types, p, value, mask, token);
    set_how(op, IR_AT_STORE_PTR_TKO_memory_ordering_semantics, IR_AT_STORE_PTR_TKO_memory_scope, h);
    return op;
}

ir_op *atomic_update(ir_builder *b, how h, ir_atomic_mode mode, val p, val value, val mask,
                     val token)
{
    const ir_type *types[] = {value->type, ir_type_token(b->module)};
    ir_op *op = op_of(b, IR_OP_ATOMIC_RMW_TKO, 2, types, p, value, mask, token);
    set_how(op, IR_AT_ATOMIC_RMW_TKO_memory_ordering_semantics, IR_AT_ATOMIC_RMW_TKO_memory_scope,
            h);
    ir_set_int(op, IR_AT_ATOMIC_RMW_TKO_mode, mode);
    return op;
}

ir_op *atomic_add(ir_builder *b, how h, val p, val value, val mask, val token)
{
    return atomic_update(b, h, IR_ATOMIC_ADD, p, value, mask, token);
}

ir_op *atomic_swap(ir_builder *b, how h, val p, val expected, val wanted, val mask, val token)
{
    const ir_type *types[] = {wanted->type, ir_type_token(b->module)};
    ir_op *op = op_of(b, IR_OP_ATOMIC_CAS_TKO, 2, types, p, expected, wanted, mask, token);
    set_how(op, IR_AT_ATOMIC_CAS_TKO_memory_ordering_semantics, IR_AT_ATOMIC_CAS_TKO_memory_scope,
            h);
    return op;
}

val token_of(ir_op *op)
{
    return &op->results[op->n_results - 1];
}

val make_token(ir_builder *b)
{
    const ir_type *type = ir_type_token(b->module);
    return &ir_build(b, IR_OP_MAKE_TOKEN, NULL, 1, &type, NULL)->results[0];
}

val join(ir_builder *b, val first, val second)
{
    const ir_type *type = ir_type_token(b->module);
    ir_operand_list group = {(val[]){first, second}, 2};
    return &ir_build(b, IR_OP_JOIN_TOKENS, &group, 1, &type, NULL)->results[0];
}

void end_block(ir_builder *b, ir_opcode code, uint32_t n, const val *values)
{
    ir_operand_list group = {values, n};
    ir_build(b, code, &group, 0, NULL, NULL);
}
