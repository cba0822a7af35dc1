/* What one pair of accesses needs of the launch is no fact of the next pair's question.
 *
 * A race precondition is broken by launches that race. Were it a fact from then on, a pair that
 * races by a mistake of its own would be excused by what another pair happens to need, and the
 * order of statements would decide about it. So each pair is decided with the stated facts, the
 * standing assumptions and the enforced launch preconditions alone. What was found for other pairs
 * is tried first (require_found_suffices) and judged as if nobody had needed it before.
 *
 * While a pair is decided, the checker holds what that pair may use; k->found holds what all pairs
 * so far have found together, and everywhere else the checker holds that. */
#include "precondition/pairs.h"

#include "order/state.h"
#include "precondition/propose.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

typedef struct premises {
    smt_t launch, required, presumed, presumed_arrays, presumed_tables;
    contents_range *ranges; /* stb_ds arrays */
    contents_tuple *tuples;
    const ix_tensor **tensors;
    signed char *tensor_state;
    uint64_t unique, increasing, prefix;
    smt_t unique_when[64];
    int prefix_of[64];
    struct sync_state *sync;
} premises;

static premises premises_of(const checker *k)
{
    premises p = {.launch = k->launch,
                  .required = k->required,
                  .presumed = k->presumed,
                  .presumed_arrays = k->presumed_arrays,
                  .presumed_tables = k->presumed_tables,
                  .ranges = k->assumed_ranges,
                  .tuples = k->assumed_tuples,
                  .tensors = k->tensors,
                  .tensor_state = k->tensor_state,
                  .unique = k->assumed_unique,
                  .increasing = k->assumed_increasing,
                  .prefix = k->assumed_prefix,
                  .sync = k->sync};
    memcpy(p.unique_when, k->unique_when, sizeof p.unique_when);
    memcpy(p.prefix_of, k->prefix_of, sizeof p.prefix_of);
    return p;
}

static void put(checker *k, const premises *p)
{
    k->launch = p->launch;
    k->required = p->required;
    k->presumed = p->presumed;
    k->presumed_arrays = p->presumed_arrays;
    k->presumed_tables = p->presumed_tables;
    k->assumed_ranges = p->ranges;
    k->assumed_tuples = p->tuples;
    k->tensors = p->tensors;
    k->tensor_state = p->tensor_state;
    k->assumed_unique = p->unique;
    k->assumed_increasing = p->increasing;
    k->assumed_prefix = p->prefix;
    memcpy(k->unique_when, p->unique_when, sizeof p->unique_when);
    memcpy(k->prefix_of, p->prefix_of, sizeof p->prefix_of);
    k->sync = p->sync;
}

static premises *copy_of(checker *k, const premises *p)
{
    premises *copy = tr_arena_copy(k->arena, p, sizeof *p);
    copy->ranges = NULL;
    copy->tuples = NULL;
    copy->tensors = NULL;
    copy->tensor_state = NULL;
    for (size_t i = 0; i < arrlenu(p->ranges); i++)
        arrput(copy->ranges, p->ranges[i]);
    for (size_t i = 0; i < arrlenu(p->tuples); i++)
        arrput(copy->tuples, p->tuples[i]);
    for (size_t i = 0; i < arrlenu(p->tensors); i++) {
        arrput(copy->tensors, p->tensors[i]);
        arrput(copy->tensor_state, p->tensor_state[i]);
    }
    return copy;
}

static void free_premises(premises *p)
{
    if (!p)
        return;
    arrfree(p->ranges);
    arrfree(p->tuples);
    arrfree(p->tensors);
    arrfree(p->tensor_state);
}

void require_swap_found(checker *k)
{
    premises mine = premises_of(k);
    put(k, k->found);
    *k->found = mine;
}

/* ---- Section: what the requires say ---- */

/* Was it found for a pair of accesses, or does it hold of every launch that counts? */
static bool is_of_pairs(const checker *k, size_t which)
{
    const required *r = &k->requires_[which];
    if (r->unenforced || r->what.class_ == PRECONDITION_CLASS_STANDING)
        return false;
    return r->what.class_ == PRECONDITION_CLASS_RACE || which >= k->first_of_pairs;
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
    if (!k->in_pair)
        return;
    k->base->presumed = k->presumed;
    k->base->presumed_arrays = k->presumed_arrays;
    k->base->presumed_tables = k->presumed_tables;
}

/* ---- Section: entering and leaving ---- */

void require_enter_pair(checker *k)
{
    TR_ASSERT(!k->in_pair);
    premises now = premises_of(k);
    if (!k->base) {
        k->base = copy_of(k, &now);
        k->found = TR_NEW(k->arena, premises);
        k->first_of_pairs = arrlenu(k->requires_);
    }
    *k->found = now;
    put(k, copy_of(k, k->base));
    k->entered_with = k->contract;
    k->in_pair = true;
}

/* The facts that hold of every launch that counts, whichever pair they were found for; or, with
 * `all`, those of the pairs, too. */
static void add_facts(checker *k, premises *p, bool all)
{
    smt_ctx *ctx = k->ctx;
    p->launch = smt_and(ctx, p->launch, k->given);
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const required *r = &k->requires_[i];
        bool standing = i >= k->first_of_pairs && r->what.class_ == PRECONDITION_CLASS_STANDING;
        if (!r->fact || !(standing || (all && is_of_pairs(k, i))))
            continue;
        p->launch = smt_and(ctx, p->launch, r->fact);
        p->required = p->required ? smt_and(ctx, p->required, r->fact) : r->fact;
    }
}

static void forget_layouts(premises *p)
{
    arrsetlen(p->tensors, 0);
    arrsetlen(p->tensor_state, 0);
}

/* What the pair was answered without any fact of its own is of use to the next one. */
static void keep_answers(checker *k, const premises *own)
{
    premises *base = k->base;
    bool plain = own->launch == base->launch;
    if (plain) {
        forget_layouts(base);
        for (size_t i = 0; i < arrlenu(own->tensors); i++) {
            arrput(base->tensors, own->tensors[i]);
            arrput(base->tensor_state, own->tensor_state[i]);
        }
    }
    if (plain)
        base->sync = own->sync;
    else if (k->contract != k->entered_with)
        base->sync =
            NULL; /* the words that are cleared now are known in the other premises alone */
    smt_t before = base->launch;
    add_facts(k, base, false);
    if (base->launch != before)
        forget_layouts(base);
}

/* What the pair assumed of contents, beside what other pairs did. */
static void merge_contents(const premises *own, premises *all)
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
    for (size_t i = 0; i < arrlenu(own->ranges); i++)
        arrput(all->ranges, own->ranges[i]);
    for (size_t i = 0; i < arrlenu(own->tuples); i++)
        arrput(all->tuples, own->tuples[i]);
}

void require_leave_pair(checker *k)
{
    premises own = premises_of(k), *all = k->found;
    smt_t before = all->launch;
    keep_answers(k, &own);
    add_facts(k, all, true);
    if (all->launch != before)
        forget_layouts(all);
    if (own.sync != k->base->sync || !all->sync)
        all->sync = own.sync;
    merge_contents(&own, all);
    free_premises(&own);
    put(k, all);
    k->in_pair = false;
}

void require_free_pairs(checker *k)
{
    free_premises(k->base);
}
