/* Shapes: broadcasting, and the operations that move elements about. */
#include "dialect/lower.h"

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

/* ---- Broadcasting ---- */

dl_value dl_reshape(dl *L, dl_value value, int rank, const int64_t *shape)
{
    if (value.kind != DL_VALUE)
        return value;
    const ir_type *type = dl_tile_type(L, value.type->elem, rank, shape);
    if (type == value.type)
        return value;
    ir_value *operand = dl_ir(L, &value);
    value.ir = dl_emit(L, IR_OP_RESHAPE, type, 1, &operand);
    value.type = type;
    value.constant = value.fixed = false;
    value.number &= rank == 0;
    return value;
}

dl_value dl_broadcast(dl *L, CXCursor where, dl_value value, int rank, const int64_t *shape)
{
    if (value.kind != DL_VALUE)
        return value;
    const ir_type *type = dl_tile_type(L, value.type->elem, rank, shape);
    if (type == value.type)
        return value;
    if (value.constant && !value.ir && value.type->elem->kind != IR_POINTER) {
        value.ir = dl_splat(L, &value, rank, shape);
        value.type = type;
        value.constant = value.fixed = value.number = false;
        return value;
    }
    int from = value.type->rank, missing = rank - from;
    int64_t padded[IR_MAX_RANK];
    bool fits = missing >= 0;
    for (int i = 0; i < rank && fits; i++) {
        padded[i] = i < missing ? 1 : value.type->shape[i - missing];
        fits = padded[i] == 1 || padded[i] == shape[i];
    }
    if (!fits)
        return dl_fail(
            L, where, "Extents must match from the right, or be 1; tile_expand adds a dimension.",
            "%s cannot be broadcast to %s", dl_type_text(L, value.type), dl_type_text(L, type));
    value = dl_reshape(L, value, rank, padded);
    if (value.type == type)
        return value;
    ir_value *operand = dl_ir(L, &value);
    value.ir = dl_emit(L, IR_OP_BROADCAST, type, 1, &operand);
    value.type = type;
    value.constant = value.fixed = value.number = false;
    return value;
}

/* Reads argument 1 as the shape of a tile. False, after an error: it is none. */
static bool shape_argument(dl *L, const dl_args *args, int64_t *shape, int *rank)
{
    return dl_constant_list(L, args->arg[1], "a tile extent", 1, INT64_MAX, shape, rank) &&
           dl_check_tile_shape(L, args->call, *rank, shape);
}

/* ---- Making tiles ---- */

dl_value lower_full(dl *L, const dl_args *args)
{
    int64_t shape[IR_MAX_RANK];
    int rank;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !shape_argument(L, args, shape, &rank))
        return dl_poison();
    if (value.type->rank != 0)
        return dl_fail(L, args->arg[0], "tile_broadcast repeats a tile.",
                       "tile_full repeats one number, and this is %s", dl_type_text(L, value.type));
    at(L, args->call);
    value = dl_broadcast(L, args->call, value, rank, shape);
    value.number = false;
    return value;
}

dl_value lower_zeros(dl *L, const dl_args *args)
{
    int64_t shape[IR_MAX_RANK];
    int rank;
    dl_element element;
    if (!dl_type_argument(L, args->arg[0], &element) || !shape_argument(L, args, shape, &rank))
        return dl_poison();
    at(L, args->call);
    dl_value zero = {.kind = DL_VALUE, .constant = true};
    zero.type = dl_tile_type(L, element.type, 0, NULL);
    return dl_of(dl_splat(L, &zero, rank, shape), false, element.is_unsigned);
}

dl_value lower_iota(dl *L, const dl_args *args)
{
    dl_element element = {ir_type_scalar(L->module, IR_I32), false};
    int typed = args->row->a;
    int64_t n;
    if ((typed && !dl_type_argument(L, args->arg[0], &element)) ||
        !dl_constant(L, args->arg[typed], "the number of elements", 1, INT32_MAX, &n) ||
        !dl_check_tile_shape(L, args->call, 1, &n))
        return dl_poison();
    int bits = ir_type_bits(element.type);
    if (!ir_type_is_int(element.type) || bits < 8 || (bits < 32 && n > (int64_t)1 << bits))
        return dl_fail(L, args->call, NULL, "a tile of %s cannot count to %lld",
                       dl_type_text(L, element.type), (long long)n);
    at(L, args->call);
    return dl_of(dl_emit(L, IR_OP_IOTA, dl_tile_type(L, element.type, 1, &n), 0, NULL), false,
                 element.is_unsigned);
}

/* ---- Moving elements ---- */

dl_value lower_reshape(dl *L, const dl_args *args)
{
    int64_t shape[IR_MAX_RANK];
    int rank;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !shape_argument(L, args, shape, &rank))
        return dl_poison();
    const ir_type *type = dl_tile_type(L, value.type->elem, rank, shape);
    if (ir_type_elements(type) != ir_type_elements(value.type))
        return dl_fail(L, args->call, NULL, "%s has %lld elements, but %s has %lld",
                       dl_type_text(L, value.type), (long long)ir_type_elements(value.type),
                       dl_type_text(L, type), (long long)ir_type_elements(type));
    at(L, args->call);
    value.number = false;
    return dl_reshape(L, value, rank, shape);
}

dl_value lower_expand(dl *L, const dl_args *args)
{
    int64_t shape[IR_MAX_RANK], dim;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE ||
        !dl_constant(L, args->arg[1], "the dimension", 0, value.type->rank, &dim))
        return dl_poison();
    int rank = value.type->rank + 1;
    if (rank > IR_MAX_RANK)
        return dl_fail(L, args->call, NULL, "a tile may have at most %d dimensions", IR_MAX_RANK);
    for (int i = 0; i < rank - 1; i++)
        shape[i < dim ? i : i + 1] = value.type->shape[i];
    shape[dim] = 1;
    at(L, args->call);
    value.number = false;
    return dl_reshape(L, value, rank, shape);
}

dl_value lower_broadcast(dl *L, const dl_args *args)
{
    int64_t shape[IR_MAX_RANK];
    int rank;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !shape_argument(L, args, shape, &rank))
        return dl_poison();
    at(L, args->call);
    value.number = false;
    return dl_broadcast(L, args->call, value, rank, shape);
}

dl_value lower_permute(dl *L, const dl_args *args)
{
    int64_t order[IR_MAX_RANK], shape[IR_MAX_RANK];
    int rank;
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE ||
        !dl_constant_list(L, args->arg[1], "a dimension", 0, IR_MAX_RANK - 1, order, &rank))
        return dl_poison();
    unsigned seen = 0;
    for (int i = 0; i < rank; i++)
        seen |= 1u << order[i];
    if (rank != value.type->rank || seen != (1u << rank) - 1)
        return dl_fail(L, args->call, NULL,
                       "%s has %d dimensions: list the numbers 0 to %d, each once",
                       dl_type_text(L, value.type), value.type->rank, value.type->rank - 1);
    if (rank < 2)
        return value;
    for (int i = 0; i < rank; i++)
        shape[i] = value.type->shape[order[i]];
    at(L, args->call);
    ir_value *operand = dl_ir(L, &value);
    ir_op *op =
        dl_emit_op(L, IR_OP_PERMUTE, dl_tile_type(L, value.type->elem, rank, shape), 1, &operand);
    op->attrs[IR_AT_PERMUTE_permutation] = ir_attr_of_ints(L->module, (size_t)rank, order);
    value.ir = &op->results[0];
    value.type = op->results[0].type;
    return value;
}

/* Indices of a subtile, each in the range that it may have. */
static bool subtile_index(dl *L, CXCursor argument, const ir_type *whole, const ir_type *part,
                          ir_value **out)
{
    CXCursor *items;
    size_t n;
    if (!ast_list(L, argument, &items, &n))
        return false;
    if (n != (size_t)whole->rank) {
        dl_fail(L, argument, NULL, "%s has %d dimensions, but %zu indices are given",
                dl_type_text(L, whole), whole->rank, n);
        return false;
    }
    for (int i = 0; i < whole->rank; i++) {
        dl_value index = dl_operand(L, items[i]);
        if (index.kind == DL_VALUE)
            index = dl_to_number(L, items[i], index,
                                 (dl_element){ir_type_scalar(L->module, IR_I32), false});
        if (index.kind != DL_VALUE)
            return false;
        int64_t count = whole->shape[i] / part->shape[i];
        if (index.constant && (index.integer < 0 || index.integer >= count)) {
            dl_fail(L, items[i], NULL, "dimension %d has %lld such subtiles, so %lld is too much",
                    i, (long long)count, (long long)index.integer);
            return false;
        }
        out[i] = dl_ir(L, &index);
    }
    return true;
}

static bool divides(dl *L, CXCursor where, const ir_type *whole, const ir_type *part)
{
    bool fits = whole->rank == part->rank && whole->rank > 0;
    for (int i = 0; i < whole->rank && fits; i++)
        fits = part->shape[i] <= whole->shape[i];
    if (!fits)
        dl_fail(L, where, "Both have as many dimensions, and each extent divides the other.",
                "%s is no subtile of %s", dl_type_text(L, part), dl_type_text(L, whole));
    return fits;
}

dl_value lower_extract(dl *L, const dl_args *args)
{
    int64_t shape[IR_MAX_RANK];
    int rank;
    ir_value *index[IR_MAX_RANK];
    dl_value value = dl_tile_operand(L, args->arg[0]);
    if (value.kind != DL_VALUE || !shape_argument(L, args, shape, &rank))
        return dl_poison();
    const ir_type *type = dl_tile_type(L, value.type->elem, rank, shape);
    if (!divides(L, args->call, value.type, type) ||
        !subtile_index(L, args->arg[2], value.type, type, index))
        return dl_poison();
    at(L, args->call);
    ir_value *source = dl_ir(L, &value);
    ir_operand_list groups[] = {{&source, 1}, {index, (uint32_t)rank}};
    value.ir = &dl_build(L, IR_OP_EXTRACT, groups, 1, &type, NULL)->results[0];
    value.type = type;
    value.number = false;
    return value;
}

dl_value lower_insert(dl *L, const dl_args *args)
{
    ir_value *index[IR_MAX_RANK];
    dl_value whole = dl_tile_operand(L, args->arg[0]), part = dl_tile_operand(L, args->arg[1]);
    if (whole.kind != DL_VALUE || part.kind != DL_VALUE)
        return dl_poison();
    if (whole.type->elem != part.type->elem)
        return dl_fail(L, args->call, "Convert one with tile_cast.",
                       "%s and %s differ in their element type", dl_type_text(L, whole.type),
                       dl_type_text(L, part.type));
    if (!divides(L, args->call, whole.type, part.type) ||
        !subtile_index(L, args->arg[2], whole.type, part.type, index))
        return dl_poison();
    at(L, args->call);
    ir_value *source = dl_ir(L, &part), *destination = dl_ir(L, &whole);
    ir_operand_list groups[] = {
        {&source, 1}, {&destination, 1}, {index, (uint32_t)whole.type->rank}};
    whole.ir = &dl_build(L, IR_OP_INSERT, groups, 1, &whole.type, NULL)->results[0];
    return whole;
}

dl_value lower_cat(dl *L, const dl_args *args)
{
    int64_t shape[IR_MAX_RANK], dim;
    dl_value a = dl_tile_operand(L, args->arg[0]), b = dl_tile_operand(L, args->arg[1]);
    if (a.kind != DL_VALUE || b.kind != DL_VALUE ||
        !dl_constant(L, args->arg[2], "the dimension", 0, IR_MAX_RANK - 1, &dim))
        return dl_poison();
    bool fits = a.type->rank == b.type->rank && dim < a.type->rank && a.type->elem == b.type->elem;
    for (int i = 0; i < a.type->rank && fits; i++) {
        fits = i == dim || a.type->shape[i] == b.type->shape[i];
        shape[i] = a.type->shape[i] + (i == dim ? b.type->shape[i] : 0);
    }
    if (!fits)
        return dl_fail(L, args->call, NULL, "%s and %s cannot be joined along dimension %lld",
                       dl_type_text(L, a.type), dl_type_text(L, b.type), (long long)dim);
    if (!dl_check_tile_shape(L, args->call, a.type->rank, shape))
        return dl_poison();
    at(L, args->call);
    ir_value *operands[] = {dl_ir(L, &a), dl_ir(L, &b)};
    ir_op *op =
        dl_emit_op(L, IR_OP_CAT, dl_tile_type(L, a.type->elem, a.type->rank, shape), 2, operands);
    ir_set_int(op, IR_AT_CAT_dim, dim);
    a.ir = &op->results[0];
    a.type = a.ir->type;
    if (a.order != b.order)
        a.order = DL_ORDER_ANY;
    a.read_only |= b.read_only;
    return a;
}
