/* The ops, built on a kernel's inputs. */
#include "make.h"

/* The op with its first inputs, element by element. */
val make_op(ir_builder *b, const item *it, val *in)
{
    const ir_type *type = same_shape(b, ir_type_scalar(b->module, it->to), in[0]);
    ir_operand_list groups[MAX_INPUTS];
    for (int i = 0; i < it->operands; i++)
        groups[i] = (ir_operand_list){&in[i], 1};
    ir_op *op = ir_build(b, it->code, groups, 1, &type, NULL);
    for (int i = 0; i < it->n_settings; i++)
        ir_set_int(op, it->settings[i].attr, it->settings[i].value);
    return &op->results[0];
}

/* Shifts by less than the width: more is undefined. */
val make_shift(ir_builder *b, const item *it, val *in)
{
    const ir_type *type = in[1]->type;
    ir_op *width = ir_build(b, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    width->attrs[IR_AT_CONSTANT_value] =
        ir_attr_splat_int(b->module, type, ir_type_bits(type->elem) - 1);
    val both[] = {in[0], binary(b, IR_OP_ANDI, in[1], &width->results[0])};
    return make_op(b, it, both);
}

/* select of the parity of the third input */
val make_select(ir_builder *b, const item *it, val *in)
{
    (void)it;
    const ir_type *type = in[2]->type;
    ir_op *one = ir_build(b, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    one->attrs[IR_AT_CONSTANT_value] = ir_attr_splat_int(b->module, type, 1);
    val odd = binary(b, IR_OP_ANDI, in[2], &one->results[0]);
    return select_of(b, compare(b, IR_EQ, IR_UNSIGNED, odd, zeros(b, type)), in[0], in[1]);
}

static const int64_t square[] = {32, 32}, flat[] = {8, 128};

val make_mma(ir_builder *b, const item *it, val *in)
{
    val both[3];
    for (int i = 0; i < 3; i++)
        both[i] = reshape(b, in[i], 2, square);
    return make_op(b, it, both);
}

/* reduce and scan of 8 x 128: settings are the dimension, the direction, the op's own. */
val make_fold(ir_builder *b, const item *it, val *in)
{
    ir_opcode code = it->settings[2].attr;
    int dim = (int)it->settings[0].value;
    bool scan = it->code == IR_OP_SCAN;
    val tile = reshape(b, in[0], 2, flat);
    const ir_type *elem = tile->type->elem, *scalar = ir_type_tile(b->module, elem, 0, NULL);
    const ir_type *both[] = {scalar, scalar},
                  *type = scan ? tile->type : ir_type_tile(b->module, elem, 1, &flat[1 - dim]);
    ir_operand_list group = {&tile, 1};
    ir_op *op = ir_build(b, it->code, &group, 1, &type, (uint32_t[]){1});
    bool is_float = ir_type_is_float(elem), is_signed = it->settings[2].value == IR_SIGNED;
    int bits = ir_type_bits(elem);
    int64_t low = is_signed ? (int64_t)((uint64_t)1 << (bits - 1)) : 0;
    int64_t high = is_signed ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1) : -1;
    int64_t number = code == IR_OP_MULI   ? 1
                     : code == IR_OP_ANDI ? -1
                     : code == IR_OP_MAXI ? low
                     : code == IR_OP_MINI ? high
                                          : 0;
    if (bits < 64 && number == low && number) /* as signed numbers of their width */
        number = -(int64_t)((uint64_t)1 << (bits - 1));
    double real = code == IR_OP_MULF   ? 1
                  : code == IR_OP_MAXF ? -__builtin_inf()
                  : code == IR_OP_MINF ? __builtin_inf()
                                       : 0;
    ir_attr identity = is_float ? ir_attr_typed_float(elem, real) : ir_attr_typed_int(elem, number);
    ir_attr list = {.kind = IR_ATTR_LIST,
                    .count = 1,
                    .items = tr_arena_copy(b->module->arena, &identity, sizeof identity)};
    op->attrs[scan ? IR_AT_SCAN_identities : IR_AT_REDUCE_identities] = list;
    ir_set_int(op, scan ? IR_AT_SCAN_dim : IR_AT_REDUCE_dim, dim);
    if (scan)
        ir_set_int(op, IR_AT_SCAN_reverse, it->settings[1].value);
    ir_block *outer = b->block, *body = ir_block_new(b->module, b->function, 2, both);
    ir_set_region(op, 0, body);
    b->block = body;
    val combined = binary(b, code, body->args[0], body->args[1]);
    if (code == IR_OP_MAXI)
        ir_set_int(combined->def, IR_AT_MAXI_signedness, it->settings[2].value);
    if (code == IR_OP_MINI)
        ir_set_int(combined->def, IR_AT_MINI_signedness, it->settings[2].value);
    end_block(b, IR_OP_YIELD, 1, &combined);
    b->block = outer;
    return &op->results[0];
}

/* Moving without computing; settings[0].value says which. */
val make_shape(ir_builder *b, const item *it, val *in)
{
    ir_module *m = b->module;
    const ir_type *elem = in[0]->type->elem, *type;
    const int64_t n = BLOCK, cube[] = {4, 8, 32}, turned[] = {32, 4, 8}, twice = 2 * n;
    val tile = reshape(b, in[0], 3, cube);
    switch (it->code) {
    case IR_OP_PERMUTE: {
        val made = unary(b, it->code, ir_type_tile(m, elem, 3, turned), tile);
        made->def->attrs[IR_AT_PERMUTE_permutation] =
            ir_attr_of_ints(m, 3, (const int64_t[]){2, 0, 1});
        return made;
    }
    case IR_OP_CAT: {
        type = ir_type_tile(m, elem, 1, &twice);
        val made = &op_of(b, it->code, 1, &type, in[0], in[1])->results[0];
        ir_set_int(made->def, IR_AT_CAT_dim, 0);
        return made;
    }
    case IR_OP_EXTRACT:
    case IR_OP_INSERT: {
        const int64_t slice[] = {2, 8, 16};
        type = ir_type_tile(m, elem, 3, slice);
        val at[] = {number(b, IR_I32, 1), number(b, IR_I32, 0), number(b, IR_I32, 1)};
        ir_operand_list groups[] = {{&tile, 1}, {at, 3}};
        val cut = &ir_build(b, IR_OP_EXTRACT, groups, 1, &type, NULL)->results[0];
        if (it->code == IR_OP_EXTRACT)
            return cut;
        val whole = reshape(b, in[1], 3, cube), other[] = {at[1], at[1], at[1]};
        ir_operand_list three[] = {{&cut, 1}, {&whole, 1}, {other, 3}};
        return &ir_build(b, it->code, three, 1, &whole->type, NULL)->results[0];
    }
    case IR_OP_BROADCAST: {
        const int64_t column[] = {n, 1}, wide[] = {n, 4};
        return broadcast(b, reshape(b, in[0], 2, column), wide);
    }
    case IR_OP_PACK: {
        int64_t bytes = n * ir_type_bits(elem) / 8;
        type = tile_of(b, IR_I8, 1, &bytes);
        return unary(b, it->code, type, in[0]);
    }
    case IR_OP_UNPACK: {
        const ir_type *to = ir_type_scalar(m, it->to);
        int64_t count = n * 8 / ir_type_bits(to);
        return unary(b, it->code, ir_type_tile(m, to, 1, &count), in[0]);
    }
    case IR_OP_IOTA:
        type = ir_type_tile(m, elem, 1, &(const int64_t){elem->kind == IR_I8 ? 128 : n});
        return &ir_build(b, it->code, NULL, 1, &type, NULL)->results[0];
    default:
        return in[0];
    }
}

/* Through four bits: bytes as pairs of numbers of four bits, widened, narrowed, and bytes again. */
val make_nibbles(ir_builder *b, const item *it, val *in)
{
    bool is_float = it->to == IR_F4E2M1FN;
    const ir_type *small = ir_type_scalar(b->module, it->to);
    const ir_type *large = ir_type_scalar(b->module, is_float ? IR_F32 : IR_I32);
    int64_t count = 2 * BLOCK;
    val pairs = unary(b, IR_OP_UNPACK, ir_type_tile(b->module, small, 1, &count), in[0]);
    val wide = unary(b, is_float ? IR_OP_FTOF : IR_OP_EXTI, same_shape(b, large, pairs), pairs);
    if (!is_float)
        ir_set_int(wide->def, IR_AT_EXTI_signedness, it->settings[0].value);
    if (it->code == IR_OP_UNPACK)
        return wide;
    wide = binary(b, is_float ? IR_OP_ADDF : IR_OP_ADDI, wide, wide);
    val narrow = unary(b, is_float ? IR_OP_FTOF : IR_OP_TRUNCI, pairs->type, wide);
    return unary(b, IR_OP_PACK, in[0]->type, narrow);
}

/* The fourth input is whole numbers. */
val make_power(ir_builder *b, const item *it, val *in)
{
    return make_op(b, it, (val[]){in[0], in[3]});
}

val make_scaled(ir_builder *b, const item *it, val *in)
{
    const int64_t rows[] = {32, 1}, columns[] = {1, 32};
    val zero = number(b, IR_I32, 0), at[] = {zero, zero}, factors[5];
    for (int i = 0; i < 4; i++)
        factors[i] = reshape(b, in[i], 2, square);
    ir_operand_list cut[] = {{&factors[3], 1}, {at, 2}};
    const ir_type *elem = in[3]->type->elem, *left = ir_type_tile(b->module, elem, 2, rows),
                  *right = ir_type_tile(b->module, elem, 2, columns);
    factors[4] = &ir_build(b, IR_OP_EXTRACT, cut, 1, &right, NULL)->results[0];
    factors[3] = &ir_build(b, IR_OP_EXTRACT, cut, 1, &left, NULL)->results[0];
    return &op_of(b, it->code, 1, &factors[2]->type, factors[0], factors[1], factors[2], factors[3],
                  factors[4])
                ->results[0];
}
