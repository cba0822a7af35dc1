/* Arithmetic, element by element, on numbers and tiles alike. */
#include "dialect/lower.h"

#include <math.h>

typedef struct arith_row {
    const char *name;
    ir_opcode on_ints, on_floats; /* IR_OP_COUNT: there is none */
    bool on_masks;
} arith_row;

static const arith_row rows[] = {
    [DL_ADD] = {"addition", IR_OP_ADDI, IR_OP_ADDF, false},
    [DL_SUB] = {"subtraction", IR_OP_SUBI, IR_OP_SUBF, false},
    [DL_MUL] = {"multiplication", IR_OP_MULI, IR_OP_MULF, false},
    [DL_DIV] = {"division", IR_OP_DIVI, IR_OP_DIVF, false},
    [DL_REM] = {"remainder", IR_OP_REMI, IR_OP_REMF, false},
    [DL_CEIL_DIV] = {"division that rounds up", IR_OP_DIVI, IR_OP_COUNT, false},
    [DL_FLOOR_DIV] = {"division that rounds down", IR_OP_DIVI, IR_OP_COUNT, false},
    [DL_MIN] = {"minimum", IR_OP_MINI, IR_OP_MINF, false},
    [DL_MAX] = {"maximum", IR_OP_MAXI, IR_OP_MAXF, false},
    [DL_MULHI] = {"upper half of a product", IR_OP_MULHII, IR_OP_COUNT, false},
    [DL_AND] = {"bitwise and", IR_OP_ANDI, IR_OP_COUNT, true},
    [DL_OR] = {"bitwise or", IR_OP_ORI, IR_OP_COUNT, true},
    [DL_XOR] = {"bitwise exclusive or", IR_OP_XORI, IR_OP_COUNT, true},
    [DL_SHL] = {"shift", IR_OP_SHLI, IR_OP_COUNT, false},
    [DL_SHR] = {"shift", IR_OP_SHRI, IR_OP_COUNT, false},
    [DL_POW] = {"power", IR_OP_COUNT, IR_OP_FPOWF, false},
    [DL_ATAN2] = {"arc tangent", IR_OP_COUNT, IR_OP_ATAN2, false},
};

/* ---- Bringing two operands to one type ---- */

static bool is_plain_float(const ir_type *elem)
{
    return elem->kind == IR_F16 || elem->kind == IR_BF16 || elem->kind == IR_F32 ||
           elem->kind == IR_F64;
}

static bool is_numeric(dl *L, CXCursor where, const dl_value *value)
{
    if (value->kind != DL_VALUE)
        return false;
    if (value->type->kind == IR_TILE && value->type->elem->kind != IR_POINTER)
        return true;
    dl_fail(L, where, value->type->kind == IR_TILE ? "tile_offset moves pointers." : NULL,
            "%s is no tile of numbers", dl_type_text(L, value->type));
    return false;
}

/* C's usual arithmetic conversions, for two numbers that Clang did not convert. */
static dl_element common_element(dl *L, const dl_value *a, const dl_value *b)
{
    const ir_type *x = a->type->elem, *y = b->type->elem;
    if (x == y && a->is_unsigned == b->is_unsigned)
        return (dl_element){x, a->is_unsigned};
    if (ir_type_is_float(x) != ir_type_is_float(y))
        return (dl_element){ir_type_is_float(x) ? x : y, false};
    int bits_x = ir_type_bits(x), bits_y = ir_type_bits(y);
    if (ir_type_is_int(x) && bits_x < 32 && bits_y < 32)
        return (dl_element){ir_type_scalar(L->module, IR_I32), false};
    if (bits_x == bits_y)
        return (dl_element){x, a->is_unsigned || b->is_unsigned};
    return bits_x > bits_y ? (dl_element){x, a->is_unsigned} : (dl_element){y, b->is_unsigned};
}

static bool adapt(dl *L, CXCursor where, dl_value *number, const dl_value *tile)
{
    if (ir_type_is_float(number->type->elem) && !ir_type_is_float(tile->type->elem)) {
        dl_fail(L, where, "Convert the tile with tile_cast(t, float).",
                "a float number cannot be combined with %s", dl_type_text(L, tile->type));
        return false;
    }
    *number = dl_convert(L, *number, (dl_element){tile->type->elem, tile->is_unsigned});
    return true;
}

static bool unify_elements(dl *L, CXCursor where, dl_value *a, dl_value *b)
{
    if (a->number && b->number) {
        dl_element element = common_element(L, a, b);
        *a = dl_convert(L, *a, element);
        *b = dl_convert(L, *b, element);
        return true;
    }
    if (a->number)
        return adapt(L, where, a, b);
    if (b->number)
        return adapt(L, where, b, a);
    if (a->type->elem != b->type->elem) {
        dl_fail(L, where, "Convert one with tile_cast(t, type).",
                "%s and %s differ in their element type", dl_type_text(L, a->type),
                dl_type_text(L, b->type));
        return false;
    }
    a->is_unsigned = b->is_unsigned = a->is_unsigned || b->is_unsigned;
    return true;
}

static bool common_shape(const ir_type *a, const ir_type *b, int *rank, int64_t *shape)
{
    *rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 0; i < *rank; i++) {
        int in_a = i - (*rank - a->rank), in_b = i - (*rank - b->rank);
        int64_t x = in_a < 0 ? 1 : a->shape[in_a], y = in_b < 0 ? 1 : b->shape[in_b];
        if (x != y && x != 1 && y != 1)
            return false;
        shape[i] = x > y ? x : y;
    }
    return true;
}

bool dl_unify(dl *L, CXCursor where, dl_value *a, dl_value *b)
{
    int rank;
    int64_t shape[IR_MAX_RANK];
    if (!is_numeric(L, where, a) || !is_numeric(L, where, b) || !unify_elements(L, where, a, b))
        return false;
    if (!common_shape(a->type, b->type, &rank, shape)) {
        dl_fail(
            L, where, "Extents must match from the right, or be 1; tile_expand adds a dimension.",
            "%s and %s do not match in shape", dl_type_text(L, a->type), dl_type_text(L, b->type));
        return false;
    }
    if (rank > 0) {
        if (!dl_check_tile_shape(L, where, rank, shape))
            return false;
        *a = dl_broadcast(L, where, *a, rank, shape);
        *b = dl_broadcast(L, where, *b, rank, shape);
    }
    return a->kind == DL_VALUE && b->kind == DL_VALUE;
}

/* ---- Constants ---- */

/* A quotient, however it is rounded, or a remainder. False: it is undefined, or it might be: the
 * least integer divided by -1 overflows. */
static bool fold_quotient(dl_arith op, bool is_unsigned, int64_t a, int64_t b, int64_t *out)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    if (b == 0 || (!is_unsigned && b == -1))
        return false;
    int64_t quotient = is_unsigned ? (int64_t)(ua / ub) : a / b;
    int64_t rest = is_unsigned ? (int64_t)(ua % ub) : a % b;
    bool down = !is_unsigned && rest != 0 && (rest < 0) != (b < 0); /* true quotient < 0 */
    if (op == DL_CEIL_DIV && rest != 0 && !down)
        quotient++;
    if (op == DL_FLOOR_DIV && down)
        quotient--;
    *out = op == DL_REM ? rest : quotient;
    return true;
}

/* a op b in integers of that width. False: the value is undefined (a division by 0, a signed
 * overflow, a shift by the width or more), so the op stays for the checker to see. */
static bool fold_int(dl_arith op, int bits, bool is_unsigned, int64_t a, int64_t b, int64_t *out)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    int64_t quotient;
    smt_int wide;
    switch (op) {
    case DL_ADD:
        wide = (smt_int)a + b;
        break;
    case DL_SUB:
        wide = (smt_int)a - b;
        break;
    case DL_MUL:
        wide = (smt_int)a * b;
        break;
    case DL_DIV:
    case DL_REM:
    case DL_CEIL_DIV:
    case DL_FLOOR_DIV:
        if (!fold_quotient(op, is_unsigned, a, b, &quotient))
            return false;
        wide = quotient;
        break;
    case DL_MIN:
        wide = (is_unsigned ? ua < ub : a < b) ? a : b;
        break;
    case DL_MAX:
        wide = (is_unsigned ? ua > ub : a > b) ? a : b;
        break;
    case DL_AND:
        wide = a & b;
        break;
    case DL_OR:
        wide = a | b;
        break;
    case DL_XOR:
        wide = a ^ b;
        break;
    case DL_SHL:
        if (b < 0 || b >= bits)
            return false;
        wide = (smt_int)a * ((smt_int)1 << b); /* a shift of a negative number means nothing in C */
        break;
    case DL_SHR:
        if (b < 0 || b >= bits)
            return false;
        wide = is_unsigned ? (int64_t)(ua >> b) : a >> b;
        break;
    default:
        return false;
    }
    uint64_t low = (uint64_t)wide;
    if (is_unsigned) {
        *out = (int64_t)(bits >= 64 ? low : low & (((uint64_t)1 << bits) - 1));
        return true;
    }
    *out = bits >= 64 ? (int64_t)low : (int64_t)(low << (64 - bits)) >> (64 - bits);
    return bits == 1 || *out == wide; /* a signed overflow stays an op: it is undefined */
}

static bool fold_float(dl_arith op, double a, double b, double *out)
{
    switch (op) {
    case DL_ADD:
        *out = a + b;
        return true;
    case DL_SUB:
        *out = a - b;
        return true;
    case DL_MUL:
        *out = a * b;
        return true;
    case DL_DIV:
        *out = a / b;
        return true;
    case DL_MIN:
        *out = fmin(a, b);
        return true;
    case DL_MAX:
        *out = fmax(a, b);
        return true;
    default:
        return false;
    }
}

static bool fold(dl *L, dl_arith op, const dl_value *a, const dl_value *b, dl_value *out)
{
    (void)L;
    if (!a->constant || !b->constant || a->ir || b->ir)
        return false;
    const ir_type *elem = a->type->elem;
    *out = *a;
    out->number = a->number && b->number;
    out->fixed = a->fixed && b->fixed;
    if (ir_type_is_int(elem))
        return fold_int(op, ir_type_bits(elem), a->is_unsigned, a->integer, b->integer,
                        &out->integer);
    if (elem->kind != IR_F32 && elem->kind != IR_F64)
        return false;
    if (!fold_float(op, a->real, b->real, &out->real))
        return false;
    out->real = ir_float_value(elem, ir_float_bits(elem, out->real));
    return true;
}

/* ---- Ops ---- */

/* The attributes that C's rules give the op: signed operations promise not to overflow, unsigned
 * ones wrap, divisions round towards 0, floats to the nearest. */
static void set_flags(ir_op *op, dl_arith arith, bool is_unsigned)
{
    ir_signedness sign = is_unsigned ? IR_UNSIGNED : IR_SIGNED;
    ir_overflow overflow = is_unsigned ? IR_WRAP : IR_NSW;
    switch (op->code) {
    case IR_OP_ADDI:
        ir_set_int(op, IR_AT_ADDI_overflow, overflow);
        break;
    case IR_OP_SUBI:
        ir_set_int(op, IR_AT_SUBI_overflow, overflow);
        break;
    case IR_OP_MULI:
        ir_set_int(op, IR_AT_MULI_overflow, overflow);
        break;
    case IR_OP_SHLI: /* drops the bits that leave the type, as compilers have it */
        ir_set_int(op, IR_AT_SHLI_overflow, IR_WRAP);
        break;
    case IR_OP_DIVI:
        ir_set_int(op, IR_AT_DIVI_signedness, sign);
        ir_set_int(op, IR_AT_DIVI_rounding,
                   arith == DL_CEIL_DIV    ? IR_ROUND_POSITIVE_INF
                   : arith == DL_FLOOR_DIV ? IR_ROUND_NEGATIVE_INF
                                           : IR_ROUND_ZERO);
        break;
    case IR_OP_REMI:
        ir_set_int(op, IR_AT_REMI_signedness, sign);
        break;
    case IR_OP_MINI:
        ir_set_int(op, IR_AT_MINI_signedness, sign);
        break;
    case IR_OP_MAXI:
        ir_set_int(op, IR_AT_MAXI_signedness, sign);
        break;
    case IR_OP_SHRI:
        ir_set_int(op, IR_AT_SHRI_signedness, sign);
        break;
    case IR_OP_ADDF:
        ir_set_int(op, IR_AT_ADDF_rounding_mode, IR_ROUND_NEAREST_EVEN);
        break;
    case IR_OP_SUBF:
        ir_set_int(op, IR_AT_SUBF_rounding_mode, IR_ROUND_NEAREST_EVEN);
        break;
    case IR_OP_MULF:
        ir_set_int(op, IR_AT_MULF_rounding_mode, IR_ROUND_NEAREST_EVEN);
        break;
    case IR_OP_DIVF:
        ir_set_int(op, IR_AT_DIVF_rounding_mode, IR_ROUND_NEAREST_EVEN);
        break;
    default:
        break;
    }
}

dl_value dl_binary(dl *L, CXCursor where, dl_arith op, dl_value a, dl_value b)
{
    dl_value result;
    if (!dl_unify(L, where, &a, &b))
        return dl_poison();
    if (fold(L, op, &a, &b, &result))
        return result;
    const ir_type *elem = a.type->elem;
    bool is_float = ir_type_is_float(elem);
    ir_opcode code = is_float ? rows[op].on_floats : rows[op].on_ints;
    bool works = code != IR_OP_COUNT && (!is_float || is_plain_float(elem)) &&
                 (elem->kind != IR_I1 || rows[op].on_masks);
    if (!works)
        return dl_fail(L, where, "Convert with tile_cast first.", "%s does not work on %s",
                       rows[op].name, dl_type_text(L, a.type));
    ir_value *operands[] = {dl_ir(L, &a), dl_ir(L, &b)};
    ir_op *built = dl_emit_op(L, code, a.type, 2, operands);
    set_flags(built, op, a.is_unsigned);
    return dl_of(&built->results[0], a.number && b.number, a.is_unsigned);
}

dl_value dl_compare(dl *L, CXCursor where, ir_predicate predicate, dl_value a, dl_value b)
{
    if (!dl_unify(L, where, &a, &b))
        return dl_poison();
    const ir_type *elem = a.type->elem;
    bool number = a.number && b.number;
    if (a.constant && b.constant && ir_type_is_int(elem)) {
        bool less =
            a.is_unsigned ? (uint64_t)a.integer < (uint64_t)b.integer : a.integer < b.integer;
        bool equal = a.integer == b.integer;
        bool results[] = {equal, !equal, less, less || equal, !less && !equal, !less};
        dl_value value = dl_integer(L, IR_I1, true, results[predicate]);
        value.fixed = a.fixed && b.fixed;
        value.number = number;
        return value;
    }
    const ir_type *type =
        dl_tile_type(L, ir_type_scalar(L->module, IR_I1), a.type->rank, a.type->shape);
    ir_value *operands[] = {dl_ir(L, &a), dl_ir(L, &b)};
    ir_op *op;
    if (ir_type_is_float(elem)) {
        op = dl_emit_op(L, IR_OP_CMPF, type, 2, operands);
        ir_set_int(op, IR_AT_CMPF_comparison_predicate, predicate);
        ir_set_int(op, IR_AT_CMPF_comparison_ordering,
                   predicate == IR_NE ? IR_UNORDERED : IR_ORDERED);
    } else {
        op = dl_emit_op(L, IR_OP_CMPI, type, 2, operands);
        ir_set_int(op, IR_AT_CMPI_comparison_predicate, predicate);
        ir_set_int(op, IR_AT_CMPI_signedness,
                   a.is_unsigned || elem->kind == IR_I1 ? IR_UNSIGNED : IR_SIGNED);
    }
    return dl_of(&op->results[0], number, true);
}

dl_value dl_negate(dl *L, CXCursor where, dl_value a)
{
    if (!is_numeric(L, where, &a))
        return dl_poison();
    const ir_type *elem = a.type->elem;
    bool is_float = ir_type_is_float(elem);
    if (elem->kind == IR_I1 || (is_float && !is_plain_float(elem)))
        return dl_fail(L, where, "Convert with tile_cast first.", "negation does not work on %s",
                       dl_type_text(L, a.type));
    if (a.constant && !a.ir && is_float) {
        a.real = -a.real;
        return a;
    }
    if (!is_float && a.constant && !a.ir) {
        dl_value zero = a;
        zero.integer = 0;
        return dl_binary(L, where, DL_SUB, zero, a);
    }
    ir_value *operand = dl_ir(L, &a);
    ir_op *op = dl_emit_op(L, is_float ? IR_OP_NEGF : IR_OP_NEGI, a.type, 1, &operand);
    if (!is_float)
        ir_set_int(op, IR_AT_NEGI_overflow, a.is_unsigned ? IR_WRAP : IR_NSW);
    return dl_of(&op->results[0], a.number, a.is_unsigned);
}

dl_value dl_complement(dl *L, CXCursor where, dl_value a)
{
    if (!is_numeric(L, where, &a))
        return dl_poison();
    if (!ir_type_is_int(a.type->elem))
        return dl_fail(L, where, NULL, "bitwise not does not work on %s", dl_type_text(L, a.type));
    dl_value ones =
        dl_integer(L, a.type->elem->kind, a.is_unsigned, a.type->elem->kind == IR_I1 ? 1 : -1);
    ones = dl_convert(L, ones, (dl_element){a.type->elem, a.is_unsigned});
    ones.fixed = true;
    return dl_binary(L, where, DL_XOR, a, ones);
}

dl_value dl_select(dl *L, CXCursor where, dl_value condition, dl_value yes, dl_value no)
{
    if (condition.kind != DL_VALUE || !dl_unify(L, where, &yes, &no))
        return dl_poison();
    if (condition.type->kind == IR_TILE && condition.number)
        condition = dl_to_bool(L, where, condition);
    if (condition.kind != DL_VALUE)
        return dl_poison();
    if (condition.type->kind != IR_TILE || condition.type->elem->kind != IR_I1)
        return dl_fail(L, where, "Make one with tile_lt and its like.",
                       "the condition is %s, not a tile of bool", dl_type_text(L, condition.type));
    if (condition.constant && condition.type->rank == 0)
        return condition.integer ? yes : no;
    int rank;
    int64_t shape[IR_MAX_RANK];
    if (!common_shape(condition.type, yes.type, &rank, shape))
        return dl_fail(L, where, NULL, "the mask %s does not fit %s",
                       dl_type_text(L, condition.type), dl_type_text(L, yes.type));
    bool number = yes.number && no.number && condition.type->rank == 0;
    condition = dl_broadcast(L, where, condition, rank, shape);
    yes = dl_broadcast(L, where, yes, rank, shape);
    no = dl_broadcast(L, where, no, rank, shape);
    if (condition.kind != DL_VALUE || yes.kind != DL_VALUE || no.kind != DL_VALUE)
        return dl_poison();
    ir_value *operands[] = {dl_ir(L, &condition), dl_ir(L, &yes), dl_ir(L, &no)};
    return dl_of(dl_emit(L, IR_OP_SELECT, yes.type, 3, operands), number, yes.is_unsigned);
}
