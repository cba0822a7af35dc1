/* Searches for the weakest launch precondition with which a proof succeeds, where the contract is
 * silent.
 *
 * Candidates are read off the program (candidates.c): each is tied to a feature of it (a
 * loop's stride, a view's strides, a row stride and the column bound beside it, an index buffer).
 * One is accepted (choose.c) only when
 *   - it speaks of a quantity that the contract leaves open, so that nothing stated is narrowed;
 *   - the obligation is proved with it;
 *   - with it, two different blocks can still reach the pair: else it would hide every race. */
#include "precondition/search.h"

#include "order/orders.h"
#include "order/state.h"
#include "precondition/added.h"
#include "precondition/array_view.h"
#include "precondition/candidates.h"
#include "precondition/choose.h"
#include "precondition/fact.h"
#include "precondition/forbidden.h"
#include "precondition/hope.h"
#include "precondition/life.h"
#include "precondition/natural.h"
#include "precondition/pairs.h"
#include "precondition/propose.h"
#include "precondition/rows.h"
#include "precondition/tables.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

#include <string.h>

static bool is_same(const candidate *x, const candidate *y)
{
    return x->fact == y->fact && x->unique_arg == y->unique_arg && x->when == y->when &&
           x->n_with == y->n_with && x->range_arg == y->range_arg && x->low == y->low &&
           x->high == y->high && x->prefix_of == y->prefix_of && x->increasing == y->increasing;
}

/* Returns the candidates that the pair's own form suggests and those that were found for other
 * pairs: it costs no more words.
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
                        smt_t also, query conjuncts)
{
    candidate *found = candidates_with_found(k, a, b);
    require_obligation o = {a, b, relation, also, conjuncts, NULL, {0}, {0}};
    bool *kept = TR_NEW_ARRAY(k->arena, bool, arrlenu(found) + 1);
    bool proved = arrlenu(found) > 0 && require_choose(k, &o, found, kept);
    for (size_t i = 0; proved && i < arrlenu(found); i++)
        if (kept[i])
            require_accept(k, &found[i]);
    arrfree(o.refuting);
    arrfree(found);
    return proved;
}

/* Is the query refuted in a short time, or by cases of tables that are required to hold different
 * numbers? */
static bool is_refuted(checker *k, query conjuncts, const char *name)
{
    smt_verdict verdict = ask_briefly(k, conjuncts, name);
    if (verdict == SMT_UNKNOWN)
        verdict = require_ask_by_index(k, conjuncts);
    return verdict == SMT_UNSAT;
}

/* Searches with the precondition that tensors do not overlap themselves. Coordinates then stand for
 * addresses, which makes the question easier. */
static bool search_by_layout(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also)
{
    const known_launch before = k->known;
    smt_t chain = smt_bool_const(k->ctx, true);
    const ix_access *x = require_as_view(k, a), *y = a == b ? x : require_as_view(k, b);
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
    query life = {0}; /* nobody asks for it where there is no chain */
    if (!smt_is_true(chain))
        life = require_life(k, a, b, relation, also);
    require_answer answer = require_admits(k, life, a, b, chain);
    if (answer == REQUIRE_FORBIDDEN || (answer == REQUIRE_OPEN && !require_leaves_axes(k, chain)))
        return false;
    k->known.launch = smt_and(k->ctx, k->known.launch, chain);
    k->known.sync = NULL; /* what is learnt of tickets meanwhile may rest on the chain */
    layout_forget(k);
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, relation);
    query_add(k, &conjuncts, also);
    query_add(k, &conjuncts, copy_same_location(k, a, b, relation));
    require_answer reaches = is_refuted(k, conjuncts, "require-layout")
                                 ? require_reaches(k, a, b, relation, also, chain)
                                 : REQUIRE_FORBIDDEN;
    bool proved = reaches == REQUIRE_ADMITTED || search_with(k, a, b, relation, also, conjuncts);
    if (proved && !smt_is_true(chain)) {
        require_add_fact(k, PRECONDITION_NO_SELF_OVERLAP, chain);
    } else if (!proved) {
        k->known = before;
        if (reaches == REQUIRE_OPEN)
            hope_for_fact(k, chain, SMT_WHY_NONE);
    }
    return proved;
}

/* Is it enough that launches with undefined behaviour are excluded already, by what the verdict
 * requires? is that enough? */
static bool is_enough(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                      smt_t also)
{
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, relation);
    query_add(k, &conjuncts, also);
    query_add(k, &conjuncts,
              copy_same_location(k, require_as_view(k, a), require_as_view(k, b), relation));
    return is_refuted(k, conjuncts, "require-defined") &&
           require_reaches(k, a, b, relation, also, smt_bool_const(k->ctx, true)) ==
               REQUIRE_ADMITTED;
}

static smt_t with_defined(checker *k, const ix_access *a, const ix_access *b,
                          copy_relation relation, smt_t also)
{
    return smt_and(k->ctx, also, require_both_defined(k, a, b, relation));
}

/* Searches for the order of rows that have a lock each: `row * s + column` is one element under one
 * lock where the stride holds a row, though two blocks may well come to one row. For arrays that
 * were passed as arrays require_order knows this already. */
static bool order_by_rows(checker *k, const ix_access *a, const ix_access *b,
                          copy_relation relation, smt_t also, query conjuncts)
{
    bool arrays = a->tensor || b->tensor || require_array_chain(k, a) || require_array_chain(k, b);
    if (relation != COPY_OTHER_BLOCK || arrays || !order_state_of(k)->any_reads)
        return false;
    candidate *found = candidates_with_found(k, a, b);
    size_t n = arrlenu(found);
    require_obligation o = {a, b, relation, also, conjuncts, NULL, {0}, {0}};
    bool ordered = false, *kept = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = 0; i < n && !ordered && ask_left(k) > 0; i++) {
        if (found[i].kind != PRECONDITION_STRIDE_RELATION)
            continue;
        memset(kept, 0, n * sizeof *kept);
        kept[i] = true;
        ordered = require_may_ask(k, &o, found, kept) && require_order(k, a, b, found[i].fact);
    }
    arrfree(o.refuting);
    arrfree(found);
    return ordered;
}

/* Steps for a plain question: these, or one in so many of those that are left. */
enum { PLAIN = 500 * 1000, PLAIN_SHARE = 4 };

smt_answer require_ask_again(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also, query conjuncts, const char *name)
{
    if (!a->unknown && !b->unknown &&
        is_enough(k, a, b, relation, with_defined(k, a, b, relation, also)))
        return (smt_answer){.verdict = SMT_UNSAT};
    smt_steps share = ask_left(k) / PLAIN_SHARE;
    return ask_for(k, conjuncts, name, share < PLAIN ? share : PLAIN);
}

/* Asks the question once more, with what was found for other pairs. */
static bool found_proves(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                         smt_t also)
{
    require_swap_found(k);
    bool proved = is_enough(k, a, b, relation, with_defined(k, a, b, relation, also)) ||
                  (relation == COPY_OTHER_BLOCK && order_proves(k, a, b));
    require_swap_found(k);
    return proved;
}

bool require_found_suffices(checker *k, const ix_access *a, const ix_access *b,
                            copy_relation relation, smt_t also, query conjuncts)
{
    candidate *found = require_found(k);
    size_t n = arrlenu(found);
    bool proved = false;
    if (n > 0 && !a->unknown && !b->unknown && found_proves(k, a, b, relation, also)) {
        require_obligation o = {a, b, relation, also, conjuncts, NULL, {0}, {0}};
        bool *kept = TR_NEW_ARRAY(k->arena, bool, n);
        memset(kept, true, n * sizeof *kept);
        proved =
            require_may_ask(k, &o, found, kept) || (n > 1 && require_choose(k, &o, found, kept));
        arrfree(o.refuting);
    }
    arrfree(found);
    hope_begin(k);
    return proved;
}

bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, query conjuncts)
{
    step_begins(k, RULES_PRECONDITIONS);
    hope_begin(k);
    smt_t plain = also;
    also = with_defined(k, a, b, relation, also);
    query with = query_with(k, conjuncts, also);
    return (also != plain && is_enough(k, a, b, relation, also)) ||
           search_by_layout(k, a, b, relation, also) ||
           order_by_rows(k, a, b, relation, also, with) ||
           search_with(k, a, b, relation, also, with) ||
           (relation == COPY_OTHER_BLOCK && require_order(k, a, b, smt_bool_const(k->ctx, true)));
}
