/* Memory ops: which elements, their events, their data. Token plumbing too. */
#include "interp/oracle.h"

#include <math.h>

__extension__ typedef unsigned __int128 uwide;

#define NONE (-1)

typedef enum transfer { LOAD, STORE, UPDATE, COMPARE_AND_SWAP } transfer;

/* Operand groups, results and attributes of the memory ops; NONE: it has none. */
static const struct memory_row {
    ir_opcode code;
    transfer transfer;
    int where; /* view, or tile of pointers */
    int index; /* views */
    int value, compare, mask, padding, token;
    int result, result_token;
    int mode, inbounds;
} memory_rows[] = {
    {IR_OP_LOAD_VIEW_TKO, LOAD, IR_LOAD_VIEW_TKO_view, IR_LOAD_VIEW_TKO_index, NONE, NONE, NONE,
     NONE, IR_LOAD_VIEW_TKO_token, IR_RS_LOAD_VIEW_TKO_tile, IR_RS_LOAD_VIEW_TKO_token, NONE,
     IR_AT_LOAD_VIEW_TKO_inbounds},
    {IR_OP_STORE_VIEW_TKO, STORE, IR_STORE_VIEW_TKO_view, IR_STORE_VIEW_TKO_index,
     IR_STORE_VIEW_TKO_tile, NONE, NONE, NONE, IR_STORE_VIEW_TKO_token, NONE,
     IR_RS_STORE_VIEW_TKO_token, NONE, IR_AT_STORE_VIEW_TKO_inbounds},
    {IR_OP_ATOMIC_RED_VIEW_TKO, UPDATE, IR_ATOMIC_RED_VIEW_TKO_view, IR_ATOMIC_RED_VIEW_TKO_index,
     IR_ATOMIC_RED_VIEW_TKO_value, NONE, NONE, NONE, IR_ATOMIC_RED_VIEW_TKO_token, NONE,
     IR_RS_ATOMIC_RED_VIEW_TKO_token, IR_AT_ATOMIC_RED_VIEW_TKO_mode,
     IR_AT_ATOMIC_RED_VIEW_TKO_inbounds},
    {IR_OP_LOAD_PTR_TKO, LOAD, IR_LOAD_PTR_TKO_source, NONE, NONE, NONE, IR_LOAD_PTR_TKO_mask,
     IR_LOAD_PTR_TKO_padding_value, IR_LOAD_PTR_TKO_token, IR_RS_LOAD_PTR_TKO_result,
     IR_RS_LOAD_PTR_TKO_token, NONE, NONE},
    {IR_OP_STORE_PTR_TKO, STORE, IR_STORE_PTR_TKO_destination, NONE, IR_STORE_PTR_TKO_value, NONE,
     IR_STORE_PTR_TKO_mask, NONE, IR_STORE_PTR_TKO_token, NONE, IR_RS_STORE_PTR_TKO_token, NONE,
     NONE},
    {IR_OP_ATOMIC_RMW_TKO, UPDATE, IR_ATOMIC_RMW_TKO_pointers, NONE, IR_ATOMIC_RMW_TKO_arg, NONE,
     IR_ATOMIC_RMW_TKO_mask, NONE, IR_ATOMIC_RMW_TKO_token, IR_RS_ATOMIC_RMW_TKO_result,
     IR_RS_ATOMIC_RMW_TKO_token, IR_AT_ATOMIC_RMW_TKO_mode, NONE},
    {IR_OP_ATOMIC_CAS_TKO, COMPARE_AND_SWAP, IR_ATOMIC_CAS_TKO_pointers, NONE,
     IR_ATOMIC_CAS_TKO_val, IR_ATOMIC_CAS_TKO_cmp, IR_ATOMIC_CAS_TKO_mask, NONE,
     IR_ATOMIC_CAS_TKO_token, IR_RS_ATOMIC_CAS_TKO_result, IR_RS_ATOMIC_CAS_TKO_token, NONE, NONE},
};

/* The op at hand, its operands found. */
typedef struct access {
    const struct memory_row *row;
    const ir_op *op;
    const ir_type *elem;
    int width;        /* bytes */
    int64_t elements; /* of the tile */
    const ir_value *where;
    int n_index;
    int64_t index[IR_MAX_RANK];
    uint64_t padding;
    bool padded; /* elements that are not loaded are known: `padding` each, or the operand */
} access;

static ir_value *operand(const access *a, int group)
{
    return group == NONE ? NULL : ir_operand(a->op, (unsigned)group);
}

/* ---- Section: Elements of a view ---- */

typedef struct walk { /* over the elements of a tile that lie in the tensor */
    int rank;
    int64_t count[IR_MAX_RANK];     /* in-tile coordinates 0 .. count - 1 are inside */
    int64_t by_bytes[IR_MAX_RANK];  /* address step of a coordinate */
    int64_t by_number[IR_MAX_RANK]; /* element number step */
    int64_t base;
    int sparse; /* dimension whose rows are given, or NONE */
    reader rows;
    uint64_t n_rows; /* the tensor's extent there */
    int along;       /* dimension walked innermost */
} walk;

static bool find_start(interp_run *run, access *a, const ir_type *type, const view *w, walk *k)
{
    uint32_t n;
    ir_value **given = ir_group(a->op, (unsigned)a->row->index, &n);
    const ir_attr *inbounds = a->row->inbounds == NONE ? NULL : &a->op->attrs[a->row->inbounds];
    uwide farthest = 0;
    a->n_index = (int)n < IR_MAX_RANK ? (int)n : IR_MAX_RANK;
    k->base = w->base;
    for (int i = 0; i < type->rank; i++) {
        int d = view_tensor_dimension(type, i);
        uint64_t extent = w->shape[d], bytes = w->strides[d] * (uint64_t)a->width, index = 0;
        k->by_bytes[i] = (int64_t)bytes;
        if (type->kind == IR_GATHER_SCATTER_VIEW && i == type->sparse_dim) {
            k->sparse = i;
            k->n_rows = extent;
            k->rows = i < (int)n ? run_reader(run, given[i]) : reader_of(NULL);
            k->count[i] = type->shape[i];
            continue;
        }
        if (i >= (int)n || !run_scalar(run, a->op, given[i], "which tile is accessed", &index))
            return false;
        a->index[i] = (int64_t)index;
        uint64_t space = view_index_space(type, w, i);
        if (type->kind != IR_GATHER_SCATTER_VIEW && index >= space)
            run_note(run, INTERP_UB_INDEX_SPACE, a->op, i, (int64_t)index, (int64_t)space);
        uwide start = (uwide)index * view_step(type, i);
        uint64_t left = start < extent ? extent - (uint64_t)start : 0;
        k->count[i] = left < (uint64_t)type->shape[i] ? (int64_t)left : type->shape[i];
        if (k->count[i] < type->shape[i] && inbounds && inbounds->kind == IR_ATTR_INTS &&
            (size_t)i < inbounds->count && inbounds->numbers[i] && index < space)
            run_note(run, INTERP_UB_INDEX_SPACE, a->op, i, (int64_t)index, (int64_t)space);
        k->base = (int64_t)((uint64_t)k->base + (uint64_t)start * bytes);
        uwide reach;
        if (k->count[i] && (__builtin_mul_overflow(start + (uint64_t)k->count[i] - 1,
                                                   (uwide)w->strides[d], &reach) ||
                            __builtin_add_overflow(farthest, reach, &farthest)))
            farthest = (uwide)INT64_MAX + 1;
    }
    if (farthest > INT64_MAX) /* U2; the address goes on, wrapped */
        run_note(run, INTERP_UB_OUT_OF_BUFFER, a->op, -1, k->base, 0);
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
                run_stop(run, INTERP_UNDECIDED, a->op,
                         "which rows are accessed hangs on a value that the run does not know");
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

static void walk_elements(interp_run *run, const access *a, const walk *k, int32_t buffer)
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
            if (rows)
                events_touch(run, a->op, buffer, address, a->width, (uint32_t)k->count[k->along],
                             number, (uint32_t)k->by_number[k->along]);
            else
                events_touch(run, a->op, buffer, address, a->width, 1, number, 1);
        }
        if (!run_step(run, a->op, 0))
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
    const view *w = run_value(run, a->where)->view;
    if (!w || !w->known) {
        run_stop(run, INTERP_UNDECIDED, a->op,
                 "a view's base, shape or strides hang on a value that the run does not know");
        return false;
    }
    walk k = {.rank = type->rank, .sparse = NONE, .along = NONE};
    row_major(type->rank, type->shape, k.by_number);
    if (!find_start(run, a, type, w, &k))
        return false;
    for (int i = 0; i < type->rank; i++)
        if (i != k.sparse && k.by_bytes[i] == a->width && k.count[i] > 1)
            k.along = i;
    walk_elements(run, a, &k, w->buffer);
    return !run_stopped(run);
}

/* ---- Section: Elements of a tile of pointers ---- */

static bool touch_pointers(interp_run *run, access *a)
{
    reader p = run_reader(run, a->where);
    ir_value *mask_value = operand(a, a->row->mask);
    reader mask = mask_value ? run_reader(run, mask_value) : (reader){0};
    if (!run_step(run, a->op, (uint64_t)a->elements))
        return false;
    for (int64_t i = 0; i < a->elements; i++) {
        if (mask_value) {
            if (!reader_known(&mask, i)) {
                run_stop(run, INTERP_UNDECIDED, a->op,
                         "a mask hangs on a value that the run does not know");
                return false;
            }
            if (!reader_bits(&mask, i))
                continue;
        }
        if (!reader_known(&p, i)) {
            run_stop(run, INTERP_UNDECIDED, a->op,
                     "an address hangs on a value that the run does not know");
            return false;
        }
        int32_t buffer = reader_buffer(&p, i);
        events_touch(run, a->op, buffer, pointer_address(reader_bits(&p, i), buffer), a->width, 1,
                     (uint32_t)i, 1);
    }
    return true;
}

/* ---- Section: Data ---- */

/* Calls `each` for every touched element. */
typedef void (*element_action)(interp_run *run, const access *a, int32_t buffer, int64_t address,
                               uint32_t number, void *user);

static void each_touched(interp_run *run, const access *a, element_action each, void *user)
{
    for (ptrdiff_t s = 0; s < arrlen(run->touched); s++) {
        span t = run->touched[s];
        if (!run_step(run, a->op, t.count))
            return;
        for (uint32_t k = 0; k < t.count; k++)
            each(run, a, t.buffer, (int64_t)((uint64_t)t.address + (uint64_t)k * t.width),
                 t.in_tile + k * t.step, user);
    }
}

static bool scoped(const access *a)
{
    return ir_memory_ordering(a->op) != IR_WEAK;
}

static bool anything_known(const interp_run *run)
{
    for (ptrdiff_t s = 0; s < arrlen(run->touched); s++)
        if (memory_may_be_known(run, run->touched[s].buffer))
            return true;
    return false;
}

/* Puts what memory holds (or an element's old contents) into a tile. */
static void deliver(const interp_run *run, const access *a, cells *out, uint32_t number,
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

static void load_element(interp_run *run, const access *a, int32_t buffer, int64_t address,
                         uint32_t number, void *user)
{
    uint64_t bits;
    if (scoped(a))
        sync_read(run, a->op, buffer, address, a->width);
    bool known = memory_read(run, buffer, address, a->width, &bits);
    deliver(run, a, user, number, bits, known);
}

/* The result before anything is loaded: padding, or nothing known. */
static cells *padded_tile(interp_run *run, const access *a)
{
    cells *out = cells_new(a->elements, false);
    ir_value *padding_value = operand(a, a->row->padding);
    reader operand_reader = padding_value ? run_reader(run, padding_value) : reader_of(NULL);
    for (int64_t i = 0; i < out->stored; i++) {
        out->bits[i] = a->padding;
        bool known = a->padded;
        if (padding_value && (known = reader_known(&operand_reader, i)))
            out->bits[i] = reader_bits(&operand_reader, i);
        if (!known)
            cells_mark_unknown(out, i);
    }
    return out;
}

static void load(interp_run *run, access *a, const ir_value *result)
{
    cells *out = NULL;
    bool nothing = !anything_known(run) && arrlen(run->touched) && !scoped(a);
    if (!nothing) {
        out = padded_tile(run, a);
        each_touched(run, a, load_element, out);
        out = cells_settle(out);
    }
    run_set_cells(run, result, out);
}

static void store_element(interp_run *run, const access *a, int32_t buffer, int64_t address,
                          uint32_t number, void *user)
{
    const reader *value = user;
    bool known = reader_known(value, number);
    memory_write(run, buffer, address, a->width, known ? reader_bits(value, number) : 0, known);
    if (scoped(a) || run->sync_bytes)
        sync_wrote(run, a->op, buffer, address, a->width, true);
}

static void store(interp_run *run, access *a)
{
    reader value = run_reader(run, operand(a, a->row->value));
    if (value.unknown && !anything_known(run) && !scoped(a) && !run->sync_bytes)
        return;
    each_touched(run, a, store_element, &value);
}

static uint64_t chosen(bool first, uint64_t a, uint64_t b)
{
    return first ? a : b;
}

bool atomic_combine(ir_atomic_mode mode, const ir_type *elem, uint64_t old, uint64_t arg,
                    uint64_t *combined)
{
    int width = ir_type_bits(elem);
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

typedef struct update {
    cells *old; /* the result, or NULL */
    reader value, compare;
    ir_atomic_mode mode;
} update;

static void update_element(interp_run *run, const access *a, int32_t buffer, int64_t address,
                           uint32_t number, void *user)
{
    update *u = user;
    uint64_t old, next = 0;
    sync_read(run, a->op, buffer, address, a->width);
    bool old_known = memory_read(run, buffer, address, a->width, &old);
    bool arg_known = reader_known(&u->value, number), writes = true, certain = true, known;
    uint64_t arg = arg_known ? reader_bits(&u->value, number) : 0;
    if (u->old)
        deliver(run, a, u->old, number, old, old_known);
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
        known = old_known && arg_known && atomic_combine(u->mode, a->elem, old, arg, &next);
    }
    if (!writes)
        return;
    memory_write(run, buffer, address, a->width, next, known);
    sync_wrote(run, a->op, buffer, address, a->width, certain);
}

static void atomic(interp_run *run, access *a, const ir_value *result)
{
    update u = {.value = run_reader(run, operand(a, a->row->value))};
    ir_value *compare = operand(a, a->row->compare);
    if (compare)
        u.compare = run_reader(run, compare);
    if (a->row->mode != NONE)
        u.mode = (ir_atomic_mode)ir_attr_int(a->op, (unsigned)a->row->mode, IR_ATOMIC_ADD);
    if (result) {
        u.old = padded_tile(run, a);
        if (compare) /* a masked element gives back what it would compare with */
            for (int64_t i = 0; i < u.old->stored; i++)
                deliver(run, a, u.old, (uint32_t)i,
                        reader_known(&u.compare, i) ? reader_bits(&u.compare, i) : 0,
                        reader_known(&u.compare, i));
    }
    each_touched(run, a, update_element, &u);
    if (result)
        run_set_cells(run, result, cells_settle(u.old));
}

/* ---- Section: The op ---- */

static bool padding_bits(const ir_type *view_type, const ir_type *elem, uint64_t *bits)
{
    *bits = 0;
    switch (view_type->padding) {
    case IR_PAD_NONE:
        return false;
    case IR_PAD_ZERO:
        return true;
    case IR_PAD_NEG_ZERO:
        *bits = float_sign_bit(elem->kind);
        return true;
    case IR_PAD_NAN:
        return float_encode(elem->kind, NAN, bits);
    case IR_PAD_POS_INF:
        return float_encode(elem->kind, INFINITY, bits);
    case IR_PAD_NEG_INF:
        return float_encode(elem->kind, -INFINITY, bits);
    }
    return false;
}

static bool set_up(interp_run *run, access *a)
{
    const ir_type *type = a->where->type;
    bool is_view = ir_type_is_tile_view(type);
    a->elem = is_view ? type->tensor->elem : type->elem->elem;
    a->width = ir_type_bytes(a->elem);
    if (ir_type_bits(a->elem) == 4) {
        run_stop(run, INTERP_UNSUPPORTED, a->op, "4-bit elements in memory: two share a byte");
        return false;
    }
    a->elements = 1;
    for (int d = 0; d < (is_view ? type->rank : 0); d++)
        a->elements *= type->shape[d];
    if (is_view)
        a->padded = padding_bits(type, a->elem, &a->padding);
    else
        a->elements = ir_type_elements(type);
    if (a->elements > (int64_t)1 << 24) {
        run_stop(run, INTERP_LIMIT, a->op, "a tile of more than 2^24 elements");
        return false;
    }
    return true;
}

static void execute(interp_run *run, const ir_op *op, const struct memory_row *row)
{
    access a = {.row = row, .op = op, .where = ir_operand(op, (unsigned)row->where)};
    arrsetlen(run->touched, 0);
    if (!set_up(run, &a) || !(row->index == NONE ? touch_pointers(run, &a) : touch_view(run, &a)))
        return;
    const ir_value *result = row->result == NONE ? NULL : ir_result(op, (unsigned)row->result);
    switch (row->transfer) {
    case LOAD:
        load(run, &a, result);
        break;
    case STORE:
        store(run, &a);
        break;
    case UPDATE:
    case COMPARE_AND_SWAP:
        atomic(run, &a, result);
        break;
    }
    const ir_value *token_in = operand(&a, row->token);
    uint32_t node =
        events_commit(run, op, a.n_index, a.index, token_in ? run_value(run, token_in)->token : 0);
    sync_publish(run, op, node);
    const ir_value *token_out = ir_result(op, (unsigned)row->result_token);
    if (token_out)
        run_set_token(run, token_out, node);
}

/* ---- Section: Ops that only order ---- */

static void join(interp_run *run, const ir_op *op)
{
    uint32_t *nodes = NULL;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        uint32_t node = run_value(run, op->operands[i])->token;
        if (node && (!arrlen(nodes) || arrlast(nodes) != node))
            arrput(nodes, node);
    }
    uint32_t joined = arrlen(nodes) == 0   ? 0
                      : arrlen(nodes) == 1 ? nodes[0]
                                           : tokens_node(run, arrlenu(nodes), nodes);
    arrfree(nodes);
    run_set_token(run, &op->results[0], joined);
}

/* These touch no memory that the model knows; order goes through them. */
static void pass_token(interp_run *run, const ir_op *op)
{
    const ir_value *in = ir_token_in(op), *out = ir_token_out(op);
    uint32_t token = in ? run_value(run, in)->token : 0;
    if (run->oracle && op->code == IR_OP_GDC_WAIT_TKO)
        token = oracle_waits(run, token);
    if (out)
        run_set_token(run, out, token);
}

static const struct {
    ir_opcode code;
    void (*execute)(interp_run *run, const ir_op *op);
} token_ops[] = {
    {IR_OP_MAKE_TOKEN, pass_token},
    {IR_OP_JOIN_TOKENS, join},
    {IR_OP_MEMORY_FENCE_ALIAS_TKO, pass_token},
    {IR_OP_GDC_WAIT_TKO, pass_token},
    {IR_OP_GDC_LAUNCH_DEPENDENTS_TKO, pass_token},
    {IR_OP_PRINT_TKO, pass_token},
};

bool ops_memory(interp_run *run, const ir_op *op)
{
    for (size_t i = 0; i < TR_COUNT(memory_rows); i++)
        if (memory_rows[i].code == op->code) {
            execute(run, op, &memory_rows[i]);
            return true;
        }
    for (size_t i = 0; i < TR_COUNT(token_ops); i++)
        if (token_ops[i].code == op->code) {
            token_ops[i].execute(run, op);
            return true;
        }
    return false;
}
