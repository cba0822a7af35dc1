/* Statements that are no loops.
 *
 * Tile IR has no early return from a loop and none from an inlined helper. A return sets the
 * frame's hidden `returned` variable; what follows it in the source goes into the other branch of
 * the if that guards it, or is guarded by that variable where several ifs lie between. */
#include "dialect/lower.h"

#define MAX_NESTING 900 /* of statements, and of early returns behind each other */

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

/* ---- Declarations ---- */

/* A local. One of a type that a kernel cannot have, or that would outlive it, is declared as
 * poison: its uses are not reported again. */
static void declare_variable(dl *L, CXCursor decl)
{
    CXType type = clang_getCursorType(decl);
    dl_element element;
    dl_class class = dl_class_of(L, type, &element);
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(decl);
    const char *name = ast_spelling(L, decl);
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
    bool is_const = clang_isConstQualifiedType(type);
    if (class == DL_CLASS_NONE) {
        bool array = clang_getCanonicalType(type).kind == CXType_ConstantArray;
        dl_fail(L, decl,
                array ? "Use a tile, or memory from tile_alloca(type, n)."
                      : "Locals are numbers, tiles, pointers, views, tensors and tokens.",
                array ? "%s is an array, and a tile block has no memory for arrays"
                      : "%s has a type that means nothing in a kernel",
                name);
        dl_declare(L, decl, class, element, dl_poison());
        return;
    }
    if ((storage == CX_SC_Static && !is_const) || storage == CX_SC_Extern) {
        dl_fail(L, decl, "Declare it at file scope as tile_global: all tile blocks share it.",
                "%s would outlive the kernel", name);
        dl_declare(L, decl, class, element, dl_poison());
        return;
    }
    dl_value value = clang_Cursor_isNull(init) ? dl_unset() : dl_operand(L, init);
    uint32_t var = dl_declare(L, decl, class, element, dl_unset());
    L->vars[var].is_const = is_const;
    if (!clang_Cursor_isNull(init))
        dl_assign(L, decl, var, value);
}

static void declaration(dl *L, CXCursor cursor)
{
    CXCursor *decls;
    size_t n = ast_children(L, cursor, &decls);
    for (size_t i = 0; i < n; i++)
        switch (clang_getCursorKind(decls[i])) {
        case CXCursor_VarDecl:
            declare_variable(L, decls[i]);
            break;
        case CXCursor_FunctionDecl: /* a prototype */
        case CXCursor_EnumDecl:
        case CXCursor_TypedefDecl:
        case CXCursor_StaticAssert:
            break;
        default:
            dl_fail(L, decls[i], NULL, "this declaration means nothing in a kernel");
        }
}

/* ---- Return ---- */

static dl_flow return_statement(dl *L, CXCursor cursor)
{
    dl_frame *frame = L->frame;
    CXCursor *children;
    if (ast_children(L, cursor, &children) == 1) {
        dl_value value = dl_expr(L, children[0]);
        if (frame->gives_value)
            dl_assign(L, cursor, frame->result, value);
    }
    at(L, cursor);
    dl_set(L, frame->returned, dl_integer(L, IR_I1, true, 1));
    if (L->loop == frame->outer_loop)
        return DL_FLOW_RETURNED;
    dl_jump(L, cursor, IR_OP_BREAK);
    return DL_FLOW_JUMPED;
}

/* The rest of a list, for the runs that have not returned yet. */
static dl_flow unless_returned(dl *L, CXCursor where, const CXCursor *rest, size_t n)
{
    dl_value returned = L->vars[L->frame->returned].now;
    if (returned.kind != DL_VALUE)
        return DL_FLOW_MAYBE;
    if (returned.constant)
        return returned.integer ? DL_FLOW_RETURNED : dl_statements(L, rest, n);
    ir_block *outside = L->b.block;
    dl_branch done, on;
    dl_branch_open(L, &done);
    done.flow = DL_FLOW_RETURNED;
    dl_branch_close(L, &done);
    L->b.block = outside;
    dl_branch_open(L, &on);
    on.flow = dl_statements(L, rest, n);
    dl_branch_close(L, &on);
    L->b.block = outside;
    return dl_branch_merge(L, where, returned.ir, &done, &on, NULL, NULL, NULL);
}

static dl_flow go_on(dl *L, dl_flow flow, const CXCursor *rest, size_t n)
{
    if (n == 0 || flow == DL_FLOW_JUMPED || flow == DL_FLOW_RETURNED)
        return flow;
    return flow == DL_FLOW_ON ? dl_statements(L, rest, n) : unless_returned(L, rest[0], rest, n);
}

/* ---- If ---- */

typedef struct if_parts {
    CXCursor then, otherwise;
    bool has_else;
    bool rest_in_then, rest_in_else; /* the other branch always returns */
} if_parts;

/* Decides which branch of an `if` the rest of the function belongs to. It is called for every `if`,
 * so a function without early returns is left at once. */
static void place_rest(dl *L, CXCursor cursor, if_parts *parts)
{
    if (L->loop != L->frame->outer_loop || !L->frame->has_early_return ||
        !ast_contains_return(L, cursor))
        return;
    bool then = ast_always_returns(L, parts->then);
    bool otherwise = parts->has_else && ast_always_returns(L, parts->otherwise);
    parts->rest_in_else = then && !otherwise;
    parts->rest_in_then = otherwise && !then;
}

/* `if (c) return;` is `if (!c) { the rest }`. */
static bool is_bare_return(dl *L, CXCursor statement)
{
    CXCursor *children;
    while (clang_getCursorKind(statement) == CXCursor_CompoundStmt) {
        if (ast_children(L, statement, &children) != 1)
            return false;
        statement = children[0];
    }
    return clang_getCursorKind(statement) == CXCursor_ReturnStmt &&
           ast_children(L, statement, &children) == 0;
}

static dl_flow guarded_rest(dl *L, CXCursor cursor, CXCursor condition, const CXCursor *rest,
                            size_t n)
{
    dl_value stays = dl_condition(L, condition, true);
    if (stays.kind == DL_VALUE && stays.constant && !stays.integer) {
        dl_set(L, L->frame->returned, dl_integer(L, IR_I1, true, 1));
        return DL_FLOW_RETURNED;
    }
    if (stays.kind == DL_VALUE && stays.constant)
        return dl_statements(L, rest, n);
    if (stays.kind != DL_VALUE)
        return dl_statements(L, rest, n);
    ir_value *test = dl_ir(L, &stays);
    ir_block *outside = L->b.block;
    dl_branch on, left;
    dl_branch_open(L, &on);
    on.flow = dl_statements(L, rest, n);
    dl_branch_close(L, &on);
    L->b.block = outside;
    dl_branch_open(L, &left);
    dl_set(L, L->frame->returned, dl_integer(L, IR_I1, true, 1));
    left.flow = DL_FLOW_RETURNED;
    dl_branch_close(L, &left);
    L->b.block = outside;
    return dl_branch_merge(L, cursor, test, &on, &left, NULL, NULL, NULL);
}

/* *took_rest: the list behind it was lowered too. */
static dl_flow if_statement(dl *L, CXCursor cursor, const CXCursor *rest, size_t n, bool *took_rest)
{
    CXCursor *children;
    size_t count = ast_children(L, cursor, &children);
    *took_rest = false;
    if (count < 2)
        return DL_FLOW_ON;
    if_parts parts = {.then = children[1], .has_else = count > 2};
    if (parts.has_else)
        parts.otherwise = children[2];
    if (!parts.has_else && L->loop == L->frame->outer_loop && is_bare_return(L, parts.then)) {
        *took_rest = true;
        return guarded_rest(L, cursor, children[0], rest, n);
    }
    dl_value condition = dl_condition(L, children[0], false);
    if (condition.kind == DL_VALUE && condition.constant) {
        if (condition.integer)
            return dl_statement(L, parts.then);
        return parts.has_else ? dl_statement(L, parts.otherwise) : DL_FLOW_ON;
    }
    at(L, children[0]);
    if (condition.kind != DL_VALUE) /* an error: go on for the others */
        condition = dl_integer(L, IR_I1, true, 1);
    ir_value *test = dl_ir(L, &condition);
    place_rest(L, cursor, &parts);
    *took_rest = parts.rest_in_then || parts.rest_in_else;
    ir_block *outside = L->b.block;
    dl_branch then, otherwise;
    dl_branch_open(L, &then);
    then.flow = dl_statement(L, parts.then);
    if (parts.rest_in_then)
        then.flow = go_on(L, then.flow, rest, n);
    dl_branch_close(L, &then);
    L->b.block = outside;
    if (then.flow == DL_FLOW_JUMPED) {
        dl_branch_merge(L, cursor, test, &then, NULL, NULL, NULL, NULL);
        return parts.has_else ? dl_statement(L, parts.otherwise) : DL_FLOW_ON;
    }
    if (!parts.has_else && !parts.rest_in_else)
        return dl_branch_merge(L, cursor, test, &then, NULL, NULL, NULL, NULL);
    dl_branch_open(L, &otherwise);
    otherwise.flow = parts.has_else ? dl_statement(L, parts.otherwise) : DL_FLOW_ON;
    if (parts.rest_in_else)
        otherwise.flow = go_on(L, otherwise.flow, rest, n);
    dl_branch_close(L, &otherwise);
    L->b.block = outside;
    return dl_branch_merge(L, cursor, test, &then, &otherwise, NULL, NULL, NULL);
}

/* ---- Lists ---- */

/* Leaves the outer loop behind an inner loop in which the function may have returned. */
static dl_flow leave_outer_loop(dl *L, CXCursor where)
{
    dl_value returned = L->vars[L->frame->returned].now;
    if (returned.kind != DL_VALUE || (returned.constant && !returned.integer))
        return DL_FLOW_ON;
    at(L, where);
    ir_block *outside = L->b.block;
    ir_value *test = dl_ir(L, &returned);
    dl_branch leave;
    dl_branch_open(L, &leave);
    dl_jump(L, where, IR_OP_BREAK);
    leave.flow = DL_FLOW_JUMPED;
    dl_branch_close(L, &leave);
    L->b.block = outside;
    dl_branch_merge(L, where, test, &leave, NULL, NULL, NULL, NULL);
    return DL_FLOW_ON;
}

dl_flow dl_statements(dl *L, const CXCursor *statements, size_t n)
{
    if (++L->depth > MAX_NESTING) {
        L->depth--;
        if (n > 0)
            dl_fail(L, statements[0], "Move inner parts to helper functions.",
                    "statements nest too deep here");
        return DL_FLOW_ON;
    }
    dl_flow flow = DL_FLOW_ON;
    for (size_t i = 0; i < n && !L->stop; i++) {
        if (tr_budget_is_spent(smt_budget(L->ctx)))
            break; /* what was lowered so far is whole; nobody judges the kernel by it */
        bool took_rest = false;
        const CXCursor *rest = statements + i + 1;
        if (clang_getCursorKind(statements[i]) == CXCursor_IfStmt)
            flow = if_statement(L, statements[i], rest, n - i - 1, &took_rest);
        else
            flow = dl_statement(L, statements[i]);
        if (flow == DL_FLOW_MAYBE && L->loop != L->frame->outer_loop)
            flow = leave_outer_loop(L, statements[i]);
        if (flow == DL_FLOW_ON && !took_rest)
            continue;
        if (!took_rest)
            flow = go_on(L, flow, rest, n - i - 1);
        break;
    }
    L->depth--;
    return flow;
}

static dl_flow list_of(dl *L, CXCursor cursor)
{
    CXCursor *children;
    size_t n = ast_children(L, cursor, &children);
    return dl_statements(L, children, n);
}

static dl_flow refuse(dl *L, CXCursor cursor, const char *what, const char *hint)
{
    dl_fail(L, cursor, hint, "kernels have no %s", what);
    return DL_FLOW_ON;
}

/* Which function lowers which kind of statement. Returns whether what follows it is reached. */
static dl_flow lower_kind(dl *L, CXCursor cursor)
{
    bool took_rest;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
    case CXCursor_CompoundStmt:
    case CXCursor_UnexposedStmt:
        return list_of(L, cursor);
    case CXCursor_DeclStmt:
        declaration(L, cursor);
        return DL_FLOW_ON;
    case CXCursor_IfStmt:
        return if_statement(L, cursor, NULL, 0, &took_rest);
    case CXCursor_ForStmt:
        return dl_for(L, cursor);
    case CXCursor_WhileStmt:
        return dl_while(L, cursor);
    case CXCursor_DoStmt:
        return dl_do(L, cursor);
    case CXCursor_BreakStmt:
        dl_jump(L, cursor, IR_OP_BREAK);
        return DL_FLOW_JUMPED;
    case CXCursor_ContinueStmt:
        dl_jump(L, cursor, IR_OP_CONTINUE);
        return DL_FLOW_JUMPED;
    case CXCursor_ReturnStmt:
        return return_statement(L, cursor);
    case CXCursor_NullStmt:
        return DL_FLOW_ON;
    case CXCursor_SwitchStmt:
        return dl_switch(L, cursor);
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        return refuse(L, cursor, "labels inside other statements",
                      "Write every case directly in the braces of its switch.");
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_LabelStmt:
        return refuse(L, cursor, "goto", "Use loops, break, continue and return.");
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        return refuse(L, cursor, "assembler", NULL);
    default:
        if (clang_isExpression(kind))
            dl_expr(L, cursor);
        else
            dl_fail(L, cursor, NULL, "this statement means nothing in a kernel");
        return DL_FLOW_ON;
    }
}

bool dl_has_early_return(dl *L, const CXCursor *statements, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum CXCursorKind kind = clang_getCursorKind(statements[i]);
        if (kind != CXCursor_ReturnStmt && !clang_isExpression(kind) && kind != CXCursor_DeclStmt &&
            ast_contains_return(L, statements[i]))
            return true;
    }
    return false;
}

dl_flow dl_statement(dl *L, CXCursor cursor)
{
    if (L->stop)
        return DL_FLOW_ON;
    if (++L->depth > MAX_NESTING) {
        L->depth--;
        dl_fail(L, cursor, "Move inner parts to helper functions.",
                "statements nest too deep here");
        return DL_FLOW_ON;
    }
    at(L, cursor);
    dl_flow flow = lower_kind(L, cursor);
    L->depth--;
    return flow;
}
