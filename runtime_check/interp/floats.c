/* Bit patterns of the float element types and the numbers they stand for. */
#include "interp/private.h"

#include <math.h>

typedef enum specials {
    IEEE,      /* infinities and NaNs in the last exponent */
    ONE_NAN,   /* all ones is NaN, no infinity */
    NUMBERS,   /* neither */
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
    {IR_F4E2M1FN, 2, 1, 1, 0, NUMBERS},
};

static const format *format_of(ir_type_kind kind)
{
    for (size_t i = 0; i < TR_COUNT(formats); i++)
        if (formats[i].kind == kind)
            return &formats[i];
    return NULL;
}

static uint64_t ones(int bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

uint64_t float_sign_bit(ir_type_kind kind)
{
    const format *f = format_of(kind);
    if (!f || f->specials == SCALE_ONLY)
        return 0;
    return (uint64_t)1 << (f->exponent + f->mantissa + f->unused);
}

long double float_decode(ir_type_kind kind, uint64_t bits)
{
    const format *f = format_of(kind);
    if (!f)
        return NAN;
    uint64_t mantissa = bits >> f->unused & ones(f->mantissa);
    uint64_t exponent = bits >> (f->unused + f->mantissa) & ones(f->exponent);
    if (f->specials == SCALE_ONLY)
        return exponent == ones(f->exponent) ? NAN : ldexpl(1, (int)exponent - f->bias);
    bool last = exponent == ones(f->exponent);
    long double magnitude;
    if (last && f->specials == IEEE)
        magnitude = mantissa ? NAN : INFINITY;
    else if (last && f->specials == ONE_NAN && mantissa == ones(f->mantissa))
        magnitude = NAN;
    else if (exponent == 0)
        magnitude = ldexpl((long double)mantissa, 1 - f->bias - f->mantissa);
    else
        magnitude = ldexpl((long double)(mantissa | (uint64_t)1 << f->mantissa),
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

static bool encode_scale(const format *f, long double number, uint64_t *bits)
{
    int exponent;
    if (isnan(number)) {
        *bits = ones(f->exponent);
        return true;
    }
    if (!(number > 0) || isinf(number) || frexpl(number, &exponent) != 0.5L)
        return false;
    exponent += f->bias - 1;
    if (exponent < 0 || exponent >= (int)ones(f->exponent))
        return false;
    *bits = (uint64_t)exponent;
    return true;
}

/* Assembles a magnitude whose exponent field may have run over. */
static bool assemble(const format *f, uint64_t sign, int64_t field, uint64_t mantissa,
                     uint64_t *bits)
{
    int64_t last = (int64_t)ones(f->exponent);
    bool over = field > last || (f->specials == IEEE && field == last) ||
                (f->specials == ONE_NAN && field == last && mantissa == ones(f->mantissa));
    if (over && f->specials != IEEE)
        return false;
    if (over)
        field = last, mantissa = 0;
    *bits = sign | ((uint64_t)field << f->mantissa | mantissa) << f->unused;
    return true;
}

bool float_encode(ir_type_kind kind, long double number, uint64_t *bits)
{
    const format *f = format_of(kind);
    if (!f)
        return false;
    if (f->specials == SCALE_ONLY)
        return encode_scale(f, number, bits);
    uint64_t sign = signbit(number) ? float_sign_bit(kind) : 0;
    if (isnan(number)) {
        if (f->specials == NUMBERS)
            return false;
        /* The canonical NaN: quiet, no payload. */
        uint64_t mantissa =
            f->specials == IEEE ? (uint64_t)1 << (f->mantissa - 1) : ones(f->mantissa);
        *bits = (ones(f->exponent) << f->mantissa | mantissa) << f->unused;
        return true;
    }
    if (isinf(number))
        return assemble(f, sign, (int64_t)ones(f->exponent) + 1, 0, bits);
    long double magnitude = fabsl(number);
    if (magnitude == 0) {
        *bits = sign;
        return true;
    }
    int exponent;
    frexpl(magnitude, &exponent);
    exponent -= 1; /* magnitude = 1.xxx * 2^exponent */
    if (exponent < 1 - f->bias)
        exponent = 1 - f->bias; /* subnormal: the last place is fixed */
    uint64_t scaled = (uint64_t)nearbyintl(ldexpl(magnitude, f->mantissa - exponent));
    if (scaled >> (f->mantissa + 1)) {
        scaled >>= 1;
        exponent++;
    }
    bool normal = scaled >> f->mantissa;
    return assemble(f, sign, normal ? exponent + f->bias : 0, scaled & ones(f->mantissa), bits);
}
