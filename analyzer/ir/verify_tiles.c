/* Rules of tile values: constants, shapes, matrix products, conversions, rounding. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/verify.h"

/* ---- Constants and shapes ---- */

static size_t dense_size(const ir_attr *attr)
{
    size_t elements = (size_t)ir_type_elements(attr->type);
    if (attr->type->elem->kind == IR_I1) {
        return attr->splat ? 1 : (elements + 7) / 8;
    }
    return (size_t)ir_type_dense_bytes(attr->type->elem) * (attr->splat ? 1 : elements);
}

bool ir_check_constant(verifier *v, const ir_op *op)
{
    const ir_attr *value = &op->attrs[IR_AT_CONSTANT_value];
    if (value->type != op->results[0].type) {
        return ir_fail(v, op, "the value is %s, the result %s",
                       value->type ? ir_type_text(v, value->type) : "of no type",
                       ir_type_text(v, op->results[0].type));
    }
    return value->n_bytes == dense_size(value) ||
           ir_fail(v, op, "%zu bytes of data for %s", value->n_bytes, ir_type_text(v, value->type));
}

bool ir_check_iota(verifier *v, const ir_op *op)
{
    const ir_type *type = op->results[0].type;
    if (type->rank != 1) {
        return ir_fail(v, op, "the result has one dimension, not %d", type->rank);
    }
    int bits = ir_type_bits(type->elem);
    return bits >= 32 || type->shape[0] <= (int64_t)1 << bits ||
           ir_fail(v, op, "%lld numbers do not fit in %s", (long long)type->shape[0],
                   ir_type_text(v, type->elem));
}

static bool same_elem(verifier *v, const ir_op *op, const ir_type *a, const ir_type *b)
{
    return a->elem == b->elem || ir_fail(v, op, "elements of %s and of %s",
                                         ir_type_text(v, a->elem), ir_type_text(v, b->elem));
}

bool ir_check_broadcast(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    bool fits = from->rank == to->rank;
    for (int i = 0; fits && i < from->rank; i++) {
        fits = from->shape[i] == to->shape[i] || from->shape[i] == 1;
    }
    if (!fits) {
        return ir_fail(v, op, "%s cannot be broadcast to %s", ir_type_text(v, from),
                       ir_type_text(v, to));
    }
    return same_elem(v, op, from, to);
}

bool ir_check_reshape(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    if (ir_type_elements(from) != ir_type_elements(to)) {
        return ir_fail(v, op, "%s and %s do not have the same number of elements",
                       ir_type_text(v, from), ir_type_text(v, to));
    }
    return same_elem(v, op, from, to);
}

bool ir_check_permute(verifier *v, const ir_op *op)
{
    const ir_attr *permutation = &op->attrs[IR_AT_PERMUTE_permutation];
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    if (from->rank < 2 || from->rank != to->rank || permutation->count != (size_t)from->rank) {
        return ir_fail(v, op, "a permutation of %zu dimensions from %s to %s", permutation->count,
                       ir_type_text(v, from), ir_type_text(v, to));
    }
    unsigned seen = 0;
    for (int i = 0; i < from->rank; i++) {
        int64_t source = permutation->numbers[i];
        if (source < 0 || source >= from->rank || (seen >> source & 1)) {
            return ir_fail(v, op, "entry %d is %lld: not a permutation", i, (long long)source);
        }
        seen |= 1u << source;
        if (to->shape[i] != from->shape[source]) {
            return ir_fail(v, op, "dimension %d of the result is %lld, not %lld", i,
                           (long long)to->shape[i], (long long)from->shape[source]);
        }
    }
    return same_elem(v, op, from, to);
}

bool ir_check_cat(verifier *v, const ir_op *op)
{
    const ir_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const ir_type *to = op->results[0].type;
    int64_t dim = ir_attr_int(op, IR_AT_CAT_dim, -1);
    if (lhs->rank != rhs->rank || lhs->rank != to->rank || dim < 0 || dim >= lhs->rank) {
        return ir_fail(v, op, "%s and %s along dimension %lld", ir_type_text(v, lhs),
                       ir_type_text(v, rhs), (long long)dim);
    }
    for (int i = 0; i < lhs->rank; i++) {
        int64_t wanted = lhs->shape[i] + (i == dim ? rhs->shape[i] : 0);
        if (to->shape[i] != wanted || (i != dim && rhs->shape[i] != lhs->shape[i])) {
            return ir_fail(v, op, "dimension %d of %s and %s does not give %s", i,
                           ir_type_text(v, lhs), ir_type_text(v, rhs), ir_type_text(v, to));
        }
    }
    return same_elem(v, op, lhs, rhs) && same_elem(v, op, lhs, to);
}

/* extract: the result is a slice of the source; insert: the source is one of the destination. */
bool ir_check_slice(verifier *v, const ir_op *op)
{
    bool insert = op->code == IR_OP_INSERT;
    const ir_type *whole = op->operands[insert ? 1 : 0]->type;
    const ir_type *slice = insert ? op->operands[0]->type : op->results[0].type;
    uint32_t count;
    ir_group(op, insert ? (unsigned)IR_INSERT_indices : (unsigned)IR_EXTRACT_indices, &count);
    if (whole->rank != slice->rank || count != (uint32_t)whole->rank) {
        return ir_fail(v, op, "%u indices for a slice %s of %s", count, ir_type_text(v, slice),
                       ir_type_text(v, whole));
    }
    for (int i = 0; i < whole->rank; i++) {
        if (whole->shape[i] % slice->shape[i]) {
            return ir_fail(v, op, "slices %s do not divide %s", ir_type_text(v, slice),
                           ir_type_text(v, whole));
        }
    }
    return same_elem(v, op, whole, slice);
}

bool ir_check_pack(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    int64_t from_bits = ir_type_bits(from->elem) * ir_type_elements(from);
    int64_t to_bits = ir_type_bits(to->elem) * ir_type_elements(to);
    bool fits = from->rank == 1 && to->rank == 1 && from_bits == to_bits && from_bits % 8 == 0 &&
                ir_type_bits(from->elem) != ir_type_bits(to->elem);
    return fits || ir_fail(v, op, "%s and %s do not hold the same bytes", ir_type_text(v, from),
                           ir_type_text(v, to));
}

/* ---- Matrix products: [B x] M x K times [B x] K x N gives [B x] M x N ---- */

bool ir_check_mma(verifier *v, const ir_op *op)
{
    const ir_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const ir_type *acc = op->operands[2]->type;
    int batch = lhs->rank - 2;
    bool fits = (batch == 0 || batch == 1) && rhs->rank == lhs->rank && acc->rank == lhs->rank;
    if (fits && batch) {
        fits = lhs->shape[0] == rhs->shape[0] && lhs->shape[0] == acc->shape[0];
    }
    if (fits) {
        fits = lhs->shape[batch + 1] == rhs->shape[batch] &&
               lhs->shape[batch] == acc->shape[batch] &&
               rhs->shape[batch + 1] == acc->shape[batch + 1];
    }
    if (!fits) {
        return ir_fail(v, op, "%s times %s does not give %s", ir_type_text(v, lhs),
                       ir_type_text(v, rhs), ir_type_text(v, acc));
    }
    return same_elem(v, op, lhs, rhs);
}

static const unsigned accumulators[] = {
    [IR_F4E2M1FN] = KIND(IR_F16) | KIND(IR_F32),
    [IR_F8E4M3FN] = KIND(IR_F16) | KIND(IR_F32),
    [IR_F8E5M2] = KIND(IR_F16) | KIND(IR_F32),
    [IR_F16] = KIND(IR_F16) | KIND(IR_F32),
    [IR_BF16] = KIND(IR_F32),
    [IR_TF32] = KIND(IR_F32),
    [IR_F32] = KIND(IR_F32),
    [IR_F64] = KIND(IR_F64),
};

bool ir_check_mmaf(verifier *v, const ir_op *op)
{
    const ir_type *lhs = op->operands[0]->type, *acc = op->operands[2]->type;
    unsigned allowed = lhs->elem->kind < TR_COUNT(accumulators) ? accumulators[lhs->elem->kind] : 0;
    if (!(allowed & KIND(acc->elem->kind))) {
        return ir_fail(v, op, "products of %s are not added up in %s", ir_type_text(v, lhs->elem),
                       ir_type_text(v, acc->elem));
    }
    return ir_check_mma(v, op);
}

/* Elements of K that share a scale: 32 for f8; 16 for f4 with f8E4M3FN scales; 16 or 32 for f4 with
 * f8E8M0FNU scales. */
static bool scale_block_fits(const ir_type *elem, const ir_type *scale, int64_t block)
{
    if (elem->kind == IR_F8E4M3FN || elem->kind == IR_F8E5M2) {
        return scale->kind == IR_F8E8M0FNU && block == 32;
    }
    if (elem->kind != IR_F4E2M1FN) {
        return false;
    }
    return scale->kind == IR_F8E4M3FN ? block == 16
                                      : scale->kind == IR_F8E8M0FNU && (block == 16 || block == 32);
}

bool ir_check_mma_scaled(verifier *v, const ir_op *op)
{
    const ir_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const ir_type *lhs_scale = op->operands[IR_MMAF_SCALED_lhs_scale]->type;
    const ir_type *rhs_scale = op->operands[IR_MMAF_SCALED_rhs_scale]->type;
    if (!ir_check_mma(v, op)) {
        return false;
    }
    int batch = lhs->rank - 2;
    bool fits = lhs_scale->rank == lhs->rank && rhs_scale->rank == lhs->rank;
    if (fits && batch) {
        fits = lhs_scale->shape[0] == lhs->shape[0] && rhs_scale->shape[0] == lhs->shape[0];
    }
    fits = fits && lhs_scale->shape[batch] == lhs->shape[batch] &&
           rhs_scale->shape[batch + 1] == rhs->shape[batch + 1] &&
           lhs_scale->shape[batch + 1] == rhs_scale->shape[batch] &&
           lhs->shape[batch + 1] % lhs_scale->shape[batch + 1] == 0;
    if (!fits || lhs_scale->elem != rhs_scale->elem) {
        return ir_fail(v, op, "scales %s and %s do not fit %s and %s", ir_type_text(v, lhs_scale),
                       ir_type_text(v, rhs_scale), ir_type_text(v, lhs), ir_type_text(v, rhs));
    }
    int64_t block = lhs->shape[batch + 1] / lhs_scale->shape[batch + 1];
    return scale_block_fits(lhs->elem, lhs_scale->elem, block) ||
           ir_fail(v, op, "one %s scale for %lld elements of %s", ir_type_text(v, lhs_scale->elem),
                   (long long)block, ir_type_text(v, lhs->elem));
}

/* ---- Conversions ---- */

bool ir_check_bitcast(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type, *to = op->results[0].type;
    bool from_tf32 = from->elem->kind == IR_TF32, to_tf32 = to->elem->kind == IR_TF32;
    return (ir_type_bits(from->elem) == ir_type_bits(to->elem) && from_tf32 == to_tf32) ||
           ir_fail(v, op, "%s and %s differ in width", ir_type_text(v, from->elem),
                   ir_type_text(v, to->elem));
}

bool ir_check_widen(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type->elem, *to = op->results[0].type->elem;
    return ir_type_bits(to) > ir_type_bits(from) ||
           ir_fail(v, op, "%s is not wider than %s", ir_type_text(v, to), ir_type_text(v, from));
}

bool ir_check_narrow(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type->elem, *to = op->results[0].type->elem;
    return ir_type_bits(to) < ir_type_bits(from) ||
           ir_fail(v, op, "%s is not narrower than %s", ir_type_text(v, to), ir_type_text(v, from));
}

/* ---- Rounding ---- */

#define ROUND(mode) (1u << (mode))
#define IEEE                                                                                       \
    (ROUND(IR_ROUND_NEAREST_EVEN) | ROUND(IR_ROUND_ZERO) | ROUND(IR_ROUND_NEGATIVE_INF) |          \
     ROUND(IR_ROUND_POSITIVE_INF))

static bool check_rounding(verifier *v, const ir_op *op, unsigned attr, ir_rounding when_absent,
                           unsigned allowed)
{
    ir_rounding mode = (ir_rounding)ir_attr_int(op, attr, when_absent);
    if (!(allowed & ROUND(mode))) {
        return ir_fail(v, op, "it does not round by %s", ir_enum_keyword(IR_CODE_ROUNDING, mode));
    }
    bool fast = mode == IR_ROUND_APPROX || (mode == IR_ROUND_FULL && op->code == IR_OP_DIVF);
    return !fast || op->results[0].type->elem->kind == IR_F32 ||
           ir_fail(v, op, "approximate and full-range rounding are for f32 alone");
}

static bool check_flush_at(verifier *v, const ir_op *op, unsigned attr)
{
    return !ir_attr_int(op, attr, 0) || op->results[0].type->elem->kind == IR_F32 ||
           ir_fail(v, op, "flush_to_zero is for f32 alone");
}

/* addf, subf, mulf, fma: the same attributes in the same places. */
bool ir_check_ieee(verifier *v, const ir_op *op)
{
    return check_rounding(v, op, IR_AT_ADDF_rounding_mode, IR_ROUND_NEAREST_EVEN, IEEE) &&
           check_flush_at(v, op, IR_AT_ADDF_flush_to_zero);
}

bool ir_check_divf(verifier *v, const ir_op *op)
{
    unsigned allowed = IEEE | ROUND(IR_ROUND_APPROX) | ROUND(IR_ROUND_FULL);
    return check_rounding(v, op, IR_AT_DIVF_rounding_mode, IR_ROUND_NEAREST_EVEN, allowed) &&
           check_flush_at(v, op, IR_AT_DIVF_flush_to_zero);
}

bool ir_check_sqrt(verifier *v, const ir_op *op)
{
    unsigned allowed = IEEE | ROUND(IR_ROUND_APPROX);
    return check_rounding(v, op, IR_AT_SQRT_rounding_mode, IR_ROUND_NEAREST_EVEN, allowed) &&
           check_flush_at(v, op, IR_AT_SQRT_flush_to_zero);
}

bool ir_check_flush(verifier *v, const ir_op *op)
{
    bool extremum = op->code == IR_OP_MAXF || op->code == IR_OP_MINF;
    return check_flush_at(v, op, extremum ? (unsigned)IR_AT_MAXF_flush_to_zero : 0);
}

bool ir_check_full_or_approx(verifier *v, const ir_op *op)
{
    return check_rounding(v, op, IR_AT_EXP_rounding_mode, IR_ROUND_FULL,
                          ROUND(IR_ROUND_APPROX) | ROUND(IR_ROUND_FULL));
}

#define BYTE_FLOATS (KIND(IR_F8E4M3FN) | KIND(IR_F8E5M2) | KIND(IR_F4E2M1FN) | KIND(IR_FNV8E5M3FNU))
#define ANY_FLOAT   (~0u)

/* How a conversion may round, by the formats: the first row that fits. Of every bytecode version,
 * as tileiras 13.5 has it. A format that has all normal numbers of another widens it, and is exact
 * in every direction. */
static const struct {
    unsigned from, to, roundings;
} conversions[] = {
    {ANY_FLOAT, KIND(IR_F8E8M0FNU), ROUND(IR_ROUND_ZERO) | ROUND(IR_ROUND_POSITIVE_INF)},
    {ANY_FLOAT, BYTE_FLOATS, ROUND(IR_ROUND_NEAREST_EVEN)},
    {KIND(IR_F64), KIND(IR_F32), IEEE},
    {KIND(IR_F32), KIND(IR_TF32),
     ROUND(IR_ROUND_NEAREST_EVEN) | ROUND(IR_ROUND_ZERO) | ROUND(IR_ROUND_NEAREST_AWAY)},
#define WIDENS(from, to) {from, to, IEEE | ROUND(IR_ROUND_NEAREST_AWAY)}
    WIDENS(ANY_FLOAT & ~KIND(IR_F64), KIND(IR_F64)),
    WIDENS(ANY_FLOAT & ~(KIND(IR_F64) | KIND(IR_F8E8M0FNU)), KIND(IR_F32)),
    WIDENS(BYTE_FLOATS | KIND(IR_F16) | KIND(IR_BF16), KIND(IR_TF32)),
    WIDENS(BYTE_FLOATS, KIND(IR_BF16)),
    WIDENS(BYTE_FLOATS & ~KIND(IR_FNV8E5M3FNU), KIND(IR_F16)),
#undef WIDENS
    {ANY_FLOAT, ANY_FLOAT, ROUND(IR_ROUND_NEAREST_EVEN) | ROUND(IR_ROUND_ZERO)},
};

static unsigned roundings_of(ir_type_kind from, ir_type_kind to)
{
    size_t row = 0;
    while (!(conversions[row].from & KIND(from)) || !(conversions[row].to & KIND(to))) {
        row++;
    }
    return conversions[row].roundings;
}

bool ir_check_ftof(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type->elem, *to = op->results[0].type->elem;
    ir_rounding mode =
        (ir_rounding)ir_attr_int(op, IR_AT_FTOF_rounding_mode, IR_ROUND_NEAREST_EVEN);
    if (from == to) {
        return ir_fail(v, op, "it converts nothing");
    }
    unsigned allowed = roundings_of(from->kind, to->kind);
    if (allowed & ROUND(mode)) {
        return true;
    }
    tr_text words = {0};
    for (int i = 0; i <= IR_ROUND_NEAREST_AWAY; i++) {
        if (allowed & ROUND(i)) {
            tr_text_addf(&words, "%s%s", words.length ? ", " : "",
                         ir_enum_keyword(IR_CODE_ROUNDING, i));
        }
    }
    ir_fail(v, op, "from %s to %s it does not round by %s, but by %s", ir_type_text(v, from),
            ir_type_text(v, to), ir_enum_keyword(IR_CODE_ROUNDING, mode), tr_text_get(&words));
    tr_text_free(&words);
    return false;
}

bool ir_check_ftoi(verifier *v, const ir_op *op)
{
    return check_rounding(v, op, IR_AT_FTOI_rounding_mode, IR_ROUND_NEAREST_INT_TO_ZERO,
                          ROUND(IR_ROUND_NEAREST_INT_TO_ZERO));
}

bool ir_check_itof(verifier *v, const ir_op *op)
{
    const ir_type *from = op->operands[0]->type->elem, *to = op->results[0].type->elem;
    if (to->kind == IR_F8E8M0FNU) {
        return ir_fail(v, op, "%s does not become %s at once: by way of another float type",
                       ir_type_text(v, from), ir_type_text(v, to));
    }
    return check_rounding(v, op, IR_AT_ITOF_rounding_mode, IR_ROUND_NEAREST_EVEN,
                          ROUND(IR_ROUND_NEAREST_EVEN));
}

bool ir_check_divi(verifier *v, const ir_op *op)
{
    bool is_unsigned = ir_attr_int(op, IR_AT_DIVI_signedness, IR_SIGNED) == IR_UNSIGNED;
    unsigned allowed = ROUND(IR_ROUND_ZERO) | ROUND(IR_ROUND_POSITIVE_INF) |
                       (is_unsigned ? 0 : ROUND(IR_ROUND_NEGATIVE_INF));
    return check_rounding(v, op, IR_AT_DIVI_rounding, IR_ROUND_ZERO, allowed);
}

bool ir_check_negi(verifier *v, const ir_op *op)
{
    return ir_attr_int(op, IR_AT_NEGI_overflow, IR_WRAP) != IR_NUW ||
           ir_fail(v, op, "no_unsigned_wrap is not for negation");
}
