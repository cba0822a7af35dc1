/* A plan: one concrete launch of compiled code, written down so that another machine can run it.
 *
 * As a file it is plain text, a statement a line, so that the runner needs no library to read it:
 *
 *   tilerace-plan 1
 *   kernel permute_heads
 *   launch grid 64 x 16 x 1, B = 4, H = 16, M = 1024
 *   source source.txt permute.tile.c
 *   gpu sm_90
 *   code code0.cubin as written
 *   code code1.cubin block ids of axis x reversed
 *   grid 64 16 1
 *   repeat 20
 *   seed 1
 *   timeout 20000
 *   perturb flush noise delay
 *   buffer dst 16777216 f32 output (or: input, sum)
 *   fill dst unique
 *   shape dst 4 16 1024 64
 *   tile dst 1 1 64 64
 *   expect dst expected1.bin 0.001 known1.bin
 *   arg pointer dst 0
 *   arg scalar 4 0x40
 *   blocks blocks.txt
 *
 * Files are named relative to the plan's folder. Statements about a buffer follow its own. Words go
 * to the end of the line. */
#ifndef GPU_PLAN_H
#define GPU_PLAN_H

#include "base/base.h"

#define GPU_MAX_RANK 8
/* Names of files in a bundle's folder. */
#define GPU_PLAN_NAME   "plan.txt"
#define GPU_SOURCE_NAME "source.txt"

typedef enum gpu_element {
#define ELEMENT(id, name, bytes, exponent, mantissa) GPU_##id,
#include "plan/elements.def"
    GPU_ELEMENT_COUNT,
} gpu_element;

/* How a buffer is filled before every run. */
typedef enum gpu_fill {
    GPU_FILL_UNIQUE, /* no two elements equal, where the type has enough values */
    GPU_FILL_SMALL,  /* floats in [1/8, 1/4), as different as the format allows */
    GPU_FILL_ZEROS,
    GPU_FILL_IOTA,
    GPU_FILL_RANDOM,      /* floats in [-1, 1), integers over the type */
    GPU_FILL_PERMUTATION, /* of 0 .. n - 1 */
    GPU_FILL_RANGE,       /* low .. high, by the seed */
    GPU_FILL_UNDEFINED,   /* no program may rely on it: all bits set, of floats a NaN */
    GPU_FILL_RAW,         /* the bytes of a file, or those given */
    GPU_FILL_COUNT,
} gpu_fill;

/* Disturbances around a launch, so that its blocks meet in other orders. Bits. */
typedef enum gpu_perturb {
    GPU_PERTURB_FLUSH = 1, /* the level-2 cache is overwritten before the launch */
    GPU_PERTURB_NOISE = 2, /* memory traffic beside it */
    GPU_PERTURB_DELAY = 4, /* a random pause before it */
    GPU_PERTURB_TWIN = 8,  /* the same kernel runs beside it, on memory of its own */
} gpu_perturb;

typedef struct gpu_buffer {
    const char *name;
    uint64_t bytes;
    gpu_element element;
    bool output; /* the kernel may write it: compared between runs */
    /* Written by atomic float additions alone: what differs there is the order of sums. */
    bool order_dependent;
    gpu_fill fill;
    uint64_t seed;
    int64_t low, high;         /* of GPU_FILL_RANGE */
    const char *file;          /* of GPU_FILL_RAW, as the plan names it; or NULL */
    const unsigned char *data; /* of GPU_FILL_RAW: `bytes` long */
    int rank;                  /* of shape and tile; 0: unknown */
    uint64_t shape[GPU_MAX_RANK];
    uint64_t tile[GPU_MAX_RANK];   /* 0: unknown */
    const char *expected_file;     /* or NULL */
    const unsigned char *expected; /* `bytes` long; or NULL: nothing to compare with */
    /* One byte an element: is it expected to have that value? NULL: all are. */
    const unsigned char *expected_known;
    /* The tolerance of a comparison with `expected`: relative above 1, absolute below; negative:
     * not stated. */
    double tolerance;
} gpu_buffer;

typedef struct gpu_arg {
    int buffer;      /* index into buffers; -1: a scalar */
    uint64_t offset; /* pointer: bytes into the buffer */
    int width;       /* scalar: bytes */
    uint64_t bits;   /* scalar, little-endian */
} gpu_arg;

typedef struct gpu_code {
    const char *file;
    const char *words; /* how it differs from the source: "as written" */
    const unsigned char *image;
    size_t size;
} gpu_code;

struct gpu_blocks;

typedef struct gpu_plan {
    const char *kernel; /* symbol */
    const char *launch; /* words: "grid 4 x 1 x 1, n = 128"; or NULL */
    const char *source; /* text of the file that holds the kernel's lines, and its name; or NULL */
    const char *source_name;
    const char *gpu; /* what the code was made for: "sm_90" */
    size_t n_codes;
    gpu_code *codes; /* run i takes code i % n_codes; the first one is as written */
    unsigned grid[3];
    unsigned repeat; /* runs */
    uint64_t seed;
    int64_t timeout_ms; /* of one run */
    unsigned perturb;   /* gpu_perturb bits */
    size_t n_buffers;
    gpu_buffer *buffers;
    size_t n_args;
    gpu_arg *args;
    struct gpu_blocks *blocks; /* who touched what (blocks.h); NULL: nobody looked */
} gpu_plan;

const char *plan_element_name(gpu_element element);
int plan_element_bytes(gpu_element element);
bool plan_element_is_float(gpu_element element);
/* False when there is no such type. */
bool plan_element_of_name(const char *name, gpu_element *element);
bool plan_fill_of_name(const char *name, gpu_fill *fill);
/* The name of bit number `bit` of gpu_perturb; NULL behind the last. */
const char *plan_perturb_name(size_t bit);

/* Reads FOLDER/plan.txt and the files that it names, into the arena. NULL with *why, a sentence
 * that names the line. */
gpu_plan *plan_read(tr_arena *arena, const char *folder, const char **why);
/* Writes plan.txt, code and raw contents into FOLDER, which is made. False with *why. */
bool plan_write(tr_arena *arena, const gpu_plan *plan, const char *folder, const char **why);

/* The bytes of a buffer before a run, `bytes` of them: the same on every machine. */
void plan_fill_bytes(const gpu_buffer *buffer, unsigned char *bytes);
/* The number that an element's bits mean; integers as signed ones. */
double plan_element_value(gpu_element element, const unsigned char *bytes);

#endif
