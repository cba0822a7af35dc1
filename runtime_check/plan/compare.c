/* Bytes of runs against each other and against what is expected. */
#include "plan/result.h"

#include <math.h>
#include <string.h>

/* How far a float of a run lies from the first run's; two NaNs lie nowhere. */
static double apart(const gpu_buffer *b, const unsigned char *first, const unsigned char *now)
{
    double x = plan_element_value(b->element, first), y = plan_element_value(b->element, now);
    if (isfinite(x) && isfinite(y))
        return fabs(x - y);
    return x == y || (isnan(x) && isnan(y)) ? 0 : INFINITY;
}

uint64_t plan_compare_runs(const gpu_buffer *buffer, const unsigned char *first,
                           const unsigned char *now, uint16_t *heat, double *spread)
{
    size_t width = (size_t)plan_element_bytes(buffer->element);
    uint64_t elements = buffer->bytes / width, differing = 0;
    if (memcmp(first, now, buffer->bytes) == 0)
        return 0;
    for (uint64_t i = 0; i < elements; i++)
        if (memcmp(first + i * width, now + i * width, width) != 0) {
            differing++;
            heat[i] += heat[i] < UINT16_MAX;
            *spread = fmax(*spread, apart(buffer, first + i * width, now + i * width));
        }
    return differing;
}

/* NaNs agree with NaNs, infinities with equal ones. */
static bool floats_close(double got, double want, double tolerance, double *error)
{
    if (isnan(got) || isnan(want) || isinf(got) || isinf(want)) {
        *error = INFINITY;
        return (isnan(got) && isnan(want)) || got == want;
    }
    *error = fabs(got - want);
    return *error <= tolerance * fmax(1, fabs(want));
}

/* Numbers of a float format in their order, neighbours one apart; both zeros are 0. */
static int64_t place_in_order(gpu_element element, const unsigned char *bytes)
{
    int width = plan_element_bytes(element), bits = 8 * width;
    uint64_t raw = 0;
    memcpy(&raw, bytes, (size_t)width);
    if (!plan_element_is_float(element))
        return (int64_t)(raw << (64 - bits)) >> (64 - bits);
    uint64_t sign = (uint64_t)1 << (bits - 1), magnitude = raw & (sign - 1);
    if (element == GPU_TF32)
        magnitude >>= 13;
    return raw & sign ? -(int64_t)magnitude : (int64_t)magnitude;
}

static uint64_t distance(gpu_element element, const unsigned char *got, const unsigned char *want)
{
    if (plan_element_is_float(element) &&
        isnan(plan_element_value(element, got)) != isnan(plan_element_value(element, want)))
        return UINT64_MAX;
    int64_t a = place_in_order(element, got), b = place_in_order(element, want);
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* `error` is absolute. Integers may lie further apart than a double tells. */
static bool close_to(const gpu_buffer *b, const gpu_mismatch *m, const unsigned char *got,
                     const unsigned char *want, double *error)
{
    if (plan_element_is_float(b->element))
        return floats_close(m->got, m->want, b->tolerance, error);
    *error = (double)distance(b->element, got, want);
    return *error <= b->tolerance * fmax(1, fabs(m->want));
}

/* Compares an element with the expected one and adds a difference to the result of its output. Of
 * elements that differ but are close enough, only the distance is recorded. */
static void compare_element(const gpu_buffer *buffer, uint64_t i, gpu_output *output)
{
    size_t width = (size_t)plan_element_bytes(buffer->element);
    const unsigned char *got = output->contents + i * width;
    const unsigned char *want = buffer->expected + i * width;
    if (memcmp(got, want, width) == 0)
        return;
    gpu_mismatch m = {i, plan_element_value(buffer->element, got),
                      plan_element_value(buffer->element, want)};
    double error;
    bool good = close_to(buffer, &m, got, want, &error);
    if (isfinite(error) || !good)
        output->max_error = fmax(output->max_error, error);
    if (!good && output->wrong++ == 0)
        output->first_wrong = i;
    if (!good && output->n_listed < GPU_LISTED)
        output->listed[output->n_listed++] = m;
    if (output->agreement == GPU_EQUAL)
        output->agreement = GPU_WITHIN_TOLERANCE;
    if (isnan(m.got) && isnan(m.want))
        return;
    uint64_t ulp = distance(buffer->element, got, want);
    if (output->unequal++ == 0 || ulp > output->max_ulp) {
        output->max_ulp = ulp;
        output->worst = i;
    }
}

static void compare_with_expected(const gpu_buffer *buffer, gpu_output *output)
{
    output->agreement = GPU_EQUAL;
    for (uint64_t i = 0; i < output->elements; i++) {
        if (buffer->expected_known && !buffer->expected_known[i])
            continue;
        output->compared++;
        compare_element(buffer, i, output);
    }
    if (output->wrong)
        output->agreement = GPU_DIFFERENT;
}

void plan_summarise(const gpu_buffer *buffer, gpu_output *output)
{
    output->first = output->elements;
    for (uint64_t i = output->elements; i-- > 0;)
        if (output->heat[i]) {
            output->differing++;
            output->first = i;
        }
    if (buffer->expected)
        compare_with_expected(buffer, output);
}

bool plan_bounding_box(const gpu_buffer *buffer, const gpu_output *output, uint64_t *low,
                       uint64_t *high)
{
    uint64_t elements = 1;
    for (int d = 0; d < buffer->rank; d++)
        if (__builtin_mul_overflow(elements, buffer->shape[d], &elements))
            return false;
    if (!buffer->rank || elements != output->elements || !output->differing)
        return false;
    for (int d = 0; d < buffer->rank; d++) {
        low[d] = UINT64_MAX;
        high[d] = 0;
    }
    for (uint64_t i = 0; i < elements; i++) {
        if (!output->heat[i])
            continue;
        uint64_t rest = i;
        for (int d = buffer->rank; d-- > 0;) {
            uint64_t at = rest % buffer->shape[d];
            rest /= buffer->shape[d];
            low[d] = at < low[d] ? at : low[d];
            high[d] = at > high[d] ? at : high[d];
        }
    }
    return true;
}
