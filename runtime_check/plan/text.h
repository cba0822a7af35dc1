/* Observations on a device, in words that promise no more: the runner and `tilerace run` use the
 * same. */
#ifndef GPU_TEXT_H
#define GPU_TEXT_H

#include "plan/blocks.h"
#include "plan/result.h"

/* The verdict line: "nondeterminism confirmed: ...". In the arena. */
const char *plan_result_words(tr_arena *arena, const gpu_plan *plan, const gpu_result *result);
/* "37.5 %", with as many digits as a small share needs. Shown for tests. */
void plan_text_share(tr_text *out, uint64_t part, uint64_t whole);
/* Lines about the whole, each nothing where it is not known. The launch, in words: */
void plan_text_launch(tr_text *out, const char *launch);
/* "NVIDIA H200, driver for CUDA 13.0, 20 runs": */
void plan_text_device(tr_text *out, const char *gpu, int driver, unsigned runs);
/* A compared buffer: how much of it differs and where, and whether it is as expected. */
void plan_text_output(tr_text *out, const gpu_buffer *buffer, const gpu_output *output,
                      unsigned runs);
/* Writes which blocks touched the elements that differ; `nobody` (or NULL) says why none is named.
 */
void plan_text_pairs(tr_text *out, const gpu_pairs *pairs, const char *nobody);
/* Writes what the checker says: */
void plan_text_checker(tr_text *out, const char *checker);
/* Writes all of it, for a bundle. */
void plan_text_result(tr_text *out, const gpu_plan *plan, const gpu_result *result);

#endif
