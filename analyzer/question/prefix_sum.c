/* The exclusive prefix sum of a buffer's contents, as a contract states it: offsets[0] is 0, and
 * offsets[i + 1] is offsets[i] + lengths[i]. Instances for the elements that a question speaks of:
 *
 *     i = m, j = i + 1  ->  offsets[i] + lengths[m] = offsets[j]
 *     i = m, i < j      ->  offsets[i] + lengths[m] <= offsets[j]   where no length is negative
 *
 *     i < j              ->  offsets[i] + least * (j - i) <= offsets[j]
 *                            where no length is below `least`, a number
 *
 * The second and the third follow from the first, summed up from i to j - 1. Indices range over the
 * elements that the contract says are there: 0 <= i, m < number of lengths, 0 <= j <= that number.
 * The values are sums of integers: a contract that states them says that they fit the buffer's
 * type. They are the numbers that the contract means, unsigned ones where its bounds say so; where
 * bytes and other narrow elements are bounded by no number, the sums hold in one of the two
 * readings. */
#include "question/prefix_sum.h"

#include "question/checker.h"
#include "question/contents.h"

#include "base/ds.h"

/* Limits for one question. A fact that is left out makes an answer weaker, not wrong. */
enum { MOST_INSTANCES = 96, MOST_APPS = 24 };

typedef struct element {
    const contract_arg *arg;
    smt_t value, index, inside;
} element;

static element element_of(checker *k, smt_t app)
{
    element e = {.arg = contents_facts_of(k, app), .value = app};
    if (e.arg) {
        e.index = contents_index_of(k, e.arg, app);
        e.inside = contents_in_extent(k, e.arg, e.index);
    }
    return e;
}

/* The number that the element is; what may have either sign has none or that of its type. */
static smt_t number_of(checker *k, const element *e, bool is_unsigned)
{
    const contract_contents *facts = &e->arg->contents;
    int bits = contents_bits_of(e->value);
    if (is_unsigned && contract_contents_tell_no_sign(facts, bits))
        return smt_mod(k->ctx, e->value, smt_int_const(k->ctx, (smt_int)1 << bits));
    return contents_as_stated(k, facts, bits, e->value);
}

typedef smt_t relation(smt_ctx *ctx, smt_t a, smt_t b);

/* The offset and its length together are in the relation with the other offset. */
static smt_t sum_is(checker *k, const element *from, const element *length, const element *to,
                    relation *is)
{
    smt_t holds[2];
    for (int sign = 0; sign < 2; sign++) {
        smt_t start = number_of(k, from, sign), size = number_of(k, length, sign);
        holds[sign] = is(k->ctx, smt_add(k->ctx, start, size), number_of(k, to, sign));
    }
    return smt_or(k->ctx, holds[0], holds[1]);
}

static void add_sums(checker *k, query *conjuncts, const element *from, const element *length,
                     const element *to)
{
    smt_ctx *ctx = k->ctx;
    smt_t next = smt_add(ctx, from->index, smt_int_const(ctx, 1));
    /* An offset lies inside if its length does and a later offset does. */
    smt_t inside = smt_and(ctx, length->inside, to->inside);
    smt_t here = smt_and(ctx, inside, smt_eq(ctx, from->index, length->index));
    if (smt_is_false(here))
        return;
    query_add(k, conjuncts,
              smt_implies(ctx, smt_and(ctx, here, smt_eq(ctx, to->index, next)),
                          sum_is(k, from, length, to, smt_eq)));
    if (contents_increase(k, from->arg))
        query_add(k, conjuncts,
                  smt_implies(ctx, smt_and(ctx, here, smt_le(ctx, next, to->index)),
                              sum_is(k, from, length, to, smt_le)));
}

/* Each length between the two offsets is at least that number. */
static void add_least(checker *k, query *conjuncts, const element *from, const element *to,
                      const contract_arg *lengths)
{
    smt_ctx *ctx = k->ctx;
    smt_t least = lengths->contents.min, holds[2];
    if (!least || !smt_is_const(least, NULL))
        return;
    smt_t last = smt_sub(ctx, to->index, smt_int_const(ctx, 1));
    smt_t inside =
        smt_and(ctx, contents_in_extent(k, lengths, last), smt_and(ctx, from->inside, to->inside));
    smt_t size = smt_mul(ctx, least, smt_sub(ctx, to->index, from->index));
    for (int sign = 0; sign < 2; sign++)
        holds[sign] =
            smt_le(ctx, smt_add(ctx, number_of(k, from, sign), size), number_of(k, to, sign));
    query_add(k, conjuncts,
              smt_implies(ctx, smt_and(ctx, inside, smt_le(ctx, from->index, last)),
                          smt_or(ctx, holds[0], holds[1])));
}

/* The offset that belongs to a length, where offsets are spoken of but not that one: two segments
 * that are counted from their ends are told apart by where they begin. */
static void name_beginning(checker *k, smt_t offset, smt_t length)
{
    smt_ctx *ctx = k->ctx;
    element to = element_of(k, offset), from = element_of(k, length);
    int of = to.arg ? contents_prefix_of(k, to.arg) : -1;
    if (of < 0 || &k->contract->args[of] != from.arg)
        return;
    smt_t start = smt_sub(ctx, offset->args[0], to.index);
    smt_t number = smt_add(ctx, start, from.index);
    smt_t beginning = smt_app(ctx, offset->name, 1, &number, offset->low, offset->high);
    for (size_t i = 0; i < arrlenu(k->apps); i++)
        if (k->apps[i] == beginning)
            return;
    if (arrlenu(k->apps) < MOST_APPS)
        arrput(k->apps, beginning);
}

void prefix_sum_complete(checker *k)
{
    size_t n = arrlenu(k->apps);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            name_beginning(k, k->apps[i], k->apps[j]);
}

void prefix_sum_add(checker *k, query *conjuncts)
{
    smt_ctx *ctx = k->ctx;
    size_t n = arrlenu(k->apps), instances = 0;
    for (size_t i = 0; i < n; i++) {
        element from = element_of(k, k->apps[i]);
        int of = from.arg ? contents_prefix_of(k, from.arg) : -1;
        if (of < 0)
            continue;
        smt_t zero = smt_int_const(ctx, 0);
        query_add(k, conjuncts,
                  smt_implies(ctx, smt_eq(ctx, from.index, zero), smt_eq(ctx, from.value, zero)));
        const contract_arg *lengths = &k->contract->args[of];
        for (size_t j = 0; j < n; j++) {
            element to = element_of(k, k->apps[j]);
            if (to.arg == from.arg && j != i && instances++ < MOST_INSTANCES)
                add_least(k, conjuncts, &from, &to, lengths);
        }
        for (size_t m = 0; m < n; m++) {
            element length = element_of(k, k->apps[m]);
            for (size_t j = 0; j < n && length.arg == lengths; j++) {
                element to = element_of(k, k->apps[j]);
                if (to.arg == from.arg && j != i && instances++ < MOST_INSTANCES)
                    add_sums(k, conjuncts, &from, &length, &to);
            }
        }
    }
}
