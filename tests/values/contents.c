/* What the inputs hold. */
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct format {
    ir_type_kind kind;
    int exponent, mantissa, unused; /* bits; those of tf32 that are always 0 */
} format;

static const format formats[] = {
    {IR_F16, 5, 10, 0},  {IR_BF16, 8, 7, 0},     {IR_F32, 8, 23, 0},   {IR_TF32, 8, 10, 13},
    {IR_F64, 11, 52, 0}, {IR_F8E4M3FN, 4, 3, 0}, {IR_F8E5M2, 5, 2, 0}, {IR_F8E8M0FNU, 8, 0, 0},
};

static const format *format_of(ir_type_kind kind)
{
    for (size_t i = 0; i < TR_COUNT(formats); i++)
        if (formats[i].kind == kind)
            return &formats[i];
    return NULL;
}

/* splitmix64 (Steele, Lea, Flood 2014). */
uint64_t values_random(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t float_edge(const format *f, unsigned number, bool negative)
{
    uint64_t one_place = (uint64_t)1 << f->mantissa, bias = ((uint64_t)1 << (f->exponent - 1)) - 1;
    uint64_t top = (((uint64_t)1 << f->exponent) - 1) << f->mantissa;
    const uint64_t edges[] = {
        0,
        1,             /* the smallest subnormal */
        one_place - 1, /* the largest */
        one_place,     /* the smallest normal number */
        one_place + 1,
        (bias - 1) << f->mantissa, /* a half */
        bias << f->mantissa,       /* one, and its neighbours */
        (bias << f->mantissa) - 1,
        (bias << f->mantissa) + 1,
        (bias + 1) << f->mantissa, /* two, and three */
        ((bias + 1) << f->mantissa) + one_place / 2,
        top - 1,             /* the largest number */
        top,                 /* infinity */
        top + one_place / 2, /* a quiet NaN */
    };
    uint64_t bits = edges[number % TR_COUNT(edges)];
    if (negative)
        bits |= (uint64_t)1 << (f->exponent + f->mantissa);
    return bits << f->unused;
}

static uint64_t integer_edge(int bits, unsigned number, bool negative)
{
    uint64_t top = (uint64_t)1 << (bits - 1);
    const uint64_t edges[] = {0,
                              1,
                              2,
                              3,
                              5,
                              7,
                              top - 1,
                              top - 2,
                              top,
                              top >> 1,
                              (uint64_t)1 << bits / 2,
                              ((uint64_t)1 << bits / 2) - 1,
                              0x5555555555555555u,
                              100};
    uint64_t value = edges[number % TR_COUNT(edges)];
    return negative ? 0 - value : value;
}

static uint64_t edge(const ir_type *type, unsigned number)
{
    const format *f = format_of(type->kind);
    return f ? float_edge(f, number / 2, number & 1)
             : integer_edge(ir_type_bits(type), number / 2, number & 1);
}

/* A number of a random size and sign: all exponents of interest alike often. */
static double of_any_size(uint64_t random)
{
    int exponent = (int)(random % 145) - 72;
    double digits = 1 + (double)(random >> 20 & 0xFFFFFF) / 16777216.0;
    if (random >> 8 & 1)
        digits = 1 + (double)(random >> 20 & 3) / 4; /* few digits: ties, exact results */
    return ldexp(random >> 9 & 1 ? -digits : digits, exponent);
}

static uint64_t number_bits(const ir_type *type, double value)
{
    return ir_type_is_float(type) ? ir_float_bits(type, value) : (uint64_t)(int64_t)value;
}

static uint64_t edges_element(const ir_type *type, size_t which, uint64_t i, uint64_t seed)
{
    enum { EDGES = 28, PAIRS = EDGES * EDGES, ALL = PAIRS * 3 };
    uint64_t random = values_random(seed, i);
    if (i < ALL)
        return edge(type, (unsigned)(which == 0   ? i % EDGES
                                     : which == 1 ? i / EDGES % EDGES
                                                  : random % EDGES));
    if (random >> 60 < 3)
        return edge(type, (unsigned)(random % EDGES));
    random = values_random(seed, ~i);
    if (i & 1)
        return ir_type_is_float(type) ? number_bits(type, of_any_size(random))
                                      : random >> (random >> 58); /* of all sizes */
    return random;
}

static uint64_t element(const ir_type *type, pattern how_filled, size_t which, uint64_t i,
                        uint64_t seed)
{
    uint64_t random = values_random(seed, i);
    switch (how_filled) {
    case PATTERN_ALL:
        return i;
    case PATTERN_MODERATE:
        return number_bits(type, ((double)(random >> 11) / 4503599627370496.0 - 1) * 2);
    case PATTERN_WHOLE:
        return number_bits(type, (double)(random % 9) - 4);
    case PATTERN_EXPONENT:
        return (uint64_t)((int64_t)random >> (28 + random % 36));
    case PATTERN_EDGES:
        break;
    }
    return edges_element(type, which, i, seed);
}

unsigned char *values_contents(const kernel *k, size_t which, uint64_t seed, size_t *bytes)
{
    ir_module *m = ir_module_new("contents");
    const input *in = &k->inputs[which];
    const ir_type *type = ir_type_scalar(m, in->type);
    const format *f = format_of(in->type);
    size_t width = (size_t)ir_type_bytes(type), n = (size_t)k->blocks * BLOCK;
    unsigned char *data = malloc(n * width + 1);
    if (!data)
        abort();
    for (size_t i = 0; i < n; i++) {
        uint64_t value = element(type, in->pattern, which, i, seed + 1000 * which);
        if (f && f->unused)
            value &= ~(((uint64_t)1 << f->unused) - 1);
        memcpy(data + i * width, &value, width);
    }
    *bytes = n * width;
    ir_module_free(m);
    return data;
}
