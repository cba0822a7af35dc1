/* Expressions: numbers, names, operators. Calls are in call.c, assignments in assign.c. */
#include "dialect/lower.h"
#include "dialect/expr.h"

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

/* ---- Constants and names ---- */

/* The value of a constant expression; DL_UNSET where Clang cannot evaluate it. */
static dl_value evaluate(dl *L, CXCursor cursor, dl_element element)
{
    CXEvalResult result = element.type ? clang_Cursor_Evaluate(cursor) : NULL;
    if (!result)
        return dl_unset();
    dl_value value = dl_unset();
    switch (clang_EvalResult_getKind(result)) {
    case CXEval_Int: {
        int64_t integer = clang_EvalResult_isUnsignedInt(result)
                              ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                              : clang_EvalResult_getAsLongLong(result);
        value = dl_integer(L, IR_I64, element.is_unsigned, integer);
        value = dl_convert(L, value, element);
        break;
    }
    case CXEval_Float:
        value = dl_real(L, IR_F64, clang_EvalResult_getAsDouble(result));
        value = dl_convert(L, value, element);
        break;
    default:
        break;
    }
    clang_EvalResult_dispose(result);
    if (value.kind == DL_VALUE)
        value.fixed = true;
    return value;
}

static dl_value literal(dl *L, CXCursor cursor)
{
    dl_element element = dl_element_of(L, clang_getCursorType(cursor));
    dl_value value = evaluate(L, cursor, element);
    if (value.kind == DL_VALUE)
        return value;
    return dl_fail(L, cursor, NULL, "a constant of this type has no meaning here");
}

dl_value dl_read(dl *L, CXCursor where, uint32_t number)
{
    const dl_var *var = &L->vars[number];
    dl_value value = var->now;
    if (value.kind == DL_UNSET) {
        /* Once for each variable is enough. */
        dl_fail(L, where, "Give it a value where it is declared.", "%s may have no value here",
                var->name);
        L->vars[number].now = dl_poison();
        return dl_poison();
    }
    if (!var->is_const)
        value.fixed = false;
    value.number = var->class == DL_CLASS_NUMBER;
    return value;
}

static dl_value file_variable(dl *L, CXCursor where, CXCursor decl)
{
    CXType type = clang_getCursorType(decl);
    dl_element element = dl_element_of(L, type);
    CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
    if (element.type && clang_isConstQualifiedType(type) && !clang_Cursor_isNull(init)) {
        dl_value value = evaluate(L, init, element);
        if (value.kind == DL_VALUE)
            return value;
    }
    dl_value pointer = dl_global(L, where, decl);
    if (pointer.kind != DL_VALUE || !element.type)
        return pointer;
    return dl_load_scalar(L, where, pointer);
}

/* A name where a value is meant: a constant, a variable, or a global, which is loaded. */
static dl_value name(dl *L, CXCursor cursor)
{
    CXCursor decl = clang_getCursorReferenced(cursor);
    uint32_t number;
    switch (clang_getCursorKind(decl)) {
    case CXCursor_EnumConstantDecl: {
        dl_element element = dl_element_of(L, clang_getCursorType(cursor));
        if (!element.type)
            element = (dl_element){ir_type_scalar(L->module, IR_I32), false};
        dl_value value =
            dl_integer(L, IR_I64, element.is_unsigned, clang_getEnumConstantDeclValue(decl));
        value = dl_convert(L, value, element);
        value.fixed = true;
        return value;
    }
    case CXCursor_ParmDecl:
    case CXCursor_VarDecl:
        if (dl_find(L, decl, &number))
            return dl_read(L, cursor, number);
        if (clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_TranslationUnit)
            return file_variable(L, cursor, decl);
        return dl_poison(); /* its declaration was an error */
    case CXCursor_FunctionDecl:
        return dl_fail(L, cursor, "Call it, or hand it to tile_reduce or tile_scan.",
                       "a function cannot be used as a value here");
    default:
        return dl_fail(L, cursor, NULL, "this name means nothing in a kernel");
    }
}

/* ---- Operators ---- */

bool dl_arith_of(enum CXBinaryOperatorKind kind, dl_arith *op)
{
    static const struct {
        enum CXBinaryOperatorKind plain, assign;
        dl_arith op;
    } table[] = {
        {CXBinaryOperator_Add, CXBinaryOperator_AddAssign, DL_ADD},
        {CXBinaryOperator_Sub, CXBinaryOperator_SubAssign, DL_SUB},
        {CXBinaryOperator_Mul, CXBinaryOperator_MulAssign, DL_MUL},
        {CXBinaryOperator_Div, CXBinaryOperator_DivAssign, DL_DIV},
        {CXBinaryOperator_Rem, CXBinaryOperator_RemAssign, DL_REM},
        {CXBinaryOperator_And, CXBinaryOperator_AndAssign, DL_AND},
        {CXBinaryOperator_Or, CXBinaryOperator_OrAssign, DL_OR},
        {CXBinaryOperator_Xor, CXBinaryOperator_XorAssign, DL_XOR},
        {CXBinaryOperator_Shl, CXBinaryOperator_ShlAssign, DL_SHL},
        {CXBinaryOperator_Shr, CXBinaryOperator_ShrAssign, DL_SHR},
    };
    for (size_t i = 0; i < TR_COUNT(table); i++)
        if (table[i].plain == kind || table[i].assign == kind) {
            *op = table[i].op;
            return true;
        }
    return false;
}

static bool is_pointer_value(const dl_value *value)
{
    return value->kind == DL_VALUE && value->type->kind == IR_TILE &&
           value->type->elem->kind == IR_POINTER;
}

dl_value dl_apply(dl *L, CXCursor where, dl_arith op, dl_value a, dl_value b)
{
    at(L, where);
    if (a.kind != DL_VALUE || b.kind != DL_VALUE)
        return dl_poison();
    if (is_pointer_value(&a) || is_pointer_value(&b)) {
        if (is_pointer_value(&b) && op == DL_ADD)
            return dl_apply(L, where, op, b, a);
        if (is_pointer_value(&b) || (op != DL_ADD && op != DL_SUB))
            return dl_fail(L, where, "Add an offset to a pointer, or subtract one.",
                           "pointers have no such arithmetic here");
        return dl_offset(L, where, a, op == DL_SUB ? dl_negate(L, where, b) : b);
    }
    if (op == DL_SHL || op == DL_SHR) /* C: the result has the left side's type */
        b = dl_convert(L, b, (dl_element){a.type->elem, a.is_unsigned});
    return dl_binary(L, where, op, a, b);
}

static dl_value binary(dl *L, CXCursor cursor)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    ir_predicate predicate;
    dl_arith op;
    CXCursor *sides;
    if (kind == CXBinaryOperator_Assign)
        return dl_assignment(L, cursor);
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return dl_logic(L, cursor, kind == CXBinaryOperator_LAnd, false);
    if (dl_predicate_of(kind, &predicate))
        return dl_comparison(L, cursor, predicate, false);
    if (ast_children(L, cursor, &sides) != 2)
        return dl_poison();
    if (kind == CXBinaryOperator_Comma) {
        dl_expr(L, sides[0]);
        return dl_expr(L, sides[1]);
    }
    if (!dl_arith_of(kind, &op))
        return dl_fail(L, cursor, NULL, "this operator means nothing in a kernel");
    bool on_tiles = dl_is_tile_type(clang_getCursorType(cursor));
    dl_value a = on_tiles ? dl_operand(L, sides[0]) : dl_number(L, sides[0]);
    dl_value b = on_tiles ? dl_operand(L, sides[1]) : dl_number(L, sides[1]);
    return dl_apply(L, cursor, op, a, b);
}

/* A unary operator; ++ and -- also assign. */
static dl_value unary(dl *L, CXCursor cursor)
{
    CXCursor *child;
    if (ast_children(L, cursor, &child) != 1)
        return dl_poison();
    bool on_tiles = dl_is_tile_type(clang_getCursorType(cursor));
    dl_value value;
    switch (clang_getCursorUnaryOperatorKind(cursor)) {
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return on_tiles ? dl_operand(L, child[0]) : dl_number(L, child[0]);
    case CXUnaryOperator_Minus:
        value = on_tiles ? dl_operand(L, child[0]) : dl_number(L, child[0]);
        at(L, cursor);
        return dl_negate(L, cursor, value);
    case CXUnaryOperator_Not:
        if (on_tiles)
            return dl_fail(L, cursor, "tile_not(t) inverts bits and masks.",
                           "~ does not work on tiles");
        value = dl_number(L, child[0]);
        at(L, cursor);
        return dl_complement(L, cursor, value);
    case CXUnaryOperator_LNot:
        return dl_condition(L, child[0], true);
    case CXUnaryOperator_Deref:
        value = dl_operand(L, child[0]);
        return dl_load_scalar(L, cursor, value);
    case CXUnaryOperator_AddrOf:
        return dl_address(L, cursor, child[0]);
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return dl_increment(L, cursor, child[0]);
    default:
        return dl_fail(L, cursor, NULL, "this operator means nothing in a kernel");
    }
}

/* ---- Casts and choices ---- */

static dl_value cast_to(dl *L, CXCursor cursor, dl_value value)
{
    CXType type = clang_getCursorType(cursor);
    if (value.kind != DL_VALUE)
        return value;
    dl_element element = dl_element_of(L, type);
    if (!element.type)
        return value;
    at(L, cursor);
    return dl_to_number(L, cursor, value, element);
}

static dl_value implicit(dl *L, CXCursor cursor)
{
    CXCursor *child;
    if (ast_children(L, cursor, &child) != 1)
        return dl_fail(L, cursor, NULL, "this expression means nothing in a kernel");
    return cast_to(L, cursor, dl_expr(L, child[0]));
}

static dl_value pointer_cast(dl *L, CXCursor cursor, dl_value value)
{
    dl_element element;
    CXType type = clang_getCursorType(cursor);
    if (dl_class_of(L, type, &element) != DL_CLASS_POINTER || value.kind != DL_VALUE)
        return value;
    if (!is_pointer_value(&value))
        return dl_fail(L, cursor, "tile_int_to_ptr(integer, type) makes a pointer of a number.",
                       "only a pointer can be cast to a pointer");
    value.read_only = clang_isConstQualifiedType(clang_getPointeeType(type));
    value.is_unsigned = element.is_unsigned;
    if (value.type->elem->elem == element.type)
        return value;
    at(L, cursor);
    const ir_type *wanted = dl_tile_type(L, ir_type_pointer(L->module, element.type), 0, NULL);
    value.ir = dl_emit(L, IR_OP_PTR_TO_PTR, wanted, 1, &value.ir);
    value.type = wanted;
    return value;
}

static dl_value explicit_cast(dl *L, CXCursor cursor)
{
    CXCursor *children;
    size_t n = ast_children(L, cursor, &children);
    if (n == 0)
        return dl_poison();
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    dl_value value = dl_expr(L, children[n - 1]);
    if (type.kind == CXType_Void)
        return value.kind == DL_POISON ? value : dl_void();
    if (type.kind == CXType_Pointer)
        return pointer_cast(L, cursor, value);
    if (type.kind == CXType_Complex && value.kind == DL_VALUE)
        value.number = false;
    return cast_to(L, cursor, value);
}

static dl_value as_type_of(dl *L, CXCursor cursor, CXCursor child)
{
    dl_value value = dl_operand(L, child);
    return cast_to(L, cursor, value);
}

static dl_value choose(dl *L, CXCursor cursor, dl_value condition, dl_value yes, dl_value no)
{
    at(L, cursor);
    if (yes.kind != DL_VALUE || no.kind != DL_VALUE)
        return dl_poison();
    if (is_pointer_value(&yes) || is_pointer_value(&no))
        return dl_select_pointers(L, cursor, condition, yes, no);
    if (yes.type->kind != IR_TILE || no.type->kind != IR_TILE)
        return dl_fail(L, cursor, "Choose the pointer and make the view of it, or choose indices.",
                       "?: cannot choose between views, tensors or tokens");
    return dl_select(L, cursor, condition, yes, no);
}

/* `c ? a : b`. A known condition lowers one arm. Arms without effects are both computed, and select
 * chooses element by element; others become a branch, so that only one of them is evaluated. */
static dl_value conditional(dl *L, CXCursor cursor)
{
    CXCursor *parts;
    if (ast_children(L, cursor, &parts) != 3)
        return dl_fail(L, cursor, "Write out all three parts of ?:.",
                       "this expression means nothing in a kernel");
    dl_value condition = dl_condition(L, parts[0], false);
    if (condition.kind == DL_VALUE && condition.constant)
        return as_type_of(L, cursor, parts[condition.integer ? 1 : 2]);
    if (condition.kind != DL_VALUE ||
        (ast_is_harmless(L, parts[1]) && ast_is_harmless(L, parts[2]))) {
        dl_value yes = as_type_of(L, cursor, parts[1]), no = as_type_of(L, cursor, parts[2]);
        return condition.kind == DL_VALUE ? choose(L, cursor, condition, yes, no) : dl_poison();
    }
    ir_block *outside = L->b.block;
    dl_branch arms[2];
    dl_value values[2];
    for (int i = 0; i < 2; i++) {
        dl_branch_open(L, &arms[i]);
        values[i] = as_type_of(L, cursor, parts[1 + i]);
        if (values[i].kind == DL_VALUE && !values[i].ir)
            values[i].ir = dl_ir(L, &values[i]);
        dl_branch_close(L, &arms[i]);
        L->b.block = outside;
    }
    bool fits = values[0].kind == DL_VALUE && values[1].kind == DL_VALUE;
    if (fits && (values[0].type != values[1].type || values[0].type->kind != IR_TILE)) {
        dl_fail(L, cursor, "Give both arms one shape and element type.",
                "the arms of ?: are %s and %s", dl_type_text(L, values[0].type),
                dl_type_text(L, values[1].type));
        fits = false;
    }
    dl_value result = dl_poison();
    dl_branch_merge(L, cursor, dl_ir(L, &condition), &arms[0], &arms[1], &values[0], &values[1],
                    fits ? &result : NULL);
    return result;
}

/* _Generic as a value: libclang shows all its arms. */
static dl_value selection(dl *L, CXCursor cursor)
{
    CXType type = clang_getCursorType(cursor);
    dl_value value = evaluate(L, cursor, dl_element_of(L, type));
    if (value.kind == DL_VALUE)
        return value;
    CXCursor *arms, found = clang_getNullCursor();
    size_t n = ast_children(L, cursor, &arms), count = 0;
    for (size_t i = 1; i < n; i++)
        if (clang_isExpression(clang_getCursorKind(arms[i])) &&
            clang_equalTypes(clang_getCanonicalType(clang_getCursorType(arms[i])),
                             clang_getCanonicalType(type))) {
            found = arms[i];
            count++;
        }
    if (count == 1)
        return dl_expr(L, found);
    return dl_fail(L, cursor, "Use a macro argument or a helper function for each type.",
                   "it is not known which arm of _Generic is used here");
}

/* ---- The walk ---- */

/* Which function lowers which kind of expression. */
static dl_value lower_kind(dl *L, CXCursor cursor)
{
    CXCursor *children;
    dl_value pointer;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_UnaryExpr: /* sizeof, alignof */
        return literal(L, cursor);
    case CXCursor_DeclRefExpr:
        return name(L, cursor);
    case CXCursor_UnexposedExpr:
        return implicit(L, cursor);
    case CXCursor_ParenExpr:
        return ast_children(L, cursor, &children) == 1 ? dl_expr(L, children[0]) : dl_poison();
    case CXCursor_CStyleCastExpr:
        return explicit_cast(L, cursor);
    case CXCursor_BinaryOperator:
        return binary(L, cursor);
    case CXCursor_CompoundAssignOperator:
        return dl_compound_assignment(L, cursor);
    case CXCursor_UnaryOperator:
        return unary(L, cursor);
    case CXCursor_ConditionalOperator:
        return conditional(L, cursor);
    case CXCursor_ArraySubscriptExpr:
        pointer = dl_element_pointer(L, cursor);
        return dl_load_scalar(L, cursor, pointer);
    case CXCursor_CallExpr:
        return dl_call(L, cursor);
    case CXCursor_GenericSelectionExpr:
        return selection(L, cursor);
    case CXCursor_StmtExpr:
        return dl_fail(L, cursor, "Write a helper function.",
                       "a statement inside an expression means nothing in a kernel");
    case CXCursor_StringLiteral:
        return dl_fail(L, cursor, NULL, "a kernel has no strings");
    default:
        return dl_fail(L, cursor, NULL, "this expression means nothing in a kernel");
    }
}

dl_value dl_expr(dl *L, CXCursor cursor)
{
    if (L->stop)
        return dl_poison();
    if (++L->depth > DL_MAX_DEPTH) {
        L->depth--;
        return dl_fail(L, cursor, "Compute parts of it into variables first.",
                       "this nests too deep");
    }
    at(L, cursor);
    dl_value value = lower_kind(L, cursor);
    L->depth--;
    return value;
}

dl_value dl_operand(dl *L, CXCursor cursor)
{
    dl_value value = dl_expr(L, cursor);
    if (value.kind == DL_VOID)
        return dl_fail(L, cursor, NULL, "this gives no value");
    if (value.kind == DL_UNSET)
        return dl_fail(L, cursor, NULL, "this may give no value");
    return value;
}

dl_value dl_tile_operand(dl *L, CXCursor cursor)
{
    dl_value value = dl_operand(L, cursor);
    if (value.kind == DL_VALUE && value.type->kind != IR_TILE)
        return dl_fail(L, cursor, NULL, "this is no tile");
    return value;
}

dl_value dl_number(dl *L, CXCursor cursor)
{
    dl_value value = dl_operand(L, cursor);
    dl_element element = dl_element_of(L, clang_getCursorType(cursor));
    if (value.kind != DL_VALUE || !element.type)
        return value;
    return dl_to_number(L, cursor, value, element);
}

/* ---- Constants that the dialect asks for ---- */

bool dl_constant(dl *L, CXCursor cursor, const char *what, int64_t low, int64_t high,
                 int64_t *value)
{
    CXCursor inner = ast_strip(L, cursor);
    dl_value v = dl_operand(L, inner);
    if (v.kind != DL_VALUE)
        return false;
    if (!v.constant || !v.fixed || v.type->kind != IR_TILE || !ir_type_is_int(v.type->elem)) {
        dl_fail(L, cursor, "Use a literal, an enum constant, constexpr, const or a macro.",
                "%s must be a constant integer", what);
        return false;
    }
    bool beyond = v.is_unsigned && v.integer < 0; /* 2^63 or more */
    if (beyond || v.integer < low || v.integer > high) {
        if (high == INT64_MAX)
            dl_fail(L, cursor, NULL, "%s must be at least %lld", what, (long long)low);
        else
            dl_fail(L, cursor, NULL, "%s must be %lld to %lld", what, (long long)low,
                    (long long)high);
        return false;
    }
    *value = v.integer;
    return true;
}

bool dl_constant_list(dl *L, CXCursor argument, const char *what, int64_t low, int64_t high,
                      int64_t *values, int *n)
{
    CXCursor *items;
    size_t count;
    *n = 0;
    if (!ast_list(L, argument, &items, &count))
        return false;
    if (count > IR_MAX_RANK) {
        dl_fail(L, argument, NULL, "there may be at most %d dimensions, not %zu", IR_MAX_RANK,
                count);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!dl_constant(L, items[i], what, low, high, &values[i]))
            return false;
    *n = (int)count;
    return true;
}
