/* TR003: two accesses of one tile block that no token orders (axioms A3, D15 to D17). Where the
 * front end is known to be the one that left the token out: its own rule, see rule_front_end.c.
 *
 * Ordered is a relation between (op, iterations) pairs. What the token graph does not order must be
 * proved disjoint, iteration against iteration. */
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/two_events.h"
#include "rules/add_finding.h"
#include "rules/notes.h"
#include "rules/pair.h"
#include "rules/rule.h"
#include "rules/rule_front_end.h"

#include "base/ds.h"

/* When is `first` (in the given copy) token-before `second` (in the other one)? */
smt_t in_block_ordered(checker *k, const model_tokens *tokens, const ix_access *first, int copy,
                       const ix_access *second)
{
    smt_ctx *ctx = k->ctx;
    model_order order = model_token_order(tokens, first->op, second->op);
    smt_t any = smt_bool_const(ctx, false);
    for (size_t c = 0; c < order.n_cases; c++) {
        smt_t all = smt_bool_const(ctx, true);
        for (size_t d = 0; d < first->n_loops && d < order.n_loops; d++) {
            const ix_loop *loop = first->loops[d];
            bool shared = d < second->n_loops && second->loops[d]->op == loop->op;
            smt_t mine = copy_term(k, loop->counter, COPY_SAME_BLOCK, copy);
            smt_t others = shared ? copy_term(k, loop->counter, COPY_SAME_BLOCK, 1 - copy) : NULL;
            smt_t last = loop->last ? copy_term(k, loop->last, COPY_SAME_BLOCK, copy) : NULL;
            all = smt_and(ctx, all, copy_step(ctx, order.cases[c].steps[d], mine, last, others));
        }
        any = smt_or(ctx, any, all);
    }
    return any;
}

static smt_t different_iterations(checker *k, const ix_access *a)
{
    smt_t differ = smt_bool_const(k->ctx, false);
    for (size_t d = 0; d < a->n_loops; d++) {
        smt_t first = copy_term(k, a->loops[d]->counter, COPY_SAME_BLOCK, 0);
        smt_t second = copy_term(k, a->loops[d]->counter, COPY_SAME_BLOCK, 1);
        differ = smt_or(k->ctx, differ, smt_ne(k->ctx, first, second));
    }
    return differ;
}

smt_t in_block_unordered(checker *k, const model_tokens *tokens, const ix_access *a,
                         const ix_access *b)
{
    smt_ctx *ctx = k->ctx;
    smt_t term = smt_and(ctx, smt_not(ctx, in_block_ordered(k, tokens, a, 0, b)),
                         smt_not(ctx, in_block_ordered(k, tokens, b, 1, a)));
    return a == b ? smt_and(ctx, term, different_iterations(k, a)) : term;
}

/* D17: would the other reading of a loop's tokens order all that this one leaves unordered? */
static bool vanishes_per_name(checker *k, const ix_access *a, const ix_access *b)
{
    if (k->options->model.loop_tokens == MODEL_PER_NAME)
        return false;
    if (!k->tokens_per_name) {
        model_choices choices = k->options->model;
        choices.loop_tokens = MODEL_PER_NAME;
        k->tokens_per_name = model_tokens_build(k->arena, k->kernel, &choices);
    }
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, COPY_SAME_BLOCK);
    query_add(k, &conjuncts, in_block_unordered(k, k->tokens_per_name, a, b));
    query_add(k, &conjuncts, copy_same_location(k, a, b, COPY_SAME_BLOCK));
    return ask_is_unsat(k, conjuncts, "in-block-per-name");
}

static const char *noun(const ix_access *a)
{
    return a->atomic ? "update" : a->writes ? "store" : "load";
}

finding *in_block_report(checker *k, confidence_kind confidence, const ix_access *a,
                         const ix_access *b, witness *w)
{
    bool vanishes = vanishes_per_name(k, a, b);
    const char *suspect = NULL;
    rule_id rule = front_end_rule(k, a, b, vanishes, &suspect);
    const char *what = suspect
                           ? tr_arena_printf(k->arena, "%s left out the token that orders", suspect)
                           : "no token orders";
    const char *others = a == b ? "itself in another iteration"
                                : tr_arena_printf(k->arena, "the %s of the same elements", noun(b));
    finding *f =
        finding_add(k, rule, confidence, a, b, w, "%s this %s of '%s' with %s%s", what, noun(a),
                    buffer_name(k, a), others,
                    vanishes ? "; vanishes when the token of a loop is read per name" : "");
    f->only_per_iteration = vanishes;
    return f;
}

static void check_pair(checker *k, const ix_access *a, const ix_access *b)
{
    smt_t loose = in_block_unordered(k, k->tokens, a, b);
    if (smt_is_false(loose)) {
        count_proved(k);
        return;
    }
    witness *w;
    pair_outcome outcome =
        pair_decide(k, a, b, COPY_SAME_BLOCK, loose, "in-block",
                    "disjointness of one tile block's accesses without token order", &w);
    if (outcome == PAIR_RACE)
        in_block_report(k, CONFIDENCE_CONFIRMED, a, b, w);
    else if (outcome == PAIR_POSSIBLE)
        in_block_report(k, CONFIDENCE_POSSIBLE, a, b, w);
}

/* ---- Section: straight-line code ----
 *
 * Outside loops and branches every access happens exactly once, so order is transitive over them.
 * If every write comes after the write before it and all reads between the two, and every read
 * after the write before it, then all conflicting pairs are ordered, and n checks say so in place
 * of n * n. An access in a branch must not be a link of the chain: where the branch does not run,
 * it orders nothing. */

static bool is_straight_line(const ix_access *a)
{
    return a->op->parent->parent == NULL;
}

static bool always_before(const checker *k, const ix_access *first, const ix_access *second)
{
    return model_token_order(k->tokens, first->op, second->op).n_cases > 0;
}

static bool chain_orders_all(const checker *k, int allocation)
{
    const summary *s = k->s;
    const ix_access *write = NULL;
    size_t since = 0; /* accesses after the last write start here */
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *a = &s->accesses[i];
        if (!is_straight_line(a) || a->allocation != allocation)
            continue;
        if (write && !always_before(k, write, a))
            return false;
        if (!a->writes)
            continue;
        for (size_t j = since; j < i; j++)
            if (s->accesses[j].allocation == allocation && is_straight_line(&s->accesses[j]) &&
                !always_before(k, &s->accesses[j], a))
                return false;
        write = a;
        since = i + 1;
    }
    return true;
}

/* Are the steps used up? Then the pairs that are left stay open. */
static bool gives_up(checker *k, size_t pairs, const ix_access *next)
{
    enum { LOOKED_AFTER = 64 }; /* pairs */
    if (pairs % LOOKED_AFTER != 0 || ask_left(k) > 0)
        return false;
    smt_answer answer = ask_refusal(k);
    count_unknown_answer(k, &answer, next->op->place,
                         tr_arena_printf(k->arena,
                                         "the order of one tile block's accesses of '%s' is not "
                                         "proved",
                                         buffer_name(k, next)));
    return true;
}

/* Two chained accesses are settled; a loose one is paired with all others, once. */
static void check_loose(checker *k, const bool *loose)
{
    const summary *s = k->s;
    size_t n = arrlenu(s->accesses), pairs = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; loose[j] && i < n; i++) {
            if ((loose[i] && i > j) || (i == j && s->accesses[i].n_loops == 0))
                continue;
            const ix_access *a = &s->accesses[i < j ? i : j], *b = &s->accesses[i < j ? j : i];
            if (!pair_may_conflict(k, a, b, true))
                continue;
            if (gives_up(k, ++pairs, a))
                return;
            check_pair(k, a, b);
        }
    }
}

void rule_in_block(checker *k)
{
    const summary *s = k->s;
    size_t n = arrlenu(s->accesses);
    bool *chained = TR_NEW_ARRAY(k->arena, bool, s->n_allocations + 1);
    for (size_t a = 0; a < s->n_allocations; a++)
        chained[a] = chain_orders_all(k, (int)a);
    bool *loose = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        const ix_access *a = &s->accesses[i];
        loose[i] = a->allocation < 0 || !is_straight_line(a) || !chained[a->allocation];
    }
    check_loose(k, loose);
}
