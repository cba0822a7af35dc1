/* Assignments, to variables and to memory. */
#include "dialect/lower.h"
#include "dialect/expr.h"

typedef struct place_of_value { /* what C calls an lvalue */
    bool ok, is_memory;
    uint32_t var;
    dl_value pointer;
} place_of_value;

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

dl_value dl_element_pointer(dl *L, CXCursor subscript)
{
    CXCursor *sides;
    if (ast_children(L, subscript, &sides) != 2)
        return dl_poison();
    dl_value base = dl_operand(L, sides[0]), index = dl_number(L, sides[1]);
    if (base.kind == DL_VALUE && base.number) { /* i[p] */
        dl_value swapped = base;
        base = index;
        index = swapped;
    }
    if (base.kind != DL_VALUE || index.kind != DL_VALUE)
        return dl_poison();
    if (base.type->kind != IR_TILE || base.type->elem->kind != IR_POINTER || base.type->rank != 0)
        return dl_fail(L, subscript,
                       "tile_extract takes a part of a tile, tile_load one of a view.",
                       "only pointers have elements by []");
    at(L, subscript);
    return dl_offset(L, subscript, base, index);
}

dl_value dl_address(dl *L, CXCursor cursor, CXCursor target)
{
    CXCursor inner = ast_strip(L, target), *child;
    switch (clang_getCursorKind(inner)) {
    case CXCursor_ArraySubscriptExpr:
        return dl_element_pointer(L, inner);
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref &&
            ast_children(L, inner, &child) == 1)
            return dl_operand(L, child[0]);
        break;
    case CXCursor_DeclRefExpr: {
        CXCursor decl = clang_getCursorReferenced(inner);
        uint32_t var;
        if (clang_getCursorKind(decl) == CXCursor_VarDecl && !dl_find(L, decl, &var) &&
            clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_TranslationUnit)
            return dl_global(L, cursor, decl);
        break;
    }
    default:
        break;
    }
    return dl_fail(L, cursor,
                   "Return it from a helper, or assign to it; only the token of a _tko load is "
                   "passed by its address.",
                   "locals have no address in a kernel");
}

/* Where the left side of an assignment is: a variable of the kernel, or memory. What is not ok has
 * been reported. */
static place_of_value place_to_assign(dl *L, CXCursor cursor)
{
    place_of_value place = {0};
    CXCursor inner = ast_strip(L, cursor), *child;
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr: {
        CXCursor decl = clang_getCursorReferenced(inner);
        if (dl_find(L, decl, &place.var)) {
            place.ok = true;
        } else if (clang_getCursorKind(clang_getCursorSemanticParent(decl)) ==
                   CXCursor_TranslationUnit) {
            place.is_memory = true;
            place.pointer = dl_global(L, cursor, decl);
        }
        break;
    }
    case CXCursor_ArraySubscriptExpr:
        place.is_memory = true;
        place.pointer = dl_element_pointer(L, inner);
        break;
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref &&
            ast_children(L, inner, &child) == 1) {
            place.is_memory = true;
            place.pointer = dl_operand(L, child[0]);
            break;
        }
        dl_fail(L, cursor, NULL, "this cannot be assigned to in a kernel");
        break;
    default:
        dl_fail(L, cursor, NULL, "this cannot be assigned to in a kernel");
    }
    if (place.is_memory)
        place.ok = place.pointer.kind == DL_VALUE;
    return place;
}

static const char *class_name(dl_class class)
{
    static const char *const names[] = {
        [DL_CLASS_NONE] = "nothing",  [DL_CLASS_NUMBER] = "a number",
        [DL_CLASS_TILE] = "a tile",   [DL_CLASS_POINTER] = "a pointer",
        [DL_CLASS_TOKEN] = "a token", [DL_CLASS_TENSOR] = "a tensor",
        [DL_CLASS_VIEW] = "a view",
    };
    return names[class];
}

static bool fits_class(const dl_var *var, const dl_value *value)
{
    const ir_type *type = value->type;
    bool pointer = type->kind == IR_TILE && type->elem->kind == IR_POINTER;
    switch (var->class) {
    case DL_CLASS_TILE:
        return type->kind == IR_TILE;
    case DL_CLASS_POINTER:
        return pointer && type->rank == 0 && type->elem->elem == var->element.type;
    case DL_CLASS_TOKEN:
        return type->kind == IR_TOKEN;
    case DL_CLASS_TENSOR:
        return type->kind == IR_TENSOR_VIEW;
    case DL_CLASS_VIEW:
        return ir_type_is_tile_view(type);
    default:
        return false;
    }
}

dl_value dl_assign(dl *L, CXCursor where, uint32_t number, dl_value value)
{
    const dl_var *var = &L->vars[number];
    if (var->no_assign)
        return dl_fail(L, where, "Declare a pointer of your own: `float *row = src + i * n;`.",
                       "%s, a pointer that the host passes, cannot change", var->name);
    if (value.kind == DL_VALUE && var->class == DL_CLASS_NUMBER) {
        at(L, where);
        value = dl_to_number(L, where, value, var->element);
    } else if (value.kind == DL_VALUE && !fits_class(var, &value)) {
        value =
            dl_fail(L, where,
                    var->class == DL_CLASS_TOKEN ? "make_token() is ordered after nothing." : NULL,
                    "%s is %s, but this value is not", var->name, class_name(var->class));
    } else if (value.kind == DL_VALUE) {
        value.number = false;
    }
    if (value.kind == DL_VALUE && value.ir && !value.ir->name && !value.ir->block)
        value.ir->name = var->name;
    dl_set(L, number, value.kind == DL_VALUE ? value : dl_poison());
    return value;
}

static dl_value put(dl *L, CXCursor where, const place_of_value *place, dl_value value)
{
    if (!place->ok)
        return dl_poison();
    if (place->is_memory)
        return dl_store_scalar(L, where, place->pointer, value);
    return dl_assign(L, where, place->var, value);
}

dl_value dl_assignment(dl *L, CXCursor cursor)
{
    CXCursor *sides;
    if (ast_children(L, cursor, &sides) != 2)
        return dl_poison();
    dl_value value = dl_operand(L, sides[1]);
    place_of_value place = place_to_assign(L, sides[0]);
    return put(L, cursor, &place, value);
}

static dl_value present(dl *L, CXCursor where, const place_of_value *place)
{
    if (!place->ok)
        return dl_poison();
    return place->is_memory ? dl_load_scalar(L, where, place->pointer)
                            : dl_read(L, where, place->var);
}

dl_value dl_compound_assignment(dl *L, CXCursor cursor)
{
    CXCursor *sides;
    dl_arith op;
    if (ast_children(L, cursor, &sides) != 2 ||
        !dl_arith_of(clang_getCursorBinaryOperatorKind(cursor), &op))
        return dl_poison();
    bool on_tiles = dl_is_tile_type(clang_getCursorType(cursor));
    dl_value b = on_tiles ? dl_operand(L, sides[1]) : dl_number(L, sides[1]);
    place_of_value place = place_to_assign(L, sides[0]);
    dl_value a = present(L, cursor, &place);
    if (a.kind == DL_VALUE && b.kind == DL_VALUE && a.number && b.number) {
        /* C computes in the common type of both sides, which Clang gave the right one. */
        dl_element common = {b.type->elem, b.is_unsigned};
        bool shift = op == DL_SHL || op == DL_SHR;
        if (shift && ir_type_bits(a.type->elem) < 32)
            common = (dl_element){ir_type_scalar(L->module, IR_I32), false};
        else if (shift)
            common = (dl_element){a.type->elem, a.is_unsigned};
        at(L, cursor);
        a = dl_convert(L, a, common);
    }
    return put(L, cursor, &place, dl_apply(L, cursor, op, a, b));
}

dl_value dl_increment(dl *L, CXCursor cursor, CXCursor target)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
    bool up = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc;
    bool gives_old = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    place_of_value place = place_to_assign(L, target);
    dl_value old = present(L, cursor, &place);
    if (old.kind != DL_VALUE)
        return old;
    dl_value one = dl_integer(L, IR_I32, false, 1), value = old;
    bool small = old.number && ir_type_is_int(old.type->elem) && ir_type_bits(old.type->elem) < 32;
    at(L, cursor);
    if (small) /* C computes in int and cuts the result back */
        value = dl_convert(L, old, (dl_element){ir_type_scalar(L->module, IR_I32), false});
    else if (old.number)
        one = dl_convert(L, one, (dl_element){old.type->elem, old.is_unsigned});
    value = dl_apply(L, cursor, up ? DL_ADD : DL_SUB, value, one);
    value = put(L, cursor, &place, value);
    return gives_old ? old : value;
}
