/* Types. */
#include "bytecode/read.h"

enum {
    MAX_TYPE_DEPTH = 16, /* function, view, tensor view, pointer, number: 5 */
    MAX_PARAMS = 4096,   /* a launch has 32764 bytes of parameters, most of them 4 or 8 long */
};

static const ir_type *read_entry(bc_reader *r, uint64_t number);

const ir_type *bc_type(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t start = c->at;
    uint64_t number = bc_varint(r, c, what);
    if (r->failed) {
        return NULL;
    }
    if (number >= r->types.count) {
        bc_fail(r, start, "%s is type %llu of %llu", what, (unsigned long long)number,
                (unsigned long long)r->types.count);
        return NULL;
    }
    return r->read_types[number] ? r->read_types[number] : read_entry(r, number);
}

static void complain(bc_reader *r, size_t offset, const char *name, const char *what)
{
    bc_fail(r, offset, "a %s type %s", name, what);
}

/* An element of a tile, a tensor view or behind a pointer. */
static const ir_type *element(bc_reader *r, bc_cursor *c, const char *of, bool pointer_allowed)
{
    size_t start = c->at;
    const ir_type *type = bc_type(r, c, "an element type");
    ir_type_kind last = pointer_allowed ? IR_POINTER : IR_FNV8E5M3FNU;
    if (type && type->kind > last) {
        complain(r, start, of, "of elements that are no numbers");
        return NULL;
    }
    return type;
}

static int64_t *extents(bc_reader *r, bc_cursor *c, unsigned bytes, const char *of, int *rank)
{
    size_t start = c->at;
    uint64_t count = 0;
    int64_t *numbers = bc_numbers(r, c, bytes, &count, "the extents of a type");
    if (count > IR_MAX_RANK) {
        bc_fail(r, start, "a %s type of rank %llu; %d is the most", of, (unsigned long long)count,
                IR_MAX_RANK);
        count = 0;
    }
    *rank = (int)count;
    return numbers;
}

/* ---- Optional parts: a flags word before the type from some version on, else a byte ---- */

static bool optional_flag(bc_reader *r, bc_cursor *c, bool has_flags)
{
    if (!has_flags) {
        return false;
    }
    size_t start = c->at;
    uint64_t flags = bc_varint(r, c, "the flags of a type");
    if (flags > 1) {
        bc_fail(r, start, "unknown flags 0x%llx of a type", (unsigned long long)flags);
    }
    return flags & 1;
}

static ir_ptr_attr ptr_attr(bc_reader *r, bc_cursor *c, bool there)
{
    size_t start = c->at;
    uint64_t value = there ? bc_varint(r, c, "a pointer attribute") + 1 : IR_PTR_ATTR_ABSENT;
    if (value > bc_last_ptr_attr(r->minor)) {
        bc_fail(r, start, "version 13.%u knows no pointer attribute %llu", r->minor,
                (unsigned long long)value - 1);
    }
    return (ir_ptr_attr)value;
}

static ir_padding padding(bc_reader *r, bc_cursor *c, bool flag)
{
    if (r->minor < BC_SINCE_TYPE_FLAGS) {
        size_t at = c->at;
        uint8_t there = bc_byte(r, c, "a padding value's flag");
        if (there > 1) {
            bc_fail(r, at, "a padding value's flag is %u", there);
        }
        flag = there;
    }
    size_t start = c->at;
    uint64_t value = flag ? bc_varint(r, c, "a padding value") + 1 : IR_PAD_NONE;
    if (value > IR_PAD_NEG_INF) {
        bc_fail(r, start, "unknown padding value %llu", (unsigned long long)value - 1);
    }
    return (ir_padding)value;
}

/* ---- One kind each ---- */

static const ir_type *read_pointer(bc_reader *r, bc_cursor *c)
{
    bool flag = optional_flag(r, c, r->minor >= BC_SINCE_POINTER_FLAGS);
    const ir_type *pointee = element(r, c, "pointer", false);
    ir_ptr_attr attr = ptr_attr(r, c, flag);
    return r->failed ? NULL : ir_type_pointer_with(r->module, pointee, attr);
}

static const ir_type *read_tile(bc_reader *r, bc_cursor *c)
{
    const ir_type *elem = element(r, c, "tile", true);
    size_t start = c->at;
    int rank;
    int64_t *shape = extents(r, c, 8, "tile", &rank);
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 1) {
            complain(r, start, "tile", "with an extent below 1");
        }
    }
    return r->failed ? NULL : ir_type_tile(r->module, elem, rank, shape);
}

static const ir_type *read_tensor_view(bc_reader *r, bc_cursor *c)
{
    bool flag = optional_flag(r, c, r->minor >= BC_SINCE_POINTER_FLAGS);
    const ir_type *elem = element(r, c, "tensor_view", false);
    size_t start = c->at;
    int rank, n_strides;
    int64_t *shape = extents(r, c, 8, "tensor_view", &rank);
    int64_t *strides = extents(r, c, 8, "tensor_view", &n_strides);
    if (rank != n_strides) {
        complain(r, start, "tensor_view", "whose number of strides is not that of its extents");
    }
    ir_ptr_attr attr = ptr_attr(r, c, flag);
    return r->failed ? NULL : ir_type_tensor_view_with(r->module, elem, rank, shape, strides, attr);
}

static const ir_type *underlying(bc_reader *r, bc_cursor *c, const char *of)
{
    size_t start = c->at;
    const ir_type *tensor = bc_type(r, c, "a view's tensor view");
    if (tensor && tensor->kind != IR_TENSOR_VIEW) {
        complain(r, start, of, "over something that is no tensor_view");
        return NULL;
    }
    return tensor;
}

/* Reads which tensor dimension each tile dimension runs along; fails when there are not as many as
 * extents. */
static void read_dim_map(bc_reader *r, bc_cursor *c, const char *of, int rank,
                         int32_t map[IR_MAX_RANK])
{
    size_t start = c->at;
    int count;
    int64_t *numbers = extents(r, c, 4, of, &count);
    if (count != rank) {
        complain(r, start, of, "whose dim_map has another length than its tile");
        return;
    }
    for (int i = 0; i < rank; i++) {
        map[i] = (int32_t)numbers[i];
    }
}

/* The three tile views: tile, traversal strides, tensor view, dim_map or sparse_dim, padding. */
static const ir_type *read_tile_view(bc_reader *r, bc_cursor *c, const bc_type_row *row)
{
    bool flag = optional_flag(r, c, r->minor >= BC_SINCE_TYPE_FLAGS);
    int rank, n_strides;
    int64_t *tile = extents(r, c, 4, row->name, &rank);
    int64_t *strides = NULL;
    if (row->kind == IR_STRIDED_VIEW) {
        size_t start = c->at;
        strides = extents(r, c, 4, row->name, &n_strides);
        if (n_strides != rank) {
            complain(r, start, row->name, "whose traversal strides do not fit its tile");
        }
    }
    const ir_type *tensor = underlying(r, c, row->name);
    int32_t map[IR_MAX_RANK] = {0};
    uint64_t sparse_dim = 0;
    if (row->kind == IR_GATHER_SCATTER_VIEW) {
        size_t start = c->at;
        sparse_dim = bc_varint(r, c, "a sparse dimension");
        if (sparse_dim >= IR_MAX_RANK) {
            complain(r, start, row->name, "whose sparse_dim is no dimension");
        }
    } else {
        read_dim_map(r, c, row->name, rank, map);
    }
    ir_padding pad = padding(r, c, flag);
    if (r->failed) {
        return NULL;
    }
    switch (row->kind) {
    case IR_PARTITION_VIEW:
        return ir_type_partition_view(r->module, tensor, rank, tile, map, pad);
    case IR_STRIDED_VIEW:
        return ir_type_strided_view(r->module, tensor, rank, tile, strides, map, pad);
    default:
        return ir_type_gather_scatter_view(r->module, tensor, rank, tile, (int)sparse_dim, pad);
    }
}

/* Function types hold value types only: no function takes a function. */
static const ir_type **value_types(bc_reader *r, bc_cursor *c, int *count)
{
    size_t at = c->at;
    uint64_t n = bc_count(r, c, 1, "the number of a function's parameters or results");
    if (n > MAX_PARAMS) {
        bc_fail(r, at, "a function type with %llu parameters or results; %d are the most",
                (unsigned long long)n, MAX_PARAMS);
        n = 0;
    }
    const ir_type **types = TR_NEW_ARRAY(r->scratch, const ir_type *, n + 1);
    for (uint64_t i = 0; i < n && !r->failed; i++) {
        size_t start = c->at;
        types[i] = bc_type(r, c, "a parameter or result");
        if (types[i] && (types[i]->kind < IR_TILE || types[i]->kind == IR_FUNCTION_TYPE)) {
            complain(r, start, "function",
                     "with a parameter or result of a type that values cannot have");
        }
    }
    *count = r->failed ? 0 : (int)n;
    return types;
}

static const ir_type *read_function_type(bc_reader *r, bc_cursor *c)
{
    int n_params, n_results;
    const ir_type **params = value_types(r, c, &n_params);
    const ir_type **results = value_types(r, c, &n_results);
    return r->failed ? NULL : ir_type_function(r->module, n_params, params, n_results, results);
}

static const ir_type *read_kind(bc_reader *r, bc_cursor *c, const bc_type_row *row)
{
    switch (row->kind) {
    case IR_POINTER:
        return read_pointer(r, c);
    case IR_TILE:
        return read_tile(r, c);
    case IR_TENSOR_VIEW:
        return read_tensor_view(r, c);
    case IR_PARTITION_VIEW:
    case IR_STRIDED_VIEW:
    case IR_GATHER_SCATTER_VIEW:
        return read_tile_view(r, c, row);
    case IR_TOKEN:
        return ir_type_token(r->module);
    case IR_FUNCTION_TYPE:
        return read_function_type(r, c);
    default:
        return ir_type_scalar(r->module, row->kind);
    }
}

static const bc_type_row *read_tag(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    uint64_t tag = bc_varint(r, c, "a type's tag");
    if (r->failed) {
        return NULL;
    }
    const bc_type_row *row = bc_type_of_tag(tag);
    if (!row) {
        bc_fail(r, start, "unknown type tag %llu", (unsigned long long)tag);
    } else if (row->since_minor > r->minor) {
        bc_fail(r, start, "type %s (tag %u) in version 13.%u; it came with 13.%u", row->name,
                row->tag, r->minor, row->since_minor);
    }
    return r->failed ? NULL : row;
}

static const ir_type *read_entry(bc_reader *r, uint64_t number)
{
    bc_cursor c = bc_range(r->types.at[number], r->types.at[number + 1]);
    if (r->types_in_progress[number]) {
        bc_fail(r, c.at, "type %llu contains itself", (unsigned long long)number);
        return NULL;
    }
    if (!bc_enter(r, &r->type_depth, c.at, MAX_TYPE_DEPTH, "types")) {
        return NULL;
    }
    r->types_in_progress[number] = true;
    const bc_type_row *row = read_tag(r, &c);
    const ir_type *type = row ? read_kind(r, &c, row) : NULL;
    bc_expect_end(r, &c, "a type");
    r->types_in_progress[number] = false;
    r->type_depth--;
    if (!bc_afford(r, c.start, 0)) {
        return NULL;
    }
    r->read_types[number] = type;
    return type;
}

void bc_read_types(bc_reader *r, bc_cursor *c)
{
    r->types = bc_read_table(r, c, 4, "the types");
    r->read_types = TR_NEW_ARRAY(r->scratch, const ir_type *, r->types.count + 1);
    r->types_in_progress = TR_NEW_ARRAY(r->scratch, bool, r->types.count + 1);
    for (uint64_t i = 0; i < r->types.count && !r->failed; i++) {
        if (!r->read_types[i]) {
            read_entry(r, i);
        }
    }
}
