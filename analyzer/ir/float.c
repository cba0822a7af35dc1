/* The float formats: what a bit pattern is worth, and the pattern next to a number. */
#include "ir/ir.h"

#include <math.h>

typedef struct float_format {
    int exponent_bits, mantissa_bits, bias;
    bool has_sign;
    bool has_infinity;    /* IEEE: the largest exponent holds infinity and NaN */
    bool nan_is_all_ones; /* without infinity: only the pattern of all ones is NaN */
    bool has_subnormals;  /* exponent 0 means no hidden bit (f8E8M0FNU: it does not) */
} float_format;

static const float_format formats[] = {
    [IR_F16] = {5, 10, 15, true, true, false, true},
    [IR_BF16] = {8, 7, 127, true, true, false, true},
    [IR_F32] = {8, 23, 127, true, true, false, true},
    [IR_TF32] = {8, 10, 127, true, true, false, true},
    [IR_F64] = {11, 52, 1023, true, true, false, true},
    [IR_F8E4M3FN] = {4, 3, 7, true, false, true, true},
    [IR_F8E5M2] = {5, 2, 15, true, true, false, true},
    [IR_F8E8M0FNU] = {8, 0, 127, false, false, true, false},
    [IR_F4E2M1FN] = {2, 1, 1, true, false, false, true},
    [IR_FNV8E5M3FNU] = {5, 3, 15, false, false, true, true},
};

static uint64_t low_bits(int count)
{
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

/* Pattern of the largest finite magnitude. */
static uint64_t largest(const float_format *format)
{
    uint64_t all = low_bits(format->exponent_bits + format->mantissa_bits);
    if (format->has_infinity) {
        return (low_bits(format->exponent_bits) << format->mantissa_bits) - 1;
    }
    return format->nan_is_all_ones ? all - 1 : all;
}

double ir_float_value(const ir_type *elem, uint64_t bits)
{
    const float_format *format = &formats[elem->kind];
    int magnitude_bits = format->exponent_bits + format->mantissa_bits;
    uint64_t magnitude = bits & low_bits(magnitude_bits);
    bool negative = format->has_sign && (bits >> magnitude_bits & 1);
    uint64_t mantissa = magnitude & low_bits(format->mantissa_bits);
    int exponent = (int)(magnitude >> format->mantissa_bits);
    double value;
    if (magnitude > largest(format)) {
        value = format->has_infinity && mantissa == 0 ? INFINITY : NAN;
    } else if (exponent == 0 && format->has_subnormals) {
        value = ldexp((double)mantissa, 1 - format->bias - format->mantissa_bits);
    } else {
        value = ldexp((double)(mantissa + ((uint64_t)1 << format->mantissa_bits)),
                      exponent - format->bias - format->mantissa_bits);
    }
    return negative ? -value : value;
}

/* Returns the bits that stand for a magnitude that does not fit, or for NaN. A format with neither
 * infinity nor NaN saturates. */
static uint64_t special(const float_format *format, bool is_nan)
{
    if (format->has_infinity) {
        uint64_t infinity = low_bits(format->exponent_bits) << format->mantissa_bits;
        uint64_t quiet = (uint64_t)1 << (format->mantissa_bits - 1);
        return is_nan ? infinity | quiet : infinity;
    }
    return format->nan_is_all_ones ? largest(format) + 1 : largest(format);
}

static uint64_t round_magnitude(const float_format *format, double magnitude)
{
    if (magnitude == 0) {
        return 0;
    }
    int exponent;
    frexp(magnitude, &exponent);
    int lowest = 1 - format->bias;
    if (!format->has_subnormals) {
        lowest = -format->bias;
    }
    int unit = (exponent - 1 > lowest ? exponent - 1 : lowest) - format->mantissa_bits;
    /* Exact: scaling by a power of two moves no bit of a double out of range here, and rint rounds
     * to nearest even. */
    double units = rint(ldexp(magnitude, -unit));
    uint64_t whole = (uint64_t)units;
    uint64_t hidden = (uint64_t)1 << format->mantissa_bits;
    if (!format->has_subnormals && whole < hidden) {
        return 0; /* below the smallest: no zero to round to */
    }
    /* A carry out of the mantissa moves into the exponent by itself. */
    uint64_t steps = (uint64_t)(unit + format->mantissa_bits - lowest);
    uint64_t base = format->has_subnormals ? 0 : hidden;
    return (steps << format->mantissa_bits) + whole - base;
}

uint64_t ir_float_bits(const ir_type *elem, double value)
{
    const float_format *format = &formats[elem->kind];
    uint64_t sign = format->has_sign && signbit(value)
                        ? (uint64_t)1 << (format->exponent_bits + format->mantissa_bits)
                        : 0;
    if (isnan(value)) {
        return special(format, true);
    }
    if (!format->has_sign && signbit(value) && value != 0) {
        return special(format, true);
    }
    if (isinf(value)) {
        return sign | special(format, false);
    }
    uint64_t magnitude = round_magnitude(format, fabs(value));
    if (magnitude > largest(format)) {
        magnitude = special(format, false);
    }
    return sign | magnitude;
}
