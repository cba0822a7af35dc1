/* Random straight lines: each op takes what stands before it. Only ops whose result is fixed to the
 * last bit, so that one wrong bit anywhere shows at the end. */
#include "values.h"

#include "base/ds.h"

enum { STEPS = 14 };

typedef struct line {
    ir_builder *b;
    uint64_t seed, drawn;
    size_t n;
    val values[STEPS + MAX_INPUTS];
} line;

static uint32_t draw(line *l, uint32_t below)
{
    return (uint32_t)(values_random(l->seed, l->drawn++) % below);
}

static val any(line *l)
{
    size_t recent = l->n > 5 ? 5 : l->n; /* the newest, so that lines get long */
    return l->values[l->n - 1 - draw(l, (uint32_t)recent)];
}

/* A value of that element type: one that is there, or one converted. */
static val as(line *l, val value, ir_type_kind to)
{
    const ir_type *elem = ir_type_scalar(l->b->module, to), *from = value->type->elem;
    const ir_type *type = same_shape(l->b, elem, value);
    int sign = draw(l, 2) ? IR_SIGNED : IR_UNSIGNED;
    val made;
    if (from == elem)
        return value;
    if (ir_type_is_int(from) && ir_type_is_int(elem)) {
        bool wider = ir_type_bits(elem) > ir_type_bits(from);
        made = unary(l->b, wider ? IR_OP_EXTI : IR_OP_TRUNCI, type, value);
        if (wider)
            ir_set_int(made->def, IR_AT_EXTI_signedness, sign);
        return made;
    }
    if (ir_type_is_float(from) && ir_type_is_float(elem))
        return unary(l->b, IR_OP_FTOF, type, value);
    if (ir_type_is_int(from)) {
        made = unary(l->b, IR_OP_ITOF, type, value);
        ir_set_int(made->def, IR_AT_ITOF_signedness, sign);
        ir_set_int(made->def, IR_AT_ITOF_rounding_mode, IR_ROUND_NEAREST_EVEN);
        return made;
    }
    made = unary(l->b, IR_OP_FTOI, type, value);
    ir_set_int(made->def, IR_AT_FTOI_signedness, sign);
    ir_set_int(made->def, IR_AT_FTOI_rounding_mode, IR_ROUND_NEAREST_INT_TO_ZERO);
    ir_set_int(made->def, IR_AT_FTOI_saturating, 1);
    return made;
}

static val integer_step(line *l, ir_type_kind type)
{
    static const ir_opcode plain[] = {IR_OP_ADDI, IR_OP_SUBI, IR_OP_MULI, IR_OP_ANDI,  IR_OP_ORI,
                                      IR_OP_XORI, IR_OP_MAXI, IR_OP_MINI, IR_OP_MULHII};
    val x = as(l, any(l), type), y = as(l, any(l), type);
    ir_opcode code = plain[draw(l, TR_COUNT(plain))];
    if (draw(l, 8) == 0)
        return unary(l->b, draw(l, 2) ? IR_OP_NEGI : IR_OP_ABSI, x->type, x);
    val made = binary(l->b, code, x, y);
    if (code == IR_OP_MAXI)
        ir_set_int(made->def, IR_AT_MAXI_signedness, draw(l, 2) ? IR_SIGNED : IR_UNSIGNED);
    if (code == IR_OP_MINI)
        ir_set_int(made->def, IR_AT_MINI_signedness, draw(l, 2) ? IR_SIGNED : IR_UNSIGNED);
    return made;
}

static val float_step(line *l, ir_type_kind type)
{
    static const ir_opcode plain[] = {IR_OP_ADDF, IR_OP_SUBF, IR_OP_MULF,
                                      IR_OP_DIVF, IR_OP_MAXF, IR_OP_MINF};
    val x = as(l, any(l), type), y = as(l, any(l), type);
    switch (draw(l, 8)) {
    case 0:
        return unary(l->b, draw(l, 2) ? IR_OP_NEGF : IR_OP_ABSF, x->type, x);
    case 1:
        return unary(l->b, draw(l, 2) ? IR_OP_CEIL : IR_OP_FLOOR, x->type, x);
    case 2: {
        val z = as(l, any(l), type);
        return &op_of(l->b, IR_OP_FMA, 1, &x->type, x, y, z)->results[0];
    }
    case 3:
        return unary(l->b, IR_OP_SQRT, x->type, x);
    default:
        return binary(l->b, plain[draw(l, TR_COUNT(plain))], x, y);
    }
}

static val select_step(line *l, ir_type_kind type)
{
    val x = as(l, any(l), type), y = as(l, any(l), type);
    const ir_type *truth = same_shape(l->b, ir_type_scalar(l->b->module, IR_I1), x);
    val condition;
    if (ir_type_is_float(x->type->elem)) {
        condition = &op_of(l->b, IR_OP_CMPF, 1, &truth, x, y)->results[0];
        ir_set_int(condition->def, IR_AT_CMPF_comparison_predicate, draw(l, 6));
        ir_set_int(condition->def, IR_AT_CMPF_comparison_ordering, draw(l, 2));
    } else {
        condition =
            compare(l->b, (ir_predicate)draw(l, 6), draw(l, 2) ? IR_SIGNED : IR_UNSIGNED, x, y);
    }
    return select_of(l->b, condition, as(l, any(l), type), x);
}

static val make_chain(ir_builder *b, const item *it, val *in)
{
    static const ir_type_kind types[] = {IR_I8,  IR_I16,  IR_I32, IR_I64,
                                         IR_F16, IR_BF16, IR_F32, IR_F64};
    line l = {.b = b, .seed = it->seed, .n = (size_t)it->operands};
    for (size_t i = 0; i < l.n; i++)
        l.values[i] = in[i];
    for (int step = 0; step < STEPS; step++) {
        ir_type_kind type = types[draw(&l, TR_COUNT(types))];
        bool is_float = ir_type_is_float(ir_type_scalar(b->module, type));
        l.values[l.n] = draw(&l, 5) == 0 ? select_step(&l, type)
                        : is_float       ? float_step(&l, type)
                                         : integer_step(&l, type);
        l.n++;
    }
    return l.values[l.n - 1];
}

void values_chain(tr_arena *arena, kernel *k, uint64_t seed)
{
    item it = {.name = tr_arena_printf(arena, "chain_%llu", (unsigned long long)seed),
               .make = make_chain,
               .operands = (int)k->n_inputs,
               .seed = values_random(seed, 7)};
    arrput(k->items, it);
}
