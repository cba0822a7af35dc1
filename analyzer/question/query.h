/* Terms that shall hold together: a question that is being put together, for ask.h. One about a
 * single event begins with query_of_launch(), and one about two with {0}, because copy_add_pair()
 * adds the launch for each of them. */
#ifndef QUESTION_QUERY_H
#define QUESTION_QUERY_H

#include "base/base.h"
#include "terms/term.h"

struct checker;

/* A value: what is added to a copy is not in the first. The terms are in the arena of the check, or
 * in `arena`, and live as long as it; nothing is freed. {0}: no term yet. */
typedef struct query {
    const struct query_term *last;
    size_t n;
    tr_arena *arena; /* NULL: that of the check */
} query;

void query_add(struct checker *k, query *q, smt_t term);
/* The query and one more term. */
query query_with(struct checker *k, query q, smt_t term);
/* The query and all terms of the other one. */
query query_and(struct checker *k, query q, query other);
/* Begins with what is known of the launch. */
query query_of_launch(struct checker *k);
/* The query's n terms in the order in which they were added, in that arena. */
const smt_t *query_terms(tr_arena *arena, query q);
/* Visits what its terms are made of, as smt_visit(), term by term in that order. */
void query_visit(struct checker *k, query q, void (*visit)(void *user, smt_t term), void *user);
/* The conjunction of its terms. */
smt_t query_as_term(struct checker *k, query q);
/* The query with `to` in place of `from`, n of them, in each term. */
query query_substitute(struct checker *k, query q, size_t n, const smt_t *from, const smt_t *to);

#endif
