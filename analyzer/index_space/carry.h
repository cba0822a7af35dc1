/* Values that a loop carries, as the walk finds them out: private to control.c and carry.c. */
#ifndef INDEX_SPACE_CARRY_H
#define INDEX_SPACE_CARRY_H

#include "index_space/walk.h"

typedef enum carry {
    CARRY_OPEN,
    CARRY_SAME,
    CARRY_STEP,
    CARRY_OTHER, /* a term over the counter that is no step */
} carry;

typedef struct carried {
    const ir_value *arg; /* the body's block argument */
    ix_value init;
    ix_value value; /* at iteration `counter` */
    carry form;
    smt_t step; /* CARRY_STEP: what each iteration adds */
    /* A function of the iteration from which the value is computed, known by what the preceding
     * iteration passed on, and its value in the first iteration. NULL: none. */
    smt_t function, start;
} carried;

typedef struct loop_walk {
    const ir_op *op;
    const ir_block *body;
    ix_loop *loop;
    smt_t entered;      /* what each iteration's start adds to the path (a for loop's bound) */
    ix_value induction; /* for: the induction variable */
    size_t n;
    carried *carried;
    ix_site *sites; /* of the last walk of the body; stb_ds array */
} loop_walk;

/* Finds the forms of all carried values by walking the body on trial. */
void ix_solve_carried(ix_walk *walk, loop_walk *lw);
/* Returns the value of form CARRY_STEP after so many steps: each candidate, if it is a choice. */
ix_value ix_stepped(ix_walk *walk, const carried *c, smt_t times);
/* Facts for the body about the carried values that are followed, by the preceding iteration. */
smt_t ix_carried_facts(ix_walk *walk, const loop_walk *lw);
/* May an access depend on the carried value? Floats and tokens are not followed. */
bool ix_worth_solving(const carried *c);
/* unroll.c: gives the loop's results as terms where it is short, only computes, and carries a value
 * that has no closed form. `low`, `high` and `step` are the bounds of a for loop, and NULL for
 * another loop. False: the loop is not of this kind, and nothing was recorded. */
bool ix_unroll(ix_walk *walk, loop_walk *lw, smt_t low, smt_t high, smt_t step);
/* Walks the body as iteration `counter`; control.c. */
void ix_walk_body(ix_walk *walk, loop_walk *lw);

#endif
