/* Contents of buffers before a run: the same bytes on every machine, from the plan alone. */
#include "plan/plan.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    int bytes, exponent, mantissa;
} elements[] = {
#define ELEMENT(id, name, bytes, exponent, mantissa) {name, bytes, exponent, mantissa},
#include "plan/elements.def"
};

const char *plan_element_name(gpu_element element)
{
    return elements[element].name;
}

int plan_element_bytes(gpu_element element)
{
    return elements[element].bytes;
}

bool plan_element_is_float(gpu_element element)
{
    return elements[element].exponent != 0;
}

bool plan_element_of_name(const char *name, gpu_element *element)
{
    for (size_t i = 0; i < TR_COUNT(elements); i++)
        if (strcmp(elements[i].name, name) == 0) {
            *element = (gpu_element)i;
            return true;
        }
    return false;
}

/* splitmix64 (Steele, Lea, Flood 2014): a number from a seed and a position, in any order. */
static uint64_t mix(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* The i-th of `count` numbers below 2^bits, all different while count <= 2^bits: an odd multiplier
 * permutes them. */
static uint64_t scrambled(uint64_t seed, uint64_t i, int bits)
{
    uint64_t mask = bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    return (i * ((mix(seed, 0) & 0xFFFF) * 2 + 0x9E3779B1u) + mix(seed, 1)) & mask;
}

/* Unique floats are normal and near 1, so that sums of products of them stay finite: the mantissa
 * first, then as many exponents around 1 as the count needs. */
static uint64_t unique_float(gpu_element element, uint64_t seed, uint64_t i, uint64_t count)
{
    int mantissa = elements[element].mantissa, exponent = elements[element].exponent;
    int hidden = element == GPU_TF32 ? 13 : 0; /* bits of its four bytes that are not read */
    int extra = 0; /* exponent bits that vary: one less than all, to stay away from infinity */
    while (extra < exponent - 1 && mantissa + extra < 63 &&
           count > (uint64_t)1 << (mantissa + extra))
        extra++;
    uint64_t bits = scrambled(seed, i, mantissa + extra);
    uint64_t bias = ((uint64_t)1 << (exponent - 1)) - 1;
    uint64_t lowest = bias - (extra ? (uint64_t)1 << (extra - 1) : 0);
    return (bits + (lowest << mantissa)) << hidden;
}

/* Returns the bits of a number in [1/8, 1/4). */
static uint64_t small_float(gpu_element element, uint64_t seed, uint64_t i)
{
    int hidden = element == GPU_TF32 ? 13 : 0;
    uint64_t one = (uint64_t)1 << (elements[element].mantissa + hidden); /* of the exponent */
    return unique_float(element, seed, i, 1) - 3 * one; /* of one number no exponent varies */
}

static double unit(uint64_t random) /* [-1, 1) */
{
    return (double)(random >> 11) / 4503599627370496.0 - 1.0;
}

/* Rounds toward zero: test data need no better. */
static uint64_t float_bits(gpu_element element, double value)
{
    if (element == GPU_F64) {
        uint64_t bits;
        memcpy(&bits, &value, 8);
        return bits;
    }
    int mantissa = elements[element].mantissa, exponent = elements[element].exponent;
    int hidden = element == GPU_TF32 ? 13 : 0;
    int bias = (1 << (exponent - 1)) - 1, power;
    uint64_t sign = signbit(value) ? (uint64_t)1 << (mantissa + exponent) : 0;
    double fraction = frexp(fabs(value), &power); /* [0.5, 1) */
    int biased = power - 1 + bias;
    if (fraction == 0 || biased <= 0)
        return sign << hidden;
    if (biased > (1 << exponent) - 2) { /* the largest that is no infinity */
        biased = (1 << exponent) - 2;
        fraction = 1 - ldexp(1, -mantissa - 2);
    }
    uint64_t digits = (uint64_t)ldexp(fraction * 2 - 1, mantissa);
    return (sign | (uint64_t)biased << mantissa | digits) << hidden;
}

static uint64_t number_bits(gpu_element element, int64_t value)
{
    return elements[element].exponent ? float_bits(element, (double)value) : (uint64_t)value;
}

/* Position of i in a shuffled 0 .. n - 1: a four-round Feistel network over the smallest even
 * number of bits that holds n, walked until it lands below n. */
static uint64_t permuted(uint64_t seed, uint64_t i, uint64_t n)
{
    int half = 1;
    while ((uint64_t)1 << (2 * half) < n)
        half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t next = left ^ (mix(seed + round, right) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

/* Returns the bits of element i of `count` as the fill of the buffer makes it. Fills that are not
 * made element by element have 0. */
static uint64_t element_bits(const gpu_buffer *b, uint64_t i, uint64_t count)
{
    gpu_element e = b->element;
    bool is_float = elements[e].exponent != 0;
    switch (b->fill) {
    case GPU_FILL_UNIQUE:
        return is_float ? unique_float(e, b->seed, i, count)
                        : scrambled(b->seed, i, 8 * elements[e].bytes);
    case GPU_FILL_SMALL:
        return is_float ? small_float(e, b->seed, i) : number_bits(e, 1);
    case GPU_FILL_IOTA:
        return number_bits(e, (int64_t)i);
    case GPU_FILL_RANDOM:
        return is_float ? float_bits(e, unit(mix(b->seed, i))) : mix(b->seed, i);
    case GPU_FILL_PERMUTATION:
        return number_bits(e, (int64_t)permuted(b->seed, i, count));
    case GPU_FILL_RANGE: {
        uint64_t span = (uint64_t)b->high - (uint64_t)b->low + 1;
        uint64_t random = mix(b->seed, i);
        return number_bits(e, (int64_t)((uint64_t)b->low + (span ? random % span : random)));
    }
    case GPU_FILL_UNDEFINED:
        return UINT64_MAX;
    case GPU_FILL_ZEROS:
    case GPU_FILL_RAW:
    case GPU_FILL_COUNT:
        break;
    }
    return 0;
}

void plan_fill_bytes(const gpu_buffer *buffer, unsigned char *bytes)
{
    memset(bytes, 0, buffer->bytes);
    if (buffer->fill == GPU_FILL_RAW && buffer->data)
        memcpy(bytes, buffer->data, buffer->bytes);
    if (buffer->fill == GPU_FILL_RAW || buffer->fill == GPU_FILL_ZEROS)
        return;
    size_t width = (size_t)elements[buffer->element].bytes;
    uint64_t count = buffer->bytes / width;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = element_bits(buffer, i, count);
        memcpy(bytes + i * width, &bits, width); /* little-endian, as the GPU */
    }
}

static double float_value(uint64_t bits, int exponent, int mantissa, bool no_infinity)
{
    uint64_t digits = bits & (((uint64_t)1 << mantissa) - 1);
    int biased = (int)(bits >> mantissa & (((uint64_t)1 << exponent) - 1));
    int bias = (1 << (exponent - 1)) - 1, top = (1 << exponent) - 1;
    double sign = bits >> (mantissa + exponent) & 1 ? -1 : 1;
    if (biased == top && no_infinity && digits == ((uint64_t)1 << mantissa) - 1)
        return NAN;
    if (biased == top && !no_infinity)
        return digits ? NAN : sign * INFINITY;
    double fraction = ldexp((double)digits, -mantissa);
    return sign * (biased ? ldexp(1 + fraction, biased - bias) : ldexp(fraction, 1 - bias));
}

double plan_element_value(gpu_element element, const unsigned char *bytes)
{
    uint64_t bits = 0;
    int width = elements[element].bytes;
    memcpy(&bits, bytes, (size_t)width);
    if (element == GPU_F64) {
        double value;
        memcpy(&value, bytes, 8);
        return value;
    }
    if (elements[element].exponent)
        return float_value(element == GPU_TF32 ? bits >> 13 : bits, elements[element].exponent,
                           elements[element].mantissa, element == GPU_F8E4M3);
    int unused = 64 - 8 * width;
    return (double)((int64_t)(bits << unused) >> unused);
}
