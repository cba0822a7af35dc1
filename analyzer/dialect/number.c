/* Conversions between element types, of constants at once and of tiles by ops. */
#include "dialect/lower.h"

/* An integer as its type holds it: signed ones sign-extended, unsigned ones zero-extended. */
static int64_t wrapped(const dl_element *to, int64_t value)
{
    int bits = ir_type_bits(to->type);
    if (bits == 1)
        return value != 0;
    if (bits >= 64)
        return value;
    uint64_t low = (uint64_t)value & (((uint64_t)1 << bits) - 1);
    if (to->is_unsigned)
        return (int64_t)low;
    return (int64_t)(low << (64 - bits)) >> (64 - bits);
}

static double rounded(const ir_type *elem, double value)
{
    return ir_float_value(elem, ir_float_bits(elem, value));
}

/* A constant in another type, by C's rules: integers wrap, floats are rounded, and a float that
 * does not fit an integer type, which C leaves undefined, is 0. */
static dl_value fold(dl *L, const dl_value *value, const dl_element *to)
{
    dl_value result = *value;
    bool from_float = ir_type_is_float(value->type->elem), to_float = ir_type_is_float(to->type);
    result.type = dl_tile_type(L, to->type, 0, NULL);
    result.is_unsigned = to->is_unsigned;
    result.ir = NULL;
    if (to_float) {
        bool big = !from_float && value->is_unsigned && value->integer < 0;
        double real = from_float
                          ? value->real
                          : (big ? (double)(uint64_t)value->integer : (double)value->integer);
        result.real = rounded(to->type, real);
        result.integer = 0;
    } else if (from_float) {
        if (to->type->kind == IR_I1)
            result.integer = value->real != 0;
        else if (value->real >= -9223372036854775808.0 && value->real < 9223372036854775808.0)
            result.integer = wrapped(to, (int64_t)value->real);
        else
            result.integer = 0;
        result.real = 0;
    } else {
        result.integer = wrapped(to, value->integer);
    }
    return result;
}

static dl_value zero_like(dl *L, const dl_value *value)
{
    dl_value zero = {.kind = DL_VALUE, .constant = true};
    zero.type = value->type;
    zero.ir = dl_splat(L, &zero, value->type->rank, value->type->shape);
    return zero;
}

static ir_value *to_bool(dl *L, const dl_value *value, const ir_type *type)
{
    dl_value zero = zero_like(L, value);
    ir_value *operands[] = {value->ir, zero.ir};
    bool is_float = ir_type_is_float(value->type->elem);
    ir_op *op = dl_emit_op(L, is_float ? IR_OP_CMPF : IR_OP_CMPI, type, 2, operands);
    if (is_float) {
        ir_set_int(op, IR_AT_CMPF_comparison_predicate, IR_NE);
        ir_set_int(op, IR_AT_CMPF_comparison_ordering, IR_UNORDERED);
    } else {
        ir_set_int(op, IR_AT_CMPI_comparison_predicate, IR_NE);
        ir_set_int(op, IR_AT_CMPI_signedness, value->is_unsigned ? IR_UNSIGNED : IR_SIGNED);
    }
    return &op->results[0];
}

/* The op that converts a value: which one depends on what is an integer, on the widths, and on the
 * signedness of where it comes from (widening) or goes to (from floats). */
static ir_value *convert_ops(dl *L, const dl_value *value, const dl_element *to,
                             const ir_type *type)
{
    const ir_type *from = value->type->elem;
    bool from_float = ir_type_is_float(from), to_float = ir_type_is_float(to->type);
    bool from_unsigned = value->is_unsigned || from->kind == IR_I1;
    ir_value *operand = value->ir;
    ir_op *op;
    if (to->type->kind == IR_I1)
        return to_bool(L, value, type);
    if (from_float && to_float) {
        op = dl_emit_op(L, IR_OP_FTOF, type, 1, &operand);
        ir_set_int(op, IR_AT_FTOF_rounding_mode,
                   to->type->kind == IR_F8E8M0FNU ? IR_ROUND_ZERO : IR_ROUND_NEAREST_EVEN);
    } else if (from_float) {
        op = dl_emit_op(L, IR_OP_FTOI, type, 1, &operand);
        ir_set_int(op, IR_AT_FTOI_signedness, to->is_unsigned ? IR_UNSIGNED : IR_SIGNED);
        ir_set_int(op, IR_AT_FTOI_rounding_mode, IR_ROUND_NEAREST_INT_TO_ZERO);
    } else if (to_float) {
        op = dl_emit_op(L, IR_OP_ITOF, type, 1, &operand);
        ir_set_int(op, IR_AT_ITOF_signedness, from_unsigned ? IR_UNSIGNED : IR_SIGNED);
        ir_set_int(op, IR_AT_ITOF_rounding_mode, IR_ROUND_NEAREST_EVEN);
    } else if (ir_type_bits(to->type) > ir_type_bits(from)) {
        op = dl_emit_op(L, IR_OP_EXTI, type, 1, &operand);
        ir_set_int(op, IR_AT_EXTI_signedness, from_unsigned ? IR_UNSIGNED : IR_SIGNED);
    } else {
        op = dl_emit_op(L, IR_OP_TRUNCI, type, 1, &operand);
        ir_set_int(op, IR_AT_TRUNCI_overflow, IR_WRAP);
    }
    return &op->results[0];
}

dl_value dl_convert(dl *L, dl_value value, dl_element to)
{
    if (value.kind != DL_VALUE)
        return value;
    if (value.constant && !value.ir)
        return fold(L, &value, &to);
    if (value.type->elem == to.type) {
        value.is_unsigned = to.is_unsigned;
        return value;
    }
    dl_value result = value;
    result.type = dl_tile_type(L, to.type, value.type->rank, value.type->shape);
    result.ir = convert_ops(L, &value, &to, result.type);
    result.is_unsigned = to.is_unsigned;
    result.constant = result.fixed = false;
    return result;
}

dl_value dl_to_number(dl *L, CXCursor where, dl_value value, dl_element to)
{
    if (value.kind != DL_VALUE)
        return value;
    const ir_type *type = value.type;
    if (type->kind != IR_TILE || type->elem->kind == IR_POINTER)
        return dl_fail(L, where, NULL, "%s is no number", dl_type_text(L, type));
    if (type->rank != 0)
        return dl_fail(L, where,
                       "Reduce it, or take an element of a one-element tile with tile_to_int, "
                       "tile_to_long, tile_to_float or tile_to_bool.",
                       "%s is used as a number", dl_type_text(L, type));
    value = dl_convert(L, value, to);
    value.number = true;
    return value;
}

dl_value dl_to_bool(dl *L, CXCursor where, dl_value value)
{
    if (value.kind == DL_VALUE && value.type->kind == IR_TILE &&
        value.type->elem->kind == IR_POINTER)
        return dl_fail(L, where, NULL, "a pointer is no condition");
    return dl_to_number(L, where, value, (dl_element){ir_type_scalar(L->module, IR_I1), true});
}

dl_value dl_not(dl *L, dl_value condition)
{
    if (condition.kind != DL_VALUE)
        return condition;
    if (condition.constant) {
        condition.integer = !condition.integer;
        condition.ir = NULL;
        return condition;
    }
    dl_value one = {.kind = DL_VALUE, .type = condition.type, .constant = true, .integer = 1};
    ir_value *operands[] = {condition.ir,
                            dl_splat(L, &one, condition.type->rank, condition.type->shape)};
    condition.ir = dl_emit(L, IR_OP_XORI, condition.type, 2, operands);
    return condition;
}
