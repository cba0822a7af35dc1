/* An assignment on its way to a model: what each term is worth, how far the facts are from true,
 * and what a change of one variable or application would make of that. */
#ifndef SMT_STRATEGIES_ASSIGNMENT_H
#define SMT_STRATEGIES_ASSIGNMENT_H

#include "strategies/strategy.h"
#include "terms/poly.h"
#include "terms/walk.h"

typedef struct repair_change { /* a leaf (variable or application) and what it becomes */
    uint32_t leaf;             /* its place in the order */
    smt_int value;
} repair_change;

typedef struct repair {
    smt_order order;
    smt_value *values;         /* stb_ds arrays, all by place in the order */
    smt_int *own;              /* of a leaf: its value */
    uint32_t *badness;         /* of a boolean: how far it is from true; 0 where it is */
    uint32_t *weight;          /* of a fact: how much its badness counts; 0: is no fact */
    uint32_t *first_dependent; /* of a leaf: dependents[first .. first of the next) follow it */
    uint32_t *dependents;      /* stb_ds array: places, rising */
    uint32_t *touched;         /* the last change that changed what it is worth */
    uint32_t *wished;          /* the last proposal that wished it were defined */
    uint32_t proposal;         /* number of the last one */
    uint32_t change;           /* number of the last one */
    uint32_t *facts;           /* stb_ds array: places */
    uint32_t *leaves;          /* stb_ds array: places */
    struct repair_undo {
        uint32_t place, badness;
        smt_value value;
    } *undo;                /* stb_ds array */
    repair_change *changes; /* stb_ds array: candidates */
    uint64_t cost;          /* badness times weight, of all facts */
    uint64_t random;
    uint32_t wishes;     /* of one proposal, on the way down */
    uint64_t all_wishes; /* of all proposals */
    long work;           /* nodes that may still be evaluated */
} repair;

/* False where the facts are too many or of a kind that cannot be evaluated. */
bool repair_init(repair *r, size_t n, const smt_t *facts);
void repair_free(repair *r);
/* Evaluates all leaves anew; `own` is set by the caller. */
void repair_evaluate(repair *r);
/* Cost after the change; the assignment stays as it is. */
uint64_t repair_cost_with(repair *r, repair_change change);
void repair_apply(repair *r, repair_change change);
/* Gives more weight to all facts that are not true. */
void repair_weigh(repair *r);
/* The leaf that says what this one is worth: itself, or an earlier application of the same function
 * to the same arguments. */
uint32_t repair_first_alike(const repair *r, uint32_t place);
/* Nearest value in the leaf's range. */
smt_int repair_within(smt_t leaf, smt_int value);
uint32_t repair_random(repair *r, uint32_t below);

static inline bool repair_is_leaf(smt_t term)
{
    smt_bits_op bits;
    return term->kind == SMT_VAR || term->kind == SMT_BVAR || term->kind == SMT_BAPP ||
           (term->kind == SMT_APP && !smt_is_bits(term, &bits));
}

static inline uint32_t repair_child(const repair *r, uint32_t place, uint32_t k)
{
    return r->order.children[r->order.first[place] + k];
}

#endif
