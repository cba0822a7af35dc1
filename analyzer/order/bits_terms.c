/* Bits of the words that flags are kept in: which bit of a term is set, and what is known of a word
 * in which one bit is clear, or is set. */
#include "order/bits_terms.h"

#include "order/event.h"
#include "question/checker.h"

#include "base/ds.h"

#include <stdio.h>
#include <string.h>

/* ---- Section: the bits of a term ---- */

bool order_is_shifted_bit(const order_bit *q, smt_t term, smt_t *by, smt_t *in)
{
    smt_ctx *ctx = q->k->ctx;
    int width;
    if (term->kind != SMT_APP || term->n_args != 2 || sscanf(term->name, "shli.i%d", &width) != 1 ||
        width > q->width || !smt_is_const(term->args[0], NULL) || term->args[0]->value < 0)
        return false;
    /* Bits that a narrower type loses, or that its sign repeats, are not followed. */
    smt_int most = term->args[0]->value, room = width;
    while (width < q->width && most > 0) {
        most >>= 1;
        room--;
    }
    *by = term->args[1];
    *in = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, 0), *by),
                  smt_lt(ctx, *by, smt_int_const(ctx, room)));
    return true;
}

static smt_t among_bits(const order_bit *q, smt_int bits, smt_t from)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t any = smt_bool_const(ctx, false);
    for (int i = 0; i < q->width; i++)
        if (bits >> i & 1)
            any =
                smt_or(ctx, any, smt_eq(ctx, q->number, smt_add(ctx, from, smt_int_const(ctx, i))));
    return any;
}

/* Is the term one less than a shifted 1, which has all bits below that one? */
static bool is_mask_below(const order_bit *q, smt_t term, smt_t *by, smt_t *in)
{
    return term->kind == SMT_SUM && term->n_args == 1 && term->coefs[0] == 1 && term->value == -1 &&
           order_is_shifted_bit(q, term->args[0], by, in) && term->args[0]->args[0]->value == 1;
}

smt_t order_has_bit(const order_bit *q, smt_t term, bool unknown)
{
    smt_ctx *ctx = q->k->ctx;
    smt_bits_op op;
    smt_t by, in;
    if (term->kind == SMT_INT)
        return among_bits(q, term->value, smt_int_const(ctx, 0));
    if (term->kind == SMT_ITE)
        return smt_ite(ctx, term->args[0], order_has_bit(q, term->args[1], unknown),
                       order_has_bit(q, term->args[2], unknown));
    if (smt_is_bits(term, &op)) {
        smt_t x = order_has_bit(q, term->args[0], unknown),
              y = order_has_bit(q, term->args[1], unknown);
        if (op != SMT_BITS_XOR)
            return op == SMT_BITS_OR ? smt_or(ctx, x, y) : smt_and(ctx, x, y);
        smt_t not_x = smt_not(ctx, order_has_bit(q, term->args[0], !unknown));
        smt_t not_y = smt_not(ctx, order_has_bit(q, term->args[1], !unknown));
        return smt_or(ctx, smt_and(ctx, x, not_y), smt_and(ctx, y, not_x));
    }
    smt_t set;
    if (is_mask_below(q, term, &by, &in))
        set = smt_lt(ctx, q->number, by);
    else if (order_is_shifted_bit(q, term, &by, &in))
        set = among_bits(q, term->args[0]->value, by);
    else
        return smt_bool_const(ctx, unknown);
    return unknown ? smt_or(ctx, smt_not(ctx, in), set) : smt_and(ctx, in, set);
}

/* Is the term bit p and no other? "Surely", as above. */
static smt_t sync_is_bit_alone(const order_bit *q, smt_t term)
{
    bool one_bit =
        smt_is_const(term, NULL) && term->value > 0 && (term->value & (term->value - 1)) == 0;
    smt_t by, in;
    if (one_bit || (order_is_shifted_bit(q, term, &by, &in) && term->args[0]->value == 1))
        return order_has_bit(q, term, false);
    return smt_bool_const(q->k->ctx, false);
}

/* ---- Section: what a word without bit p cannot be ---- */

typedef struct clear_search {
    const order_bit *q;
    smt_t word;  /* v, whose bit p is not set */
    query facts; /* they follow from that */
} clear_search;

static void add_unless(clear_search *c, smt_t condition, smt_t left, smt_t right)
{
    smt_ctx *ctx = c->q->k->ctx;
    if (!smt_is_false(condition))
        query_add(c->q->k, &c->facts, smt_implies(ctx, condition, smt_ne(ctx, left, right)));
}

/* v & m is not m where m has bit p, and is 0 where m is that bit; ~v & m is not 0 where m has it.
 */
static void look_at_mask(clear_search *c, smt_t term, smt_t of, smt_t mask)
{
    smt_ctx *ctx = c->q->k->ctx;
    smt_t zero = smt_int_const(ctx, 0), surely = order_has_bit(c->q, mask, false);
    smt_t complement = smt_sub(ctx, smt_int_const(ctx, -1), c->word);
    if (of == complement)
        add_unless(c, surely, term, zero);
    if (of != c->word)
        return;
    add_unless(c, surely, term, mask);
    query_add(c->q->k, &c->facts,
              smt_implies(ctx, sync_is_bit_alone(c->q, mask), smt_eq(ctx, term, zero)));
}

static bool is_power_of_two(smt_t term, int *bits)
{
    smt_int value;
    *bits = 0;
    if (!smt_is_const(term, &value) || value <= 0 || (value & (value - 1)) != 0)
        return false;
    while (value >> *bits != 1)
        ++*bits;
    return true;
}

/* v / 2^low % 2^n is not 2^n - 1, all ones, where p lies in these bits; v >> j & 1 is 0 where p is
 * j. */
static void look_at_remainder(clear_search *c, smt_t term)
{
    smt_ctx *ctx = c->q->k->ctx;
    int n, low = 0;
    smt_t of = term->args[0];
    if (!is_power_of_two(term->args[1], &n))
        return;
    smt_t ones = smt_sub(ctx, term->args[1], smt_int_const(ctx, 1));
    if (of->kind == SMT_APP && of->n_args == 2 && of->args[0] == c->word &&
        strncmp(of->name, "shri.", 5) == 0) {
        if (n == 1)
            add_unless(c, smt_eq(ctx, c->q->number, of->args[1]), term, ones);
        return;
    }
    if (of->kind == SMT_DIV && is_power_of_two(of->args[1], &low))
        of = of->args[0];
    smt_t first = smt_int_const(ctx, low), end = smt_int_const(ctx, (smt_int)low + n);
    if (of == c->word)
        add_unless(c,
                   smt_and(ctx, smt_le(ctx, first, c->q->number), smt_lt(ctx, c->q->number, end)),
                   term, ones);
}

/* Returns when bit p of a term over v is clear, given that bit p of v is: for v | m and v ^ m where
 * m has no bit p, for v & m always. */
static smt_t is_clear(const clear_search *c, smt_t term)
{
    smt_ctx *ctx = c->q->k->ctx;
    smt_bits_op op;
    if (term == c->word)
        return smt_bool_const(ctx, true);
    if (!smt_is_bits(term, &op) || !smt_contains(term, c->word))
        return smt_not(ctx, order_has_bit(c->q, term, true));
    smt_t x = is_clear(c, term->args[0]), y = is_clear(c, term->args[1]);
    return op == SMT_BITS_AND ? smt_or(ctx, x, y) : smt_and(ctx, x, y);
}

/* v, and what is made of it, is no number that has bit p. */
static void look_at_equation(clear_search *c, smt_t term)
{
    smt_ctx *ctx = c->q->k->ctx;
    smt_t sum = term->args[0];
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++) {
        smt_t part = sum->args[i];
        if (!smt_contains(part, c->word) || (sum->coefs[i] != 1 && sum->coefs[i] != -1))
            continue;
        smt_t number = smt_sub(ctx, part, smt_scale(ctx, sum, sum->coefs[i]));
        add_unless(c, smt_and(ctx, is_clear(c, part), order_has_bit(c->q, number, false)), part,
                   number);
    }
}

static void look_at_term(void *user, smt_t term)
{
    clear_search *c = user;
    smt_bits_op op;
    if (smt_is_bits(term, &op) && op == SMT_BITS_AND) {
        look_at_mask(c, term, term->args[0], term->args[1]);
        look_at_mask(c, term, term->args[1], term->args[0]);
    } else if (term->kind == SMT_MOD) {
        look_at_remainder(c, term);
    } else if (term->kind == SMT_EQ) {
        look_at_equation(c, term);
    }
}

/* Do the premises contradict what `look` finds to follow from the word? */
static bool contradicts(const order_bit *q, const order_event *read, query premises,
                        void (*look)(void *user, smt_t term), const char *name)
{
    checker *k = q->k;
    clear_search c = {.q = q, .word = read->app};
    smt_visit(k->ctx, query_as_term(k, premises), look, &c);
    return c.facts.n > 0 && order_refuted_with(k, premises, query_as_term(k, c.facts), name);
}

bool order_bit_is_seen(const order_bit *q, const order_event *read, query premises)
{
    return contradicts(q, read, premises, look_at_term, "sync-bits-seen");
}

/* ---- Section: what a word with bit p cannot be ---- */

/* v / 2^low % 2 and v >> j & 1 are not 0 where p is low, or j. */
static void look_at_set_remainder(clear_search *c, smt_t term)
{
    smt_ctx *ctx = c->q->k->ctx;
    smt_t of = term->args[0], place = smt_int_const(ctx, 0);
    int n, low = 0;
    if (!is_power_of_two(term->args[1], &n) || n != 1)
        return;
    if (of->kind == SMT_APP && of->n_args == 2 && strncmp(of->name, "shri.", 5) == 0) {
        place = of->args[1];
        of = of->args[0];
    } else if (of->kind == SMT_DIV && is_power_of_two(of->args[1], &low)) {
        place = smt_int_const(ctx, low);
        of = of->args[0];
    }
    if (of == c->word)
        add_unless(c, smt_eq(ctx, c->q->number, place), term, smt_int_const(ctx, 0));
}

/* v & m is not 0 where m has bit p, and v itself is not 0. */
static void look_at_set_word(void *user, smt_t term)
{
    clear_search *c = user;
    smt_ctx *ctx = c->q->k->ctx;
    smt_t zero = smt_int_const(ctx, 0);
    smt_bits_op op;
    if (smt_is_bits(term, &op) && op == SMT_BITS_AND) {
        for (int i = 0; i < 2; i++)
            if (term->args[i] == c->word)
                add_unless(c, order_has_bit(c->q, term->args[1 - i], false), term, zero);
    } else if (term->kind == SMT_MOD) {
        look_at_set_remainder(c, term);
    } else if (term == c->word) {
        add_unless(c, smt_bool_const(ctx, true), term, zero);
    }
}

bool order_bit_is_missing(const order_bit *q, const order_event *read, query premises)
{
    return contradicts(q, read, premises, look_at_set_word, "sync-bits-missing");
}
