/* Interval arithmetic that saturates: a bound that leaves 126 bits becomes "no bound". */
#include "terms/range.h"

#include "terms/poly.h"

static const smt_range everything = {SMT_NO_LOW, SMT_NO_HIGH};

smt_int smt_gcd(smt_int a, smt_int b)
{
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    while (b != 0) {
        smt_int rest = smt_is_word(a) && smt_is_word(b) ? (int64_t)a % (int64_t)b : a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Clamps a computed bound: a low bound below the range becomes "no bound", one above it the largest
 * bound. */
static smt_int clamp_low(smt_int value)
{
    return value <= SMT_NO_LOW ? SMT_NO_LOW : value >= SMT_NO_HIGH ? SMT_NO_HIGH - 1 : value;
}

static smt_int clamp_high(smt_int value)
{
    return value >= SMT_NO_HIGH ? SMT_NO_HIGH : value <= SMT_NO_LOW ? SMT_NO_LOW + 1 : value;
}

smt_range smt_range_of(smt_t term)
{
    return (smt_range){term->low, term->high};
}

smt_range smt_range_add(smt_range a, smt_range b)
{
    smt_range sum = everything;
    if (a.low != SMT_NO_LOW && b.low != SMT_NO_LOW)
        sum.low = clamp_low(a.low + b.low);
    if (a.high != SMT_NO_HIGH && b.high != SMT_NO_HIGH)
        sum.high = clamp_high(a.high + b.high);
    return sum;
}

static bool is_infinite(smt_int bound)
{
    return bound <= SMT_NO_LOW || bound >= SMT_NO_HIGH;
}

/* Product of two bounds, where infinite * 0 is 0 and what leaves 126 bits is infinite. */
static smt_int bound_mul(smt_int a, smt_int b)
{
    if (a == 0 || b == 0)
        return 0;
    smt_int product;
    if (!is_infinite(a) && !is_infinite(b) && smt_safe_mul(a, b, &product))
        return product;
    return (a < 0) == (b < 0) ? SMT_NO_HIGH : SMT_NO_LOW;
}

static smt_range hull(size_t n, const smt_int *corners)
{
    smt_range range = {corners[0], corners[0]};
    for (size_t i = 1; i < n; i++) {
        if (corners[i] < range.low)
            range.low = corners[i];
        if (corners[i] > range.high)
            range.high = corners[i];
    }
    range.low = clamp_low(range.low);
    range.high = clamp_high(range.high);
    return range;
}

smt_range smt_range_mul(smt_range a, smt_range b)
{
    smt_int corners[4] = {bound_mul(a.low, b.low), bound_mul(a.low, b.high),
                          bound_mul(a.high, b.low), bound_mul(a.high, b.high)};
    return hull(4, corners);
}

smt_range smt_range_scale(smt_range a, smt_int factor)
{
    smt_int corners[2] = {bound_mul(a.low, factor), bound_mul(a.high, factor)};
    return hull(2, corners);
}

smt_range smt_range_power(smt_range a, unsigned exponent)
{
    smt_range power = {1, 1};
    if (exponent % 2 == 0 && exponent > 0) {
        /* An even power: of the absolute value. */
        smt_int low = a.low < 0 ? (a.low == SMT_NO_LOW ? SMT_NO_HIGH : -a.low) : a.low;
        smt_int high = a.high < 0 ? -a.high : a.high;
        smt_range size = {0, low > high ? low : high};
        if (a.low > 0)
            size.low = a.low;
        if (a.high < 0)
            size.low = -a.high;
        a = size;
    }
    for (unsigned i = 0; i < exponent; i++)
        power = smt_range_mul(power, a);
    return power;
}

static smt_int bound_div(smt_int a, smt_int b)
{
    if (is_infinite(b))
        return a < 0 ? -1 : 0;
    return is_infinite(a) ? a : smt_floor_div(a, b);
}

smt_range smt_range_div(smt_range a, smt_range b)
{
    if (b.high < 0) {
        /* a div b = -(a div -b) */
        smt_range positive = {b.high == SMT_NO_HIGH ? 1 : -b.high,
                              b.low == SMT_NO_LOW ? SMT_NO_HIGH : -b.low};
        return smt_range_scale(smt_range_div(a, positive), -1);
    }
    if (b.low <= 0)
        return everything;
    smt_int corners[4] = {bound_div(a.low, b.low), bound_div(a.low, b.high),
                          bound_div(a.high, b.low), bound_div(a.high, b.high)};
    return hull(4, corners);
}

smt_range smt_range_mod(smt_range a, smt_range b)
{
    if (b.low <= 0 && b.high >= 0)
        return everything;
    smt_int largest = b.low > 0 ? b.high : b.low == SMT_NO_LOW ? SMT_NO_HIGH : -b.low;
    smt_range range = {0, largest == SMT_NO_HIGH ? SMT_NO_HIGH : largest - 1};
    if (a.low >= 0 && a.high < range.high)
        range.high = a.high;
    return range;
}
