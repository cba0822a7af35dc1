/* One obligation about two events, from question to replayed witness. */
#ifndef RULES_PAIR_H
#define RULES_PAIR_H

#include "question/checker.h"
#include "question/two_events.h"

typedef enum pair_outcome {
    PAIR_PROVED,   /* the events cannot both happen on one location */
    PAIR_RACE,     /* a witness was replayed */
    PAIR_POSSIBLE, /* the solver has a model, and the replay shows nothing; or it shows a race, and
                      the solver failed in the search for a precondition: counted unknown */
    PAIR_OPEN,     /* no answer: counted unknown */
} pair_outcome;

/* May the two conflict at all (A1), in one allocation, without mutual scope (A2)? Scopes do not
 * help where they may overlap in part (D6). */
bool pair_may_conflict(checker *k, const ix_access *a, const ix_access *b, bool same_block);
/* The events are on one location, and the two are not morally strong. */
smt_t pair_in_conflict(checker *k, const ix_access *a, const ix_access *b, copy_relation relation);
/* A replayed witness of the conjuncts, which a model shows to be satisfiable; NULL, and *why, where
 * no replay shows the race. */
witness *pair_find_witness(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, query conjuncts, const smt_model *model,
                           const char *name, const char **why);
/* Decides "events of a and b on one location, and `also`", for races alone: it searches for
 * preconditions, replays a race, and counts the obligation. `what` names it in reasons:
 * "disjointness of different tile blocks". *w is set for PAIR_RACE, and may be for PAIR_POSSIBLE.
 */
pair_outcome pair_decide(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                         smt_t also, const char *name, const char *what, witness **w);

#endif
