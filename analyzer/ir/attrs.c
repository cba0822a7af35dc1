/* Attributes from plain values, and constant data read back. */
#include "ir/ir.h"
#include "ir/module.h"

#include <string.h>

ir_attr ir_attr_of_int(int64_t value)
{
    return (ir_attr){.kind = IR_ATTR_INT, .number = value};
}

ir_attr ir_attr_of_string(ir_module *module, const char *string)
{
    return (ir_attr){.kind = IR_ATTR_STRING, .string = tr_arena_strdup(module->arena, string)};
}

ir_attr ir_attr_of_ints(ir_module *module, size_t count, const int64_t *numbers)
{
    TR_ASSERT(count == 0 || numbers);
    return (ir_attr){
        .kind = IR_ATTR_INTS,
        .count = count,
        .numbers = tr_arena_copy(module->arena, numbers, count * sizeof *numbers),
    };
}

ir_attr ir_attr_of_dense(ir_module *module, const ir_type *type, const void *bytes, size_t n_bytes,
                         bool splat)
{
    return (ir_attr){
        .kind = IR_ATTR_DENSE,
        .type = type,
        .bytes = tr_arena_copy(module->arena, bytes, n_bytes),
        .n_bytes = n_bytes,
        .splat = splat,
    };
}

/* One i1 for all elements is a byte of all ones or all zeros: a packed byte 1 would mean that the
 * first of eight elements alone is set. */
ir_attr ir_attr_splat_int(ir_module *module, const ir_type *type, int64_t value)
{
    unsigned char bytes[8];
    if (type->elem->kind == IR_I1) {
        bytes[0] = value & 1 ? 0xff : 0;
        return ir_attr_of_dense(module, type, bytes, 1, true);
    }
    size_t width = (size_t)ir_type_dense_bytes(type->elem);
    for (size_t i = 0; i < width; i++) {
        bytes[i] = (unsigned char)((uint64_t)value >> (8 * i));
    }
    return ir_attr_of_dense(module, type, bytes, width, true);
}

ir_attr ir_attr_splat_float(ir_module *module, const ir_type *type, double value)
{
    return ir_attr_splat_int(module, type, (int64_t)ir_float_bits(type->elem, value));
}

ir_attr ir_attr_typed_int(const ir_type *elem, int64_t value)
{
    return (ir_attr){.kind = IR_ATTR_INT, .type = elem, .number = value};
}

ir_attr ir_attr_typed_float(const ir_type *elem, double value)
{
    return (ir_attr){
        .kind = IR_ATTR_FLOAT,
        .type = elem,
        .number = (int64_t)ir_float_bits(elem, value),
    };
}

/* ---- Constant data ---- */

static bool i1_at(const ir_attr *attr, int64_t index)
{
    if (attr->splat) {
        return attr->bytes[0] & 1;
    }
    return attr->bytes[index / 8] >> (index % 8) & 1;
}

uint64_t ir_dense_bits(const ir_attr *attr, int64_t index)
{
    TR_ASSERT(attr->kind == IR_ATTR_DENSE && index >= 0);
    const ir_type *elem = attr->type->elem;
    if (elem->kind == IR_I1) {
        return i1_at(attr, index);
    }
    size_t width = (size_t)ir_type_dense_bytes(elem);
    const unsigned char *at = attr->bytes + (attr->splat ? 0 : (size_t)index * width);
    uint64_t bits = 0;
    for (size_t i = 0; i < width; i++) {
        bits |= (uint64_t)at[i] << (8 * i);
    }
    return bits;
}

int64_t ir_dense_int(const ir_attr *attr, int64_t index)
{
    uint64_t bits = ir_dense_bits(attr, index);
    int width = ir_type_bits(attr->type->elem);
    if (width == 1 || width >= 64) {
        return (int64_t)bits;
    }
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

bool ir_dense_is_splat(const ir_attr *attr)
{
    if (attr->splat) {
        return true;
    }
    int64_t count = ir_type_elements(attr->type);
    for (int64_t i = 1; i < count; i++) {
        if (ir_dense_bits(attr, i) != ir_dense_bits(attr, 0)) {
            return false;
        }
    }
    return true;
}
