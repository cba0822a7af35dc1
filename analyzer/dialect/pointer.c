/* Pointers and tiles of pointers: making them, loads, stores and atomics through them. */
#include "dialect/memory.h"

/* ---- Making pointers ---- */

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

bool dl_is_pointers(const dl_value *value)
{
    return value->kind == DL_VALUE && value->type->kind == IR_TILE &&
           value->type->elem->kind == IR_POINTER;
}

static dl_value pointer_operand(dl *L, CXCursor cursor)
{
    dl_value value = dl_operand(L, cursor);
    if (value.kind == DL_VALUE && !dl_is_pointers(&value))
        return dl_fail(L, cursor, "Make pointers with tile_pointers(buffer, offsets).",
                       "this is no pointer, nor a tile of pointers");
    return value;
}

static dl_element pointee(const dl_value *pointers)
{
    return (dl_element){pointers->type->elem->elem, pointers->is_unsigned};
}

/* A pointer names a byte, which two elements of 4 bits share: it may be the base of a tensor, and
 * no more. */
static bool names_elements(dl *L, CXCursor where, const ir_type *element)
{
    if (ir_type_bits(element) != 4)
        return true;
    dl_fail(L, where, "Load and store tiles of them through a view.",
            "pointers cannot access elements of %s, which have 4 bits", dl_type_text(L, element));
    return false;
}

/* Tile IR reads offsets as signed, so an unsigned one needs room. */
static dl_value signed_offset(dl *L, dl_value offset)
{
    ir_type_kind kind = offset.type->elem->kind;
    ir_type_kind wanted = kind;
    if (kind < IR_I32)
        wanted = IR_I32;
    else if (offset.is_unsigned && kind == IR_I32)
        wanted = IR_I64;
    if (wanted == kind)
        return offset;
    return dl_convert(L, offset, (dl_element){ir_type_scalar(L->module, wanted), false});
}

dl_value dl_offset(dl *L, CXCursor where, dl_value pointer, dl_value offset)
{
    if (pointer.kind != DL_VALUE || offset.kind != DL_VALUE)
        return dl_poison();
    if (offset.type->kind != IR_TILE || !ir_type_is_int(offset.type->elem))
        return dl_fail(L, where, NULL, "an offset must be an integer or a tile of integers");
    if (offset.constant && offset.integer == 0 && offset.type->rank == 0)
        return pointer;
    offset = signed_offset(L, offset);
    if (offset.kind != DL_VALUE)
        return offset;
    int rank = offset.type->rank;
    if (rank > 0 && !names_elements(L, where, pointee(&pointer).type))
        return dl_poison();
    if (rank >= pointer.type->rank && rank > 0)
        pointer = dl_broadcast(L, where, pointer, rank, offset.type->shape);
    else
        offset = dl_broadcast(L, where, offset, pointer.type->rank, pointer.type->shape);
    if (pointer.kind != DL_VALUE || offset.kind != DL_VALUE)
        return dl_poison();
    ir_value *operands[] = {dl_ir(L, &pointer), dl_ir(L, &offset)};
    dl_value result = pointer;
    result.ir = dl_emit(L, IR_OP_OFFSET, pointer.type, 2, operands);
    return result;
}

dl_value dl_select_pointers(dl *L, CXCursor where, dl_value condition, dl_value yes, dl_value no)
{
    if (condition.kind != DL_VALUE || yes.kind != DL_VALUE || no.kind != DL_VALUE)
        return dl_poison();
    if (!dl_is_pointers(&yes) || !dl_is_pointers(&no) || yes.type->elem != no.type->elem)
        return dl_fail(L, where, "Choose between pointers to one element type.",
                       "no choice is possible between %s and %s", dl_type_text(L, yes.type),
                       dl_type_text(L, no.type));
    if (condition.type->kind == IR_TILE && condition.number)
        condition = dl_to_bool(L, where, condition);
    if (condition.kind != DL_VALUE || condition.type->kind != IR_TILE ||
        condition.type->elem->kind != IR_I1)
        return dl_fail(L, where, "Make one with tile_lt and its like.",
                       "the condition is no tile of bool");
    const dl_value *const parts[] = {&condition, &yes, &no};
    const ir_type *shape = condition.type; /* of the largest rank; the others must fit it */
    for (size_t i = 1; i < TR_COUNT(parts); i++)
        shape = parts[i]->type->rank > shape->rank ? parts[i]->type : shape;
    condition = dl_broadcast(L, where, condition, shape->rank, shape->shape);
    yes = dl_broadcast(L, where, yes, shape->rank, shape->shape);
    no = dl_broadcast(L, where, no, shape->rank, shape->shape);
    if (condition.kind != DL_VALUE || yes.kind != DL_VALUE || no.kind != DL_VALUE)
        return dl_poison();
    ir_value *operands[] = {dl_ir(L, &condition), dl_ir(L, &yes), dl_ir(L, &no)};
    dl_value value = yes;
    value.ir = dl_emit(L, IR_OP_SELECT, yes.type, 3, operands);
    value.order = yes.order == no.order ? yes.order : DL_ORDER_ANY;
    value.read_only |= no.read_only;
    return value;
}

dl_value lower_pointers(dl *L, const dl_args *args)
{
    dl_value pointer = pointer_operand(L, args->arg[0]);
    dl_value offset = dl_operand(L, args->arg[1]);
    at(L, args->call);
    return dl_offset(L, args->call, pointer, offset);
}

dl_value lower_pointer_cast(dl *L, const dl_args *args)
{
    dl_element element;
    dl_value value = dl_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !dl_type_argument(L, args->arg[1], &element))
        return dl_poison();
    bool from_int = args->row->a == IR_OP_INT_TO_PTR;
    if (from_int && (value.type->kind != IR_TILE || value.type->elem->kind != IR_I64))
        return dl_fail(L, args->arg[0], "Hold pointers in a buffer of long or unsigned long.",
                       "pointers are made of 64-bit integers");
    if (!from_int && !dl_is_pointers(&value))
        return dl_fail(L, args->arg[0], NULL, "this is no pointer, nor a tile of pointers");
    if (value.type->rank > 0 && !names_elements(L, args->call, element.type))
        return dl_poison();
    at(L, args->call);
    const ir_type *type = dl_tile_type(L, ir_type_pointer(L->module, element.type),
                                       value.type->rank, value.type->shape);
    ir_value *operand = dl_ir(L, &value);
    if (type == value.type) { /* a pointer's type has no sign */
        value.is_unsigned = element.is_unsigned;
        return value;
    }
    dl_value result =
        dl_of(dl_emit(L, (ir_opcode)args->row->a, type, 1, &operand), false, element.is_unsigned);
    result.order = from_int ? DL_ORDER_SHARED : value.order;
    result.read_only = from_int ? false : value.read_only;
    return result;
}

dl_value lower_ptr_to_int(dl *L, const dl_args *args)
{
    dl_value value = pointer_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE)
        return value;
    at(L, args->call);
    const ir_type *type =
        dl_tile_type(L, ir_type_scalar(L->module, IR_I64), value.type->rank, value.type->shape);
    ir_value *operand = dl_ir(L, &value);
    return dl_of(dl_emit(L, IR_OP_PTR_TO_INT, type, 1, &operand), false, false);
}

/* ---- Loads and stores ---- */

/* A mask of `true` is none. */
static bool read_mask(dl *L, CXCursor cursor, const dl_value *pointers, ir_value **mask)
{
    dl_value value = dl_operand(L, cursor);
    if (value.kind != DL_VALUE)
        return false;
    if (value.type->kind == IR_TILE && value.number)
        value = dl_to_bool(L, cursor, value);
    if (value.kind != DL_VALUE || value.type->kind != IR_TILE || value.type->elem->kind != IR_I1) {
        dl_fail(L, cursor, "Make one with tile_lt and its like, and tile_and.",
                "a mask is a tile of bool");
        return false;
    }
    if (value.constant && value.integer)
        return true;
    value = dl_broadcast(L, cursor, value, pointers->type->rank, pointers->type->shape);
    if (value.kind != DL_VALUE)
        return false;
    *mask = dl_ir(L, &value);
    return true;
}

static dl_value load(dl *L, CXCursor where, const dl_value *pointers, ir_value *mask,
                     ir_value *padding, const dl_access *access, CXCursor source)
{
    at(L, where);
    ir_value *from = dl_ir(L, pointers), *before = dl_order_before(L, access);
    ir_operand_list groups[] = {
        {&from, 1}, {&mask, mask ? 1 : 0}, {&padding, padding ? 1 : 0}, {&before, before ? 1 : 0}};
    const ir_type *types[] = {
        dl_tile_type(L, pointers->type->elem->elem, pointers->type->rank, pointers->type->shape),
        ir_type_token(L->module)};
    ir_op *op = dl_build(L, IR_OP_LOAD_PTR_TKO, groups, 2, types, NULL);
    dl_set_ordering(op, access, IR_AT_LOAD_PTR_TKO_memory_ordering_semantics,
                    IR_AT_LOAD_PTR_TKO_memory_scope);
    dl_note_operand(L, op, 0, source);
    return dl_ordered(L, access, &op->results[1],
                      dl_of(&op->results[0], false, pointers->is_unsigned));
}

dl_value lower_load_ptr(dl *L, const dl_args *args)
{
    int form = args->row->a;
    dl_reader reader = {args, 0};
    CXCursor pointers_at = dl_next(&reader);
    dl_value pointers = pointer_operand(L, pointers_at);
    if (pointers.kind != DL_VALUE || !dl_may_access(L, args->call, NULL, false) ||
        !names_elements(L, pointers_at, pointee(&pointers).type))
        return dl_poison();
    ir_value *mask = NULL, *padding = NULL;
    if (form & DL_MASKED) {
        CXCursor mask_at = dl_next(&reader), padding_at = dl_next(&reader);
        dl_value value = dl_operand(L, padding_at);
        if (!read_mask(L, mask_at, &pointers, &mask) ||
            !dl_fit(L, padding_at, "the padding", &value, pointee(&pointers), pointers.type->rank,
                    pointers.type->shape))
            return dl_poison();
        if (mask)
            padding = dl_ir(L, &value);
    }
    dl_access access = {.order = pointers.order, .reads = true};
    if (!dl_read_ordering(L, &reader, form & DL_ORDERED, &access))
        return dl_poison();
    if ((form & DL_BY_HAND) &&
        (!dl_read_after(L, &reader, &access) || !dl_read_token_out(L, &reader, &access)))
        return dl_poison();
    return load(L, args->call, &pointers, mask, padding, &access, pointers_at);
}

static dl_value store(dl *L, CXCursor where, const dl_value *pointers, ir_value *value,
                      ir_value *mask, const dl_access *access, CXCursor source,
                      const CXCursor *value_source)
{
    at(L, where);
    ir_value *to = dl_ir(L, pointers), *before = dl_order_before(L, access);
    ir_operand_list groups[] = {
        {&to, 1}, {&value, 1}, {&mask, mask ? 1 : 0}, {&before, before ? 1 : 0}};
    const ir_type *type = ir_type_token(L->module);
    ir_op *op = dl_build(L, IR_OP_STORE_PTR_TKO, groups, 1, &type, NULL);
    dl_set_ordering(op, access, IR_AT_STORE_PTR_TKO_memory_ordering_semantics,
                    IR_AT_STORE_PTR_TKO_memory_scope);
    dl_note_operand(L, op, 0, source);
    if (value_source)
        dl_note_operand(L, op, 1, *value_source);
    return dl_ordered(L, access, &op->results[0], dl_void());
}

dl_value lower_store_ptr(dl *L, const dl_args *args)
{
    int form = args->row->a;
    dl_reader reader = {args, 0};
    CXCursor pointers_at = dl_next(&reader), value_at = dl_next(&reader);
    dl_value pointers = pointer_operand(L, pointers_at), value = dl_operand(L, value_at);
    if (pointers.kind != DL_VALUE || value.kind != DL_VALUE ||
        !dl_may_access(L, args->call, &pointers, true) ||
        !names_elements(L, pointers_at, pointee(&pointers).type))
        return dl_poison();
    ir_value *mask = NULL;
    if ((form & DL_MASKED) && !read_mask(L, dl_next(&reader), &pointers, &mask))
        return dl_poison();
    dl_access access = {.order = pointers.order, .writes = true};
    if (!dl_read_ordering(L, &reader, form & DL_ORDERED, &access))
        return dl_poison();
    if ((form & DL_BY_HAND) && !dl_read_after(L, &reader, &access))
        return dl_poison();
    if (!dl_fit(L, value_at, "the stored value", &value, pointee(&pointers), pointers.type->rank,
                pointers.type->shape))
        return dl_poison();
    return store(L, args->call, &pointers, dl_ir(L, &value), mask, &access, pointers_at, &value_at);
}

dl_value dl_load_scalar(dl *L, CXCursor where, dl_value pointer)
{
    if (pointer.kind != DL_VALUE || !dl_may_access(L, where, NULL, false) ||
        !names_elements(L, where, pointee(&pointer).type))
        return dl_poison();
    dl_access access = {.order = pointer.order, .reads = true};
    dl_value value = load(L, where, &pointer, NULL, NULL, &access, where);
    value.number = true;
    return value;
}

dl_value dl_store_scalar(dl *L, CXCursor where, dl_value pointer, dl_value value)
{
    if (pointer.kind != DL_VALUE || value.kind != DL_VALUE ||
        !dl_may_access(L, where, &pointer, true) ||
        !names_elements(L, where, pointee(&pointer).type))
        return dl_poison();
    value = dl_to_number(L, where, value, pointee(&pointer));
    if (value.kind != DL_VALUE)
        return value;
    dl_access access = {.order = pointer.order, .writes = true};
    store(L, where, &pointer, dl_ir(L, &value), NULL, &access, where, NULL);
    return value;
}

/* ---- Atomics ---- */

/* Reads the operands that rmw and cas have in common behind their values: mask, order, scope,
 * tokens. */
static bool read_atomic(dl *L, dl_reader *reader, int form, const dl_value *pointers,
                        ir_value **mask, dl_access *access)
{
    *access = (dl_access){.order = pointers->order, .reads = true, .writes = true};
    if ((form & DL_MASKED) && !read_mask(L, dl_next(reader), pointers, mask))
        return false;
    if (!dl_read_ordering(L, reader, true, access))
        return false;
    return !(form & DL_BY_HAND) ||
           (dl_read_after(L, reader, access) && dl_read_token_out(L, reader, access));
}

dl_value lower_atomic(dl *L, const dl_args *args)
{
    int form = args->row->b;
    dl_reader reader = {args, 0};
    int64_t number = args->row->a;
    bool from_header = number < 0;
    if (from_header && !dl_constant(L, dl_next(&reader), "the mode", 0, 8, &number))
        return dl_poison();
    CXCursor pointers_at = dl_next(&reader), value_at = dl_next(&reader);
    dl_value pointers = pointer_operand(L, pointers_at), value = dl_operand(L, value_at);
    ir_value *mask = NULL;
    dl_access access;
    ir_atomic_mode mode;
    if (pointers.kind != DL_VALUE || value.kind != DL_VALUE ||
        !dl_may_access(L, args->call, &pointers, true) ||
        !dl_atomic_mode(L, args->call, (int)number, from_header, pointee(&pointers), &mode) ||
        !read_atomic(L, &reader, form, &pointers, &mask, &access) ||
        !dl_fit(L, value_at, "the value", &value, pointee(&pointers), pointers.type->rank,
                pointers.type->shape))
        return dl_poison();
    at(L, args->call);
    ir_value *to = dl_ir(L, &pointers), *ir = dl_ir(L, &value);
    ir_value *before = dl_order_before(L, &access);
    ir_operand_list groups[] = {
        {&to, 1}, {&ir, 1}, {&mask, mask ? 1 : 0}, {&before, before ? 1 : 0}};
    const ir_type *types[] = {value.type, ir_type_token(L->module)};
    ir_op *op = dl_build(L, IR_OP_ATOMIC_RMW_TKO, groups, 2, types, NULL);
    dl_set_ordering(op, &access, IR_AT_ATOMIC_RMW_TKO_memory_ordering_semantics,
                    IR_AT_ATOMIC_RMW_TKO_memory_scope);
    ir_set_int(op, IR_AT_ATOMIC_RMW_TKO_mode, mode);
    dl_note_operand(L, op, 0, pointers_at);
    return dl_ordered(L, &access, &op->results[1],
                      dl_of(&op->results[0], false, pointers.is_unsigned));
}

dl_value lower_cas(dl *L, const dl_args *args)
{
    dl_reader reader = {args, 0};
    CXCursor pointers_at = dl_next(&reader), old_at = dl_next(&reader), new_at = dl_next(&reader);
    dl_value pointers = pointer_operand(L, pointers_at);
    dl_value old = dl_operand(L, old_at), new = dl_operand(L, new_at);
    ir_value *mask = NULL;
    dl_access access;
    if (pointers.kind != DL_VALUE || old.kind != DL_VALUE || new.kind != DL_VALUE ||
        !dl_may_access(L, args->call, &pointers, true))
        return dl_poison();
    dl_element element = pointee(&pointers);
    int bits = ir_type_bits(element.type);
    if ((bits != 32 && bits != 64) || element.type->kind == IR_TF32)
        return dl_fail(L, args->call, NULL,
                       "compare-and-swap works on elements of 32 and 64 bits, not on %s",
                       dl_type_text(L, element.type));
    if (!read_atomic(L, &reader, args->row->a, &pointers, &mask, &access) ||
        !dl_fit(L, old_at, "the expected value", &old, element, pointers.type->rank,
                pointers.type->shape) ||
        !dl_fit(L, new_at, "the new value", &new, element, pointers.type->rank,
                pointers.type->shape))
        return dl_poison();
    at(L, args->call);
    ir_value *to = dl_ir(L, &pointers), *cmp = dl_ir(L, &old), *val = dl_ir(L, &new);
    ir_value *before = dl_order_before(L, &access);
    ir_operand_list groups[] = {
        {&to, 1}, {&cmp, 1}, {&val, 1}, {&mask, mask ? 1 : 0}, {&before, before ? 1 : 0}};
    const ir_type *types[] = {old.type, ir_type_token(L->module)};
    ir_op *op = dl_build(L, IR_OP_ATOMIC_CAS_TKO, groups, 2, types, NULL);
    dl_set_ordering(op, &access, IR_AT_ATOMIC_CAS_TKO_memory_ordering_semantics,
                    IR_AT_ATOMIC_CAS_TKO_memory_scope);
    dl_note_operand(L, op, 0, pointers_at);
    return dl_ordered(L, &access, &op->results[1],
                      dl_of(&op->results[0], false, pointers.is_unsigned));
}
