/* Keeps what one pair of accesses needs of the launch from becoming a fact of the next pair's
 * question.
 *
 * A race precondition is broken by launches that race. Were it a fact from then on, a pair that
 * races by a mistake of its own would be excused by what another pair happens to need, and the
 * order of statements would decide about it. So each pair is decided with the stated facts, the
 * standing assumptions and the enforced launch preconditions alone. What was found for other pairs
 * is tried first (require_found_suffices) and judged as if nobody had needed it before.
 *
 * While a pair is decided, the checker holds what that pair may use; k->pairs.found holds what all
 * pairs so far have found together, and everywhere else the checker holds that. */
#include "precondition/pairs.h"

#include "order/state.h"
#include "precondition/propose.h"
#include "question/assumed.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

void require_swap_found(checker *k)
{
    known_launch mine = k->known;
    k->known = *k->pairs.found;
    *k->pairs.found = mine;
}

/* ---- Section: what the requires say ---- */

/* Was it found for a pair of accesses, or does it hold of every launch that counts? */
static bool is_of_pairs(const checker *k, size_t which)
{
    const required *r = &k->requires_[which];
    if (r->unenforced || r->what.class_ == PRECONDITION_CLASS_STANDING)
        return false;
    return r->what.class_ == PRECONDITION_CLASS_RACE || which >= k->pairs.first_require;
}

static candidate candidate_of_required(checker *k, const required *r)
{
    const precondition *p = &r->what;
    candidate c = candidate_of(k->ctx, p->kind);
    int arg = (int)p->subject.arg;
    if (r->fact)
        c.fact = r->fact;
    if (!p->of_contents)
        return c;
    if (p->contents.unique) {
        int *with = TR_NEW_ARRAY(k->arena, int, p->n_args + 1);
        for (size_t i = 1; i < p->n_args; i++)
            with[c.n_with++] = (int)p->args[i];
        c.with = with;
        c.unique_arg = arg;
        c.when = p->contents.unique_when;
        return c;
    }
    c.range_arg = arg;
    c.low = p->contents.min;
    c.high = p->contents.max;
    c.increasing = p->contents.increasing;
    c.prefix_of = p->contents.prefix_sum_of;
    return c;
}

candidate *require_found(checker *k)
{
    candidate *found = NULL;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *p = &k->requires_[i].what;
        bool of_elements = p->of_contents && p->subject.arg < 64 &&
                           (p->contents.unique || p->contents.min || p->contents.max ||
                            p->contents.increasing || p->contents.prefix_sum_of >= 0);
        if (is_of_pairs(k, i) && (k->requires_[i].fact || of_elements))
            arrput(found, candidate_of_required(k, &k->requires_[i]));
    }
    return found;
}

smt_t require_found_facts(checker *k)
{
    smt_t all = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (k->requires_[i].fact && is_of_pairs(k, i))
            all = smt_and(k->ctx, all, k->requires_[i].fact);
    return all;
}

void require_share_presumed(checker *k)
{
    if (!k->pairs.inside)
        return;
    k->pairs.base->presumed = k->known.presumed;
    k->pairs.base->presumed_arrays = k->known.presumed_arrays;
    k->pairs.base->presumed_tables = k->known.presumed_tables;
}

/* ---- Section: entering and leaving ---- */

void require_enter_pair(checker *k)
{
    TR_ASSERT(!k->pairs.inside);
    if (!k->pairs.base) {
        k->pairs.base = tr_arena_copy(k->arena, &k->known, sizeof k->known);
        k->pairs.found = TR_NEW(k->arena, known_launch);
        k->pairs.first_require = arrlenu(k->requires_);
    }
    *k->pairs.found = k->known;
    k->known = *k->pairs.base;
    k->pairs.entered_with = k->contract;
    k->pairs.inside = true;
}

/* The facts that hold of every launch that counts, whichever pair they were found for; or, with
 * `all`, those of the pairs, too. */
static void add_facts(checker *k, known_launch *p, bool all)
{
    smt_ctx *ctx = k->ctx;
    p->launch = smt_and(ctx, p->launch, k->given);
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const required *r = &k->requires_[i];
        bool standing =
            i >= k->pairs.first_require && r->what.class_ == PRECONDITION_CLASS_STANDING;
        if (!r->fact || !(standing || (all && is_of_pairs(k, i))))
            continue;
        p->launch = smt_and(ctx, p->launch, r->fact);
        p->required = p->required ? smt_and(ctx, p->required, r->fact) : r->fact;
    }
}

/* An answer that used no fact of this pair's own is of use to the next one. */
static void keep_answers(checker *k, const known_launch *own)
{
    known_launch *base = k->pairs.base;
    bool plain = own->launch == base->launch;
    if (plain) {
        base->layouts = own->layouts;
        base->sync = own->sync;
    } else if (k->contract != k->pairs.entered_with)
        base->sync = NULL; /* the words that are cleared now count for the others alone */
    smt_t before = base->launch;
    add_facts(k, base, false);
    if (base->launch != before)
        base->layouts = NULL;
}

static bool has_range(const known_contents *c, const contents_range *range)
{
    for (size_t i = 0; i < c->n_ranges; i++)
        if (c->ranges[i].arg == range->arg && c->ranges[i].low == range->low &&
            c->ranges[i].high == range->high)
            return true;
    return false;
}

static bool has_tuple(const known_contents *c, const contents_tuple *tuple)
{
    for (size_t i = 0; i < c->n_tuples; i++)
        if (c->tuples[i].arg == tuple->arg && c->tuples[i].n == tuple->n &&
            c->tuples[i].with == tuple->with)
            return true;
    return false;
}

/* Adds what the pair assumed of contents to what other pairs did. */
static void merge_contents(checker *k, const known_contents *own, known_contents *all)
{
    for (int i = 0; i < 64; i++) {
        bool had = all->unique >> i & 1, has = own->unique >> i & 1;
        if (has && (!had || !own->unique_when[i]))
            all->unique_when[i] = own->unique_when[i];
        if (own->prefix >> i & 1)
            all->prefix_of[i] = own->prefix_of[i];
    }
    all->unique |= own->unique;
    all->increasing |= own->increasing;
    all->prefix |= own->prefix;
    k->known.contents = *all;
    for (size_t i = 0; i < own->n_ranges; i++)
        if (!has_range(all, &own->ranges[i]))
            assume_range(k, own->ranges[i]);
    for (size_t i = 0; i < own->n_tuples; i++)
        if (!has_tuple(all, &own->tuples[i]))
            assume_tuple(k, own->tuples[i]);
    *all = k->known.contents;
}

void require_leave_pair(checker *k)
{
    const known_launch own = k->known;
    known_launch *all = k->pairs.found;
    smt_t before = all->launch;
    keep_answers(k, &own);
    add_facts(k, all, true);
    if (all->launch != before)
        all->layouts = NULL;
    if (own.sync != k->pairs.base->sync || !all->sync)
        all->sync = own.sync;
    merge_contents(k, &own.contents, &all->contents);
    k->known = *all;
    k->pairs.inside = false;
}
