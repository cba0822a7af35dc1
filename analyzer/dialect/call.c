/* Calls: of what tile.h declares, and of helpers, which are inlined. */
#include "dialect/lower.h"

#include <string.h>

#include "base/ds.h"

#define MAX_FRAMES 64 /* helpers that call helpers */

/* ---- What tile.h declares ---- */

static const dl_builtin builtins[] = {
#define PURE(name, function, a, b)   {name, function, a, b, false},
#define MEMORY(name, function, a, b) {name, function, a, b, true},
#include "dialect/builtins.def"
};

const dl_builtin *dl_builtin_find(dl *L, const char *name)
{
    if (!L->builtins)
        for (size_t i = 0; i < TR_COUNT(builtins); i++)
            shput(L->builtins, builtins[i].name, &builtins[i]);
    return shget(L->builtins, name);
}

static dl_value call_builtin(dl *L, CXCursor cursor, const dl_builtin *row)
{
    dl_args args = {.call = cursor, .row = row, .n = clang_Cursor_getNumArguments(cursor)};
    if (args.n > (int)TR_COUNT(args.arg))
        args.n = TR_COUNT(args.arg);
    for (int i = 0; i < args.n; i++)
        args.arg[i] = clang_Cursor_getArgument(cursor, (unsigned)i);
    for (int i = args.n; i < (int)TR_COUNT(args.arg); i++)
        args.arg[i] = clang_getNullCursor();
    dl_value value = row->lower(L, &args);
    L->at = cursor;
    L->placed = false;
    return value;
}

/* ---- Helpers ---- */

static bool may_inline(dl *L, CXCursor where, CXCursor function, const char *name)
{
    int depth = 0;
    for (const dl_frame *frame = L->frame; frame; frame = frame->caller, depth++)
        if (clang_equalCursors(frame->function, function)) {
            dl_fail(L, where, "Write a loop.", "%s calls itself; kernels have no recursion", name);
            return false;
        }
    if (depth >= MAX_FRAMES) {
        dl_fail(L, where, NULL, "helpers call helpers more than %d deep here", MAX_FRAMES);
        return false;
    }
    if (ast_has_annotation(L, function, "tile_kernel")) {
        dl_fail(L, where, "Move what both need to a helper function.",
                "%s is a kernel, which only the host starts", name);
        return false;
    }
    return true;
}

static bool bind_parameter(dl *L, CXCursor where, CXCursor parameter, dl_value value)
{
    dl_element element;
    dl_class class = dl_class_of(L, clang_getCursorType(parameter), &element);
    if (class == DL_CLASS_NONE) {
        dl_fail(L, parameter, "Pass numbers, pointers, tiles, views, tensors and tokens by value.",
                "a helper cannot take a parameter of this type");
        return false;
    }
    uint32_t number = dl_declare(L, parameter, class, element, dl_unset());
    L->vars[number].is_const = clang_isConstQualifiedType(clang_getCursorType(parameter));
    const char *name = value.kind == DL_VALUE && value.ir ? value.ir->name : NULL;
    bool named = value.kind == DL_VALUE && value.ir;
    dl_value bound = dl_assign(L, where, number, value);
    if (named && value.ir == bound.ir)
        value.ir->name = name; /* the caller's name for it stays */
    return bound.kind == DL_VALUE;
}

static dl_value run(dl *L, CXCursor where, CXCursor function, const char *name)
{
    CXCursor *children, *statements;
    size_t n_children = ast_children(L, function, &children);
    if (n_children == 0)
        return dl_poison();
    size_t n = ast_children(L, children[n_children - 1], &statements);
    L->frame->has_early_return = dl_has_early_return(L, statements, n);
    dl_flow flow = dl_statements(L, statements, n);
    const dl_frame *frame = L->frame;
    if (!frame->gives_value)
        return dl_void();
    dl_value value = L->vars[frame->result].now;
    if (value.kind == DL_UNSET || (value.kind == DL_VALUE && flow != DL_FLOW_RETURNED))
        return dl_fail(L, where, "Return a value on every path, outside of loops.",
                       "%s may end without a value", name);
    return value;
}

dl_value dl_inline(dl *L, CXCursor where, CXCursor function, size_t n, dl_value *args)
{
    const char *name = ast_spelling(L, function);
    CXCursor body = clang_getCursorDefinition(function);
    if (clang_Cursor_isNull(body))
        return dl_fail(L, where,
                       "Use what tile.h declares, or define the function in this file or a header.",
                       "%s has no body that could be inlined", name);
    if (!may_inline(L, where, body, name))
        return dl_poison();
    int n_params = clang_Cursor_getNumArguments(body);
    if (n_params < 0 || (size_t)n_params != n || clang_Cursor_isVariadic(body))
        return dl_fail(L, where, NULL, "%s takes another number of arguments", name);
    dl_frame frame = {
        .caller = L->frame,
        .function = body,
        .name = name,
        .call = ast_place(L, where),
        .outer_loop = L->loop,
    };
    CXType result = clang_getResultType(clang_getCursorType(body));
    frame.gives_value = clang_getCanonicalType(result).kind != CXType_Void;
    if (frame.gives_value) {
        frame.result_class = dl_class_of(L, result, &frame.result_element);
        if (frame.result_class == DL_CLASS_NONE)
            return dl_fail(L, body, NULL, "a helper cannot return a value of this type");
    }
    for (size_t i = 0; i < n; i++)
        if (!bind_parameter(L, where, clang_Cursor_getArgument(body, (unsigned)i), args[i]))
            return dl_poison();
    frame.returned = dl_hidden(L, "returned", dl_integer(L, IR_I1, true, 0));
    frame.result = dl_hidden(L, "result", dl_unset());
    L->vars[frame.result].class = frame.result_class;
    L->vars[frame.result].element = frame.result_element;
    L->frame = &frame;
    dl_value value = run(L, where, body, name);
    L->frame = frame.caller;
    L->at = where;
    L->placed = false;
    return value;
}

dl_value dl_call(dl *L, CXCursor cursor)
{
    CXCursor *children;
    size_t n_children = ast_children(L, cursor, &children);
    if (n_children == 0)
        return dl_poison();
    CXCursor function = ast_callee(L, cursor, children[0]);
    if (clang_Cursor_isNull(function) || clang_getCursorKind(function) != CXCursor_FunctionDecl)
        return dl_fail(L, cursor, "Call a function by its name.",
                       "it is not known which function is called here");
    CXString string = clang_getCursorSpelling(function);
    const char *text = clang_getCString(string);
    const dl_builtin *row = dl_builtin_find(L, text ? text : "");
    clang_disposeString(string);
    if (row)
        return call_builtin(L, cursor, row);
    int n = clang_Cursor_getNumArguments(cursor);
    dl_value *values = TR_NEW_ARRAY(L->scratch, dl_value, n > 0 ? n : 1);
    for (int i = 0; i < n; i++) {
        values[i] = dl_operand(L, clang_Cursor_getArgument(cursor, (unsigned)i));
        if (values[i].kind != DL_VALUE)
            return dl_poison();
    }
    return dl_inline(L, cursor, function, n > 0 ? (size_t)n : 0, values);
}
