/* SUM: what a sum of many flags says of each of them.
 *
 * Lemma. Let r be the sum of x(e) for e from 0 to n - 1, each x(e) between l and h, with n * l and
 * n * h in the range of the type, so that no partial sum wraps. Then r - x(e) is a sum of n - 1
 * elements, and so lies between (n - 1) * l and (n - 1) * h. If besides x(e) <= 0 for all e from
 * some number m on, and h is not negative, then r - x(e) <= (m - 1) * h for each e < m: of the
 * others m - 1 are at most h, and the rest adds nothing. So a sum of n flags that is n says of each
 * flag that it is 1.
 *
 * That x(e) lies between l and h follows from its term, in which each value read lies in the range
 * of what the buffer can hold (VALUES, values.c). e is bound: what is asked of all e is asked
 * of a variable that occurs nowhere else and ranges over 0 to n - 1; m is a term in which e does
 * not occur. */
#include "order/sum.h"

#include "order/event.h"
#include "order/values.h"
#include "question/checker.h"
#include "question/two_events.h"

#include "base/ds.h"

typedef struct sum_question {
    checker *k;
    const ix_universal *u;
    smt_t variable;           /* e, as copy 1's block knows it */
    smt_t summand;            /* x(e) */
    smt_t ranged;             /* the same, with a variable for each value that is read */
    smt_int low, high;        /* l and h */
    const ix_access *cleared; /* a read of words that hold 0 at launch, which no contract says */
} sum_question;

/* A value that is read is one of those that its buffer can hold, and the padding where the mask is
 * false. NULL: what it can be is not known. */
static smt_t ranged_value(void *user, smt_t term)
{
    sum_question *q = user;
    smt_ctx *ctx = q->k->ctx;
    const ix_access *read = order_read_of(q->k, term);
    bool assumed = false;
    smt_int low, high;
    if (!read || !order_value_range(q->k, read, &low, &high, &assumed))
        return NULL;
    order_event e = order_event_behind(read, term);
    bool always = smt_is_true(read->mask);
    if (!always && !read->otherwise)
        return NULL;
    if (assumed)
        q->cleared = read;
    const char *name = tr_arena_printf(q->k->arena, "summand@%u", term->id);
    smt_t value = smt_private_var_of_range(ctx, name, low, high);
    return always ? value
                  : smt_ite(ctx, order_term(q->k, &e, read->mask), value,
                            order_term(q->k, &e, read->otherwise));
}

/* Finds l and h. False: they are not known, or a partial sum may wrap. */
static bool find_range(sum_question *q)
{
    smt_int half = (smt_int)1 << (q->u->bits - 1), most;
    q->ranged = smt_rewrite(q->k->ctx, q->summand, ranged_value, q);
    smt_bounds(q->ranged, &q->low, &q->high);
    if (q->low <= -half || q->high >= half)
        return false;
    most = q->high > -q->low ? q->high : -q->low;
    return q->u->n * most < half;
}

/* Is x(e) <= 0 for all e from m on? */
static bool ends_at(sum_question *q, query conjuncts, smt_t end)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t e = smt_private_var(ctx, smt_fresh_name(ctx, "element@"), 0, q->u->n - 1), within;
    smt_t x = smt_instantiate(ctx, q->ranged, 1, &q->variable, &e, &within);
    smt_t more = smt_and(ctx, within, smt_lt(ctx, smt_int_const(ctx, 0), x));
    TR_ASSERT(!smt_contains(end, q->variable));
    return order_refuted_with(q->k, conjuncts, smt_and(ctx, smt_le(ctx, end, e), more),
                              "sync-sum-end");
}

typedef struct end_search {
    const sum_question *q;
    smt_t *ends; /* stb_ds array: m of conditions `e < m` */
} end_search;

static void look_for_end(void *user, smt_t term)
{
    end_search *s = user;
    smt_ctx *ctx = s->q->k->ctx;
    if (term->kind != SMT_LE || term->args[0]->kind != SMT_SUM)
        return;
    smt_t sum = term->args[0]; /* e - m + 1 */
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t end = smt_add(ctx, smt_sub(ctx, s->q->variable, sum), smt_int_const(ctx, 1));
        if (sum->args[i] == s->q->variable && sum->coefs[i] == 1 &&
            !smt_contains(end, s->q->variable))
            arrput(s->ends, end);
    }
}

smt_t order_sum_statement(checker *k, const ix_universal *u, smt_t sum, smt_t summand,
                          query conjuncts, const ix_access **cleared)
{
    smt_ctx *ctx = k->ctx;
    sum_question q = {.k = k,
                      .u = u,
                      .variable = copy_term(k, u->variable, COPY_OTHER_BLOCK, 1),
                      .summand = summand};
    smt_t statement = smt_bool_const(ctx, true);
    if (!find_range(&q))
        return statement;
    *cleared = q.cleared;
    smt_t rest = smt_sub(ctx, sum, q.summand);
    smt_t others = smt_int_const(ctx, u->n - 1), one = smt_int_const(ctx, 1);
    statement = smt_and(ctx, smt_le(ctx, smt_scale(ctx, others, q.low), rest),
                        smt_le(ctx, rest, smt_scale(ctx, others, q.high)));
    end_search search = {.q = &q};
    smt_visit(ctx, q.ranged, look_for_end, &search);
    for (size_t i = 0; i < arrlenu(search.ends) && q.high >= 0; i++) {
        smt_t end = search.ends[i], most = smt_scale(ctx, smt_sub(ctx, end, one), q.high);
        if (ends_at(&q, conjuncts, end))
            statement =
                smt_and(ctx, statement,
                        smt_implies(ctx, smt_lt(ctx, q.variable, end), smt_le(ctx, rest, most)));
    }
    arrfree(search.ends);
    return statement;
}
