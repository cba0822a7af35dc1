/* The launch that a race precondition excludes.
 *
 * A verdict that needs a race precondition is conditional, and shows what happens without it: a
 * launch that meets the contract and every other precondition, breaks this one, and races. It is
 * found as any race is, for the pair of accesses that asked for the precondition, among the
 * launches that are left when this one precondition is taken away. */
#include "rules/example.h"

#include "order/state.h"
#include "precondition/contents_range.h"
#include "precondition/natural.h"
#include "question/assumed.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"
#include "rules/add_finding.h"
#include "rules/pair.h"
#include "rules/rule.h"
#include "rules/shared_arrays.h"
#include "rules/stale.h"
#include "witness/enumerate.h"
#include "witness/replay.h"

#include "base/ds.h"

#include <string.h>

typedef struct before { /* what the checker knew of launches */
    known_launch known;
    hoped_for hoped;
    struct enumerated *enumerated;
    struct enumerated_undefined *undefined;
    bool enumeration_done, enumerated_briefly;
} before;

static void forget_contents(checker *k, const precondition *p)
{
    uint64_t bit = p->subject.arg < 64 ? (uint64_t)1 << p->subject.arg : 0;
    if (p->contents.unique && p->n_args < 2)
        k->known.contents.unique &= ~bit;
    if (p->n_args > 1)
        assume_no_tuple(k, (int)p->subject.arg);
    if (p->contents.prefix_sum_of >= 0)
        k->known.contents.prefix &= ~bit;
    if (p->contents.increasing)
        k->known.contents.increasing &= ~bit;
    if (p->contents.min || p->contents.max)
        assume_no_range(k, bit);
}

/* Leaves one precondition out of all that is known of launches. `all`: the other preconditions are
 * met, including those that are not enforced and that no proof uses. */
static before leave_out(checker *k, size_t which, bool all)
{
    before b = {.known = k->known,
                .hoped = k->hoped,
                .enumerated = k->small.races,
                .undefined = k->small.undefined,
                .enumeration_done = k->small.done,
                .enumerated_briefly = k->small.brief};
    k->small.races = NULL;
    k->small.undefined = NULL;
    k->small.done = k->small.brief = false;
    k->known.sync = NULL;
    k->known.presumed = k->known.required = NULL;
    k->hoped.facts = NULL;
    k->known.launch = smt_and(k->ctx, k->s->launch, k->given);
    k->breaking = &k->requires_[which].what;
    k->claims.open = k->requires_[which].claimed;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const required *r = &k->requires_[i];
        /* An example of what was found to be a race: arrays of one size break both. */
        bool alike = k->claims.open && r->claimed && r->what.class_ < k->breaking->class_;
        if (i == which || alike || !r->fact || (r->unenforced && !all))
            continue;
        k->known.launch = smt_and(k->ctx, k->known.launch, r->what.term);
        k->known.required =
            k->known.required ? smt_and(k->ctx, k->known.required, r->what.term) : r->what.term;
    }
    if (k->implied)
        k->known.launch = smt_and(k->ctx, k->known.launch, k->implied);
    if (k->implied_unenforced && all)
        k->known.launch = smt_and(k->ctx, k->known.launch, k->implied_unenforced);
    if (k->breaking->of_contents)
        forget_contents(k, k->breaking);
    layout_forget(k);
    return b;
}

static void put_back(checker *k, before *b)
{
    enumerate_free(k);
    k->known = b->known;
    k->hoped = b->hoped;
    k->small.races = b->enumerated;
    k->small.undefined = b->undefined;
    k->small.done = b->enumeration_done;
    k->small.brief = b->enumerated_briefly;
    k->breaking = NULL;
    k->claims.open = false;
}

/* Returns the facts of a launch that a caller would make, where that leaves any that breaks the
 * fact. */
static smt_t natural(checker *k, const obligation_of *o, smt_t broken)
{
    smt_t any = smt_bool_const(k->ctx, true);
    smt_t all = smt_and(k->ctx, require_presumed(k),
                        require_both_natural(k, o->a, o->b, (copy_relation)o->relation));
    if (!smt_is_false(smt_and(k->ctx, all, broken)))
        return all;
    k->known.presumed = any; /* it is what shall be broken */
    return any;
}

/* Arrays as callers pass them: rows behind each other, and those of one rank of one shape. */
static smt_t usual_arrays(checker *k)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true);
    const ix_tensor *first[IR_MAX_RANK + 1] = {NULL};
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_tensor *t = k->s->accesses[i].tensor;
        if (!t)
            continue;
        const ix_tensor *like = first[t->rank] ? first[t->rank] : t;
        first[t->rank] = like;
        smt_t step = smt_int_const(ctx, 1);
        for (int d = t->rank - 1; d >= 0; d--) {
            all = smt_and(ctx, all, smt_eq(ctx, t->stride[d], step));
            all = smt_and(ctx, all, smt_eq(ctx, t->shape[d], like->shape[d]));
            step = smt_mul(ctx, step, t->shape[d]);
        }
    }
    return all;
}

typedef struct bounded { /* everything that a launch fixes: parameters, extents, contents */
    checker *k;
    smt_t least, most, all;
} bounded;

static void bound(bounded *b, smt_t term)
{
    smt_ctx *ctx = b->k->ctx;
    b->all = smt_and(ctx, b->all, smt_le(ctx, b->least, term));
    b->all = smt_and(ctx, b->all, smt_le(ctx, term, b->most));
}

static void bound_contents(void *user, smt_t term)
{
    bounded *b = user;
    int arg = summary_contents_arg(b->k->s, term);
    if (summary_contents_of(b->k->s, term, NULL) < 0)
        return;
    smt_t least = b->least;
    if (arg >= 0 && require_reads_unsigned(b->k, arg)) /* below 0 they are no small numbers */
        b->least = smt_int_const(b->k->ctx, 0);
    bound(b, term);
    b->least = least;
}

/* A launch that a person would write down, and that is replayed in no time. */
static smt_t modest(checker *k, query conjuncts, smt_int least, smt_int most)
{
    smt_ctx *ctx = k->ctx;
    bounded b = {k, smt_int_const(ctx, least), smt_int_const(ctx, most), smt_bool_const(ctx, true)};
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            bound(&b, contract_param(ctx, k->contract, i));
    for (int axis = 0; axis < 3; axis++)
        b.all = smt_and(ctx, b.all, smt_le(ctx, k->s->grid[axis], b.most));
    /* Numbers below 0 where they are what the launch shall show. */
    b.least = k->breaking->of_contents ? smt_int_const(ctx, -most) : smt_int_const(ctx, 0);
    query_visit(k, conjuncts, bound_contents, &b);
    return b.all;
}

/* The loops of both events end soon: `j < n` of an unsigned j goes on for ever where n is -1, and
 * no replay sees the end of that. */
static smt_t short_loops(checker *k, const obligation_of *o, smt_int most)
{
    const ix_access *both[2] = {o->a, o->b};
    smt_t all = smt_bool_const(k->ctx, true), end = smt_int_const(k->ctx, most);
    for (int i = 0; i < 2; i++)
        for (size_t l = 0; l < both[i]->n_loops; l++) {
            smt_t last = both[i]->loops[l]->last;
            if (last)
                last = copy_term(k, last, (copy_relation)o->relation, i);
            all = last ? smt_and(k->ctx, all, smt_le(k->ctx, last, end)) : all;
        }
    return all;
}

/* The smaller the launch, the better, and without steps of 0 or below; the last one has no
 * bound. */
static const struct {
    smt_int least, most;
} bounds[] = {{2, 8}, {1, 8}, {1, 160}, {1, 4096}, {-1, 4096}, {0, 0}};

/* A launch that breaks a precondition and races there, replayed; NULL: none was found. It is looked
 * for within bounds that widen; `briefly` leaves out the last step, which has none. `preferred` is
 * what the launch should look like besides. */
static witness *example_among(checker *k, const obligation_of *o, smt_t broken, smt_t preferred,
                              bool briefly)
{
    copy_relation relation = (copy_relation)o->relation;
    const char *why;
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, o->a, o->b, relation);
    query_add(k, &conjuncts, o->also);
    query_add(k, &conjuncts, pair_in_conflict(k, o->a, o->b, relation));
    query_add(k, &conjuncts, broken);
    query_add(k, &conjuncts, natural(k, o, broken));
    query_add(k, &conjuncts, preferred);
    witness *w = NULL;
    size_t tries = TR_COUNT(bounds) - briefly;
    for (size_t i = 0; i < tries && !w; i++) {
        bool open = i + 1 == TR_COUNT(bounds);
        smt_t small = smt_bool_const(k->ctx, true);
        if (!open)
            small = smt_and(k->ctx, modest(k, conjuncts, bounds[i].least, bounds[i].most),
                            short_loops(k, o, bounds[i].most));
        query among = query_with(k, conjuncts, small);
        smt_answer answer = ask(k, among, "example");
        if (answer.verdict == SMT_SAT)
            w = open ? pair_find_witness(k, o->a, o->b, relation, among, answer.model, "example",
                                         &why)
                     : witness_of_race(k, answer.model, o->a, o->b, relation, &why);
    }
    return w;
}

static witness *example_of_pair(checker *k, const obligation_of *o, smt_t broken, bool briefly)
{
    witness *w = k->claims.open ? example_among(k, o, broken, usual_arrays(k), briefly) : NULL;
    if (!w)
        w = example_among(k, o, broken, smt_bool_const(k->ctx, true), briefly);
    return w ? w : enumerate_witness(k, o->a, o->b, (copy_relation)o->relation);
}

static bool any_unenforced(const checker *k)
{
    bool any = k->implied_unenforced != NULL;
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        any |= k->requires_[i].unenforced;
    return any;
}

witness *example_find(checker *k, size_t which, bool briefly)
{
    const required *r = &k->requires_[which];
    obligation_of pair = r->purpose;
    if (!pair.a)
        return NULL;
    smt_t broken = r->fact ? smt_not(k->ctx, r->what.term) : smt_bool_const(k->ctx, true);
    witness *w = NULL;
    for (int all = 1; all >= 0 && !w && (all || (any_unenforced(k) && !briefly)); all--) {
        before b = leave_out(k, which, all);
        w = example_of_pair(k, &pair, broken, briefly);
        put_back(k, &b);
    }
    return w;
}

/* ---- Section: the verdict ---- */

/* Does the store put back what was computed from the same elements? Then what the author means is
 * an update. */
static bool is_update(const checker *k, const ix_access *store)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->reads && !a->atomic && a->allocation == store->allocation &&
            a->bytes == store->bytes)
            return true;
    }
    return false;
}

static finding *report_race(checker *k, const obligation_of *o, witness *w)
{
    switch ((copy_relation)o->relation) {
    case COPY_OTHER_BLOCK:
        return inter_block_report(k, CONFIDENCE_CONFIRMED, o->a, o->b, w);
    case COPY_SAME_BLOCK:
        return in_block_report(k, CONFIDENCE_CONFIRMED, o->a, o->b, w);
    default:
        return self_overlap_report(k, CONFIDENCE_CONFIRMED, o->a, w);
    }
}

/* The first elements of the buffer that the precondition is about, as the launch has them; none
 * that the two tile blocks do not read. */
static const char *contents_words(checker *k, const witness *w, size_t arg)
{
    enum { FEW = 8 };
    const contract_arg *a = &k->contract->args[arg];
    const char *name = contract_buffer_of(a);
    for (size_t i = 0; i < w->n_contents; i++) {
        const witness_contents *contents = &w->contents[i];
        if (strcmp(contents->buffer, name) != 0 || contents->count == 0)
            continue;
        size_t n = contents->n_read ? contents->n_read : contents->count;
        const char *words = tr_arena_printf(k->arena, "\n'%s' holds ", name);
        for (size_t v = 0; v < n && v < FEW; v++)
            words = tr_arena_printf(k->arena, "%s%s%lld", words, v ? ", " : "",
                                    (long long)contents->values[v]);
        return n > FEW ? tr_arena_printf(k->arena, "%s, ...", words) : words;
    }
    return "";
}

enum { MAX_FRAGMENT = 160 }; /* characters that a line of text has room for */

finding *example_report_one(checker *k, size_t which, const obligation_of *pair, witness *w)
{
    required *r = &k->requires_[which];
    const char *brief = precondition_brief(k->ctx, k->contract, &r->what);
    const char *fragment = precondition_fragment(k->ctx, k->contract, &r->what);
    const ix_access *store = pair->a->writes ? pair->a : pair->b;
    finding *f = report_race(k, pair, w);
    r->what.reason = f->message;
    finding_make_example(k->arena, f, which, brief);
    if (r->what.of_contents && r->what.kind != PRECONDITION_STALE_SYNCHRONISATION)
        for (size_t i = 0; i == 0 || i < r->what.n_args; i++) {
            size_t arg = r->what.n_args ? r->what.args[i] : r->what.subject.arg;
            f->words = tr_arena_printf(k->arena, "%s%s", f->words, contents_words(k, w, arg));
        }
    if (r->what.contents.unique && store->ordering == IR_WEAK && is_update(k, store))
        finding_add_fix(
            k->arena, f,
            tr_arena_printf(k->arena, "update '%s' by an atomic operation", buffer_name(k, store)));
    if (fragment)
        finding_add_fix(
            k->arena, f,
            strlen(fragment) < MAX_FRAGMENT
                ? tr_arena_printf(k->arena, "promise it in the launch contract: %s", fragment)
                : "promise it in the launch contract; 'tilerace contract' writes it");
    return f;
}

/* Was another precondition's example a race of the same two accesses? */
static bool is_shown(const checker *k, const obligation_of *o)
{
    return finding_exists(k, RULE_COUNT, o->a->op, o->relation == COPY_SAME_OP ? NULL : o->b->op);
}

/* The share of the kernel's steps for examples. A launch that none of the first tries replays is
 * hardly ever found by later ones, which take as long. The verdict needs one example, so the
 * example of a further precondition is searched among small launches alone. */
enum { MAX_EXAMPLES = 4, EXAMPLES_SHARE = 4 };

bool example_show_all(checker *k)
{
    size_t shown = 0;
    stale_outcome stale = stale_look_for(k);
    smt_steps steps = k->effort.steps, share = ask_taken(k) + steps / EXAMPLES_SHARE;
    k->effort.steps = share < steps ? share : steps;
    bool any = stale == STALE_SHOWN;
    for (size_t i = 0; i < arrlenu(k->requires_) && shown < MAX_EXAMPLES; i++) {
        const precondition *what = &k->requires_[i].what;
        if (what->class_ != PRECONDITION_CLASS_RACE ||
            what->kind == PRECONDITION_STALE_SYNCHRONISATION)
            continue;
        obligation_of pair = k->requires_[i].purpose;
        witness *w = what->kind == PRECONDITION_DISJOINT_REGIONS
                         ? shared_arrays_require(k, what, &pair)
                         : example_find(k, i, any);
        any |= w != NULL;
        if (w && !is_shown(k, &pair)) {
            example_report_one(k, i, &pair, w);
            shown++;
        }
    }
    k->effort.steps = steps;
    if (stale == STALE_OPEN && any)
        stale_depend_on_reset(k);
    else if (stale == STALE_OPEN)
        stale_leave_unsettled(k);
    return any;
}
