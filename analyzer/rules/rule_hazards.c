/* TR009 and TR010: arithmetic that leaves its type, division by zero (U10).  The walk's terms
 * are unwrapped. That is sound for the first wrap of an execution: everything before it was
 * exact, so its own path and operands are. Where no first wrap exists, none exists. */
#include "rules/rule_hazards.h"

#include "precondition/of_event.h"
#include "precondition/starved.h"
#include "precondition/stated.h"
#include "question/ask.h"
#include "question/assumed.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/term_words.h"
#include "rules/add_finding.h"
#include "rules/enforced.h"
#include "rules/rule.h"
#include "rules/rule_assume.h"
#include "rules/second_look.h"
#include "rules/sizes.h"
#include "rules/undefined_fate.h"
#include "rules/wraps.h"
#include "witness/enumerate.h"
#include "witness/replay.h"
#include "witness/whole_launch.h"

#include "base/ds.h"

static smt_t failure(checker *k, const ix_hazard *h)
{
    smt_t when = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
    return smt_and(k->ctx, when, smt_not(k->ctx, h->safe));
}

/* The words for each kind: as a finding, as a reason, as a require. */
static const struct hazard_words {
    rule_id rule;
    precondition_kind require;
    const char *found, *open, *wanted;
} words[] = {
    [IX_WRAP] = {RULE_WRAP, PRECONDITION_NO_WRAP, "%s leaves the range of its type",
                 "%s may leave the range of its type for launches that the contract allows",
                 "%s stays in the range of its type"},
    [IX_DIVISION] = {RULE_DIVISION, PRECONDITION_POSITIVE_DIVISOR, "the divisor %s can be zero",
                     "%s may not be a valid divisor in launches that the contract allows",
                     "%s, a divisor, is not zero"},
    [IX_STEP] = {RULE_DIVISION, PRECONDITION_POSITIVE_DIVISOR,
                 "the loop's step %s can be zero or negative",
                 "%s may not be a valid loop step in launches that the contract allows",
                 "%s, a loop's step, is positive"},
    [IX_EXTENT] = {RULE_WRAP, PRECONDITION_NO_WRAP, "%s, an extent or a stride, can be negative",
                   "%s, an extent or a stride, may be negative for launches that the contract "
                   "allows",
                   "%s, an extent or a stride, is not negative"},
    [IX_SLICE] = {RULE_INDEX_SPACE, PRECONDITION_INDEX_IN_SPACE,
                  "slice number %s can lie outside of its tile",
                  "slice number %s may lie outside of its tile for launches that the contract "
                  "allows",
                  "%s, a slice number, lies in its tile"},
    [IX_NULL] = {RULE_OUT_OF_BUFFER, PRECONDITION_IN_BOUNDS,
                 "an access through the null pointer (address %s) lies in no buffer",
                 "an access through the null pointer (address %s) may run",
                 "no access goes through the null pointer (address %s)"},
    [IX_SHIFT] = {RULE_DIVISION, PRECONDITION_NO_WRAP,
                  "the shift by %s can be negative or as wide as its type",
                  "the shift by %s may be too wide for launches that the contract allows",
                  "%s, a shift distance, is at least 0 and narrower than its type"},
};

/* Returns the fact to ask for: a divisor that is not 0 is meant to be positive where it is a
 * size. */
static smt_t wanted(checker *k, const ix_hazard *h)
{
    bool unequal = h->safe->kind == SMT_NOT;
    for (uint32_t i = 0; h->safe->kind == SMT_AND && i < h->safe->n_args; i++)
        unequal |= h->safe->args[i]->kind == SMT_NOT;
    return h->kind == IX_DIVISION && unequal && sizes_is_divisor(k, h)
               ? smt_lt(k->ctx, smt_int_const(k->ctx, 0), h->value)
               : h->safe;
}

static void found(checker *k, const ix_hazard *h, witness *w)
{
    count_refuted(k);
    k->undefined.open = true;
    finding_add_op(k, words[h->kind].rule, CONFIDENCE_CONFIRMED, h->op, w, words[h->kind].found,
                   term_words(k, h->value));
}

/* The terms go on with the exact value where the machine goes on with another one. */
void hazard_leave_open(checker *k, const ix_hazard *h)
{
    count_unknown(k, REASON_UNSUPPORTED_OP, h->op->place, words[h->kind].open,
                  term_words(k, h->value));
}

/* Handles a hazard that no fact on the launch excludes: an error where no launch that counts does,
 * else a precondition in words. */
static void decide_in_words(checker *k, const ix_hazard *h)
{
    const undefined_op u = require_undefined_hazard(h);
    witness *w;
    undefined_fate fate = rule_decide_undefined(k, &u, &w);
    if (fate != UNDEFINED_AVOIDABLE && !h->undefined)
        hazard_leave_open(k, h);
    else if (fate == UNDEFINED_EVERYWHERE)
        found(k, h, w);
    else
        rule_require_defined_op(k, words[h->kind].require, h, fate == UNDEFINED_AVOIDABLE,
                                words[h->kind].wanted, h->value);
}

/* It is undefined wherever it is reached: no precondition can exclude it. */
static void decide_hopeless(checker *k, const ix_hazard *h)
{
    const undefined_op u = require_undefined_hazard(h);
    witness *w;
    if (h->undefined && rule_decide_undefined(k, &u, &w) == UNDEFINED_EVERYWHERE) {
        found(k, h, w);
        return;
    }
    count_unknown(k, REASON_UNSUPPORTED_OP, h->op->place, "%s is undefined wherever it is reached",
                  term_words(k, h->value));
    k->undefined.open = true;
}

/* The value was not proved to be safe. It is shown where a run shows it; it is open where the
 * contract states what allows it; and otherwise the launch is asked for a fact that excludes it. */
static void report(checker *k, const ix_hazard *h, const smt_answer *answer)
{
    const char *why = NULL;
    witness *w = NULL;
    const struct hazard_words *say = &words[h->kind];
    bool stated =
        h->kind == IX_WRAP ? wraps_are_stated(k, h) : require_contract_constrains(k, h->safe);
    if (stated)
        w = enumerate_undefined(k, h->op, false);
    else if (h->undefined)
        w = whole_launch_undefined(k, h->op, false);
    if (!w && stated && answer->verdict == SMT_SAT)
        w = witness_of_event(k, answer->model, h->op, false, &why);
    if (w && h->undefined) {
        found(k, h, w);
        return;
    }
    k->undefined.open |= stated;
    /* An unflagged wrap is defined, and the terms do not follow it: where the contract allows it,
     * nothing that rests on them is proved. A flagged one that no run shows stays open too. */
    if (stated) {
        hazard_leave_open(k, h);
        return;
    }
    /* Nor is anything that a run decides, which computes as the machine does. */
    if (h->kind == IX_WRAP && !h->undefined && whole_launch_is_inside(k)) {
        count_proved(k);
        return;
    }
    if (smt_is_false(h->safe)) {
        decide_hopeless(k, h);
        return;
    }
    k->wraps.asking = h->kind == IX_WRAP && !h->undefined;
    bool asked =
        require_of_event(k, say->require, h->op, wanted(k, h), h->path, h->facts, h->assumed);
    if (!asked)
        decide_in_words(k, h);
    k->wraps.asking = false;
    /* A divisor of open sign: what comes after the division knows it then. */
    if (asked && h->asked && sizes_is_divisor(k, h))
        assume_given(k, h->asked);
}

enum {
    SIGN = 100 * 1000,
    SIGN_BRIEF = 50 * 1000
}; /* steps; the second where nobody stated a thing */

/* A divisor that is never 0 and may have either sign: sizes are meant to be positive. Where that
 * has a fact, it is asked for, and what comes after the division knows it. */
static void ask_for_sign(checker *k, const ix_hazard *h)
{
    smt_t positive = smt_lt(k->ctx, smt_int_const(k->ctx, 0), h->value);
    smt_t when = smt_and(k->ctx, h->path, h->facts);
    query conjuncts = query_with(k, query_of_launch(k), smt_and(k->ctx, when, h->assumed));
    query_add(k, &conjuncts, smt_not(k->ctx, positive));
    bool silent = contract_is_silent(k->contract),
         stated = require_contract_constrains(k, positive);
    smt_verdict verdict = ask_for(k, conjuncts, "sign", silent ? SIGN_BRIEF : SIGN).verdict;
    bool either = verdict == SMT_SAT && !stated && sizes_is_divisor(k, h);
    if (verdict == SMT_UNSAT ||
        (either && require_of_event(k, PRECONDITION_POSITIVE_DIVISOR, h->op, positive, h->path,
                                    h->facts, h->assumed)))
        assume_given(k, h->asked);
}

static void ask_for_signs(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++)
        if (k->s->hazards[i].asked)
            ask_for_sign(k, &k->s->hazards[i]);
}

static void check_one(checker *k, const ix_hazard *h)
{
    solver_window(k);
    query fails = query_with(k, query_of_launch(k), failure(k, h));
    smt_answer answer = ask_event(k, fails, h->kind == IX_WRAP ? "no-wrap" : "divisor");
    if (answer.verdict == SMT_UNSAT)
        note_proved_event(k, h->op, false);
    else
        report(k, h, &answer);
}

static bool is_size(const ix_hazard *h)
{
    return h->kind == IX_EXTENT && h->value->kind == SMT_VAR;
}

typedef struct failure_entry {
    smt_t key;
    bool value;
} failure_entry;

/* Collects what the failures of the hazards say, each once; `skip` is set where nothing fails or
 * another hazard fails in the same way. */
static smt_t *distinct_failures(checker *k, bool *skip)
{
    failure_entry *known = NULL;
    smt_t *distinct = NULL;
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        smt_t fails = failure(k, &k->s->hazards[i]);
        skip[i] = smt_is_false(fails) || hmgeti(known, fails) >= 0 ||
                  k->s->hazards[i].kind == IX_ASSUME; /* rule_assume.c */
        if (skip[i])
            continue;
        hmput(known, fails, true);
        arrput(distinct, fails);
    }
    hmfree(known);
    return distinct;
}

enum { AT_ONCE = 100 };

/* Is it proved that none of them fails? Many are asked about at once, since in most kernels none
 * fails. A kernel of thousands of operations is asked about piece by piece, so that no question is
 * too large. */
static bool none_fails(checker *k, size_t n, const smt_t *failures)
{
    for (size_t from = 0; from < n; from += AT_ONCE) {
        size_t piece = n - from < AT_ONCE ? n - from : AT_ONCE;
        smt_t any = smt_or_n(k->ctx, piece, failures + from);
        query fails = query_with(k, query_of_launch(k), any);
        if (ask_event(k, fails, "hazards").verdict != SMT_UNSAT)
            return false;
    }
    return true;
}

void rule_hazards(checker *k)
{
    size_t n = arrlenu(k->s->hazards);
    bool *skip = TR_NEW_ARRAY(k->arena, bool, n + 1);
    smt_t *distinct = distinct_failures(k, skip);
    size_t n_distinct = arrlenu(distinct);
    solver_window(k);
    bool none = n_distinct != 1 && none_fails(k, n_distinct, distinct);
    arrfree(distinct);
    if (none) {
        for (size_t i = 0; i < n && solver_was_needed(k); i++) {
            const ix_hazard *h = &k->s->hazards[i];
            if (h->kind != IX_ASSUME && !smt_is_false(failure(k, h)))
                note_leaned_event(k, h->op, false);
        }
        count_proved_together(k, n_distinct);
        ask_for_signs(k);
        return;
    }
    /* Parameters that are sizes first: that they are not negative settles many signs. */
    for (int sizes = 1; sizes >= 0; sizes--) {
        for (size_t i = 0; i < n; i++) {
            const ix_hazard *h = &k->s->hazards[i];
            if (skip[i] || is_size(h) != (sizes == 1))
                continue;
            if (ask_left(k) == 0) { /* all that are left stay open: one says so for all */
                smt_answer answer = ask_refusal(k);
                k->undefined.open = true;
                count_unknown_answer(k, &answer, h->op->place,
                                     "undefined behaviour is not excluded");
                return;
            }
            check_one(k, h);
        }
        if (sizes)
            ask_for_signs(k);
    }
}

/* ---- Section: wraps that are defined, asked again ----
 *
 * Such a value was asked about when all was known that ops before it ask for, say a signed product
 * in a branch that the entry of a table decides. A launch that breaks this and does not take the
 * branch is defined, its value wraps, and the terms go on with the exact one. So what is proved of
 * the value may rest on what undefined behaviour enforces, and on what arithmetic that may wrap by
 * definition asks for itself: launches that break that are checked once more with machine values
 * (check_wraps.c). */

/* Are the operation's values exact in the terms, while it wraps by definition? */
static bool is_followed_exactly(const checker *k, const ix_hazard *h)
{
    return h->kind == IX_WRAP && !h->undefined &&
           !(k->wraps.doubted && k->wraps.doubted[h->op->ordinal]);
}

static smt_t *exact_failures(checker *k)
{
    smt_t *failures = NULL;
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        smt_t fails = failure(k, &k->s->hazards[i]);
        if (is_followed_exactly(k, &k->s->hazards[i]) && !smt_is_false(fails))
            arrput(failures, fails);
    }
    return failures;
}

/* Returns the facts that such arithmetic has asked for itself, and nothing that others ask of
 * contents. */
static smt_t asked_by_wraps(checker *k)
{
    smt_t all = smt_bool_const(k->ctx, true);
    uint64_t args = 0;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const required *r = &k->requires_[i];
        if (r->of_wrap && r->fact)
            all = smt_and(k->ctx, all, r->fact);
        if (r->of_wrap && r->what.of_contents && r->what.subject.arg < 64)
            args |= (uint64_t)1 << r->what.subject.arg;
    }
    assume_no_range(k, ~args);
    return all;
}

static void ask_exact_ones(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->hazards) && ask_left(k) > 0; i++) {
        const ix_hazard *h = &k->s->hazards[i];
        smt_t fails = is_followed_exactly(k, h) ? failure(k, h) : smt_bool_const(k->ctx, false);
        if (smt_is_false(fails))
            continue;
        smt_answer answer = ask_event(k, query_with(k, query_of_launch(k), fails), "no-wrap");
        if (answer.verdict != SMT_UNSAT)
            report(k, h, &answer);
    }
}

void rule_hazards_again(checker *k)
{
    smt_t *failures = exact_failures(k), known = k->known.launch;
    size_t n = arrlenu(failures);
    smt_t own = smt_and(k->ctx, k->s->launch, k->given);
    if (n && arrlenu(k->requires_)) {
        smt_t asked = asked_by_wraps(k);
        k->known.launch = smt_and(k->ctx, own, asked);
        if (!none_fails(k, n, failures)) {
            k->known.launch = smt_and(k->ctx, enforced_kept_without_wraps(k), asked);
            ask_exact_ones(k);
        }
        k->known.launch = smt_and(k->ctx, known, k->known.launch);
    }
    arrfree(failures);
}
