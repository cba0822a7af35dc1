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
#include "rules/sync.h"

#include "base/ds.h"

#include <stdio.h>
#include <string.h>

/* ---- Section: the bits of a term ---- */

typedef struct bit_question {
    checker *k;
    smt_t number; /* p; 0 <= p < width is asked before anything else */
    int width;    /* of the word, in bits */
} bit_question;

/* A constant that is shifted to the left, within a word of at most that width: `1 << b`. The result
 * is what it looks like where *in holds, and any number elsewhere. */
static bool is_shifted(const bit_question *q, smt_t term, smt_t *by, smt_t *in)
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

static smt_t among_bits(const bit_question *q, smt_int bits, smt_t from)
{
    smt_ctx *ctx = q->k->ctx;
    smt_t any = smt_bool_const(ctx, false);
    for (int i = 0; i < q->width; i++)
        if (bits >> i & 1)
            any =
                smt_or(ctx, any, smt_eq(ctx, q->number, smt_add(ctx, from, smt_int_const(ctx, i))));
    return any;
}

/* One less than a shifted 1: all bits below. */
static bool is_mask_below(const bit_question *q, smt_t term, smt_t *by, smt_t *in)
{
    return term->kind == SMT_SUM && term->n_args == 1 && term->coefs[0] == 1 && term->value == -1 &&
           is_shifted(q, term->args[0], by, in) && term->args[0]->args[0]->value == 1;
}

/* Is bit p of the term set? Where that is not known the answer is `unknown`: true for "may be",
 * false for "surely is". */
static smt_t has_bit(const bit_question *q, smt_t term, bool unknown)
{
    smt_ctx *ctx = q->k->ctx;
    smt_bits_op op;
    smt_t by, in;
    if (term->kind == SMT_INT)
        return among_bits(q, term->value, smt_int_const(ctx, 0));
    if (term->kind == SMT_ITE)
        return smt_ite(ctx, term->args[0], has_bit(q, term->args[1], unknown),
                       has_bit(q, term->args[2], unknown));
    if (smt_is_bits(term, &op) && op != SMT_BITS_XOR) {
        smt_t x = has_bit(q, term->args[0], unknown), y = has_bit(q, term->args[1], unknown);
        return op == SMT_BITS_OR ? smt_or(ctx, x, y) : smt_and(ctx, x, y);
    }
    smt_t set;
    if (is_mask_below(q, term, &by, &in))
        set = smt_lt(ctx, q->number, by);
    else if (is_shifted(q, term, &by, &in))
        set = among_bits(q, term->args[0]->value, by);
    else
        return smt_bool_const(ctx, unknown);
    return unknown ? smt_or(ctx, smt_not(ctx, in), set) : smt_and(ctx, in, set);
}

/* Is the term bit p and no other? "Surely", as above. */
static smt_t is_bit_alone(const bit_question *q, smt_t term)
{
    bool one_bit =
        smt_is_const(term, NULL) && term->value > 0 && (term->value & (term->value - 1)) == 0;
    smt_t by, in;
    if (one_bit || (is_shifted(q, term, &by, &in) && term->args[0]->value == 1))
        return has_bit(q, term, false);
    return smt_bool_const(q->k->ctx, false);
}

/* ---- Section: what a word without bit p cannot be ---- */

typedef struct clear_search {
    const bit_question *q;
    smt_t word;   /* v, whose bit p is not set */
    smt_t *facts; /* stb_ds array: they follow from that */
} clear_search;

static void add_unless(clear_search *c, smt_t condition, smt_t left, smt_t right)
{
    smt_ctx *ctx = c->q->k->ctx;
    if (!smt_is_false(condition))
        arrput(c->facts, smt_implies(ctx, condition, smt_ne(ctx, left, right)));
}

/* v & m is not m where m has bit p, and is 0 where m is that bit; ~v & m is not 0 where m has it.
 */
static void look_at_mask(clear_search *c, smt_t term, smt_t of, smt_t mask)
{
    smt_ctx *ctx = c->q->k->ctx;
    smt_t zero = smt_int_const(ctx, 0), surely = has_bit(c->q, mask, false);
    smt_t complement = smt_sub(ctx, smt_int_const(ctx, -1), c->word);
    if (of == complement)
        add_unless(c, surely, term, zero);
    if (of != c->word)
        return;
    add_unless(c, surely, term, mask);
    arrput(c->facts, smt_implies(ctx, is_bit_alone(c->q, mask), smt_eq(ctx, term, zero)));
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

/* v is no number that has bit p. */
static void look_at_equation(clear_search *c, smt_t term)
{
    smt_ctx *ctx = c->q->k->ctx;
    smt_t sum = term->args[0];
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++) {
        if (sum->args[i] != c->word || (sum->coefs[i] != 1 && sum->coefs[i] != -1))
            continue;
        smt_t number = smt_sub(ctx, c->word, smt_scale(ctx, sum, sum->coefs[i]));
        add_unless(c, has_bit(c->q, number, false), c->word, number);
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

/* (1), of what Q has read: the premises and a word whose bit p is clear contradict each other. */
static bool bit_is_seen(const bit_question *q, const sync_event *read, smt_t *premises)
{
    checker *k = q->k;
    clear_search c = {.q = q, .word = read->app};
    smt_visit(k->ctx, smt_and_n(k->ctx, arrlenu(premises), premises), look_at_term, &c);
    bool seen = arrlenu(c.facts) > 0 &&
                sync_refuted_with(k, premises, smt_and_n(k->ctx, arrlenu(c.facts), c.facts),
                                  "sync-bits-seen");
    arrfree(c.facts);
    return seen;
}

/* ---- Section: the lemma ---- */

typedef struct bits_question {
    bit_question bit;
    const sync_event *a, *b, *read;
    smt_t *premises;
    const ix_access *release;
} bits_question;

/* (2) and (3), of one op. */
static bool write_is_safe(bits_question *f, const ix_access *access)
{
    checker *k = f->bit.k;
    smt_ctx *ctx = k->ctx;
    bool keeps = sync_leaves_value(access);
    if (access->unknown || access->width != f->read->access->width || !access->put ||
        (!keeps && access->change != IX_CHANGE_OR) || !sync_continues(k, access) ||
        !sync_strong(access, access) || !sync_strong(access, f->read->access))
        return false;
    sync_event w = sync_event_of(k, access, 2);
    smt_t *all = NULL;
    for (size_t i = 0; i < arrlenu(f->premises); i++)
        arrput(all, f->premises[i]);
    sync_add_event(k, &all, &w);
    arrput(all, sync_overlap(k, &w, f->read));
    smt_t whole = sync_exactly(k, &w, f->read), good = whole;
    bool safe = sync_refuted_with(k, all, smt_not(ctx, whole), "sync-bits-whole");
    if (safe && !keeps) {
        smt_t told = smt_bool_const(ctx, false);
        if (sync_releases(access))
            told = sync_before_release(k, f->a, &w);
        good = smt_and(ctx, sync_same_block(k, f->a, &w), told);
        arrput(all, has_bit(&f->bit, sync_term(k, &w, access->put), true));
        safe = sync_refuted_with(k, all, smt_not(ctx, good), "sync-bits-write");
    }
    arrfree(all);
    return safe;
}

static bool all_writes_are_safe(bits_question *f)
{
    const summary *s = f->bit.k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (w->writes && sync_may_share(w, f->read->access) && !write_is_safe(f, w))
            return false;
    }
    return true;
}

static bool starts_clear(bits_question *f, bool *assumed)
{
    checker *k = f->bit.k;
    smt_ctx *ctx = k->ctx;
    smt_t start = smt_var(ctx, "held@!8", SMT_NO_LOW, SMT_NO_HIGH);
    smt_t other = smt_and(ctx, sync_initial(k, f->read, start, assumed),
                          smt_ne(ctx, start, smt_int_const(ctx, 0)));
    return sync_refuted_with(k, f->premises, other, "sync-bits-initial");
}

static bool reads_before(bits_question *f)
{
    checker *k = f->bit.k;
    smt_ctx *ctx = k->ctx;
    const ix_access *q = f->read->access;
    smt_t happens = sync_term(k, f->read, smt_and(ctx, q->path, q->mask));
    smt_t after = smt_and(ctx, sync_exists(k, f->read), sync_after_acquire(k, f->read, f->b));
    return sync_refuted_with(k, f->premises, smt_not(ctx, smt_and(ctx, happens, after)),
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
    if (!sync_refuted_with(k, f->premises, smt_not(ctx, in), "sync-bits-range") ||
        !bit_is_seen(&f->bit, f->read, f->premises) || !starts_clear(f, &assumed) ||
        !all_writes_are_safe(f))
        return false;
    sync_state_of(k)->acquire = f->read->access;
    sync_state_of(k)->release = f->release;
    if (assumed)
        sync_require_cleared(k, f->read->access);
    sync_trust(k, "D20");
    return true;
}

/* ---- Section: which bit ---- */

enum { MOST_BITS = 8 };

/* Numbers of bits that the operand sets. Only guesses: what they are taken for is asked. */
static void add_numbers(const bit_question *q, smt_t put, smt_t **numbers)
{
    smt_ctx *ctx = q->k->ctx;
    smt_bits_op op;
    smt_t by = smt_int_const(ctx, 0), in;
    if (put->kind == SMT_ITE) {
        add_numbers(q, put->args[1], numbers);
        add_numbers(q, put->args[2], numbers);
        return;
    }
    if (smt_is_bits(put, &op)) {
        add_numbers(q, put->args[0], numbers);
        add_numbers(q, put->args[1], numbers);
        return;
    }
    smt_t bits = is_shifted(q, put, &by, &in) ? put->args[0] : put;
    for (int i = 0; smt_is_const(bits, NULL) && i < q->width; i++)
        if (bits->value >> i & 1 && arrlenu(*numbers) < MOST_BITS)
            arrput(*numbers, smt_add(ctx, by, smt_int_const(ctx, i)));
}

static smt_t *numbers_of(const bit_question *q, const ix_access *write)
{
    smt_t *numbers = NULL;
    sync_event w = sync_event_of(q->k, write, 0);
    add_numbers(q, sync_term(q->k, &w, write->put), &numbers);
    return numbers;
}

static bool may_tell(const ix_access *write, const ix_access *read)
{
    return write->writes && write->change == IX_CHANGE_OR && write->put && !write->unknown &&
           sync_may_share(write, read) && sync_releases(write);
}

bool sync_bits_order(checker *k, const sync_event *a, const sync_event *b, const sync_event *read,
                     smt_t *premises)
{
    const ix_access *q = read->access;
    const summary *s = k->s;
    if (!sync_acquires(q) || q->unknown)
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

bool sync_by_bits(sync_pair *p, const sync_event *read)
{
    return sync_bits_order(p->k, &p->a, &p->b, read, p->both);
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

smt_t sync_bits_meeting(checker *k, smt_t statement, smt_t variable, const ix_access *write,
                        const ix_access *read)
{
    smt_ctx *ctx = k->ctx;
    bit_question q = {.k = k, .width = 8 * read->width};
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
