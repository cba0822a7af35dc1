/* Ops that make and move elements: constants, iota, broadcast, permute, select, ... */
#include "interp/private.h"

#include <stdlib.h>

void row_major(int rank, const int64_t *shape, int64_t *strides)
{
    int64_t stride = 1;
    for (int d = rank - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= shape[d];
    }
}

/* Copies one element with its marks. */
static void copy_element(cells *to, int64_t at, const reader *from, int64_t i)
{
    if (!reader_known(from, i)) {
        cells_mark_unknown(to, at);
        to->bits[at] = 0;
        return;
    }
    to->bits[at] = reader_bits(from, i);
    int32_t buffer = reader_buffer(from, i);
    if (to->buffers || to->buffer != buffer)
        cells_set_buffer(to, at, buffer);
}

/* Row by row. The buffer is that of all elements. */
static void remap_rows(cells *out, const cells *source, int rank, const int64_t *shape,
                       const int64_t *strides, int64_t where)
{
    int64_t at[IR_MAX_RANK] = {0}, n = shape[rank - 1], stride = strides[rank - 1], row = 0;
    out->buffer = source->buffer;
    if (source->marks)
        cells_mark_all_unknown(out);
    for (int d = 0; d >= 0; row += n) {
        for (int64_t i = 0; i < n; i++)
            out->bits[row + i] = source->bits[where + i * stride];
        for (int64_t i = 0; source->marks && i < n; i++) {
            out->marks[row + i] = source->marks[where + i * stride];
            if (!out->marks[row + i])
                out->bits[row + i] = 0;
        }
        for (d = rank - 2; d >= 0; d--) {
            where += strides[d];
            if (++at[d] < shape[d])
                break;
            where -= strides[d] * shape[d];
            at[d] = 0;
        }
    }
}

cells *cells_remap(const cells *source, int rank, const int64_t *shape, const int64_t *strides,
                   int64_t base)
{
    if (!source)
        return NULL;
    reader from = reader_of(source);
    bool splat = source->splat;
    int64_t n = 1;
    for (int d = 0; d < rank; d++)
        n *= shape[d];
    cells *out = cells_new(n, splat);
    if (!source->buffers && rank && !splat) {
        remap_rows(out, source, rank, shape, strides, base);
        return cells_settle(out);
    }
    int64_t at[IR_MAX_RANK] = {0}, where = base;
    for (int64_t i = 0; i < out->stored; i++) {
        copy_element(out, i, &from, where);
        for (int d = rank - 1; d >= 0; d--) {
            where += strides[d];
            if (++at[d] < shape[d])
                break;
            where -= strides[d] * shape[d];
            at[d] = 0;
        }
    }
    return cells_settle(out);
}

cells *constant_cells(const ir_attr *attr, const ir_type *elem)
{
    int64_t n = attr->type ? ir_type_elements(attr->type) : 1;
    cells *out = cells_new(n, attr->splat);
    int bits = ir_type_bits(elem), bytes = (bits + 7) / 8;
    for (int64_t i = 0; i < out->stored; i++) {
        uint64_t value = 0;
        if (bits == 1 && !out->splat) {
            size_t byte = (size_t)i / 8;
            value = byte < attr->n_bytes ? attr->bytes[byte] >> (i % 8) & 1 : 0;
        } else {
            for (int b = 0; b < bytes; b++) {
                size_t at = (size_t)(i * bytes + b);
                value |= at < attr->n_bytes ? (uint64_t)attr->bytes[at] << (8 * b) : 0;
            }
        }
        out->bits[i] = mask_to(value, bits);
    }
    return out;
}

static void constant(interp_run *run, const ir_op *op)
{
    const ir_attr *attr = &op->attrs[IR_AT_CONSTANT_value];
    const ir_type *type = op->results[0].type;
    cells *out = NULL;
    if (attr->kind == IR_ATTR_DENSE)
        out = constant_cells(attr, type->elem);
    else if (attr->kind == IR_ATTR_INT || attr->kind == IR_ATTR_FLOAT)
        out = cells_splat(mask_to((uint64_t)attr->number, ir_type_bits(type->elem)));
    else
        machine_stop(run, INTERP_UNSUPPORTED, op, "a constant without data");
    if (out && !out->splat && out->stored != ir_type_elements(type)) {
        machine_stop(run, INTERP_UNSUPPORTED, op,
                     "a constant whose data is not as long as its tile");
        cells_drop(out);
        out = NULL;
    }
    machine_set_cells(run, &op->results[0], out);
}

static void iota(interp_run *run, const ir_op *op)
{
    const ir_type *type = op->results[0].type;
    cells *out = cells_new(ir_type_elements(type), false);
    machine_step(run, op, (uint64_t)out->stored);
    for (int64_t i = 0; i < out->stored; i++)
        out->bits[i] = mask_to((uint64_t)i, ir_type_bits(type->elem));
    machine_set_cells(run, &op->results[0], out);
}

static void broadcast(interp_run *run, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    int64_t strides[IR_MAX_RANK];
    row_major(from->rank, from->shape, strides);
    for (int d = 0; d < from->rank; d++)
        if (from->shape[d] == 1)
            strides[d] = 0;
    machine_set_cells(
        run, &op->results[0],
        cells_remap(machine_value(run, op->operands[0])->cells, to->rank, to->shape, strides, 0));
}

static void permute(interp_run *run, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    const ir_attr *order = &op->attrs[IR_AT_PERMUTE_permutation];
    int64_t source[IR_MAX_RANK], strides[IR_MAX_RANK];
    row_major(from->rank, from->shape, source);
    for (int d = 0; d < to->rank; d++)
        strides[d] = source[order->numbers[d]];
    machine_set_cells(
        run, &op->results[0],
        cells_remap(machine_value(run, op->operands[0])->cells, to->rank, to->shape, strides, 0));
}

/* The result has the same elements in the same row-major order. */
static void pass(interp_run *run, const ir_op *op)
{
    machine_set(run, &op->results[0], machine_value(run, op->operands[0]));
}

/* Writes `part` into `out` (of shape `shape`) from coordinates `low` on. */
static void place(cells *out, const int64_t *shape, const cells *part, const ir_type *part_type,
                  const int64_t *low)
{
    int64_t strides[IR_MAX_RANK], at[IR_MAX_RANK] = {0}, where = 0;
    row_major(part_type->rank, shape, strides);
    for (int d = 0; d < part_type->rank; d++)
        where += strides[d] * low[d];
    reader from = reader_of(part);
    int64_t n = ir_type_elements(part_type);
    for (int64_t i = 0; i < n; i++) {
        copy_element(out, where, &from, i);
        for (int d = part_type->rank - 1; d >= 0; d--) {
            where += strides[d];
            if (++at[d] < part_type->shape[d])
                break;
            where -= strides[d] * part_type->shape[d];
            at[d] = 0;
        }
    }
}

/* A tile that is written part by part: all elements stand alone. */
static cells *blank(int64_t n)
{
    cells *out = cells_new(n, false);
    memset(out->bits, 0, sizeof out->bits[0] * (size_t)out->stored);
    return out;
}

static void cat(interp_run *run, const ir_op *op)
{
    const ir_value *left = op->operands[0], *right = op->operands[1];
    const cells *l = machine_value(run, left)->cells, *r = machine_value(run, right)->cells;
    if (!l && !r) {
        machine_set_cells(run, &op->results[0], NULL);
        return;
    }
    const ir_type *type = op->results[0].type;
    cells *out = blank(ir_type_elements(type));
    machine_step(run, op, (uint64_t)out->stored);
    int64_t low[IR_MAX_RANK] = {0}, dim = ir_attr_int(op, IR_AT_CAT_dim, 0);
    place(out, type->shape, l, left->type, low);
    low[dim] = left->type->shape[dim];
    place(out, type->shape, r, right->type, low);
    machine_set_cells(run, &op->results[0], cells_settle(out));
}

/* Finds the slice: the coordinates where it begins. Counted in slices, unsigned. False where it
 * lies outside of the tile, which is undefined (the result is unknown then), or is not known. */
static bool slice_start(interp_run *run, const ir_op *op, uint32_t n, ir_value *const *indices,
                        const ir_type *whole, const ir_type *part, int64_t *low)
{
    for (uint32_t d = 0; d < n; d++) {
        uint64_t index;
        if (!machine_scalar(run, op, indices[d], "which slice of a tile is meant", &index))
            return false;
        if (index >= (uint64_t)(whole->shape[d] / part->shape[d])) {
            machine_note(run, INTERP_UB_SLICE, op, (int)d, (int64_t)index,
                         whole->shape[d] / part->shape[d]);
            machine_set_cells(run, &op->results[0], NULL);
            return false;
        }
        low[d] = (int64_t)index * part->shape[d];
    }
    return true;
}

static void extract(interp_run *run, const ir_op *op)
{
    const ir_value *source = ir_operand(op, IR_EXTRACT_source);
    const ir_type *type = op->results[0].type;
    uint32_t n;
    ir_value **indices = ir_group(op, IR_EXTRACT_indices, &n);
    int64_t low[IR_MAX_RANK] = {0}, strides[IR_MAX_RANK], base = 0;
    if (!slice_start(run, op, n, indices, source->type, type, low))
        return;
    row_major(type->rank, source->type->shape, strides);
    for (int d = 0; d < type->rank; d++)
        base += low[d] * strides[d];
    machine_set_cells(
        run, &op->results[0],
        cells_remap(machine_value(run, source)->cells, type->rank, type->shape, strides, base));
}

static void insert(interp_run *run, const ir_op *op)
{
    const ir_value *part = ir_operand(op, IR_INSERT_source);
    const ir_value *whole = ir_operand(op, IR_INSERT_destination);
    uint32_t n;
    ir_value **indices = ir_group(op, IR_INSERT_indices, &n);
    int64_t low[IR_MAX_RANK] = {0}, origin[IR_MAX_RANK] = {0};
    if (!slice_start(run, op, n, indices, whole->type, part->type, low))
        return;
    cells *out = blank(ir_type_elements(whole->type));
    machine_step(run, op, (uint64_t)out->stored);
    place(out, whole->type->shape, machine_value(run, whole)->cells, whole->type, origin);
    place(out, whole->type->shape, machine_value(run, part)->cells, part->type, low);
    machine_set_cells(run, &op->results[0], cells_settle(out));
}

/* The elements that are known lie in one buffer, or in none. */
static bool is_of_one_buffer(const reader *y, const reader *n)
{
    return !y->buffers && !n->buffers &&
           (y->unknown || n->unknown || reader_buffer(y, 0) == reader_buffer(n, 0));
}

/* Selects rows of one buffer. */
static void select_rows(cells *out, const reader *condition, const reader *yes, const reader *no)
{
    out->buffer = reader_buffer(yes->unknown ? no : yes, 0);
    if (condition->marks || yes->unknown || yes->marks || no->unknown || no->marks)
        cells_mark_all_unknown(out);
    for (int64_t i = 0; i < out->stored; i++) {
        bool known = reader_known(condition, i);
        const reader *from = known && reader_bits(condition, i) ? yes : no;
        known = known && reader_known(from, i);
        out->bits[i] = known ? reader_bits(from, i) : 0;
        if (out->marks)
            out->marks[i] = known;
    }
}

/* A condition that is the same for all elements passes one operand on as a whole, so that a pointer
 * keeps its buffer and its source. Elements of both operands may be of several buffers. */
static void select_elements(interp_run *run, const ir_op *op)
{
    reader condition = machine_reader(run, ir_operand(op, IR_SELECT_cond));
    const ssa *yes = machine_value(run, ir_operand(op, IR_SELECT_val_if_true));
    const ssa *no = machine_value(run, ir_operand(op, IR_SELECT_val_if_false));
    if (condition.unknown || (!yes->cells && !no->cells)) {
        machine_set_cells(run, &op->results[0], NULL);
        return;
    }
    if (condition.step == 0 && !condition.marks) {
        machine_set(run, &op->results[0], condition.bits[0] ? yes : no);
        return;
    }
    reader y = reader_of(yes->cells), n = reader_of(no->cells);
    bool splat = condition.step == 0 && y.step == 0 && n.step == 0;
    cells *out = cells_new(machine_elements(run, op->results[0].type), splat);
    machine_step(run, op, (uint64_t)out->stored);
    if (is_of_one_buffer(&y, &n)) {
        select_rows(out, &condition, &y, &n);
        machine_set_cells(run, &op->results[0], cells_settle(out));
        return;
    }
    for (int64_t i = 0; i < out->stored; i++) {
        if (!reader_known(&condition, i)) {
            cells_mark_unknown(out, i);
            out->bits[i] = 0;
        } else {
            copy_element(out, i, reader_bits(&condition, i) ? &y : &n, i);
        }
    }
    machine_set_cells(run, &op->results[0], cells_settle(out));
}

/* pack and unpack: the tile as an array of bits, little-endian, cut anew. */
static void recut(interp_run *run, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    reader in = machine_reader(run, op->operands[0]);
    int from_bits = ir_type_bits(from->elem), to_bits = ir_type_bits(to->elem);
    bool whole = from_bits % to_bits == 0 || to_bits % from_bits == 0;
    if (in.unknown || !whole) {
        machine_set_cells(run, &op->results[0], NULL);
        return;
    }
    cells *out = cells_new(ir_type_elements(to), false);
    machine_step(run, op, (uint64_t)out->stored);
    for (int64_t i = 0; i < out->stored; i++) {
        bool known = true;
        uint64_t bits = 0;
        if (from_bits >= to_bits) {
            int64_t each = from_bits / to_bits;
            known = reader_known(&in, i / each);
            bits = reader_bits(&in, i / each) >> (i % each * to_bits);
        } else {
            int64_t each = to_bits / from_bits;
            for (int64_t k = 0; k < each; k++) {
                known &= reader_known(&in, i * each + k);
                bits |= reader_bits(&in, i * each + k) << (k * from_bits);
            }
        }
        out->bits[i] = mask_to(bits, to_bits);
        if (!known)
            cells_mark_unknown(out, i);
    }
    machine_set_cells(run, &op->results[0], cells_settle(out));
}

/* ---- Section: What a program promises ---- */

/* div_by: the first of each group of `every` along a dimension is a multiple, the others count up
 * by one (by an element of the pointee). */
static bool divisible(const ir_attr *attr, const ir_type *type, const reader *r, int64_t *culprit)
{
    int64_t every = attr->assume.has_every ? attr->assume.every : 1;
    int64_t along = attr->assume.has_along ? attr->assume.along : 0;
    int64_t strides[IR_MAX_RANK];
    row_major(type->rank, type->shape, strides);
    int64_t n = r->step == 0 && every <= 1 ? 1 : ir_type_elements(type);
    uint64_t one = type->elem->kind == IR_POINTER ? (uint64_t)ir_type_bytes(type->elem->elem) : 1;
    for (int64_t i = 0; i < n; i++) {
        if (!reader_known(r, i))
            continue;
        bool grouped = every > 1 && along >= 0 && along < type->rank;
        int64_t in_group = grouped ? i / strides[along] % type->shape[along] % every : 0;
        uint64_t bits = reader_bits(r, i);
        *culprit = (int64_t)bits;
        if (in_group == 0) {
            if (attr->assume.divisor && bits % attr->assume.divisor)
                return false;
        } else if (reader_known(r, i - strides[along]) &&
                   bits != reader_bits(r, i - strides[along]) + one) {
            return false;
        }
    }
    return true;
}

static bool bounded(const ir_attr *attr, const ir_type *type, const reader *r, int64_t *culprit)
{
    int64_t n = r->step == 0 ? 1 : ir_type_elements(type);
    for (int64_t i = 0; i < n; i++) {
        if (!reader_known(r, i))
            continue;
        *culprit = sign_extend(reader_bits(r, i), ir_type_bits(type->elem));
        if ((attr->assume.has_low && *culprit < attr->assume.low) ||
            (attr->assume.has_high && *culprit > attr->assume.high))
            return false;
    }
    return true;
}

static bool same_elements(const ir_attr *attr, const ir_type *type, const reader *r,
                          int64_t *culprit)
{
    int64_t strides[IR_MAX_RANK], n = r->step == 0 ? 0 : ir_type_elements(type);
    row_major(type->rank, type->shape, strides);
    for (int64_t i = 0; i < n; i++) {
        int64_t first = i; /* of the group that element i is in */
        for (int d = 0; d < type->rank && (size_t)d < attr->assume.n_values; d++)
            if (attr->assume.values[d] > 1)
                first -= i / strides[d] % type->shape[d] % attr->assume.values[d] * strides[d];
        *culprit = (int64_t)reader_bits(r, i);
        if (reader_known(r, i) && reader_known(r, first) &&
            reader_bits(r, i) != reader_bits(r, first))
            return false;
    }
    return true;
}

/* A claim that does not hold is undefined behaviour (U7). `culprit` is the first value that breaks
 * it; what is not known breaks none. The value goes on in any case. */
static void assume(interp_run *run, const ir_op *op)
{
    const ir_value *v = op->operands[0];
    const ir_attr *attr = &op->attrs[IR_AT_ASSUME_predicate];
    int64_t culprit = 0, bound = 0;
    bool holds = true;
    reader r = machine_reader(run, v);
    if (v->type->kind == IR_TENSOR_VIEW) {
        const view *w = machine_value(run, v)->view;
        if (w && w->known && attr->assume.divisor) {
            culprit = w->base;
            holds = w->buffer == NO_BUFFER || (uint64_t)w->base % attr->assume.divisor == 0;
        }
    } else if (!r.unknown && attr->kind == IR_ATTR_ASSUME) {
        switch (attr->assume.kind) {
        case IR_ASSUME_DIV_BY:
            holds = divisible(attr, v->type, &r, &culprit);
            bound = (int64_t)attr->assume.divisor;
            break;
        case IR_ASSUME_BOUNDED:
            holds = bounded(attr, v->type, &r, &culprit);
            bound = attr->assume.has_low && culprit < attr->assume.low ? attr->assume.low
                                                                       : attr->assume.high;
            break;
        case IR_ASSUME_SAME_ELEMENTS:
            holds = same_elements(attr, v->type, &r, &culprit);
            break;
        }
    }
    if (!holds && !ir_claim_is_idle(op))
        machine_note(run, INTERP_UB_ASSUME, op, -1, culprit, bound);
    pass(run, op);
}

static void assert_op(interp_run *run, const ir_op *op)
{
    reader r = machine_reader(run, op->operands[0]);
    int64_t n = r.unknown ? 0 : r.step == 0 ? 1 : ir_type_elements(op->operands[0]->type);
    for (int64_t i = 0; i < n; i++)
        if (reader_known(&r, i) && !reader_bits(&r, i)) {
            machine_note(run, INTERP_UB_ASSUME, op, -1, i, 0);
            return;
        }
}

static const struct {
    ir_opcode code;
    void (*execute)(interp_run *run, const ir_op *op);
} shape_ops[] = {
    {IR_OP_CONSTANT, constant}, {IR_OP_IOTA, iota},       {IR_OP_BROADCAST, broadcast},
    {IR_OP_RESHAPE, pass},      {IR_OP_PERMUTE, permute}, {IR_OP_CAT, cat},
    {IR_OP_EXTRACT, extract},   {IR_OP_INSERT, insert},   {IR_OP_SELECT, select_elements},
    {IR_OP_PACK, recut},        {IR_OP_UNPACK, recut},    {IR_OP_ASSUME, assume},
    {IR_OP_ASSERT, assert_op},
};

bool ops_shape(interp_run *run, const ir_op *op)
{
    for (size_t i = 0; i < TR_COUNT(shape_ops); i++)
        if (shape_ops[i].code == op->code) {
            shape_ops[i].execute(run, op);
            return true;
        }
    return false;
}
