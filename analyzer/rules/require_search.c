/* The weakest launch precondition that makes a proof go through, where the contract is silent.
 *
 * Candidates are read off the program (require_candidates.c): each is tied to a feature of it (a
 * loop's stride, a view's strides, a row stride and the column bound beside it, an index buffer).
 * One is accepted only when
 *   - it speaks of a quantity that the contract leaves open, so that nothing stated is narrowed;
 *   - the obligation is proved with it;
 *   - with it, two different blocks can still reach the pair: else it would hide every race. */
#include "rules/require_candidates.h"
#include "rules/require_forbidden.h"
#include "rules/sync.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: trying ---- */

bool require_leaves_reachable(checker *k, const ix_access *a, const ix_access *b,
                              copy_relation relation, smt_t also, smt_t fact)
{
    smt_t *conjuncts = NULL;
    copy_add_pair(k, &conjuncts, a, b, relation);
    arrput(conjuncts, also);
    arrput(conjuncts, fact);
    bool reachable = ask(k, conjuncts, "require-reachable").verdict == SMT_SAT;
    arrfree(conjuncts);
    return reachable;
}

typedef struct array_search {
    const checker *k;
    bool stranger;
} array_search;

static void look_for_stranger(void *user, smt_t term)
{
    array_search *s = user;
    const contract *c = s->k->contract;
    if (term->kind != SMT_VAR)
        return;
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].member.role != CONTRACT_ALONE && contract_param(s->k->ctx, c, i) == term)
            return;
    s->stranger = true;
}

/* Does the fact speak of extents and strides of arrays that were passed as such, and of nothing
 * else? Those of a tensor that the kernel makes of numbers are the kernel's own. */
static bool is_of_arrays(const checker *k, smt_t fact)
{
    array_search s = {k, false};
    smt_visit(k->ctx, fact, look_for_stranger, &s);
    return !s.stranger;
}

void require_add_fact(checker *k, precondition_kind kind, smt_t fact)
{
    precondition what = precondition_of_term(kind, fact);
    if (kind == PRECONDITION_NO_SELF_OVERLAP && k->deciding.a && !is_of_arrays(k, fact))
        what.class_ = PRECONDITION_CLASS_RACE;
    /* A length that a pair of accesses asks for: in a shorter table they meet, with no undefined
     * behaviour before. */
    if (kind == PRECONDITION_IN_BOUNDS && k->deciding.a)
        what.class_ = PRECONDITION_CLASS_RACE;
    require_add(k, what, fact);
}

static contents_range range_of(const candidate *c)
{
    return (contents_range){c->range_arg, c->low, c->high};
}

/* Assumes what the candidate says of contents, from now on. */
static void assume_contents(checker *k, const candidate *c)
{
    int unique = c->unique_arg;
    if (unique >= 0 && c->n_with) {
        arrput(k->assumed_tuples, ((contents_tuple){unique, c->n_with, c->with}));
    } else if (unique >= 0 && !(k->assumed_unique >> unique & 1)) {
        k->assumed_unique |= (uint64_t)1 << unique;
        k->unique_when[unique] = c->when;
    }
    if (c->range_arg >= 0) {
        arrput(k->assumed_ranges, range_of(c));
        if (c->prefix_of >= 0) {
            k->assumed_prefix |= (uint64_t)1 << c->range_arg;
            k->prefix_of[c->range_arg] = c->prefix_of;
        }
        if (c->increasing)
            k->assumed_increasing |= (uint64_t)1 << c->range_arg;
    }
}

static void accept(checker *k, const candidate *c)
{
    if (c->unique_arg >= 0) {
        assume_contents(k, c);
        if (c->n_with)
            require_unique_tuple(k, c->unique_arg, c->n_with, c->with);
        else
            require_unique(k, c->unique_arg, c->when);
        return;
    }
    if (c->range_arg >= 0) {
        contents_range range = range_of(c);
        if (range.low || range.high)
            require_contents(k, &range);
        if (c->increasing && !k->contract->args[c->range_arg].contents.increasing)
            require_increasing(k, c->range_arg);
        if (c->prefix_of >= 0)
            require_prefix_sum(k, c->range_arg, c->prefix_of);
        return;
    }
    require_add_fact(k, c->kind, c->fact);
}

/* The fact might have been enough: without an answer, a race is one only where the fact holds too.
 */
static void hope_for(checker *k, smt_t fact, smt_unknown_kind why)
{
    smt_t all = k->hoped ? smt_and(k->ctx, k->hoped, fact) : fact;
    if (!smt_is_false(smt_and(k->ctx, k->launch, all)))
        k->hoped = all;
    k->hoped_why = why > k->hoped_why ? why : k->hoped_why;
}

typedef struct obligation {
    const ix_access *a, *b;
    copy_relation relation;
    smt_t also;
    const smt_t *conjuncts;
    smt_model **refuting; /* stb_ds array: models of what was not proved */
    smt_t *life;          /* stb_ds array: see require_life; NULL: not asked yet */
    uint32_t sides[2];    /* of a and b: see require_sides_taken; 0: not asked yet */
} obligation;

typedef struct assumed { /* what was assumed of contents */
    uint64_t unique, increasing, prefix;
    size_t ranges, tuples;
} assumed;

static assumed assumed_of(const checker *k)
{
    return (assumed){k->assumed_unique, k->assumed_increasing, k->assumed_prefix,
                     arrlenu(k->assumed_ranges), arrlenu(k->assumed_tuples)};
}

static void assume_again(checker *k, const assumed *before)
{
    k->assumed_unique = before->unique;
    k->assumed_increasing = before->increasing;
    k->assumed_prefix = before->prefix;
    arrsetlen(k->assumed_ranges, before->ranges);
    arrsetlen(k->assumed_tuples, before->tuples);
}

/* A launch that was met already and in which the kept facts hold: they are not enough. */
static bool is_countered(const obligation *o, const candidate *candidates, const bool *kept)
{
    for (size_t m = 0; m < arrlenu(o->refuting); m++) {
        bool holds = true;
        for (size_t i = 0; i < arrlenu(candidates) && holds; i++) {
            smt_int value;
            bool of_contents = candidates[i].unique_arg >= 0 || candidates[i].range_arg >= 0;
            holds =
                !kept[i] || (!of_contents &&
                             smt_model_eval(o->refuting[m], candidates[i].fact, &value) && value);
        }
        if (holds)
            return true;
    }
    return false;
}

/* Steps for one candidate, and for all: that, or a share of what is left. */
enum { ONE = 400 * 1000, ALONE = 1500 * 1000, ALL = 8000 * 1000, SHARE = 3 };

/* Do the kept candidates prove it? */
static bool proves(checker *k, obligation *o, const candidate *candidates, const bool *kept,
                   smt_steps most)
{
    if (is_countered(o, candidates, kept))
        return false;
    assumed before = assumed_of(k);
    smt_t *with = NULL;
    for (size_t i = 0; i < arrlenu(o->conjuncts); i++)
        arrput(with, o->conjuncts[i]);
    for (size_t i = 0; i < arrlenu(candidates); i++) {
        if (!kept[i])
            continue;
        arrput(with, candidates[i].fact);
        assume_contents(k, &candidates[i]);
    }
    smt_answer answer = ask_for(k, with, "require", most);
    smt_verdict verdict = answer.verdict;
    if (verdict == SMT_SAT)
        arrput(o->refuting, answer.model);
    if (verdict == SMT_UNKNOWN && k->assumed_unique && most > ONE)
        verdict = require_ask_by_index(k, with); /* takes long: not for each one */
    if (verdict == SMT_UNKNOWN && k->assumed_increasing)
        verdict = require_ask_by_order(k, with);
    bool proved = verdict == SMT_UNSAT;
    for (size_t i = 0; verdict == SMT_UNKNOWN && i < arrlenu(candidates); i++)
        if (kept[i])
            hope_for(k, candidates[i].fact, answer.why);
    assume_again(k, &before);
    arrfree(with);
    return proved;
}

static smt_t kept_facts(checker *k, const candidate *candidates, const bool *kept)
{
    smt_t facts = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(candidates); i++)
        if (kept[i])
            facts = smt_and(k->ctx, facts, candidates[i].fact);
    return facts;
}

/* Every axis that the kernel reads may still have two blocks, where it could before. */
static bool leaves_axes(checker *k, smt_t facts)
{
    for (int axis = 0; axis < 3; axis++) {
        smt_t extent = k->s->grid[axis];
        if (smt_is_const(extent, NULL))
            continue;
        smt_t *conjuncts = NULL;
        arrput(conjuncts, k->launch);
        arrput(conjuncts, smt_le(k->ctx, smt_int_const(k->ctx, 2), extent));
        bool before = ask_briefly(k, conjuncts, "require-axis").verdict != SMT_UNSAT;
        arrput(conjuncts, facts);
        bool after = ask_briefly(k, conjuncts, "require-axis").verdict != SMT_UNSAT;
        arrfree(conjuncts);
        if (before && !after)
            return false;
    }
    return true;
}

/* The two events on different locations, which is what a precondition leaves of them. The addresses
 * are part of the question, so that what is assumed of contents counts. */
static smt_t events_apart(checker *k, const obligation *o)
{
    bool known = !o->a->unknown && !o->b->unknown;
    return known ? smt_not(k->ctx, copy_same_location(k, o->a, o->b, o->relation))
                 : smt_bool_const(k->ctx, true);
}

/* With what was found for other pairs, too, the facts leave what each leaves alone: two that meet
 * in one value of a size, `s >= 16` and `s <= 16`, are no two bounds. Where the others alone keep
 * the pair from happening, it has no part in what they leave. */
static bool lives_together(checker *k, const obligation *o, smt_t facts)
{
    smt_t others = require_found_facts(k), all = smt_and(k->ctx, others, facts);
    if (all == facts || all == others)
        return true;
    require_answer answer = require_leaves_life(k, o->life, all);
    return answer == REQUIRE_ADMITTED || (answer == REQUIRE_OPEN && leaves_axes(k, all)) ||
           (require_leaves_life(k, o->life, others) == REQUIRE_FORBIDDEN && leaves_axes(k, all));
}

/* The facts, with what is assumed of contents, leave launches with several of everything in which
 * both events happen: see require_forbidden.c. */
static bool leaves_launches(checker *k, obligation *o, smt_t facts)
{
    if (!o->life)
        o->life = require_life(k, o->a, o->b, o->relation, o->also);
    smt_t apart = events_apart(k, o);
    arrput(o->life, apart);
    require_answer answer = require_leaves_life(k, o->life, facts);
    bool together = answer == REQUIRE_FORBIDDEN || lives_together(k, o, facts);
    (void)arrpop(o->life);
    if (!together)
        return false;
    if (answer != REQUIRE_OPEN)
        return answer == REQUIRE_ADMITTED;
    return require_leaves_reachable(k, o->a, o->b, o->relation, o->also, facts) &&
           leaves_axes(k, facts);
}

/* Every clamp of the two addresses still clamps, and every remainder still wraps round, that does
 * so without the candidates. `with`: the sides that are taken with them. */
static bool leaves_clamps(checker *k, obligation *o, const uint32_t *with)
{
    const ix_access *both[2] = {o->a, o->b};
    for (int i = 0; i < 2; i++) {
        if (i == 1 && o->a == o->b)
            break;
        if (!o->sides[i])
            o->sides[i] = require_sides_taken(k, both[i], smt_bool_const(k->ctx, true), true);
        if (o->sides[i] & ~with[i])
            return false;
    }
    return true;
}

/* Not all guards are closed by the candidates that are open without: on both sides of the pair, as
 * the fact may be what one access without a guard needs of the other. */
static bool leaves_guards(checker *k, const obligation *o, const uint32_t *closed)
{
    smt_t any = smt_bool_const(k->ctx, true);
    return !closed[1] || !require_guards_open(k, o->a, any, closed[0]) ||
           (o->a != o->b && !require_guards_open(k, o->b, any, closed[1]));
}

/* May the launch be asked for the kept candidates? */
static bool may_ask(checker *k, obligation *o, const candidate *candidates, const bool *kept)
{
    smt_t facts = kept_facts(k, candidates, kept);
    assumed before = assumed_of(k);
    for (size_t i = 0; i < arrlenu(candidates); i++)
        if (kept[i])
            assume_contents(k, &candidates[i]);
    bool leaves = leaves_launches(k, o, facts);
    uint32_t with[2] = {0}, closed[2] = {0};
    for (int i = 0; i < 2 && leaves; i++) {
        const ix_access *a = i ? o->b : o->a;
        uint32_t about = require_guards_about(k, a, facts);
        with[i] = i && o->a == o->b ? with[0] : require_sides_taken(k, a, facts, false);
        closed[i] =
            i && o->a == o->b ? closed[0] : about & ~require_guards_open(k, a, facts, about);
    }
    assume_again(k, &before);
    return leaves && leaves_clamps(k, o, with) && leaves_guards(k, o, closed);
}

/* Leaves candidates first .. end - 1 out where the others prove it. */
static void drop_chunk(checker *k, obligation *o, const candidate *candidates, bool *kept,
                       size_t first, size_t end, smt_steps most)
{
    size_t n = arrlenu(candidates), inside = 0;
    bool *fewer = TR_NEW_ARRAY(k->arena, bool, n);
    for (size_t i = 0; i < n; i++) {
        bool own = i >= first && i < end;
        fewer[i] = kept[i] && !own;
        inside += kept[i] && own;
    }
    if (inside && ask_left(k) > 0 && proves(k, o, candidates, fewer, most))
        memcpy(kept, fewer, n * sizeof *kept);
}

/* Of the kept ones, which prove it together, those that are needed: the last, which are the least
 * natural, go first, or the other way round. False when they do not prove it. */
static bool drop_needless(checker *k, obligation *o, const candidate *candidates, bool *kept,
                          bool from_last)
{
    size_t n = arrlenu(candidates), left = 0;
    for (size_t i = 0; i < n; i++)
        left += kept[i];
    smt_steps most = ask_left(k) / SHARE, before = ask_taken(k);
    if (left < 2 || !proves(k, o, candidates, kept, most < ALL ? most : ALL))
        return false;
    smt_steps each = ONE + ask_taken(k) - before; /* fewer: hardly any easier */
    for (size_t chunk = n / 2; chunk > 0; chunk /= 2)
        for (size_t at = 0; at < n; at += chunk) {
            size_t end = at + chunk < n ? at + chunk : n;
            if (from_last)
                drop_chunk(k, o, candidates, kept, n - end, n - at, each);
            else
                drop_chunk(k, o, candidates, kept, at, end, each);
        }
    return true;
}

/* All that are not vacuous, and of those that are alone the one that is named. */
static bool choose_among(checker *k, obligation *o, const candidate *candidates,
                         const bool *vacuous, size_t which, bool *kept)
{
    size_t n = arrlenu(candidates);
    for (int from_last = 1; from_last >= 0; from_last--) {
        for (size_t i = 0; i < n; i++)
            kept[i] = !vacuous[i] && (!candidates[i].alone || i == which);
        if (!drop_needless(k, o, candidates, kept, from_last))
            return false;
        if (may_ask(k, o, candidates, kept))
            return true;
    }
    return false;
}

/* A smallest set of candidates that proves it: one alone if one does, else all of them, less each
 * that is not needed. One that proves it because nothing is left to prove is none. False when all
 * together do not. */
static bool choose(checker *k, obligation *o, const candidate *candidates, bool *kept)
{
    size_t n = arrlenu(candidates);
    bool *vacuous = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        memset(kept, 0, n * sizeof *kept);
        kept[i] = true;
        vacuous[i] = false;
        smt_steps most = candidates[i].alone ? ALONE : ONE;
        if (ask_left(k) == 0 || !proves(k, o, candidates, kept, most))
            continue;
        if (may_ask(k, o, candidates, kept)) {
            kept[i] = false; /* without it there may only have been too few steps */
            kept[i] = !proves(k, o, candidates, kept, ask_left(k) / 2);
            return true;
        }
        vacuous[i] = true;
    }
    for (size_t which = 0; which <= n; which++) /* of those that are alone, or none of them */
        if ((which == n || (candidates[which].alone && !vacuous[which])) &&
            choose_among(k, o, candidates, vacuous, which, kept))
            return true;
    return false;
}

static bool is_same(const candidate *x, const candidate *y)
{
    return x->fact == y->fact && x->unique_arg == y->unique_arg && x->when == y->when &&
           x->n_with == y->n_with && x->range_arg == y->range_arg && x->low == y->low &&
           x->high == y->high && x->prefix_of == y->prefix_of && x->increasing == y->increasing;
}

/* What the pair's own form speaks for, and what was found for other pairs: it costs no more words.
 */
static candidate *candidates_with_found(checker *k, const ix_access *a, const ix_access *b)
{
    candidate *all = require_found(k), *own = require_candidates(k, a, b);
    size_t n = arrlenu(all);
    for (size_t i = 0; i < arrlenu(own); i++) {
        bool known = false;
        for (size_t j = 0; j < n; j++)
            known |= is_same(&own[i], &all[j]);
        if (!known)
            arrput(all, own[i]);
    }
    arrfree(own);
    return all;
}

static bool search_with(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                        smt_t also, const smt_t *conjuncts)
{
    candidate *found = candidates_with_found(k, a, b);
    obligation o = {a, b, relation, also, conjuncts, NULL, NULL, {0}};
    bool *kept = TR_NEW_ARRAY(k->arena, bool, arrlenu(found) + 1);
    bool proved = arrlenu(found) > 0 && choose(k, &o, found, kept);
    for (size_t i = 0; proved && i < arrlenu(found); i++)
        if (kept[i])
            accept(k, &found[i]);
    arrfree(o.refuting);
    arrfree(o.life);
    arrfree(found);
    return proved;
}

/* In a short time, or by cases of the tables that are required to hold different numbers. */
static bool is_refuted(checker *k, const smt_t *conjuncts, const char *name)
{
    smt_verdict verdict = ask_briefly(k, conjuncts, name).verdict;
    if (verdict == SMT_UNKNOWN)
        verdict = require_ask_by_index(k, conjuncts);
    return verdict == SMT_UNSAT;
}

/* With tensors that do not overlap themselves coordinates stand for addresses, which makes another,
 * easier question of the obligation. */
static bool search_by_layout(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also)
{
    smt_t launch = k->launch, chain = smt_bool_const(k->ctx, true);
    const ix_access *x = layout_as_view(k, a), *y = a == b ? x : layout_as_view(k, b);
    bool seen_otherwise = x != a || y != b;
    a = x;
    b = y;
    const ix_access *both[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i]->tensor && !layout_is_injective(k, both[i]->tensor))
            chain = smt_and(k->ctx, chain, layout_chain(k, both[i]->tensor));
    if (smt_is_false(chain) || !term_is_launch_constant(k, chain) ||
        (smt_is_true(chain) ? !seen_otherwise : require_relates_extents(k, a, b, chain)))
        return false;
    smt_t *life = smt_is_true(chain) ? NULL : require_life(k, a, b, relation, also);
    require_answer answer = require_admits(k, life, a, b, chain);
    arrfree(life);
    if (answer == REQUIRE_FORBIDDEN || (answer == REQUIRE_OPEN && !leaves_axes(k, chain)))
        return false;
    struct sync_state *sync = k->sync;
    k->launch = smt_and(k->ctx, k->launch, chain);
    k->sync = NULL; /* what is learnt of tickets meanwhile may rest on the chain */
    layout_forget(k);
    smt_t *conjuncts = NULL;
    copy_add_pair(k, &conjuncts, a, b, relation);
    arrput(conjuncts, also);
    arrput(conjuncts, copy_same_location(k, a, b, relation));
    bool proved = (is_refuted(k, conjuncts, "require-layout") &&
                   require_leaves_reachable(k, a, b, relation, also, chain)) ||
                  search_with(k, a, b, relation, also, conjuncts);
    arrfree(conjuncts);
    if (proved && !smt_is_true(chain)) {
        require_add_fact(k, PRECONDITION_NO_SELF_OVERLAP, chain);
    } else if (!proved) {
        k->launch = launch;
        k->sync = sync;
        layout_forget(k);
    }
    return proved;
}

/* Two events of one pair, other than as given: the pair's conjuncts, with what the requires exclude
 * and, where that makes another question, with pointers seen as views. */
static smt_t *questions_anew(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also)
{
    smt_t *conjuncts = NULL;
    copy_add_pair(k, &conjuncts, a, b, relation);
    arrput(conjuncts, also);
    arrput(conjuncts, copy_same_location(k, layout_as_view(k, a), layout_as_view(k, b), relation));
    return conjuncts;
}

/* What the verdict requires already excludes launches with undefined behaviour; is that enough? */
static bool is_enough(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                      smt_t also)
{
    smt_t *conjuncts = questions_anew(k, a, b, relation, also);
    bool proved = is_refuted(k, conjuncts, "require-defined") &&
                  require_leaves_reachable(k, a, b, relation, also, smt_bool_const(k->ctx, true));
    arrfree(conjuncts);
    return proved;
}

static smt_t with_defined(checker *k, const ix_access *a, const ix_access *b,
                          copy_relation relation, smt_t also)
{
    return smt_and(k->ctx, also, require_both_defined(k, a, b, relation));
}

enum { PLAIN_SHARE = 4 }; /* of the steps left: one in so many for a plain question */

smt_answer require_ask_again(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also, const smt_t *conjuncts,
                             const char *name)
{
    if (!a->unknown && !b->unknown &&
        is_enough(k, a, b, relation, with_defined(k, a, b, relation, also)))
        return (smt_answer){.verdict = SMT_UNSAT};
    return ask_for(k, conjuncts, name, ask_left(k) / PLAIN_SHARE);
}

/* The question once more, with what was found for other pairs. */
static bool found_proves(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                         smt_t also)
{
    require_swap_found(k);
    bool proved = is_enough(k, a, b, relation, with_defined(k, a, b, relation, also)) ||
                  (relation == COPY_OTHER_BLOCK && sync_orders(k, a, b));
    require_swap_found(k);
    return proved;
}

bool require_found_suffices(checker *k, const ix_access *a, const ix_access *b,
                            copy_relation relation, smt_t also, const smt_t *conjuncts)
{
    candidate *found = require_found(k);
    size_t n = arrlenu(found);
    bool proved = false;
    if (n > 0 && !a->unknown && !b->unknown && found_proves(k, a, b, relation, also)) {
        obligation o = {a, b, relation, also, conjuncts, NULL, NULL, {0}};
        bool *kept = TR_NEW_ARRAY(k->arena, bool, n);
        memset(kept, true, n * sizeof *kept);
        proved = may_ask(k, &o, found, kept) || (n > 1 && choose(k, &o, found, kept));
        arrfree(o.refuting);
        arrfree(o.life);
    }
    arrfree(found);
    k->hoped = NULL;
    return proved;
}

bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, const smt_t *conjuncts)
{
    smt_t *with = NULL;
    k->hoped = NULL;
    k->hoped_why = SMT_WHY_STEPS;
    for (size_t i = 0; i < arrlenu(conjuncts); i++)
        arrput(with, conjuncts[i]);
    smt_t plain = also;
    also = with_defined(k, a, b, relation, also);
    arrput(with, also);
    bool found = (also != plain && is_enough(k, a, b, relation, also)) ||
                 search_by_layout(k, a, b, relation, also) ||
                 search_with(k, a, b, relation, also, with) ||
                 (relation == COPY_OTHER_BLOCK && require_order(k, a, b));
    arrfree(with);
    return found;
}
