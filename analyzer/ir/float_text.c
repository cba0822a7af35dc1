/* Floats as text, digit for digit as LLVM writes them: tileirdisasm prints through it, and its
 * digits are not those of printf (it cuts low bits off before it rounds to decimal). */
#include "ir/ir.h"
#include "ir/module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Large naturals: up to 2^1024 or 2^53 * 5^1074, in 32-bit limbs ---- */

enum { LIMBS = 96, DIGITS = LIMBS * 10 };

typedef struct natural {
    uint32_t limbs[LIMBS];
    int used;
} natural;

static natural natural_of(uint64_t value)
{
    natural n = {.limbs = {(uint32_t)value, (uint32_t)(value >> 32)}, .used = 2};
    while (n.used && n.limbs[n.used - 1] == 0) {
        n.used--;
    }
    return n;
}

static void multiply(natural *n, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < n->used; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        n->limbs[n->used++] = (uint32_t)carry;
    }
}

static uint32_t divide(natural *n, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = n->used; i-- > 0;) {
        rest = rest << 32 | n->limbs[i];
        n->limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (n->used && n->limbs[n->used - 1] == 0) {
        n->used--;
    }
    return (uint32_t)rest;
}

static unsigned active_bits(const natural *n)
{
    return n->used ? (unsigned)n->used * 32 - (unsigned)__builtin_clz(n->limbs[n->used - 1]) : 0;
}

/* ---- Decimal digits ---- */

typedef struct decimal {
    char digits[DIGITS]; /* lowest first, no zeros at the low end */
    unsigned count;
    int exponent; /* of the lowest digit */
} decimal;

/* Cuts decimal places off while more bits are there than `precision` digits need. */
static void cut_bits(natural *n, int *exponent, unsigned precision)
{
    unsigned bits = active_bits(n), needed = (precision * 196 + 58) / 59;
    unsigned removable = bits > needed ? (bits - needed) * 59 / 196 : 0;
    for (unsigned i = 0; i < removable; i++) {
        divide(n, 10);
    }
    *exponent += (int)removable;
}

static void drop_digits(decimal *d, unsigned from)
{
    d->exponent += (int)from;
    d->count -= from;
    memmove(d->digits, d->digits + from, d->count);
}

/* Rounds half up to `precision` digits. */
static void round_digits(decimal *d, unsigned precision)
{
    if (d->count <= precision) {
        return;
    }
    unsigned first = d->count - precision;
    if (d->digits[first - 1] < '5') {
        while (first < d->count && d->digits[first] == '0') {
            first++;
        }
        drop_digits(d, first);
        return;
    }
    while (first < d->count && d->digits[first] == '9') {
        first++;
    }
    if (first == d->count) {
        d->exponent += (int)first;
        d->count = 1;
        d->digits[0] = '1';
        return;
    }
    d->digits[first]++;
    drop_digits(d, first);
}

static void to_decimal(decimal *d, uint64_t significand, int exponent, unsigned precision)
{
    int zeros = __builtin_ctzll(significand);
    natural n = natural_of(significand >> zeros);
    exponent += zeros;
    for (; exponent > 0; exponent--) {
        multiply(&n, 2);
    }
    /* N * 2^-e = N * 5^e * 10^-e */
    for (int i = exponent; i < 0; i++) {
        multiply(&n, 5);
    }
    cut_bits(&n, &exponent, precision);
    d->count = 0;
    d->exponent = exponent;
    while (n.used) {
        char digit = (char)('0' + divide(&n, 10));
        if (d->count == 0 && digit == '0') {
            d->exponent++;
        } else {
            d->digits[d->count++] = digit;
        }
    }
    round_digits(d, precision);
}

/* ---- Layout ---- */

static void add_high_digits(tr_text *out, const decimal *d, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        tr_text_addn(out, &d->digits[d->count - 1 - i], 1);
    }
}

static void add_zeros(tr_text *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tr_text_add(out, "0");
    }
}

typedef struct decimal_style {
    unsigned precision; /* digits; 0: enough of them to read the number back */
    unsigned max_padding;
    bool keep_zeros; /* "1.000000e+00" rather than "1.0E+0" */
} decimal_style;

static bool wants_exponent(const decimal *d, decimal_style style)
{
    if (style.max_padding == 0) {
        return true;
    }
    if (d->exponent >= 0) {
        return (unsigned)d->exponent > style.max_padding ||
               d->count + (unsigned)d->exponent > style.precision;
    }
    int leading = d->exponent + (int)d->count - 1;
    return leading < 0 && (unsigned)-leading > style.max_padding;
}

static void add_scientific(tr_text *out, const decimal *d, decimal_style style)
{
    add_high_digits(out, d, 0, 1);
    tr_text_add(out, ".");
    if (d->count == 1 && !style.keep_zeros) {
        tr_text_add(out, "0");
    }
    add_high_digits(out, d, 1, d->count);
    if (style.keep_zeros && style.precision > d->count - 1) {
        add_zeros(out, style.precision - d->count + 1);
    }
    int exponent = d->exponent + (int)d->count - 1;
    tr_text_addf(out, style.keep_zeros ? "e%c%02d" : "E%c%d", exponent < 0 ? '-' : '+',
                 abs(exponent));
}

static void add_plain(tr_text *out, const decimal *d)
{
    if (d->exponent >= 0) {
        add_high_digits(out, d, 0, d->count);
        add_zeros(out, (unsigned)d->exponent);
        return;
    }
    int whole = d->exponent + (int)d->count;
    if (whole > 0) {
        add_high_digits(out, d, 0, (unsigned)whole);
        tr_text_add(out, ".");
        add_high_digits(out, d, (unsigned)whole, d->count);
    } else {
        tr_text_add(out, "0.");
        add_zeros(out, (unsigned)-whole);
        add_high_digits(out, d, 0, d->count);
    }
}

/* Prints the number of an exact float, significand * 2^exponent, as LLVM's APFloat::toString does.
 */
static void print_decimal(tr_text *out, uint64_t significand, int exponent,
                          unsigned significand_bits, bool negative, decimal_style style)
{
    tr_text_add(out, negative ? "-" : "");
    if (significand == 0) {
        tr_text_add(out, style.keep_zeros ? "0.000000e+00" : "0");
        return;
    }
    if (style.precision == 0) {
        style.precision = 2 + significand_bits * 59 / 196;
    }
    decimal d;
    to_decimal(&d, significand, exponent, style.precision);
    if (wants_exponent(&d, style)) {
        add_scientific(out, &d, style);
    } else {
        add_plain(out, &d);
    }
}

/* ---- A float of any format ---- */

static unsigned significand_bits(const ir_type *elem)
{
    switch (elem->kind) {
    case IR_F64:
        return 53;
    case IR_F32:
        return 24;
    case IR_F16:
    case IR_TF32:
        return 11;
    case IR_BF16:
        return 8;
    case IR_F8E4M3FN:
    case IR_FNV8E5M3FNU:
        return 4;
    case IR_F8E5M2:
        return 3;
    case IR_F4E2M1FN:
        return 2;
    default:
        return 1;
    }
}

/* Six digits where they read back as the same number, else as many as it takes; in hexadecimal what
 * has no such text (infinities, NaNs, numbers that would look like integers). */
void ir_print_float_bits(tr_text *out, const ir_type *elem, uint64_t bits)
{
    double value = ir_float_value(elem, bits);
    if (isfinite(value)) {
        int exponent;
        double fraction = frexp(fabs(value), &exponent);
        uint64_t significand = (uint64_t)ldexp(fraction, 53);
        tr_text digits = {0};
        print_decimal(&digits, significand, exponent - 53, significand_bits(elem), signbit(value),
                      (decimal_style){6, 0, true});
        double back =
            elem->kind == IR_F32 ? (double)strtof(digits.data, NULL) : strtod(digits.data, NULL);
        bool found = ir_float_bits(elem, back) == bits;
        if (!found) {
            tr_text_clear(&digits);
            print_decimal(&digits, significand, exponent - 53, significand_bits(elem),
                          signbit(value), (decimal_style){0, 3, false});
            found = strchr(digits.data, '.') != NULL;
        }
        if (found) {
            tr_text_add(out, digits.data);
        }
        tr_text_free(&digits);
        if (found) {
            return;
        }
    }
    tr_text_addf(out, "0x%llX", (unsigned long long)bits);
}
