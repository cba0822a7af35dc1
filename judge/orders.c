/* Compares what two orders of the tile blocks leave. */
#include <math.h>
#include <string.h>

#include "gpu/rounding.h"
#include "judge/private.h"

/* Finds what differs between two runs in a buffer that the kernel writes; what one of them does not
 * know is left out. */
static gpu_output difference(const gpu_plan *plan, tr_arena *arena, const interp_run *a,
                             const interp_run *b, size_t buffer)
{
    const gpu_buffer *from = &plan->buffers[buffer];
    size_t width = (size_t)plan_element_bytes(from->element);
    gpu_output o = {.elements = from->bytes / width};
    unsigned char *bytes[2];
    bool *known[2];
    for (int i = 0; i < 2; i++) {
        bytes[i] = tr_arena_alloc(arena, from->bytes);
        known[i] = TR_NEW_ARRAY(arena, bool, o.elements + 1);
        run_read_buffer(i ? b : a, buffer, from, bytes[i], known[i]);
    }
    o.contents = bytes[0];
    o.first = o.elements;
    for (uint64_t i = o.elements; i-- > 0;) {
        const unsigned char *x = bytes[0] + i * width, *y = bytes[1] + i * width;
        if (!known[0][i] || !known[1][i] || memcmp(x, y, width) == 0)
            continue;
        double far =
            fabs(plan_element_value(from->element, x) - plan_element_value(from->element, y));
        o.differing++;
        o.first = i;
        o.spread = far > o.spread || isnan(far) ? far : o.spread;
    }
    return o;
}

bool judge_ends_alike(const gpu_plan *plan, tr_arena *arena, const interp_run *a,
                      const interp_run *b, size_t *buffer, uint64_t *at)
{
    gpu_result result = {.outputs = TR_NEW_ARRAY(arena, gpu_output, plan->n_buffers + 1)};
    for (size_t i = plan->n_buffers; i-- > 0;) {
        if (!plan->buffers[i].output)
            continue;
        result.outputs[i] = difference(plan, arena, a, b, i);
        if (result.outputs[i].differing && !plan->buffers[i].order_dependent) {
            *buffer = i;
            *at = result.outputs[i].first;
        }
    }
    return gpu_is_small_difference(plan, &result);
}
