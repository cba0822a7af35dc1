/* Tensors over pointers and the views of them. */
#include "dialect/lower.h"

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

/* ---- Tensors ---- */

typedef struct extents { /* a shape or strides: static, or IR_DYNAMIC with an i64 value */
    int n;
    int64_t fixed[IR_MAX_RANK];
    dl_value value[IR_MAX_RANK];
} extents;

/* Reads the list of a shape or of strides, one number a dimension, none of which is known to be
 * below `low`. False: an error was reported. */
static bool read_extents(dl *L, CXCursor argument, const char *what, int64_t low, extents *out)
{
    CXCursor *items;
    size_t n;
    if (!ast_list(L, argument, &items, &n))
        return false;
    if (n == 0 || n > IR_MAX_RANK) {
        dl_fail(L, argument, NULL, "a tensor has 1 to %d dimensions, not %zu", IR_MAX_RANK, n);
        return false;
    }
    dl_element i64 = {ir_type_scalar(L->module, IR_I64), false};
    out->n = (int)n;
    for (size_t i = 0; i < n; i++) {
        dl_value value = dl_operand(L, ast_strip(L, items[i]));
        if (value.kind == DL_VALUE)
            value = dl_to_number(L, items[i], value, i64);
        if (value.kind != DL_VALUE)
            return false;
        if (value.constant && value.integer < low) {
            dl_fail(L, items[i], NULL, "%s must be at least %lld, and this is %lld", what,
                    (long long)low, (long long)value.integer);
            return false;
        }
        out->value[i] = value;
        /* A static stride is positive in Tile IR; 0 is given by an operand. */
        out->fixed[i] = value.constant && value.integer > 0 ? value.integer : IR_DYNAMIC;
    }
    return true;
}

/* Each stride is the product of the extents behind it. */
static bool row_major(dl *L, CXCursor where, const extents *shape, extents *strides)
{
    dl_element i64 = {ir_type_scalar(L->module, IR_I64), false};
    strides->n = shape->n;
    dl_value product = dl_convert(L, dl_integer(L, IR_I64, false, 1), i64);
    for (int i = shape->n - 1; i >= 0; i--) {
        strides->value[i] = product;
        strides->fixed[i] = product.constant ? product.integer : IR_DYNAMIC;
        if (i == 0)
            break;
        if (product.constant && shape->value[i].constant &&
            product.integer > INT64_MAX / shape->value[i].integer) {
            dl_fail(L, where, NULL, "this tensor has more than 2^63 elements");
            return false;
        }
        product = product.constant && product.integer == 1
                      ? shape->value[i]
                      : dl_binary(L, where, DL_MUL, product, shape->value[i]);
        if (product.kind != DL_VALUE)
            return false;
    }
    return true;
}

static uint32_t dynamic_operands(dl *L, const extents *list, ir_value **out)
{
    uint32_t n = 0;
    for (int i = 0; i < list->n; i++)
        if (list->fixed[i] == IR_DYNAMIC)
            out[n++] = dl_ir(L, &list->value[i]);
    return n;
}

dl_value lower_tensor(dl *L, const dl_args *args)
{
    extents shape, strides;
    dl_value base = dl_operand(L, args->arg[0]);
    if (base.kind != DL_VALUE)
        return base;
    if (base.type->kind != IR_TILE || base.type->elem->kind != IR_POINTER || base.type->rank != 0)
        return dl_fail(L, args->arg[0], NULL, "a tensor is made of one pointer");
    if (!read_extents(L, args->arg[1], "an extent", 1, &shape))
        return dl_poison();
    at(L, args->call);
    if (args->row->a) {
        if (!read_extents(L, args->arg[2], "a stride", 0, &strides))
            return dl_poison();
        if (strides.n != shape.n)
            return dl_fail(L, args->call, NULL, "%d extents have %d strides", shape.n, strides.n);
    } else if (!row_major(L, args->call, &shape, &strides)) {
        return dl_poison();
    }
    at(L, args->call);
    ir_value *dynamic_shape[IR_MAX_RANK], *dynamic_strides[IR_MAX_RANK];
    uint32_t n_shape = dynamic_operands(L, &shape, dynamic_shape);
    uint32_t n_strides = dynamic_operands(L, &strides, dynamic_strides);
    const ir_type *type =
        ir_type_tensor_view(L->module, base.type->elem->elem, shape.n, shape.fixed, strides.fixed);
    ir_operand_list groups[] = {
        {&base.ir, 1}, {dynamic_shape, n_shape}, {dynamic_strides, n_strides}};
    base.ir = &dl_build(L, IR_OP_MAKE_TENSOR_VIEW, groups, 1, &type, NULL)->results[0];
    base.type = type;
    return base;
}

static dl_value tensor_operand(dl *L, CXCursor cursor)
{
    dl_value tensor = dl_operand(L, cursor);
    if (tensor.kind == DL_VALUE && tensor.type->kind != IR_TENSOR_VIEW)
        return dl_fail(L, cursor, "Make one with tile_tensor.", "this is no tensor");
    return tensor;
}

dl_value lower_tensor_extent(dl *L, const dl_args *args)
{
    dl_value tensor = tensor_operand(L, args->arg[0]);
    int64_t dim;
    if (tensor.kind != DL_VALUE ||
        !dl_constant(L, args->arg[1], "the dimension", 0, tensor.type->rank - 1, &dim))
        return dl_poison();
    at(L, args->call);
    int64_t extent = tensor.type->shape[dim];
    if (extent != IR_DYNAMIC && extent <= INT32_MAX)
        return dl_integer(L, IR_I32, false, extent);
    const ir_type *i32 = dl_scalar_type(L, IR_I32), *types[IR_MAX_RANK];
    uint32_t n = (uint32_t)tensor.type->rank;
    for (uint32_t i = 0; i < n; i++)
        types[i] = i32;
    ir_operand_list group = {&tensor.ir, 1};
    ir_op *op = dl_build(L, IR_OP_GET_TENSOR_SHAPE, &group, n, types, &n);
    return dl_of(&op->results[dim], true, false);
}

/* ---- Views ---- */

typedef struct view_spec {
    const dl_args *args;
    dl_value tensor;
    int rank;
    int64_t tile[IR_MAX_RANK];
    int32_t dims[IR_MAX_RANK];
    int64_t padding;
} view_spec;

static bool read_padding(dl *L, CXCursor argument, view_spec *spec)
{
    if (!dl_constant(L, argument, "the padding", IR_PAD_NONE, IR_PAD_NEG_INF, &spec->padding))
        return false;
    if (spec->padding > IR_PAD_ZERO && !ir_type_is_float(spec->tensor.type->elem)) {
        dl_fail(L, argument, "Integers are padded with TILE_PAD_ZERO.",
                "this padding needs a tensor of floats");
        return false;
    }
    return true;
}

static bool read_tile(dl *L, CXCursor argument, view_spec *spec)
{
    int rank = spec->tensor.type->rank;
    if (!dl_constant_list(L, argument, "a tile extent", 1, INT64_MAX, spec->tile, &spec->rank))
        return false;
    if (spec->rank != rank) {
        dl_fail(L, spec->args->call,
                "A tile has as many dimensions as its tensor; extents of 1 are fine.",
                "the tensor has %d dimension%s, but the tile %d", rank, rank == 1 ? "" : "s",
                spec->rank);
        return false;
    }
    for (int i = 0; i < rank; i++)
        spec->dims[i] = i;
    return dl_check_tile_shape(L, spec->args->call, rank, spec->tile);
}

static bool read_dims(dl *L, CXCursor argument, view_spec *spec)
{
    int64_t dims[IR_MAX_RANK];
    int n;
    unsigned seen = 0;
    if (!dl_constant_list(L, argument, "a dimension", 0, spec->rank - 1, dims, &n))
        return false;
    if (n == 0)
        return true; /* a null list: in order */
    for (int i = 0; i < n && i < spec->rank; i++) {
        seen |= 1u << dims[i];
        spec->dims[i] = (int32_t)dims[i];
    }
    if (n != spec->rank || seen != (1u << spec->rank) - 1) {
        dl_fail(L, argument, NULL, "list the tensor's dimensions 0 to %d, each once",
                spec->rank - 1);
        return false;
    }
    return true;
}

static bool open_view(dl *L, const dl_args *args, view_spec *spec)
{
    *spec = (view_spec){.args = args, .tensor = tensor_operand(L, args->arg[0])};
    return spec->tensor.kind == DL_VALUE;
}

static dl_value make_view(dl *L, view_spec *spec, ir_opcode code, const ir_type *type)
{
    at(L, spec->args->call);
    dl_value view = spec->tensor;
    view.ir = dl_emit(L, code, type, 1, &spec->tensor.ir);
    view.type = type;
    return view;
}

static dl_value make_partition(dl *L, view_spec *spec)
{
    return make_view(L, spec, IR_OP_MAKE_PARTITION_VIEW,
                     ir_type_partition_view(L->module, spec->tensor.type, spec->rank, spec->tile,
                                            spec->dims, (ir_padding)spec->padding));
}

dl_value lower_partition(dl *L, const dl_args *args)
{
    view_spec spec;
    if (!open_view(L, args, &spec) || !read_tile(L, args->arg[1], &spec))
        return dl_poison();
    return make_partition(L, &spec);
}

dl_value lower_partition_padded(dl *L, const dl_args *args)
{
    view_spec spec;
    if (!open_view(L, args, &spec) || !read_padding(L, args->arg[1], &spec) ||
        !read_tile(L, args->arg[2], &spec))
        return dl_poison();
    return make_partition(L, &spec);
}

dl_value lower_partition_mapped(dl *L, const dl_args *args)
{
    view_spec spec;
    if (!open_view(L, args, &spec) || !read_tile(L, args->arg[1], &spec) ||
        !read_dims(L, args->arg[2], &spec) || !read_padding(L, args->arg[3], &spec))
        return dl_poison();
    return make_partition(L, &spec);
}

dl_value lower_strided(dl *L, const dl_args *args)
{
    view_spec spec;
    int64_t steps[IR_MAX_RANK];
    int n;
    if (!open_view(L, args, &spec) || !read_tile(L, args->arg[1], &spec) ||
        !dl_constant_list(L, args->arg[2], "a step", 1, INT32_MAX, steps, &n))
        return dl_poison();
    if (n != spec.rank)
        return dl_fail(L, args->call, NULL, "%d dimensions have %d steps", spec.rank, n);
    if (args->row->a &&
        (!read_dims(L, args->arg[3], &spec) || !read_padding(L, args->arg[4], &spec)))
        return dl_poison();
    return make_view(L, &spec, IR_OP_MAKE_STRIDED_VIEW,
                     ir_type_strided_view(L->module, spec.tensor.type, spec.rank, spec.tile, steps,
                                          spec.dims, (ir_padding)spec.padding));
}

dl_value lower_gather_scatter(dl *L, const dl_args *args)
{
    view_spec spec;
    int64_t sparse;
    int padded = args->row->a;
    if (!open_view(L, args, &spec) ||
        !dl_constant(L, args->arg[1], "the sparse dimension", 0, spec.tensor.type->rank - 1,
                     &sparse) ||
        (padded && !read_padding(L, args->arg[2], &spec)) ||
        !read_tile(L, args->arg[2 + padded], &spec))
        return dl_poison();
    return make_view(L, &spec, IR_OP_MAKE_GATHER_SCATTER_VIEW,
                     ir_type_gather_scatter_view(L->module, spec.tensor.type, spec.rank, spec.tile,
                                                 (int)sparse, (ir_padding)spec.padding));
}

dl_value lower_tiles(dl *L, const dl_args *args)
{
    dl_value view = dl_operand(L, args->arg[0]);
    int64_t dim;
    if (view.kind != DL_VALUE)
        return view;
    if (!ir_type_is_tile_view(view.type))
        return dl_fail(L, args->arg[0], NULL, "this is no view");
    if (!dl_constant(L, args->arg[1], "the dimension", 0, view.type->rank - 1, &dim))
        return dl_poison();
    at(L, args->call);
    const ir_type *type = view.type;
    if (type->kind != IR_GATHER_SCATTER_VIEW) {
        int64_t extent = type->tensor->shape[type->dim_map[dim]];
        int64_t step =
            type->kind == IR_STRIDED_VIEW ? type->traversal_strides[dim] : type->shape[dim];
        int64_t count = extent == IR_DYNAMIC ? 0 : extent / step + (extent % step != 0);
        if (count > 0 && count <= INT32_MAX)
            return dl_integer(L, IR_I32, false, count);
    }
    const ir_type *i32 = dl_scalar_type(L, IR_I32), *types[IR_MAX_RANK];
    uint32_t n = (uint32_t)type->rank;
    for (uint32_t i = 0; i < n; i++)
        types[i] = i32;
    ir_operand_list group = {&view.ir, 1};
    ir_op *op = dl_build(L, IR_OP_GET_INDEX_SPACE_SHAPE, &group, n, types, &n);
    return dl_of(&op->results[dim], true, false);
}
