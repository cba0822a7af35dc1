/* reduce and scan: the body runs once for each step along the dimension, on all lines at once where
 * it works element by element (lanes), else line by line. */
#include "interp/private.h"

#include <math.h>
#include <stdlib.h>

static bool is_elementwise(ir_opcode code)
{
    return ops_is_integer_elementwise(code) || ops_is_float_elementwise(code) ||
           code == IR_OP_SELECT || code == IR_OP_CONSTANT || code == IR_OP_YIELD ||
           code == IR_OP_ASSUME || code == IR_OP_BITCAST;
}

typedef struct fold {
    uint32_t n; /* operands */
    int rank, dim;
    int64_t length, lines; /* along the dimension; of all the others together */
    int64_t line_shape[IR_MAX_RANK], line_strides[IR_MAX_RANK];
    int64_t stride;         /* of the dimension */
    bool reverse, keep_all; /* scan */
    const ir_attr *identities;
    const ir_block *body;
} fold;

static bool body_has(const ir_block *body, bool (*wanted)(ir_opcode code))
{
    for (const ir_op *op = body->first; op; op = op->next)
        if (wanted(op->code))
            return true;
    return false;
}

static bool not_elementwise(ir_opcode code)
{
    return !is_elementwise(code);
}

/* The order of the steps is not fixed, and for these it shows in the last place. */
static bool order_shows(ir_opcode code)
{
    return code == IR_OP_ADDF || code == IR_OP_SUBF || code == IR_OP_MULF || code == IR_OP_FMA ||
           code == IR_OP_DIVF;
}

static cells *identity(const fold *f, uint32_t operand, const ir_type *elem)
{
    if (operand >= f->identities->count)
        return NULL;
    return cells_splat(mask_to((uint64_t)f->identities->items[operand].number, ir_type_bits(elem)));
}

/* A line of NaNs has a NaN as its largest and its smallest element, as on hardware: there the
 * fold begins with the first element. With the identity it would be this one, to which a NaN
 * gives way. */
static bool begins_with_first(const fold *f)
{
    const ir_op *op = f->body->first, *last = op ? op->next : NULL;
    return f->n == 1 && !f->keep_all && op && (op->code == IR_OP_MAXF || op->code == IR_OP_MINF) &&
           last && last->code == IR_OP_YIELD && last->n_operands == 1 &&
           last->operands[0] == &op->results[0] && op->operands[0] != op->operands[1] &&
           (op->operands[0] == f->body->args[0] || op->operands[0] == f->body->args[1]) &&
           (op->operands[1] == f->body->args[0] || op->operands[1] == f->body->args[1]);
}

/* Makes one pass along the dimension over the lines [first, first + lanes): the accumulators at its
 * end in `acc`; each step's stored into `out` for a scan. */
static bool walk(interp_run *run, const ir_op *op, const fold *f, int64_t first, int64_t lanes,
                 cells **acc, cells **out)
{
    const ir_block *body = f->body;
    const bool first_is_kept = begins_with_first(f);
    run->lanes = lanes;
    for (uint32_t k = 0; k < f->n; k++)
        acc[k] = identity(f, k, op->operands[k]->type->elem);
    for (int64_t step = 0; step < f->length; step++) {
        int64_t j = f->reverse ? f->length - 1 - step : step;
        for (uint32_t k = 0; k < f->n; k++) {
            const cells *source = machine_value(run, op->operands[k])->cells;
            int64_t base = j * f->stride;
            cells *line;
            if (lanes == f->lines) {
                line = cells_remap(source, f->rank - 1, f->line_shape, f->line_strides, base);
            } else {
                for (int64_t d = f->rank - 2, rest = first; d >= 0; rest /= f->line_shape[d], d--)
                    base += rest % f->line_shape[d] * f->line_strides[d];
                line = cells_remap(source, 0, NULL, NULL, base);
            }
            if (step == 0 && first_is_kept) {
                cells_drop(acc[k]);
                acc[k] = line;
                continue;
            }
            machine_set_cells(run, body->args[2 * k], line);
            machine_set_cells(run, body->args[2 * k + 1], acc[k]); /* gives it away */
            acc[k] = NULL;
        }
        if (step == 0 && first_is_kept)
            continue;
        ending end = machine_region(run, body);
        if (end.flow != FLOW_YIELD || !end.terminator || end.terminator->n_operands != f->n) {
            machine_stop(run, INTERP_UNSUPPORTED, op, "a reduction's body that does not yield");
            return false;
        }
        for (uint32_t k = 0; k < f->n; k++) {
            acc[k] = machine_value(run, end.terminator->operands[k])->cells;
            cells_keep(acc[k]);
            if (!f->keep_all)
                continue;
            reader r = reader_of(acc[k]);
            for (int64_t i = 0; i < lanes; i++) {
                int64_t at = j * f->stride;
                for (int64_t d = f->rank - 2, rest = first + i; d >= 0;
                     rest /= f->line_shape[d], d--)
                    at += rest % f->line_shape[d] * f->line_strides[d];
                if (reader_known(&r, i))
                    out[k]->bits[at] = reader_bits(&r, i);
                else
                    cells_mark_unknown(out[k], at);
            }
        }
    }
    return true;
}

static void collect(cells *out, int64_t first, int64_t lanes, const cells *acc)
{
    reader r = reader_of(acc);
    for (int64_t i = 0; i < lanes; i++) {
        if (reader_known(&r, i))
            out->bits[first + i] = reader_bits(&r, i);
        else
            cells_mark_unknown(out, first + i);
    }
}

/* ---- Section: Bodies of one op, in f32 ---- */

typedef float (*step_fn)(float x, float so_far);

static float added(float x, float so_far)
{
    return x + so_far;
}

/* Computes as maxf and minf without attributes do: a NaN gives way, +0 is above -0. */
static float larger(float x, float so_far)
{
    if (isnan(x) || isnan(so_far))
        return isnan(x) ? so_far : x;
    return x > so_far || (x == so_far && !signbit(x)) ? x : so_far;
}

static float smaller(float x, float so_far)
{
    if (isnan(x) || isnan(so_far))
        return isnan(x) ? so_far : x;
    return x < so_far || (x == so_far && signbit(x)) ? x : so_far;
}

/* Recognises the body when it is one op of its two arguments: no need to execute it step by
 * step. */
static step_fn step_of(const fold *f)
{
    const ir_op *op = f->body->first, *last = op ? op->next : NULL;
    if (f->n != 1 || f->keep_all || !last || last->code != IR_OP_YIELD || last->n_operands != 1 ||
        last->operands[0] != &op->results[0] || op->n_operands != 2 ||
        op->operands[0] == op->operands[1] || op->results[0].type->elem->kind != IR_F32)
        return NULL;
    for (int i = 0; i < 2; i++)
        if (op->operands[i] != f->body->args[0] && op->operands[i] != f->body->args[1])
            return NULL;
    switch (op->code) {
    case IR_OP_ADDF: {
        bool plain = ir_attr_int(op, IR_AT_ADDF_rounding_mode, IR_ROUND_NEAREST_EVEN) ==
                         IR_ROUND_NEAREST_EVEN &&
                     !ir_attr_int(op, IR_AT_ADDF_flush_to_zero, 0);
        return plain ? added : NULL;
    }
    case IR_OP_MAXF:
        return ir_attr_int(op, IR_AT_MAXF_propagate_nan, 0) ||
                       ir_attr_int(op, IR_AT_MAXF_flush_to_zero, 0)
                   ? NULL
                   : larger;
    case IR_OP_MINF:
        return ir_attr_int(op, IR_AT_MINF_propagate_nan, 0) ||
                       ir_attr_int(op, IR_AT_MINF_flush_to_zero, 0)
                   ? NULL
                   : smaller;
    default:
        return NULL;
    }
}

static float float_of(uint64_t bits)
{
    uint32_t raw = (uint32_t)bits;
    float number;
    memcpy(&number, &raw, sizeof number);
    return number;
}

/* False: not one of those, or something is not known. */
static bool fold_floats(interp_run *run, const ir_op *op, const fold *f)
{
    const cells *source = machine_value(run, op->operands[0])->cells;
    step_fn step = step_of(f);
    if (!step || !source || source->marks || !f->identities->count ||
        !machine_step(run, op, (uint64_t)(f->lines * f->length)))
        return false;
    reader in = reader_of(source);
    cells *out = cells_new(f->lines, false);
    for (int64_t line = 0; line < f->lines; line++) {
        int64_t at = 0;
        for (int64_t d = f->rank - 2, rest = line; d >= 0; rest /= f->line_shape[d], d--)
            at += rest % f->line_shape[d] * f->line_strides[d];
        int64_t kept = begins_with_first(f) ? 1 : 0;
        float so_far =
            float_of(kept ? in.bits[at * in.step] : (uint64_t)f->identities->items[0].number);
        for (int64_t j = kept; j < f->length; j++)
            so_far = step(float_of(in.bits[(at + j * f->stride) * in.step]), so_far);
        (void)float_encode(IR_F32, (double)so_far, &out->bits[line]);
    }
    machine_set_cells(run, &op->results[0], out);
    return true;
}

/* ---- Section: Any body ---- */

/* A reduction or a scan by its body, over as many lines at once as the body allows (`lanes`). The
 * result is unknown where no operand is known, and where floats are folded by a body whose result
 * depends on the order, which the specification leaves open. */
static void execute(interp_run *run, const ir_op *op, const fold *f)
{
    bool all_unknown = true, floats = false;
    for (uint32_t k = 0; k < f->n; k++) {
        all_unknown &= !machine_value(run, op->operands[k])->cells;
        floats |= ir_type_is_float(op->operands[k]->type->elem);
    }
    if (all_unknown || (floats && !run->limits.values && body_has(f->body, order_shows))) {
        for (uint32_t k = 0; k < op->n_results; k++)
            machine_set_cells(run, &op->results[k], NULL);
        return;
    }
    if (fold_floats(run, op, f))
        return;
    int64_t lanes = body_has(f->body, not_elementwise) ? 1 : f->lines;
    cells **acc = calloc(2 * (size_t)f->n + 1, sizeof *acc), **out = acc + f->n;
    if (!acc)
        tr_no_memory();
    for (uint32_t k = 0; k < f->n; k++) {
        out[k] = cells_new(ir_type_elements(op->results[k].type), false);
        memset(out[k]->bits, 0, sizeof out[k]->bits[0] * (size_t)out[k]->stored);
    }
    int64_t outer_lanes = run->lanes;
    bool fine = true;
    for (int64_t first = 0; first < f->lines && fine; first += lanes) {
        fine = machine_step(run, op, (uint64_t)(lanes * f->length)) &&
               walk(run, op, f, first, lanes, acc, out);
        for (uint32_t k = 0; k < f->n; k++) {
            if (fine && !f->keep_all)
                collect(out[k], first, lanes, acc[k]);
            cells_drop(acc[k]);
            acc[k] = NULL;
        }
    }
    run->lanes = outer_lanes;
    for (uint32_t k = 0; k < f->n; k++)
        machine_set_cells(run, &op->results[k], cells_settle(out[k]));
    free(acc);
}

bool ops_fold(interp_run *run, const ir_op *op)
{
    bool scan = op->code == IR_OP_SCAN;
    if (op->code != IR_OP_REDUCE && !scan)
        return false;
    fold f = {.n = op->n_operands,
              .rank = op->operands[0]->type->rank,
              .dim = (int)ir_attr_int(op, scan ? IR_AT_SCAN_dim : IR_AT_REDUCE_dim, 0),
              .keep_all = scan,
              .reverse = scan && ir_attr_int(op, IR_AT_SCAN_reverse, 0),
              .identities = &op->attrs[scan ? IR_AT_SCAN_identities : IR_AT_REDUCE_identities],
              .body = op->regions[scan ? IR_RG_SCAN_body : IR_RG_REDUCE_body]};
    const int64_t *shape = op->operands[0]->type->shape;
    if (f.dim < 0 || f.dim >= f.rank || f.body->n_args != 2 * f.n || run->lanes != 1) {
        machine_stop(run, INTERP_UNSUPPORTED, op, "a reduction of a shape that is not known");
        return true;
    }
    int64_t strides[IR_MAX_RANK];
    row_major(f.rank, shape, strides);
    f.length = shape[f.dim];
    f.stride = strides[f.dim];
    f.lines = 1;
    for (int d = 0, to = 0; d < f.rank; d++)
        if (d != f.dim) {
            f.line_shape[to] = shape[d];
            f.line_strides[to++] = strides[d];
            f.lines *= shape[d];
        }
    execute(run, op, &f);
    return true;
}
