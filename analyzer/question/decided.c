/* Records the result of each obligation, whether the solver was needed for it, and why it is not
 * decided. */
#include "question/decided.h"

#include "question/checker.h"

#include "base/ds.h"

#include <stdarg.h>

/* ---- Section: Who decided ---- */

/* An obligation that is decided from here on needs none of the solver's answers that came
 * before. */
void solver_window(checker *k)
{
    smt_statistics statistics = smt_prover_statistics(k->prover);
    k->effort.leaned = statistics.leaned > k->effort.leaned_at;
    k->effort.leaned_at = statistics.leaned;
    k->effort.failures_of_pair = statistics.noted;
}

bool solver_was_needed(const checker *k)
{
    return smt_prover_statistics(k->prover).leaned > k->effort.leaned_at;
}

void count_proved_together(checker *k, size_t n)
{
    k->report->total += n;
    k->report->proved += n;
    k->report->proved_by_solver += solver_was_needed(k) ? n : 0;
    solver_window(k);
}

void count_proved(checker *k)
{
    count_proved_together(k, 1);
}

void count_refuted(checker *k)
{
    k->report->total++;
    k->report->refuted++;
    solver_window(k);
}

void count_unknown(checker *k, reason_kind kind, const tr_place *place, const char *format, ...)
{
    k->report->total++;
    k->report->unknown++;
    solver_window(k);
    if (k->report->reason.text)
        return; /* the first reason is the one shown */
    va_list arguments;
    va_start(arguments, format);
    k->report->reason = (verdict_reason){
        .kind = kind, .text = tr_arena_vprintf(k->arena, format, arguments), .place = place};
    va_end(arguments);
}

/* ---- Section: Why it is unknown ---- */

static reason_kind reason_of(smt_unknown_kind why)
{
    static const reason_kind kinds[] = {
        [SMT_WHY_NONE] = REASON_CONTRACT_SILENT,
        [SMT_WHY_STEPS] = REASON_STEPS,
        [SMT_WHY_BUDGET] = REASON_BUDGET,
        [SMT_WHY_TIMEOUT] = REASON_SOLVER_TIMEOUT,
        [SMT_WHY_MODEL] = REASON_SOLVER_MODEL,
        [SMT_WHY_NONSENSE] = REASON_SOLVER_NONSENSE,
        [SMT_WHY_DIED] = REASON_SOLVER_DIED,
        [SMT_WHY_KILLED] = REASON_SOLVER_KILLED,
        [SMT_WHY_MISSING] = REASON_SOLVER_MISSING,
        [SMT_WHY_CONTRADICTS] = REASON_SOLVER_CONTRADICTION,
    };
    return kinds[why];
}

bool solver_has_failed(const checker *k)
{
    return smt_prover_failed_since(k->prover, k->effort.failures_of_pair).why != SMT_WHY_NONE;
}

void count_unknown_answer(checker *k, const smt_answer *answer, const tr_place *place,
                          const char *what)
{
    smt_failure failed = smt_prover_failed_since(k->prover, k->effort.failures_of_pair);
    if (failed.why <= answer->why)
        failed = (smt_failure){answer->why, answer->why_text};
    count_unknown(k, reason_of(failed.why), place, "%s: %s", what,
                  failed.text ? failed.text : "the solver gave no answer");
}

void count_unknown_search(checker *k, reason_kind kind, const tr_place *place, const char *format,
                          ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(k->arena, format, arguments);
    va_end(arguments);
    smt_failure failed = smt_prover_failed_since(k->prover, k->effort.failures_before);
    if (failed.why == SMT_WHY_NONE)
        count_unknown(k, kind, place, "%s", text);
    else
        count_unknown(k, reason_of(failed.why), place, "%s: %s", text, failed.text);
}

/* ---- Section: A solver that contradicts itself ---- */

static void drop_examples(kernel_report *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->n_findings; i++)
        if (!r->findings[i].is_example)
            r->findings[kept++] = r->findings[i];
    r->n_findings = kept;
}

void decided_conclude(const smt_prover *prover, size_t leaned_before, kernel_report *r)
{
    const char *contradiction = smt_prover_contradiction(prover);
    r->by_solver = smt_prover_statistics(prover).leaned > leaned_before;
    if (!contradiction || r->verdict == VERDICT_RACE)
        return;
    drop_examples(r);
    r->verdict = VERDICT_UNKNOWN;
    r->total++;
    r->unknown++;
    r->reason = (verdict_reason){
        .kind = REASON_SOLVER_CONTRADICTION, .text = contradiction, .place = r->place};
}
