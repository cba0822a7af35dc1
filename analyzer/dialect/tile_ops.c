/* Calls of tile arithmetic: the rows of builtins.def on top of arith.c. */
#include "dialect/lower.h"

#include <math.h>

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

/* Lowers both operands, and sets the place back to the call. */
static void two(dl *L, const dl_args *args, dl_value *a, dl_value *b)
{
    *a = dl_tile_operand(L, args->arg[0]);
    *b = dl_tile_operand(L, args->arg[1]);
    at(L, args->call);
}

static dl_value as_tile(dl_value value)
{
    value.number = false;
    return value;
}

dl_value lower_binary(dl *L, const dl_args *args)
{
    dl_value a, b;
    two(L, args, &a, &b);
    return dl_binary(L, args->call, (dl_arith)args->row->a, a, b);
}

dl_value lower_compare(dl *L, const dl_args *args)
{
    dl_value a, b;
    two(L, args, &a, &b);
    return dl_compare(L, args->call, (ir_predicate)args->row->a, a, b);
}

dl_value lower_number_binary(dl *L, const dl_args *args)
{
    dl_value a = dl_number(L, args->arg[0]), b = dl_number(L, args->arg[1]);
    at(L, args->call);
    return dl_binary(L, args->call, (dl_arith)args->row->a, a, b);
}

dl_value lower_negate(dl *L, const dl_args *args)
{
    dl_value a = dl_tile_operand(L, args->arg[0]);
    at(L, args->call);
    return dl_negate(L, args->call, a);
}

dl_value lower_complement(dl *L, const dl_args *args)
{
    dl_value a = dl_tile_operand(L, args->arg[0]);
    at(L, args->call);
    return dl_complement(L, args->call, a);
}

dl_value lower_select(dl *L, const dl_args *args)
{
    dl_value condition = dl_tile_operand(L, args->arg[0]);
    dl_value yes = dl_tile_operand(L, args->arg[1]), no = dl_tile_operand(L, args->arg[2]);
    at(L, args->call);
    if (dl_is_pointers(&yes) || dl_is_pointers(&no))
        return dl_select_pointers(L, args->call, condition, yes, no);
    return dl_select(L, args->call, condition, yes, no);
}

/* ---- One float operand ---- */

static bool is_float_tile(dl *L, CXCursor where, dl_value *value)
{
    if (value->kind != DL_VALUE)
        return false;
    ir_type_kind kind = value->type->elem->kind;
    if (kind == IR_F16 || kind == IR_BF16 || kind == IR_F32 || kind == IR_F64)
        return true;
    dl_fail(L, where, "Convert with tile_cast(t, float) first.", "this does not work on %s",
            dl_type_text(L, value->type));
    return false;
}

dl_value lower_float_unary(dl *L, const dl_args *args)
{
    dl_value a = dl_tile_operand(L, args->arg[0]);
    if (!is_float_tile(L, args->call, &a))
        return dl_poison();
    at(L, args->call);
    ir_value *operand = dl_ir(L, &a);
    ir_op *op = dl_emit_op(L, (ir_opcode)args->row->a, a.type, 1, &operand);
    if (op->code == IR_OP_EXP)
        ir_set_int(op, IR_AT_EXP_rounding_mode, IR_ROUND_FULL);
    else if (op->code == IR_OP_TANH)
        ir_set_int(op, IR_AT_TANH_rounding_mode, IR_ROUND_FULL);
    else if (op->code == IR_OP_SQRT)
        ir_set_int(op, IR_AT_SQRT_rounding_mode, IR_ROUND_NEAREST_EVEN);
    return dl_of(&op->results[0], a.number, false);
}

dl_value lower_abs(dl *L, const dl_args *args)
{
    dl_value a = dl_tile_operand(L, args->arg[0]);
    if (a.kind != DL_VALUE)
        return a;
    bool is_int = ir_type_is_int(a.type->elem);
    if (a.type->elem->kind == IR_I1 || (!is_int && !is_float_tile(L, args->call, &a)))
        return dl_fail(L, args->call, NULL, "an absolute value needs numbers");
    at(L, args->call);
    ir_value *operand = dl_ir(L, &a);
    return dl_of(dl_emit(L, is_int ? IR_OP_ABSI : IR_OP_ABSF, a.type, 1, &operand), a.number,
                 a.is_unsigned);
}

dl_value lower_isnan(dl *L, const dl_args *args)
{
    dl_value a = dl_tile_operand(L, args->arg[0]);
    if (!is_float_tile(L, args->call, &a))
        return dl_poison();
    at(L, args->call);
    a.ir = dl_ir(L, &a);
    a.constant = false;
    return dl_compare(L, args->call, IR_NE, a, a);
}

dl_value lower_fma(dl *L, const dl_args *args)
{
    dl_value a = dl_tile_operand(L, args->arg[0]), b = dl_tile_operand(L, args->arg[1]);
    dl_value c = dl_tile_operand(L, args->arg[2]);
    at(L, args->call);
    /* Twice: the third operand may widen the first two. */
    if (!dl_unify(L, args->call, &a, &b) || !dl_unify(L, args->call, &a, &c) ||
        !dl_unify(L, args->call, &b, &c) || !is_float_tile(L, args->call, &a))
        return dl_poison();
    ir_value *operands[] = {dl_ir(L, &a), dl_ir(L, &b), dl_ir(L, &c)};
    ir_op *op = dl_emit_op(L, IR_OP_FMA, a.type, 3, operands);
    ir_set_int(op, IR_AT_FMA_rounding_mode, IR_ROUND_NEAREST_EVEN);
    return dl_of(&op->results[0], a.number && b.number && c.number, false);
}

dl_value lower_special_float(dl *L, const dl_args *args)
{
    dl_value value = dl_real(L, (ir_type_kind)args->row->b, args->row->a ? NAN : INFINITY);
    value.fixed = true;
    return value;
}

/* ---- Casts ---- */

dl_value lower_cast(dl *L, const dl_args *args)
{
    dl_element element;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !dl_type_argument(L, args->arg[1], &element))
        return dl_poison();
    if (value.type->elem->kind == IR_POINTER)
        return dl_fail(L, args->call, "tile_ptr_cast changes what pointers point to.",
                       "tile_cast does not work on pointers");
    if (ir_type_is_int(value.type->elem) && element.type->kind == IR_F8E8M0FNU && !value.constant)
        return dl_fail(L, args->call, "Convert with tile_cast(t, float) first.",
                       "integers cannot be converted to f8E8M0FNU directly");
    at(L, args->call);
    return as_tile(dl_convert(L, value, element));
}

dl_value lower_bitcast(dl *L, const dl_args *args)
{
    dl_element element;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !dl_type_argument(L, args->arg[1], &element))
        return dl_poison();
    if (value.type->elem->kind == IR_POINTER ||
        ir_type_bits(value.type->elem) != ir_type_bits(element.type))
        return dl_fail(L, args->call, NULL, "%s and %s differ in their number of bits",
                       dl_type_text(L, value.type->elem), dl_type_text(L, element.type));
    at(L, args->call);
    value.ir = dl_ir(L, &value);
    if (value.type->elem != element.type) {
        const ir_type *type = dl_tile_type(L, element.type, value.type->rank, value.type->shape);
        value.ir = dl_emit(L, IR_OP_BITCAST, type, 1, &value.ir);
    }
    return dl_of(value.ir, false, element.is_unsigned);
}

static dl_value repack(dl *L, const dl_args *args, ir_opcode code, dl_value value,
                       dl_element element)
{
    int64_t bits = ir_type_elements(value.type) * ir_type_bits(value.type->elem);
    int64_t count = bits / ir_type_bits(element.type);
    if (value.type->rank != 1 || count < 1 || ir_type_bits(value.type->elem) == 1 ||
        ir_type_bits(element.type) == 1 || value.type->elem == element.type)
        return dl_fail(L, args->call, "Reshape it to one dimension first.",
                       "%s cannot be packed or unpacked in this way", dl_type_text(L, value.type));
    at(L, args->call);
    ir_value *operand = dl_ir(L, &value);
    return dl_of(dl_emit(L, code, dl_tile_type(L, element.type, 1, &count), 1, &operand), false,
                 element.is_unsigned);
}

dl_value lower_pack(dl *L, const dl_args *args)
{
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE)
        return value;
    return repack(L, args, IR_OP_PACK, value,
                  (dl_element){ir_type_scalar(L->module, IR_I8), false});
}

dl_value lower_unpack(dl *L, const dl_args *args)
{
    dl_element element;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !dl_type_argument(L, args->arg[1], &element))
        return dl_poison();
    if (value.type->elem->kind != IR_I8)
        return dl_fail(L, args->call, NULL, "tile_unpack works on bytes, not on %s",
                       dl_type_text(L, value.type));
    return repack(L, args, IR_OP_UNPACK, value, element);
}

dl_value lower_to_number(dl *L, const dl_args *args)
{
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE)
        return value;
    if (ir_type_elements(value.type) != 1)
        return dl_fail(L, args->call, "Reduce it, or extract one element with tile_extract.",
                       "%s has more than one element", dl_type_text(L, value.type));
    at(L, args->call);
    ir_type_kind kind = (ir_type_kind)args->row->a;
    value = dl_reshape(L, value, 0, NULL);
    return dl_to_number(L, args->call, value,
                        (dl_element){ir_type_scalar(L->module, kind), kind == IR_I1});
}

/* ---- Matrix products ---- */

static bool mma_shapes(dl *L, const dl_args *args, const ir_type *a, const ir_type *b,
                       const ir_type *c)
{
    int rank = c->rank, batch = rank == 3;
    bool fits = (rank == 2 || rank == 3) && a->rank == rank && b->rank == rank;
    if (fits && batch)
        fits = a->shape[0] == b->shape[0] && a->shape[0] == c->shape[0];
    fits = fits && a->shape[batch] == c->shape[batch] && a->shape[batch + 1] == b->shape[batch] &&
           b->shape[batch + 1] == c->shape[batch + 1];
    if (!fits)
        dl_fail(L, args->call,
                "The shapes are M x K, K x N and M x N, each with a leading batch "
                "dimension or none with one.",
                "%s times %s plus %s is no matrix product", dl_type_text(L, a), dl_type_text(L, b),
                dl_type_text(L, c));
    return fits;
}

static bool mma_elements(dl *L, const dl_args *args, const ir_type *a, const ir_type *b,
                         const ir_type *c)
{
    /* The accumulators that go with each operand type: bits by element type. */
    static const struct {
        ir_type_kind operand, accumulators[2];
    } table[] = {
        {IR_F8E4M3FN, {IR_F16, IR_F32}}, {IR_F8E5M2, {IR_F16, IR_F32}}, {IR_F16, {IR_F16, IR_F32}},
        {IR_BF16, {IR_F32, IR_F32}},     {IR_TF32, {IR_F32, IR_F32}},   {IR_F32, {IR_F32, IR_F32}},
        {IR_F64, {IR_F64, IR_F64}},      {IR_I8, {IR_I32, IR_I32}},
    };
    for (size_t i = 0; i < TR_COUNT(table) && a->elem == b->elem; i++)
        if (table[i].operand == a->elem->kind && (table[i].accumulators[0] == c->elem->kind ||
                                                  table[i].accumulators[1] == c->elem->kind))
            return true;
    dl_fail(L, args->call,
            "An f16 product needs an f16 or float accumulator; bf16, tf32 and float need float, "
            "double needs double, and 8-bit integers need int.",
            "a product of %s and %s cannot be added to %s", dl_type_text(L, a->elem),
            dl_type_text(L, b->elem), dl_type_text(L, c->elem));
    return false;
}

dl_value lower_mma(dl *L, const dl_args *args)
{
    dl_value a = dl_tile_operand(L, args->arg[0]), b = dl_tile_operand(L, args->arg[1]);
    dl_value c = dl_tile_operand(L, args->arg[2]);
    if (a.kind != DL_VALUE || b.kind != DL_VALUE || c.kind != DL_VALUE ||
        !mma_shapes(L, args, a.type, b.type, c.type) ||
        !mma_elements(L, args, a.type, b.type, c.type))
        return dl_poison();
    at(L, args->call);
    bool is_int = ir_type_is_int(a.type->elem);
    ir_value *operands[] = {dl_ir(L, &a), dl_ir(L, &b), dl_ir(L, &c)};
    ir_op *op = dl_emit_op(L, is_int ? IR_OP_MMAI : IR_OP_MMAF, c.type, 3, operands);
    if (is_int) {
        ir_set_int(op, IR_AT_MMAI_signedness_lhs, a.is_unsigned ? IR_UNSIGNED : IR_SIGNED);
        ir_set_int(op, IR_AT_MMAI_signedness_rhs, b.is_unsigned ? IR_UNSIGNED : IR_SIGNED);
    }
    return dl_of(&op->results[0], false, false);
}

dl_value lower_mma_scaled(dl *L, const dl_args *args)
{
    dl_value v[5];
    for (int i = 0; i < 5; i++) {
        v[i] = dl_tile_operand(L, args->arg[i]);
        if (v[i].kind != DL_VALUE)
            return dl_poison();
    }
    if (!mma_shapes(L, args, v[0].type, v[1].type, v[2].type))
        return dl_poison();
    bool fits = v[2].type->elem->kind == IR_F32;
    for (int i = 0; i < 2; i++) {
        ir_type_kind data = v[i].type->elem->kind, scale = v[3 + i].type->elem->kind;
        fits = fits && (data == IR_F8E4M3FN || data == IR_F8E5M2) &&
               (scale == IR_F8E4M3FN || scale == IR_F8E8M0FNU) &&
               v[3 + i].type->rank == v[i].type->rank;
    }
    if (!fits)
        return dl_fail(L, args->call,
                       "Operands are f8e4m3 or f8e5m2, scales f8e8m0 or f8e4m3 of the same rank, "
                       "the accumulator float.",
                       "these element types are no scaled matrix product");
    at(L, args->call);
    ir_value *operands[5];
    for (int i = 0; i < 5; i++)
        operands[i] = dl_ir(L, &v[i]);
    return dl_of(dl_emit(L, IR_OP_MMAF_SCALED, v[2].type, 5, operands), false, false);
}
