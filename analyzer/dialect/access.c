/* Reading the arguments that memory operations have in common. */
#include "dialect/memory.h"

CXCursor dl_next(dl_reader *reader)
{
    return reader->at < reader->args->n ? reader->args->arg[reader->at++] : clang_getNullCursor();
}

/* ---- Order, scope, tokens ---- */

bool dl_read_ordering(dl *L, dl_reader *reader, bool has_order, dl_access *access)
{
    access->ordering = IR_WEAK;
    access->scope = IR_SCOPE_NONE;
    if (!has_order)
        return true;
    CXCursor order_at = dl_next(reader), scope_at = dl_next(reader);
    int64_t order, scope;
    if (!dl_constant(L, order_at, "the order", IR_WEAK, IR_ACQ_REL, &order) ||
        !dl_constant(L, scope_at, "the scope", IR_SCOPE_NONE, IR_SCOPE_SYS, &scope))
        return false;
    access->ordering = (ir_ordering)order;
    access->scope = (ir_scope)scope;
    bool atomic = access->reads && access->writes;
    if (!access->writes && (order == IR_RELEASE || order == IR_ACQ_REL)) {
        dl_fail(L, order_at, "A load is TILE_WEAK, TILE_RELAXED or TILE_ACQUIRE.",
                "a load cannot release");
        return false;
    }
    if (!access->reads && (order == IR_ACQUIRE || order == IR_ACQ_REL)) {
        dl_fail(L, order_at, "A store is TILE_WEAK, TILE_RELAXED or TILE_RELEASE.",
                "a store cannot acquire");
        return false;
    }
    if (atomic && order == IR_WEAK) {
        dl_fail(L, order_at, "Use TILE_RELAXED or stronger.", "an atomic operation cannot be weak");
        return false;
    }
    if ((order == IR_WEAK) != (scope == IR_SCOPE_NONE)) {
        dl_fail(L, scope_at,
                order == IR_WEAK ? "Use TILE_NO_SCOPE with TILE_WEAK."
                                 : "Use TILE_BLOCK, TILE_DEVICE or TILE_SYS.",
                order == IR_WEAK ? "a weak access has no scope" : "this order needs a scope");
        return false;
    }
    return true;
}

bool dl_read_after(dl *L, dl_reader *reader, dl_access *access)
{
    CXCursor argument = dl_next(reader), *items;
    size_t n;
    if (!ast_list(L, argument, &items, &n))
        return false;
    access->by_hand = true;
    access->after_at = argument;
    ir_value **tokens = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    for (size_t i = 0; i < n; i++) {
        dl_value token = dl_operand(L, items[i]);
        if (token.kind != DL_VALUE || token.type->kind != IR_TOKEN)
            return false;
        tokens[i] = token.ir;
    }
    access->after = n ? dl_join(L, tokens, n) : NULL;
    return true;
}

bool dl_read_token_out(dl *L, dl_reader *reader, dl_access *access)
{
    CXCursor argument = dl_next(reader), cursor = ast_strip(L, argument), *children;
    if (clang_getCursorKind(cursor) == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf &&
        ast_children(L, cursor, &children) == 1) {
        CXCursor name = ast_strip(L, children[0]);
        if (clang_getCursorKind(name) == CXCursor_DeclRefExpr &&
            dl_find(L, clang_getCursorReferenced(name), &access->token_out)) {
            access->has_token_out = true;
            return true;
        }
    }
    dl_fail(L, argument, "Declare `token loaded;` and pass `&loaded`.",
            "the token of a load goes into a local variable");
    return false;
}

dl_value dl_ordered(dl *L, const dl_access *access, ir_value *token, dl_value result)
{
    for (uint32_t i = 0; access->by_hand && i < token->def->n_operands; i++)
        if (token->def->operands[i] == access->after)
            dl_note_operand(L, token->def, i, access->after_at);
    dl_order_after(L, access, token);
    dl_value value = dl_of(token, false, false);
    if (access->has_token_out) {
        token->name = L->vars[access->token_out].name;
        dl_set(L, access->token_out, value);
    }
    /* A store by hand gives its token; a load gave it already. */
    return result.kind == DL_VOID && access->by_hand ? value : result;
}

void dl_set_ordering(ir_op *op, const dl_access *access, unsigned ordering, unsigned scope)
{
    ir_set_int(op, ordering, access->ordering);
    if (access->scope != IR_SCOPE_NONE)
        ir_set_int(op, scope, access->scope);
}

/* ---- Values ---- */

bool dl_fit(dl *L, CXCursor where, const char *what, dl_value *value, dl_element element, int rank,
            const int64_t *shape)
{
    if (value->kind != DL_VALUE)
        return false;
    const ir_type *type = value->type;
    if (type->kind != IR_TILE || type->elem->kind == IR_POINTER) {
        dl_fail(L, where, NULL, "%s must be a tile of numbers", what);
        return false;
    }
    if (value->number && element.type->kind != type->elem->kind) {
        if (ir_type_is_float(type->elem) && ir_type_is_int(element.type)) {
            dl_fail(L, where, "Convert it with a cast.",
                    "%s is a float, but the buffer holds integers", what);
            return false;
        }
        *value = dl_convert(L, *value, element);
        type = value->type;
    }
    if (type->elem != element.type) {
        dl_fail(L, where, "Convert it with tile_cast(value, type).",
                "%s has elements of type %s, but the buffer holds %s", what,
                dl_type_text(L, type->elem), dl_type_text(L, element.type));
        return false;
    }
    if (value->number || (type->rank == 0 && value->constant)) {
        *value = dl_broadcast(L, where, *value, rank, shape);
        return value->kind == DL_VALUE;
    }
    const ir_type *wanted = dl_tile_type(L, element.type, rank, shape);
    if (type != wanted) {
        dl_fail(L, where,
                ir_type_elements(type) == ir_type_elements(wanted)
                    ? "Give it the shape with tile_reshape or tile_permute."
                    : NULL,
                "%s is %s, but %s is needed", what, dl_type_text(L, type), dl_type_text(L, wanted));
        return false;
    }
    return true;
}

bool dl_may_access(dl *L, CXCursor where, const dl_value *base, bool writes)
{
    if (L->in_combine) {
        dl_fail(L, where, "Load before the reduction and pass the tile.",
                "a function that combines elements cannot access memory");
        return false;
    }
    if (writes && base && base->read_only) {
        dl_fail(L, where, "Drop the const of the pointer that this buffer comes from.",
                "this stores to a buffer that is const");
        return false;
    }
    return true;
}

void dl_note_operand(dl *L, ir_op *op, uint32_t operand, CXCursor source)
{
    if (!op->operand_texts) {
        op->operand_texts = TR_NEW_ARRAY(L->keep, const char *, op->n_operands);
        op->operand_places = TR_NEW_ARRAY(L->keep, tr_place, op->n_operands);
    }
    op->operand_texts[operand] = ast_text(L, source);
    tr_place *places = (tr_place *)op->operand_places;
    places[operand] = *ast_place(L, source);
}

/* ---- Atomics ---- */

bool dl_atomic_mode(dl *L, CXCursor where, int mode, bool from_header, dl_element element,
                    ir_atomic_mode *out)
{
    static const ir_atomic_mode of_header[] = {
        IR_ATOMIC_AND, IR_ATOMIC_OR,   IR_ATOMIC_XOR,  IR_ATOMIC_ADD,  IR_ATOMIC_MAX,
        IR_ATOMIC_MIN, IR_ATOMIC_UMAX, IR_ATOMIC_UMIN, IR_ATOMIC_XCHG,
    };
    ir_atomic_mode m = from_header ? of_header[mode] : (ir_atomic_mode)mode;
    ir_type_kind kind = element.type->kind;
    bool word = kind == IR_I32 || kind == IR_I64;
    if (element.is_unsigned && m == IR_ATOMIC_MAX)
        m = IR_ATOMIC_UMAX;
    if (element.is_unsigned && m == IR_ATOMIC_MIN)
        m = IR_ATOMIC_UMIN;
    bool fits = word;
    if (m == IR_ATOMIC_ADD && ir_type_is_float(element.type)) {
        m = IR_ATOMIC_ADDF;
        fits = kind == IR_F16 || kind == IR_BF16 || kind == IR_F32 || kind == IR_F64;
    } else if (m == IR_ATOMIC_XCHG) {
        fits = word || kind == IR_F32 || kind == IR_F64;
    }
    *out = m;
    if (!fits)
        dl_fail(L, where,
                "Integers of 32 and 64 bits have all modes; floats have TILE_ADD, and those of 32 "
                "and 64 bits TILE_XCHG.",
                "this atomic operation does not work on elements of type %s",
                dl_type_text(L, element.type));
    return fits;
}
