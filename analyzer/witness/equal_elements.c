/* Pairs of accesses whose addresses look up a long table that the contract states one by one.
 *
 * A solver would have to compare every element with every other one. Sorting finds those that are
 * equal at once, and then there are few cases, in none of which the table is left in the question:
 *
 *   - one of the two look-ups is outside the elements that are stated;
 *   - both find one element;
 *   - they find elements that differ;
 *   - they find two elements with the same value, which then is one of those that occur more than
 *     once.
 *
 * There are no others, so if none of them can be, the events do not meet. Else some pairs of equal
 * elements are put in place of the two look-ups, and what a model says is replayed as always. */
#include "witness/equal_elements.h"

#include "question/ask.h"
#include "question/checker.h"
#include "question/contents.h"
#include "question/two_events.h"
#include "witness/replay.h"

#include "base/ds.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONG_TABLE = 64, /* elements: of fewer the solver is asked */
    MOST_LOOKED_AT = 1 << 20,
    MOST_VALUES = 64,    /* that occur more than once: with more of them nothing is proved */
    MOST_NAMED = 8,      /* elements of one value that a case names; else their ends */
    MOST_PAIRS = 8,      /* that are put in place of the look-ups */
    MOST_OF_A_VALUE = 3, /* that get one and the same value */
    CASE_STEPS = 100 * 1000,
};

typedef struct element {
    int64_t value;
    size_t index;
} element;

typedef struct repeated { /* a value that occurs more than once */
    const element *items; /* by their index */
    size_t n;
} repeated;

typedef struct table {
    element *all;     /* stb_ds array: by value, then by index */
    repeated *values; /* stb_ds array: those that occur least often first */
} table;

typedef struct question { /* do the two events meet? */
    checker *k;
    const ix_access *a, *b;
    copy_relation relation;
    query conjuncts;
    const char *name;
    smt_t x, y; /* a look-up of each */
    const contract_arg *arg;
} question;

/* ---- Section: Values that occur more than once ---- */

static int by_value(const void *a, const void *b)
{
    const element *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* A value that occurs seldom is rather a mistake than one that occurs often, as padding does. */
static int by_times(const void *a, const void *b)
{
    const repeated *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return by_value(x->items, y->items);
}

static table table_of(const contract_values *v)
{
    table t = {0};
    for (size_t i = 0; i < v->n; i++)
        if (!v->known || v->known[i])
            arrput(t.all, ((element){v->values[i], i}));
    size_t n = arrlenu(t.all);
    if (n > 0)
        qsort(t.all, n, sizeof *t.all, by_value);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && t.all[to].value == t.all[from].value;)
            to++;
        if (to - from > 1)
            arrput(t.values, ((repeated){&t.all[from], to - from}));
    }
    if (t.values)
        qsort(t.values, arrlenu(t.values), sizeof *t.values, by_times);
    return t;
}

static void table_free(table *t)
{
    arrfree(t->all);
    arrfree(t->values);
}

/* ---- Section: Cases ---- */

static smt_t constant(const question *q, smt_int value)
{
    return smt_int_const(q->k->ctx, value);
}

static smt_t index_of(const question *q, smt_t lookup)
{
    return contents_index_of(q->k, q->arg, lookup);
}

/* The look-up finds one of the elements that are stated. */
static smt_t is_stated(const question *q, smt_t lookup)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t index = index_of(q, lookup), n = constant(q, (smt_int)q->arg->contents.values->n);
    return smt_and(ctx, contents_in_extent(q->k, q->arg, index), smt_lt(ctx, index, n));
}

static bool is_value_of(smt_t lookup, int64_t value)
{
    return value >= lookup->low && value <= lookup->high;
}

/* The conjuncts with these terms in place of what the two look-ups find. */
static query with_found(const question *q, smt_t x, smt_t y)
{
    const smt_t from[2] = {q->x, q->y}, to[2] = {x, y};
    return query_substitute(q->k, q->conjuncts, 2, from, to);
}

static bool never(const question *q, query conjuncts, const char *what)
{
    const char *name = tr_arena_printf(q->k->arena, "%s-%s", q->name, what);
    return ask_verdict(q->k, conjuncts, name, CASE_STEPS) == SMT_UNSAT;
}

/* An unknown value, in the range of the look-up. */
static smt_t any_value(const question *q, smt_t lookup, int copy)
{
    const char *name = tr_arena_printf(q->k->arena, "%s.found", lookup->name);
    smt_t value = smt_private_var(q->k->ctx, name, lookup->low, lookup->high);
    return smt_copy(q->k->ctx, value, (unsigned)copy);
}

static bool never_outside(const question *q)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t x = any_value(q, q->x, 1), y = any_value(q, q->y, 2);
    query all = with_found(q, x, y);
    query_add(q->k, &all, smt_not(ctx, smt_and(ctx, is_stated(q, q->x), is_stated(q, q->y))));
    return never(q, all, "outside");
}

static bool never_one_element(const question *q)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t x = any_value(q, q->x, 1), y = any_value(q, q->y, 2);
    query all = with_found(q, x, y);
    query_add(q->k, &all, smt_eq(ctx, index_of(q, q->x), index_of(q, q->y)));
    query_add(q->k, &all, smt_eq(ctx, x, y));
    return never(q, all, "one");
}

static bool never_different(const question *q, const table *t)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t x = any_value(q, q->x, 1), y = any_value(q, q->y, 2);
    smt_t least = constant(q, t->all[0].value), most = constant(q, arrlast(t->all).value);
    query all = with_found(q, x, y);
    query_add(q->k, &all, smt_and(ctx, is_stated(q, q->x), is_stated(q, q->y)));
    query_add(q->k, &all, smt_and(ctx, smt_le(ctx, least, x), smt_le(ctx, x, most)));
    query_add(q->k, &all, smt_and(ctx, smt_le(ctx, least, y), smt_le(ctx, y, most)));
    query_add(q->k, &all, smt_ne(ctx, x, y));
    return never(q, all, "differ");
}

/* The index is one of those of the value; of many, between the first and the last. */
static smt_t is_among(const question *q, const repeated *value, smt_t index)
{
    smt_ctx *ctx = q->k->ctx;
    if (value->n > MOST_NAMED)
        return smt_and(ctx, smt_le(ctx, constant(q, (smt_int)value->items[0].index), index),
                       smt_le(ctx, index, constant(q, (smt_int)value->items[value->n - 1].index)));
    smt_t any = smt_bool_const(ctx, false);
    for (size_t i = 0; i < value->n; i++)
        any = smt_or(ctx, any, smt_eq(ctx, index, constant(q, (smt_int)value->items[i].index)));
    return any;
}

static bool never_value(const question *q, const repeated *value)
{
    smt_ctx *ctx = q->k->ctx;
    int64_t number = value->items[0].value;
    if (!is_value_of(q->x, number) || !is_value_of(q->y, number))
        return false;
    smt_t x = index_of(q, q->x), y = index_of(q, q->y);
    query all = with_found(q, constant(q, number), constant(q, number));
    query_add(q->k, &all, smt_ne(ctx, x, y));
    query_add(q->k, &all, is_among(q, value, x));
    query_add(q->k, &all, is_among(q, value, y));
    return never(q, all, "value");
}

static bool is_proved(const question *q, const table *t)
{
    if (q->arg->contents.values->known || arrlenu(t->values) > MOST_VALUES ||
        !never_different(q, t) || !never_one_element(q) || !never_outside(q))
        return false;
    for (size_t i = arrlenu(t->values); i-- > 0;)
        if (!never_value(q, &t->values[i]))
            return false;
    return true;
}

/* ---- Section: Pairs that are equal ---- */

/* The look-up finds the element of that index. The element itself is named, so that a launch which
 * is made of the model has it. */
static void add_found(const question *q, query *conjuncts, smt_t lookup, const element *e)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t index = index_of(q, lookup), start = smt_sub(ctx, lookup->args[0], index);
    smt_t place = smt_add(ctx, start, constant(q, (smt_int)e->index));
    smt_t named = smt_app(ctx, lookup->name, 1, &place, lookup->low, lookup->high);
    query_add(q->k, conjuncts, smt_eq(ctx, index, constant(q, (smt_int)e->index)));
    query_add(q->k, conjuncts, smt_eq(ctx, named, constant(q, e->value)));
}

static witness *ask_pair(const question *q, const element *x, const element *y)
{
    const char *why;
    if (!is_value_of(q->x, x->value) || !is_value_of(q->y, y->value))
        return NULL;
    query all = with_found(q, constant(q, x->value), constant(q, y->value));
    add_found(q, &all, q->x, x);
    add_found(q, &all, q->y, y);
    smt_answer answer =
        ask_for(q->k, all, tr_arena_printf(q->k->arena, "%s-equal", q->name), CASE_STEPS);
    if (answer.verdict != SMT_SAT)
        return NULL;
    return witness_of_race(q->k, answer.model, q->a, q->b, q->relation, &why);
}

static witness *find_pair(const question *q, const table *t)
{
    witness *w = NULL;
    int left = MOST_PAIRS;
    for (size_t v = 0; v < arrlenu(t->values) && left > 0 && !w; v++) {
        const repeated *value = &t->values[v];
        for (size_t i = 1; i < value->n && i <= MOST_OF_A_VALUE && left > 0 && !w; i++, left--) {
            w = ask_pair(q, &value->items[i - 1], &value->items[i]);
            if (!w && q->a != q->b)
                w = ask_pair(q, &value->items[i], &value->items[i - 1]);
        }
    }
    return w;
}

/* ---- Section: Look-ups ---- */

typedef struct lookups {
    checker *k;
    smt_t *found; /* stb_ds array */
} lookups;

static void collect(void *user, smt_t term)
{
    lookups *l = user;
    if (summary_contents_of(l->k->s, term, NULL) < 0)
        return;
    const contract_arg *arg = contents_facts_of(l->k, term);
    const contract_values *v = arg ? arg->contents.values : NULL;
    if (v && v->n > LONG_TABLE && v->n <= MOST_LOOKED_AT && term->n_args == 1)
        arrput(l->found, term);
}

static smt_t *lookups_of(checker *k, const ix_access *a, copy_relation relation, int copy)
{
    lookups l = {k, NULL};
    smt_visit(k->ctx, copy_term(k, a->bytes, relation, copy), collect, &l);
    return l.found;
}

static equal_outcome decide(const question *q, witness **w)
{
    table t = table_of(q->arg->contents.values);
    equal_outcome outcome = EQUAL_OPEN;
    if (is_proved(q, &t))
        outcome = EQUAL_NEVER;
    else if ((*w = find_pair(q, &t)))
        outcome = EQUAL_RACE;
    table_free(&t);
    return outcome;
}

equal_outcome equal_elements_decide(checker *k, const ix_access *a, const ix_access *b,
                                    copy_relation relation, query conjuncts, const char *name,
                                    witness **w)
{
    equal_outcome outcome = EQUAL_OPEN;
    if (a->unknown || b->unknown)
        return outcome;
    smt_t *first = lookups_of(k, a, relation, 0), *second = lookups_of(k, b, relation, 1);
    for (size_t i = 0; i < arrlenu(first) && outcome == EQUAL_OPEN; i++)
        for (size_t j = 0; j < arrlenu(second) && outcome == EQUAL_OPEN; j++) {
            const contract_arg *arg = contents_facts_of(k, first[i]);
            const question q = {k, a, b, relation, conjuncts, name, first[i], second[j], arg};
            if (first[i] != second[j] && strcmp(first[i]->name, second[j]->name) == 0)
                outcome = decide(&q, w);
        }
    arrfree(first);
    arrfree(second);
    return outcome;
}
