/* Checks types, by the rules of the dialect's Types.td (tile sizes, view shapes, paddings). rules
 * of Types.td of the dialect (tile sizes, view shapes, paddings). */
#include "ir/ir.h"
#include "ir/verify.h"

enum { MAX_TILE_ELEMENTS = 1 << 24 };

static bool is_power_of_two(int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

static const char *tile_fault(tr_arena *arena, const ir_type *type)
{
    if (type->rank > IR_MAX_RANK) {
        return tr_arena_printf(arena, "a tile has at most %d dimensions, not %d", IR_MAX_RANK,
                               type->rank);
    }
    int64_t elements = 1;
    for (int i = 0; i < type->rank; i++) {
        if (!is_power_of_two(type->shape[i])) {
            return tr_arena_printf(arena, "extent %lld of dimension %d is not a power of two",
                                   (long long)type->shape[i], i);
        }
        if (type->shape[i] > MAX_TILE_ELEMENTS / elements) {
            return tr_arena_printf(arena, "a tile has at most %d elements", MAX_TILE_ELEMENTS);
        }
        elements *= type->shape[i];
    }
    return NULL;
}

static const char *tile_type_fault(tr_arena *arena, const ir_type *type)
{
    if (type->elem->kind > IR_POINTER) {
        return "a tile's elements are numbers or pointers";
    }
    const char *fault = tile_fault(arena, type);
    if (!fault && type->rank && type->elem->kind == IR_POINTER &&
        type->elem->elem->kind == IR_F4E2M1FN) {
        return "tiles of pointers to f4E2M1FN have rank 0: views reach its elements";
    }
    if (!fault && type->elem->kind == IR_F4E2M1FN && ir_type_elements(type) % 2) {
        return "a tile of f4E2M1FN has an even number of elements";
    }
    return fault;
}

/* i4 is what bytes are unpacked to: nothing points to it. */
static bool is_storable(const ir_type *elem)
{
    return ir_type_is_float(elem) || (ir_type_is_int(elem) && elem->kind != IR_I4);
}

static bool is_positive_or_dynamic(int64_t number)
{
    return number > 0 || number == IR_DYNAMIC;
}

static const char *tensor_view_fault(tr_arena *arena, const ir_type *type)
{
    if (!is_storable(type->elem)) {
        return "a tensor view's elements are numbers that memory can hold";
    }
    if (type->rank > IR_MAX_RANK) {
        return tr_arena_printf(arena, "a tensor view has at most %d dimensions, not %d",
                               IR_MAX_RANK, type->rank);
    }
    for (int i = 0; i < type->rank; i++) {
        if (!is_positive_or_dynamic(type->shape[i])) {
            return tr_arena_printf(arena, "extent %lld of dimension %d is not positive",
                                   (long long)type->shape[i], i);
        }
        if (!is_positive_or_dynamic(type->strides[i])) {
            return tr_arena_printf(arena, "stride %lld of dimension %d is not positive",
                                   (long long)type->strides[i], i);
        }
    }
    return NULL;
}

static const char *dim_map_fault(tr_arena *arena, const ir_type *type)
{
    unsigned seen = 0;
    for (int i = 0; i < type->rank; i++) {
        int32_t target = type->dim_map[i];
        if (target < 0 || target >= type->tensor->rank) {
            return tr_arena_printf(arena, "dim_map sends dimension %d to %d, outside of the tensor",
                                   i, target);
        }
        if (seen >> target & 1) {
            return tr_arena_printf(arena, "dim_map uses tensor dimension %d twice", target);
        }
        seen |= 1u << target;
    }
    return NULL;
}

static const char *view_fault(tr_arena *arena, const ir_type *type)
{
    if (type->rank == 0) {
        return "a tile view has at least one dimension";
    }
    if (type->tensor->kind != IR_TENSOR_VIEW) {
        return "a tile view lies over a tensor view";
    }
    if (type->rank != type->tensor->rank) {
        return tr_arena_printf(arena, "tile of rank %d over a tensor of rank %d", type->rank,
                               type->tensor->rank);
    }
    const char *fault = tile_fault(arena, type);
    if (!fault && type->padding > IR_PAD_ZERO && !ir_type_is_float(type->tensor->elem)) {
        fault = "only tensors of floats have paddings other than zero";
    }
    if (fault) {
        return fault;
    }
    if (type->kind == IR_GATHER_SCATTER_VIEW) {
        bool inside = type->sparse_dim >= 0 && type->sparse_dim < type->tensor->rank;
        return inside ? NULL : "the sparse dimension is outside of the tensor";
    }
    for (int i = 0; i < type->rank && type->kind == IR_STRIDED_VIEW; i++) {
        if (type->traversal_strides[i] <= 0) {
            return "traversal strides are positive";
        }
    }
    return dim_map_fault(arena, type);
}

const char *ir_type_fault(tr_arena *arena, const ir_type *type)
{
    switch (type->kind) {
    case IR_POINTER:
        return is_storable(type->elem) ? NULL : "a pointer points to a number that memory can hold";
    case IR_TILE:
        return tile_type_fault(arena, type);
    case IR_TENSOR_VIEW:
        return tensor_view_fault(arena, type);
    case IR_PARTITION_VIEW:
    case IR_STRIDED_VIEW:
    case IR_GATHER_SCATTER_VIEW:
        return view_fault(arena, type);
    default:
        return NULL;
    }
}
