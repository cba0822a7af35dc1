/* Arithmetic that promises nothing and may leave its type. */
#ifndef RULES_WRAPS_H
#define RULES_WRAPS_H

#include "question/checker.h"

/* Handles arithmetic that promises nothing and may leave its type: builds the summary of machine
 * values, if the contract allows that or if only a bound of the grid would exclude a race by it. */
void follow_wraps(checker *k);
/* Does the contract allow the value to leave its type? It does where it bounds every quantity that
 * the value is made of. A contract that states `s > 0` alone says nothing of `bid * s`, unless it
 * leaves no launch in which the value stays in range. */
bool wraps_are_stated(checker *k, const ix_hazard *h);
/* Uses this summary from now on. */
void wraps_take_summary(checker *k, summary *s);

enum { WRAPS_SCANNED = 70 * 1000 }; /* tile blocks that are looked at one by one */

/* One tile block of a launch of one axis, in the first iteration of its loops. */
typedef struct wraps_place {
    const checker *k;
    int axis;
    int64_t id;
    bool last_element; /* of its tile, or the first one */
    bool any_guard;    /* conditions on parameters and tables count as met */
    bool many;         /* of a launch of as many blocks as there may be */
} wraps_place;

/* An smt_lookup whose `user` is a wraps_place. */
bool wraps_value_at(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value);
/* The number of blocks that every launch has on the axis; 0: launches differ in it. */
int64_t wraps_stated_blocks(const checker *k, int axis);
/* Is nothing in the term but ids, counters, lanes and extents of the grid? */
bool wraps_is_of_grid(const checker *k, smt_t term);
/* Do parameters and tables alone decide the condition, so that some launch takes the branch? */
bool wraps_is_branch(const checker *k, smt_t condition);

/* Conditions of a term that a launch may choose: `n > 3 ? b * 65536u : b`. */
enum { WRAPS_BRANCHES = 3 };

typedef struct wraps_branches {
    const checker *k;
    smt_t found[WRAPS_BRANCHES];
    size_t n;
} wraps_branches;

/* Adds those of the term, for which the structure names the checker. */
void wraps_find_branches(wraps_branches *branches, smt_t term);
/* The part of a conjunction that is about the grid alone, if the rest are such branches; else all
 * of it. */
smt_t wraps_grid_part(const checker *k, smt_t all);

#endif
