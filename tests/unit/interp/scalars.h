/* Results of one element, kept and read as 64-bit integers. */
#ifndef TESTS_INTERP_SCALARS_H
#define TESTS_INTERP_SCALARS_H

#include "kit.h"

KIT val scalar(kit *k, ir_type_kind kind, int64_t value)
{
    return constant(k, scalar_type(k, kind), 1, &value);
}

KIT val extended(kit *k, val v)
{
    if (v->type->elem->kind == IR_I64)
        return v;
    val r = unary(k, IR_OP_EXTI, scalar_type(k, IR_I64), v);
    ir_set_int(r->def, IR_AT_EXTI_signedness, IR_SIGNED);
    return r;
}

KIT void store_i64(kit *k, val v, int64_t at)
{
    const ir_type *type =
        ir_type_tile(k->m, ir_type_pointer(k->m, ir_type_scalar(k->m, IR_I64)), 0, NULL);
    val p = unary(k, IR_OP_PTR_TO_PTR, type, param(k, 0));
    p = OP1(k, IR_OP_OFFSET, type, p, i32(k, at));
    store_ptr(k, WEAK, p, v, NULL, NULL);
}

KIT int64_t read_i64(kit *k, int64_t at)
{
    uint64_t bits = 0;
    assert_true(interp_read_back(k->run, 0, at * 8, 8, &bits));
    return (int64_t)bits;
}

#endif
