/* Kernels that only compute: every op that makes numbers, in every type that it has, on inputs that
 * hold the types' edges. The interpreter's results are compared with a GPU's (ci/gpu.sh). */
#ifndef VALUES_H
#define VALUES_H

#include "../random/build.h"

#define BLOCK      1024 /* elements of one input that a tile block takes */
#define MAX_INPUTS 4

typedef enum pattern {                /* of an input's contents */
                       PATTERN_EDGES, /* pairs of edge values, then random bits and numbers of all
                                         sizes */
                       PATTERN_ALL,   /* every bit pattern in turn, for types of at most 16 bits */
                       PATTERN_MODERATE, /* numbers of about 1, either sign */
                       PATTERN_WHOLE,    /* -4 to 4: sums of them are exact in every order */
                       PATTERN_EXPONENT, /* whole numbers of all sizes, small ones often */
} pattern;

typedef struct input {
    const char *name;
    ir_type_kind type;
    pattern pattern;
} input;

typedef struct setting { /* of an attribute */
    unsigned attr;
    int64_t value;
} setting;

typedef struct item { /* one result of a kernel, in a buffer of its own */
    const char *name;
    /* Makes the value; `in` are the inputs as tiles of BLOCK elements. */
    val (*make)(ir_builder *b, const struct item *it, val *in);
    ir_opcode code;
    int operands;    /* inputs that it takes, from the first on */
    ir_type_kind to; /* element of the result */
    int n_settings;
    setting settings[3];
    uint64_t seed; /* of a chain */
} item;

typedef struct kernel {
    const char *name;
    const char *gpu; /* the oldest that has its types: "sm_90" */
    int64_t blocks;
    size_t n_inputs;
    input inputs[MAX_INPUTS];
    item *items; /* stb_ds array */
} kernel;

/* All kernels, as an stb_ds array; names live in the arena. `chains`: how many random ones. */
kernel *values_kernels(tr_arena *arena, uint64_t seed, size_t chains);
/* Items of a chain: a straight line of ops whose results are fixed to the last bit. */
void values_chain(tr_arena *arena, kernel *k, uint64_t seed);

/* Contents of input `i`: blocks * BLOCK elements, little-endian; the caller free()s. */
tr_give unsigned char *values_contents(const kernel *k, size_t i, uint64_t seed, size_t *bytes);
/* The module of a kernel with the items wanted (NULL: all). */
tr_give ir_module *values_module(const kernel *k, const bool *wanted);
/* Elements that each tile block writes of an item's result, and of which type. */
int64_t values_result(const kernel *k, size_t item, ir_type_kind *type);

uint64_t values_random(uint64_t seed, uint64_t i);

#endif
