/* Finds which elements of memory an op touches, and in which order of its tile. */
#include "interp/memory_access.h"

__extension__ typedef unsigned __int128 uwide;

/* ---- Section: Elements of a view ---- */

typedef struct walk { /* over the elements of a tile that lie in the tensor */
    int rank;
    int64_t count[IR_MAX_RANK];     /* in-tile coordinates 0 .. count - 1 are inside */
    int64_t by_bytes[IR_MAX_RANK];  /* address step of a coordinate */
    int64_t by_number[IR_MAX_RANK]; /* element number step */
    int64_t base;
    int sparse; /* dimension whose rows are given, or NONE */
    reader rows;
    uint32_t rows_source; /* as of ssa */
    uint64_t n_rows;      /* the tensor's extent there */
    int along;            /* dimension walked innermost */
    bool packed;          /* elements of 4 bits: addresses count halves of bytes */
    nibble *nibbles;      /* stb_ds: of those, the elements */
} walk;

/* Does the op promise that its tile lies in the tensor along this dimension (U5)? */
static bool is_marked(const ir_attr *inbounds, int dimension)
{
    return inbounds && inbounds->kind == IR_ATTR_INTS && (size_t)dimension < inbounds->count &&
           inbounds->numbers[dimension];
}

/* Sets where the op's tile begins in the tensor, and along each dimension how many of its
 * coordinates are inside (k->count). Notes indices outside the index space, tiles that are not
 * inside although the op promises it, and addresses beyond 63 bits. False: an index is not
 * known. */
static bool find_start(interp_run *run, access *a, const ir_type *type, const view *w, walk *k)
{
    uint32_t n;
    ir_value **given = ir_group(a->op, (unsigned)a->row->index, &n);
    const ir_attr *inbounds = a->row->inbounds == NONE ? NULL : &a->op->attrs[a->row->inbounds];
    uwide farthest = 0;
    a->n_index = (int)n < IR_MAX_RANK ? (int)n : IR_MAX_RANK;
    k->base = k->packed ? (int64_t)((uint64_t)w->base * 2) : w->base;
    for (int i = 0; i < type->rank; i++) {
        int d = view_tensor_dimension(type, i);
        uint64_t extent = w->shape[d], bytes = w->strides[d] * (uint64_t)a->width, index = 0;
        k->by_bytes[i] = (int64_t)bytes;
        if (type->kind == IR_GATHER_SCATTER_VIEW && i == type->sparse_dim) {
            k->sparse = i;
            k->n_rows = extent;
            k->rows = i < (int)n ? machine_reader(run, given[i]) : reader_of(NULL);
            k->rows_source = i < (int)n ? machine_value(run, given[i])->source : 0;
            k->count[i] = type->shape[i];
            continue;
        }
        if (i >= (int)n || !machine_scalar(run, a->op, given[i], "which tile is accessed", &index))
            return false;
        a->index[i] = (int64_t)index;
        uint64_t space = view_index_space(type, w, i);
        if (type->kind != IR_GATHER_SCATTER_VIEW && index >= space)
            machine_note(run, INTERP_UB_INDEX_SPACE, a->op, i, (int64_t)index, (int64_t)space);
        uwide start = (uwide)index * view_step(type, i);
        uint64_t left = start < extent ? extent - (uint64_t)start : 0;
        k->count[i] = left < (uint64_t)type->shape[i] ? (int64_t)left : type->shape[i];
        if (k->count[i] < type->shape[i] && index < space && is_marked(inbounds, i)) {
            machine_note(run, INTERP_UB_CLAIM, a->op, i, (int64_t)index, (int64_t)space);
            k->count[i] = type->shape[i]; /* nothing asks whether an element is in the tensor */
        }
        k->base = (int64_t)((uint64_t)k->base + (uint64_t)start * bytes);
        uwide reach;
        if (k->count[i] && (__builtin_mul_overflow(start + (uint64_t)k->count[i] - 1,
                                                   (uwide)w->strides[d], &reach) ||
                            __builtin_add_overflow(farthest, reach, &farthest)))
            farthest = (uwide)INT64_MAX + 1;
    }
    if (farthest > INT64_MAX) /* U2; the address goes on, wrapped */
        machine_note(run, INTERP_UB_OUT_OF_BUFFER, a->op, -1, k->base, 0);
    return true;
}

/* Byte address and element number at these coordinates. False: the row is not in the tensor. */
static bool element_at(interp_run *run, const access *a, const walk *k, const int64_t *at,
                       int64_t *address, uint32_t *number)
{
    uint64_t bytes = (uint64_t)k->base, count = 0;
    for (int i = 0; i < k->rank; i++) {
        uint64_t c = (uint64_t)at[i];
        count += c * (uint64_t)k->by_number[i];
        if (i == k->sparse) {
            if (!reader_known(&k->rows, at[i])) {
                run->stopped_source = k->rows_source;
                machine_stop(
                    run, INTERP_UNDECIDED, a->op,
                    "which rows are accessed depends on a value that the run does not know");
                return false;
            }
            c = reader_bits(&k->rows, at[i]);
            if (c >= k->n_rows)
                return false;
        }
        bytes += c * (uint64_t)k->by_bytes[i];
    }
    *address = (int64_t)bytes;
    *number = (uint32_t)count;
    return true;
}

static void touch_nibbles(walk *k, int64_t place, uint32_t count, uint32_t number)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t step = count > 1 ? (uint32_t)k->by_number[k->along] : 0;
        nibble one = {(int64_t)((uint64_t)place + i), number + i * step};
        arrput(k->nibbles, one);
    }
}

/* Notes all elements inside, row-major. Where a dimension lies without gaps in memory (k->along), a
 * row is one touch of many elements. */
static void walk_elements(interp_run *run, const access *a, walk *k, int32_t buffer)
{
    int64_t at[IR_MAX_RANK] = {0};
    for (int i = 0; i < k->rank; i++)
        if (k->count[i] == 0)
            return;
    bool rows = k->along != NONE && k->by_bytes[k->along] == a->width;
    for (;;) {
        int64_t address;
        uint32_t number;
        if (element_at(run, a, k, at, &address, &number)) {
            if (k->packed)
                touch_nibbles(k, address, rows ? (uint32_t)k->count[k->along] : 1, number);
            else if (rows)
                events_touch(run, buffer, address, a->width, (uint32_t)k->count[k->along], number,
                             (uint32_t)k->by_number[k->along]);
            else
                events_touch(run, buffer, address, a->width, 1, number, 1);
        }
        if (!machine_step(run, a->op, 0))
            return;
        int d = k->rank - 1;
        for (; d >= 0; d--) {
            if (rows && d == k->along)
                continue;
            if (++at[d] < k->count[d])
                break;
            at[d] = 0;
        }
        if (d < 0)
            return;
    }
}

static bool touch_view(interp_run *run, access *a)
{
    const ir_type *type = a->where->type;
    const view *w = machine_value(run, a->where)->view;
    if (!w || !w->known) {
        run->stopped_source = machine_value(run, a->where)->source;
        machine_stop(
            run, INTERP_UNDECIDED, a->op,
            "a view's base, shape or strides depend on a value that the run does not know");
        return false;
    }
    walk k = {
        .rank = type->rank, .sparse = NONE, .along = NONE, .packed = ir_type_bits(a->elem) == 4};
    row_major(type->rank, type->shape, k.by_number);
    if (!find_start(run, a, type, w, &k))
        return false;
    for (int i = 0; i < type->rank; i++)
        if (i != k.sparse && k.by_bytes[i] == a->width && k.count[i] > 1)
            k.along = i;
    walk_elements(run, a, &k, w->buffer);
    nibbles_touch(run, w->buffer, k.nibbles);
    return !machine_stopped(run);
}

/* ---- Section: Elements of a tile of pointers ---- */

/* The elements of a tile of pointers, but for those that the mask leaves out. False: a pointer or a
 * mask is not known. */
static bool touch_pointers(interp_run *run, access *a)
{
    reader p = machine_reader(run, a->where);
    ir_value *mask_value = access_operand(a, a->row->mask);
    reader mask = mask_value ? machine_reader(run, mask_value) : (reader){0};
    if (!machine_step(run, a->op, (uint64_t)a->elements))
        return false;
    for (int64_t i = 0; i < a->elements; i++) {
        if (mask_value) {
            if (!reader_known(&mask, i)) {
                run->stopped_source = machine_value(run, mask_value)->source;
                machine_stop(run, INTERP_UNDECIDED, a->op,
                             "a mask depends on a value that the run does not know");
                return false;
            }
            if (!reader_bits(&mask, i))
                continue;
        }
        if (!reader_known(&p, i)) {
            run->stopped_source = machine_value(run, a->where)->source;
            machine_stop(run, INTERP_UNDECIDED, a->op,
                         "an address depends on a value that the run does not know");
            return false;
        }
        int32_t buffer = reader_buffer(&p, i);
        events_touch(run, buffer, pointer_address(run, reader_bits(&p, i), buffer), a->width, 1,
                     (uint32_t)i, 1);
    }
    return true;
}

bool memory_touch(interp_run *run, access *a)
{
    return a->row->index == NONE ? touch_pointers(run, a) : touch_view(run, a);
}
