/* Types: interned by their text, which says everything that a type is. */
#include "ir/ir.h"
#include "ir/module.h"
#include "base/ds.h"

/* One row an element type: name, bits, bytes in memory, bytes in a dense payload. */
static const struct scalar_row {
    const char *name;
    int bits, bytes, dense_bytes;
} scalars[] = {
    [IR_I1] = {"i1", 1, 1, 0},
    [IR_I4] = {"i4", 4, 1, 1},
    [IR_I8] = {"i8", 8, 1, 1},
    [IR_I16] = {"i16", 16, 2, 2},
    [IR_I32] = {"i32", 32, 4, 4},
    [IR_I64] = {"i64", 64, 8, 8},
    [IR_F16] = {"f16", 16, 2, 2},
    [IR_BF16] = {"bf16", 16, 2, 2},
    [IR_F32] = {"f32", 32, 4, 4},
    [IR_TF32] = {"tf32", 32, 4, 3},
    [IR_F64] = {"f64", 64, 8, 8},
    [IR_F8E4M3FN] = {"f8E4M3FN", 8, 1, 1},
    [IR_F8E5M2] = {"f8E5M2", 8, 1, 1},
    [IR_F8E8M0FNU] = {"f8E8M0FNU", 8, 1, 1},
    [IR_F4E2M1FN] = {"f4E2M1FN", 4, 1, 1},
    [IR_FNV8E5M3FNU] = {"fnv8E5M3FNU", 8, 1, 1},
    [IR_POINTER] = {"ptr", 64, 8, 8},
};

static const char *const paddings[] = {
    [IR_PAD_ZERO] = "zero",       [IR_PAD_NEG_ZERO] = "neg_zero", [IR_PAD_NAN] = "nan",
    [IR_PAD_POS_INF] = "pos_inf", [IR_PAD_NEG_INF] = "neg_inf",
};

static const char *const ptr_attrs[] = {
    [IR_PTR_ATTR_NONE] = "none",
    [IR_PTR_ATTR_UNICAST] = "unicast",
    [IR_PTR_ATTR_MULTICAST] = "multicast",
};

/* ---- Text ---- */

static void print_extent(tr_text *out, int64_t extent)
{
    if (extent == IR_DYNAMIC) {
        tr_text_add(out, "?");
    } else {
        tr_text_addf(out, "%lld", (long long)extent);
    }
}

static void print_list(tr_text *out, int count, const int64_t *numbers, const char *separator)
{
    for (int i = 0; i < count; i++) {
        tr_text_add(out, i ? separator : "");
        print_extent(out, numbers[i]);
    }
}

static void print_shape_and_elem(tr_text *out, const ir_type *type)
{
    print_list(out, type->rank, type->shape, "x");
    tr_text_add(out, type->rank ? "x" : "");
    ir_type_print(out, type->elem);
}

static void print_pointer(tr_text *out, const ir_type *type)
{
    tr_text_add(out, "ptr<");
    ir_type_print(out, type->elem);
    if (type->ptr_attr != IR_PTR_ATTR_ABSENT) {
        tr_text_addf(out, ", <%s>", ptr_attrs[type->ptr_attr]);
    }
    tr_text_add(out, ">");
}

static void print_tensor_view(tr_text *out, const ir_type *type)
{
    tr_text_add(out, "tensor_view<");
    print_shape_and_elem(out, type);
    if (type->rank) {
        tr_text_add(out, ", strides=[");
        print_list(out, type->rank, type->strides, ",");
        tr_text_add(out, "]");
    }
    if (type->ptr_attr != IR_PTR_ATTR_ABSENT) {
        tr_text_addf(out, ", #cuda_tile.ptr_attr<%s>", ptr_attrs[type->ptr_attr]);
    }
    tr_text_add(out, ">");
}

static void print_dim_map(tr_text *out, const ir_type *type)
{
    bool identity = true;
    for (int i = 0; i < type->rank; i++) {
        identity = identity && type->dim_map[i] == i;
    }
    if (identity) {
        return;
    }
    tr_text_add(out, ", dim_map=[");
    for (int i = 0; i < type->rank; i++) {
        tr_text_addf(out, "%s%d", i ? ", " : "", type->dim_map[i]);
    }
    tr_text_add(out, "]");
}

static void print_tile_view(tr_text *out, const ir_type *type)
{
    static const char *const names[] = {
        [IR_PARTITION_VIEW] = "partition_view",
        [IR_STRIDED_VIEW] = "strided_view",
        [IR_GATHER_SCATTER_VIEW] = "gather_scatter_view",
    };
    tr_text_addf(out, "%s<tile=(", names[type->kind]);
    print_list(out, type->rank, type->shape, "x");
    tr_text_add(out, "), ");
    if (type->kind == IR_STRIDED_VIEW) {
        tr_text_add(out, "traversal_strides=[");
        print_list(out, type->rank, type->traversal_strides, ",");
        tr_text_add(out, "], ");
    }
    if (type->padding != IR_PAD_NONE) {
        tr_text_addf(out, "padding_value = %s, ", paddings[type->padding]);
    }
    ir_type_print(out, type->tensor);
    if (type->kind == IR_GATHER_SCATTER_VIEW) {
        tr_text_addf(out, ", sparse_dim=%d", type->sparse_dim);
    } else {
        print_dim_map(out, type);
    }
    tr_text_add(out, ">");
}

static void print_types(tr_text *out, int count, const ir_type *const *types)
{
    for (int i = 0; i < count; i++) {
        tr_text_add(out, i ? ", " : "");
        ir_type_print(out, types[i]);
    }
}

void ir_type_print(tr_text *out, const ir_type *type)
{
    switch (type->kind) {
    case IR_POINTER:
        print_pointer(out, type);
        break;
    case IR_TILE:
        tr_text_add(out, "tile<");
        print_shape_and_elem(out, type);
        tr_text_add(out, ">");
        break;
    case IR_TENSOR_VIEW:
        print_tensor_view(out, type);
        break;
    case IR_PARTITION_VIEW:
    case IR_STRIDED_VIEW:
    case IR_GATHER_SCATTER_VIEW:
        print_tile_view(out, type);
        break;
    case IR_TOKEN:
        tr_text_add(out, "token");
        break;
    case IR_FUNCTION_TYPE:
        tr_text_add(out, "(");
        print_types(out, type->n_params, type->params);
        tr_text_add(out, ") -> (");
        print_types(out, type->n_results, type->results);
        tr_text_add(out, ")");
        break;
    default:
        tr_text_add(out, scalars[type->kind].name);
    }
}

/* ---- Interning ---- */

typedef struct type_entry {
    char *key;
    const ir_type *value;
} type_entry;

struct ir_types {
    type_entry *by_text; /* stb_ds string map, keys in the module's arena */
    tr_text scratch;
    uint32_t count;
};

struct ir_types *ir_types_new(tr_arena *arena)
{
    return TR_NEW(arena, struct ir_types);
}

void ir_types_free(struct ir_types *types)
{
    shfree(types->by_text);
    tr_text_free(&types->scratch);
}

/* Equal types have equal texts. The candidate lies on the caller's stack, with the caller's arrays:
 * they are copied only for a type not seen before. */
static const ir_type *intern(ir_module *module, const ir_type *candidate)
{
    struct ir_types *types = module->types;
    tr_text_clear(&types->scratch);
    ir_type_print(&types->scratch, candidate);
    ptrdiff_t at = shgeti(types->by_text, types->scratch.data);
    if (at >= 0) {
        return types->by_text[at].value;
    }
    tr_arena *arena = module->arena;
    ir_type *type = tr_arena_copy(arena, candidate, sizeof *candidate);
    size_t rank = (size_t)type->rank;
    if (type->shape) {
        type->shape = tr_arena_copy(arena, type->shape, rank * sizeof *type->shape);
    }
    if (type->strides) {
        type->strides = tr_arena_copy(arena, type->strides, rank * sizeof *type->strides);
    }
    if (type->dim_map) {
        type->dim_map = tr_arena_copy(arena, type->dim_map, rank * sizeof *type->dim_map);
    }
    if (type->traversal_strides) {
        type->traversal_strides =
            tr_arena_copy(arena, type->traversal_strides, rank * sizeof *type->traversal_strides);
    }
    if (type->kind == IR_FUNCTION_TYPE) {
        type->params =
            tr_arena_copy(arena, type->params, (size_t)type->n_params * sizeof *type->params);
        type->results =
            tr_arena_copy(arena, type->results, (size_t)type->n_results * sizeof *type->results);
    }
    type->id = types->count++;
    char *key = tr_arena_strndup(arena, types->scratch.data, types->scratch.length);
    shput(types->by_text, key, type);
    return type;
}

const ir_type *ir_type_scalar(ir_module *module, ir_type_kind kind)
{
    return intern(module, &(ir_type){.kind = kind});
}

const ir_type *ir_type_pointer_with(ir_module *module, const ir_type *pointee, ir_ptr_attr attr)
{
    TR_ASSERT(pointee);
    return intern(module, &(ir_type){.kind = IR_POINTER, .elem = pointee, .ptr_attr = attr});
}

const ir_type *ir_type_pointer(ir_module *module, const ir_type *pointee)
{
    return ir_type_pointer_with(module, pointee, IR_PTR_ATTR_ABSENT);
}

/* A list that is there even when its length is 0, so that users need not ask. */
static const int64_t no_extents[1];

const ir_type *ir_type_tile(ir_module *module, const ir_type *elem, int rank, const int64_t *shape)
{
    TR_ASSERT(elem); /* any rank: the verifier says what a module may have */
    return intern(module, &(ir_type){.kind = IR_TILE,
                                     .elem = elem,
                                     .rank = rank,
                                     .shape = rank ? shape : no_extents});
}

const ir_type *ir_type_tensor_view_with(ir_module *module, const ir_type *elem, int rank,
                                        const int64_t *shape, const int64_t *strides,
                                        ir_ptr_attr attr)
{
    TR_ASSERT(elem);
    return intern(module, &(ir_type){.kind = IR_TENSOR_VIEW,
                                     .elem = elem,
                                     .rank = rank,
                                     .shape = rank ? shape : no_extents,
                                     .strides = rank ? strides : no_extents,
                                     .ptr_attr = attr});
}

const ir_type *ir_type_tensor_view(ir_module *module, const ir_type *elem, int rank,
                                   const int64_t *shape, const int64_t *strides)
{
    return ir_type_tensor_view_with(module, elem, rank, shape, strides, IR_PTR_ATTR_ABSENT);
}

/* The identity, for callers that give no dim_map. */
static const int32_t *dim_map_or_identity(ir_module *module, int rank, const int32_t *dim_map)
{
    if (dim_map) {
        return dim_map;
    }
    int32_t *identity = TR_NEW_ARRAY(module->arena, int32_t, rank ? rank : 1);
    for (int i = 0; i < rank; i++) {
        identity[i] = i;
    }
    return identity;
}

const ir_type *ir_type_partition_view(ir_module *module, const ir_type *tensor, int rank,
                                      const int64_t *tile, const int32_t *dim_map,
                                      ir_padding padding)
{
    TR_ASSERT(tensor);
    return intern(module, &(ir_type){.kind = IR_PARTITION_VIEW,
                                     .elem = tensor->elem,
                                     .rank = rank,
                                     .shape = rank ? tile : no_extents,
                                     .tensor = tensor,
                                     .dim_map = dim_map_or_identity(module, rank, dim_map),
                                     .padding = padding});
}

const ir_type *ir_type_strided_view(ir_module *module, const ir_type *tensor, int rank,
                                    const int64_t *tile, const int64_t *traversal_strides,
                                    const int32_t *dim_map, ir_padding padding)
{
    TR_ASSERT(tensor);
    return intern(module, &(ir_type){.kind = IR_STRIDED_VIEW,
                                     .elem = tensor->elem,
                                     .rank = rank,
                                     .shape = rank ? tile : no_extents,
                                     .tensor = tensor,
                                     .traversal_strides = rank ? traversal_strides : no_extents,
                                     .dim_map = dim_map_or_identity(module, rank, dim_map),
                                     .padding = padding});
}

const ir_type *ir_type_gather_scatter_view(ir_module *module, const ir_type *tensor, int rank,
                                           const int64_t *tile, int sparse_dim, ir_padding padding)
{
    TR_ASSERT(tensor);
    return intern(module, &(ir_type){.kind = IR_GATHER_SCATTER_VIEW,
                                     .elem = tensor->elem,
                                     .rank = rank,
                                     .shape = rank ? tile : no_extents,
                                     .tensor = tensor,
                                     .dim_map = dim_map_or_identity(module, rank, NULL),
                                     .sparse_dim = sparse_dim,
                                     .padding = padding});
}

const ir_type *ir_type_token(ir_module *module)
{
    return intern(module, &(ir_type){.kind = IR_TOKEN});
}

const ir_type *ir_type_function(ir_module *module, int n_params, const ir_type *const *params,
                                int n_results, const ir_type *const *results)
{
    return intern(module, &(ir_type){.kind = IR_FUNCTION_TYPE,
                                     .n_params = n_params,
                                     .params = params,
                                     .n_results = n_results,
                                     .results = results});
}

/* ---- Questions ---- */

bool ir_type_is_int(const ir_type *type)
{
    return type->kind <= IR_I64;
}

bool ir_type_is_float(const ir_type *type)
{
    return type->kind >= IR_F16 && type->kind < IR_POINTER;
}

bool ir_type_is_tile_of_int(const ir_type *type)
{
    return type->kind == IR_TILE && ir_type_is_int(type->elem);
}

bool ir_type_is_tile_view(const ir_type *type)
{
    return type->kind == IR_PARTITION_VIEW || type->kind == IR_STRIDED_VIEW ||
           type->kind == IR_GATHER_SCATTER_VIEW;
}

int ir_type_bits(const ir_type *elem)
{
    return elem->kind <= IR_POINTER ? scalars[elem->kind].bits : 0;
}

int ir_type_bytes(const ir_type *elem)
{
    return elem->kind <= IR_POINTER ? scalars[elem->kind].bytes : 0;
}

int ir_type_dense_bytes(const ir_type *elem)
{
    return elem->kind <= IR_POINTER ? scalars[elem->kind].dense_bytes : 0;
}

int64_t ir_type_elements(const ir_type *tile)
{
    int64_t product = 1;
    for (int i = 0; i < tile->rank; i++) {
        if (__builtin_mul_overflow(product, tile->shape[i], &product)) {
            return INT64_MAX;
        }
    }
    return product;
}
