/* Declarations that clean.c and merge_tokens.c share. */
#ifndef DIALECT_CLEAN_H
#define DIALECT_CLEAN_H

#include "dialect/lower.h"

typedef struct cleaner {
    dl *L;
    ir_value **is;   /* by value id: what stands for it, or NULL */
    bool *live;      /* by value id */
    ir_value **work; /* stb_ds */
    ir_op ***exits;  /* by loop ordinal: stb_ds array of its breaks and continues */
    ir_op **loops;   /* stb_ds */
} cleaner;

/* Number of the first carried value among a loop's operands, and among its body's arguments. */
uint32_t clean_first_init(const ir_op *loop);
uint32_t clean_first_arg(const ir_op *loop);
/* The yield that ends a region of an if; NULL when there is none. */
ir_op *clean_yield_of(const ir_op *op, unsigned region);
/* Finds tokens that loops and ifs carry twice. True: `is` says what stands for some of them. */
bool clean_merge_tokens(cleaner *c, ir_function *function);

#endif
