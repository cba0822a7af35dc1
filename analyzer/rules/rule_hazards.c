/* TR009 and TR010: arithmetic that leaves its type, division by zero (U10).
 *
 * The walk's terms are unwrapped. That is sound for the first wrap of an execution: everything
 * before it was exact, so its own path and operands are. Where no first wrap exists, none exists.
 */
#include "rules/require_search.h"

#include "base/ds.h"

static smt_t failure(checker *k, const ix_hazard *h)
{
    smt_t when = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
    return smt_and(k->ctx, when, smt_not(k->ctx, h->safe));
}

static const char *text_of(checker *k, const ix_hazard *h)
{
    tr_text text = {0};
    smt_print_c(&text, h->value);
    const char *kept = tr_arena_strdup(k->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

static void report(checker *k, const ix_hazard *h, const smt_answer *answer)
{
    const char *why = NULL;
    witness *w = NULL;
    bool wrap = h->kind == IX_WRAP;
    bool stated = contract_constrains(k, h->safe);
    if (stated)
        w = enumerate_undefined(k, h->op, false);
    if (!w && stated && answer->verdict == SMT_SAT)
        w = witness_of_event(k, answer->model, h->op, false, &why);
    if (w && h->undefined) {
        count_refuted(k);
        if (wrap)
            finding_add_op(k, RULE_WRAP, CONFIDENCE_CONFIRMED, h->op, w,
                           "%s leaves the range of its type", text_of(k, h));
        else if (h->kind == IX_STEP)
            finding_add_op(k, RULE_DIVISION, CONFIDENCE_CONFIRMED, h->op, w,
                           "the loop's step %s can be zero or negative", text_of(k, h));
        else
            finding_add_op(k, RULE_DIVISION, CONFIDENCE_CONFIRMED, h->op, w,
                           "the divisor %s can be zero", text_of(k, h));
        return;
    }
    /* An unflagged wrap is defined, and the terms do not follow it: where the contract allows it,
     * nothing that rests on them is proved. A flagged one that no run shows stays open too. */
    if (stated) {
        static const char *const open[] = {
            [IX_WRAP] = "%s may leave the range of its type for launches that the contract allows",
            [IX_DIVISION] = "%s may be no divisor for launches that the contract allows",
            [IX_STEP] = "%s may be no step of a loop for launches that the contract allows",
            [IX_EXTENT] = "%s, an extent or a stride, may be negative for launches that the "
                          "contract allows",
        };
        count_unknown(k, REASON_UNSUPPORTED_OP, h->op->place, open[h->kind], text_of(k, h));
        return;
    }
    if (smt_is_false(h->safe)) { /* no launch can mend it: that is no require */
        count_unknown(k, REASON_UNSUPPORTED_OP, h->op->place,
                      "%s is undefined wherever it is reached", text_of(k, h));
        return;
    }
    if (wrap)
        require_add(k, REQUIRE_NO_WRAP, false, NULL, NULL, "%s stays in the range of its type",
                    text_of(k, h));
    else if (h->kind == IX_EXTENT && term_is_launch_constant(k, h->safe))
        require_add_fact(k, REQUIRE_NO_WRAP, h->safe);
    else if (h->kind == IX_EXTENT)
        require_add(k, REQUIRE_NO_WRAP, false, NULL, NULL,
                    "%s, an extent or a stride, is not negative", text_of(k, h));
    else if (h->kind == IX_STEP)
        require_add(k, REQUIRE_POSITIVE_DIVISOR, false, NULL, NULL,
                    "the loop's step %s is positive", text_of(k, h));
    else
        require_add(k, REQUIRE_POSITIVE_DIVISOR, false, NULL, NULL, "the divisor %s is not zero",
                    text_of(k, h));
}

static void check_one(checker *k, const ix_hazard *h)
{
    smt_t *conjuncts = NULL;
    arrput(conjuncts, k->launch);
    arrput(conjuncts, failure(k, h));
    smt_answer answer = ask(k, conjuncts, h->kind == IX_WRAP ? "no-wrap" : "divisor");
    if (answer.verdict == SMT_UNSAT)
        count_proved(k);
    else
        report(k, h, &answer);
    arrfree(conjuncts);
}

void rule_hazards(checker *k)
{
    /* One question for all of them first: most kernels have none that fails. */
    smt_t any = smt_bool_const(k->ctx, false), *distinct = NULL;
    size_t n = arrlenu(k->s->hazards);
    bool *skip = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        smt_t fails = failure(k, &k->s->hazards[i]);
        skip[i] = smt_is_false(fails);
        for (size_t j = 0; j < arrlenu(distinct) && !skip[i]; j++)
            skip[i] = distinct[j] == fails;
        if (skip[i])
            continue;
        arrput(distinct, fails);
        any = smt_or(k->ctx, any, fails);
    }
    size_t n_distinct = arrlenu(distinct);
    arrfree(distinct);
    if (n_distinct == 0)
        return;
    if (n_distinct > 1) {
        smt_t *conjuncts = NULL;
        arrput(conjuncts, k->launch);
        arrput(conjuncts, any);
        bool none = ask_is_unsat(k, conjuncts, "hazards");
        arrfree(conjuncts);
        if (none) {
            for (size_t i = 0; i < n_distinct; i++)
                count_proved(k);
            return;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (!skip[i])
            check_one(k, &k->s->hazards[i]);
}
