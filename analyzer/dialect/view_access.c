/* Loads, stores and reductions through views. */
#include "dialect/memory.h"

typedef struct index_list {
    CXCursor source[IR_MAX_RANK];
    ir_value *value[IR_MAX_RANK];
    uint32_t n;
} index_list;

static dl_value view_operand(dl *L, CXCursor cursor)
{
    dl_value view = dl_operand(L, cursor);
    if (view.kind == DL_VALUE && !ir_type_is_tile_view(view.type))
        return dl_fail(L, cursor, "Make one with tile_partition.", "this is no view");
    return view;
}

static dl_element element_of(const dl_value *view)
{
    return (dl_element){view->type->tensor->elem, view->is_unsigned};
}

/* One index: an integer, or in the sparse dimension of a gather-scatter view a tile of them. */
static bool check_index(dl *L, CXCursor where, const dl_value *view, int dim, const dl_value *index)
{
    const ir_type *type = index->type;
    bool sparse = view->type->kind == IR_GATHER_SCATTER_VIEW && dim == view->type->sparse_dim;
    if (type->kind != IR_TILE || !ir_type_is_int(type->elem)) {
        dl_fail(L, where, NULL, "an index must be an integer");
        return false;
    }
    if (!sparse && type->rank != 0) {
        dl_fail(L, where,
                view->type->kind == IR_GATHER_SCATTER_VIEW
                    ? "The tile of rows belongs to the view's sparse dimension."
                    : "tile_gather_scatter makes a view that a tile may index; pointers do it too.",
                "this index is %s, but a number is needed here", dl_type_text(L, type));
        return false;
    }
    if (sparse && (type->rank != 1 || type->shape[0] != view->type->shape[dim])) {
        dl_fail(L, where, "Pass a tile with one row number for each row of the view's tile.",
                "the index of the sparse dimension is %s, but a tile of %lld integers is needed",
                dl_type_text(L, type), (long long)view->type->shape[dim]);
        return false;
    }
    return true;
}

/* Tile IR wants all indices of one integer type: i32 where all fit, else i64. */
static bool read_index(dl *L, CXCursor argument, const dl_value *view, index_list *out)
{
    CXCursor *items;
    size_t n;
    if (!ast_list(L, argument, &items, &n))
        return false;
    int rank = view->type->rank;
    if (n != (size_t)rank) {
        dl_fail(L, argument, NULL, "this view has %d dimension%s, but %zu ind%s given", rank,
                rank == 1 ? "" : "s", n, n == 1 ? "ex is" : "ices are");
        return false;
    }
    dl_value values[IR_MAX_RANK];
    bool wide = false;
    for (int i = 0; i < rank; i++) {
        values[i] = dl_operand(L, items[i]);
        if (values[i].kind != DL_VALUE || !check_index(L, items[i], view, i, &values[i]))
            return false;
        bool is_wide = values[i].type->elem->kind == IR_I64;
        if (is_wide && values[i].constant && values[i].integer == (int32_t)values[i].integer)
            is_wide = false;
        wide |= is_wide;
    }
    for (int i = 0; i < rank; i++) {
        dl_element wanted = {ir_type_scalar(L->module, wide ? IR_I64 : IR_I32),
                             values[i].is_unsigned};
        values[i] = dl_convert(L, values[i], wanted);
        L->at = items[i];
        L->placed = false;
        out->value[i] = dl_ir(L, &values[i]);
        out->source[i] = items[i];
    }
    out->n = (uint32_t)rank;
    L->at = clang_getNullCursor();
    return true;
}

static void note_index(dl *L, ir_op *op, unsigned group, const index_list *index)
{
    uint32_t first = group ? op->group_end[group - 1] : 0;
    for (uint32_t i = 0; i < index->n; i++)
        dl_note_operand(L, op, first + i, index->source[i]);
}

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

dl_value lower_load_view(dl *L, const dl_args *args)
{
    dl_reader reader = {args, 0};
    dl_value view = view_operand(L, dl_next(&reader));
    dl_access access = {.order = view.order, .reads = true};
    index_list index;
    if (view.kind != DL_VALUE || !dl_may_access(L, args->call, &view, false) ||
        !dl_read_ordering(L, &reader, args->row->a, &access))
        return dl_poison();
    if (args->row->b &&
        (!dl_read_after(L, &reader, &access) || !dl_read_token_out(L, &reader, &access)))
        return dl_poison();
    if (!read_index(L, dl_next(&reader), &view, &index))
        return dl_poison();
    at(L, args->call);
    ir_value *before = dl_order_before(L, &access);
    ir_operand_list groups[] = {{&view.ir, 1}, {index.value, index.n}, {&before, before ? 1 : 0}};
    const ir_type *types[] = {
        dl_tile_type(L, view.type->tensor->elem, view.type->rank, view.type->shape),
        ir_type_token(L->module)};
    ir_op *op = dl_build(L, IR_OP_LOAD_VIEW_TKO, groups, 2, types, NULL);
    dl_set_ordering(op, &access, IR_AT_LOAD_VIEW_TKO_memory_ordering_semantics,
                    IR_AT_LOAD_VIEW_TKO_memory_scope);
    note_index(L, op, IR_LOAD_VIEW_TKO_index, &index);
    return dl_ordered(L, &access, ir_result(op, IR_RS_LOAD_VIEW_TKO_token),
                      dl_of(&op->results[0], false, view.is_unsigned));
}

dl_value lower_store_view(dl *L, const dl_args *args)
{
    dl_reader reader = {args, 0};
    dl_value view = view_operand(L, dl_next(&reader));
    CXCursor value_at = dl_next(&reader);
    dl_value value = dl_operand(L, value_at);
    dl_access access = {.order = view.order, .writes = true};
    index_list index;
    if (view.kind != DL_VALUE || value.kind != DL_VALUE ||
        !dl_may_access(L, args->call, &view, true) ||
        !dl_read_ordering(L, &reader, args->row->a, &access))
        return dl_poison();
    if (args->row->b && !dl_read_after(L, &reader, &access))
        return dl_poison();
    if (!read_index(L, dl_next(&reader), &view, &index))
        return dl_poison();
    at(L, args->call);
    if (!dl_fit(L, value_at, "the stored value", &value, element_of(&view), view.type->rank,
                view.type->shape))
        return dl_poison();
    ir_value *ir = dl_ir(L, &value), *before = dl_order_before(L, &access);
    ir_operand_list groups[] = {
        {&ir, 1}, {&view.ir, 1}, {index.value, index.n}, {&before, before ? 1 : 0}};
    const ir_type *type = ir_type_token(L->module);
    ir_op *op = dl_build(L, IR_OP_STORE_VIEW_TKO, groups, 1, &type, NULL);
    dl_set_ordering(op, &access, IR_AT_STORE_VIEW_TKO_memory_ordering_semantics,
                    IR_AT_STORE_VIEW_TKO_memory_scope);
    dl_note_operand(L, op, 0, value_at);
    note_index(L, op, IR_STORE_VIEW_TKO_index, &index);
    return dl_ordered(L, &access, &op->results[0], dl_void());
}

static bool red_allowed(dl *L, CXCursor where, const dl_value *view, const dl_access *access)
{
    if (view->type->kind == IR_GATHER_SCATTER_VIEW || view->type->padding != IR_PAD_NONE) {
        dl_fail(L, where, "Use a partition or strided view without padding, or tile_atomic_add.",
                "tile_red does not work on this view");
        return false;
    }
    if (access->ordering != IR_RELAXED ||
        (access->scope != IR_SCOPE_TL_BLK && access->scope != IR_SCOPE_DEVICE)) {
        dl_fail(L, where, "Use tile_atomic_add on pointers for other orders and scopes.",
                "tile_red is TILE_RELAXED, with TILE_BLOCK or TILE_DEVICE");
        return false;
    }
    return true;
}

dl_value lower_red_view(dl *L, const dl_args *args)
{
    dl_reader reader = {args, 0};
    CXCursor mode_at = dl_next(&reader);
    int64_t number;
    if (!dl_constant(L, mode_at, "the mode", 0, 7, &number))
        return dl_poison();
    dl_value view = view_operand(L, dl_next(&reader));
    CXCursor value_at = dl_next(&reader);
    dl_value value = dl_operand(L, value_at);
    dl_access access = {.order = view.order, .reads = true, .writes = true};
    index_list index;
    ir_atomic_mode mode;
    if (view.kind != DL_VALUE || value.kind != DL_VALUE ||
        !dl_may_access(L, args->call, &view, true) ||
        !dl_read_ordering(L, &reader, true, &access) ||
        !red_allowed(L, args->call, &view, &access) ||
        !dl_atomic_mode(L, args->call, (int)number, true, element_of(&view), &mode))
        return dl_poison();
    if (args->row->b && !dl_read_after(L, &reader, &access))
        return dl_poison();
    if (!read_index(L, dl_next(&reader), &view, &index))
        return dl_poison();
    at(L, args->call);
    if (!dl_fit(L, value_at, "the value", &value, element_of(&view), view.type->rank,
                view.type->shape))
        return dl_poison();
    ir_value *ir = dl_ir(L, &value), *before = dl_order_before(L, &access);
    ir_operand_list groups[] = {
        {&view.ir, 1}, {index.value, index.n}, {&ir, 1}, {&before, before ? 1 : 0}};
    const ir_type *type = ir_type_token(L->module);
    ir_op *op = dl_build(L, IR_OP_ATOMIC_RED_VIEW_TKO, groups, 1, &type, NULL);
    dl_set_ordering(op, &access, IR_AT_ATOMIC_RED_VIEW_TKO_memory_ordering_semantics,
                    IR_AT_ATOMIC_RED_VIEW_TKO_memory_scope);
    ir_set_int(op, IR_AT_ATOMIC_RED_VIEW_TKO_mode, mode);
    note_index(L, op, IR_ATOMIC_RED_VIEW_TKO_index, &index);
    return dl_ordered(L, &access, &op->results[0], dl_void());
}
