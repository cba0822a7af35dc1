/* Integer ops, element by element, exactly as Tile IR defines them for the width of the type
 * (op table of the Tile IR specification, "Integer", "Bitwise" and "Conversion" sections). */
#include "interp/private.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* The state that one op's elements have in common, and what went wrong with the element at hand. */
typedef struct calc {
    int bits;     /* of the operands */
    int out_bits; /* of the result */
    bool is_signed;
    int64_t overflow, rounding, predicate;
    bool wrapped, undefined;
    wide exact; /* of a wrapped element: what it should have been */
} calc;

typedef uint64_t (*element_fn)(calc *c, uint64_t a, uint64_t b);

static wide number(const calc *c, uint64_t a)
{
    return c->is_signed ? (wide)sign_extend(a, c->bits) : (wide)a;
}

/* The result of an op with an overflow flag, from its exact results under both readings. */
static uint64_t flagged(calc *c, wide as_signed, wide as_unsigned)
{
    uint64_t result = mask_to((uint64_t)as_signed, c->out_bits);
    if (c->overflow & IR_NSW && as_signed != sign_extend(result, c->out_bits)) {
        c->wrapped = true;
        c->exact = as_signed;
    } else if (c->overflow & IR_NUW && as_unsigned != (wide)result) {
        c->wrapped = true;
        c->exact = as_unsigned;
    }
    return result;
}

static uint64_t addi(calc *c, uint64_t a, uint64_t b)
{
    return flagged(c, (wide)sign_extend(a, c->bits) + sign_extend(b, c->bits), (wide)a + b);
}

static uint64_t subi(calc *c, uint64_t a, uint64_t b)
{
    return flagged(c, (wide)sign_extend(a, c->bits) - sign_extend(b, c->bits), (wide)a - b);
}

static uint64_t muli(calc *c, uint64_t a, uint64_t b)
{
    wide as_signed = (wide)sign_extend(a, c->bits) * sign_extend(b, c->bits);
    uwide as_unsigned = (uwide)a * b;
    /* A product of 64-bit unsigned numbers does not fit the signed type; it has wrapped anyway. */
    return flagged(c, as_signed, as_unsigned >> 127 ? (wide)-1 : (wide)as_unsigned);
}

static uint64_t mulhii(calc *c, uint64_t a, uint64_t b)
{
    return mask_to((uint64_t)((uwide)a * b >> c->bits), c->bits);
}

static uint64_t negi(calc *c, uint64_t a, uint64_t b)
{
    (void)b;
    return flagged(c, -(wide)sign_extend(a, c->bits), -(wide)a);
}

static uint64_t absi(calc *c, uint64_t a, uint64_t b)
{
    (void)b;
    wide n = sign_extend(a, c->bits);
    return mask_to((uint64_t)(n < 0 ? -n : n), c->bits);
}

static uint64_t divi(calc *c, uint64_t a, uint64_t b)
{
    wide x = number(c, a), y = number(c, b);
    if (y == 0) {
        c->undefined = true;
        return 0;
    }
    wide q = x / y, r = x % y;
    if (c->rounding == IR_ROUND_POSITIVE_INF && r != 0 && (r < 0) == (y < 0))
        q++;
    if (c->rounding == IR_ROUND_NEGATIVE_INF && r != 0 && (r < 0) != (y < 0))
        q--;
    uint64_t result = mask_to((uint64_t)q, c->bits);
    if (q != number(c, result)) /* INT_MIN / -1 */
        c->undefined = true;
    return result;
}

static uint64_t remi(calc *c, uint64_t a, uint64_t b)
{
    wide y = number(c, b);
    if (y == 0) {
        c->undefined = true;
        return 0;
    }
    return mask_to((uint64_t)(number(c, a) % y), c->bits);
}

static uint64_t maxi(calc *c, uint64_t a, uint64_t b)
{
    return number(c, a) >= number(c, b) ? a : b;
}

static uint64_t mini(calc *c, uint64_t a, uint64_t b)
{
    return number(c, a) <= number(c, b) ? a : b;
}

static uint64_t cmpi(calc *c, uint64_t a, uint64_t b)
{
    wide x = number(c, a), y = number(c, b);
    switch ((ir_predicate)c->predicate) {
    case IR_EQ:
        return x == y;
    case IR_NE:
        return x != y;
    case IR_LT:
        return x < y;
    case IR_LE:
        return x <= y;
    case IR_GT:
        return x > y;
    case IR_GE:
        return x >= y;
    }
    c->undefined = true;
    return 0;
}

static uint64_t andi(calc *c, uint64_t a, uint64_t b)
{
    (void)c;
    return a & b;
}

static uint64_t ori(calc *c, uint64_t a, uint64_t b)
{
    (void)c;
    return a | b;
}

static uint64_t xori(calc *c, uint64_t a, uint64_t b)
{
    (void)c;
    return a ^ b;
}

static uint64_t shli(calc *c, uint64_t a, uint64_t b)
{
    if (b >= (uint64_t)c->bits) {
        c->undefined = true;
        return 0;
    }
    /* The exact product has at most 127 bits and a sign. */
    return flagged(c, (wide)sign_extend(a, c->bits) * ((wide)1 << b),
                   (uwide)a << b >> 127 ? (wide)-1 : (wide)((uwide)a << b));
}

static uint64_t shri(calc *c, uint64_t a, uint64_t b)
{
    if (b >= (uint64_t)c->bits) {
        c->undefined = true;
        return 0;
    }
    return mask_to((uint64_t)(number(c, a) >> b), c->bits);
}

static uint64_t exti(calc *c, uint64_t a, uint64_t b)
{
    (void)b;
    return mask_to((uint64_t)number(c, a), c->out_bits);
}

static uint64_t trunci(calc *c, uint64_t a, uint64_t b)
{
    (void)b;
    return flagged(c, sign_extend(a, c->bits), (wide)a);
}

#define NONE (-1)

/* The number of the attribute that says each of these; NONE: the op has none. */
static const struct integer_op {
    ir_opcode code;
    element_fn fn;
    bool unary;
    int overflow, signedness, rounding, predicate;
} integer_ops[] = {
    {IR_OP_ADDI, addi, false, IR_AT_ADDI_overflow, NONE, NONE, NONE},
    {IR_OP_SUBI, subi, false, IR_AT_SUBI_overflow, NONE, NONE, NONE},
    {IR_OP_MULI, muli, false, IR_AT_MULI_overflow, NONE, NONE, NONE},
    {IR_OP_MULHII, mulhii, false, NONE, NONE, NONE, NONE},
    {IR_OP_NEGI, negi, true, IR_AT_NEGI_overflow, NONE, NONE, NONE},
    {IR_OP_ABSI, absi, true, NONE, NONE, NONE, NONE},
    {IR_OP_DIVI, divi, false, NONE, IR_AT_DIVI_signedness, IR_AT_DIVI_rounding, NONE},
    {IR_OP_REMI, remi, false, NONE, IR_AT_REMI_signedness, NONE, NONE},
    {IR_OP_MAXI, maxi, false, NONE, IR_AT_MAXI_signedness, NONE, NONE},
    {IR_OP_MINI, mini, false, NONE, IR_AT_MINI_signedness, NONE, NONE},
    {IR_OP_CMPI, cmpi, false, NONE, IR_AT_CMPI_signedness, NONE, IR_AT_CMPI_comparison_predicate},
    {IR_OP_ANDI, andi, false, NONE, NONE, NONE, NONE},
    {IR_OP_ORI, ori, false, NONE, NONE, NONE, NONE},
    {IR_OP_XORI, xori, false, NONE, NONE, NONE, NONE},
    {IR_OP_SHLI, shli, false, IR_AT_SHLI_overflow, NONE, NONE, NONE},
    {IR_OP_SHRI, shri, false, NONE, IR_AT_SHRI_signedness, NONE, NONE},
    {IR_OP_EXTI, exti, true, NONE, IR_AT_EXTI_signedness, NONE, NONE},
    {IR_OP_TRUNCI, trunci, true, IR_AT_TRUNCI_overflow, NONE, NONE, NONE},
};

static const struct integer_op *integer_op_of(ir_opcode code)
{
    for (size_t i = 0; i < TR_COUNT(integer_ops); i++)
        if (integer_ops[i].code == code)
            return &integer_ops[i];
    return NULL;
}

/* Some results do not depend on an operand that nobody knows: false && x, x * 0, true || x. */
static bool absorbed(ir_opcode code, int bits, uint64_t known, uint64_t *result)
{
    *result = known;
    switch (code) {
    case IR_OP_ANDI:
    case IR_OP_MULI:
        return known == 0;
    case IR_OP_ORI:
        return known == mask_to(UINT64_MAX, bits);
    default:
        return false;
    }
}

static int64_t clamp64(wide w)
{
    return w > INT64_MAX ? INT64_MAX : w < INT64_MIN ? INT64_MIN : (int64_t)w;
}

static void note_trouble(interp_run *run, const ir_op *op, const calc *c, uint64_t a, bool *noted)
{
    if (*noted)
        return;
    *noted = true;
    if (c->wrapped)
        machine_note(run, INTERP_UB_WRAP, op, -1, clamp64(c->exact), 0);
    else
        machine_note(run, INTERP_UB_DIVISION, op, -1, sign_extend(a, c->bits), 0);
}

/* An element is unknown where an operand's is, unless the other one decides the result (0 & x).
 * What wraps although the op promises that it does not, and what divides by 0, is noted once an
 * op. */
static void elementwise(interp_run *run, const ir_op *op, const struct integer_op *row)
{
    const ir_value *left = op->operands[0], *right = row->unary ? left : op->operands[1];
    reader a = machine_reader(run, left), b = machine_reader(run, right);
    int64_t n = machine_elements(run, op->results[0].type);
    calc c = {.bits = ir_type_bits(left->type->elem),
              .out_bits = ir_type_bits(op->results[0].type->elem)};
    c.overflow = row->overflow == NONE ? 0 : ir_attr_int(op, (unsigned)row->overflow, IR_WRAP);
    c.rounding =
        row->rounding == NONE ? 0 : ir_attr_int(op, (unsigned)row->rounding, IR_ROUND_ZERO);
    c.predicate = row->predicate == NONE ? 0 : ir_attr_int(op, (unsigned)row->predicate, IR_EQ);
    c.is_signed = row->signedness != NONE &&
                  ir_attr_int(op, (unsigned)row->signedness, IR_SIGNED) == IR_SIGNED;
    bool may_absorb = op->code == IR_OP_ANDI || op->code == IR_OP_ORI || op->code == IR_OP_MULI;
    if ((a.unknown || b.unknown) && !(may_absorb && a.unknown != b.unknown)) {
        machine_set_cells(run, &op->results[0], NULL);
        return;
    }
    bool splat = (a.unknown || a.step == 0) && (b.unknown || b.step == 0);
    cells *out = cells_new(n, splat);
    bool noted = false;
    if (!machine_step(run, op, (uint64_t)out->stored)) {
        cells_drop(out);
        return;
    }
    bool all_known = !a.unknown && !b.unknown && !a.marks && !b.marks;
    for (int64_t i = 0; i < out->stored; i++) {
        if (!all_known) {
            bool known_a = reader_known(&a, i), known_b = reader_known(&b, i);
            if (!known_a || !known_b) {
                if (!(known_a || known_b) || row->unary ||
                    !absorbed(op->code, c.bits, reader_bits(known_a ? &a : &b, i), &out->bits[i]))
                    cells_mark_unknown(out, i);
                continue;
            }
        }
        uint64_t x = a.bits[i * a.step];
        out->bits[i] = row->fn(&c, x, b.bits[i * b.step]);
        if (c.wrapped || c.undefined) {
            note_trouble(run, op, &c, x, &noted);
            if (c.undefined)
                cells_mark_unknown(out, i);
            c.wrapped = c.undefined = false;
        }
    }
    machine_set_cells(run, &op->results[0], cells_settle(out));
}

bool ops_integer(interp_run *run, const ir_op *op)
{
    const struct integer_op *row = integer_op_of(op->code);
    if (row)
        elementwise(run, op, row);
    return row != NULL;
}

bool ops_is_integer_elementwise(ir_opcode code)
{
    return integer_op_of(code) != NULL;
}
