/* Rules of memory ops, views and tokens. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/verify.h"

#include <string.h>

/* ---- Order and scope: weak has no scope, every other order has one ---- */

#define ORDER(order) (1u << (order))

static bool check_order(verifier *v, const ir_op *op, unsigned allowed)
{
    ir_ordering ordering = ir_memory_ordering(op);
    ir_scope scope = ir_memory_scope(op);
    const char *name = ir_enum_keyword(IR_CODE_ORDERING, ordering);
    if (!(allowed & ORDER(ordering))) {
        return ir_fail(v, op, "the order '%s' is not allowed here", name);
    }
    if (ordering == IR_WEAK && scope != IR_SCOPE_NONE) {
        return ir_fail(v, op, "a weak access has no scope");
    }
    if (ordering != IR_WEAK && scope == IR_SCOPE_NONE) {
        return ir_fail(v, op, "an access of order '%s' needs a scope", name);
    }
    return true;
}

static bool check_load_order(verifier *v, const ir_op *op)
{
    return check_order(v, op, ORDER(IR_WEAK) | ORDER(IR_RELAXED) | ORDER(IR_ACQUIRE));
}

static bool check_store_order(verifier *v, const ir_op *op)
{
    return check_order(v, op, ORDER(IR_WEAK) | ORDER(IR_RELAXED) | ORDER(IR_RELEASE));
}

static bool check_atomic_order(verifier *v, const ir_op *op)
{
    return check_order(
        v, op, ORDER(IR_RELAXED) | ORDER(IR_ACQUIRE) | ORDER(IR_RELEASE) | ORDER(IR_ACQ_REL));
}

/* ---- Views ---- */

static bool check_index(verifier *v, const ir_op *op, const ir_type *view, int dim,
                        const ir_type *type, const ir_type *scalar)
{
    if (view->kind == IR_GATHER_SCATTER_VIEW && dim == view->sparse_dim) {
        bool fits = type->rank == 1 && type->shape[0] == view->shape[dim];
        return fits ||
               ir_fail(v, op, "index %d (the sparse one) is a tile of %lld integers, not %s", dim,
                       (long long)view->shape[dim], ir_type_text(v, type));
    }
    if (type->rank != 0) {
        return ir_fail(v, op, "index %d is a scalar, not %s", dim, ir_type_text(v, type));
    }
    return !scalar || type == scalar ||
           ir_fail(v, op, "index %d is %s, but other indices are %s", dim, ir_type_text(v, type),
                   ir_type_text(v, scalar));
}

static bool check_indices(verifier *v, const ir_op *op, const ir_type *view)
{
    uint32_t count;
    ir_value **index = ir_group_in_role(op, IR_ROLE_INDEX, &count);
    if (count != (uint32_t)view->rank) {
        return ir_fail(v, op, "the view takes %d indices, not %u", view->rank, count);
    }
    const ir_type *scalar = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!check_index(v, op, view, (int)i, index[i]->type, scalar)) {
            return false;
        }
        scalar = index[i]->type->rank == 0 ? index[i]->type : scalar;
    }
    return true;
}

static bool is_tile_of_view(const ir_type *tile, const ir_type *view)
{
    return tile->elem == view->tensor->elem && tile->rank == view->rank &&
           memcmp(tile->shape, view->shape, (size_t)view->rank * sizeof *view->shape) == 0;
}

/* The tile is an operand or the first result, as the op has it. */
static bool check_access(verifier *v, const ir_op *op)
{
    const ir_type *view = ir_operand_in_role(op, IR_ROLE_VIEW)->type;
    const ir_value *operand = ir_operand_in_role(op, IR_ROLE_DATA);
    const ir_type *tile = operand ? operand->type : op->results[0].type;
    if (!is_tile_of_view(tile, view)) {
        return ir_fail(v, op, "the tile %s is not the view's tile (%s)", ir_type_text(v, tile),
                       ir_type_text(v, view));
    }
    int inbounds = ir_attr_by_name(ir_op_info_of(op->code), "inbounds", 8);
    size_t count = op->attrs[inbounds].count;
    if (op->attrs[inbounds].kind == IR_ATTR_INTS && count && count != (size_t)view->rank) {
        return ir_fail(v, op, "'inbounds' has %zu entries for a view of rank %d", count,
                       view->rank);
    }
    return check_indices(v, op, view);
}

bool ir_check_view_load(verifier *v, const ir_op *op)
{
    return check_access(v, op) && check_load_order(v, op);
}

bool ir_check_view_store(verifier *v, const ir_op *op)
{
    return check_access(v, op) && check_store_order(v, op);
}

bool ir_check_make_view(verifier *v, const ir_op *op)
{
    const ir_type *tensor = op->operands[0]->type, *view = op->results[0].type;
    return view->tensor == tensor ||
           ir_fail(v, op, "the view is over %s, not over %s", ir_type_text(v, view->tensor),
                   ir_type_text(v, tensor));
}

static int count_dynamic(int rank, const int64_t *extents)
{
    int count = 0;
    for (int i = 0; i < rank; i++) {
        count += extents[i] == IR_DYNAMIC;
    }
    return count;
}

bool ir_check_make_tensor_view(verifier *v, const ir_op *op)
{
    const ir_type *view = op->results[0].type;
    const ir_type *base = ir_operand(op, IR_MAKE_TENSOR_VIEW_base)->type->elem;
    uint32_t n_shape, n_strides;
    ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n_shape);
    ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n_strides);
    if (base->elem != view->elem) {
        return ir_fail(v, op, "a view of %s over a pointer to %s", ir_type_text(v, view->elem),
                       ir_type_text(v, base->elem));
    }
    if (count_dynamic(view->rank, view->shape) != (int)n_shape ||
        count_dynamic(view->rank, view->strides) != (int)n_strides) {
        return ir_fail(v, op, "%u extents and %u strides are given for %s", n_shape, n_strides,
                       ir_type_text(v, view));
    }
    for (uint32_t i = 2; i < op->n_operands; i++) {
        if (op->operands[i]->type != op->operands[1]->type) {
            return ir_fail(v, op, "extents and strides are not all of one type");
        }
    }
    return true;
}

bool ir_check_view_rank(verifier *v, const ir_op *op)
{
    int rank = op->operands[0]->type->rank;
    return op->n_results == (uint32_t)rank ||
           ir_fail(v, op, "%u results for a view of rank %d", op->n_results, rank);
}

bool ir_check_tensor_rank(verifier *v, const ir_op *op)
{
    return ir_check_view_rank(v, op);
}

/* ---- Accesses through pointers ---- */

static bool check_pointee(verifier *v, const ir_op *op, const ir_type *pointers,
                          const ir_type *value)
{
    return pointers->elem->elem == value->elem ||
           ir_fail(v, op, "pointers to %s and a tile of %s", ir_type_text(v, pointers->elem->elem),
                   ir_type_text(v, value->elem));
}

bool ir_check_load_ptr(verifier *v, const ir_op *op)
{
    return check_pointee(v, op, ir_operand(op, IR_LOAD_PTR_TKO_source)->type,
                         op->results[0].type) &&
           check_load_order(v, op);
}

bool ir_check_store_ptr(verifier *v, const ir_op *op)
{
    return check_pointee(v, op, ir_operand(op, IR_STORE_PTR_TKO_destination)->type,
                         ir_operand(op, IR_STORE_PTR_TKO_value)->type) &&
           check_store_order(v, op);
}

/* ---- Atomics ---- */

static bool check_mode(verifier *v, const ir_op *op, ir_atomic_mode mode, const ir_type *elem)
{
    const char *name = ir_enum_keyword(IR_CODE_ATOMIC_MODE, mode);
    int bits = ir_type_bits(elem);
    switch (mode) {
    case IR_ATOMIC_ADDF:
        return elem->kind == IR_F16 || elem->kind == IR_BF16 || elem->kind == IR_F32 ||
               elem->kind == IR_F64 ||
               ir_fail(v, op, "'addf' works on f16, bf16, f32 and f64, not on %s",
                       ir_type_text(v, elem));
    case IR_ATOMIC_XCHG:
        return ((bits == 32 && elem->kind != IR_TF32) || bits == 64) ||
               ir_fail(v, op, "'xchg' works on numbers of 32 or 64 bits, not on %s",
                       ir_type_text(v, elem));
    default:
        return elem->kind == IR_I32 || elem->kind == IR_I64 ||
               ir_fail(v, op, "'%s' works on i32 and i64, not on %s", name, ir_type_text(v, elem));
    }
}

bool ir_check_rmw(verifier *v, const ir_op *op)
{
    const ir_type *value = ir_operand(op, IR_ATOMIC_RMW_TKO_arg)->type;
    ir_atomic_mode mode = (ir_atomic_mode)ir_attr_int(op, IR_AT_ATOMIC_RMW_TKO_mode, 0);
    return check_pointee(v, op, ir_operand(op, IR_ATOMIC_RMW_TKO_pointers)->type, value) &&
           check_mode(v, op, mode, value->elem) && check_atomic_order(v, op);
}

bool ir_check_cas(verifier *v, const ir_op *op)
{
    const ir_type *value = ir_operand(op, IR_ATOMIC_CAS_TKO_val)->type;
    int bits = ir_type_bits(value->elem);
    if ((bits != 32 && bits != 64) || value->elem->kind == IR_TF32) {
        return ir_fail(v, op, "it works on numbers of 32 or 64 bits, not on %s",
                       ir_type_text(v, value->elem));
    }
    return check_pointee(v, op, ir_operand(op, IR_ATOMIC_CAS_TKO_pointers)->type, value) &&
           check_atomic_order(v, op);
}

/* A reduction gives nothing back: it can neither acquire nor release. */
bool ir_check_red_view(verifier *v, const ir_op *op)
{
    const ir_type *view = ir_operand(op, IR_ATOMIC_RED_VIEW_TKO_view)->type;
    ir_atomic_mode mode = (ir_atomic_mode)ir_attr_int(op, IR_AT_ATOMIC_RED_VIEW_TKO_mode, 0);
    if (view->kind == IR_GATHER_SCATTER_VIEW || view->padding != IR_PAD_NONE) {
        return ir_fail(v, op, "it takes partition and strided views without padding");
    }
    if (mode == IR_ATOMIC_XCHG) {
        return ir_fail(v, op, "'xchg' is no reduction");
    }
    if (ir_memory_scope(op) == IR_SCOPE_SYS) {
        return ir_fail(v, op, "the scope is 'tl_blk' or 'device'");
    }
    return check_access(v, op) && check_mode(v, op, mode, view->tensor->elem) &&
           check_order(v, op, ORDER(IR_RELAXED));
}

static bool check_multicast(verifier *v, const ir_op *op)
{
    const ir_type *view = ir_operand_in_role(op, IR_ROLE_VIEW)->type;
    return view->tensor->ptr_attr == IR_PTR_ATTR_MULTICAST ||
           ir_fail(v, op, "the view's tensor is not multicast");
}

bool ir_check_multimem_load(verifier *v, const ir_op *op)
{
    return check_multicast(v, op) && check_access(v, op) && check_load_order(v, op);
}

bool ir_check_multimem_store(verifier *v, const ir_op *op)
{
    return check_multicast(v, op) && check_access(v, op) && check_store_order(v, op);
}

bool ir_check_multimem_reduce(verifier *v, const ir_op *op)
{
    return check_multicast(v, op) && check_access(v, op) && check_atomic_order(v, op);
}

/* ---- Tokens, memory of the module and the block ---- */

bool ir_check_join(verifier *v, const ir_op *op)
{
    return op->n_operands >= 2 || ir_fail(v, op, "it joins two tokens or more");
}

/* Formats are counted, not read: "%%" is a percent sign. */
bool ir_check_print(verifier *v, const ir_op *op)
{
    uint32_t count, wanted = 0;
    ir_group(op, IR_PRINT_TKO_args, &count);
    for (const char *c = op->attrs[IR_AT_PRINT_TKO_str].string; *c; c++) {
        if (*c == '%' && c[1] == '%') {
            c++;
        } else if (*c == '%') {
            wanted++;
        }
    }
    return count == wanted || ir_fail(v, op, "%u values for %u formats", count, wanted);
}

bool ir_check_get_global(verifier *v, const ir_op *op)
{
    const char *name = op->attrs[IR_AT_GET_GLOBAL_name].string;
    for (const ir_global *global = v->module->globals; global; global = global->next) {
        if (strcmp(global->name, name) == 0) {
            const ir_type *elem = global->value.type->elem;
            return op->results[0].type->elem->elem == elem ||
                   ir_fail(v, op, "global '%s' holds %s", name, ir_type_text(v, elem));
        }
    }
    return ir_fail(v, op, "there is no global '%s'", name);
}

bool ir_check_alloca(verifier *v, const ir_op *op)
{
    int64_t alignment = ir_attr_int(op, IR_AT_ALLOCA_alignment, 0);
    int bytes = ir_type_bytes(op->results[0].type->elem->elem);
    bool power = alignment > 0 && (alignment & (alignment - 1)) == 0;
    return (power && alignment >= bytes) ||
           ir_fail(v, op, "the alignment %lld is no power of two of at least %d",
                   (long long)alignment, bytes);
}
