/* Types into the type table. */
#include "bytecode/write.h"
#include "base/ds.h"

static void put_numbers(bc_out *out, int count, const int64_t *numbers, unsigned bytes)
{
    bc_put_varint(out, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        bc_put_little(out, (uint64_t)numbers[i], bytes);
    }
}

static void put_types(bc_writer *w, bc_out *out, int count, const ir_type *const *types)
{
    bc_put_varint(out, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        bc_put_type(w, out, types[i]);
    }
}

static void put_ptr_flags(bc_writer *w, bc_out *out, const ir_type *type)
{
    if (type->ptr_attr > bc_last_ptr_attr(w->minor)) {
        bc_write_fail(w, NULL, "a pointer attribute cannot be written as version 13.%u", w->minor);
    }
    if (w->minor >= BC_SINCE_POINTER_FLAGS) {
        bc_put_varint(out, type->ptr_attr != IR_PTR_ATTR_ABSENT);
    }
}

static void put_ptr_attr(bc_out *out, const ir_type *type)
{
    if (type->ptr_attr != IR_PTR_ATTR_ABSENT) {
        bc_put_varint(out, type->ptr_attr - 1u);
    }
}

/* Writes SHAPE [STRIDES] TENSOR DIMENSIONS, and the padding with a flag, whose position depends on
 * the version. */
static void put_tile_view(bc_writer *w, bc_out *out, const ir_type *type)
{
    bool pads = type->padding != IR_PAD_NONE;
    if (w->minor >= BC_SINCE_TYPE_FLAGS) {
        bc_put_varint(out, pads);
    }
    put_numbers(out, type->rank, type->shape, 4);
    if (type->kind == IR_STRIDED_VIEW) {
        put_numbers(out, type->rank, type->traversal_strides, 4);
    }
    bc_put_type(w, out, type->tensor);
    if (type->kind == IR_GATHER_SCATTER_VIEW) {
        bc_put_varint(out, (uint64_t)type->sparse_dim);
    } else {
        bc_put_varint(out, (uint64_t)type->rank);
        for (int i = 0; i < type->rank; i++) {
            bc_put_little(out, (uint64_t)type->dim_map[i], 4);
        }
    }
    if (w->minor < BC_SINCE_TYPE_FLAGS) {
        bc_put_byte(out, pads);
    }
    if (pads) {
        bc_put_varint(out, type->padding - 1u);
    }
}

/* Writes what follows the tag of a type. */
static void put_kind(bc_writer *w, bc_out *out, const ir_type *type)
{
    switch (type->kind) {
    case IR_POINTER:
        put_ptr_flags(w, out, type);
        bc_put_type(w, out, type->elem);
        put_ptr_attr(out, type);
        break;
    case IR_TILE:
        bc_put_type(w, out, type->elem);
        put_numbers(out, type->rank, type->shape, 8);
        break;
    case IR_TENSOR_VIEW:
        put_ptr_flags(w, out, type);
        bc_put_type(w, out, type->elem);
        put_numbers(out, type->rank, type->shape, 8);
        put_numbers(out, type->rank, type->strides, 8);
        put_ptr_attr(out, type);
        break;
    case IR_PARTITION_VIEW:
    case IR_STRIDED_VIEW:
    case IR_GATHER_SCATTER_VIEW:
        put_tile_view(w, out, type);
        break;
    case IR_FUNCTION_TYPE:
        put_types(w, out, type->n_params, type->params);
        put_types(w, out, type->n_results, type->results);
        break;
    default:
        break;
    }
}

static uint32_t number_of(bc_writer *w, const ir_type *type)
{
    ptrdiff_t at = hmgeti(w->type_numbers, type);
    if (at >= 0) {
        return w->type_numbers[at].value;
    }
    const bc_type_row *row = bc_type_of_kind(type->kind);
    if (!bc_write_since(w, row->since_minor, NULL, "type", row->name)) {
        return 0;
    }
    bc_out entry = {0};
    bc_put_varint(&entry, row->tag);
    put_kind(w, &entry, type);
    uint32_t number = bc_pool_number(&w->types, entry.data, entry.size);
    bc_out_free(&entry);
    hmput(w->type_numbers, type, number);
    return number;
}

void bc_put_type(bc_writer *w, bc_out *out, const ir_type *type)
{
    bc_put_varint(out, number_of(w, type));
}
