/* Three front ends pass an array as a pointer, its extents and its strides. cuTile Python says so
 * in the kernel's symbol; cutile-rs in the module's name of its encoder, and begins the kernel with
 * a view of the array, of these parameters, none of which is negative as it says there. A view that
 * the author makes of a raw pointer and numbers of the same order promises nothing of them. In
 * cuTile.jl views are made of arrays alone, with their dimensions the other way round. */
#include "bytecode/arrays.h"

#include "bytecode/symbol.h"

#include <ctype.h>
#include <string.h>

static bool is_pointer(const ir_value *arg)
{
    return arg->type->kind == IR_TILE && arg->type->elem->kind == IR_POINTER;
}

/* An array takes 1 + 2 * rank flat arguments: pointer, extents, strides. False when the kernel's
 * parameters are not of that form. */
static bool find_array(const ir_block *body, uint32_t first, uint32_t rank,
                       contract_member *members)
{
    if (first + 2 * rank >= body->n_args || !is_pointer(body->args[first]))
        return false;
    for (uint32_t i = 1; i <= 2 * rank; i++)
        if (!ir_type_is_tile_of_int(body->args[first + i]->type))
            return false;
    members[first] = (contract_member){CONTRACT_ARRAY_START, first, 0};
    for (uint32_t d = 0; d < rank; d++) {
        members[first + 1 + d] = (contract_member){CONTRACT_ARRAY_EXTENT, first, d};
        members[first + 1 + rank + d] = (contract_member){CONTRACT_ARRAY_STRIDE, first, d};
    }
    return true;
}

/* ---- Section: cuTile Python ---- */

/* Rank of the array that a part of the signature begins: "A3f16" is one of rank 3; 0: none. */
static uint32_t array_rank(const char *part)
{
    if (part[0] != 'A' || !isdigit((unsigned char)part[1]))
        return 0;
    return isalpha((unsigned char)part[2]) ? (uint32_t)(part[1] - '0') : 0;
}

static void find_by_signature(const ir_function *function, const char *signature,
                              contract_member *members)
{
    uint32_t next = 0; /* arrays come in the order of the flat arguments, scalars between them */
    for (const char *part = strchr(signature + 1, '_'); part; part = strchr(part, '_')) {
        part++;
        uint32_t rank = array_rank(part);
        if (!rank)
            continue;
        while (next < function->body->n_args && !is_pointer(function->body->args[next]))
            next++; /* scalars before it */
        if (!find_array(function->body, next, rank, members))
            return;
        next += 1 + 2 * rank;
    }
}

/* ---- Section: cutile-rs ---- */

static const ir_value *without_assumes(const ir_value *value)
{
    while (value->def && value->def->code == IR_OP_ASSUME)
        value = ir_operand(value->def, IR_ASSUME_value);
    return value;
}

/* Does the kernel itself say that the value is not negative? */
static bool is_promised(const ir_value *value)
{
    for (; value->def && value->def->code == IR_OP_ASSUME;
         value = ir_operand(value->def, IR_ASSUME_value)) {
        const ir_attr *predicate = &value->def->attrs[IR_AT_ASSUME_predicate];
        if (predicate->assume.kind == IR_ASSUME_BOUNDED && predicate->assume.has_low &&
            predicate->assume.low >= 0)
            return true;
    }
    return false;
}

uint32_t arrays_parameter(const ir_function *function, const ir_value *value)
{
    const ir_block *body = function->body;
    value = without_assumes(value);
    for (uint32_t i = 0; i < body->n_args; i++)
        if (body->args[i] == value)
            return i;
    return ARRAYS_NO_PARAMETER;
}

/* Are those of the extents, or strides, that the type leaves open the parameters from `first` on,
 * and promised? *any: it leaves one open. A view whose type fixes all of them shows nothing. */
static bool are_parameters(const ir_function *function, uint32_t first, int rank,
                           const int64_t *fixed, ir_value **open, bool *any)
{
    for (int d = 0, n = 0; d < rank; d++) {
        if (fixed[d] >= 0)
            continue;
        if (!is_promised(open[n]) || arrays_parameter(function, open[n]) != first + (uint32_t)d)
            return false;
        n++;
        *any = true;
    }
    return true;
}

static void find_by_view(const ir_function *function, const ir_op *view, contract_member *members)
{
    const ir_block *body = function->body;
    const ir_type *type = view->results[0].type;
    uint32_t first = arrays_parameter(function, ir_operand(view, IR_MAKE_TENSOR_VIEW_base)), n;
    ir_value **extents = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n);
    ir_value **strides = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n);
    bool any = false;
    if (first == ARRAYS_NO_PARAMETER || view->parent != body || type->rank == 0 ||
        members[first].role != CONTRACT_ALONE)
        return;
    uint32_t rank = (uint32_t)type->rank;
    if (are_parameters(function, first + 1, type->rank, type->shape, extents, &any) &&
        are_parameters(function, first + 1 + rank, type->rank, type->strides, strides, &any) && any)
        find_array(body, first, rank, members);
}

/* ---- Section: cuTile.jl ---- */

static bool are_reversed(const ir_function *function, uint32_t first, int rank,
                         const int64_t *fixed, ir_value **open)
{
    for (int d = 0, n = 0; d < rank; d++)
        if (fixed[d] < 0 &&
            arrays_parameter(function, open[n++]) != first + (uint32_t)(rank - 1 - d))
            return false;
    return true;
}

static void find_by_reversed_view(const ir_function *function, const ir_op *view,
                                  contract_member *members)
{
    const ir_block *body = function->body;
    const ir_type *type = view->results[0].type;
    uint32_t first = arrays_parameter(function, ir_operand(view, IR_MAKE_TENSOR_VIEW_base)), n;
    ir_value **extents = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n);
    ir_value **strides = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n);
    if (first == ARRAYS_NO_PARAMETER || type->rank == 0 || members[first].role != CONTRACT_ALONE)
        return;
    uint32_t rank = (uint32_t)type->rank;
    if (are_reversed(function, first + 1, type->rank, type->shape, extents) &&
        are_reversed(function, first + 1 + rank, type->rank, type->strides, strides))
        find_array(body, first, rank, members);
}

static void find_views(const ir_function *function,
                       void (*find)(const ir_function *, const ir_op *, contract_member *),
                       contract_member *members)
{
    for (const ir_op *op = ir_first_op(function); op; op = ir_next_op(op))
        if (op->code == IR_OP_MAKE_TENSOR_VIEW)
            find(function, op, members);
}

void arrays_find(const ir_function *function, contract_member *members)
{
    const char *signature = symbol_python_signature(function);
    if (signature) {
        find_by_signature(function, signature, members);
    } else if (function->module->counts_from_one) {
        find_views(function, find_by_reversed_view, members);
    } else if (ir_is_made_by(function->module, "cutile-rs", "cutile-ir")) {
        find_views(function, find_by_view, members);
    }
}
