/* Launches as callers make them: a race that is shown may not break what holds of these.
 *
 * A race in a launch whose arrays overlap themselves, or whose kernel runs into undefined behaviour
 * that a require excludes, is no race of a launch that anybody is allowed to make. So where nothing
 * proves an obligation, its witness is looked for among natural launches only. A contract that
 * speaks of the strides says what is natural itself. */
#include "precondition/natural.h"

#include "interp/launch.h"
#include "precondition/added.h"
#include "precondition/clamps.h"
#include "precondition/contents_range.h"
#include "precondition/differ.h"
#include "precondition/fact.h"
#include "precondition/forbidden.h"
#include "precondition/hope.h"
#include "precondition/life.h"
#include "precondition/of_event.h"
#include "precondition/pairs.h"
#include "precondition/rows.h"
#include "precondition/tables.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/exact_contents.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

/* ---- Section: facts on the launch ---- */

static bool is_written(const checker *k, const ix_access *a)
{
    return a->allocation < 0 || k->s->allocations[a->allocation].written;
}

static bool is_forbidden(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                         smt_t also, smt_t fact)
{
    query life = require_life(k, a, b, relation, also);
    return require_admits(k, life, a, b, fact) == REQUIRE_FORBIDDEN;
}

/* The arrays that the kernel writes do not overlap themselves. */
static smt_t arrays_hold(checker *k)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->unknown || !is_written(k, a))
            continue; /* inputs may be broadcast */
        smt_t chain = a->tensor ? layout_chain(k, a->tensor) : require_array_chain(k, a);
        if (!chain || smt_is_true(chain) || !term_is_of_launch(k, chain) ||
            require_relates_extents(k, a, a, chain) || smt_is_false(smt_and(ctx, all, chain)) ||
            is_forbidden(k, a, a, COPY_OTHER_BLOCK, copy_blocks_differ(k), chain))
            continue;
        all = smt_and(ctx, all, chain);
    }
    return all;
}

smt_t require_presumed(checker *k)
{
    if (k->known.presumed)
        return k->known.presumed;
    k->known.presumed_arrays = arrays_hold(k);
    k->known.presumed_tables = require_tables_hold(k);
    smt_t all = smt_and(k->ctx, k->known.presumed_arrays, k->known.presumed_tables);
    if (!smt_is_true(all)) {
        if (ask_briefly(k, query_with(k, query_of_launch(k), all), "natural") != SMT_SAT)
            all = k->known.presumed_arrays = k->known.presumed_tables =
                smt_bool_const(k->ctx, true);
    }
    k->known.presumed = all;
    require_share_presumed(k);
    return all;
}

smt_t require_in_space(checker *k, const ix_access *a)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true), zero = smt_int_const(ctx, 0);
    for (int i = 0; i < a->n_index; i++)
        if (a->index_end[i])
            all = smt_and(ctx, all,
                          smt_and(ctx, smt_le(ctx, zero, a->index[i]),
                                  smt_lt(ctx, a->index[i], a->index_end[i])));
    return all;
}

smt_t require_defined(checker *k, const ix_access *a)
{
    if (k->undefined.open || a->unknown)
        return smt_bool_const(k->ctx, true);
    smt_t all = smt_and(k->ctx, a->assumed, require_in_space(k, a));
    return a->claimed ? smt_and(k->ctx, all, a->claimed) : all;
}

smt_t require_both_defined(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation)
{
    return smt_and(k->ctx, copy_term(k, require_defined(k, a), relation, 0),
                   copy_term(k, require_defined(k, b), relation, 1));
}

typedef struct index_search {
    const checker *k;
    uint64_t args;
} index_search;

static void look_for_index(void *user, smt_t term)
{
    index_search *s = user;
    int arg = summary_contents_arg(s->k->s, term);
    if (arg >= 0 && arg < 64)
        s->args |= (uint64_t)1 << arg;
}

/* Does the contract say how the elements compare with each other? */
static bool is_told(const contract_contents *c)
{
    return c->unique || c->unique_when || c->increasing || c->n_tuple || c->prefix_sum_of >= 0 ||
           c->values;
}

/* Does the contract say so of the buffer that the argument points into, whichever of its pointers
 * the facts are of? */
static bool is_told_of_buffer(const checker *k, int arg)
{
    const contract_arg *args = k->contract->args;
    bool told = is_told(&args[arg].contents);
    for (size_t i = 0; i < k->contract->n_args && !told; i++)
        told = contract_share_buffer(&args[i], &args[arg]) && is_told(&args[i].contents);
    return told;
}

static uint64_t buffers_written_by(const checker *k)
{
    index_search s = {k, 0};
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].writes && k->s->accesses[i].ordering == IR_WEAK)
            smt_visit(k->ctx, k->s->accesses[i].bytes, look_for_index, &s);
    return s.args;
}

uint64_t require_index_buffers(checker *k)
{
    uint64_t args = buffers_written_by(k);
    for (int arg = 0; arg < 64; arg++)
        if (args >> arg & 1 && (is_told_of_buffer(k, arg) || !require_may_all_differ(k, arg)))
            args &= ~((uint64_t)1 << arg);
    return args;
}

uint64_t require_stated_indices(const checker *k)
{
    uint64_t args = buffers_written_by(k);
    for (int arg = 0; arg < 64; arg++) {
        const contract_contents *c = args >> arg & 1 ? &k->contract->args[arg].contents : NULL;
        if (c &&
            (!c->unique || c->min || c->max || c->increasing || c->prefix_sum_of >= 0 || c->values))
            args &= ~((uint64_t)1 << arg);
    }
    return args;
}

bool require_is_left_open(const checker *k, size_t arg)
{
    const precondition *p = k->breaking;
    if (p && p->kind == PRECONDITION_DISJOINT_REGIONS)
        return true; /* lists of arrays, whose extents may well be equal */
    if (!p || !p->of_contents)
        return false;
    for (size_t i = 0; i < p->n_args; i++)
        if (p->args[i] == arg)
            return true;
    return p->subject.arg == arg;
}

static bool speaks_of(const checker *k, const ix_access *a, int arg)
{
    index_search s = {k, 0};
    smt_visit(k->ctx, a->bytes, look_for_index, &s);
    return s.args >> arg & 1;
}

/* The indices that the two write by are distinct. */
static void presume_indices(checker *k, const ix_access *a, const ix_access *b)
{
    uint64_t args = require_index_buffers(k);
    for (int i = 0; i < 64; i++)
        if (args >> i & 1 && !(k->known.contents.unique >> i & 1) &&
            (speaks_of(k, a, i) || speaks_of(k, b, i)) && !require_is_left_open(k, (size_t)i)) {
            k->known.contents.unique |= (uint64_t)1 << i;
            k->known.contents.unique_when[i] = NULL;
        }
}

/* The condition that nothing is accessed in front of its buffer, and no index is negative. */
static smt_t starts_inside(checker *k, const ix_access *a)
{
    if (a->unknown || a->allocation < 0 || k->s->allocations[a->allocation].space != IX_ARGUMENT)
        return smt_bool_const(k->ctx, true);
    return smt_le(k->ctx, smt_int_const(k->ctx, 0), a->bytes);
}

typedef struct natural_search {
    checker *k;
    smt_t all;     /* no index is negative */
    smt_t beyond;  /* and none is 0 */
    uint64_t args; /* whose elements they are */
} natural_search;

static void add_index(natural_search *s, smt_t term)
{
    int arg = summary_contents_arg(s->k->s, term);
    if (arg < 0 || arg >= 64 || s->k->contract->args[arg].contents.min ||
        require_is_left_open(s->k, (size_t)arg))
        return;
    smt_ctx *ctx = s->k->ctx;
    s->all = smt_and(ctx, s->all, smt_le(ctx, smt_int_const(ctx, 0), term));
    s->beyond = smt_and(ctx, s->beyond, smt_lt(ctx, smt_int_const(ctx, 0), term));
    s->args |= (uint64_t)1 << arg;
}

enum { MAX_INDEX_DEPTH = 12 };

/* Elements that are added to the address. One that a condition compares, or that a sum over a tile
 * is taken of, is no index. */
static void look_for_negative(natural_search *s, smt_t term, int depth)
{
    uint32_t first = term->kind == SMT_ITE ? 1 : 0, end = term->n_args;
    bool is_element = summary_contents_of(s->k->s, term, NULL) >= 0;
    if (is_element)
        add_index(s, term);
    else if (term->kind == SMT_DIV || term->kind == SMT_MOD)
        end = 1;
    else if (term->kind != SMT_SUM && term->kind != SMT_PROD && term->kind != SMT_ITE)
        return;
    for (uint32_t i = first; i < end && depth > 0; i++)
        look_for_negative(s, term->args[i], depth - 1);
}

static natural_search indices_of(checker *k, const ix_access *a)
{
    smt_t any = smt_bool_const(k->ctx, true);
    natural_search s = {k, any, any, 0};
    if (!a->unknown && !k->wraps.machine_values) /* where they lie is known there */
        look_for_negative(&s, a->bytes, MAX_INDEX_DEPTH);
    return s;
}

typedef struct element_search {
    checker *k;
    const ix_access *read;
    bool found; /* an element that this op may have loaded */
} element_search;

static void look_for_loaded(void *user, smt_t term)
{
    element_search *s = user;
    int width;
    if (summary_contents_of(s->k->s, term, &width) != s->read->allocation)
        return;
    smt_t number = smt_div(s->k->ctx, s->read->bytes, smt_int_const(s->k->ctx, width));
    s->found |= term->args[0] == number;
}

/* Did the access get its place from what this one loads, as `x[u[t[b]]]` does from `u[t[b]]`? */
static bool is_placed_by(checker *k, const ix_access *a, const ix_access *read)
{
    element_search s = {k, read, false};
    if (read->reads && !read->unknown && !a->unknown && read->allocation >= 0)
        smt_visit(k->ctx, a->bytes, look_for_loaded, &s);
    return s.found;
}

/* The places that the access was computed from start inside their buffers, where these loads
 * happen: a load in front of its buffer is undefined, so it gives no place of a defined launch. */
static smt_t places_start_inside(checker *k, const ix_access *a)
{
    smt_t all = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *read = &k->s->accesses[i];
        if (is_placed_by(k, a, read))
            all = smt_and(k->ctx, all,
                          smt_implies(k->ctx, smt_and(k->ctx, read->path, read->mask),
                                      starts_inside(k, read)));
    }
    return all;
}

static smt_t both_places_start_inside(checker *k, const ix_access *a, const ix_access *b,
                                      copy_relation relation)
{
    return smt_and(k->ctx, copy_term(k, places_start_inside(k, a), relation, 0),
                   copy_term(k, places_start_inside(k, b), relation, 1));
}

static smt_t both_start_inside(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation)
{
    return smt_and(k->ctx, copy_term(k, starts_inside(k, a), relation, 0),
                   copy_term(k, starts_inside(k, b), relation, 1));
}

static smt_t both_natural_indices(checker *k, const ix_access *a, const ix_access *b,
                                  copy_relation relation)
{
    return smt_and(k->ctx, copy_term(k, indices_of(k, a).all, relation, 0),
                   copy_term(k, indices_of(k, b).all, relation, 1));
}

/* A buffer that holds all values of 32 bits as elements has no first value beyond it. */
static smt_t both_lie_near(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation)
{
    const ix_access *both[2] = {a, b};
    smt_t all = smt_bool_const(k->ctx, true), end = smt_int_const(k->ctx, REQUIRE_NEAR);
    for (int i = 0; i < 2; i++)
        if (!both[i]->unknown)
            all = smt_and(k->ctx, all,
                          copy_term(k, smt_lt(k->ctx, both[i]->bytes, end), relation, i));
    return all;
}

enum { MAX_PLACE = 400 }; /* subterms */

/* The condition that ops which may be undefined are defined wherever the paths of the two blocks
 * lead to them, since a launch that is undefined shows no race. It proves nothing: where machine
 * values are compared, only races count. */
static smt_t blocks_run_defined(checker *k, copy_relation relation)
{
    smt_t all = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        smt_t when = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
        bool counts = h->undefined || h->kind == IX_ASSUME;
        if (counts && !smt_is_larger(when, MAX_PLACE) && !smt_is_larger(h->safe, MAX_PLACE))
            for (int copy = 0; copy < 2; copy++)
                all = smt_and(k->ctx, all,
                              copy_term(k, smt_implies(k->ctx, when, h->safe), relation, copy));
    }
    return all;
}

static smt_t both_lie_inside(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation)
{
    smt_t inside = both_start_inside(k, a, b, relation);
    if (!k->wraps.machine_values)
        return inside;
    inside = smt_and(k->ctx, inside, both_lie_near(k, a, b, relation));
    return smt_and(k->ctx, inside, blocks_run_defined(k, relation));
}

smt_t require_both_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation)
{
    smt_t inside = smt_and(k->ctx, both_lie_inside(k, a, b, relation),
                           both_natural_indices(k, a, b, relation));
    return smt_and(k->ctx, require_both_defined(k, a, b, relation), inside);
}

/* The pair meets where an index is negative: that none is is a precondition of the pair. */
static void ask_for_naturals(checker *k, const ix_access *a)
{
    uint64_t args = indices_of(k, a).args;
    for (int i = 0; i < 64; i++)
        if (args >> i & 1 && !contents_are_given(k, i))
            require_contents(k, &(contents_range){i, smt_int_const(k->ctx, 0), NULL});
}

static void ask_to_start_inside(checker *k, const ix_access *a)
{
    obligation_of pair = k->deciding;
    k->deciding =
        (obligation_of){0}; /* undefined behaviour of one event, whatever it is asked for */
    smt_t safe = starts_inside(k, a);
    smt_t path = smt_and(k->ctx, a->path, a->mask);
    smt_t when = smt_and(k->ctx, path, smt_and(k->ctx, a->facts, a->assumed));
    smt_t fails = smt_and(k->ctx, when, smt_not(k->ctx, safe));
    if (!smt_is_true(safe) &&
        !require_of_event(k, PRECONDITION_IN_BOUNDS, a->op, safe, path, a->facts, a->assumed))
        require_add_words(k, PRECONDITION_IN_BOUNDS, fails,
                          "no access to '%s' starts before its first element", buffer_name(k, a));
    k->deciding = pair;
}

static void ask_places_to_start_inside(checker *k, const ix_access *a)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (is_placed_by(k, a, &k->s->accesses[i]))
            ask_to_start_inside(k, &k->s->accesses[i]);
}

/* A presumption may not hide a race of the pair either. */
static void presume_less(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                         smt_t also)
{
    smt_t any = smt_bool_const(k->ctx, true);
    if (smt_is_true(require_presumed(k)))
        return;
    if (!smt_is_true(k->known.presumed_tables) &&
        is_forbidden(k, a, b, relation, also, k->known.presumed_tables))
        k->known.presumed_tables = any;
    if (!smt_is_true(k->known.presumed_arrays) &&
        is_forbidden(k, a, b, relation, also, k->known.presumed_arrays))
        k->known.presumed_arrays = any;
    k->known.presumed = smt_and(k->ctx, k->known.presumed_arrays, k->known.presumed_tables);
}

/* The conjuncts are refuted with `indices`, which says that no index is negative: is that needed?
 * Indices that were presumed distinct beyond the `stated` ones are presumed no longer where they
 * are not needed. */
static bool needs(checker *k, uint64_t stated, query conjuncts, smt_t indices, const char *name)
{
    uint64_t presumed = k->known.contents.unique;
    k->known.contents.unique = stated;
    if (presumed != stated && ask(k, query_with(k, conjuncts, indices), name).verdict != SMT_UNSAT)
        k->known.contents.unique = presumed;
    return !smt_is_true(indices) && ask(k, conjuncts, name).verdict != SMT_UNSAT;
}

/* Does "no index is negative" leave the elements a single value? `x[-row[b]]` starts in front of
 * its buffer for all elements but 0, and callers pass no table of zeros. */
static bool only_zeros_are_natural(checker *k, const ix_access *a)
{
    natural_search s = indices_of(k, a);
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, starts_inside(k, a));
    query_add(k, &conjuncts, s.beyond);
    return s.args && ask_briefly(k, conjuncts, "natural") == SMT_UNSAT;
}

/* Does "no index is negative" keep a clamp from clamping, as in `max(row[b], -1)`? See clamps.c.
 */
static bool undone_by_naturals(checker *k, const ix_access *a)
{
    if (only_zeros_are_natural(k, a))
        return true;
    uint32_t with = require_sides_taken(k, a, indices_of(k, a).all, false);
    return require_sides_taken(k, a, smt_bool_const(k->ctx, true), true) & ~with;
}

/* Does "elements differ" keep one of the access's clamps from clamping, or a remainder from
 * wrapping round, as in `id[b] == id[b + 1] ? 0 : b + 1`? */
static bool undone_by_presumed(checker *k, const ix_access *a, uint64_t stated)
{
    smt_t any = smt_bool_const(k->ctx, true);
    uint64_t presumed = k->known.contents.unique;
    uint32_t with = require_sides_taken(k, a, any, false);
    k->known.contents.unique = stated;
    uint32_t without = require_sides_taken(k, a, any, true);
    k->known.contents.unique = presumed;
    return without & ~with;
}

/* Is it enough that the loads which give the two their places start inside? Then that is added to
 * *more, and nothing has to be asked of where the two lie themselves. */
static bool places_suffice(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, smt_t *more, query conjuncts, const char *name)
{
    smt_t places = both_places_start_inside(k, a, b, relation);
    if (smt_is_true(places))
        return false;
    places = smt_and(k->ctx, *more, places);
    if (ask_briefly(k, query_with(k, conjuncts, places), name) != SMT_UNSAT)
        return false;
    *more = places;
    return true;
}

/* What a pair is asked about once more, and which of it the proof takes. */
typedef struct natural_pair {
    const ix_access *a, *b;
    copy_relation relation;
    smt_t also;      /* as require_natural() has it */
    uint64_t stated; /* index buffers that are distinct without being presumed to be */
    smt_t more;      /* holds of launches as callers make them, but for the indices */
    smt_t indices;   /* the indices are natural numbers */
    bool by_places;  /* of both, only the places where they start have to lie inside */
    bool by_indices; /* the proof needs `indices` */
} natural_pair;

static void presume(checker *k, const natural_pair *p)
{
    presume_indices(k, p->a, p->b);
    if (k->known.contents.unique != p->stated &&
        (undone_by_presumed(k, p->a, p->stated) || undone_by_presumed(k, p->b, p->stated)))
        k->known.contents.unique = p->stated;
    presume_less(k, p->a, p->b, p->relation, p->also);
}

/* Fills in what holds of the pair in launches as callers make them. */
static void find_natural(checker *k, natural_pair *p, query conjuncts, const char *name)
{
    smt_t inside = both_lie_inside(k, p->a, p->b, p->relation);
    p->indices = both_natural_indices(k, p->a, p->b, p->relation);
    p->more =
        smt_and(k->ctx, require_presumed(k), require_both_defined(k, p->a, p->b, p->relation));
    p->by_places = places_suffice(k, p->a, p->b, p->relation, &p->more, conjuncts, name);
    if (p->by_places)
        p->indices = smt_bool_const(k->ctx, true);
    else
        p->more = smt_and(k->ctx, p->more, inside);
    if (hope_is_left(k))
        p->more = smt_and(k->ctx, p->more, k->hoped.facts);
}

static bool adds_nothing(const checker *k, const natural_pair *p)
{
    return smt_is_true(p->more) && smt_is_true(p->indices) && !hope_is_left(k) &&
           k->known.contents.unique == p->stated;
}

static smt_answer open_because(smt_unknown_kind why, const char *text)
{
    return (smt_answer){.verdict = SMT_UNKNOWN, .why = why, .why_text = text};
}

/* Keeps the proof if launches meet what it takes. Otherwise the answer is unknown. */
static smt_answer admit(checker *k, const natural_pair *p, smt_answer proved)
{
    smt_t facts = p->by_indices ? smt_and(k->ctx, p->more, p->indices) : p->more;
    if (hope_is_left(k))
        return open_because(k->hoped.why, "the search for preconditions was cut short");
    require_answer reaches = require_reaches(k, p->a, p->b, p->relation, p->also, facts);
    if (reaches == REQUIRE_OPEN)
        hope_for_fact(k, facts, k->hoped.why);
    if (reaches != REQUIRE_ADMITTED)
        return open_because(SMT_WHY_NONE, "no launch was found that keeps the preconditions and in "
                                          "which both accesses happen");
    return proved;
}

static void require_what_is_presumed(checker *k, uint64_t stated)
{
    if (!smt_is_true(k->known.presumed)) {
        smt_t arrays = k->known.presumed_arrays, tables = k->known.presumed_tables;
        if (!smt_is_true(arrays))
            require_add_fact(k, PRECONDITION_NO_SELF_OVERLAP, arrays);
        if (!smt_is_true(tables))
            require_add_fact(k, PRECONDITION_IN_BOUNDS, tables);
    }
    for (int i = 0; i < 64; i++)
        if ((k->known.contents.unique & ~stated) >> i & 1)
            require_unique(k, i, k->known.contents.unique_when[i]);
}

static void require_what_is_natural(checker *k, const natural_pair *p)
{
    const ix_access *both[] = {p->a, p->b};
    size_t n = p->a == p->b ? 1 : 2;
    for (size_t i = 0; i < n && p->by_indices; i++)
        ask_for_naturals(k, both[i]);
    for (size_t i = 0; i < n; i++)
        if (p->by_places)
            ask_places_to_start_inside(k, both[i]);
        else
            ask_to_start_inside(k, both[i]);
}

smt_answer require_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, smt_t also, query *conjuncts, const char *name,
                           smt_answer before)
{
    natural_pair p = {.a = a, .b = b, .relation = relation, .also = also};
    p.stated = k->known.contents.unique;
    TR_ASSERT(before.verdict != SMT_UNSAT);
    presume(k, &p);
    find_natural(k, &p, *conjuncts, name);
    if (adds_nothing(k, &p))
        return before;
    query fewer = query_with(k, *conjuncts, p.more);
    *conjuncts = query_with(k, fewer, p.indices);
    smt_answer answer = ask(k, *conjuncts, name);
    if (answer.verdict != SMT_UNSAT)
        return answer;
    k->proved_near |= k->wraps.machine_values;
    p.by_indices = needs(k, p.stated, fewer, p.indices, name);
    if (p.by_indices && (undone_by_naturals(k, a) || undone_by_naturals(k, b))) {
        *conjuncts = fewer;
        answer = ask(k, fewer, name);
        if (answer.verdict != SMT_UNSAT)
            return answer;
        p.by_indices = false;
    }
    answer = admit(k, &p, answer);
    if (answer.verdict == SMT_UNSAT) {
        require_what_is_presumed(k, p.stated);
        require_what_is_natural(k, &p);
    }
    return answer;
}
