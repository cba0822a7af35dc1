/* BITS: flags that are the bits of one word, set by atomic or.
 *
 * Lemma. Let a be an event of block A, b an event of another block B, Q an acquiring read of B at a
 * location L that is token-before b or is b, and p the number of a bit of L. Suppose that
 *
 *   (1) whenever a and b both happen, Q happens and bit p of the value that Q has read is set, and
 *       bit p of what L holds at launch is not;
 *
 *   (2) every write of L, of any block and iteration, writes all of L, is an atomic or or an update
 *       that leaves what it has read, is morally strong to Q and to the others (A2), and passes
 *       releases on (D20);
 *
 *   (3) every atomic or of L whose operand has bit p is a releasing event of block A that a is
 *       token-before, or is a itself.
 *
 * Then a happens before b in every consistent execution with both. Proof. No two updates read from
 * one write (A5) and all writes of L are updates, so they form a chain that begins at the launch's
 * value. Each value in the chain is the launch's value with the bits of the operands up to there.
 * Q reads one of these values. By (1) one of the operands up to there has bit p; by (3) its event W
 * is a release of block A after a. The updates from W to the one that Q reads from pass the release
 * on, Q acquires it (D18), and b is token-after Q (D21).
 *
 * p is a term over the variables of a's and b's blocks. Any value in the range of the word's bits
 * will do: (1) and (3) are asked for all values of these variables that the premises allow. */
#include "order/bits.h"

#include "order/bits_terms.h"
#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: the lemma ---- */

typedef struct bits_question {
    order_bit bit;
    const order_event *a, *b, *read;
    query premises;
    const ix_access *release;
} bits_question;

/* Do (2) and (3) hold for one op? */
static bool write_is_safe(bits_question *f, const ix_access *access)
{
    checker *k = f->bit.k;
    smt_ctx *ctx = k->ctx;
    bool keeps = order_leaves_value(access);
    if (access->unknown || access->width != f->read->access->width || !access->put ||
        (!keeps && access->change != IX_CHANGE_OR) || !order_continues(k, access) ||
        !order_strong(access, access) || !order_strong(access, f->read->access))
        return false;
    order_event w = order_event_of(k, access, 2);
    query all = order_premises_with(k, f->premises, &w, f->read);
    smt_t whole = order_exactly(k, &w, f->read);
    if (!order_refuted_with(k, all, smt_not(ctx, whole), "sync-bits-whole"))
        return false;
    if (keeps)
        return true;
    smt_t told = smt_bool_const(ctx, false);
    if (order_releases(access))
        told = order_before_release(k, f->a, &w);
    smt_t good = smt_and(ctx, order_same_block(k, f->a, &w), told);
    query_add(k, &all, order_has_bit(&f->bit, order_term(k, &w, access->put), true));
    return order_refuted_with(k, all, smt_not(ctx, good), "sync-bits-write");
}

static bool all_writes_are_safe(bits_question *f)
{
    const summary *s = f->bit.k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (w->writes && order_may_share(w, f->read->access) && !write_is_safe(f, w))
            return false;
    }
    return true;
}

static bool starts_clear(bits_question *f, bool *assumed)
{
    checker *k = f->bit.k;
    smt_ctx *ctx = k->ctx;
    smt_t start = order_held(ctx, 8);
    smt_t other = smt_and(ctx, order_initial(k, f->read, start, assumed),
                          smt_ne(ctx, start, smt_int_const(ctx, 0)));
    return order_refuted_with(k, f->premises, other, "sync-bits-initial");
}

static bool reads_before(bits_question *f)
{
    checker *k = f->bit.k;
    smt_ctx *ctx = k->ctx;
    const ix_access *q = f->read->access;
    smt_t happens = order_term(k, f->read, smt_and(ctx, q->path, q->mask));
    smt_t after = smt_and(ctx, order_exists(k, f->read), order_after_acquire(k, f->read, f->b));
    return order_refuted_with(k, f->premises, smt_not(ctx, smt_and(ctx, happens, after)),
                              "sync-bits-after");
}

static bool orders_by_bit(bits_question *f, smt_t number)
{
    checker *k = f->bit.k;
    smt_ctx *ctx = k->ctx;
    bool assumed = false;
    f->bit.number = number;
    smt_t in = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, 0), number),
                       smt_lt(ctx, number, smt_int_const(ctx, f->bit.width)));
    if (!order_refuted_with(k, f->premises, smt_not(ctx, in), "sync-bits-range") ||
        !order_bit_is_seen(&f->bit, f->read, f->premises) || !starts_clear(f, &assumed) ||
        !all_writes_are_safe(f))
        return false;
    order_state_of(k)->acquire = f->read->access;
    order_state_of(k)->release = f->release;
    if (assumed)
        order_rests_on_cleared(k, f->read->access);
    order_rests_on_choice(k, TRUST_UPDATES);
    return true;
}

/* ---- Section: which bit ---- */

enum { MOST_BITS = 8 };

void order_add_bit_numbers(const order_bit *q, smt_t put, smt_t **numbers)
{
    smt_ctx *ctx = q->k->ctx;
    smt_bits_op op;
    smt_t by = smt_int_const(ctx, 0), in;
    if (put->kind == SMT_ITE) {
        order_add_bit_numbers(q, put->args[1], numbers);
        order_add_bit_numbers(q, put->args[2], numbers);
        return;
    }
    if (smt_is_bits(put, &op)) {
        order_add_bit_numbers(q, put->args[0], numbers);
        order_add_bit_numbers(q, put->args[1], numbers);
        return;
    }
    smt_t bits = order_is_shifted_bit(q, put, &by, &in) ? put->args[0] : put;
    for (int i = 0; smt_is_const(bits, NULL) && i < q->width; i++)
        if (bits->value >> i & 1 && arrlenu(*numbers) < MOST_BITS)
            arrput(*numbers, smt_add(ctx, by, smt_int_const(ctx, i)));
}

static smt_t *numbers_of(const order_bit *q, const ix_access *write)
{
    smt_t *numbers = NULL;
    order_event w = order_event_of(q->k, write, 0);
    order_add_bit_numbers(q, order_term(q->k, &w, write->put), &numbers);
    return numbers;
}

static bool may_tell(const ix_access *write, const ix_access *read)
{
    return write->writes && write->change == IX_CHANGE_OR && write->put && !write->unknown &&
           order_may_share(write, read) && order_releases(write);
}

bool order_bits_prove(checker *k, const order_event *a, const order_event *b,
                      const order_event *read, query premises)
{
    const ix_access *q = read->access;
    const summary *s = k->s;
    if (!order_acquires(q) || q->unknown)
        return false;
    bits_question f = {
        .bit = {.k = k, .width = 8 * q->width}, .a = a, .b = b, .read = read, .premises = premises};
    bool ordered = false, asked = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && !ordered; i++) {
        f.release = &s->accesses[i];
        if (!may_tell(f.release, q) || (!asked && !reads_before(&f)))
            continue;
        asked = true;
        smt_t *numbers = numbers_of(&f.bit, f.release);
        for (size_t n = 0; n < arrlenu(numbers) && !ordered; n++)
            ordered = orders_by_bit(&f, numbers[n]);
        arrfree(numbers);
    }
    return ordered;
}

bool order_by_bits(order_pair *p, const order_event *read)
{
    return order_bits_prove(p->k, &p->a, &p->b, read, p->both);
}

/* ---- Section: one bit of those that a loop waits for ---- */

typedef struct place_search {
    smt_t found; /* the number of a bit that the statement looks at; or NULL */
    smt_t variable;
} place_search;

static void look_for_place(void *user, smt_t term)
{
    place_search *p = user;
    if (term->kind == SMT_APP && term->n_args == 2 &&
        (strncmp(term->name, "shli.", 5) == 0 || strncmp(term->name, "shri.", 5) == 0) &&
        smt_contains(term->args[1], p->variable))
        p->found = term->args[1];
}

smt_t order_bits_meeting(checker *k, smt_t statement, smt_t variable, const ix_access *write,
                         const ix_access *read)
{
    smt_ctx *ctx = k->ctx;
    order_bit q = {.k = k, .width = 8 * read->width};
    place_search p = {.variable = variable};
    smt_visit(ctx, statement, look_for_place, &p);
    if (!p.found || !may_tell(write, read))
        return NULL;
    smt_t zero = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1), value = NULL;
    smt_t first = smt_guess_instance(ctx, p.found, 1, &variable, &zero);
    smt_t second = smt_guess_instance(ctx, p.found, 1, &variable, &one);
    smt_t *numbers = numbers_of(&q, write);
    smt_int step;
    if (arrlenu(numbers) > 0 && smt_is_const(smt_sub(ctx, second, first), &step) && step != 0) {
        smt_t apart = smt_sub(ctx, numbers[0], first);
        value = smt_div(ctx, step > 0 ? apart : smt_neg(ctx, apart),
                        smt_int_const(ctx, step > 0 ? step : -step));
    }
    arrfree(numbers);
    return value;
}
