/* The results of many runs of a plan, and how they compare bit for bit. */
#ifndef PLAN_RESULT_H
#define PLAN_RESULT_H

#include "plan/plan.h"

typedef enum gpu_status {
    GPU_DONE,
    GPU_FAILED, /* `why` says what: no driver, no device, wrong code, out of memory, a bad launch */
    GPU_HANG,   /* a run took longer than the plan's time-out; its process was killed */
} gpu_status;

typedef enum gpu_agreement {
    GPU_NO_REFERENCE,
    GPU_EQUAL,
    GPU_WITHIN_TOLERANCE,
    GPU_DIFFERENT,
} gpu_agreement;

#define GPU_LISTED 8

typedef struct gpu_mismatch { /* an element that is not as the reference has it */
    uint64_t at;              /* its number in the buffer */
    double got, want;
} gpu_mismatch;

typedef struct gpu_output { /* of one buffer; all zero for an input */
    uint64_t elements;
    uint64_t differing;      /* elements that differ from the first run's in at least one run */
    uint64_t first;          /* the first of them; `elements` when there is none */
    const uint64_t *per_run; /* elements that differ from the first run's: one entry a run */
    const uint16_t *heat;    /* in how many runs each element differed */
    double spread;           /* floats: the largest distance from the first run's; or infinity */
    const unsigned char *contents; /* after the first run, the buffer's bytes */
    const unsigned char *other;    /* after the run of `other_run` */
    unsigned other_run;            /* the run that differs in most elements; 0: none differs */
    gpu_agreement agreement;       /* of the first run with `expected` */
    double max_error;              /* absolute, over all elements compared */
    uint64_t compared;             /* elements with an expected value */
    uint64_t unequal;              /* elements with other bits, NaNs apart that meet NaNs */
    uint64_t wrong;                /* elements beyond the tolerance */
    uint64_t first_wrong;
    /* Largest distance in units in the last place over all unequal floats; UINT64_MAX where a NaN
     * meets a number. Integers: the distance of the numbers. */
    uint64_t max_ulp;
    uint64_t worst; /* the element of max_ulp */
    size_t n_listed;
    gpu_mismatch listed[GPU_LISTED]; /* the first of the wrong ones */
} gpu_output;

typedef struct gpu_result {
    gpu_status status;
    const char *why;
    unsigned runs;       /* that came to their end */
    int driver;          /* 1000 * major + 10 * minor of CUDA; 0 unknown */
    int capability;      /* 10 * major + minor: 90 */
    const char *gpu;     /* its name; "" unknown */
    const float *ms;     /* one entry a run: time of the launch on the GPU */
    gpu_output *outputs; /* one entry a buffer of the plan */
    void *memory;        /* private */
    size_t memory_bytes;
} gpu_result;

/* Compares one run's bytes with the first run's: counts into `heat`, returns how many differ, and
 * lets `spread` grow to the largest distance. */
uint64_t plan_compare_runs(const gpu_buffer *buffer, const unsigned char *first,
                           const unsigned char *now, uint16_t *heat, double *spread);

/* Fills `differing`, `first` and the comparison with `expected` from the other fields. */
void plan_summarise(const gpu_buffer *buffer, gpu_output *output);
/* The smallest box of tensor coordinates that holds all differing elements: low[d] .. high[d],
 * both inside. False where none differs or the plan gives no shape that fits the buffer. */
bool plan_bounding_box(const gpu_buffer *buffer, const gpu_output *output, uint64_t *low,
                       uint64_t *high);

#endif
