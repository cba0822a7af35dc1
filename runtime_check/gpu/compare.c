/* Bytes of runs against each other and against what is expected, and the words for it. */
#include "gpu/private.h"

#include <math.h>
#include <string.h>

#define MAX_SHOWN_RUNS 20

uint64_t gpu_compare_runs(const gpu_buffer *buffer, const unsigned char *first,
                          const unsigned char *now, uint16_t *heat)
{
    size_t width = (size_t)gpu_element_bytes(buffer->element);
    uint64_t elements = buffer->bytes / width, differing = 0;
    if (memcmp(first, now, buffer->bytes) == 0)
        return 0;
    for (uint64_t i = 0; i < elements; i++)
        if (memcmp(first + i * width, now + i * width, width) != 0) {
            differing++;
            heat[i] += heat[i] < UINT16_MAX;
        }
    return differing;
}

/* NaNs agree with NaNs, infinities with equal ones. */
static bool close_to(double got, double want, double tolerance, double *error)
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
    int width = gpu_element_bytes(element), bits = 8 * width;
    uint64_t raw = 0;
    memcpy(&raw, bytes, (size_t)width);
    if (!gpu_element_is_float(element))
        return (int64_t)(raw << (64 - bits)) >> (64 - bits);
    uint64_t sign = (uint64_t)1 << (bits - 1), magnitude = raw & (sign - 1);
    if (element == GPU_TF32)
        magnitude >>= 13;
    return raw & sign ? -(int64_t)magnitude : (int64_t)magnitude;
}

static uint64_t distance(gpu_element element, const unsigned char *got, const unsigned char *want)
{
    if (gpu_element_is_float(element) &&
        isnan(gpu_element_value(element, got)) != isnan(gpu_element_value(element, want)))
        return UINT64_MAX;
    int64_t a = place_in_order(element, got), b = place_in_order(element, want);
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static void compare_element(const gpu_buffer *buffer, uint64_t i, gpu_output *output)
{
    size_t width = (size_t)gpu_element_bytes(buffer->element);
    const unsigned char *got = output->contents + i * width;
    const unsigned char *want = buffer->expected + i * width;
    if (memcmp(got, want, width) == 0)
        return;
    gpu_mismatch m = {i, gpu_element_value(buffer->element, got),
                      gpu_element_value(buffer->element, want)};
    double error;
    bool good = close_to(m.got, m.want, buffer->tolerance, &error);
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

void gpu_summarise(const gpu_buffer *buffer, gpu_output *output)
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

bool gpu_bounding_box(const gpu_buffer *buffer, const gpu_output *output, uint64_t *low,
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

gpu_plan *gpu_exact_plan(tr_arena *arena, const gpu_plan *plan)
{
    gpu_plan *exact = tr_arena_copy(arena, plan, sizeof *plan);
    exact->buffers = tr_arena_copy(arena, plan->buffers, plan->n_buffers * sizeof *plan->buffers);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        gpu_buffer *b = &exact->buffers[i];
        b->expected = NULL; /* of the other inputs */
        if (!gpu_element_is_float(b->element) || b->fill == GPU_FILL_RAW)
            continue;
        b->fill = GPU_FILL_RANGE;
        b->low = 0;
        b->high = 3;
    }
    return exact;
}

bool gpu_result_differs(const gpu_plan *plan, const gpu_result *result)
{
    for (size_t i = 0; i < plan->n_buffers; i++)
        if (result->outputs[i].differing && !plan->buffers[i].order_dependent)
            return true;
    return false;
}

const char *gpu_result_words(tr_arena *arena, const gpu_plan *plan, const gpu_result *result)
{
    uint64_t elements = 0, differing = 0, sums = 0;
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_output *o = &result->outputs[i];
        elements += o->elements;
        *(plan->buffers[i].order_dependent ? &sums : &differing) += o->differing;
    }
    if (result->status == GPU_FAILED)
        return result->why;
    if (result->status == GPU_HANG)
        return tr_arena_printf(
            arena, "the kernel did not end: run %u took longer than %lld ms and was killed",
            result->runs + 1, (long long)plan->timeout_ms);
    if (differing)
        return tr_arena_printf(arena,
                               "nondeterminism confirmed: %llu of %llu elements (%.1f %%) over %u "
                               "runs",
                               (unsigned long long)differing, (unsigned long long)elements,
                               100.0 * (double)differing / (double)elements, result->runs);
    if (sums)
        return tr_arena_printf(arena,
                               "%llu elements differ over %u runs, in sums of atomic float "
                               "additions alone: they depend on the order, which is no race",
                               (unsigned long long)sums, result->runs);
    if (result->runs < 2)
        return "one run: nothing to compare with";
    return tr_arena_printf(arena, "no difference in %u runs: not a proof", result->runs);
}

static void print_wrong(tr_text *out, const gpu_buffer *b, const gpu_output *o)
{
    tr_text_addf(out, "    not as expected: %llu of %llu elements beyond %g:\n",
                 (unsigned long long)o->wrong, (unsigned long long)o->compared, b->tolerance);
    for (size_t i = 0; i < o->n_listed; i++)
        tr_text_addf(out, "      [%llu] is %.9g, expected %.9g\n",
                     (unsigned long long)o->listed[i].at, o->listed[i].got, o->listed[i].want);
}

static void print_output(tr_text *out, const gpu_buffer *b, const gpu_output *o, unsigned runs)
{
    uint64_t low[GPU_MAX_RANK], high[GPU_MAX_RANK];
    tr_text_addf(out, "  %s: %llu of %llu elements differ (%.1f %%)", b->name,
                 (unsigned long long)o->differing, (unsigned long long)o->elements,
                 100.0 * (double)o->differing / (double)o->elements);
    if (gpu_bounding_box(b, o, low, high)) {
        tr_text_add(out, ", within [");
        for (int d = 0; d < b->rank; d++)
            tr_text_addf(out, "%s%llu..%llu", d ? ", " : "", (unsigned long long)low[d],
                         (unsigned long long)high[d]);
        tr_text_add(out, "]");
    }
    tr_text_add(out, "\n");
    if (o->differing) {
        tr_text_add(out, "    run by run, against the first:");
        for (unsigned run = 1; run < runs && run <= MAX_SHOWN_RUNS; run++)
            tr_text_addf(out, " %llu", (unsigned long long)o->per_run[run]);
        tr_text_add(out, runs > MAX_SHOWN_RUNS + 1 ? " ...\n" : "\n");
    }
    if (o->agreement == GPU_EQUAL)
        tr_text_add(out, "    equal to what is expected\n");
    else if (o->agreement == GPU_WITHIN_TOLERANCE)
        tr_text_addf(out, "    as expected within %g; largest difference %g\n", b->tolerance,
                     o->max_error);
    else if (o->agreement == GPU_DIFFERENT)
        print_wrong(out, b, o);
}

void gpu_result_print(tr_text *out, const gpu_plan *plan, const gpu_result *result)
{
    tr_arena *arena = tr_arena_new();
    tr_text_addf(out, "%s: %s\n", plan->kernel, gpu_result_words(arena, plan, result));
    if (result->gpu[0])
        tr_text_addf(out, "  on %s, driver for CUDA %d.%d\n", result->gpu, result->driver / 1000,
                     result->driver % 1000 / 10);
    if (result->runs)
        for (size_t i = 0; i < plan->n_buffers; i++)
            if (plan->buffers[i].output)
                print_output(out, &plan->buffers[i], &result->outputs[i], result->runs);
    tr_arena_free(arena);
}
