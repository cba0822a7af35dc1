/* One kernel: its parameters, its contract, its body. */
#include "dialect/lower.h"

#include "base/ds.h"

/* ---- Parameters ---- */

static bool parameter_type(dl *L, CXCursor parameter, dl_class *class, dl_element *element,
                           const ir_type **type)
{
    *class = dl_class_of(L, clang_getCursorType(parameter), element);
    if (*class == DL_CLASS_NUMBER) {
        *type = dl_tile_type(L, element->type, 0, NULL);
        return true;
    }
    if (*class == DL_CLASS_POINTER) {
        *type = dl_tile_type(L, ir_type_pointer(L->module, element->type), 0, NULL);
        return true;
    }
    dl_fail(L, parameter,
            "The host passes numbers and pointers to them; a table of pointers is a buffer of "
            "long and tile_int_to_ptr.",
            "a kernel cannot have a parameter of this type");
    return false;
}

static void describe(dl *L, size_t i, CXCursor parameter, dl_class class, dl_element element)
{
    contract_arg *arg = &L->contract->args[i];
    const char *name = ast_spelling(L, parameter);
    arg->name = name[0] ? name : tr_arena_printf(L->keep, "arg%zu", i);
    arg->kind = class == DL_CLASS_POINTER        ? CONTRACT_POINTER
                : ir_type_is_float(element.type) ? CONTRACT_FLOAT
                                                 : CONTRACT_SCALAR;
    arg->bits = ir_type_bits(element.type);
    arg->is_signed = !element.is_unsigned;
    if (arg->kind != CONTRACT_POINTER)
        return;
    arg->buffer = arg->name;
    /* restrict is a promise on overlap like any other. */
    arg->buffer_stated = clang_isRestrictQualifiedType(clang_getCursorType(parameter));
}

typedef struct signature {
    size_t n;
    CXCursor *parameters;
    dl_class *classes;
    dl_element *elements;
    const ir_type **types;
} signature;

static bool read_signature(dl *L, CXCursor function, signature *s)
{
    int n = clang_Cursor_getNumArguments(function);
    s->n = n > 0 ? (size_t)n : 0;
    s->parameters = TR_NEW_ARRAY(L->scratch, CXCursor, s->n + 1);
    s->classes = TR_NEW_ARRAY(L->scratch, dl_class, s->n + 1);
    s->elements = TR_NEW_ARRAY(L->scratch, dl_element, s->n + 1);
    s->types = TR_NEW_ARRAY(L->scratch, const ir_type *, s->n + 1);
    bool ok = true;
    CXType result = clang_getCanonicalType(clang_getResultType(clang_getCursorType(function)));
    if (result.kind != CXType_Void || clang_Cursor_isVariadic(function)) {
        dl_fail(L, function, "Store results to a buffer.", "a kernel returns void");
        ok = false;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->parameters[i] = clang_Cursor_getArgument(function, (unsigned)i);
        ok &= parameter_type(L, s->parameters[i], &s->classes[i], &s->elements[i], &s->types[i]);
    }
    return ok;
}

/* The variables of parameters come first: parameter i is variable i. */
static void declare_parameters(dl *L, const signature *s, ir_function *function)
{
    for (size_t i = 0; i < s->n; i++) {
        ir_value *value = function->body->args[i];
        CXType type = clang_getCursorType(s->parameters[i]);
        bool pointer = s->classes[i] == DL_CLASS_POINTER;
        dl_value held = dl_of(value, !pointer, s->elements[i].is_unsigned);
        held.read_only = pointer && clang_isConstQualifiedType(clang_getPointeeType(type));
        uint32_t var = dl_declare(L, s->parameters[i], s->classes[i], s->elements[i], held);
        L->vars[var].no_assign = pointer;
        value->name = L->contract->args[i].name;
        describe(L, i, s->parameters[i], s->classes[i], s->elements[i]);
        value->name = L->contract->args[i].name;
    }
}

/* ---- The contract and the order classes ---- */

/* A constant with a value that no access to memory gives. */
static bool is_constant(dl *L, CXCursor variable)
{
    CXCursor init = clang_Cursor_getVarDeclInitializer(variable);
    CXType type = clang_getCursorType(variable);
    if (clang_Cursor_isNull(init) || !clang_isConstQualifiedType(type) ||
        !dl_element_of(L, type).type)
        return false;
    dl_scan scan = {0};
    ast_scan(L, init, &scan);
    bool touches = scan.touches;
    ast_scan_free(&scan);
    return !touches;
}

/* Contract statements may use constants and types, so these may be declared among them. */
static bool is_constant_declaration(dl *L, CXCursor statement)
{
    if (clang_getCursorKind(statement) != CXCursor_DeclStmt)
        return false;
    CXCursor *decls;
    size_t n = ast_children(L, statement, &decls);
    for (size_t i = 0; i < n; i++) {
        enum CXCursorKind kind = clang_getCursorKind(decls[i]);
        bool has_no_value = kind == CXCursor_EnumDecl || kind == CXCursor_TypedefDecl ||
                            kind == CXCursor_StaticAssert;
        if (!has_no_value && !(kind == CXCursor_VarDecl && is_constant(L, decls[i])))
            return false;
    }
    return true;
}

static size_t lower_contract_part(dl *L, const CXCursor *statements, size_t n)
{
    size_t i = 0;
    L->contract_open = true;
    for (; i < n; i++) {
        if (dl_contract_statement(L, statements[i]))
            continue;
        if (!is_constant_declaration(L, statements[i]))
            break;
        dl_statement(L, statements[i]);
    }
    L->contract_open = false;
    return i;
}

static void give_order_classes(dl *L, const signature *s)
{
    for (size_t i = 0; i < s->n; i++) {
        bool own =
            L->distinct[i] || clang_isRestrictQualifiedType(clang_getCursorType(s->parameters[i]));
        if (s->classes[i] != DL_CLASS_POINTER || !own)
            continue;
        int order = dl_order_new(L); /* adds variables, so the array may move */
        L->vars[i].now.order = order;
    }
}

/* ---- The kernel ---- */

static const tr_place *name_place(dl *L, CXCursor function)
{
    CXFile file;
    unsigned line, column;
    tr_place *place = tr_arena_copy(L->keep, ast_place(L, function), sizeof(tr_place));
    clang_getFileLocation(clang_getCursorLocation(function), &file, &line, &column, NULL);
    place->line = place->end_line = line;
    place->column = column;
    place->end_column = column + (uint32_t)strlen(L->kernel_name);
    return place;
}

static void reset(dl *L)
{
    arrsetlen(L->vars, 0);
    hmfree(L->var_of);
    arrsetlen(L->trail, 0);
    arrsetlen(L->forward, 0);
    for (size_t i = 0; i < arrlenu(L->orders); i++)
        arrfree(L->orders[i].loads);
    arrsetlen(L->orders, 0);
    L->loop = NULL;
    L->frame = NULL;
    L->depth = 0;
    L->n_ops = 0;
    L->stop = false;
    L->in_combine = false;
}

static void lower_body(dl *L, CXCursor function, const signature *s)
{
    CXCursor *children, *statements = NULL;
    size_t n_children = ast_children(L, function, &children);
    size_t n = n_children ? ast_children(L, children[n_children - 1], &statements) : 0;
    L->at = function;
    L->placed = false;
    L->entry_token = dl_emit(L, IR_OP_MAKE_TOKEN, ir_type_token(L->module), 0, NULL);
    dl_value entry = dl_of(L->entry_token, false, false);
    L->acquired = dl_hidden(L, "acquired", entry);
    dl_order_new(L); /* DL_ORDER_SHARED */
    L->frame->returned = dl_hidden(L, "returned", dl_integer(L, IR_I1, true, 0));
    L->frame->result = dl_hidden(L, "result", dl_unset());
    L->frame->has_early_return = dl_has_early_return(L, statements, n);
    size_t done = n ? lower_contract_part(L, statements, n) : 0;
    give_order_classes(L, s);
    if (n > done)
        dl_statements(L, statements + done, n - done);
    L->at = function;
    L->placed = false;
    ir_operand_list none = {0};
    dl_build(L, IR_OP_RETURN, &none, 0, NULL, NULL);
}

bool dl_kernel(dl *L, CXCursor function, contract **out, const ir_function **kernel)
{
    size_t errors = tr_errors_count(L->errors);
    reset(L);
    L->kernel_name = ast_spelling(L, function);
    dl_frame frame = {.function = function, .name = L->kernel_name};
    L->frame = &frame;
    signature s;
    if (!read_signature(L, function, &s)) {
        L->frame = NULL;
        return false;
    }
    const ir_type *type = ir_type_function(L->module, (int)s.n, s.types, 0, NULL);
    ir_function *ir = ir_function_add(L->module, L->kernel_name, type);
    L->b = (ir_builder){.module = L->module, .function = ir, .block = ir->body};
    ir->place = name_place(L, function);
    L->contract = contract_new(L->ctx, L->kernel_name, s.n);
    *out = L->contract;
    *kernel = ir;
    L->aliasing = TR_NEW_ARRAY(L->scratch, const tr_place *, s.n + 1);
    L->distinct = TR_NEW_ARRAY(L->scratch, bool, s.n + 1);
    declare_parameters(L, &s, ir);
    lower_body(L, function, &s);
    L->frame = NULL;
    if (tr_errors_count(L->errors) > errors)
        return false;
    dl_finish_function(L, ir);
    return true;
}
