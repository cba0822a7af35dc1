/* Does what memory ops do to the elements they touch. */
#include "interp/memory_access.h"

/* Calls `each` for every touched element. */
typedef void (*element_action)(interp_run *run, const access *a, int32_t buffer, int64_t address,
                               uint32_t number, void *user);

static void each_touched(interp_run *run, const access *a, element_action each, void *user)
{
    ptrdiff_t n = arrlen(run->touched);
    for (ptrdiff_t s = 0; s < n; s++) {
        span t = run->touched[run->backwards ? n - 1 - s : s];
        if (!machine_step(run, a->op, t.count))
            return;
        for (uint32_t i = 0; i < t.count; i++) {
            uint32_t k = run->backwards ? t.count - 1 - i : i;
            if (t.halves && a->row->transfer == LOAD)
                nibbles_load(run, a, &t, user);
            else if (t.halves)
                nibbles_store(run, a, &t, user);
            else
                each(run, a, t.buffer, (int64_t)((uint64_t)t.address + (uint64_t)k * t.width),
                     t.in_tile + k * t.step, user);
        }
    }
}

bool memory_reads_back(const access *a, const span *touched)
{
    for (ptrdiff_t i = 0; i < arrlen(touched) && a->row->transfer == STORE; i++)
        if (touched[i].halves && touched[i].halves != (LOW_HALF | HIGH_HALF))
            return true;
    return false;
}

static bool anything_known(const interp_run *run)
{
    for (ptrdiff_t s = 0; s < arrlen(run->touched); s++)
        if (memory_may_be_known(run, run->touched[s].buffer))
            return true;
    return false;
}

void memory_deliver(const interp_run *run, const access *a, cells *out, uint32_t number,
                    uint64_t bits, bool known)
{
    if (out->marks)
        out->marks[out->splat ? 0 : number] = known;
    else if (!known)
        cells_mark_unknown(out, out->splat ? 0 : number);
    int64_t at = out->splat ? 0 : number;
    out->bits[at] = 0;
    if (!known)
        return;
    int width = ir_type_bits(a->elem);
    out->bits[at] = width == 1 ? bits != 0 : mask_to(bits, width);
    if (a->elem->kind == IR_POINTER)
        cells_set_buffer(out, at, pointer_buffer(run, bits));
}

void memory_not_known(interp_run *run, const access *a, int32_t buffer, int64_t address)
{
    const interp_undefined *is = interp_undefined_at(run, run->loaded_source);
    bool is_of_lanes =
        is && (is->kind == INTERP_UNDEFINED_PADDING || is->kind == INTERP_UNDEFINED_MASKED);
    if (is && !is_of_lanes) /* lanes that are not loaded are seldom stored */
        return;
    uint32_t source = memory_source(run, buffer, address);
    run->loaded_source = source == NO_SOURCE ? 0 : source;
    if (source || buffer < 0)
        return;
    bool is_alloca = buffer >= (int32_t)run->n_launch_buffers;
    run->loaded_source = undefined_source(
        run, is_alloca ? INTERP_UNDEFINED_ALLOCA : INTERP_UNDEFINED_MEMORY, a->op, buffer, address);
}

static void load_element(interp_run *run, const access *a, int32_t buffer, int64_t address,
                         uint32_t number, void *user)
{
    uint64_t bits;
    if (a->scoped)
        sync_read(run, a->op, buffer, address, a->width);
    bool known = memory_read(run, buffer, address, a->width, &bits);
    if (!known)
        memory_not_known(run, a, buffer, address);
    memory_deliver(run, a, user, number, bits, known);
}

/* Does the op name a tile of paddings? */
static bool has_paddings(const access *a)
{
    return a->row->padding != NONE && access_operand(a, a->row->padding);
}

static int64_t count_touched(const interp_run *run)
{
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < arrlen(run->touched); i++)
        n += run->touched[i].halves == (LOW_HALF | HIGH_HALF) ? 2 : run->touched[i].count;
    return n;
}

/* The result before anything is loaded: padding, or nothing known. `is_whole`: it may be anything
 * where all elements are touched. */
static cells *padded_tile(const interp_run *run, const access *a, bool is_whole)
{
    cells *out = cells_new(a->elements, false);
    if (is_whole && count_touched(run) == a->elements) /* each is delivered */
        return out;
    for (int64_t i = 0; i < out->stored; i++)
        out->bits[i] = a->padding;
    if (!a->padded)
        cells_mark_all_unknown(out);
    for (int64_t i = 0; i < out->stored && has_paddings(a); i++)
        if (reader_known(&a->padding_tile, i)) {
            out->bits[i] = reader_bits(&a->padding_tile, i);
            out->marks[i] = 1;
        }
    return out;
}

/* ---- Section: Rows ---- */

/* Elements whose bits are their bytes, read when nobody asks in which order. */
static bool comes_in_rows(const interp_run *run, const access *a)
{
    return !a->scoped && !run->hooks && a->elem->kind != IR_POINTER &&
           ir_type_bits(a->elem) == 8 * a->width;
}

#define UNPACK(type)                                                                               \
    for (int64_t i = 0; i < n; i++) {                                                              \
        type bits;                                                                                 \
        memcpy(&bits, from + i * (int64_t)sizeof bits, sizeof bits);                               \
        to[i * step] = bits;                                                                       \
    }

static void unpack(const unsigned char *from, int width, int64_t n, uint64_t *to, int64_t step)
{
    switch (width) {
    case 1:
        UNPACK(uint8_t)
        break;
    case 2:
        UNPACK(uint16_t)
        break;
    case 4:
        UNPACK(uint32_t)
        break;
    default:
        UNPACK(uint64_t)
    }
}

#define PACK(type)                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                              \
        type now = (type)from[i * step], old;                                                      \
        memcpy(&old, to + i * (int64_t)sizeof old, sizeof old);                                    \
        memcpy(to + i * (int64_t)sizeof now, &now, sizeof now);                                    \
        changes |= old != now;                                                                     \
    }

/* Does that change anything? */
static bool pack(unsigned char *to, int width, int64_t n, const uint64_t *from, int64_t step)
{
    int changes = 0;
    switch (width) {
    case 1:
        PACK(uint8_t)
        break;
    case 2:
        PACK(uint16_t)
        break;
    case 4:
        PACK(uint32_t)
        break;
    default:
        PACK(uint64_t)
    }
    return changes;
}

/* Loads as many elements at once as lie known one behind the other. */
static void load_rows(interp_run *run, const access *a, cells *out)
{
    for (ptrdiff_t s = 0; s < arrlen(run->touched); s++) {
        span t = run->touched[s];
        if (!machine_step(run, a->op, t.count))
            return;
        for (uint32_t i = 0; i < t.count;) {
            int64_t address = (int64_t)((uint64_t)t.address + (uint64_t)i * t.width), bytes;
            uint32_t number = t.in_tile + i * t.step;
            const unsigned char *from = memory_known_row(run, t.buffer, address, &bytes);
            int64_t n = bytes / t.width < t.count - i ? bytes / t.width : t.count - i;
            if (n == 0) {
                load_element(run, a, t.buffer, address, number, out);
                i++;
                continue;
            }
            unpack(from, t.width, n, &out->bits[number], t.step);
            for (int64_t k = 0; k < n && out->marks; k++)
                out->marks[number + k * t.step] = 1;
            i += (uint32_t)n;
        }
    }
}

/* Are there elements that padding stands for? */
static bool pads(const interp_run *run, const access *a)
{
    return (a->padded || has_paddings(a)) && count_touched(run) < a->elements;
}

/* Elements that are not loaded, and have no padding. */
static void miss_paddings(interp_run *run, const access *a)
{
    if (!a->padded && !has_paddings(a) && count_touched(run) < a->elements)
        run->loaded_source = undefined_source(
            run, a->row->index == NONE ? INTERP_UNDEFINED_MASKED : INTERP_UNDEFINED_PADDING, a->op,
            NO_BUFFER, 0);
}

static cells *load(interp_run *run, const access *a)
{
    miss_paddings(run, a);
    if (!anything_known(run) && arrlen(run->touched) && !a->scoped && !pads(run, a)) {
        memory_not_known(run, a, run->touched[0].buffer, run->touched[0].address);
        return NULL;
    }
    cells *out = padded_tile(run, a, true);
    if (comes_in_rows(run, a))
        load_rows(run, a, out);
    else
        each_touched(run, a, load_element, out);
    return cells_settle(out);
}

static void store_element(interp_run *run, const access *a, int32_t buffer, int64_t address,
                          uint32_t number, void *user)
{
    const reader *value = user;
    bool known = reader_known(value, number);
    memory_write(run, buffer, address, a->width, known ? reader_bits(value, number) : 0, known);
    if (!known)
        undefined_store(run, a->op, buffer, address, a->width, a->source);
    if (a->scoped || run->sync_bytes)
        sync_wrote(run, a->op, buffer, address, a->width, true);
}

static void store_rows(interp_run *run, const access *a, const reader *value)
{
    for (ptrdiff_t s = 0; s < arrlen(run->touched); s++) {
        span t = run->touched[s];
        if (!machine_step(run, a->op, t.count))
            return;
        for (uint32_t i = 0; i < t.count;) {
            int64_t address = (int64_t)((uint64_t)t.address + (uint64_t)i * t.width), bytes;
            uint32_t number = t.in_tile + i * t.step;
            unsigned char *to = memory_written_row(run, t.buffer, address, &bytes);
            int64_t n = bytes / t.width < t.count - i ? bytes / t.width : t.count - i;
            if (n == 0) {
                store_element(run, a, t.buffer, address, number, (void *)value);
                i++;
                continue;
            }
            run->version +=
                pack(to, t.width, n, &value->bits[number * value->step], t.step * value->step);
            i += (uint32_t)n;
        }
    }
}

static void store(interp_run *run, const access *a)
{
    reader value = a->value;
    bool is_told = run->limits.values && a->source; /* where each element goes */
    if (value.unknown && !anything_known(run) && !a->scoped && !run->sync_bytes && !is_told) {
        for (ptrdiff_t i = 0; i < arrlen(run->touched) && run->limits.values; i++)
            memory_set_source(run, run->touched[i].buffer, run->touched[i].address, a->source);
        return;
    }
    bool known = !value.unknown && !value.marks;
    if (known && comes_in_rows(run, a) && !run->sync_bytes && !run->backwards)
        store_rows(run, a, &value);
    else
        each_touched(run, a, store_element, &value);
}

static uint64_t chosen(bool first, uint64_t a, uint64_t b)
{
    return first ? a : b;
}

/* The value that an atomic of this mode leaves in memory; false when that is not known exactly. */
static bool combine_integers(ir_atomic_mode mode, const ir_type *elem, uint64_t old, uint64_t arg,
                             uint64_t *combined)
{
    int width = ir_type_bits(elem);
    if (ir_type_is_float(elem) && mode != IR_ATOMIC_XCHG)
        return false;
    int64_t s_old = sign_extend(old, width), s_arg = sign_extend(arg, width);
    switch (mode) {
    case IR_ATOMIC_AND:
        *combined = old & arg;
        return true;
    case IR_ATOMIC_OR:
        *combined = old | arg;
        return true;
    case IR_ATOMIC_XOR:
        *combined = old ^ arg;
        return true;
    case IR_ATOMIC_ADD:
        *combined = mask_to(old + arg, width);
        return true;
    case IR_ATOMIC_MAX:
        *combined = chosen(s_old > s_arg, old, arg);
        return true;
    case IR_ATOMIC_MIN:
        *combined = chosen(s_old < s_arg, old, arg);
        return true;
    case IR_ATOMIC_UMAX:
        *combined = chosen(old > arg, old, arg);
        return true;
    case IR_ATOMIC_UMIN:
        *combined = chosen(old < arg, old, arg);
        return true;
    case IR_ATOMIC_XCHG:
        *combined = arg;
        return true;
    case IR_ATOMIC_ADDF: /* the order of the additions is the scheduler's: not fixed */
        return false;
    }
    return false;
}

static uint64_t without_subnormal(ir_type_kind kind, uint64_t bits)
{
    return float_is_subnormal(kind, bits) ? bits & float_sign_bit(kind) : bits;
}

/* Floats: what this order of updates leaves. f32 has no subnormals here, as in global memory of the
 * hardware. */
static bool combine_floats(ir_atomic_mode mode, const ir_type *elem, uint64_t old, uint64_t arg,
                           uint64_t *combined)
{
    ir_type_kind kind = elem->kind;
    if (!float_has_format(kind))
        return false;
    if (kind == IR_F32) {
        old = without_subnormal(kind, old);
        arg = without_subnormal(kind, arg);
    }
    double x = float_decode(kind, old), y = float_decode(kind, arg);
    switch (mode) {
    case IR_ATOMIC_ADD:
    case IR_ATOMIC_ADDF:
        if (!float_encode(kind, x + y, combined))
            return false;
        if (kind == IR_F32)
            *combined = without_subnormal(kind, *combined);
        return true;
    case IR_ATOMIC_MAX:
        *combined = chosen(x > y || y != y, old, arg);
        return true;
    case IR_ATOMIC_MIN:
        *combined = chosen(x < y || y != y, old, arg);
        return true;
    default:
        return false;
    }
}

typedef struct update {
    cells *old; /* the result, or NULL */
    reader value, compare;
    ir_atomic_mode mode;
} update;

/* One element of an atomic update: reads it, delivers the old value, and writes the new one. What
 * is not known of an operand makes the new value unknown; a compare-and-swap that may or may not
 * write counts as one that writes something unknown. */
static void update_element(interp_run *run, const access *a, int32_t buffer, int64_t address,
                           uint32_t number, void *user)
{
    update *u = user;
    uint64_t old, next = 0;
    if (a->scoped)
        sync_read(run, a->op, buffer, address, a->width);
    bool old_known = memory_read(run, buffer, address, a->width, &old);
    if (!old_known)
        memory_not_known(run, a, buffer, address);
    bool arg_known = reader_known(&u->value, number), writes = true, certain = true, known;
    uint64_t arg = arg_known ? reader_bits(&u->value, number) : 0;
    if (u->old)
        memory_deliver(run, a, u->old, number, old, old_known);
    if (a->row->transfer == COMPARE_AND_SWAP) {
        known = old_known && reader_known(&u->compare, number);
        certain = known;
        writes = !known || old == reader_bits(&u->compare, number);
        known &= arg_known;
        next = arg;
    } else if (u->mode == IR_ATOMIC_XCHG) {
        known = arg_known;
        next = arg;
    } else {
        bool floats = ir_type_is_float(a->elem) && run->limits.values;
        known = old_known && arg_known &&
                (floats ? combine_floats : combine_integers)(u->mode, a->elem, old, arg, &next);
    }
    if (!writes)
        return;
    memory_write(run, buffer, address, a->width, next, known);
    if (!known)
        undefined_store(run, a->op, buffer, address, a->width,
                        a->source ? a->source : run->loaded_source);
    if (a->scoped || run->sync_bytes)
        sync_wrote(run, a->op, buffer, address, a->width, certain);
}

/* Returns the mode of the equivalent atomic: on one device, a multicast address names one copy of
 * the memory. */
static ir_atomic_mode mode_of(const access *a)
{
    static const ir_atomic_mode modes[] = {
        [IR_MULTIMEM_ADD] = IR_ATOMIC_ADD,   [IR_MULTIMEM_MIN] = IR_ATOMIC_MIN,
        [IR_MULTIMEM_MAX] = IR_ATOMIC_MAX,   [IR_MULTIMEM_AND] = IR_ATOMIC_AND,
        [IR_MULTIMEM_OR] = IR_ATOMIC_OR,     [IR_MULTIMEM_XOR] = IR_ATOMIC_XOR,
        [IR_MULTIMEM_UMIN] = IR_ATOMIC_UMIN, [IR_MULTIMEM_UMAX] = IR_ATOMIC_UMAX};
    int64_t mode = ir_attr_int(a->op, (unsigned)a->row->mode, IR_ATOMIC_ADD);
    if (a->op->code != IR_OP_MULTIMEM_REDUCE_VIEW_TKO)
        return (ir_atomic_mode)mode;
    bool adds = mode == IR_MULTIMEM_ADD && ir_type_is_float(a->elem);
    return adds ? IR_ATOMIC_ADDF : modes[mode];
}

static cells *atomic(interp_run *run, const access *a)
{
    update u = {.value = a->value, .compare = a->compare, .mode = IR_ATOMIC_XCHG};
    if (a->row->mode != NONE)
        u.mode = mode_of(a);
    if (a->row->result != NONE) {
        if (a->row->compare == NONE)
            miss_paddings(run, a);
        u.old = padded_tile(run, a, false);
        if (a->row->compare != NONE) /* a masked element gives back what it would compare with */
            for (int64_t i = 0; i < u.old->stored; i++)
                memory_deliver(run, a, u.old, (uint32_t)i,
                               reader_known(&u.compare, i) ? reader_bits(&u.compare, i) : 0,
                               reader_known(&u.compare, i));
    }
    each_touched(run, a, update_element, &u);
    return u.old ? cells_settle(u.old) : NULL;
}

cells *memory_perform(interp_run *run, const access *a)
{
    run->loaded_source = 0;
    switch (a->row->transfer) {
    case LOAD:
        return load(run, a);
    case STORE:
        store(run, a);
        return NULL;
    case UPDATE:
    case COMPARE_AND_SWAP:
        return atomic(run, a);
    }
    return NULL;
}
