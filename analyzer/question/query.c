/* Queries share the array of their terms as far as these are the same.
 *
 * A query that is added to continues behind its own terms where no other query has continued there
 * yet; else its terms are copied to an array of its own. No term in an array is ever changed. */
#include "question/query.h"

#include "question/checker.h"

#include <string.h>

typedef struct query_array {
    size_t used, size; /* terms that are in it, and how many it can hold */
    smt_t terms[];
} query_array;

enum { LEAST_SIZE = 8 };

const smt_t *query_terms(query q)
{
    return q.n ? q.array->terms : NULL;
}

/* A copy of the query's terms, behind which there is space for more. */
static query_array *longer_array(checker *k, query q)
{
    size_t size = q.n + q.n / 2 + LEAST_SIZE;
    query_array *array = tr_arena_alloc(k->arena, sizeof *array + size * sizeof *array->terms);
    array->used = q.n;
    array->size = size;
    if (q.n)
        memcpy(array->terms, q.array->terms, q.n * sizeof *array->terms);
    return array;
}

void query_add(checker *k, query *q, smt_t term)
{
    if (!q->array || q->array->used > q->n || q->array->used == q->array->size)
        q->array = longer_array(k, *q);
    q->array->terms[q->array->used++] = term;
    q->n++;
}

query query_with(checker *k, query q, smt_t term)
{
    query_add(k, &q, term);
    return q;
}

query query_and(checker *k, query q, query other)
{
    for (size_t i = 0; i < other.n; i++)
        query_add(k, &q, other.array->terms[i]);
    return q;
}

query query_of_launch(checker *k)
{
    return query_with(k, (query){0}, k->known.launch);
}

smt_t query_as_term(checker *k, query q)
{
    return smt_and_n(k->ctx, q.n, query_terms(q));
}

query query_substitute(checker *k, query q, size_t n, const smt_t *from, const smt_t *to)
{
    query all = {0};
    for (size_t i = 0; i < q.n; i++)
        query_add(k, &all, smt_substitute(k->ctx, q.array->terms[i], n, from, to));
    return all;
}
