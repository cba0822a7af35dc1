/* One detail of a kernel's synchronisation made weaker, and put back. */
#ifndef MUTANTS_WEAKEN_H
#define MUTANTS_WEAKEN_H

#include "ir/ir.h"

typedef enum mutant_kind { MUTANT_ORDER, MUTANT_SCOPE, MUTANT_TOKEN, MUTANT_GUARD } mutant_kind;

typedef struct mutant {
    mutant_kind kind;
    ir_op *op;
    ir_ordering ordering; /* instead */
    uint32_t operand;     /* the token that is not taken, the condition that is not asked */
    const char *what;     /* a few words */
} mutant;

typedef struct spare { /* values of the function that mutants take instead */
    ir_value *token;   /* ordered after nothing */
    ir_value *yes;     /* a condition that holds */
} spare;

/* Adds them at the function's start; the function is numbered anew. */
spare spare_make(ir_module *module, ir_function *function);
/* Every mutant of the function: a stb_ds array; texts in `arena`.
 *   order  acq_rel to acquire, to release, to relaxed; acquire and release to relaxed, and of loads
 *          and stores to weak; relaxed of those to weak
 *   scope  device and sys to the tile block
 *   token  one token operand of any op, also of joins, branches and loops, to a fresh token
 *   guard  a branch on something read from memory is always taken */
tr_give mutant *mutants_list(tr_arena *arena, const ir_function *function, const spare *s);

typedef struct undo {
    ir_attr ordering, scope;
    ir_value *operand;
} undo;

undo mutant_apply(const mutant *m, const spare *s);
void mutant_undo(const mutant *m, const undo *u);

#endif
