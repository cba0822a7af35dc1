/* Computes where things are: block ids, pointers, views and their shapes. */
#include "interp/private.h"

#include <stdlib.h>

static void block_numbers(interp_run *run, const ir_op *op, const int64_t numbers[3])
{
    for (uint32_t axis = 0; axis < op->n_results && axis < 3; axis++)
        machine_set_cells(run, &op->results[axis],
                          cells_splat(mask_to((uint64_t)numbers[axis],
                                              ir_type_bits(op->results[axis].type->elem))));
}

static void tile_block_id(interp_run *run, const ir_op *op)
{
    block_numbers(run, op, run->block_id);
}

static void num_tile_blocks(interp_run *run, const ir_op *op)
{
    block_numbers(run, op, run->grid);
}

/* ---- Section: Pointers ---- */

static void pass(interp_run *run, const ir_op *op)
{
    machine_set(run, &op->results[0], machine_value(run, op->operands[0]));
}

/* Moves pointers by elements, in whole bytes. A pointer keeps its buffer wherever it is moved,
 * since the specification gives no way from one allocation into another. */
static void offset(interp_run *run, const ir_op *op)
{
    const ir_value *result = &op->results[0], *by = ir_operand(op, IR_OFFSET_offset);
    reader p = machine_reader(run, ir_operand(op, IR_OFFSET_ptr)), o = machine_reader(run, by);
    if (p.unknown || o.unknown) {
        machine_set_cells(run, result, NULL);
        return;
    }
    cells *out = cells_new(machine_elements(run, result->type), p.step == 0 && o.step == 0);
    machine_step(run, op, (uint64_t)out->stored);
    int64_t size = ir_type_bytes(result->type->elem->elem);
    int bits = ir_type_bits(by->type->elem);
    bool halves = ir_type_bits(result->type->elem->elem) == 4;
    bool noted = false;
    for (int64_t i = 0; i < out->stored; i++) {
        if (!reader_known(&p, i) || !reader_known(&o, i)) {
            cells_mark_unknown(out, i);
            out->bits[i] = 0;
            continue;
        }
        int64_t steps = sign_extend(reader_bits(&o, i), bits), bytes, address;
        int32_t buffer = reader_buffer(&p, i);
        if (halves && steps % 2) {
            machine_stop(run, INTERP_UNSUPPORTED, op,
                         "a pointer to elements of 4 bits is moved by %lld: it would point between "
                         "bytes",
                         (long long)steps);
            break;
        }
        steps = halves ? steps / 2 : steps;
        bool wraps = __builtin_mul_overflow(steps, size, &bytes);
        wraps |= __builtin_add_overflow(pointer_address(run, reader_bits(&p, i), buffer), bytes,
                                        &address);
        if (wraps && !noted)
            machine_note(run, INTERP_UB_WRAP, op, -1, steps, 0);
        noted |= wraps;
        out->bits[i] = reader_bits(&p, i) + (uint64_t)steps * (uint64_t)size;
        cells_set_buffer(out, i, buffer);
    }
    machine_set_cells(run, result, cells_settle(out));
}

/* Numbers become pointers into whichever buffer has that address. */
static void to_pointer(interp_run *run, const ir_op *op)
{
    reader in = machine_reader(run, op->operands[0]);
    if (in.unknown) {
        machine_set_cells(run, &op->results[0], NULL);
        return;
    }
    cells *out = cells_new(machine_elements(run, op->results[0].type), in.step == 0);
    machine_step(run, op, (uint64_t)out->stored);
    for (int64_t i = 0; i < out->stored; i++) {
        out->bits[i] = reader_bits(&in, i);
        if (reader_known(&in, i))
            cells_set_buffer(out, i, pointer_buffer(run, out->bits[i]));
        else
            cells_mark_unknown(out, i);
    }
    machine_set_cells(run, &op->results[0], cells_settle(out));
}

static void bitcast(interp_run *run, const ir_op *op)
{
    if (op->results[0].type->elem->kind == IR_POINTER)
        to_pointer(run, op);
    else
        pass(run, op);
}

/* The buffer of a global is made, with its initial contents, when a kernel first asks for it. */
static void get_global(interp_run *run, const ir_op *op)
{
    const char *name = op->attrs[IR_AT_GET_GLOBAL_name].string;
    ptrdiff_t number = 0;
    const ir_global *global = run->kernel->module->globals;
    while (global && (!name || strcmp(global->name, name))) {
        global = global->next;
        number++;
    }
    if (run->kernel->module != run->module) {
        machine_stop(run, INTERP_UNSUPPORTED, op, "a global of the module of the preceding kernel");
        return;
    }
    if (!global || global->value.kind != IR_ATTR_DENSE || !global->value.type) {
        machine_stop(run, INTERP_UNSUPPORTED, op, "the global '%s' is not in the module",
                     name ? name : "");
        return;
    }
    while (arrlen(run->globals) <= number)
        arrput(run->globals, NO_BUFFER);
    if (run->globals[number] == NO_BUFFER) {
        const ir_type *elem = global->value.type->elem;
        int width = ir_type_bytes(elem);
        int64_t n = ir_type_elements(global->value.type);
        cells *data = constant_cells(&global->value, elem);
        reader r = reader_of(data);
        run->globals[number] =
            memory_add(run, (memory_buffer){.name = global->name, .bytes = n * width});
        for (int64_t i = 0; i < n && machine_step(run, op, 0); i++)
            memory_write(run, run->globals[number], i * width, width, reader_bits(&r, i), true);
        cells_drop(data);
    }
    cells *out = cells_splat(pointer_number(run, run->globals[number], 0));
    out->buffer = run->globals[number];
    machine_set_cells(run, &op->results[0], out);
}

/* U8: an alloca's content begins undefined. Its own block alone may use it unless it is `global`;
 * either way each execution makes a new one. */
static void alloca_op(interp_run *run, const ir_op *op)
{
    int64_t n = ir_attr_int(op, IR_AT_ALLOCA_num_elem, 0), bytes;
    int64_t size = ir_type_bytes(op->results[0].type->elem->elem);
    if (n < 0 || __builtin_mul_overflow(n, size, &bytes)) {
        machine_stop(run, INTERP_UNSUPPORTED, op, "an alloca of %lld elements", (long long)n);
        return;
    }
    if (ir_type_bits(op->results[0].type->elem->elem) == 4)
        bytes = n / 2 + n % 2;
    bool shared = ir_attr_int(op, IR_AT_ALLOCA_global, 0) != 0;
    int32_t buffer = memory_add(run, (memory_buffer){.name = "alloca",
                                                     .bytes = bytes,
                                                     .opaque = true,
                                                     .private_to = shared ? 0 : run->block + 1});
    cells *out = cells_splat(pointer_number(run, buffer, 0));
    out->buffer = buffer;
    machine_set_cells(run, &op->results[0], out);
}

/* ---- Section: Views ---- */

static view *view_new(void)
{
    view *w = calloc(1, sizeof *w);
    if (!w)
        tr_no_memory();
    w->refs = 1;
    return w;
}

/* Fills what the type leaves open ("?") from the operands, in order; unsigned (memory-model.md 2,
 * make_tensor_view). */
static bool fill(interp_run *run, int rank, const int64_t *stated, uint32_t n,
                 ir_value *const *given, uint64_t *out)
{
    bool known = true;
    uint32_t next = 0;
    for (int d = 0; d < rank; d++) {
        out[d] = (uint64_t)stated[d];
        if (stated[d] != IR_DYNAMIC)
            continue;
        out[d] = 0;
        reader r = next < n ? machine_reader(run, given[next++]) : reader_of(NULL);
        if (reader_known(&r, 0))
            out[d] = reader_bits(&r, 0);
        else
            known = false;
    }
    return known;
}

static void make_tensor_view(interp_run *run, const ir_op *op)
{
    const ir_type *type = op->results[0].type;
    reader base = machine_reader(run, ir_operand(op, IR_MAKE_TENSOR_VIEW_base));
    view *w = view_new();
    uint32_t n;
    ir_value **given = ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n);
    w->known = fill(run, type->rank, type->shape, n, given, w->shape);
    given = ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n);
    w->known &= fill(run, type->rank, type->strides, n, given, w->strides);
    w->known &= reader_known(&base, 0);
    if (w->known) {
        w->buffer = reader_buffer(&base, 0);
        w->base = pointer_address(run, reader_bits(&base, 0), w->buffer);
    }
    machine_set_view(run, &op->results[0], w);
}

static void set_extent(interp_run *run, const ir_op *op, uint32_t d, uint64_t extent, bool known)
{
    if (d >= op->n_results)
        return;
    const ir_value *result = &op->results[d];
    int bits = ir_type_bits(result->type->elem);
    if (known && mask_to(extent, bits) != extent)
        machine_note(run, INTERP_UB_WRAP, op, (int)d, (int64_t)extent, 0);
    machine_set_cells(run, result, known ? cells_splat(mask_to(extent, bits)) : NULL);
}

static void get_tensor_shape(interp_run *run, const ir_op *op)
{
    const view *w = machine_value(run, op->operands[0])->view;
    for (int d = 0; d < op->operands[0]->type->rank; d++)
        set_extent(run, op, (uint32_t)d, w ? w->shape[d] : 0, w && w->known);
}

static void get_index_space_shape(interp_run *run, const ir_op *op)
{
    const ir_type *type = op->operands[0]->type;
    const view *w = machine_value(run, op->operands[0])->view;
    for (int i = 0; i < type->rank; i++)
        set_extent(run, op, (uint32_t)i, w && w->known ? view_index_space(type, w, i) : 0,
                   w && w->known);
}

int view_tensor_dimension(const ir_type *type, int i)
{
    return type->dim_map ? type->dim_map[i] : i;
}

uint64_t view_step(const ir_type *type, int i)
{
    if (type->kind == IR_GATHER_SCATTER_VIEW)
        return 1; /* dense dimensions are indexed by element */
    return (uint64_t)(type->kind == IR_STRIDED_VIEW ? type->traversal_strides[i] : type->shape[i]);
}

uint64_t view_index_space(const ir_type *type, const view *w, int i)
{
    uint64_t extent = w->shape[view_tensor_dimension(type, i)], step = view_step(type, i);
    return extent / step + (extent % step != 0);
}

static const struct {
    ir_opcode code;
    void (*execute)(interp_run *run, const ir_op *op);
} view_ops[] = {
    {IR_OP_GET_TILE_BLOCK_ID, tile_block_id},
    {IR_OP_GET_NUM_TILE_BLOCKS, num_tile_blocks},
    {IR_OP_OFFSET, offset},
    {IR_OP_INT_TO_PTR, to_pointer},
    {IR_OP_PTR_TO_INT, pass},
    {IR_OP_PTR_TO_PTR, pass},
    {IR_OP_BITCAST, bitcast},
    {IR_OP_GET_GLOBAL, get_global},
    {IR_OP_ALLOCA, alloca_op},
    {IR_OP_MAKE_TENSOR_VIEW, make_tensor_view},
    {IR_OP_MAKE_PARTITION_VIEW, pass},
    {IR_OP_MAKE_STRIDED_VIEW, pass},
    {IR_OP_MAKE_GATHER_SCATTER_VIEW, pass},
    {IR_OP_GET_TENSOR_SHAPE, get_tensor_shape},
    {IR_OP_GET_INDEX_SPACE_SHAPE, get_index_space_shape},
};

bool ops_view(interp_run *run, const ir_op *op)
{
    for (size_t i = 0; i < TR_COUNT(view_ops); i++)
        if (view_ops[i].code == op->code) {
            view_ops[i].execute(run, op);
            return true;
        }
    return false;
}
