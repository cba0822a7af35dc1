/* Adds what a contract states of the contents of buffers at launch, as facts about the elements
 * that a question speaks of. */
#include "question/contents.h"

#include "question/checker.h"
#include "question/exact_contents.h"
#include "question/prefix_sum.h"
#include "question/running_sums.h"

#include "base/ds.h"

#include <string.h>

static void collect(void *user, smt_t term)
{
    checker *k = user;
    if (summary_contents_of(k->s, term, NULL) < 0)
        return;
    for (size_t i = 0; i < arrlenu(k->apps); i++)
        if (k->apps[i] == term)
            return;
    arrput(k->apps, term);
}

static bool has_facts(const contract_contents *c)
{
    return c->unique || c->unique_when || c->increasing || c->min || c->max ||
           c->prefix_sum_of >= 0 || c->n_tuple > 0 || c->values;
}

/* Does the application say whether a byte is 0, and not which number it holds? */
static bool is_truth(smt_t app)
{
    return app->low == 0 && app->high == 1;
}

/* The argument whose contract speaks of an application's contents; NULL when none does. Facts are
 * of elements as the parameter's type has them: read at another width, or as bools where they are
 * numbers, they are others. */
const contract_arg *contents_facts_of(const checker *k, smt_t app)
{
    int width, allocation = summary_contents_of(k->s, app, &width);
    const contract_arg *found = NULL;
    for (size_t i = 0; i < k->contract->n_args && allocation >= 0; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind != CONTRACT_POINTER ||
            strcmp(contract_buffer_of(arg), k->s->allocations[allocation].name) != 0)
            continue;
        const ir_type *elem = k->kernel->body->args[i]->type->elem->elem;
        if (!ir_type_is_int(elem) || ir_type_bytes(elem) != width ||
            is_truth(app) != (elem->kind == IR_I1))
            continue;
        if (has_facts(&arg->contents))
            return arg;
        found = found ? found : arg;
    }
    return found;
}

/* The element's number, counted from the parameter on. */
smt_t contents_index_of(checker *k, const contract_arg *arg, smt_t app)
{
    int width;
    summary_contents_of(k->s, app, &width);
    smt_t start = k->s->arg_bytes[arg - k->contract->args];
    return smt_sub(k->ctx, app->args[0], smt_div(k->ctx, start, smt_int_const(k->ctx, width)));
}

smt_t contents_in_extent(checker *k, const contract_arg *arg, smt_t index)
{
    smt_t ok = smt_le(k->ctx, smt_int_const(k->ctx, 0), index);
    return arg->elements ? smt_and(k->ctx, ok, smt_lt(k->ctx, index, arg->elements)) : ok;
}

int contents_prefix_of(const checker *k, const contract_arg *arg)
{
    size_t number = (size_t)(arg - k->contract->args);
    if (arg->contents.prefix_sum_of >= 0 || number >= 64)
        return arg->contents.prefix_sum_of;
    return k->known.contents.prefix >> number & 1 ? k->known.contents.prefix_of[number] : -1;
}

static bool is_natural(smt_t least)
{
    smt_int low, high;
    if (!least)
        return false;
    smt_bounds(least, &low, &high);
    return low >= 0;
}

/* The prefix sum of what is not negative does not decrease. */
bool contents_increase(const checker *k, const contract_arg *arg)
{
    int of = contents_prefix_of(k, arg);
    if (arg->contents.increasing || of < 0)
        return arg->contents.increasing;
    bool natural = is_natural(k->contract->args[of].contents.min);
    for (size_t i = 0; i < k->known.contents.n_ranges && !natural; i++)
        natural =
            k->known.contents.ranges[i].arg == of && is_natural(k->known.contents.ranges[i].low);
    return natural;
}

static smt_t at_element(checker *k, smt_t statement, smt_t index, smt_t value)
{
    smt_t from[2] = {contract_index(k->ctx), contract_value(k->ctx)}, to[2] = {index, value};
    return smt_substitute(k->ctx, statement, 2, from, to);
}

static smt_t between(checker *k, smt_t value, smt_t index, smt_t low, smt_t high)
{
    smt_t in = smt_bool_const(k->ctx, true);
    if (low)
        in = smt_and(k->ctx, in, smt_le(k->ctx, at_element(k, low, index, value), value));
    if (high)
        in = smt_and(k->ctx, in, smt_le(k->ctx, value, at_element(k, high, index, value)));
    return in;
}

smt_t contents_between(checker *k, smt_t value, int bits, smt_t index, smt_t low, smt_t high)
{
    smt_ctx *ctx = k->ctx;
    smt_int half = (smt_int)1 << (bits - 1);
    smt_int least = 0, greatest = half, unused;
    if (low)
        smt_bounds(low, &least, &unused);
    if (high)
        smt_bounds(high, &unused, &greatest);
    smt_t as_signed = between(k, value, index, low, high);
    bool is_negative = low && smt_is_const(low, NULL) && least < 0;
    if (is_negative || (low && high && least >= 0 && greatest < half))
        return as_signed; /* the same number, however it is read */
    smt_t stored = smt_mod(ctx, value, smt_int_const(ctx, 2 * half));
    smt_t as_unsigned = between(k, stored, index, low, high);
    if (high && smt_is_const(high, NULL) && greatest >= half)
        return as_unsigned; /* no signed number is as large as that */
    return bits < CONTRACT_NARROW ? smt_or(ctx, as_signed, as_unsigned) : as_signed;
}

/* Width of the elements whose launch-time contents the application stands for. */
int contents_bits_of(smt_t app)
{
    int bits = 1;
    while (bits < 64 && ((smt_int)1 << (bits - 1)) <= app->high)
        bits++;
    return bits;
}

smt_t contents_stated_of(checker *k, const contract_arg *arg, int bits, smt_t index, smt_t value)
{
    smt_ctx *ctx = k->ctx;
    smt_int half = (smt_int)1 << (bits - 1);
    smt_t fits = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, -half), value),
                         smt_lt(ctx, value, smt_int_const(ctx, half)));
    smt_t between_bounds =
        contents_between(k, value, bits, index, arg->contents.min, arg->contents.max);
    smt_t exact = contents_exact_fact(k, arg, index, value);
    between_bounds = exact ? smt_and(ctx, between_bounds, exact) : between_bounds;
    return smt_and(ctx, contents_in_extent(k, arg, index), smt_and(ctx, fits, between_bounds));
}

smt_t contents_as_stated(checker *k, const contract_contents *facts, int bits, smt_t value)
{
    return contract_contents_are_unsigned(facts, bits)
               ? smt_mod(k->ctx, value, smt_int_const(k->ctx, (smt_int)1 << bits))
               : value;
}

/* Returns the condition `when` for one element. Where the signed and the unsigned reading of an
 * element can differ, it has to hold of both. */
static smt_t stated_when(checker *k, smt_t when, smt_t index, smt_t app)
{
    int bits = contents_bits_of(app);
    smt_t holds = at_element(k, when, index, app);
    if (bits >= CONTRACT_NARROW)
        return holds;
    smt_t stored = smt_mod(k->ctx, app, smt_int_const(k->ctx, (smt_int)1 << bits));
    return smt_and(k->ctx, holds, at_element(k, when, index, stored));
}

/* The first does not exceed the second: as unsigned numbers where the contract speaks of such, else
 * in one reading of both where these can differ. */
static smt_t in_order(checker *k, const contract_contents *facts, smt_t a, smt_t b)
{
    smt_ctx *ctx = k->ctx;
    int bits = contents_bits_of(a);
    bool is_unsigned = contract_contents_are_unsigned(facts, bits);
    smt_t order = smt_le(ctx, a, b);
    if (bits >= CONTRACT_NARROW && !is_unsigned)
        return order;
    smt_t size = smt_int_const(ctx, (smt_int)1 << bits);
    smt_t stored = smt_le(ctx, smt_mod(ctx, a, size), smt_mod(ctx, b, size));
    return is_unsigned ? stored : smt_or(ctx, order, stored);
}

static void add_element_facts(checker *k, query *conjuncts, smt_t app)
{
    const contract_arg *arg = contents_facts_of(k, app);
    if (!arg)
        return;
    smt_ctx *ctx = k->ctx;
    smt_t index = contents_index_of(k, arg, app), inside = contents_in_extent(k, arg, index);
    smt_t exact = contents_exact_fact(k, arg, index, app);
    if (exact)
        query_add(k, conjuncts, smt_implies(ctx, inside, exact));
    for (size_t i = 0; i < k->known.contents.n_ranges; i++) {
        const contents_range *range = &k->known.contents.ranges[i];
        if (&k->contract->args[range->arg] != arg)
            continue;
        query_add(k, conjuncts,
                  smt_implies(ctx, inside,
                              contents_between(k, app, contents_bits_of(app), index, range->low,
                                               range->high)));
    }
    if (arg->contents.min || arg->contents.max)
        query_add(k, conjuncts,
                  smt_implies(ctx, inside,
                              contents_between(k, app, contents_bits_of(app), index,
                                               arg->contents.min, arg->contents.max)));
}

bool contents_are_ordered(const checker *k, const contract_arg *arg)
{
    size_t number = (size_t)(arg - k->contract->args);
    return contents_increase(k, arg) || (number < 64 && k->known.contents.increasing >> number & 1);
}

static void add_pair_facts(checker *k, query *conjuncts, smt_t a, smt_t b)
{
    const contract_arg *arg = contents_facts_of(k, a);
    if (!arg || strcmp(a->name, b->name) != 0)
        return;
    smt_ctx *ctx = k->ctx;
    smt_t i = contents_index_of(k, arg, a), j = contents_index_of(k, arg, b);
    smt_t inside = smt_and(ctx, contents_in_extent(k, arg, i), contents_in_extent(k, arg, j));
    size_t number = (size_t)(arg - k->contract->args);
    bool assumed = number < 64 && k->known.contents.unique >> number & 1;
    if (arg->contents.unique || arg->contents.unique_when || assumed) {
        smt_t distinct = smt_or(ctx, smt_eq(ctx, i, j), smt_ne(ctx, a, b));
        smt_t when = assumed ? k->known.contents.unique_when[number] : arg->contents.unique_when;
        if (when)
            distinct = smt_or(
                ctx, distinct,
                smt_not(ctx, smt_and(ctx, stated_when(k, when, i, a), stated_when(k, when, j, b))));
        query_add(k, conjuncts, smt_implies(ctx, inside, distinct));
    }
    smt_t exact = contents_exact_pair(k, arg, i, j, a, b);
    if (exact)
        query_add(k, conjuncts, smt_implies(ctx, inside, exact));
    if (contents_are_ordered(k, arg)) {
        query_add(k, conjuncts,
                  smt_implies(ctx, smt_and(ctx, inside, smt_le(ctx, i, j)),
                              in_order(k, &arg->contents, a, b)));
        query_add(k, conjuncts,
                  smt_implies(ctx, smt_and(ctx, inside, smt_le(ctx, j, i)),
                              in_order(k, &arg->contents, b, a)));
    }
}

/* The element with that index in the buffer of another argument; NULL: the question does not speak
 * of it, so that nothing is lost without it. */
static smt_t element_beside(checker *k, int number, smt_t index)
{
    const contract_arg *arg = &k->contract->args[number];
    for (size_t i = 0; i < arrlenu(k->apps); i++)
        if (contents_facts_of(k, k->apps[i]) == arg &&
            contents_index_of(k, arg, k->apps[i]) == index)
            return k->apps[i];
    return NULL;
}

/* No two indices have equal elements in the buffer and in those of the tuple. */
static void add_tuple_fact(checker *k, query *conjuncts, smt_t a, smt_t b, size_t n,
                           const int *tuple)
{
    const contract_arg *arg = contents_facts_of(k, a);
    smt_ctx *ctx = k->ctx;
    smt_t i = contents_index_of(k, arg, a), j = contents_index_of(k, arg, b);
    smt_t inside = smt_and(ctx, contents_in_extent(k, arg, i), contents_in_extent(k, arg, j));
    smt_t distinct = smt_or(ctx, smt_eq(ctx, i, j), smt_ne(ctx, a, b));
    for (size_t t = 0; t < n; t++) {
        smt_t x = element_beside(k, tuple[t], i), y = element_beside(k, tuple[t], j);
        if (!x || !y)
            return;
        const contract_arg *other = &k->contract->args[tuple[t]];
        inside = smt_and(ctx, inside, contents_in_extent(k, other, i));
        inside = smt_and(ctx, inside, contents_in_extent(k, other, j));
        distinct = smt_or(ctx, distinct, smt_ne(ctx, x, y));
    }
    query_add(k, conjuncts, smt_implies(ctx, inside, distinct));
}

static void add_tuple_facts(checker *k, query *conjuncts, smt_t a, smt_t b)
{
    const contract_arg *arg = contents_facts_of(k, a);
    if (!arg || strcmp(a->name, b->name) != 0)
        return;
    if (arg->contents.n_tuple)
        add_tuple_fact(k, conjuncts, a, b, arg->contents.n_tuple, arg->contents.tuple);
    for (size_t t = 0; t < k->known.contents.n_tuples; t++)
        if (&k->contract->args[k->known.contents.tuples[t].arg] == arg)
            add_tuple_fact(k, conjuncts, a, b, k->known.contents.tuples[t].n,
                           k->known.contents.tuples[t].with);
}

enum { MAX_PAIRED_ELEMENTS = 150 };

query contents_with_facts(checker *k, tr_arena *arena, query q)
{
    const smt_t *terms = query_terms(arena, q);
    query all = {.arena = arena};
    arrsetlen(k->apps, 0);
    for (size_t i = 0; i < q.n; i++) {
        if (smt_is_true(terms[i]))
            continue;
        query_add(k, &all, terms[i]);
        if (arrlenu(k->s->content_names))
            smt_visit(k->ctx, terms[i], collect, k);
    }
    /* Facts on pairs of elements: not of thousands of elements. Fewer facts prove less. */
    bool few = arrlenu(k->apps) <= MAX_PAIRED_ELEMENTS;
    if (few)
        prefix_sum_complete(k);
    for (size_t i = 0; i < arrlenu(k->apps); i++) {
        add_element_facts(k, &all, k->apps[i]);
        for (size_t j = 0; few && j < i; j++) {
            add_pair_facts(k, &all, k->apps[j], k->apps[i]);
            add_tuple_facts(k, &all, k->apps[j], k->apps[i]);
        }
    }
    if (few)
        prefix_sum_add(k, &all);
    k->add_known(k, &all);
    running_sums_add(k, &all); /* what a ticket reserves may be such a sum */
    return all;
}
