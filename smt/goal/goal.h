/* A goal: facts of which is asked whether they can all hold, on their way to a decision. */
#ifndef SMT_GOAL_GOAL_H
#define SMT_GOAL_GOAL_H

#include "terms/term.h"

typedef struct smt_definition {
    smt_t what; /* a variable that is in no fact any more */
    smt_t by;   /* its value; may mention variables that later definitions are of */
} smt_definition;

typedef struct smt_goal {
    smt_t *facts;                /* stb_ds array */
    smt_definition *definitions; /* stb_ds array */
    bool is_false;
    bool weakened;      /* facts were left out: a model must prove itself on the original */
    bool no_far_bounds; /* bounds of eliminated variables that are far from 0 are left out */
    bool keep_factors;  /* for proofs alone: variables that are factors of products are kept, and
                           applications may be eliminated */
    int work;           /* left for smt_goal_shows */
    smt_t ignored;      /* a fact that smt_goal_shows is not to use; NULL: none */
} smt_goal;

void smt_goal_init(smt_goal *goal, size_t n, const smt_t *facts);
void smt_goal_copy(smt_goal *to, const smt_goal *from);
void smt_goal_free(smt_goal *goal);
void smt_goal_add(smt_goal *goal, smt_t fact);
uint32_t smt_goal_flags(const smt_goal *goal); /* SMT_HAS_* of all facts */
/* `what` becomes `by` in all facts; what its range says becomes facts. */
void smt_goal_define(smt_ctx *ctx, smt_goal *goal, smt_t what, smt_t by);
/* `what` (any term) is written `by` in all facts: the caller knows them to be equal. */
void smt_goal_replace(smt_ctx *ctx, smt_goal *goal, smt_t what, smt_t by);
/* Like smt_goal_replace(), for n terms at once. */
void smt_goal_replace_all(smt_ctx *ctx, smt_goal *goal, size_t n, const smt_t *what,
                          const smt_t *by);

typedef enum smt_elimination {
    SMT_ELIMINATE_LINEAR, /* variables that an equation of few variables gives */
    SMT_ELIMINATE_ONE,    /* one variable, any that an equation gives */
} smt_elimination;

/* An equivalent goal: facts flattened and merged, known facts used inside others, equations taken
 * apart by common factors, variables eliminated, ranges tightened. */
void smt_goal_simplify(smt_ctx *ctx, smt_goal *goal, smt_elimination elimination);

/* Is the variable a factor of some product of the goal? Then it is a radix that other equations are
 * taken apart by. */
bool smt_goal_is_radix(const smt_goal *goal, smt_t variable);

/* How hard to try. */
typedef enum smt_effort { SMT_QUICKLY, SMT_THOROUGHLY } smt_effort;

/* Is it refuted by solving all equations, or by a fact that sums of others contradict? Sets
 * is_false then, and else leaves the goal as it is. Begins nothing new after so many steps. */
bool smt_goal_refute(smt_ctx *ctx, smt_goal *goal, smt_steps steps);

#endif
