/* Queries are lists that begin with the newest term and share their older ones. */
#include "question/query.h"

#include "question/checker.h"

typedef struct query_term {
    smt_t term;
    const struct query_term *before; /* the one that was added before it */
} query_term;

const smt_t *query_terms(tr_arena *arena, query q)
{
    smt_t *terms = TR_NEW_ARRAY(arena, smt_t, q.n);
    size_t at = q.n;
    for (const query_term *t = q.last; t; t = t->before)
        terms[--at] = t->term;
    return terms;
}

void query_add(checker *k, query *q, smt_t term)
{
    const query_term added = {term, q->last};
    q->last = tr_arena_copy(q->arena ? q->arena : k->arena, &added, sizeof added);
    q->n++;
}

query query_with(checker *k, query q, smt_t term)
{
    query_add(k, &q, term);
    return q;
}

query query_and(checker *k, query q, query other)
{
    tr_arena *arena = tr_arena_new();
    const smt_t *terms = query_terms(arena, other);
    for (size_t i = 0; i < other.n; i++)
        query_add(k, &q, terms[i]);
    tr_arena_free(arena);
    return q;
}

query query_of_launch(checker *k)
{
    return query_with(k, (query){0}, k->known.launch);
}

smt_t query_as_term(checker *k, query q)
{
    tr_arena *arena = tr_arena_new();
    smt_t all = smt_and_n(k->ctx, q.n, query_terms(arena, q));
    tr_arena_free(arena);
    return all;
}

query query_substitute(checker *k, query q, size_t n, const smt_t *from, const smt_t *to)
{
    tr_arena *arena = tr_arena_new();
    const smt_t *terms = query_terms(arena, q);
    query all = {0};
    for (size_t i = 0; i < q.n; i++)
        query_add(k, &all, smt_substitute(k->ctx, terms[i], n, from, to));
    tr_arena_free(arena);
    return all;
}

void query_visit(checker *k, query q, void (*visit)(void *user, smt_t term), void *user)
{
    tr_arena *arena = tr_arena_new();
    const smt_t *terms = query_terms(arena, q);
    for (size_t i = 0; i < q.n; i++)
        smt_visit(k->ctx, terms[i], visit, user);
    tr_arena_free(arena);
}
