/* Keeps what every question assumes of a launch beyond the contract. */
#include "question/assumed.h"

#include "question/checker.h"

#include "base/ds.h"

void assume_given(checker *k, smt_t fact)
{
    k->given = smt_and(k->ctx, k->given, fact);
    k->known.launch = smt_and(k->ctx, k->known.launch, fact);
}

/* A new list with the range at that place; at the end of the list it is one more. */
static void put_range(checker *k, size_t place, contents_range range)
{
    known_contents *c = &k->known.contents;
    contents_range *all = TR_NEW_ARRAY(k->arena, contents_range, c->n_ranges + 1);
    for (size_t i = 0; i < c->n_ranges; i++)
        all[i] = c->ranges[i];
    all[place] = range;
    c->n_ranges += place == c->n_ranges;
    c->ranges = all;
}

void assume_range(checker *k, contents_range range)
{
    put_range(k, k->known.contents.n_ranges, range);
}

void assume_one_range(checker *k, contents_range range)
{
    const known_contents *c = &k->known.contents;
    size_t first = 0;
    while (first < c->n_ranges && c->ranges[first].arg != range.arg)
        first++;
    put_range(k, first, range);
}

void assume_no_range(checker *k, uint64_t args)
{
    known_contents *c = &k->known.contents;
    contents_range *kept = TR_NEW_ARRAY(k->arena, contents_range, c->n_ranges + 1);
    size_t n = 0;
    for (size_t i = 0; i < c->n_ranges; i++)
        if (c->ranges[i].arg < 64 && !(args >> c->ranges[i].arg & 1))
            kept[n++] = c->ranges[i];
    c->ranges = kept;
    c->n_ranges = n;
}

void assume_tuple(checker *k, contents_tuple tuple)
{
    known_contents *c = &k->known.contents;
    contents_tuple *more = TR_NEW_ARRAY(k->arena, contents_tuple, c->n_tuples + 1);
    for (size_t i = 0; i < c->n_tuples; i++)
        more[i] = c->tuples[i];
    more[c->n_tuples++] = tuple;
    c->tuples = more;
}

void assume_no_tuple(checker *k, int arg)
{
    known_contents *c = &k->known.contents;
    contents_tuple *kept = TR_NEW_ARRAY(k->arena, contents_tuple, c->n_tuples + 1);
    size_t n = 0;
    for (size_t i = 0; i < c->n_tuples; i++)
        if (c->tuples[i].arg != arg)
            kept[n++] = c->tuples[i];
    c->tuples = kept;
    c->n_tuples = n;
}
