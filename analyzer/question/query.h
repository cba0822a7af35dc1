/* Terms that shall hold together: a question that is being put together. */
#ifndef QUESTION_QUERY_H
#define QUESTION_QUERY_H

#include "terms/term.h"

struct checker;

/* A value: what is added to a copy is not in the first. The terms are in the arena of the check, in
 * the order in which they were added; nothing is freed. {0}: no term yet. */
typedef struct query {
    struct query_array *array; /* of this query and of those that it was copied from and to */
    size_t n;
} query;

void query_add(struct checker *k, query *q, smt_t term);
/* The query and one more term. */
query query_with(struct checker *k, query q, smt_t term);
/* The query and all terms of the other one. */
query query_and(struct checker *k, query q, query other);
/* Begins with what is known of the launch. */
query query_of_launch(struct checker *k);
/* The query's n terms; NULL where it has none. */
const smt_t *query_terms(query q);
/* The conjunction of its terms. */
smt_t query_as_term(struct checker *k, query q);
/* The query with `to` in place of `from`, n of them, in each term. */
query query_substitute(struct checker *k, query q, size_t n, const smt_t *from, const smt_t *to);

#endif
