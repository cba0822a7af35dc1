/* Intervals, and arithmetic that stays within 126 bits. */
#ifndef SMT_TERMS_RANGE_H
#define SMT_TERMS_RANGE_H

#include "terms/poly.h"

typedef struct smt_range {
    smt_int low, high;
} smt_range;

smt_range smt_range_of(smt_t term);
smt_range smt_range_add(smt_range a, smt_range b);
smt_range smt_range_scale(smt_range a, smt_int factor);
smt_range smt_range_mul(smt_range a, smt_range b);
smt_range smt_range_power(smt_range a, unsigned exponent);
smt_range smt_range_div(smt_range a, smt_range b); /* Euclidean; all when b may be 0 */
smt_range smt_range_mod(smt_range a, smt_range b);
/* Arithmetic that stays within 126 bits; false when it would not. Inline, and quick where numbers
 * have 64 bits, as nearly all have: every evaluation and every range is made of it. */
static inline bool smt_is_word(smt_int value)
{
    return value == (int64_t)value;
}

static inline bool smt_fits(smt_int value)
{
    return value > SMT_NO_LOW && value < SMT_NO_HIGH;
}

static inline bool smt_safe_add(smt_int a, smt_int b, smt_int *sum)
{
    /* Both are within 126 bits, so the 128-bit sum is exact. */
    *sum = a + b;
    return smt_fits(*sum);
}

static inline bool smt_safe_mul(smt_int a, smt_int b, smt_int *product)
{
    if (smt_is_word(a) && smt_is_word(b)) {
        *product = (smt_int)(int64_t)a * (int64_t)b;
        return smt_fits(*product);
    }
    if (__builtin_mul_overflow(a, b, product)) {
        *product = 0;
        return false;
    }
    return smt_fits(*product);
}

static inline smt_int smt_floor_div(smt_int a, smt_int b) /* b > 0 */
{
    if (smt_is_word(a) && smt_is_word(b)) {
        int64_t over = (int64_t)a, under = (int64_t)b;
        return over / under - (over % under < 0);
    }
    smt_int quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
}

#endif
