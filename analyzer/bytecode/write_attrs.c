/* Attributes. */
#include "bytecode/write.h"

#include <string.h>

void bc_put_string(bc_writer *w, bc_out *out, const char *string)
{
    const char *text = string ? string : "";
    bc_put_varint(out, bc_pool_number(&w->strings, text, strlen(text)));
}

void bc_put_dense(bc_writer *w, bc_out *out, const ir_attr *attr)
{
    bc_out entry = {0};
    bc_put_varint(&entry, attr->n_bytes);
    bc_put(&entry, attr->bytes, attr->n_bytes);
    bc_put_varint(out, bc_pool_number(&w->constants, entry.data, entry.size));
    bc_out_free(&entry);
}

/* ---- Attributes that say what they are ---- */

static void put_tagged(bc_writer *w, bc_out *out, const ir_attr *attr);

static void put_list(bc_writer *w, bc_out *out, const ir_attr *attr)
{
    bc_put_varint(out, attr->count);
    for (size_t i = 0; i < attr->count; i++) {
        put_tagged(w, out, &attr->items[i]);
    }
}

static void put_dictionary(bc_writer *w, bc_out *out, const ir_attr *attr)
{
    bc_put_varint(out, attr->count);
    for (size_t i = 0; i < attr->count; i++) {
        bc_put_string(w, out, attr->names[i]);
        put_tagged(w, out, &attr->items[i]);
    }
}

static uint64_t cut(int64_t number, int bits)
{
    return bits >= 64 ? (uint64_t)number : (uint64_t)number & (((uint64_t)1 << bits) - 1);
}

/* A number without a type is an i32, as hints are. */
static void put_tagged_int(bc_writer *w, bc_out *out, const ir_attr *attr)
{
    if (attr->type && attr->type->kind == IR_I1) {
        bc_put_varint(out, BC_ATTR_BOOL);
        bc_put_byte(out, attr->number & 1);
        return;
    }
    static const ir_type i32 = {.kind = IR_I32};
    const ir_type *type = attr->type ? attr->type : &i32;
    bc_put_varint(out, BC_ATTR_INTEGER);
    bc_put_type(w, out, type);
    bc_put_varint(out, cut(attr->number, ir_type_bits(type)));
}

static void put_tagged_float(bc_writer *w, bc_out *out, const ir_attr *attr)
{
    bc_put_varint(out, BC_ATTR_FLOAT);
    bc_put_type(w, out, attr->type);
    if (ir_type_bits(attr->type) <= 8) {
        bc_put_byte(out, (unsigned)attr->number & 0xff);
    } else {
        bc_put_signed_varint(out, attr->number);
    }
}

static void put_bound_flags(bc_out *out, bool first, bool second)
{
    bc_put_byte(out, (unsigned)first | (unsigned)second << 1);
}

/* Writes the tag of the assumption and its numbers. Optional bounds come after a byte that says
 * which of the two are there. */
static void put_assume(bc_out *out, const ir_attr *attr)
{
    switch (attr->assume.kind) {
    case IR_ASSUME_DIV_BY:
        bc_put_varint(out, BC_ATTR_DIV_BY);
        bc_put_varint(out, attr->assume.divisor);
        put_bound_flags(out, attr->assume.has_every, attr->assume.has_along);
        if (attr->assume.has_every) {
            bc_put_signed_varint(out, attr->assume.every);
        }
        if (attr->assume.has_along) {
            bc_put_signed_varint(out, attr->assume.along);
        }
        break;
    case IR_ASSUME_SAME_ELEMENTS:
        bc_put_varint(out, BC_ATTR_SAME_ELEMENTS);
        bc_put_varint(out, attr->assume.n_values);
        for (size_t i = 0; i < attr->assume.n_values; i++) {
            bc_put_little(out, (uint64_t)attr->assume.values[i], 8);
        }
        break;
    case IR_ASSUME_BOUNDED:
        bc_put_varint(out, BC_ATTR_BOUNDED);
        put_bound_flags(out, attr->assume.has_low, attr->assume.has_high);
        if (attr->assume.has_low) {
            bc_put_signed_varint(out, attr->assume.low);
        }
        if (attr->assume.has_high) {
            bc_put_signed_varint(out, attr->assume.high);
        }
        break;
    }
}

/* Writes an attribute of any kind, after a tag that says which kind it is. */
static void put_tagged(bc_writer *w, bc_out *out, const ir_attr *attr)
{
    switch (attr->kind) {
    case IR_ATTR_INT:
        put_tagged_int(w, out, attr);
        break;
    case IR_ATTR_FLOAT:
        put_tagged_float(w, out, attr);
        break;
    case IR_ATTR_TYPE:
        bc_put_varint(out, BC_ATTR_TYPE);
        bc_put_type(w, out, attr->type);
        break;
    case IR_ATTR_STRING:
        bc_put_varint(out, BC_ATTR_STRING);
        bc_put_string(w, out, attr->string);
        break;
    case IR_ATTR_LIST:
        bc_put_varint(out, BC_ATTR_ARRAY);
        put_list(w, out, attr);
        break;
    case IR_ATTR_NAMED:
        bc_put_varint(out, BC_ATTR_DICTIONARY);
        put_dictionary(w, out, attr);
        break;
    case IR_ATTR_DENSE:
        bc_put_varint(out, BC_ATTR_DENSE);
        bc_put_type(w, out, attr->type);
        bc_put_dense(w, out, attr);
        break;
    case IR_ATTR_ASSUME:
        put_assume(out, attr);
        break;
    default:
        bc_write_fail(w, NULL, "attributes of this kind cannot be written to bytecode");
    }
}

void bc_put_tagged_hints(bc_writer *w, bc_out *out, const ir_attr *hints)
{
    bc_put_varint(out, BC_ATTR_HINTS);
    put_dictionary(w, out, hints);
}

/* ---- Attributes whose op says what they are ---- */

bool bc_attr_is_set(const ir_attr_info *info, const ir_attr *attr)
{
    switch (info->coding) {
    case IR_CODE_UNIT:
        return attr->number != 0;
    case IR_CODE_SCOPE:
        return attr->kind == IR_ATTR_INT && attr->number != IR_SCOPE_NONE;
    default:
        return attr->kind != IR_ATTR_NONE;
    }
}

/* Returns the value that an attribute has where the builder left it out. */
static int64_t number_of(const ir_op *op, const ir_attr_info *info, const ir_attr *attr)
{
    if (attr->kind != IR_ATTR_NONE) {
        return attr->number;
    }
    if (info->coding == IR_CODE_ROUNDING && op->code == IR_OP_DIVI) {
        return IR_ROUND_ZERO;
    }
    if (info->coding == IR_CODE_ROUNDING && op->code == IR_OP_FTOI) {
        return IR_ROUND_NEAREST_INT_TO_ZERO;
    }
    return info->missing;
}

static void put_enum(bc_writer *w, bc_out *out, const ir_op *op, const ir_attr_info *info,
                     int64_t number)
{
    int64_t value = number - (info->coding == IR_CODE_SCOPE);
    if (value < 0 || value >= bc_enum_size(info->coding, w->minor)) {
        bc_write_fail(w, op->place, "%s: version 13.%u has no value %lld of '%s'",
                      ir_op_info_of(op->code)->mnemonic, w->minor, (long long)value, info->name);
        return;
    }
    bc_put_varint(out, (uint64_t)value);
}

/* Writes one boolean an index, also where the IR leaves them out. */
static void put_bools(bc_out *out, const ir_op *op, const ir_attr *attr)
{
    size_t count = attr->count;
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned g = 0; g < info->n_operand_groups && count == 0; g++) {
        uint32_t size;
        ir_group(op, g, &size);
        if (info->operand_groups[g].arity == IR_MANY) {
            count = size;
        }
    }
    bc_put_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        bc_put_byte(out, i < attr->count && attr->numbers[i]);
    }
}

static void put_i32s(bc_out *out, const ir_attr *attr)
{
    bc_put_varint(out, attr->count);
    for (size_t i = 0; i < attr->count; i++) {
        bc_put_little(out, (uint64_t)attr->numbers[i], 4);
    }
}

void bc_put_attr(bc_writer *w, bc_out *out, const ir_op *op, unsigned index)
{
    const ir_attr_info *info = &ir_op_info_of(op->code)->attrs[index];
    const ir_attr *attr = &op->attrs[index];
    switch (info->coding) {
    case IR_CODE_INT:
        bc_put_varint(out, (uint64_t)number_of(op, info, attr));
        break;
    case IR_CODE_BOOL:
        bc_put_byte(out, number_of(op, info, attr) != 0);
        break;
    case IR_CODE_UNIT:
        break;
    case IR_CODE_STRING:
        bc_put_string(w, out, attr->string);
        break;
    case IR_CODE_TYPE:
        bc_put_type(w, out, attr->type);
        break;
    case IR_CODE_DENSE:
        bc_put_dense(w, out, attr);
        break;
    case IR_CODE_I32S:
        put_i32s(out, attr);
        break;
    case IR_CODE_BOOLS:
        put_bools(out, op, attr);
        break;
    case IR_CODE_ARRAY:
        put_list(w, out, attr);
        break;
    case IR_CODE_HINTS:
        put_dictionary(w, out, attr);
        break;
    case IR_CODE_ASSUME:
        put_assume(out, attr);
        break;
    default:
        put_enum(w, out, op, info, number_of(op, info, attr));
    }
}
