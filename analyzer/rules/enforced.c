/* Decides which launch preconditions a proof about two accesses may use.
 *
 * "Index in its space" is asked of the launch as a fact, say `n >= 4`, although the op may sit in a
 * branch or in a loop of no iterations. A launch that breaks the fact and never reaches the op does
 * nothing undefined, so a race of it is a race. A fact is *enforced* when every launch that breaks
 * it, and none of the enforced facts before it, does something undefined. Only enforced facts stay
 * in k->known.launch once undefined behaviour is decided; the others remain preconditions, so that
 * the ops that asked for them are defined, and a proof of disjointness that needs one has to find
 * it again, as a race precondition.
 *
 * Enforced is shown by instances. In an execution without undefined behaviour each op that may be
 * undefined is defined wherever it is executed, in every tile block, iteration and element (that
 * its path leads there may not be enough: precondition/reached.c);
 * so each instance "it is executed => the op is defined" holds of it, whatever the variables
 * that are not replaced stand for. If some of these instances, the enforced facts and the negated
 * fact are unsatisfiable together, the fact is enforced. The instances are those at the ends of
 * block ids, counters and coordinates, where facts are met or broken first, and at the first tile
 * block that the fact excludes, where it is a bound of the grid.
 *
 * Facts on the contents of buffers are asked of all elements, of which the ops read some: none of
 * them is enforced. */
#include "rules/enforced.h"

#include "precondition/natural.h"
#include "precondition/propose.h"
#include "precondition/reached.h"
#include "question/assumed.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"
#include "rules/sizes.h"
#include "witness/describe.h"
#include "witness/enumerate.h"

#include "base/ds.h"

#include <string.h>

/* Something that may be undefined: `good` holds of every execution without undefined behaviour that
 * takes the path. */
typedef struct place {
    const ir_op *op;
    smt_t path, good; /* `path`: the op is executed, not only led to (precondition/reached.c) */
    query at_ends;    /* its instances at ends, once some fact has asked */
} place;

typedef struct place_search {
    const reach *r;
    bool wraps; /* a value that wraps by definition counts as undefined, too */
    place *found;
} place_search;

/* Beyond such a value the terms tell nothing of a launch in which it wraps: what holds before the
 * op is known of defined executions only where that counts as undefined. */
static void add_place(place_search *s, const ir_op *op, smt_t path, smt_t facts, smt_t assumed,
                      smt_t safe)
{
    smt_ctx *ctx = s->r->k->ctx;
    smt_t good = smt_and(ctx, facts, safe);
    path = require_surely_reached(s->r, op, path);
    if (s->wraps)
        good = smt_and(ctx, good, assumed);
    else
        path = smt_and(ctx, path, assumed);
    if (!smt_is_true(good) && !smt_is_false(path))
        arrput(s->found, ((place){op, path, good, {0}}));
}

/* Divisors that are sizes are meant to be positive, which is a launch precondition of its own kind,
 * although a negative divisor is defined. Of others only 0 is undefined. */
static smt_t good_hazard(checker *k, const ix_hazard *h)
{
    smt_t positive = smt_lt(k->ctx, smt_int_const(k->ctx, 0), h->value);
    return h->kind == IX_DIVISION && sizes_is_divisor(k, h) ? smt_and(k->ctx, h->safe, positive)
                                                            : h->safe;
}

static place *find_places(const reach *r, bool wraps)
{
    checker *k = r->k;
    place_search s = {r, wraps, NULL};
    for (size_t i = 0; i < arrlenu(k->undefined.places); i++) {
        const undefined_place *p = &k->undefined.places[i];
        if (wraps || !p->of_wrap)
            add_place(&s, p->op, p->path, smt_bool_const(k->ctx, true), p->assumed, p->safe);
    }
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (wraps || h->kind != IX_WRAP || h->undefined)
            add_place(&s, h->op, h->path, h->facts, h->assumed, good_hazard(k, h));
    }
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->unknown)
            continue;
        smt_t safe = require_in_space(k, a);
        if (a->claimed)
            safe = smt_and(k->ctx, safe, a->claimed);
        add_place(&s, a->op, a->path, a->facts, a->assumed, safe);
    }
    return s.found;
}

/* ---- Section: instances ---- */

enum { MAX_ENDS = 16, ALL_CHOICES = 5, MAX_INSTANCES = 64, MAX_SIZE = 2000 };

typedef struct ends { /* the variables that were replaced so far, in order */
    checker *k;
    const reach *reach;
    size_t n;
    uint32_t upper; /* by position: at its upper end */
    int axis;       /* whose id is `id` instead of one of its ends; -1: none */
    smt_t id;
    smt_t within; /* the ends are values of the variables */
} ends;

static smt_t put_end(ends *e, smt_t term, smt_t variable, smt_t lower, smt_t upper)
{
    smt_t within;
    if (e->n == MAX_ENDS || !smt_contains(term, variable))
        return term;
    smt_t to = e->upper >> e->n++ & 1 ? upper : lower;
    term = smt_instantiate(e->k->ctx, term, 1, &variable, &to, &within);
    e->within = smt_and(e->k->ctx, e->within, within);
    return term;
}

typedef struct coordinates {
    const checker *k;
    smt_t *found; /* stb_ds array */
} coordinates;

static bool is_counter_or_id(const checker *k, smt_t variable)
{
    for (size_t i = 0; i < arrlenu(k->s->loops); i++)
        if (k->s->loops[i]->counter == variable)
            return true;
    return copy_is_block_id(k, variable);
}

static void look_for_coordinate(void *user, smt_t term)
{
    coordinates *c = user;
    bool bounded = term->kind == SMT_VAR && term->low == 0 && term->high < SMT_NO_HIGH;
    if (bounded && summary_private(c->k->s, term) && !is_counter_or_id(c->k, term))
        arrput(c->found, term);
}

/* The implication at the ends that e->upper names; sets e->n. Inner counters go first: where they
 * end may depend on outer ones, and those on block ids. */
static smt_t instance(ends *e, const place *p)
{
    checker *k = e->k;
    smt_ctx *ctx = k->ctx;
    smt_t zero = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1);
    smt_t term = smt_implies(ctx, p->path, p->good);
    coordinates c = {.k = k};
    e->n = 0;
    e->within = smt_bool_const(ctx, true);
    for (size_t i = arrlenu(k->s->loops); i-- > 0;) {
        const ix_loop *loop = k->s->loops[i];
        bool later = require_later_reached(e->reach, p->op, loop->op);
        bool counted = loop->op->code == IR_OP_FOR && loop->last; /* elsewhere `last` is a guess */
        smt_t end = !later ? zero : counted ? loop->last : one;
        term = put_end(e, term, loop->counter, zero, end);
    }
    smt_visit(ctx, term, look_for_coordinate, &c);
    for (size_t i = 0; i < arrlenu(c.found); i++)
        term = put_end(e, term, c.found[i], zero, smt_int_const(ctx, c.found[i]->high));
    arrfree(c.found);
    for (int axis = 0; axis < 3; axis++) {
        smt_t id = k->s->block_id[axis], last = smt_sub(ctx, k->s->grid[axis], one);
        if (smt_is_const(id, NULL))
            continue;
        if (axis != e->axis) {
            term = put_end(e, term, id, zero, last);
            continue;
        }
        term = put_end(e, term, id, e->id, e->id);
        smt_t exists = smt_and(ctx, smt_le(ctx, zero, e->id), smt_le(ctx, e->id, last));
        e->within = smt_and(ctx, e->within, exists);
    }
    return smt_implies(ctx, e->within, term);
}

/* The first tile block that `grid <= end` excludes, on the axis that the fact speaks of; -1: it is
 * no such fact. */
static int first_excluded(checker *k, smt_t fact, smt_t *id)
{
    smt_t sum = fact->kind == SMT_LE ? fact->args[0] : NULL;
    for (uint32_t i = 0; sum && sum->kind == SMT_SUM && i < sum->n_args; i++)
        for (int axis = 0; axis < 3; axis++)
            if (sum->args[i] == k->s->grid[axis] && sum->coefs[i] == 1) {
                *id = smt_sub(k->ctx, sum->args[i], sum);
                return axis;
            }
    return -1;
}

/* All choices of ends of a few variables; of many, all of them at one end but for at most one. They
 * are the same for every fact. */
static void make_ends(const reach *r, place *p)
{
    ends e = {.k = r->k, .reach = r, .axis = -1, .upper = ~(uint32_t)0};
    query_add(e.k, &p->at_ends, instance(&e, p));
    size_t n = e.n;
    for (uint32_t choice = 0; n <= ALL_CHOICES && choice + 1 < (uint32_t)1 << n; choice++) {
        e.upper = choice;
        query_add(e.k, &p->at_ends, instance(&e, p));
    }
    for (size_t one = 0; n > ALL_CHOICES && one <= n; one++) {
        e.upper = one < n ? ~((uint32_t)1 << one) : 0;
        query_add(e.k, &p->at_ends, instance(&e, p));
        e.upper = ~e.upper;
        if (one < n)
            query_add(e.k, &p->at_ends, instance(&e, p));
    }
}

/* The place's instances: at the first tile block that the fact excludes, and at ends. */
static query instances_of(const reach *r, place *p, smt_t fact)
{
    query all = {0};
    ends e = {.k = r->k, .reach = r};
    e.axis = first_excluded(r->k, fact, &e.id);
    for (int upper = 0; upper < 2 && e.axis >= 0; upper++) {
        e.upper = upper ? ~(uint32_t)0 : 0;
        query_add(e.k, &all, instance(&e, p));
    }
    if (p->at_ends.n == 0)
        make_ends(r, p);
    return query_and(e.k, all, p->at_ends);
}

/* ---- Section: which facts are enforced ---- */

/* Does the place speak of a quantity of the fact? A block id speaks of its axis' extent. */
static bool is_related(checker *k, const place *p, smt_t fact)
{
    bool related = smt_share_unknown(p->good, fact) || smt_share_unknown(p->path, fact);
    for (int axis = 0; axis < 3; axis++)
        related |= smt_contains(fact, k->s->grid[axis]) && !smt_is_const(k->s->grid[axis], NULL) &&
                   smt_contains(p->good, k->s->block_id[axis]);
    return related;
}

/* Instances are plain: what is found at all is found by the strategies, in a few thousand steps. */
enum { ASK = 10 * 1000 };

static smt_verdict broken_beside(checker *k, smt_t enforced, smt_t fact, query instances)
{
    query broken = query_with(k, (query){0}, enforced);
    query_add(k, &broken, smt_not(k->ctx, fact));
    return ask_verdict(k, query_and(k, broken, instances), "enforced", ASK);
}

/* First, all places are asked at once: a launch that breaks the fact beside all of them ends the
 * search. Where that stays open, one place may still be decided. */
static bool is_enforced(const reach *r, smt_t enforced, smt_t fact, place *places)
{
    checker *k = r->k;
    query all = {0}, *own = NULL; /* of all places; of each: stb_ds array */
    for (size_t i = 0; i < arrlenu(places) && all.n < MAX_INSTANCES; i++) {
        if (!is_related(k, &places[i], fact) || smt_is_larger(places[i].good, MAX_SIZE) ||
            smt_is_larger(places[i].path, MAX_SIZE))
            continue;
        query instances = instances_of(r, &places[i], fact);
        arrput(own, instances);
        all = query_and(k, all, instances);
    }
    smt_verdict verdict = all.n ? broken_beside(k, enforced, fact, all) : SMT_SAT;
    for (size_t i = 0; i < arrlenu(own) && verdict == SMT_UNKNOWN && arrlenu(own) > 1; i++)
        if (broken_beside(k, enforced, fact, own[i]) == SMT_UNSAT)
            verdict = SMT_UNSAT;
    arrfree(own);
    return verdict == SMT_UNSAT;
}

smt_t enforced_kept_without_wraps(checker *k)
{
    reach r = require_reach(k);
    place *places = find_places(&r, false);
    smt_t launch = smt_and(k->ctx, k->s->launch, k->given);
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        required *q = &k->requires_[i];
        q->only_wraps = q->fact && q->what.class_ == PRECONDITION_CLASS_LAUNCH &&
                        !is_enforced(&r, launch, q->fact, places);
        if (q->fact && !q->only_wraps)
            launch = smt_and(k->ctx, launch, q->fact);
    }
    arrfree(places);
    require_reach_free(&r);
    return launch;
}

/* Forgets what was asked of the contents of buffers so that single events are defined. */
static void forget_contents(checker *k)
{
    assume_no_range(k, ~(uint64_t)0);
}

void enforced_keep(checker *k)
{
    smt_ctx *ctx = k->ctx;
    reach r = require_reach(k);
    place *places = find_places(&r, true);
    smt_t launch = smt_and(ctx, k->s->launch, k->given), kept = NULL;
    bool all = true;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        required *q = &k->requires_[i];
        if (!q->fact)
            continue;
        q->unenforced = q->what.class_ == PRECONDITION_CLASS_LAUNCH &&
                        !is_enforced(&r, launch, q->fact, places);
        all &= !q->unenforced;
        if (q->unenforced) {
            k->unenforced = k->unenforced ? smt_and(ctx, k->unenforced, q->fact) : q->fact;
            continue;
        }
        launch = smt_and(ctx, launch, q->fact);
        kept = kept ? smt_and(ctx, kept, q->fact) : q->fact;
    }
    arrfree(places);
    require_reach_free(&r);
    forget_contents(k);
    /* The facts on locks and tickets were asked of another launch: of one that met less while
     * undefined behaviour was looked for, or of one that met facts that do not count any more. */
    k->known.sync = NULL;
    if (all)
        return;
    k->known.launch = launch;
    k->known.required = kept;
    k->known.presumed = NULL;
    layout_forget(k);
    enumerate_again(k);
}

/* ---- Section: launches that race ---- */

typedef struct witness_values {
    const checker *k;
    const witness *w;
} witness_values;

static bool look_up(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    const witness_values *v = user;
    (void)n_args, (void)args;
    return witness_tells(v->k->ctx, v->k->contract, v->w, variable, value);
}

static bool is_broken(const checker *k, smt_t fact)
{
    for (size_t i = 0; i < arrlenu(k->findings); i++) {
        const finding *f = &k->findings[i];
        witness_values v = {k, f->witness};
        smt_int value;
        if (f->witness && rule_is_race(f->rule) &&
            (!smt_eval(fact, look_up, &v, &value) || value == 0))
            return true;
    }
    return false;
}

/* A sentence for what the fact was asked for, which is true of the racing launch, too; NULL: that
 * kind has none. */
static const char *meant_words(precondition_kind kind)
{
    switch (kind) {
    case PRECONDITION_IN_BOUNDS:
        return "every access lies in its buffer";
    case PRECONDITION_INDEX_IN_SPACE:
        return "every index lies in its index space";
    default:
        return NULL;
    }
}

void enforced_drop_broken(checker *k)
{
    size_t kept = 0;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        required r = k->requires_[i];
        if (r.unenforced && is_broken(k, r.fact)) {
            const char *words = meant_words(r.what.kind);
            if (!words)
                continue;
            r.what = precondition_of(r.what.kind);
            r.what.words = words;
            r.fact = NULL;
        }
        k->requires_[kept++] = r;
    }
    arrsetlen(k->requires_, kept);
}
