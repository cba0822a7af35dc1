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

/* The function is compiled for processors with wider vectors as well. That changes no bit: each sum
 * is still taken in its own order, and CMakeLists.txt sees to it that no product is fused with its
 * addition. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
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

/* Begins at a line of the cache, for the vector loops. */
static void *room(int64_t n, size_t size)
{
    enum { LINE = 64 };
    void *made = aligned_alloc(LINE, ((size_t)n * size / LINE + 1) * LINE);
    if (!made)
        tr_no_memory();
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

WIDE static void multiply_integers(const product *p, const uint32_t *l, const uint32_t *r,
                                   uint32_t *sum)
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

static void mmai(const ir_op *op, const product *p, const reader in[3], bool values, cells *out)
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
}

/* ---- Section: Floats ---- */

static double *doubles(const reader *r, int64_t n, ir_type_kind kind)
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

static float *singles(const reader *r, int64_t n, ir_type_kind kind)
{
    float *out = room(n, sizeof *out);
    if (r->step) {
        floats_decode_singles(kind, (size_t)n, r->bits, out);
        return out;
    }
    float same = (float)float_decode(kind, r->bits[0]);
    for (int64_t i = 0; i < n; i++)
        out[i] = same;
    return out;
}

/* Defines the product of matrices for one type of float that sums are taken in. */
#define MULTIPLY(type, types)                                                                      \
    WIDE static void add_##types(const product *p, const type *restrict l, const type *restrict r, \
                                 type *restrict sum)                                               \
    {                                                                                              \
        for (int64_t i = 0; i < p->rows; i++, sum += p->columns, l += p->inner)                    \
            for (int64_t k = 0; k < p->inner; k++) {                                               \
                const type *row = r + k * p->columns;                                              \
                for (int64_t j = 0; j < p->columns; j++)                                           \
                    sum[j] += l[k] * row[j];                                                       \
            }                                                                                      \
    }                                                                                              \
    static void multiply_##types(const product *p, const type *l, const type *r, type *sum)        \
    {                                                                                              \
        for (int64_t b = 0; b < p->batches; b++, l += p->rows * p->inner,                          \
                     r += p->inner * p->columns, sum += p->rows * p->columns)                      \
            add_##types(p, l, r, sum);                                                             \
    }
MULTIPLY(float, floats)
MULTIPLY(double, doubles)

/* Each scale stands for a block of neighbours along k, which is one of the operand's two inner
 * dimensions: along the other there are as many scales as elements. */
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

/* An operand times its scales, rounded to f32. */
static float *scaled_singles(const ir_value *of, const reader *r, const ir_value *by,
                             const reader *scales)
{
    const ir_type *t = of->type, *s = by->type;
    int rank = t->rank;
    int64_t n = ir_type_elements(t);
    double *wide = doubles(r, n, t->elem->kind);
    double *factors = doubles(scales, ir_type_elements(s), s->elem->kind);
    scale(wide, factors, rank == 3 ? t->shape[0] : 1, t->shape[rank - 2], t->shape[rank - 1],
          s->shape[rank - 2], s->shape[rank - 1]);
    float *out = room(n, sizeof *out);
    for (int64_t i = 0; i < n; i++)
        out[i] = (float)wide[i];
    free(factors);
    free(wide);
    return out;
}

static void mmaf_doubles(const product *p, const reader in[3], cells *out)
{
    double *l = doubles(&in[0], p->batches * p->rows * p->inner, IR_F64);
    double *r = doubles(&in[1], p->batches * p->inner * p->columns, IR_F64);
    double *sum = doubles(&in[2], out->stored, IR_F64);
    multiply_doubles(p, l, r, sum);
    for (int64_t i = 0; i < out->stored; i++)
        float_encode(IR_F64, sum[i], &out->bits[i]);
    free(l);
    free(r);
    free(sum);
}

static void mmaf(const ir_op *op, const product *p, const reader in[5], cells *out)
{
    ir_value *const *v = op->operands;
    ir_type_kind kind = op->results[0].type->elem->kind;
    bool scaled = op->code == IR_OP_MMAF_SCALED;
    if (kind == IR_F64) {
        mmaf_doubles(p, in, out);
        return;
    }
    float *l = scaled ? scaled_singles(v[0], &in[0], v[3], &in[3])
                      : singles(&in[0], ir_type_elements(v[0]->type), v[0]->type->elem->kind);
    float *r = scaled ? scaled_singles(v[1], &in[1], v[4], &in[4])
                      : singles(&in[1], ir_type_elements(v[1]->type), v[1]->type->elem->kind);
    float *sum = singles(&in[2], out->stored, kind);
    multiply_floats(p, l, r, sum);
    if (kind == IR_F32)
        floats_encode_singles((size_t)out->stored, sum, out->bits);
    for (int64_t i = 0; i < out->stored && kind != IR_F32; i++)
        if (!float_encode(kind, (double)sum[i], &out->bits[i]))
            cells_mark_unknown(out, i);
    free(l);
    free(r);
    free(sum);
}

/* ---- Section: What is not known ---- */

/* Lines of a matrix, of `n` elements each, that have an element which is not known: a byte each. */
static uint8_t *unknown_lines(const reader *r, int64_t lines, int64_t n, int64_t step, int64_t next)
{
    uint8_t *out = room(lines, 1);
    memset(out, 0, (size_t)lines);
    for (int64_t i = 0; i < lines && r->marks; i++)
        for (int64_t k = 0; k < n && !out[i]; k++)
            out[i] = !reader_known(r, i * next + k * step);
    return out;
}

/* An element is unknown when one in its row, its column or its place of the accumulator is. */
static void mark(const product *p, const reader in[3], cells *out)
{
    if (!in[0].marks && !in[1].marks && !in[2].marks)
        return;
    int64_t n_rows = p->batches * p->rows;
    uint8_t *rows = unknown_lines(&in[0], n_rows, p->inner, 1, p->inner);
    for (int64_t batch = 0; batch < p->batches; batch++) {
        reader r = in[1];
        int64_t skipped = batch * p->inner * p->columns * r.step;
        r.bits += skipped;
        r.marks += r.marks ? skipped : 0;
        uint8_t *columns = unknown_lines(&r, p->columns, p->inner, p->columns, 1);
        for (int64_t i = batch * p->rows * p->columns, row = batch * p->rows;
             row < (batch + 1) * p->rows; row++)
            for (int64_t column = 0; column < p->columns; column++, i++)
                if (rows[row] || columns[column] || !reader_known(&in[2], i)) {
                    cells_mark_unknown(out, i);
                    out->bits[i] = 0;
                }
        free(columns);
    }
    free(rows);
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
        in[k] = machine_reader(run, op->operands[k]);
        unknown |= in[k].unknown || (k > 2 && in[k].marks);
        unknown |= ir_type_is_float(elem) && !float_has_format(elem->kind);
    }
    uint64_t work = (uint64_t)(p.batches * p.rows * p.columns) * (uint64_t)p.inner;
    /* a step is worth some ten multiplications, which cost next to nothing */
    if (unknown || !machine_step(run, op, integer ? work : work / 16)) {
        machine_set_cells(run, &op->results[0], NULL);
        return true;
    }
    cells *out = cells_new(p.batches * p.rows * p.columns, false);
    if (integer)
        mmai(op, &p, in, run->limits.values, out);
    else
        mmaf(op, &p, in, out);
    mark(&p, in, out);
    machine_set_cells(run, &op->results[0], cells_settle(out));
    return true;
}
