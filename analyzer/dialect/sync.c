/* Tokens, fences, memory of the block, module globals, the launch. */
#include "dialect/memory.h"

#include "base/ds.h"

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

/* ---- Tokens ---- */

dl_value lower_make_token(dl *L, const dl_args *args)
{
    at(L, args->call);
    return dl_of(dl_emit(L, IR_OP_MAKE_TOKEN, ir_type_token(L->module), 0, NULL), false, false);
}

dl_value lower_join_tokens(dl *L, const dl_args *args)
{
    dl_reader reader = {args, 0};
    dl_access access = {0};
    if (!dl_read_after(L, &reader, &access))
        return dl_poison();
    if (!access.after)
        return dl_fail(L, args->call, "make_token() is ordered after nothing.",
                       "join_tokens needs a token");
    return dl_of(access.after, false, false);
}

static bool pointer_class(dl *L, CXCursor argument, int *order)
{
    dl_value pointer = dl_operand(L, argument);
    if (pointer.kind != DL_VALUE)
        return false;
    if (pointer.type->kind != IR_TILE || pointer.type->elem->kind != IR_POINTER) {
        dl_fail(L, argument, "Pass the pointer that the view is made of.", "this is no pointer");
        return false;
    }
    *order = pointer.order;
    return true;
}

dl_value lower_join_order(dl *L, const dl_args *args)
{
    dl_reader reader = {args, 1};
    dl_access access = {0};
    int order;
    if (!pointer_class(L, args->arg[0], &order) || !dl_read_after(L, &reader, &access))
        return dl_poison();
    at(L, args->call);
    if (access.after)
        dl_order_join(L, order, access.after);
    return dl_void();
}

dl_value lower_order_token(dl *L, const dl_args *args)
{
    int order;
    if (!pointer_class(L, args->arg[0], &order))
        return dl_poison();
    at(L, args->call);
    return dl_of(dl_order_of(L, order), false, false);
}

dl_value lower_fence(dl *L, const dl_args *args)
{
    ir_opcode code = (ir_opcode)args->row->a;
    dl_access access = {0};
    dl_reader reader = {args, 0};
    if (!dl_may_access(L, args->call, NULL, false) ||
        (args->row->b && !dl_read_after(L, &reader, &access)))
        return dl_poison();
    at(L, args->call);
    ir_value *before = args->row->b ? access.after : dl_order_everything(L);
    if (!before && code == IR_OP_MEMORY_FENCE_ALIAS_TKO)
        before = dl_emit(L, IR_OP_MAKE_TOKEN, ir_type_token(L->module), 0, NULL);
    ir_operand_list group = {&before, before ? 1 : 0};
    const ir_type *type = ir_type_token(L->module);
    ir_op *op = dl_build(L, code, &group, 1, &type, NULL);
    if (args->row->b)
        return dl_of(&op->results[0], false, false);
    /* Letting dependents start orders no memory; what follows need not wait for it. */
    if (code != IR_OP_GDC_LAUNCH_DEPENDENTS_TKO)
        dl_order_fence(L, &op->results[0]);
    return dl_void();
}

/* ---- Memory that the kernel itself declares ---- */

dl_value lower_alloca(dl *L, const dl_args *args)
{
    dl_element element;
    int64_t count;
    if (!dl_may_access(L, args->call, NULL, false) ||
        !dl_type_argument(L, args->arg[0], &element) ||
        !dl_constant(L, args->arg[1], "the number of elements", 1, (int64_t)1 << 40, &count))
        return dl_poison();
    at(L, args->call);
    const ir_type *type = dl_tile_type(L, ir_type_pointer(L->module, element.type), 0, NULL);
    ir_op *op = dl_emit_op(L, IR_OP_ALLOCA, type, 0, NULL);
    ir_set_int(op, IR_AT_ALLOCA_num_elem, count);
    ir_set_int(op, IR_AT_ALLOCA_alignment, 16);
    if (args->row->a)
        ir_set_int(op, IR_AT_ALLOCA_global, 1);
    dl_value pointer = dl_of(&op->results[0], false, element.is_unsigned);
    pointer.order = dl_order_new(L);
    return pointer;
}

static bool evaluate(CXCursor cursor, const ir_type *elem, int64_t *integer, double *real)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (!result)
        return false;
    bool known = true;
    switch (clang_EvalResult_getKind(result)) {
    case CXEval_Int:
        *integer = clang_EvalResult_getAsLongLong(result);
        *real = (double)*integer;
        break;
    case CXEval_Float:
        *real = clang_EvalResult_getAsDouble(result);
        *integer = ir_type_is_int(elem) ? (int64_t)*real : 0;
        break;
    default:
        known = false;
    }
    clang_EvalResult_dispose(result);
    return known;
}

#define MAX_GLOBAL 1048576 /* elements */

/* The initial contents, element by element as the bytecode holds them. */
static bool initial_bytes(dl *L, CXCursor decl, const ir_type *elem, int64_t count,
                          unsigned char *bytes)
{
    size_t width = (size_t)ir_type_dense_bytes(elem);
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl), *items = &init;
    if (clang_Cursor_isNull(init))
        return true;
    size_t n = 1;
    if (clang_getCursorKind(init) == CXCursor_InitListExpr)
        n = ast_children(L, init, &items);
    for (size_t i = 0; i < n; i++) {
        int64_t integer = 0;
        double real = 0;
        if (i >= (size_t)count || !evaluate(items[i], elem, &integer, &real)) {
            dl_fail(L, items[i], "List plain numbers, in order.",
                    "the initial value of a module global must be a constant");
            return false;
        }
        uint64_t bits = ir_type_is_float(elem) ? ir_float_bits(elem, real) : (uint64_t)integer;
        if (elem->kind == IR_I1) {
            if (integer)
                bytes[i / 8] |= (unsigned char)(1u << (i % 8));
            continue;
        }
        for (size_t b = 0; b < width; b++)
            bytes[i * width + b] = (unsigned char)(bits >> (8 * b));
    }
    return true;
}

static bool add_global(dl *L, CXCursor where, CXCursor decl, const ir_type *elem, int64_t count,
                       bool is_constant)
{
    for (size_t i = 0; i < arrlenu(L->globals); i++)
        if (clang_equalCursors(L->globals[i], decl))
            return true;
    if (count < 1 || count > MAX_GLOBAL || (count & (count - 1)) != 0) {
        dl_fail(L, where, "Declare it with a power of two.",
                "a module global has 1 to %d elements, a power of two", MAX_GLOBAL);
        return false;
    }
    size_t n_bytes = elem->kind == IR_I1 ? ((size_t)count + 7) / 8
                                         : (size_t)count * (size_t)ir_type_dense_bytes(elem);
    unsigned char *bytes = tr_arena_alloc(L->scratch, n_bytes);
    if (!initial_bytes(L, decl, elem, count, bytes))
        return false;
    ir_global *global = TR_NEW(L->keep, ir_global);
    global->name = ast_spelling(L, decl);
    global->value =
        ir_attr_of_dense(L->module, dl_tile_type(L, elem, 1, &count), bytes, n_bytes, false);
    global->alignment = 16;
    global->is_constant = is_constant;
    *(L->module->last_global ? &L->module->last_global->next : &L->module->globals) = global;
    L->module->last_global = global;
    arrput(L->globals, decl);
    return true;
}

dl_value dl_global(dl *L, CXCursor where, CXCursor decl)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    int64_t count = 1;
    bool is_constant = clang_isConstQualifiedType(type);
    if (type.kind == CXType_ConstantArray) {
        count = clang_getArraySize(type);
        type = clang_getArrayElementType(type);
        is_constant |= clang_isConstQualifiedType(type);
    }
    dl_element element = dl_element_of(L, type);
    if (!element.type)
        return dl_fail(L, where, "Declare `tile_global int counter[1];`, or another element type.",
                       "a module global is a number or an array of numbers");
    if (!is_constant && !ast_has_annotation(L, decl, "tile_global"))
        return dl_fail(L, where, "Mark it tile_global if all tile blocks share it.",
                       "%s is a variable of the host", ast_spelling(L, decl));
    if (!add_global(L, where, decl, element.type, count, is_constant))
        return dl_poison();
    at(L, where);
    const ir_type *pointer = dl_tile_type(L, ir_type_pointer(L->module, element.type), 0, NULL);
    ir_op *op = dl_emit_op(L, IR_OP_GET_GLOBAL, pointer, 0, NULL);
    op->attrs[IR_AT_GET_GLOBAL_name] = ir_attr_of_string(L->module, ast_spelling(L, decl));
    dl_value value = dl_of(&op->results[0], false, element.is_unsigned);
    value.read_only = is_constant;
    return value;
}

/* ---- The launch ---- */

dl_value lower_block_number(dl *L, const dl_args *args)
{
    int64_t axis;
    if (!dl_constant(L, args->arg[0], "the axis", 0, 2, &axis))
        return dl_poison();
    at(L, args->call);
    const ir_type *i32 = dl_scalar_type(L, IR_I32), *types[] = {i32, i32, i32};
    ir_op *op = dl_build(L, (ir_opcode)args->row->a, NULL, 3, types, NULL);
    return dl_of(&op->results[axis], true, false);
}

dl_value lower_assert(dl *L, const dl_args *args)
{
    dl_value condition = dl_condition(L, args->arg[0], false);
    if (condition.kind != DL_VALUE)
        return dl_poison();
    at(L, args->call);
    ir_value *operand = dl_ir(L, &condition);
    const char *text = ast_text(L, args->arg[0]);
    ir_op *op = dl_emit_op(L, IR_OP_ASSERT, NULL, 1, &operand);
    op->attrs[IR_AT_ASSERT_message] = ir_attr_of_string(L->module, text ? text : "");
    return dl_void();
}
