/* Bit patterns of the float element types and the numbers they stand for. */
#include "launch/floats.h"

#include <math.h>
#include <string.h>

/* Loops over tiles are the time of a run: worth what the compiler can do. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

typedef enum specials {
    IEEE,      /* infinities and NaNs in the last exponent */
    ONE_NAN,   /* all ones is NaN, no infinity */
    NUMBERS,   /* neither */
    NO_SIGN,   /* as ONE_NAN, and no sign */
    SCALE_ONLY /* no sign, no mantissa, all ones is NaN */
} specials;

typedef struct format {
    ir_type_kind kind;
    int exponent, mantissa; /* bits */
    int bias;
    int unused; /* low bits that are always 0: tf32 in its 32 bits */
    specials specials;
} format;

static const format formats[] = {
    {IR_F16, 5, 10, 15, 0, IEEE},       {IR_BF16, 8, 7, 127, 0, IEEE},
    {IR_F32, 8, 23, 127, 0, IEEE},      {IR_TF32, 8, 10, 127, 13, IEEE},
    {IR_F64, 11, 52, 1023, 0, IEEE},    {IR_F8E4M3FN, 4, 3, 7, 0, ONE_NAN},
    {IR_F8E5M2, 5, 2, 15, 0, IEEE},     {IR_F8E8M0FNU, 8, 0, 127, 0, SCALE_ONLY},
    {IR_F4E2M1FN, 2, 1, 1, 0, NUMBERS}, {IR_FNV8E5M3FNU, 5, 3, 15, 0, NO_SIGN},
};

/* The rows are in the order of the kinds. */
static const format *format_of(ir_type_kind kind)
{
    return kind >= IR_F16 && kind <= IR_FNV8E5M3FNU ? &formats[kind - IR_F16] : NULL;
}

bool float_has_format(ir_type_kind kind)
{
    return format_of(kind) != NULL;
}

static uint64_t ones(int bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

uint64_t float_sign_bit(ir_type_kind kind)
{
    const format *f = format_of(kind);
    if (!f || f->specials == SCALE_ONLY || f->specials == NO_SIGN)
        return 0;
    return (uint64_t)1 << (f->exponent + f->mantissa + f->unused);
}

double float_decode(ir_type_kind kind, uint64_t bits)
{
    const format *f = format_of(kind);
    if (!f)
        return NAN;
    uint64_t mantissa = bits >> f->unused & ones(f->mantissa);
    uint64_t exponent = bits >> (f->unused + f->mantissa) & ones(f->exponent);
    if (f->specials == SCALE_ONLY)
        return exponent == ones(f->exponent) ? NAN : ldexp(1, (int)exponent - f->bias);
    bool last = exponent == ones(f->exponent);
    double magnitude;
    if (last && f->specials == IEEE)
        magnitude = mantissa ? NAN : INFINITY;
    else if (last && f->specials != NUMBERS && mantissa == ones(f->mantissa))
        magnitude = NAN;
    else if (exponent == 0)
        magnitude = ldexp((double)mantissa, 1 - f->bias - f->mantissa);
    else
        magnitude = ldexp((double)(mantissa | (uint64_t)1 << f->mantissa),
                          (int)exponent - f->bias - f->mantissa);
    return bits & float_sign_bit(kind) ? -magnitude : magnitude;
}

bool float_is_subnormal(ir_type_kind kind, uint64_t bits)
{
    const format *f = format_of(kind);
    return f && f->specials != SCALE_ONLY &&
           (bits >> (f->unused + f->mantissa) & ones(f->exponent)) == 0 &&
           (bits >> f->unused & ones(f->mantissa)) != 0;
}

/* ---- Section: Rounding ---- */

/* Does a magnitude whose dropped part is `rest` of 2 * `half` go up? */
static bool goes_up(ir_rounding rounding, bool negative, uint64_t kept, uint64_t rest,
                    uint64_t half)
{
    switch (rounding) {
    case IR_ROUND_ZERO:
    case IR_ROUND_NEAREST_INT_TO_ZERO:
        return false;
    case IR_ROUND_NEGATIVE_INF:
        return rest && negative;
    case IR_ROUND_POSITIVE_INF:
        return rest && !negative;
    case IR_ROUND_NEAREST_AWAY:
        return half && rest >= half;
    default:
        return half && (rest > half || (rest == half && kept & 1));
    }
}

/* A power of two, or the next one in the direction of the rounding. */
static bool encode_scale(const format *f, double number, ir_rounding rounding, bool saturate,
                         uint64_t *bits)
{
    int exponent;
    if (isnan(number)) {
        *bits = ones(f->exponent);
        return true;
    }
    if (number == INFINITY) {
        *bits = ones(f->exponent) - 1;
        return saturate;
    }
    if (!(number > 0))
        return false;
    bool exact = frexp(number, &exponent) == 0.5;
    if (!exact && rounding != IR_ROUND_ZERO && rounding != IR_ROUND_POSITIVE_INF)
        return false;
    exponent += f->bias - 1 + (!exact && rounding == IR_ROUND_POSITIVE_INF);
    int most = (int)ones(f->exponent) - 1;
    *bits = (uint64_t)(exponent < 0 ? 0 : exponent > most ? most : exponent);
    return saturate || (exponent >= 0 && exponent <= most);
}

/* The largest finite magnitude. */
static uint64_t largest(const format *f)
{
    uint64_t all = ones(f->exponent + f->mantissa);
    if (f->specials == IEEE)
        all -= (uint64_t)1 << f->mantissa;
    return f->specials == ONE_NAN || f->specials == NO_SIGN ? all - 1 : all;
}

static bool overflow(const format *f, uint64_t sign, ir_rounding rounding, bool saturate,
                     uint64_t *bits)
{
    bool inwards = rounding == IR_ROUND_ZERO ||
                   rounding == (sign ? IR_ROUND_POSITIVE_INF : IR_ROUND_NEGATIVE_INF);
    if (f->specials != IEEE && !saturate)
        return false;
    uint64_t magnitude =
        f->specials == IEEE && !inwards ? ones(f->exponent) << f->mantissa : largest(f);
    *bits = sign | magnitude << f->unused;
    return true;
}

/* The canonical NaN: quiet, no payload. */
static bool encode_nan(const format *f, uint64_t *bits)
{
    if (f->specials == NUMBERS)
        return false;
    uint64_t mantissa = f->specials == IEEE ? (uint64_t)1 << (f->mantissa - 1) : ones(f->mantissa);
    *bits = (ones(f->exponent) << f->mantissa | mantissa) << f->unused;
    return true;
}

/* Most numbers: normal before and after, and far from overflow. */
static bool round_normal(const format *f, uint64_t raw, uint64_t *bits)
{
    int exponent = (int)(raw >> 52 & 2047) - 1023;
    if (f->specials == SCALE_ONLY || exponent <= -f->bias || exponent >= f->bias ||
        (f->specials == NO_SIGN && raw >> 63) || f->mantissa == 52)
        return false;
    int drop = 52 - f->mantissa;
    uint64_t magnitude = raw & ones(63);
    magnitude += ones(drop - 1) + (magnitude >> drop & 1);
    magnitude >>= drop;
    magnitude -= (uint64_t)(1023 - f->bias) << f->mantissa;
    *bits = ((raw >> 63) << (f->exponent + f->mantissa) | magnitude) << f->unused;
    return true;
}

/* Is the number one of this type already? Then its bits are known without rounding. */
static bool keep_exact(ir_type_kind kind, double number, uint64_t pattern, uint64_t *bits)
{
    float narrow = (float)number;
    if (kind == IR_F64 && !isnan(number)) {
        *bits = pattern;
        return true;
    }
    if (kind != IR_F32 || (double)narrow != number)
        return false;
    uint32_t raw;
    memcpy(&raw, &narrow, sizeof raw);
    *bits = raw;
    return true;
}

/* Rounds the finite number kept * 2^(exponent - 52), where `kept` has 53 bits. False: it is too
 * large for the type; else *magnitude is its bits without the sign. */
static bool round_finite(const format *f, uint64_t kept, int exponent, bool negative,
                         ir_rounding rounding, uint64_t *magnitude)
{
    int drop = 52 - f->mantissa;
    if (exponent < 1 - f->bias) { /* subnormal: the last place is fixed */
        drop += 1 - f->bias - exponent;
        exponent = 1 - f->bias;
    }
    if (drop > 60)
        drop = 60; /* all of it, and less than half */
    uint64_t rest = kept & ones(drop), half = drop ? (uint64_t)1 << (drop - 1) : 0;
    kept >>= drop;
    kept += goes_up(rounding, negative, kept, rest, half);
    if (kept >> (f->mantissa + 1)) {
        kept >>= 1;
        exponent++;
    }
    uint64_t field = kept >> f->mantissa ? (uint64_t)(exponent + f->bias) : 0;
    *magnitude = field << f->mantissa | (kept & ones(f->mantissa));
    return exponent + f->bias <= (int)ones(f->exponent) && *magnitude <= largest(f);
}

bool float_round(ir_type_kind kind, double number, ir_rounding rounding, bool saturate,
                 uint64_t *bits)
{
    const format *f = format_of(kind);
    uint64_t pattern, magnitude;
    if (!f)
        return false;
    memcpy(&pattern, &number, sizeof pattern);
    if (keep_exact(kind, number, pattern, bits) ||
        (rounding == IR_ROUND_NEAREST_EVEN && round_normal(f, pattern, bits)))
        return true;
    if (f->specials == SCALE_ONLY)
        return encode_scale(f, number, rounding, saturate, bits);
    bool negative = pattern >> 63;
    uint64_t sign = negative ? float_sign_bit(kind) : 0, kept = pattern & ones(52);
    int exponent = (int)(pattern >> 52 & 2047);
    if (exponent == 2047 && kept)
        return encode_nan(f, bits);
    if (!exponent && !kept) {
        *bits = sign;
        return true;
    }
    if (negative && f->specials == NO_SIGN)
        return false;
    if (exponent == 2047)
        return overflow(f, sign, IR_ROUND_NEAREST_EVEN, saturate, bits);
    if (exponent) {
        kept |= (uint64_t)1 << 52;
    } else {
        int shift = __builtin_clzll(kept) - 11;
        kept <<= shift;
        exponent = 1 - shift;
    }
    if (!round_finite(f, kept, exponent - 1023, negative, rounding, &magnitude))
        return overflow(f, sign, rounding, saturate, bits);
    *bits = sign | magnitude << f->unused;
    return true;
}

bool float_encode(ir_type_kind kind, double number, uint64_t *bits)
{
    return float_round(kind, number, IR_ROUND_NEAREST_EVEN, false, bits);
}

/* ---- Section: Many at once ---- */

/* Widens a half: its bits moved to where those of an f32 are, times the difference of the biases.
 */
static float widen_half(uint16_t bits)
{
    uint32_t raw = (uint32_t)(bits & 0x7fff) << 13;
    float magnitude;
    memcpy(&magnitude, &raw, sizeof magnitude);
    magnitude *= 0x1p112f;
    memcpy(&raw, &magnitude, sizeof raw);
    if ((bits & 0x7c00) == 0x7c00)
        raw |= 0x7f800000;
    raw |= (uint32_t)(bits & 0x8000) << 16;
    memcpy(&magnitude, &raw, sizeof magnitude);
    return magnitude;
}

/* Widens a number of a format of 16 bits and more, up to f32. */
static float widen(ir_type_kind kind, uint64_t bits)
{
    if (kind == IR_F16)
        return widen_half((uint16_t)bits);
    uint32_t raw = kind == IR_BF16   ? (uint32_t)bits << 16
                   : kind == IR_TF32 ? (uint32_t)bits & 0xffffe000
                                     : (uint32_t)bits;
    float number;
    memcpy(&number, &raw, sizeof number);
    return number;
}

/* One loop for each format, and a table for the others. */
#define DECODE_ALL(kind, type)                                                                     \
    case kind:                                                                                     \
        for (size_t i = 0; i < n; i++)                                                             \
            numbers[i] = (type)widen(kind, bits[i]);                                               \
        return;
#define DECODER(name, type)                                                                        \
    static void name(ir_type_kind kind, size_t n, const uint64_t *bits, type *numbers)             \
    {                                                                                              \
        switch (kind) {                                                                            \
            DECODE_ALL(IR_F32, type)                                                               \
            DECODE_ALL(IR_TF32, type)                                                              \
            DECODE_ALL(IR_BF16, type)                                                              \
            DECODE_ALL(IR_F16, type)                                                               \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
        type table[256];                                                                           \
        for (uint64_t i = 0; i < 256; i++)                                                         \
            table[i] = (type)float_decode(kind, i);                                                \
        for (size_t i = 0; i < n; i++)                                                             \
            numbers[i] = table[bits[i] & 255];                                                     \
    }
DECODER(decode_singles, float)
DECODER(decode_doubles, double)

void floats_decode_singles(ir_type_kind kind, size_t n, const uint64_t *bits, float *numbers)
{
    decode_singles(kind, n, bits, numbers);
}

void floats_decode(ir_type_kind kind, size_t n, const uint64_t *bits, double *numbers)
{
    if (kind == IR_F64)
        memcpy(numbers, bits, n * sizeof *numbers);
    else
        decode_doubles(kind, n, bits, numbers);
}

void floats_encode_singles(size_t n, const float *numbers, uint64_t *bits)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t raw;
        memcpy(&raw, &numbers[i], sizeof raw);
        bits[i] = (raw & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : raw; /* encode_nan's */
    }
}
