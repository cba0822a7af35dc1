/* TR001, TR002, TR005, TR006, TR014 to TR022: two tile blocks, one element, no order between them.
 *
 * Axioms A1 to A3 with same_block = false: without synchronisation, nothing orders two blocks, so a
 * conflicting pair that is not morally strong is a race wherever both events exist. */
#include "precondition/pairs.h"
#include "precondition/search.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/cluster.h"
#include "question/decided.h"
#include "question/two_events.h"
#include "rules/add_finding.h"
#include "rules/pair.h"
#include "rules/rule.h"
#include "rules/mistake.h"

#include "base/ds.h"

/* Memory that a block allocates is its own. An access of unknown address may still reach it where
 * the address was given away (U9: the `global` form). */
static bool is_private(const checker *k, const ix_access *a, const ix_access *other)
{
    if (a->allocation < 0 || k->s->allocations[a->allocation].space != IX_ALLOCA)
        return false;
    return other->allocation == a->allocation || !k->s->allocations[a->allocation].shared;
}

static bool may_meet(checker *k, const ix_access *a, const ix_access *b)
{
    return !is_private(k, a, b) && !is_private(k, b, a) && pair_may_conflict(k, a, b, false);
}

static rule_id rule_of(const ix_access *a, const ix_access *b)
{
    bool scoped_a = a->ordering != IR_WEAK, scoped_b = b->ordering != IR_WEAK;
    bool wide = model_mutual_scope(a->ordering, a->scope, b->ordering, b->scope, false, true);
    if (scoped_a && scoped_b && !wide) /* else only widths are at fault: D6 */
        return RULE_NARROW_SCOPE;
    if (scoped_a != scoped_b)
        return RULE_WEAK_ATOMIC;
    return a->writes && b->writes ? RULE_INTER_BLOCK_WRITE_WRITE : RULE_INTER_BLOCK_READ_WRITE;
}

/* Block axes of more than one block that the access's address and conditions do not mention. */
static const char *missing_axes(checker *k, const ix_access *a)
{
    tr_text text = {0};
    for (int axis = 0; axis < 3; axis++) {
        smt_t id = k->s->block_id[axis];
        if (smt_is_const(id, NULL) || smt_contains(a->path, id) || smt_contains(a->bytes, id) ||
            smt_contains(a->mask, id))
            continue;
        bool julia = k->kernel->module->counts_from_one;
        tr_text_addf(&text, "%s%s(%d)", text.length ? " and " : "", julia ? "ct.bid" : "tile_bid",
                     axis + julia);
    }
    const char *kept = text.length ? tr_arena_strdup(k->arena, tr_text_get(&text)) : NULL;
    tr_text_free(&text);
    return kept;
}

static const char *verb(const ix_access *a)
{
    return a->atomic ? "updates" : a->writes ? "writes" : "reads";
}

finding *inter_block_report(checker *k, confidence_kind confidence, const ix_access *a,
                            const ix_access *b, witness *w)
{
    rule_id rule = rule_of(a, b);
    const char *buffer = buffer_name(k, a);
    const char *axes = a == b ? missing_axes(k, a) : NULL;
    switch (rule) {
    case RULE_INTER_BLOCK_WRITE_WRITE:
        if (axes)
            return finding_add(
                k, rule, confidence, a, b, w,
                "different tile blocks write the same elements of '%s': the index does not "
                "depend on %s",
                buffer, axes);
        return finding_add(k, rule, confidence, a, b, w,
                           "different tile blocks write the same elements of '%s'", buffer);
    case RULE_INTER_BLOCK_READ_WRITE:
        return finding_add(k, rule, confidence, a, b, w,
                           "one tile block %s elements of '%s' that another one %s", verb(a),
                           buffer, verb(b));
    case RULE_WEAK_ATOMIC: {
        const ix_access *weak = a->ordering == IR_WEAK ? a : b, *other = weak == a ? b : a;
        return finding_add(k, rule, confidence, a, b, w,
                           "one tile block %s elements of '%s' weakly that another one %s",
                           verb(weak), buffer, other->atomic ? "updates atomically" : verb(other));
    }
    default:
        return finding_add(
            k, rule, confidence, a, b, w,
            "the scope of an access to '%s' does not include the other tile block that "
            "accesses the same element",
            buffer);
    }
}

/* A pair whose conditions alone exclude each other proves nothing about its addresses. */
static void note_vacuity(checker *k, const ix_access *a, const ix_access *b)
{
    smt_t both = smt_and(k->ctx, a->path, b->path);
    for (size_t i = 0; i < arrlenu(k->seen_paths); i++)
        if (k->seen_paths[i] == both) {
            k->proved_something = true;
            return;
        }
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, COPY_OTHER_BLOCK);
    query_add(k, &conjuncts, copy_blocks_differ(k));
    if (ask_is_unsat(k, conjuncts, "vacuous")) {
        k->any_vacuous = true;
        k->report->vacuous++;
        return;
    }
    arrput(k->seen_paths, both);
    k->proved_something = true;
}

/* TR006, TR013 to TR022: something was meant to order the two, and does not. */
static void report_pair(checker *k, confidence_kind confidence, const ix_access *a,
                        const ix_access *b, witness *w)
{
    rule_id rule;
    const char *words;
    bool only_per_iteration;
    if (!mistake_of_order(k, a, b, &rule, &words, &only_per_iteration)) {
        inter_block_report(k, confidence, a, b, w);
        return;
    }
    const ix_access *first = a->writes ? a : b;
    finding *f = finding_add(k, rule, confidence, a, b, w,
                             "one tile block %s elements of '%s' that another one %s: %s",
                             verb(first), buffer_name(k, a), verb(first == a ? b : a), words);
    f->only_per_iteration = only_per_iteration;
}

static pair_outcome check_pair(checker *k, const ix_access *a, const ix_access *b)
{
    witness *w;
    pair_outcome outcome =
        pair_decide(k, a, b, COPY_OTHER_BLOCK, copy_blocks_differ(k), "inter-block",
                    "disjointness of different tile blocks' accesses", &w);
    if (outcome == PAIR_PROVED)
        note_vacuity(k, a, b);
    else if (outcome == PAIR_RACE)
        report_pair(k, CONFIDENCE_CONFIRMED, a, b, w);
    else if (outcome == PAIR_POSSIBLE)
        report_pair(k, CONFIDENCE_POSSIBLE, a, b, w);
    return outcome;
}

static size_t count_pairs(const cluster *x, const cluster *y)
{
    size_t n = arrlenu(x->members), m = arrlenu(y->members);
    return x == y ? n * (n + 1) / 2 : n * m;
}

static bool are_apart(checker *k, const ix_access *a, const ix_access *b)
{
    smt_t also = copy_blocks_differ(k);
    query conjuncts = {0};
    require_enter_pair(k);
    copy_add_pair(k, &conjuncts, a, b, COPY_OTHER_BLOCK);
    query_add(k, &conjuncts, also);
    query_add(k, &conjuncts, copy_same_location(k, a, b, COPY_OTHER_BLOCK));
    bool proved = ask_is_unsat(k, conjuncts, "inter-block-cluster") ||
                  require_found_suffices(k, a, b, COPY_OTHER_BLOCK, also, conjuncts);
    require_leave_pair(k);
    return proved;
}

/* Asks about all pairs of two clusters (or of one with itself) in one question; false when it does
 * not settle them. */
static bool check_together(checker *k, const cluster *x, const cluster *y)
{
    size_t pairs = count_pairs(x, y);
    if (arrlenu(x->members) == 1 && arrlenu(y->members) == 1)
        return false;
    if (!are_apart(k, &x->whole, &y->whole))
        return false;
    k->report->total += pairs;
    k->report->proved += pairs;
    note_vacuity(k, &x->whole, &y->whole);
    return true;
}

enum { MOST_BY_RUNS = 4096 };

/* Are the steps used up? Then the pairs that are left, so many of them, stay open: one by one even
 * a refusal takes seconds where there are millions. What runs show of a pair is known for a few. */
static bool gives_up(checker *k, size_t pairs, const ix_access *next)
{
    if (pairs == 0 || ask_left(k) > 0 || (k->wraps.by_runs && pairs <= MOST_BY_RUNS))
        return pairs == 0;
    smt_answer answer = ask_refusal(k);
    count_unknown_answer(
        k, &answer, next->op->place,
        tr_arena_printf(k->arena,
                        "disjointness of different tile blocks' accesses of '%s' is "
                        "not proved",
                        buffer_name(k, next)));
    k->report->total += pairs - 1;
    k->report->unknown += pairs - 1;
    return true;
}

static void check_clusters(checker *k, const cluster *x, const cluster *y)
{
    if (!may_meet(k, &x->whole, &y->whole))
        return;
    size_t left = count_pairs(x, y), races = 0;
    if (gives_up(k, left, &x->whole) || check_together(k, x, y))
        return;
    for (size_t i = 0; i < arrlenu(x->members); i++)
        for (size_t j = x == y ? i : 0; j < arrlenu(y->members); j++) {
            if (gives_up(k, left, &k->s->accesses[x->members[i]]))
                return;
            const ix_access *a = &k->s->accesses[x->members[i]];
            pair_outcome outcome = check_pair(k, a, &k->s->accesses[y->members[j]]);
            if (outcome == PAIR_RACE && ++races == RULES_MOST_ALIKE)
                return;
            left--;
        }
}

void rule_inter_block(checker *k)
{
    cluster *clusters = clusters_make(k);
    /* Each access is first asked with itself: two of them often need together what each asks of the
     * launch for itself, `n <= s` and `m <= s` for rows of n columns here and of m there. */
    for (size_t i = 0; i < arrlenu(clusters); i++)
        check_clusters(k, &clusters[i], &clusters[i]);
    for (size_t i = 0; i < arrlenu(clusters); i++)
        for (size_t j = i + 1; j < arrlenu(clusters); j++)
            check_clusters(k, &clusters[i], &clusters[j]);
    clusters_free(clusters);
}
