/* A small grammar of kernels, all of them, in a fixed order.
 *
 * A kernel has one or two accesses to `x` at indices made of the block ids, a loop counter, a
 * parameter and small constants. It runs on any grid and for any p >= 1. */
#ifndef EXHAUSTIVE_GRAMMAR_H
#define EXHAUSTIVE_GRAMMAR_H

#include "base/base.h"

#include <stdint.h>

/* Leaves come first among the expressions, in this order. */
typedef enum leaf {
    LEAF_X,
    LEAF_Y,
    LEAF_I,
    LEAF_P,
    LEAF_G, /* the grid's extent along x */
    LEAF_1,
    LEAF_2,
    LEAF_3,
    LEAF_0,
    N_LEAVES
} leaf;

#define OPS(X)                                                                                     \
    X(ADD, "+", a + b)                                                                             \
    X(MUL, "*", a *b)                                                                              \
    X(MIN, "min", a < b ? a : b)                                                                   \
    X(XOR, "^", a ^ b)                                                                             \
    X(DIV, "/", a / b)                                                                             \
    X(MOD, "%", a % b)

typedef enum expr_op {
    EXPR_LEAF,
#define X(name, text, value) EXPR_##name,
    OPS(X)
#undef X
        N_EXPR_OPS
} expr_op;

enum { READS_X = 1 << LEAF_X, READS_Y = 1 << LEAF_Y, READS_I = 1 << LEAF_I, READS_P = 1 << LEAF_P };

typedef struct expr { /* a leaf, or an op on two earlier expressions */
    uint8_t op;       /* expr_op */
    uint8_t reads;    /* READS_* */
    uint16_t a, b;
} expr;

typedef enum family {
    ONE_ACCESS,
    TWO_ACCESSES,
    FLAGGED /* blocks with x == 0 store and set a flag; the others wait for one and access */
} family;

typedef enum mask {
    MASK_NONE,
    MASK_X_BELOW_P,
    MASK_INDEX_BELOW_P,
    MASK_DIGIT_BELOW_P /* of an index a * p + b: b < p */
} mask_kind;
typedef enum token_use { TOKENS_CHAINED, TOKENS_IN_ITERATION, TOKENS_NONE } token_use;
typedef enum trip { TRIP_NO_LOOP, TRIP_3, TRIP_P } trip;
typedef enum waiting {
    WAIT_SPIN,    /* release and acquire, until the flag is set */
    WAIT_ONCE,    /* release and acquire; the access happens only if the flag is set */
    WAIT_RELAXED, /* the flag is set by a relaxed store */
    WAIT_NO_TOKEN /* the access does not wait for the acquire's token */
} waiting;

typedef struct shape { /* one kernel */
    uint8_t family, mask, tokens, trip, waiting;
    bool second_stores;
    uint16_t first, second; /* indices of the accesses: expressions */
    uint16_t set, awaited;  /* FLAGGED: the flag that is set, and the one that is waited for */
} shape;

typedef struct grammar {
    expr *exprs;   /* stb_ds array */
    shape *shapes; /* stb_ds array */
} grammar;

typedef struct point { /* values of the leaves */
    int64_t x, y, i, p, grid_x;
} point;

grammar grammar_make(void);
void grammar_free(grammar *g);
int64_t expr_value(const grammar *g, uint16_t e, const point *at);
/* What the mask of an access at `index` compares with p. */
uint16_t shape_masked(const grammar *g, const shape *s, uint16_t index);
unsigned shape_reads(const grammar *g, const shape *s);
/* The kernel in the C dialect; `tokens` other than the chain stand in a comment. */
void shape_print(tr_text *out, const grammar *g, const shape *s);

#endif
