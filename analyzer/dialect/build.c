/* Making ops: places, constants, types. */
#include "dialect/lower.h"

/* Ops of one kernel, helpers inlined. Helpers that call helpers grow a kernel exponentially. */
#define MAX_OPS      400000
#define MAX_ELEMENTS 16777216 /* of a tile: Tile IR's own limit */

/* ---- Errors and plain values ---- */

dl_value dl_poison(void)
{
    return (dl_value){.kind = DL_POISON};
}

dl_value dl_void(void)
{
    return (dl_value){.kind = DL_VOID};
}

dl_value dl_unset(void)
{
    return (dl_value){.kind = DL_UNSET};
}

/* Errors outlive the module, whose arena holds the places of ops. */
static tr_place lasting(tr_arena *arena, const tr_place *place)
{
    tr_place copy = *place;
    if (place->file)
        copy.file = tr_arena_strdup(arena, place->file);
    if (place->function)
        copy.function = tr_arena_strdup(arena, place->function);
    if (place->inlined_at) {
        tr_place at = lasting(arena, place->inlined_at);
        copy.inlined_at = tr_arena_copy(arena, &at, sizeof at);
    }
    return copy;
}

dl_value dl_fail(dl *L, CXCursor where, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(L->scratch, format, arguments);
    va_end(arguments);
    tr_place place = lasting(L->errors->arena, ast_place(L, where));
    tr_errors_add_hint(L->errors, &place, hint, "%s", text);
    return dl_poison();
}

dl_value dl_of(ir_value *ir, bool number, bool is_unsigned)
{
    return (dl_value){.kind = DL_VALUE,
                      .type = ir->type,
                      .ir = ir,
                      .number = number,
                      .is_unsigned = is_unsigned,
                      .order = DL_ORDER_SHARED};
}

const ir_type *dl_tile_type(dl *L, const ir_type *elem, int rank, const int64_t *shape)
{
    return ir_type_tile(L->module, elem, rank, shape);
}

const ir_type *dl_scalar_type(dl *L, ir_type_kind kind)
{
    return ir_type_tile(L->module, ir_type_scalar(L->module, kind), 0, NULL);
}

dl_value dl_integer(dl *L, ir_type_kind kind, bool is_unsigned, int64_t value)
{
    return (dl_value){.kind = DL_VALUE,
                      .type = dl_scalar_type(L, kind),
                      .number = true,
                      .is_unsigned = is_unsigned,
                      .constant = true,
                      .integer = value};
}

dl_value dl_real(dl *L, ir_type_kind kind, double value)
{
    return (dl_value){.kind = DL_VALUE,
                      .type = dl_scalar_type(L, kind),
                      .number = true,
                      .constant = true,
                      .real = value};
}

bool dl_check_tile_shape(dl *L, CXCursor where, int rank, const int64_t *shape)
{
    int64_t elements = 1;
    for (int i = 0; i < rank; i++) {
        if (shape[i] <= 0 || (shape[i] & (shape[i] - 1)) != 0) {
            dl_fail(L, where,
                    "Round up to a power of two; views mask what lies beyond the tensor, "
                    "tile_load_masked what a mask leaves out.",
                    "a tile extent must be a power of two, but %lld is not", (long long)shape[i]);
            return false;
        }
        elements = shape[i] > MAX_ELEMENTS / elements ? MAX_ELEMENTS + 1 : elements * shape[i];
        if (elements > MAX_ELEMENTS) {
            dl_fail(L, where, NULL, "a tile may have at most %d elements", MAX_ELEMENTS);
            return false;
        }
    }
    return true;
}

/* ---- Ops ---- */

ir_op *dl_build(dl *L, ir_opcode code, const ir_operand_list *groups, uint32_t n_results,
                const ir_type *const *result_types, const uint32_t *result_counts)
{
    if (!L->placed) {
        L->b.place = ast_place(L, L->at);
        L->placed = true;
    }
    if (++L->n_ops > MAX_OPS && !L->stop) {
        L->stop = true;
        tr_place place = lasting(L->errors->arena, L->b.place);
        tr_errors_add_hint(L->errors, &place, "Make helpers smaller, or use loops.",
                           "kernel %s has more than %d operations once its helpers are inlined",
                           L->kernel_name, MAX_OPS);
    }
    return ir_build(&L->b, code, groups, n_results, result_types, result_counts);
}

ir_op *dl_emit_op(dl *L, ir_opcode code, const ir_type *type, int n, ir_value *const *operands)
{
    ir_operand_list groups[8] = {0};
    for (int i = 0; i < n; i++)
        groups[i] = (ir_operand_list){&operands[i], 1};
    return dl_build(L, code, groups, type ? 1 : 0, &type, NULL);
}

ir_value *dl_emit(dl *L, ir_opcode code, const ir_type *type, int n, ir_value *const *operands)
{
    return &dl_emit_op(L, code, type, n, operands)->results[0];
}

/* ---- Constants ---- */

ir_attr dl_scalar_attr(dl *L, const ir_type *elem, int64_t integer, double real)
{
    (void)L;
    if (ir_type_is_float(elem))
        return ir_attr_typed_float(elem, real);
    int unused = 64 - ir_type_bits(elem);
    /* An unsigned value is kept as the signed one of the same bits, as a reader of bytecode keeps
     * it. */
    if (unused > 0 && unused < 63)
        integer = (int64_t)((uint64_t)integer << unused) >> unused;
    return ir_attr_typed_int(elem, integer);
}

ir_value *dl_splat(dl *L, const dl_value *value, int rank, const int64_t *shape)
{
    const ir_type *type = dl_tile_type(L, value->type->elem, rank, shape);
    ir_op *op = dl_emit_op(L, IR_OP_CONSTANT, type, 0, NULL);
    op->attrs[IR_AT_CONSTANT_value] = ir_type_is_float(type->elem)
                                          ? ir_attr_splat_float(L->module, type, value->real)
                                          : ir_attr_splat_int(L->module, type, value->integer);
    return &op->results[0];
}

ir_value *dl_ir(dl *L, const dl_value *value)
{
    return value->ir ? value->ir : dl_splat(L, value, 0, NULL);
}
