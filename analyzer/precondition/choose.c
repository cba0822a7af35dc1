/* Chooses among the candidates the fewest that prove the obligation together, and that may be asked
 * of a launch at all. */
#include "precondition/choose.h"

#include "precondition/added.h"
#include "precondition/clamps.h"
#include "precondition/contents_range.h"
#include "precondition/differ.h"
#include "precondition/fact.h"
#include "precondition/guards.h"
#include "precondition/hope.h"
#include "precondition/life.h"
#include "precondition/multiples.h"
#include "precondition/pairs.h"
#include "precondition/propose.h"
#include "precondition/tables.h"
#include "question/assumed.h"
#include "question/ask.h"
#include "question/ask_by_order.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "solver/model.h"

#include "base/ds.h"

#include <string.h>

static contents_range range_of(const candidate *c)
{
    return (contents_range){c->range_arg, c->low, c->high};
}

void require_assume_contents(checker *k, const candidate *c)
{
    int unique = c->unique_arg;
    if (unique >= 0 && c->n_with) {
        assume_tuple(k, (contents_tuple){unique, c->n_with, c->with});
    } else if (unique >= 0 && !(k->known.contents.unique >> unique & 1)) {
        k->known.contents.unique |= (uint64_t)1 << unique;
        k->known.contents.unique_when[unique] = c->when;
    }
    if (c->range_arg >= 0) {
        assume_range(k, range_of(c));
        if (c->prefix_of >= 0) {
            k->known.contents.prefix |= (uint64_t)1 << c->range_arg;
            k->known.contents.prefix_of[c->range_arg] = c->prefix_of;
        }
        if (c->increasing)
            k->known.contents.increasing |= (uint64_t)1 << c->range_arg;
    }
}

void require_accept(checker *k, const candidate *c)
{
    if (c->unique_arg >= 0) {
        require_assume_contents(k, c);
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

/* Do the kept facts hold in a launch that was already found to refute the obligation? Then they are
 * not enough. */
static bool is_countered(const require_obligation *o, const candidate *candidates, const bool *kept)
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
enum { ONE = 250 * 1000, ALONE = 1500 * 1000, ALL = 1000 * 1000, SHARE = 3 };
enum { HALVED = 3 };

/* Returns fewer steps for each such question that was not decided, since the next one is hardly
 * ever decided then. */
static smt_steps fewer_steps(const checker *k, smt_steps most)
{
    return most >> (k->effort.in_vain < HALVED ? k->effort.in_vain : HALVED);
}

/* Do the kept candidates prove it? */
static bool proves(checker *k, require_obligation *o, const candidate *candidates, const bool *kept,
                   smt_steps most)
{
    if (is_countered(o, candidates, kept))
        return false;
    const known_contents before = k->known.contents;
    query with = o->conjuncts;
    for (size_t i = 0; i < arrlenu(candidates); i++) {
        if (!kept[i])
            continue;
        query_add(k, &with, candidates[i].fact);
        require_assume_contents(k, &candidates[i]);
    }
    smt_answer answer = ask_for(k, with, "require", fewer_steps(k, most));
    smt_verdict verdict = answer.verdict;
    k->effort.in_vain += verdict == SMT_UNKNOWN;
    if (verdict == SMT_SAT)
        arrput(o->refuting, answer.model);
    if (verdict == SMT_UNKNOWN && k->known.contents.unique && most > ONE)
        verdict = require_ask_by_index(k, with); /* takes long: not for each one */
    if (verdict == SMT_UNKNOWN && k->known.contents.increasing)
        verdict = ask_by_order(k, with);
    bool proved = verdict == SMT_UNSAT;
    k->known.contents = before;
    if (verdict == SMT_UNKNOWN)
        hope_for(k, candidates, kept, &before, answer.why);
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

bool require_leaves_axes(checker *k, smt_t facts)
{
    for (int axis = 0; axis < 3; axis++) {
        smt_t extent = k->s->grid[axis];
        if (smt_is_const(extent, NULL))
            continue;
        query several = query_of_launch(k);
        query_add(k, &several, smt_le(k->ctx, smt_int_const(k->ctx, 2), extent));
        bool before = ask_briefly(k, several, "require-axis") != SMT_UNSAT;
        bool after = ask_briefly(k, query_with(k, several, facts), "require-axis") != SMT_UNSAT;
        if (before && !after)
            return false;
    }
    return true;
}

/* The two events on different locations, which is what a precondition leaves of them. The addresses
 * are part of the question, so that what is assumed of contents counts. */
static smt_t events_apart(checker *k, const require_obligation *o)
{
    bool known = !o->a->unknown && !o->b->unknown;
    return known ? smt_not(k->ctx, copy_same_location(k, o->a, o->b, o->relation))
                 : smt_bool_const(k->ctx, true);
}

/* Do the facts leave several of everything together with what was found for other pairs? `s >= 16`
 * and `s <= 16` each do, but both together leave one value of s. Where the other facts alone keep
 * the pair from happening, only axes are asked for. */
static bool lives_together(checker *k, query life, smt_t facts)
{
    smt_t others = require_found_facts(k), all = smt_and(k->ctx, others, facts);
    if (all == facts || all == others)
        return true;
    require_answer answer = require_leaves_life(k, life, all);
    return answer == REQUIRE_ADMITTED || (answer == REQUIRE_OPEN && require_leaves_axes(k, all)) ||
           (require_leaves_life(k, life, others) == REQUIRE_FORBIDDEN &&
            require_leaves_axes(k, all));
}

/* The facts, with what is assumed of contents, leave launches with several of everything in which
 * both events happen: see life.c. */
static require_answer leaves_launches(checker *k, require_obligation *o, smt_t facts)
{
    if (o->life.n == 0)
        o->life = require_life(k, o->a, o->b, o->relation, o->also);
    query life = query_with(k, o->life, events_apart(k, o));
    require_answer answer = require_leaves_life(k, life, facts);
    if (answer != REQUIRE_FORBIDDEN && !lives_together(k, life, facts))
        return REQUIRE_FORBIDDEN;
    if (answer == REQUIRE_OPEN)
        answer = require_reaches(k, o->a, o->b, o->relation, o->also, facts);
    else
        return answer;
    return require_leaves_axes(k, facts) ? answer : REQUIRE_FORBIDDEN;
}

/* Does every clamp of the two addresses still clamp, and every remainder still wrap round, if it
 * does so without the candidates? `with`: the sides that are taken with them. */
static bool leaves_clamps(checker *k, require_obligation *o, const uint32_t *with)
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

/* The fact that no parameter which the access's guards speak of is negative. */
static smt_t natural_parameters(checker *k, const ix_access *a)
{
    smt_ctx *ctx = k->ctx;
    const contract *c = k->contract;
    smt_t all = smt_bool_const(ctx, true), zero = smt_int_const(ctx, 0);
    for (size_t i = 0; i < c->n_args; i++) {
        smt_t parameter = c->args[i].kind == CONTRACT_SCALAR ? contract_param(ctx, c, i) : zero;
        if (smt_contains(a->path, parameter) || smt_contains(a->mask, parameter))
            all = smt_and(ctx, all, smt_le(ctx, zero, parameter));
    }
    return all;
}

/* Do the candidates leave the guards open that are open without them? A pair may lose them on one
 * side, since the fact may be what one access without a guard needs of the other, but not if the
 * guard is just too wide. A guard that keeps something out only for a negative parameter, as the
 * mask of a view does where an index starts at `bid * n`, guards against no launch that is meant.
 */
static bool leaves_guards(checker *k, const require_obligation *o, const uint32_t *closed)
{
    const ix_access *both[2] = {o->a, o->b};
    uint32_t lost[2] = {0};
    for (int i = 0; i < 2; i++)
        lost[i] = i && o->a == o->b
                      ? lost[0]
                      : require_guards_open(k, both[i], natural_parameters(k, both[i]), closed[i]);
    if (lost[0] && lost[1])
        return false;
    for (int i = 0; i < 2; i++)
        if (lost[i] && require_guards_too_wide(k, both[i], lost[i], o->relation, i, o->conjuncts))
            return false;
    return true;
}

/* Where elements are stated to differ, does each range that is asked of them have a value for each?
 */
static bool leaves_values(checker *k, const candidate *candidates, const bool *kept)
{
    bool enough = true;
    for (size_t i = 0; i < arrlenu(candidates) && enough; i++)
        if (kept[i] && candidates[i].range_arg >= 0)
            enough = require_range_is_wide(k, candidates[i].range_arg);
    return enough;
}

bool require_may_ask(checker *k, require_obligation *o, const candidate *candidates,
                     const bool *kept)
{
    smt_t facts = kept_facts(k, candidates, kept);
    if (require_is_odd(k, facts))
        return false;
    const known_contents before = k->known.contents;
    for (size_t i = 0; i < arrlenu(candidates); i++)
        if (kept[i])
            require_assume_contents(k, &candidates[i]);
    require_answer leaves_any = leaves_launches(k, o, facts);
    bool leaves = leaves_any != REQUIRE_FORBIDDEN && leaves_values(k, candidates, kept);
    uint32_t with[2] = {0}, closed[2] = {0};
    for (int i = 0; i < 2 && leaves; i++) {
        const ix_access *a = i ? o->b : o->a;
        leaves = !require_stops_choosing(k, a, facts);
        uint32_t about = require_guards_about(k, a, facts);
        with[i] = i && o->a == o->b ? with[0] : require_sides_taken(k, a, facts, false);
        closed[i] =
            i && o->a == o->b ? closed[0] : about & ~require_guards_open(k, a, facts, about);
    }
    k->known.contents = before;
    leaves = leaves && leaves_clamps(k, o, with) && leaves_guards(k, o, closed);
    if (leaves && leaves_any == REQUIRE_OPEN)
        hope_for(k, candidates, kept, &before, SMT_WHY_NONE);
    return leaves && leaves_any == REQUIRE_ADMITTED;
}

/* Leaves candidates first .. end - 1 out where the others prove it. */
static void drop_chunk(checker *k, require_obligation *o, const candidate *candidates, bool *kept,
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

/* Keeps those of the candidates that are needed, where all of them together prove the obligation:
 * the last, which are the least natural, are dropped first, or the other way round. False when they
 * do not prove it. */
static bool drop_needless(checker *k, require_obligation *o, const candidate *candidates,
                          bool *kept, bool from_last)
{
    size_t n = arrlenu(candidates), left = 0;
    for (size_t i = 0; i < n; i++)
        left += kept[i];
    smt_steps share = ask_left(k) / SHARE, most = share < ALL ? share : ALL;
    smt_steps before = ask_taken(k);
    if (left < 2 || !proves(k, o, candidates, kept, most))
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

typedef enum choice { CHOICE_PROVES_NOT, CHOICE_IS_FORBIDDEN, CHOICE_MAY_BE_ASKED } choice;

/* Keeps every candidate that is not vacuous, except `without`; of the mutually exclusive ones only
 * the named one.
 */
static choice choose_from(checker *k, require_obligation *o, const candidate *candidates,
                          const bool *vacuous, size_t which, size_t without, bool from_last,
                          bool *kept)
{
    for (size_t i = 0; i < arrlenu(candidates); i++)
        kept[i] = !vacuous[i] && i != without && (!candidates[i].alone || i == which);
    if (!drop_needless(k, o, candidates, kept, from_last))
        return CHOICE_PROVES_NOT;
    return require_may_ask(k, o, candidates, kept) ? CHOICE_MAY_BE_ASKED : CHOICE_IS_FORBIDDEN;
}

/* A launch may not be asked for the remaining candidates if one of them took the place of a better
 * one: `m <= s && s * grid.x <= 1` where `m <= s && n <= s` would do. So each of them is left out
 * once, the least natural first. */
static bool choose_among(checker *k, require_obligation *o, const candidate *candidates,
                         const bool *vacuous, size_t which, bool *kept)
{
    size_t n = arrlenu(candidates);
    for (int from_last = 1; from_last >= 0; from_last--) {
        choice c = choose_from(k, o, candidates, vacuous, which, n, from_last, kept);
        if (c != CHOICE_IS_FORBIDDEN)
            return c == CHOICE_MAY_BE_ASKED;
    }
    bool *left = TR_NEW_ARRAY(k->arena, bool, n);
    memcpy(left, kept, n * sizeof *left);
    for (size_t i = n; i-- > 0;)
        if (left[i] && ask_left(k) > 0 &&
            choose_from(k, o, candidates, vacuous, which, i, true, kept) == CHOICE_MAY_BE_ASKED)
            return true;
    return false;
}

bool require_choose(checker *k, require_obligation *o, const candidate *candidates, bool *kept)
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
        if (require_may_ask(k, o, candidates, kept)) {
            kept[i] = false; /* without it there may only have been too few steps */
            smt_steps half = ask_left(k) / 2;
            kept[i] = !proves(k, o, candidates, kept, half < ALL ? half : ALL);
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
