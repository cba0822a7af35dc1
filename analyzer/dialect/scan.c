/* Finds out what a piece of the tree does; asked before it is lowered. */
#include "dialect/lower.h"

#include "base/ds.h"

typedef struct scanner {
    dl *L;
    dl_scan *scan;
    bool nested; /* inside a loop of the scanned piece: its breaks are its own */
} scanner;

static void assigns(scanner *s, CXCursor target)
{
    target = ast_strip(s->L, target);
    if (clang_getCursorKind(target) == CXCursor_DeclRefExpr) {
        CXCursor decl = clang_getCursorReferenced(target);
        arrput(s->scan->assigned, decl);
    } else {
        s->scan->assigns_unknown = true;
    }
}

typedef struct first_child {
    CXCursor cursor;
    bool found;
} first_child;

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    first_child *child = data;
    child->cursor = cursor;
    child->found = true;
    return CXChildVisit_Break;
}

static void assigns_first(scanner *s, CXCursor cursor)
{
    first_child child = {0};
    clang_visitChildren(cursor, take_first, &child);
    if (child.found)
        assigns(s, child.cursor);
}

static enum CXChildVisitResult scan_one(CXCursor cursor, CXCursor parent, CXClientData data);

static enum CXChildVisitResult scan_loop(scanner *s, CXCursor cursor)
{
    if (s->nested)
        return CXChildVisit_Recurse;
    scanner inner = {.L = s->L, .scan = s->scan, .nested = true};
    clang_visitChildren(cursor, scan_one, &inner);
    return CXChildVisit_Continue;
}

static void scan_call(scanner *s, CXCursor cursor)
{
    first_child child = {0};
    clang_visitChildren(cursor, take_first, &child);
    CXCursor callee = child.found ? ast_callee(s->L, cursor, child.cursor) : clang_getNullCursor();
    CXString name = clang_getCursorSpelling(callee);
    const char *text = clang_getCString(name);
    const dl_builtin *row = text ? dl_builtin_find(s->L, text) : NULL;
    if (!row || row->touches)
        s->scan->touches = true;
    if (row && (row->lower == lower_number_binary || row->lower == lower_binary) &&
        row->a >= DL_DIV && row->a <= DL_FLOOR_DIV)
        s->scan->divides = true;
    clang_disposeString(name);
}

/* Notes what one node of a loop's body does: assign, break, return, divide, touch memory. What
 * it says too much costs a carried value that is dropped again; what it missed would be a wrong
 * loop. */
static enum CXChildVisitResult scan_one(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    scanner *s = data;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt: /* its breaks are its own */
        return scan_loop(s, cursor);
    case CXCursor_BreakStmt:
        if (!s->nested)
            s->scan->breaks = true;
        return CXChildVisit_Continue;
    case CXCursor_ReturnStmt:
        s->scan->returns = true;
        return CXChildVisit_Recurse;
    case CXCursor_CompoundAssignOperator: {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
        if (kind == CXBinaryOperator_DivAssign || kind == CXBinaryOperator_RemAssign)
            s->scan->divides = true;
        assigns_first(s, cursor);
        return CXChildVisit_Recurse;
    }
    case CXCursor_BinaryOperator: {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
        if (kind == CXBinaryOperator_Assign)
            assigns_first(s, cursor);
        if (kind == CXBinaryOperator_Div || kind == CXBinaryOperator_Rem)
            s->scan->divides = true;
        return CXChildVisit_Recurse;
    }
    case CXCursor_UnaryOperator:
        switch (clang_getCursorUnaryOperatorKind(cursor)) {
        case CXUnaryOperator_PostInc:
        case CXUnaryOperator_PostDec:
        case CXUnaryOperator_PreInc:
        case CXUnaryOperator_PreDec:
        case CXUnaryOperator_AddrOf: /* of a token, which a load sets */
            assigns_first(s, cursor);
            break;
        case CXUnaryOperator_Deref:
            s->scan->touches = true;
            break;
        default:
            break;
        }
        return CXChildVisit_Recurse;
    case CXCursor_ArraySubscriptExpr:
        s->scan->touches = true;
        return CXChildVisit_Recurse;
    case CXCursor_CallExpr:
        scan_call(s, cursor);
        return CXChildVisit_Recurse;
    case CXCursor_DeclRefExpr: {
        /* A module global is memory, whichever way it is named. */
        CXCursor decl = clang_getCursorReferenced(cursor);
        if (clang_getCursorKind(decl) == CXCursor_VarDecl &&
            clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_TranslationUnit &&
            !clang_isConstQualifiedType(clang_getCursorType(decl)))
            s->scan->touches = true;
        return CXChildVisit_Continue;
    }
    default:
        return CXChildVisit_Recurse;
    }
}

void ast_scan(dl *L, CXCursor cursor, dl_scan *scan)
{
    if (clang_Cursor_isNull(cursor))
        return;
    scanner s = {.L = L, .scan = scan};
    /* The cursor itself too, not only what is below it. */
    enum CXChildVisitResult result = scan_one(cursor, clang_getNullCursor(), &s);
    if (result == CXChildVisit_Recurse)
        clang_visitChildren(cursor, scan_one, &s);
}

void ast_scan_free(dl_scan *scan)
{
    arrfree(scan->assigned);
}

bool ast_is_harmless(dl *L, CXCursor expression)
{
    dl_scan scan = {0};
    ast_scan(L, expression, &scan);
    bool harmless =
        !scan.touches && !scan.divides && !scan.assigns_unknown && arrlen(scan.assigned) == 0;
    ast_scan_free(&scan);
    return harmless;
}

bool ast_contains_return(dl *L, CXCursor cursor)
{
    dl_scan scan = {0};
    ast_scan(L, cursor, &scan);
    bool returns = scan.returns;
    ast_scan_free(&scan);
    return returns;
}

bool ast_always_returns(dl *L, CXCursor statement)
{
    for (int depth = 0; depth < 64; depth++) {
        CXCursor *children;
        size_t n;
        switch (clang_getCursorKind(statement)) {
        case CXCursor_ReturnStmt:
            return true;
        case CXCursor_CompoundStmt:
            n = ast_children(L, statement, &children);
            if (n == 0)
                return false;
            statement = children[n - 1];
            break;
        case CXCursor_IfStmt:
            n = ast_children(L, statement, &children);
            if (n < 3 || !ast_always_returns(L, children[1]))
                return false;
            statement = children[2];
            break;
        default:
            return false;
        }
    }
    return false;
}
