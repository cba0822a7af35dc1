/* The weakest launch precondition that makes a proof go through, where the contract is silent.
 *
 * Candidates are read off the program (require_candidates.c): each is tied to a feature of it (a
 * loop's stride, a view's strides, a row stride and the column bound beside it, an index buffer).
 * One is accepted only when
 *   - it speaks of a quantity that the contract leaves open, so that nothing stated is narrowed;
 *   - the obligation is proved with it;
 *   - with it, two different blocks can still reach the pair: else it would hide every race. */
#include "rules/require_candidates.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: trying ---- */

static bool still_reachable(checker *k, const ix_access *a, const ix_access *b,
                            copy_relation relation, smt_t also, smt_t fact)
{
    smt_t *conjuncts = NULL;
    copy_add_event(k, &conjuncts, a, relation, 0);
    copy_add_event(k, &conjuncts, b, relation, 1);
    arrput(conjuncts, also);
    arrput(conjuncts, fact);
    bool reachable = ask(k, conjuncts, "require-reachable").verdict == SMT_SAT;
    arrfree(conjuncts);
    return reachable;
}

void require_add_fact(checker *k, require_kind kind, smt_t fact)
{
    tr_text text = {0}, json = {0};
    smt_print_c(&text, fact);
    tr_text_addf(&json, "{\"assume\": [\"%s\"]}", tr_text_get(&text));
    require_add(k, kind, false, fact, tr_arena_strdup(k->arena, tr_text_get(&json)), "%s",
                tr_text_get(&text));
    tr_text_free(&text);
    tr_text_free(&json);
}

static void assume_range(checker *k, const candidate *c)
{
    contents_range range = {c->range_arg, smt_int_const(k->ctx, 0),
                            smt_int_const(k->ctx, c->end - 1)};
    arrput(k->assumed_ranges, range);
}

static void accept(checker *k, const candidate *c)
{
    if (c->unique_arg >= 0) {
        k->assumed_unique |= (uint64_t)1 << c->unique_arg;
        k->unique_when[c->unique_arg] = c->when;
        require_unique(k, c->unique_arg, c->when);
        return;
    }
    if (c->range_arg >= 0) {
        const contract_arg *arg = &k->contract->args[c->range_arg];
        assume_range(k, c);
        require_add(k, c->kind, false, NULL,
                    tr_arena_printf(k->arena,
                                    "{\"contents\": [{\"buffer\": \"%s\", \"min\": 0, \"max\": "
                                    "%lld}]}",
                                    arg->buffer ? arg->buffer : arg->name, (long long)(c->end - 1)),
                    "every element of '%s' is at least 0 and below %lld", arg->name,
                    (long long)c->end);
        return;
    }
    require_add_fact(k, c->kind, c->fact);
}

/* The fact might have been enough: without an answer, a race is one only where the fact holds too.
 */
static void hope_for(checker *k, smt_t fact)
{
    smt_t all = k->hoped ? smt_and(k->ctx, k->hoped, fact) : fact;
    if (!smt_is_false(smt_and(k->ctx, k->launch, all)))
        k->hoped = all;
}

enum { ONE_MS = 400, ALL_MS = 4000, SHARE = 3 }; /* for one candidate; for all, of what is left */

/* Do the kept candidates prove it? */
static bool proves(checker *k, const smt_t *conjuncts, const candidate *candidates,
                   const bool *kept, unsigned ms)
{
    uint64_t unique = k->assumed_unique;
    size_t ranges = arrlenu(k->assumed_ranges);
    smt_t *with = NULL;
    for (size_t i = 0; i < arrlenu(conjuncts); i++)
        arrput(with, conjuncts[i]);
    for (size_t i = 0; i < arrlenu(candidates); i++) {
        if (!kept[i])
            continue;
        arrput(with, candidates[i].fact);
        int arg = candidates[i].unique_arg;
        if (arg >= 0 && !(k->assumed_unique >> arg & 1)) {
            k->assumed_unique |= (uint64_t)1 << arg;
            k->unique_when[arg] = candidates[i].when;
        }
        if (candidates[i].range_arg >= 0)
            assume_range(k, &candidates[i]);
    }
    smt_verdict verdict = ask_for(k, with, "require", ms).verdict;
    if (verdict == SMT_UNKNOWN && k->assumed_unique)
        verdict = require_ask_by_index(k, with);
    bool proved = verdict == SMT_UNSAT;
    for (size_t i = 0; verdict == SMT_UNKNOWN && i < arrlenu(candidates); i++)
        if (kept[i])
            hope_for(k, candidates[i].fact);
    k->assumed_unique = unique;
    arrsetlen(k->assumed_ranges, ranges);
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

typedef struct obligation {
    const ix_access *a, *b;
    copy_relation relation;
    smt_t also;
    const smt_t *conjuncts;
} obligation;

static bool kept_reach(checker *k, const obligation *o, const candidate *candidates,
                       const bool *kept)
{
    return still_reachable(k, o->a, o->b, o->relation, o->also, kept_facts(k, candidates, kept));
}

/* Of the kept ones, which prove it together, those that are needed: the last, which are the least
 * natural, go first, or the other way round. False when they do not prove it. */
static bool drop_needless(checker *k, const obligation *o, const candidate *candidates, bool *kept,
                          bool from_last)
{
    size_t n = arrlenu(candidates), left = 0;
    for (size_t i = 0; i < n; i++)
        left += kept[i];
    unsigned most = ask_budget(k) / SHARE;
    double started = ask_now_ms();
    if (left < 2 || !proves(k, o->conjuncts, candidates, kept, most < ALL_MS ? most : ALL_MS))
        return false;
    unsigned each = ONE_MS + (unsigned)(ask_now_ms() - started); /* one fewer: hardly any easier */
    for (size_t step = 0; step < n && ask_budget(k) > 0; step++) {
        size_t i = from_last ? n - 1 - step : step;
        if (!kept[i])
            continue;
        kept[i] = false;
        if (!proves(k, o->conjuncts, candidates, kept, each))
            kept[i] = true;
    }
    return true;
}

/* A smallest set of candidates that proves it: one alone if one does, else all of them, less each
 * that is not needed. One that proves it because nothing is left to prove is none. False when all
 * together do not. */
static bool choose(checker *k, const obligation *o, const candidate *candidates, bool *kept)
{
    size_t n = arrlenu(candidates);
    bool *vacuous = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        memset(kept, 0, n * sizeof *kept);
        kept[i] = true;
        vacuous[i] = false;
        if (ask_budget(k) == 0 || !proves(k, o->conjuncts, candidates, kept, ONE_MS))
            continue;
        if (kept_reach(k, o, candidates, kept))
            return true;
        vacuous[i] = true;
    }
    for (int from_last = 1; from_last >= 0; from_last--) {
        for (size_t i = 0; i < n; i++)
            kept[i] = !vacuous[i];
        if (!drop_needless(k, o, candidates, kept, from_last))
            return false;
        if (kept_reach(k, o, candidates, kept))
            return true;
    }
    return false;
}

static bool search_with(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                        smt_t also, const smt_t *conjuncts)
{
    candidate *found = require_candidates(k, a, b);
    obligation o = {a, b, relation, also, conjuncts};
    bool *kept = TR_NEW_ARRAY(k->arena, bool, arrlenu(found) + 1);
    bool proved = arrlenu(found) > 0 && choose(k, &o, found, kept);
    for (size_t i = 0; proved && i < arrlenu(found); i++)
        if (kept[i])
            accept(k, &found[i]);
    arrfree(found);
    return proved;
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
        (smt_is_true(chain) ? !seen_otherwise : contract_constrains(k, chain)))
        return false;
    k->launch = smt_and(k->ctx, k->launch, chain);
    layout_forget(k);
    smt_t *conjuncts = NULL;
    copy_add_event(k, &conjuncts, a, relation, 0);
    copy_add_event(k, &conjuncts, b, relation, 1);
    arrput(conjuncts, also);
    arrput(conjuncts, copy_same_location(k, a, b, relation));
    bool proved = (ask_briefly(k, conjuncts, "require-layout").verdict == SMT_UNSAT &&
                   still_reachable(k, a, b, relation, also, chain)) ||
                  search_with(k, a, b, relation, also, conjuncts);
    arrfree(conjuncts);
    if (proved && !smt_is_true(chain)) {
        require_add_fact(k, REQUIRE_NO_SELF_OVERLAP, chain);
    } else if (!proved) {
        k->launch = launch;
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
    copy_add_event(k, &conjuncts, a, relation, 0);
    copy_add_event(k, &conjuncts, b, relation, 1);
    arrput(conjuncts, also);
    arrput(conjuncts, copy_same_location(k, layout_as_view(k, a), layout_as_view(k, b), relation));
    return conjuncts;
}

/* What the verdict requires already excludes launches with undefined behaviour; is that enough? */
static bool is_enough(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                      smt_t also)
{
    smt_t *conjuncts = questions_anew(k, a, b, relation, also);
    bool proved = ask_briefly(k, conjuncts, "require-defined").verdict == SMT_UNSAT &&
                  still_reachable(k, a, b, relation, also, smt_bool_const(k->ctx, true));
    arrfree(conjuncts);
    return proved;
}

static smt_t with_defined(checker *k, const ix_access *a, const ix_access *b,
                          copy_relation relation, smt_t also)
{
    return smt_and(k->ctx, also, require_both_defined(k, a, b, relation));
}

enum { PLAIN_SHARE = 4 }; /* of the time left: one in so many for a plain question */

smt_answer require_ask_again(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also, const smt_t *conjuncts,
                             const char *name)
{
    if (!a->unknown && !b->unknown &&
        is_enough(k, a, b, relation, with_defined(k, a, b, relation, also)))
        return (smt_answer){.verdict = SMT_UNSAT};
    return ask_for(k, conjuncts, name, ask_budget(k) / PLAIN_SHARE);
}

bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, const smt_t *conjuncts)
{
    smt_t *with = NULL;
    k->hoped = NULL;
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
