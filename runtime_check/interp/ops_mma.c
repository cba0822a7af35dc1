/* Matrix products. The order of the additions does not show in integers, as long as no sum leaves
 * i32: then hardware saturates. In floats it does: sums are known only where values are asked for,
 * and then taken over ascending k, in f32 for all formats up to f32 (whose products of narrower
 * formats are exact), in f64 for f64. */
#include "interp/private.h"

#include <stdlib.h>

/* The inner loops are the time of a run: worth what the compiler can do. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

typedef struct product {
    int64_t batches, rows, inner, columns;
} product;

static product shape_of(const ir_type *l, const ir_type *r)
{
    return (product){.batches = l->rank == 3 ? l->shape[0] : 1,
                     .rows = l->shape[l->rank - 2],
                     .inner = l->shape[l->rank - 1],
                     .columns = r->shape[r->rank - 1]};
}

static void *room(int64_t n, size_t size)
{
    void *made = malloc((size_t)n * size + 1);
    if (!made)
        abort();
    return made;
}

/* ---- Section: Integers ---- */

static uint32_t *integers(const reader *r, int64_t n, int bits, bool is_signed)
{
    uint32_t *out = room(n, sizeof *out);
    for (int64_t i = 0; i < n; i++) {
        uint64_t x = r->bits[i * r->step];
        out[i] = (uint32_t)(is_signed ? (uint64_t)sign_extend(x, bits) : x);
    }
    return out;
}

static void multiply_integers(const product *p, const uint32_t *l, const uint32_t *r, uint32_t *sum)
{
    for (int64_t b = 0; b < p->batches; b++, r += p->inner * p->columns)
        for (int64_t i = 0; i < p->rows; i++, sum += p->columns, l += p->inner)
            for (int64_t k = 0; k < p->inner; k++) {
                const uint32_t *row = r + k * p->columns;
                for (int64_t j = 0; j < p->columns; j++)
                    sum[j] += l[k] * row[j];
            }
}

static uint64_t greatest(const uint32_t *x, int64_t n)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t magnitude = (int32_t)x[i] < 0 ? 0 - x[i] : x[i];
        most = magnitude > most ? magnitude : most;
    }
    return most;
}

/* No public text says what becomes of a sum that does not fit: of sums that leave i32 on the way
 * nothing is known, unless values are asked for; then the exact sum is held to the range of i32. */
static void saturate(const product *p, const uint32_t *l, const uint32_t *r, const reader *from,
                     bool values, cells *out)
{
    for (int64_t i = 0; i < out->stored; i++) {
        int64_t batch = i / (p->rows * p->columns), row = i / p->columns % p->rows;
        int64_t sum = sign_extend(from->bits[i * from->step], 32);
        bool fits = true;
        for (int64_t k = 0; k < p->inner; k++) {
            sum += (int64_t)(int32_t)l[(batch * p->rows + row) * p->inner + k] *
                   (int32_t)r[(batch * p->inner + k) * p->columns + i % p->columns];
            fits &= sum >= INT32_MIN && sum <= INT32_MAX;
        }
        int64_t held = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        out->bits[i] = (uint32_t)held;
        if (!fits && !values)
            cells_mark_unknown(out, i);
    }
}

static bool mmai(const ir_op *op, const product *p, const reader in[3], bool values, cells *out)
{
    bool ls = ir_attr_int(op, IR_AT_MMAI_signedness_lhs, IR_SIGNED) == IR_SIGNED;
    bool rs = ir_attr_int(op, IR_AT_MMAI_signedness_rhs, IR_SIGNED) == IR_SIGNED;
    int bits = ir_type_bits(op->operands[0]->type->elem);
    uint32_t *l = integers(&in[0], p->batches * p->rows * p->inner, bits, ls);
    uint32_t *r = integers(&in[1], p->batches * p->inner * p->columns, bits, rs);
    uint32_t *sum = integers(&in[2], out->stored, 32, false);
    uint64_t most = greatest(sum, out->stored) +
                    (uint64_t)p->inner * greatest(l, p->batches * p->rows * p->inner) *
                        greatest(r, p->batches * p->inner * p->columns);
    if (most <= INT32_MAX) {
        multiply_integers(p, l, r, sum);
        for (int64_t i = 0; i < out->stored; i++)
            out->bits[i] = sum[i];
    } else {
        saturate(p, l, r, &in[2], values, out);
    }
    free(l);
    free(r);
    free(sum);
    return true;
}

/* ---- Section: Floats ---- */

static double *numbers(const reader *r, int64_t n, ir_type_kind kind)
{
    double *out = room(n, sizeof *out);
    if (r->step) {
        floats_decode(kind, (size_t)n, r->bits, out);
        return out;
    }
    double same = float_decode(kind, r->bits[0]);
    for (int64_t i = 0; i < n; i++)
        out[i] = same;
    return out;
}

static float *narrowed(double *wide, int64_t n)
{
    float *out = room(n, sizeof *out);
    for (int64_t i = 0; i < n; i++)
        out[i] = (float)wide[i];
    free(wide);
    return out;
}

#define MULTIPLY(name, type)                                                                       \
    static void name(const product *p, const type *restrict l, const type *restrict r,             \
                     type *restrict sum)                                                           \
    {                                                                                              \
        for (int64_t b = 0; b < p->batches; b++, r += p->inner * p->columns)                       \
            for (int64_t i = 0; i < p->rows; i++, sum += p->columns, l += p->inner)                \
                for (int64_t k = 0; k < p->inner; k++) {                                           \
                    const type *row = r + k * p->columns;                                          \
                    for (int64_t j = 0; j < p->columns; j++)                                       \
                        sum[j] += l[k] * row[j];                                                   \
                }                                                                                  \
    }
MULTIPLY(multiply_floats, float)
MULTIPLY(multiply_doubles, double)

/* Each scale stands for a block of neighbours along k. `along`, `across`: lengths of the operand's
 * two inner dimensions, k being the first of them or the second. */
static void scale(double *x, const double *scales, int64_t batches, int64_t outer, int64_t inner,
                  int64_t scale_outer, int64_t scale_inner)
{
    for (int64_t b = 0; b < batches; b++)
        for (int64_t i = 0; i < outer; i++)
            for (int64_t j = 0; j < inner; j++) {
                int64_t si = i * scale_outer / outer, sj = j * scale_inner / inner;
                x[(b * outer + i) * inner + j] *= scales[(b * scale_outer + si) * scale_inner + sj];
            }
}

static void apply_scale(double *x, const ir_value *of, const ir_value *by, const reader *scales)
{
    const ir_type *t = of->type, *s = by->type;
    int rank = t->rank;
    double *factors = numbers(scales, ir_type_elements(s), s->elem->kind);
    scale(x, factors, rank == 3 ? t->shape[0] : 1, t->shape[rank - 2], t->shape[rank - 1],
          s->shape[rank - 2], s->shape[rank - 1]);
    free(factors);
}

static bool mmaf(const ir_op *op, const product *p, const reader in[5], cells *out)
{
    ir_value *const *v = op->operands;
    ir_type_kind kinds[] = {v[0]->type->elem->kind, v[1]->type->elem->kind,
                            op->results[0].type->elem->kind};
    int64_t n = out->stored;
    double *l = numbers(&in[0], p->batches * p->rows * p->inner, kinds[0]);
    double *r = numbers(&in[1], p->batches * p->inner * p->columns, kinds[1]);
    double *sum = numbers(&in[2], n, kinds[2]);
    if (op->code == IR_OP_MMAF_SCALED) {
        apply_scale(l, v[0], v[3], &in[3]);
        apply_scale(r, v[1], v[4], &in[4]);
    }
    if (kinds[2] == IR_F64) {
        multiply_doubles(p, l, r, sum);
        free(l);
        free(r);
    } else {
        float *fl = narrowed(l, p->batches * p->rows * p->inner);
        float *fr = narrowed(r, p->batches * p->inner * p->columns);
        float *fs = narrowed(sum, n);
        multiply_floats(p, fl, fr, fs);
        sum = room(n, sizeof *sum);
        for (int64_t i = 0; i < n; i++)
            sum[i] = (double)fs[i];
        free(fl);
        free(fr);
        free(fs);
    }
    for (int64_t i = 0; i < n; i++)
        if (!float_encode(kinds[2], sum[i], &out->bits[i]))
            cells_mark_unknown(out, i);
    free(sum);
    return true;
}

/* ---- Section: What is not known ---- */

/* An element is unknown when one in its row, its column or its place of the accumulator is. */
static void mark(const product *p, const reader in[3], cells *out)
{
    if (!in[0].marks && !in[1].marks && !in[2].marks)
        return;
    for (int64_t i = 0; i < out->stored; i++) {
        int64_t batch = i / (p->rows * p->columns), row = i / p->columns % p->rows;
        int64_t column = i % p->columns;
        bool known = reader_known(&in[2], i);
        for (int64_t k = 0; k < p->inner && known; k++)
            known = reader_known(&in[0], (batch * p->rows + row) * p->inner + k) &&
                    reader_known(&in[1], (batch * p->inner + k) * p->columns + column);
        if (!known) {
            cells_mark_unknown(out, i);
            out->bits[i] = 0;
        }
    }
}

bool ops_mma(interp_run *run, const ir_op *op)
{
    bool integer = op->code == IR_OP_MMAI;
    if (!integer && op->code != IR_OP_MMAF && op->code != IR_OP_MMAF_SCALED)
        return false;
    const ir_type *l = op->operands[0]->type;
    product p = shape_of(l, op->operands[1]->type);
    reader in[5];
    bool unknown = !integer && !run->limits.values;
    for (uint32_t k = 0; k < op->n_operands && k < TR_COUNT(in); k++) {
        const ir_type *elem = op->operands[k]->type->elem;
        in[k] = run_reader(run, op->operands[k]);
        unknown |= in[k].unknown || (k > 2 && in[k].marks);
        unknown |= ir_type_is_float(elem) && !float_has_format(elem->kind);
    }
    uint64_t work = (uint64_t)(p.batches * p.rows * p.columns) * (uint64_t)p.inner;
    /* a step is worth some ten multiplications, which cost next to nothing */
    if (unknown || !run_step(run, op, integer ? work : work / 16)) {
        run_set_cells(run, &op->results[0], NULL);
        return true;
    }
    cells *out = cells_new(p.batches * p.rows * p.columns, false);
    if (integer)
        mmai(op, &p, in, run->limits.values, out);
    else
        mmaf(op, &p, in, out);
    mark(&p, in, out);
    run_set_cells(run, &op->results[0], cells_settle(out));
    return true;
}
