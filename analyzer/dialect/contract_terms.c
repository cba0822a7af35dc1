/* C expressions of contract statements as terms over mathematical integers. Nothing wraps in them
 * and no type has a width, because a contract speaks of what the host knows. */
#include "dialect/contract_terms.h"

typedef struct binding { /* a helper's parameter while its body is read */
    CXCursor parameter;
    smt_t term;
    struct binding *outer;
} binding;

typedef struct reading {
    dl *L;
    bool contents; /* tile_value() and tile_index() mean something */
    binding *bound;
    int depth;
} reading;

static smt_t read_term(reading *r, CXCursor cursor);

static smt_t refuse(reading *r, CXCursor where, const char *hint, const char *text)
{
    dl_fail(r->L, where, hint, "%s", text);
    return NULL;
}

static smt_t as_int(reading *r, smt_t term)
{
    smt_ctx *ctx = r->L->ctx;
    if (!term || !smt_is_bool(term))
        return term;
    return smt_ite(ctx, term, smt_int_const(ctx, 1), smt_int_const(ctx, 0));
}

static smt_t as_bool(reading *r, smt_t term)
{
    if (!term || smt_is_bool(term))
        return term;
    return smt_ne(r->L->ctx, term, smt_int_const(r->L->ctx, 0));
}

static smt_t read_int(reading *r, CXCursor cursor)
{
    return as_int(r, read_term(r, cursor));
}

static smt_t read_bool(reading *r, CXCursor cursor)
{
    return as_bool(r, read_term(r, cursor));
}

static smt_t evaluate(reading *r, CXCursor cursor)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    smt_t term = NULL;
    if (result && clang_EvalResult_getKind(result) == CXEval_Int)
        term = smt_int_const(r->L->ctx, clang_EvalResult_isUnsignedInt(result)
                                            ? (smt_int)clang_EvalResult_getAsUnsigned(result)
                                            : (smt_int)clang_EvalResult_getAsLongLong(result));
    if (result)
        clang_EvalResult_dispose(result);
    return term ? term : refuse(r, cursor, NULL, "a contract can use only integers and conditions");
}

static smt_t read_name(reading *r, CXCursor cursor)
{
    dl *L = r->L;
    CXCursor decl = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(decl);
    uint32_t var;
    if (kind == CXCursor_EnumConstantDecl)
        return smt_int_const(L->ctx, clang_getEnumConstantDeclValue(decl));
    for (binding *b = r->bound; b; b = b->outer)
        if (clang_equalCursors(b->parameter, decl))
            return b->term;
    if (kind == CXCursor_ParmDecl && dl_find(L, decl, &var) && var < L->contract->n_args) {
        if (L->contract->args[var].kind != CONTRACT_SCALAR)
            return refuse(r, cursor, NULL, "a contract can use only integer parameters");
        return contract_param(L->ctx, L->contract, var);
    }
    CXCursor init =
        kind == CXCursor_VarDecl ? clang_Cursor_getVarDeclInitializer(decl) : clang_getNullCursor();
    if (!clang_Cursor_isNull(init) && clang_isConstQualifiedType(clang_getCursorType(decl)))
        return read_term(r, init);
    return refuse(r, cursor, "Use parameters, constants, and const locals made of them.",
                  "a contract may only name what the host knows");
}

/* Division and remainder are C's, towards 0. Shifts and masks are read where they mean a product, a
 * quotient or a remainder. */
static smt_t read_binary(reading *r, CXCursor cursor)
{
    smt_ctx *ctx = r->L->ctx;
    CXCursor *sides;
    if (ast_children(r->L, cursor, &sides) != 2)
        return NULL;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr) {
        smt_t a = read_bool(r, sides[0]), b = read_bool(r, sides[1]);
        if (!a || !b)
            return NULL;
        return kind == CXBinaryOperator_LAnd ? smt_and(ctx, a, b) : smt_or(ctx, a, b);
    }
    smt_t a = read_int(r, sides[0]), b = read_int(r, sides[1]);
    smt_int mask;
    if (!a || !b)
        return NULL;
    switch (kind) {
    case CXBinaryOperator_Add:
        return smt_add(ctx, a, b);
    case CXBinaryOperator_Sub:
        return smt_sub(ctx, a, b);
    case CXBinaryOperator_Mul:
        return smt_mul(ctx, a, b);
    case CXBinaryOperator_Div:
        return smt_div_trunc(ctx, a, b);
    case CXBinaryOperator_Rem:
        return smt_rem_trunc(ctx, a, b);
    case CXBinaryOperator_LT:
        return smt_lt(ctx, a, b);
    case CXBinaryOperator_LE:
        return smt_le(ctx, a, b);
    case CXBinaryOperator_GT:
        return smt_gt(ctx, a, b);
    case CXBinaryOperator_GE:
        return smt_ge(ctx, a, b);
    case CXBinaryOperator_EQ:
        return smt_eq(ctx, a, b);
    case CXBinaryOperator_NE:
        return smt_ne(ctx, a, b);
    case CXBinaryOperator_Shl:
        if (smt_is_const(b, &mask) && mask >= 0 && mask < 63)
            return smt_scale(ctx, a, (smt_int)1 << mask);
        break;
    case CXBinaryOperator_Shr:
        if (smt_is_const(b, &mask) && mask >= 0 && mask < 63)
            return smt_div_floor(ctx, a, smt_int_const(ctx, (smt_int)1 << mask));
        break;
    case CXBinaryOperator_And: /* the low bits: the same for negative numbers in two's complement */
        if (smt_is_const(b, &mask) && mask >= 0 && (mask & (mask + 1)) == 0)
            return smt_mod(ctx, a, smt_int_const(ctx, mask + 1));
        break;
    default:
        break;
    }
    return refuse(r, cursor, "Use + - * / %, comparisons, && || !, and shifts by constants.",
                  "a contract cannot use this operator");
}

static smt_t read_unary(reading *r, CXCursor cursor)
{
    CXCursor *child;
    if (ast_children(r->L, cursor, &child) != 1)
        return NULL;
    smt_t a;
    switch (clang_getCursorUnaryOperatorKind(cursor)) {
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return read_int(r, child[0]);
    case CXUnaryOperator_Minus:
        a = read_int(r, child[0]);
        return a ? smt_neg(r->L->ctx, a) : NULL;
    case CXUnaryOperator_LNot:
        a = read_bool(r, child[0]);
        return a ? smt_not(r->L->ctx, a) : NULL;
    default:
        return refuse(r, cursor, NULL, "a contract cannot use this operator");
    }
}

static smt_t read_conditional(reading *r, CXCursor cursor)
{
    CXCursor *parts;
    if (ast_children(r->L, cursor, &parts) != 3)
        return NULL;
    smt_t condition = read_bool(r, parts[0]);
    smt_t yes = read_int(r, parts[1]), no = read_int(r, parts[2]);
    return condition && yes && no ? smt_ite(r->L->ctx, condition, yes, no) : NULL;
}

/* A helper whose body is one return statement. */
static smt_t read_helper(reading *r, CXCursor call, CXCursor function)
{
    dl *L = r->L;
    CXCursor body = clang_getCursorDefinition(function), *children, *statements, *result;
    size_t n = clang_Cursor_isNull(body) ? 0 : ast_children(L, body, &children);
    if (n == 0 || ast_children(L, children[n - 1], &statements) != 1 ||
        clang_getCursorKind(statements[0]) != CXCursor_ReturnStmt ||
        ast_children(L, statements[0], &result) != 1)
        return refuse(r, call, "Write the expression out, or use a helper that only returns it.",
                      "a contract cannot call this function");
    binding *outer = r->bound, *inner = NULL;
    int n_args = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < n_args; i++) {
        binding *b = TR_NEW(L->scratch, binding);
        b->parameter = clang_Cursor_getArgument(body, (unsigned)i);
        b->term = read_int(r, clang_Cursor_getArgument(call, (unsigned)i));
        b->outer = inner;
        if (!b->term)
            return NULL;
        inner = b;
    }
    r->bound = inner;
    smt_t term = read_term(r, result[0]);
    r->bound = outer;
    return term;
}

/* tile_cdiv, tile_min and tile_max, an extent of the grid, helpers of the user's, and inside facts
 * about contents the value and the index. */
static smt_t read_call(reading *r, CXCursor cursor)
{
    dl *L = r->L;
    CXCursor *children;
    if (ast_children(L, cursor, &children) == 0)
        return NULL;
    CXCursor function = ast_callee(L, cursor, children[0]);
    const dl_builtin *row = dl_builtin_find(L, ast_spelling(L, function));
    if (!row)
        return read_helper(r, cursor, function);
    if (row->lower == lower_number_binary) {
        smt_t a = read_int(r, clang_Cursor_getArgument(cursor, 0));
        smt_t b = read_int(r, clang_Cursor_getArgument(cursor, 1));
        if (!a || !b)
            return NULL;
        return row->a == DL_MIN   ? smt_min(L->ctx, a, b)
               : row->a == DL_MAX ? smt_max(L->ctx, a, b)
                                  : smt_div_ceil(L->ctx, a, b);
    }
    if (row->lower == lower_block_number && row->a == IR_OP_GET_NUM_TILE_BLOCKS) {
        int64_t axis;
        CXCursor argument = clang_Cursor_getArgument(cursor, 0);
        return dl_constant(L, argument, "the axis", 0, 2, &axis) ? contract_grid(L->ctx, (int)axis)
                                                                 : NULL;
    }
    if (r->contents && row->lower == lower_contract && row->a == DL_STATE_VALUE)
        return contract_value(L->ctx);
    if (r->contents && row->lower == lower_contract && row->a == DL_STATE_INDEX)
        return contract_index(L->ctx);
    return refuse(r, cursor, "tile_cdiv, tile_min, tile_max and tile_grid_extent may be used.",
                  "a contract cannot call this function");
}

/* The term of an expression without brackets and casts that Clang adds. NULL: an error was
 * reported. */
static smt_t read_kind(reading *r, CXCursor cursor)
{
    CXCursor *children;
    const ir_type *element;
    size_t n;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_UnaryExpr:
        return evaluate(r, cursor);
    case CXCursor_CStyleCastExpr: /* of integers: contracts know no widths */
        element = dl_element_of(r->L, clang_getCursorType(cursor)).type;
        if (!element || !ir_type_is_int(element))
            return refuse(r, cursor, NULL, "a contract can use only integers and conditions");
        n = ast_children(r->L, cursor, &children);
        return n ? read_term(r, children[n - 1]) : NULL;
    case CXCursor_DeclRefExpr:
        return read_name(r, cursor);
    case CXCursor_BinaryOperator:
        return read_binary(r, cursor);
    case CXCursor_UnaryOperator:
        return read_unary(r, cursor);
    case CXCursor_ConditionalOperator:
        return read_conditional(r, cursor);
    case CXCursor_CallExpr:
        return read_call(r, cursor);
    default:
        return refuse(r, cursor, NULL, "a contract cannot use this expression");
    }
}

static smt_t read_term(reading *r, CXCursor cursor)
{
    if (++r->depth > 300) {
        r->depth--;
        return refuse(r, cursor, "Split it.", "this nests too deep");
    }
    smt_t term = read_kind(r, ast_strip(r->L, cursor));
    r->depth--;
    return term;
}

smt_t dl_int_term(dl *L, CXCursor cursor, bool contents)
{
    reading r = {.L = L, .contents = contents};
    return read_int(&r, cursor);
}

smt_t dl_bool_term(dl *L, CXCursor cursor, bool contents)
{
    reading r = {.L = L, .contents = contents};
    return read_bool(&r, cursor);
}
