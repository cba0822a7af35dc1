/* Tables of the format: type tags, enum sizes, flag bits. */
#include "bytecode/format.h"

static const bc_type_row type_rows[] = {
#define TYPE(tag, kind, since, name) {tag, kind, since, name},
#include "bytecode/types.def"
};

const bc_type_row *bc_type_of_tag(uint64_t tag)
{
    for (size_t i = 0; i < TR_COUNT(type_rows); i++) {
        if (type_rows[i].tag == tag) {
            return &type_rows[i];
        }
    }
    return NULL;
}

const bc_type_row *bc_type_of_kind(ir_type_kind kind)
{
    for (size_t i = 0; i < TR_COUNT(type_rows); i++) {
        if (type_rows[i].kind == kind) {
            return &type_rows[i];
        }
    }
    return NULL;
}

unsigned bc_enum_size(ir_attr_coding coding, uint8_t minor)
{
    static const unsigned sizes[] = {
        [IR_CODE_ORDERING] = IR_ACQ_REL + 1,
        [IR_CODE_SCOPE] = IR_SCOPE_SYS, /* the format has no number for "no scope" */
        [IR_CODE_SIGNEDNESS] = IR_SIGNED + 1,
        [IR_CODE_OVERFLOW] = IR_NW + 1,
        [IR_CODE_PREDICATE] = IR_GE + 1,
        [IR_CODE_FLOAT_ORDER] = IR_ORDERED + 1,
        [IR_CODE_ROUNDING] = IR_ROUND_NEAREST_AWAY + 1,
        [IR_CODE_ATOMIC_MODE] = IR_ATOMIC_XCHG + 1,
        [IR_CODE_MULTIMEM_KIND] = IR_MULTIMEM_UMAX + 1,
        [IR_CODE_VISIBILITY] = 2,
    };
    if (coding == IR_CODE_ROUNDING && minor < BC_SINCE_NEAREST_AWAY) {
        return IR_ROUND_NEAREST_AWAY;
    }
    return coding < TR_COUNT(sizes) ? sizes[coding] : 0;
}

ir_ptr_attr bc_last_ptr_attr(uint8_t minor)
{
    if (minor < BC_SINCE_POINTER_FLAGS) {
        return IR_PTR_ATTR_ABSENT;
    }
    return minor < BC_SINCE_MULTICAST ? IR_PTR_ATTR_NONE : IR_PTR_ATTR_MULTICAST;
}

/* ---- Flags: attributes first, then operands, each in row order ---- */

int bc_attr_flag(const ir_op_info *info, int attr)
{
    int bit = 0;
    for (int i = 0; i < attr; i++) {
        bit += info->attrs[i].optional;
    }
    return info->attrs[attr].optional ? bit : -1;
}

int bc_operand_flag(const ir_op_info *info, int group)
{
    if (info->counts_operands || info->operand_groups[group].arity != IR_OPTIONAL) {
        return -1;
    }
    int bit = 0;
    for (int i = 0; i < info->n_attrs; i++) {
        bit += info->attrs[i].optional;
    }
    for (int i = 0; i < group; i++) {
        bit += info->operand_groups[i].arity == IR_OPTIONAL;
    }
    return bit;
}

uint64_t bc_known_flags(const ir_op_info *info, uint8_t minor)
{
    uint64_t known = 0;
    for (int i = 0; i < info->n_attrs; i++) {
        int bit = bc_attr_flag(info, i);
        if (bit >= 0 && info->attrs[i].since_minor <= minor) {
            known |= (uint64_t)1 << bit;
        }
    }
    for (int i = 0; i < info->n_operand_groups; i++) {
        int bit = bc_operand_flag(info, i);
        if (bit >= 0 && info->operand_groups[i].since_minor <= minor) {
            known |= (uint64_t)1 << bit;
        }
    }
    return known;
}

bool bc_has_flags(const ir_op_info *info, uint8_t minor)
{
    return bc_known_flags(info, minor) != 0;
}

/* ---- Constant data ---- */

bool bc_dense_fits(const ir_type *tile, const unsigned char *bytes, size_t size, bool *splat)
{
    int64_t elements = ir_type_elements(tile);
    if (elements < 1 || elements == INT64_MAX) {
        return false;
    }
    uint64_t count = (uint64_t)elements;
    if (tile->elem->kind == IR_I1) {
        *splat = size == 1 && (bytes[0] == 0 || bytes[0] == 0xff);
        return *splat || size == count / 8 + (count % 8 != 0);
    }
    size_t width = (size_t)ir_type_dense_bytes(tile->elem);
    *splat = size == width;
    return *splat || (size % width == 0 && size / width == count);
}
