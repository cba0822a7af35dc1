/* Differences that the order of float additions explains. */
#ifndef GPU_ROUNDING_H
#define GPU_ROUNDING_H

#include "plan/blocks.h"
#include "gpu/execute.h"

/* Are all outputs that differ of float types, and every difference small against the largest value
 * of its buffer: 1e-6 of it (f64), 1e-3 (f32), 2e-2 (shorter ones)? A NaN or an infinity against a
 * number is not small. Sums of atomic additions are not looked at. */
bool gpu_is_small_difference(const gpu_plan *plan, const gpu_result *result);
/* Do all runs agree, besides, once all float buffers that are filled by rule hold small whole
 * numbers, whose sums are exact in any order? Runs the plan again where that decides. */
bool gpu_differs_by_rounding(tr_arena *arena, const gpu_plan *plan, const gpu_result *result,
                             gpu_progress progress, void *user);
/* The words for it; beside a race that the checker reports, no more than that it may be so. */
const char *gpu_rounding_words(const gpu_plan *plan);

#endif
