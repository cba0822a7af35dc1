/* Walks pointers, views and memory operations, and finds where each access goes. */
#include "index_space/walk.h"

#include "base/ds.h"

/* ---- Section: pointers ---- */

static ix_value pointer_to(ix_walk *walk, int allocation, int arg, smt_t bytes)
{
    (void)walk;
    return (ix_value){.kind = IX_POINTER, .term = bytes, .allocation = allocation, .arg = arg};
}

static smt_t plus(ix_walk *walk, smt_t bytes, void *by)
{
    return smt_add(walk->ctx, bytes, by);
}

static void offset(ix_walk *walk, const ir_op *op)
{
    ix_value v = ix_get(walk, op->operands[0]);
    if (v.kind != IX_POINTER)
        v = ix_private_value(walk, op->operands[0], "pointer");
    int width = ir_type_bytes(ix_element_type(op->results[0].type)->elem);
    const ir_value *steps = op->operands[1];
    int bits = ir_type_bits(ix_element_type(steps->type));
    smt_t by = ix_as_signed(walk, ix_int(walk, steps), bits);
    if (ir_type_bits(ix_element_type(op->results[0].type)->elem) == 4) { /* two to a byte */
        smt_t two = smt_int_const(walk->ctx, 2);
        smt_int odd;
        if (!smt_is_const(smt_mod(walk->ctx, by, two), &odd) || odd) {
            v = ix_private_value(walk, &op->results[0], "pointer");
            v.unknown = "a pointer to 4-bit elements is moved by a number that may be odd";
            ix_set(walk, &op->results[0], v);
            return;
        }
        by = smt_div(walk->ctx, by, two);
    }
    ix_change_candidates(walk, &v, false, plus, (void *)smt_scale(walk->ctx, by, width));
    ix_set(walk, &op->results[0], v);
}

/* Number of the n-th allocation of a space, or of the global of that name. */
static int find_allocation(const ix_walk *walk, ix_space space, const char *name)
{
    for (size_t a = 0; a < walk->s->n_allocations; a++)
        if (walk->s->allocations[a].space == space &&
            strcmp(walk->s->allocations[a].name, name) == 0)
            return (int)a;
    return -1;
}

static bool walk_pointer(ix_walk *walk, const ir_op *op)
{
    const ir_value *result = &op->results[0];
    smt_t zero = smt_int_const(walk->ctx, 0);
    switch (op->code) {
    case IR_OP_OFFSET:
        offset(walk, op);
        return true;
    case IR_OP_PTR_TO_PTR:
        ix_set(walk, result, ix_get(walk, op->operands[0]));
        return true;
    case IR_OP_ALLOCA: {
        const char *name = tr_arena_printf(walk->arena, "alloca.%u", op->ordinal);
        ix_set(walk, result, pointer_to(walk, find_allocation(walk, IX_ALLOCA, name), -1, zero));
        return true;
    }
    case IR_OP_GET_GLOBAL: {
        const char *name = op->attrs[IR_AT_GET_GLOBAL_name].string;
        ix_set(walk, result,
               pointer_to(walk, find_allocation(walk, IX_GLOBAL, name ? name : ""), -1, zero));
        return true;
    }
    case IR_OP_INT_TO_PTR: {
        if (ix_region_pointer(walk, result, ix_int(walk, op->operands[0])))
            return true;
        ix_value v = ix_private_value(walk, result, "int_to_ptr");
        v.unknown = "the pointer is made from an integer";
        ix_set(walk, result, v);
        return true;
    }
    default:
        return false;
    }
}

/* ---- Section: views ---- */

static const ix_tensor *tensor_at(ix_walk *walk, const ir_op *op, const ix_value *base)
{
    const ir_type *type = op->results[0].type;
    ix_tensor *tensor = TR_NEW(walk->arena, ix_tensor);
    *tensor = (ix_tensor){.allocation = -1, .arg = -1, .rank = type->rank, .op = op};
    tensor->width = ir_type_bytes(type->elem);
    tensor->bytes = smt_int_const(walk->ctx, 0);
    if (base->kind == IX_POINTER) {
        tensor->allocation = base->allocation;
        tensor->arg = base->arg;
        tensor->bytes = base->term;
        tensor->region = base->region;
    }
    uint32_t n_shape, n_strides, next_shape = 0, next_stride = 0;
    ir_value **shape = ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n_shape);
    ir_value **strides = ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n_strides);
    for (int d = 0; d < type->rank; d++) {
        tensor->shape[d] = type->shape[d] == IR_DYNAMIC && next_shape < n_shape
                               ? ix_int(walk, shape[next_shape++])
                               : smt_int_const(walk->ctx, type->shape[d]);
        tensor->stride[d] = type->strides[d] == IR_DYNAMIC && next_stride < n_strides
                                ? ix_int(walk, strides[next_stride++])
                                : smt_int_const(walk->ctx, type->strides[d]);
    }
    return tensor;
}

/* Makes a tensor; where the pointer may point into several buffers, one for each of them. */
static void make_tensor(ix_walk *walk, const ir_op *op)
{
    ix_value base = ix_get(walk, op->operands[0]), tensor = base;
    tensor.kind = IX_TENSOR;
    tensor.tensor = tensor_at(walk, op, &base);
    if (base.choice) {
        ix_value *values = TR_NEW_ARRAY(walk->arena, ix_value, base.choice->n);
        for (size_t i = 0; i < base.choice->n; i++) {
            values[i] = base.choice->values[i];
            values[i].kind = IX_TENSOR;
            values[i].tensor = tensor_at(walk, op, &base.choice->values[i]);
        }
        ix_choice *choice = TR_NEW(walk->arena, ix_choice);
        *choice = (ix_choice){base.choice->n, base.choice->guards, values};
        tensor.choice = choice;
    }
    ix_set(walk, &op->results[0], tensor);
}

/* A tensor's extents and strides are unsigned numbers; its terms say what they say only where none
 * is negative. */
static void expect_sizes(ix_walk *walk, const ir_op *op, const ix_tensor *tensor)
{
    smt_t zero = smt_int_const(walk->ctx, 0);
    for (int d = 0; d < tensor->rank; d++) {
        const smt_t sizes[] = {tensor->shape[d], tensor->stride[d]};
        for (size_t i = 0; i < TR_COUNT(sizes); i++)
            ix_hazard_add(walk, IX_EXTENT, op, false, smt_le(walk->ctx, zero, sizes[i]), sizes[i]);
    }
}

/* Extent of a view's index space in tile dimension i; NULL where the view has none of its own. */
static smt_t index_space_extent(ix_walk *walk, const ir_type *view, const ix_tensor *tensor, int i)
{
    if (view->kind == IR_GATHER_SCATTER_VIEW)
        return NULL;
    int64_t step = view->kind == IR_STRIDED_VIEW ? view->traversal_strides[i] : view->shape[i];
    return smt_div_ceil(walk->ctx, tensor->shape[view->dim_map[i]], smt_int_const(walk->ctx, step));
}

/* Width of the numbers that the tensor's dynamic extents came in. */
static int size_bits(const ix_tensor *tensor)
{
    uint32_t count;
    ir_value **shape = ir_group(tensor->op, IR_MAKE_TENSOR_VIEW_dynamic_shape, &count);
    return count ? ir_type_bits(ix_element_type(shape[0]->type)) : 0;
}

static bool walk_view(ix_walk *walk, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_MAKE_TENSOR_VIEW:
        make_tensor(walk, op);
        return true;
    case IR_OP_MAKE_PARTITION_VIEW:
    case IR_OP_MAKE_STRIDED_VIEW:
    case IR_OP_MAKE_GATHER_SCATTER_VIEW: {
        ix_value v = ix_get(walk, op->operands[0]);
        v.kind = IX_VIEW;
        ix_set(walk, &op->results[0], v);
        return true;
    }
    case IR_OP_GET_TENSOR_SHAPE:
    case IR_OP_GET_INDEX_SPACE_SHAPE: {
        ix_value v = ix_get(walk, op->operands[0]);
        if (v.tensor)
            expect_sizes(walk, op, v.tensor);
        for (uint32_t i = 0; v.tensor && i < op->n_results; i++) {
            smt_t extent = op->code == IR_OP_GET_TENSOR_SHAPE
                               ? v.tensor->shape[i]
                               : index_space_extent(walk, op->operands[0]->type, v.tensor, (int)i);
            int bits = ir_type_bits(ix_element_type(op->results[i].type));
            if (extent && size_bits(v.tensor) > bits)
                extent = ix_wrap(walk, extent, bits);
            if (extent)
                ix_set_int(walk, &op->results[i], extent);
        }
        return true;
    }
    default:
        return false;
    }
}

/* ---- Section: memory operations ---- */

/* Operands of a memory op by their part, whatever the op. NULL where it has none. */
typedef struct parts {
    const ir_value *pointers, *mask, *padding, *view, *tile;
    ir_value **index;
    uint32_t n_index;
} parts;

static parts parts_of(const ir_op *op)
{
    parts p = {.pointers = ir_operand_in_role(op, IR_ROLE_ADDRESS),
               .mask = ir_operand_in_role(op, IR_ROLE_MASK),
               .padding = ir_operand_in_role(op, IR_ROLE_PADDING),
               .view = ir_operand_in_role(op, IR_ROLE_VIEW)};
    p.index = ir_group_in_role(op, IR_ROLE_INDEX, &p.n_index);
    return p;
}

static ix_access new_access(ix_walk *walk, const ir_op *op)
{
    unsigned effects = ir_op_info_of(op->code)->effects;
    ix_access access = {.op = op,
                        .reads = effects & (IR_READS | IR_ATOMIC),
                        .writes = effects & (IR_WRITES | IR_ATOMIC),
                        .atomic = (effects & IR_ATOMIC) != 0,
                        .ordering = ir_memory_ordering(op),
                        .scope = ir_memory_scope(op),
                        .path = walk->path,
                        .facts = walk->facts,
                        .assumed = walk->assumed,
                        .mask = smt_bool_const(walk->ctx, true),
                        .bytes = smt_int_const(walk->ctx, 0),
                        .allocation = -1,
                        .arg = -1,
                        .width = 1};
    int n = ix_loops_here(walk, access.loops);
    access.n_loops = n < 0 ? 0 : (size_t)n;
    if (n < 0)
        access.unknown = "it is inside more loops than are followed";
    return access;
}

static void set_tile(ix_access *access, const ir_type *type)
{
    access->rank = type->rank;
    for (int d = 0; d < type->rank; d++)
        access->tile[d] = type->shape[d];
}

/* Does the op promise that its tile lies inside the tensor along this tile dimension (U5)? */
static bool is_marked_inbounds(const ir_op *op, int dimension)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned i = 0; i < info->n_attrs; i++) {
        const ir_attr *attr = &op->attrs[i];
        if (strcmp(info->attr_names[i], "inbounds") == 0 && attr->kind == IR_ATTR_INTS)
            return (size_t)dimension < attr->count && attr->numbers[dimension] != 0;
    }
    return false;
}

static void address_by_pointers(ix_walk *walk, ix_access *access, const parts *p, const ix_value *v)
{
    set_tile(access, p->pointers->type);
    access->width = ir_type_bytes(ix_element_type(p->pointers->type)->elem);
    if (v->kind != IX_POINTER || v->allocation < 0) {
        access->unknown = v->unknown ? v->unknown : "the pointer is not known";
        return;
    }
    access->allocation = v->allocation;
    access->arg = v->arg;
    access->bytes = v->term;
    access->region = v->region;
    if (ir_type_bits(ix_element_type(p->pointers->type)->elem) == 4)
        access->unknown = "a pointer does not say which half of a byte it means";
    if (p->mask)
        access->mask = smt_and(walk->ctx, access->mask, ix_bool(walk, p->mask));
}

/* Two 4-bit elements share a byte, and a byte is one location (D5): coordinates say nothing of what
 * they touch. */
static void set_bytes(ix_walk *walk, ix_access *access, smt_t linear, int bits)
{
    smt_ctx *ctx = walk->ctx;
    const ix_tensor *tensor = access->tensor;
    if (bits == 4) {
        smt_t two = smt_int_const(ctx, 2);
        access->half = smt_mod(ctx, linear, two);
        access->bytes = smt_add(ctx, tensor->bytes, smt_div(ctx, linear, two));
        access->tensor = NULL;
    } else {
        access->bytes = smt_add(ctx, tensor->bytes, smt_scale(ctx, linear, tensor->width));
    }
}

/* memory-model.md's "index -> address": coordinates, their bounds as a mask, the address. */
static void address_by_view(ix_walk *walk, ix_access *access, const parts *p, const ix_value *v)
{
    smt_ctx *ctx = walk->ctx;
    const ir_type *view = p->view->type;
    const ix_tensor *tensor = v->tensor;
    set_tile(access, view);
    if (!tensor || p->n_index != (uint32_t)view->rank) {
        access->unknown = "the view is not known";
        return;
    }
    access->tensor = tensor;
    access->width = tensor->width;
    access->allocation = tensor->allocation;
    access->arg = tensor->arg;
    access->region = tensor->region;
    if (tensor->allocation < 0)
        access->unknown = v->unknown ? v->unknown : "the view's base pointer is not known";
    access->n_index = view->rank;
    expect_sizes(walk, access->op, tensor);
    smt_t zero = smt_int_const(ctx, 0);
    for (int i = 0; i < view->rank; i++) {
        int d = view->kind == IR_GATHER_SCATTER_VIEW ? i : view->dim_map[i];
        smt_t e = ix_coordinate(ctx, i, view->shape[i]), x = ix_int(walk, p->index[i]);
        int bits = ir_type_bits(ix_element_type(p->index[i]->type));
        if (bits <= 16) /* unsigned; a wider one that is negative is in no space */
            x = ix_as_unsigned(walk, x, bits);
        if (view->kind == IR_GATHER_SCATTER_VIEW && i == view->sparse_dim) {
            /* the rows come as a rank-1 tile: its element number is this tile coordinate */
            smt_t within;
            x = ix_at(walk, x, p->index[i]->type, &e, &within);
            TR_ASSERT(smt_is_true(within));
            access->coordinate[d] = x;
        } else if (view->kind == IR_GATHER_SCATTER_VIEW) {
            access->coordinate[d] = smt_add(ctx, x, e);
        } else {
            int64_t step =
                view->kind == IR_STRIDED_VIEW ? view->traversal_strides[i] : view->shape[i];
            access->coordinate[d] = smt_add(ctx, smt_scale(ctx, x, step), e);
        }
        access->index[i] = x;
        access->index_end[i] = index_space_extent(walk, view, tensor, i);
    }
    bool marked[IR_MAX_RANK] = {false};
    for (int i = 0; i < view->rank; i++) {
        int d = view->kind == IR_GATHER_SCATTER_VIEW ? i : view->dim_map[i];
        marked[d] = is_marked_inbounds(access->op, i);
    }
    smt_t linear = zero, touched = access->mask;
    for (int d = 0; d < tensor->rank; d++) {
        smt_t c = access->coordinate[d] ? access->coordinate[d] : zero;
        smt_t in = smt_and(ctx, smt_le(ctx, zero, c), smt_lt(ctx, c, tensor->shape[d]));
        access->coordinate[d] = c;
        access->mask = smt_and(ctx, access->mask, in);
        if (!marked[d])
            touched = smt_and(ctx, touched, in);
        else
            access->claimed = access->claimed ? smt_and(ctx, access->claimed, in) : in;
        linear = smt_add(ctx, linear, smt_mul(ctx, c, tensor->stride[d]));
    }
    access->touched = access->claimed ? touched : NULL;
    set_bytes(walk, access, linear, ir_type_bits(view->tensor->elem));
}

static smt_t index_space(ix_walk *walk, const ix_access *a)
{
    smt_ctx *ctx = walk->ctx;
    smt_t zero = smt_int_const(ctx, 0), inside = smt_bool_const(ctx, true);
    for (int i = 0; i < a->n_index; i++)
        if (a->index_end[i])
            inside = smt_and(ctx, inside,
                             smt_and(ctx, smt_le(ctx, zero, a->index[i]),
                                     smt_lt(ctx, a->index[i], a->index_end[i])));
    return inside;
}

/* Adds what a defined execution has shown once the access is behind it: its index was in its space,
 * and a single element in its buffer. */
static void assume_after(ix_walk *walk, const ix_access *a, smt_t guard)
{
    smt_ctx *ctx = walk->ctx;
    smt_t defined = index_space(walk, a);
    smt_t elements = a->arg >= 0 ? walk->s->contract->args[a->arg].elements : NULL;
    if (elements && a->rank == 0 && !a->writes && !a->tensor && !a->unknown) {
        smt_t start = walk->s->arg_bytes[a->arg];
        smt_t end = smt_add(ctx, start, smt_scale(ctx, elements, a->width));
        smt_t inside = smt_and(ctx, smt_le(ctx, start, a->bytes), smt_lt(ctx, a->bytes, end));
        defined = smt_and(ctx, defined, smt_implies(ctx, a->mask, inside));
    }
    if (guard) /* of a tile of pointers nothing is said, so no coordinate comes in */
        defined = smt_implies(ctx, guard, defined);
    ix_assume_defined(walk, defined);
}

/* The function that stands for the launch-time contents of an allocation, at one element width. */
static const char *contents_function(ix_walk *walk, int allocation, int width, const ir_type *elem)
{
    summary *s = walk->s;
    const char *name = tr_arena_printf(walk->arena, "%s@launch.%d", s->allocations[allocation].name,
                                       ir_type_bits(elem));
    for (size_t i = 0; i < arrlenu(s->content_names); i++)
        if (strcmp(s->content_names[i], name) == 0)
            return s->content_names[i];
    arrput(s->content_names, name);
    arrput(s->content_allocation, allocation);
    arrput(s->content_width, width);
    return name;
}

/* The element's value at launch, where no op writes the buffer; NULL: the value is the event's own.
 * An address counts as a multiple of the width even where that is not seen (U6). */
static smt_t contents_at_launch(ix_walk *walk, const ix_access *access, const ir_type *elem)
{
    const summary *s = walk->s;
    if (access->allocation < 0 || access->unknown || access->atomic || access->half ||
        s->allocations[access->allocation].space != IX_ARGUMENT ||
        s->allocations[access->allocation].written)
        return NULL;
    smt_int low = 0, high = 1, rest; /* of an i1: whether its byte is 0 (D5) */
    bool is_bool = ir_type_bits(elem) == 1;
    if (!is_bool)
        ix_type_range(elem, &low, &high);
    smt_t width = smt_int_const(walk->ctx, access->width);
    smt_t number = smt_div(walk->ctx, access->bytes, width);
    bool known = smt_is_const(smt_mod(walk->ctx, access->bytes, width), &rest);
    if (known && rest != 0)
        return NULL; /* a word that lies over parts of two elements */
    const char *function = contents_function(walk, access->allocation, access->width, elem);
    smt_t element = smt_app(walk->ctx, function, 1, &number, low, high);
    return is_bool ? smt_ne(walk->ctx, element, smt_int_const(walk->ctx, 0)) : element;
}

static const ir_value *loaded_tile(const ir_op *op)
{
    for (uint32_t i = 0; i < op->n_results; i++)
        if (op->results[i].type->kind == IR_TILE)
            return &op->results[i];
    return NULL;
}

/* Returns what a load gives for an element that its mask or its view leaves out; NULL: that is not
 * known.
 */
static smt_t padding_of(ix_walk *walk, const parts *p, bool is_bool)
{
    if (p->padding)
        return is_bool ? ix_bool(walk, p->padding) : ix_int(walk, p->padding);
    if (!p->view || p->view->type->padding != IR_PAD_ZERO)
        return NULL;
    return is_bool ? smt_bool_const(walk->ctx, false) : smt_int_const(walk->ctx, 0);
}

/* Returns what one of an op's accesses has loaded: launch-time contents where no op writes the
 * buffer, else a value of the event's own. */
static smt_t loaded_by(ix_walk *walk, const ix_access *access, const parts *p, const ix_value *own,
                       const ir_type *elem)
{
    smt_t contents = contents_at_launch(walk, access, elem), otherwise = access->otherwise;
    if (!contents && !otherwise)
        return own->term;
    if (!otherwise)
        otherwise = padding_of(walk, p, own->kind == IX_BOOL);
    if (!otherwise)
        otherwise = own->term; /* an unpadded tail is unspecified, event by event */
    /* An index outside its space is undefined: the mask says what is left open besides. */
    smt_t mask = smt_assume(walk->ctx, access->mask, index_space(walk, access));
    /* dim_map permutes as the index does: the loaded tile's coordinates are the access's own. */
    return smt_ite(walk->ctx, mask, contents ? contents : own->term, otherwise);
}

/* Adds one access of an op whose address is in one of several buffers: it happens where its guard
 * holds, which a tile of pointers may decide element by element. */
static ix_access access_of(ix_walk *walk, const ir_op *op, const parts *p, const ix_value *address,
                           smt_t guard)
{
    ix_access access = new_access(walk, op);
    bool whole = p->view || p->pointers->type->rank == 0;
    if (guard && whole)
        access.path = smt_and(walk->ctx, access.path, guard);
    else if (guard)
        access.mask = guard;
    if (p->view)
        address_by_view(walk, &access, p, address);
    else
        address_by_pointers(walk, &access, p, address);
    return access;
}

/* Returns the name of a value that is read from candidate i. Each candidate has values of its own:
 * what a lemma says of the reads of one buffer must not be said of another's. */
static const char *stem_of(ix_walk *walk, size_t i)
{
    return i == 0 ? "load" : tr_arena_printf(walk->arena, IX_LOADED "c%zu", i);
}

static ix_value own_value(ix_walk *walk, const ir_value *result, size_t i)
{
    ix_value own = ix_private_value(walk, result, stem_of(walk, i));
    if (own.kind == IX_POINTER)
        own.unknown = "the pointer is loaded from memory";
    return own;
}

/* Is the pointer made of the number 0, whatever its element type and shape? */
static bool is_null(ix_walk *walk, const ir_value *pointer)
{
    smt_int number;
    while (pointer->def)
        switch (pointer->def->code) {
        case IR_OP_PTR_TO_PTR:
        case IR_OP_RESHAPE:
        case IR_OP_BROADCAST:
        case IR_OP_PERMUTE:
            pointer = pointer->def->operands[0];
            break;
        case IR_OP_INT_TO_PTR:
            return smt_is_const(ix_int(walk, pointer->def->operands[0]), &number) && number == 0;
        default:
            return false;
        }
    return false;
}

/* Nothing lies at the null pointer: where the op runs with an element that no mask cuts, that is
 * undefined behaviour and meets no access of a buffer. Weak stores would also meet each other
 * there, and a mask may cut all elements: these stay accesses with an unknown address. */
static bool walk_null_access(ix_walk *walk, const ir_op *op, const parts *p)
{
    smt_ctx *ctx = walk->ctx;
    const ir_value *result = loaded_tile(op);
    ix_access access = new_access(walk, op);
    if ((access.writes && access.ordering == IR_WEAK) || !p->pointers ||
        !is_null(walk, p->pointers) || (p->mask && !smt_is_true(ix_bool(walk, p->mask))))
        return false;
    ix_hazard_add(walk, IX_NULL, op, true, smt_bool_const(ctx, false), smt_int_const(ctx, 0));
    if (result)
        ix_set(walk, result, ix_private_value(walk, result, "load"));
    return true;
}

static void walk_access(ix_walk *walk, const ir_op *op, const parts *p)
{
    if (walk_null_access(walk, op, p))
        return;
    ix_value v = ix_get(walk, p->view ? p->view : p->pointers);
    const ir_value *result = loaded_tile(op);
    smt_t loaded = NULL;
    for (size_t i = 0; i < ix_candidates(&v); i++) {
        smt_t guard;
        const ix_value *address = ix_candidate(&v, i, &guard);
        ix_access access = access_of(walk, op, p, address, guard);
        ix_sync_record(walk, op, &access, stem_of(walk, i));
        if (access.got && !access.writes && ix_candidates(&v) == 1)
            access.otherwise = padding_of(walk, p, false);
        if (walk->record)
            arrput(walk->s->accesses, access);
        assume_after(walk, &access, guard);
        if (!result)
            continue;
        ix_value own = own_value(walk, result, i);
        if (i == 0)
            ix_set(walk, result, own);
        if (own.kind != IX_INT && own.kind != IX_BOOL)
            continue;
        smt_t this = loaded_by(walk, &access, p, &own, ix_element_type(result->type));
        loaded = loaded ? smt_choice(walk->ctx, guard, this, loaded) : this;
    }
    if (loaded && ix_get(walk, result).kind == IX_BOOL)
        ix_set_bool(walk, result, loaded);
    else if (loaded)
        ix_set_int(walk, result, loaded);
}

bool ix_walk_memory(ix_walk *walk, const ir_op *op)
{
    if (walk_pointer(walk, op) || walk_view(walk, op))
        return true;
    if (ir_op_info_of(op->code)->effects & IR_UNKNOWN_EFFECT) {
        ix_access access = new_access(walk, op);
        access.reads = access.writes = true;
        access.unknown = "the call may touch any memory";
        if (walk->record)
            arrput(walk->s->accesses, access);
        return true;
    }
    if (!ir_is_memory_op(op))
        return false;
    parts p = parts_of(op);
    if (p.view || p.pointers) {
        walk_access(walk, op, &p);
        return true;
    }
    ix_access access = new_access(walk, op);
    access.unknown = "the op's address is not known";
    ix_sync_record(walk, op, &access, "load");
    if (walk->record)
        arrput(walk->s->accesses, access);
    const ir_value *result = loaded_tile(op);
    if (result)
        ix_set(walk, result, ix_private_value(walk, result, "load"));
    return true;
}
