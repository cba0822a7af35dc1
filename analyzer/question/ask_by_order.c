/* Questions about two elements of a table that does not decrease, by the order of their indices.
 *
 * Where two tile blocks share out what lies between `table[i]` and `table[i + 1]`, a pair of them
 * falls into three cases: an earlier segment before a later one, the other way round, and one
 * segment for both. The first two are linear in what the table holds; in the last one the table
 * drops out. The three cases cover everything, so the pair is excluded where each of them is. */
#include "question/ask_by_order.h"

#include "question/ask.h"
#include "question/checker.h"
#include "question/contents.h"

#include "base/ds.h"

#include <string.h>

enum { CASE = 1500 * 1000 };

static bool is_increasing(const checker *k, smt_t app)
{
    const contract_arg *arg = contents_facts_of(k, app);
    return arg && contents_are_ordered(k, arg);
}

static smt_int constant_of(smt_t index)
{
    return index->kind == SMT_SUM || index->kind == SMT_INT ? index->value : 0;
}

/* Finds two elements of one table that does not decrease, each at the same distance from an index
 * of its own. */
static bool find_two(const checker *k, smt_t *a, smt_t *b)
{
    for (size_t i = 0; i < arrlenu(k->apps); i++) {
        if (!is_increasing(k, k->apps[i]))
            continue;
        for (size_t j = i + 1; j < arrlenu(k->apps); j++) {
            *a = k->apps[i];
            *b = k->apps[j];
            smt_t apart = smt_sub(k->ctx, (*a)->args[0], (*b)->args[0]);
            if (strcmp((*a)->name, (*b)->name) == 0 && !smt_is_const(apart, NULL) &&
                constant_of((*a)->args[0]) == constant_of((*b)->args[0]))
                return true;
        }
    }
    return false;
}

static bool is_refuted(checker *k, query conjuncts, smt_t also)
{
    return ask_verdict(k, query_with(k, conjuncts, also), "order-case", CASE) == SMT_UNSAT;
}

/* Is the question refuted where both indices are equal? An element that lies as far from the second
 * index as another one lies from the first is then the same element. */
static bool is_refuted_where_equal(checker *k, query conjuncts, size_t n, const smt_t *apps,
                                   smt_t a, smt_t b)
{
    smt_ctx *ctx = k->ctx;
    smt_t apart = smt_sub(ctx, b->args[0], a->args[0]), *from = NULL, *to = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (strcmp(apps[i]->name, apps[j]->name) == 0 &&
                smt_sub(ctx, apps[j]->args[0], apps[i]->args[0]) == apart) {
                arrput(from, apps[j]);
                arrput(to, apps[i]);
            }
    query all = query_substitute(k, conjuncts, arrlenu(from), from, to);
    bool refuted = is_refuted(k, all, smt_eq(ctx, a->args[0], b->args[0]));
    arrfree(from);
    arrfree(to);
    return refuted;
}

smt_verdict ask_by_order(checker *k, query conjuncts)
{
    smt_t a, b;
    if (!find_two(k, &a, &b))
        return SMT_UNKNOWN;
    size_t n = arrlenu(k->apps);
    smt_t *apps = TR_NEW_ARRAY(k->arena, smt_t, n); /* of this question: each one replaces them */
    memcpy(apps, k->apps, n * sizeof *apps);
    bool refuted = is_refuted(k, conjuncts, smt_lt(k->ctx, a->args[0], b->args[0])) &&
                   is_refuted(k, conjuncts, smt_lt(k->ctx, b->args[0], a->args[0])) &&
                   is_refuted_where_equal(k, conjuncts, n, apps, a, b);
    return refuted ? SMT_UNSAT : SMT_UNKNOWN;
}
