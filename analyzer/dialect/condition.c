/* Conditions: comparisons and logic, each lowered negated where that is what is asked for. */
#include "dialect/lower.h"
#include "dialect/expr.h"

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

bool dl_predicate_of(enum CXBinaryOperatorKind kind, ir_predicate *predicate)
{
    switch (kind) {
    case CXBinaryOperator_LT:
        *predicate = IR_LT;
        return true;
    case CXBinaryOperator_GT:
        *predicate = IR_GT;
        return true;
    case CXBinaryOperator_LE:
        *predicate = IR_LE;
        return true;
    case CXBinaryOperator_GE:
        *predicate = IR_GE;
        return true;
    case CXBinaryOperator_EQ:
        *predicate = IR_EQ;
        return true;
    case CXBinaryOperator_NE:
        *predicate = IR_NE;
        return true;
    default:
        return false;
    }
}

dl_value dl_comparison(dl *L, CXCursor cursor, ir_predicate predicate, bool negated)
{
    static const ir_predicate inverse[] = {IR_NE, IR_EQ, IR_GE, IR_GT, IR_LE, IR_LT};
    CXCursor *sides;
    if (ast_children(L, cursor, &sides) != 2)
        return dl_poison();
    dl_value a = dl_number(L, sides[0]), b = dl_number(L, sides[1]);
    if (a.kind != DL_VALUE || b.kind != DL_VALUE)
        return dl_poison();
    if (a.type->kind != IR_TILE || a.type->elem->kind == IR_POINTER || b.type->kind != IR_TILE ||
        b.type->elem->kind == IR_POINTER)
        return dl_fail(L, cursor, NULL, "only numbers can be compared");
    if (a.type->rank != 0 || b.type->rank != 0)
        return dl_fail(L, cursor,
                       "tile_eq, tile_ne, tile_lt and their like give a mask for every element.",
                       "tiles cannot be compared with an operator");
    at(L, cursor);
    bool invert = negated && ir_type_is_int(a.type->elem) && ir_type_is_int(b.type->elem);
    dl_value value = dl_compare(L, cursor, invert ? inverse[predicate] : predicate, a, b);
    if (value.kind == DL_VALUE)
        value.number = true;
    return negated && !invert ? dl_not(L, value) : value;
}

/* a && b, a || b and their negations: the right side is lowered into a branch when asking it for
 * nothing could do harm. */
dl_value dl_logic(dl *L, CXCursor cursor, bool is_and, bool negated)
{
    CXCursor *sides;
    if (ast_children(L, cursor, &sides) != 2)
        return dl_poison();
    if (negated)
        is_and = !is_and; /* not (a and b) is (not a) or (not b) */
    dl_value a = dl_condition(L, sides[0], negated);
    if (a.kind == DL_VALUE && a.constant) {
        if ((a.integer != 0) != is_and)
            return a;
        return dl_condition(L, sides[1], negated);
    }
    if (a.kind != DL_VALUE || ast_is_harmless(L, sides[1])) {
        dl_value b = dl_condition(L, sides[1], negated);
        at(L, cursor);
        if (a.kind != DL_VALUE || b.kind != DL_VALUE)
            return dl_poison();
        return dl_binary(L, cursor, is_and ? DL_AND : DL_OR, a, b);
    }
    ir_block *outside = L->b.block;
    dl_branch ask, skip;
    dl_branch_open(L, &ask);
    dl_value b = dl_condition(L, sides[1], negated);
    dl_branch_close(L, &ask);
    L->b.block = outside;
    dl_branch_open(L, &skip);
    dl_value known = dl_integer(L, IR_I1, true, !is_and);
    dl_branch_close(L, &skip);
    L->b.block = outside;
    if (b.kind != DL_VALUE)
        b = dl_integer(L, IR_I1, true, 0);
    dl_value result;
    if (is_and)
        dl_branch_merge(L, cursor, dl_ir(L, &a), &ask, &skip, &b, &known, &result);
    else
        dl_branch_merge(L, cursor, dl_ir(L, &a), &skip, &ask, &known, &b, &result);
    result.number = true;
    return result;
}

dl_value dl_condition(dl *L, CXCursor cursor, bool negated)
{
    CXCursor inner = ast_strip(L, cursor), *children;
    enum CXCursorKind kind = clang_getCursorKind(inner);
    if (kind == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_LNot &&
        ast_children(L, inner, &children) == 1)
        return dl_condition(L, children[0], !negated);
    if (kind == CXCursor_BinaryOperator) {
        enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(inner);
        ir_predicate predicate;
        if (dl_predicate_of(op, &predicate))
            return dl_comparison(L, inner, predicate, negated);
        if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
            if (++L->depth > DL_MAX_DEPTH) {
                L->depth--;
                return dl_fail(L, cursor, "Compute parts of it into variables first.",
                               "this nests too deep");
            }
            dl_value value = dl_logic(L, inner, op == CXBinaryOperator_LAnd, negated);
            L->depth--;
            return value;
        }
    }
    dl_value value = dl_operand(L, cursor);
    at(L, cursor);
    bool plain_int = value.kind == DL_VALUE && value.type->kind == IR_TILE &&
                     value.type->rank == 0 && ir_type_is_int(value.type->elem) &&
                     value.type->elem->kind != IR_I1;
    if (negated && plain_int) {
        dl_value zero = dl_integer(L, value.type->elem->kind, value.is_unsigned, 0);
        value = dl_compare(L, cursor, IR_EQ, value, zero);
        value.number = true;
        return value;
    }
    value = dl_to_bool(L, cursor, value);
    return negated ? dl_not(L, value) : value;
}
