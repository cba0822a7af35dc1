/* Does what differs between runs look like floats added in another order, and nothing else? */
#include "gpu/rounding.h"

#include <math.h>
#include <string.h>

/* How far sums in another order may lie apart, against the largest value of the buffer: some ten
 * thousand times the format's last place. 0: no float. */
static double largest_share(gpu_element element)
{
    switch (element) {
    case GPU_F64:
        return 1e-6;
    case GPU_F32:
        return 1e-3;
    case GPU_TF32:
    case GPU_F16:
    case GPU_BF16:
    case GPU_F8E4M3:
    case GPU_F8E5M2:
        return 2e-2;
    default:
        return 0;
    }
}

static double largest_value(const gpu_buffer *b, const gpu_output *o)
{
    size_t width = (size_t)plan_element_bytes(b->element);
    double largest = 0;
    for (uint64_t i = 0; i < o->elements; i++) {
        double value = fabs(plan_element_value(b->element, o->contents + i * width));
        if (isfinite(value) && value > largest)
            largest = value;
    }
    return largest;
}

bool gpu_is_small_difference(const gpu_plan *plan, const gpu_result *result)
{
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        const gpu_output *o = &result->outputs[i];
        if (o->differing && !b->order_dependent &&
            (!plan_element_is_float(b->element) ||
             !(o->spread <= largest_share(b->element) * largest_value(b, o))))
            return false;
    }
    return true;
}

/* Makes the same plan with small whole numbers in all float buffers that are filled by rule: sums
 * of them are exact in any order. */
static const gpu_plan *exact_plan(tr_arena *arena, const gpu_plan *plan)
{
    gpu_plan *exact = tr_arena_copy(arena, plan, sizeof *plan);
    exact->buffers = tr_arena_copy(arena, plan->buffers, plan->n_buffers * sizeof *plan->buffers);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        gpu_buffer *b = &exact->buffers[i];
        b->expected = NULL; /* of the other inputs */
        if (!plan_element_is_float(b->element) || b->fill == GPU_FILL_RAW ||
            b->fill == GPU_FILL_UNDEFINED)
            continue;
        b->fill = GPU_FILL_RANGE;
        b->low = 0;
        b->high = 3;
    }
    return exact;
}

bool gpu_differs_by_rounding(tr_arena *arena, const gpu_plan *plan, const gpu_result *result,
                             gpu_progress progress, void *user)
{
    if (!gpu_is_small_difference(plan, result))
        return false;
    const gpu_plan *exact = exact_plan(arena, plan);
    gpu_result *again = gpu_execute(arena, exact, progress, user);
    bool agree = again->status == GPU_DONE;
    for (size_t i = 0; i < exact->n_buffers; i++)
        agree = agree && !again->outputs[i].differing;
    gpu_result_free(again);
    return agree;
}

const char *gpu_rounding_words(const gpu_plan *plan)
{
    static const char race[] = "race:";
    return plan->blocks && plan->blocks->checker &&
                   strncmp(plan->blocks->checker, race, strlen(race)) == 0
               ? "the differences are small, and with inputs whose sums are exact all runs agree: "
                 "it "
                 "may be the order of float additions alone, though the checker reports a race"
               : "the differences are small, and with inputs whose sums are exact all runs agree: "
                 "the "
                 "order of float additions, no proof of a race";
}
