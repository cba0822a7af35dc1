/* Values that wrap, in a second check of what was proved.
 *
 * Arithmetic that promises nothing is asked not to wrap, which makes the proof easier, though a
 * value that wraps is defined and two blocks may meet by it: `2u * t[b]` is 0 for 0 and for 2^31.
 * So what was proved is checked once more with the values that the machine computes. A race of a
 * launch whose accesses all lie in their buffers makes such a precondition one whose violation is a
 * race; where the first value that wraps leaves its buffer, that is an error in itself. Where the
 * check proves the kernel, `3u * t[b]`, nothing has to be asked. */
#include "question/checker.h"
#include "rules/check_again.h"
#include "rules/check_once.h"
#include "witness/describe.h"

#include "base/ds.h"

#include <string.h>

enum { WRAP_STEPS = 120 * 1000 };

/* Small launches are run where the solver leaves a race of machine values open. It is given next to
 * no steps then. */
enum { BY_RUNS_STEPS = 1 };

typedef struct wrapped_launches { /* what machine values show of launches */
    kernel_report *report;
    bool hoped;             /* that meet the preconditions which a defined launch may break, too */
    bool shows;             /* a race */
    bool near;              /* their accesses were taken to lie near, so that no race is no proof */
    verdict_reason failure; /* of the solver, that left it open; `text` is NULL: there was none */
} wrapped_launches;

static wrapped_launches check_machine_values(const check_task *task, const contract *given,
                                             smt_steps proof, const asked_wrap *by_runs)
{
    check_outcome outcome = {0};
    const rules_options options =
        check_short_options(task, proof, by_runs ? BY_RUNS_STEPS : WRAP_STEPS);
    check_task other = *task;
    other.options = &options;
    other.began = smt_steps_taken(task->ctx);
    other.machine_values = true;
    other.by_runs = by_runs;
    wrapped_launches seen = {.report = check_once(&other, given, &outcome)};
    outcome_free(&outcome);
    seen.shows = check_races_defined(seen.report) && (by_runs || !outcome.excuses);
    seen.near = outcome.proved_near;
    if (seen.report->verdict == VERDICT_UNKNOWN &&
        reason_is_failed_solver(seen.report->reason.kind))
        seen.failure = seen.report->reason;
    return seen;
}

/* Checks launches with machine values that meet all other preconditions and break number `which`
 * alone; -1: any one of those that may wrap. `hoped`: the launches also meet the preconditions that
 * a defined launch may break. */
static wrapped_launches check_wraps_of(const check_task *task, const check_outcome *of, int which,
                                       bool hoped, smt_steps proof, bool by_runs)
{
    smt_t *facts = NULL;
    for (size_t i = 0; i < arrlenu(of->beside); i++)
        arrput(facts, of->beside[i]);
    for (size_t i = 0; i < arrlenu(of->hoped) && hoped; i++)
        arrput(facts, of->hoped[i]);
    for (int i = 0; i < (int)arrlen(of->wraps) && which >= 0; i++)
        if (of->wraps[i].fact)
            arrput(facts, i == which ? smt_not(task->ctx, of->wraps[i].fact) : of->wraps[i].fact);
    contract *given = contract_with_facts(task->ctx, of->rest, arrlenu(facts), facts);
    asked_wrap *broken = NULL;
    for (int i = 0; i < (int)arrlen(of->wraps) && by_runs; i++)
        if (which < 0 || i == which)
            arrput(broken, of->wraps[i]);
    wrapped_launches seen = check_machine_values(task, given, proof, broken);
    seen.hoped = hoped;
    arrfree(broken);
    contract_free(given);
    arrfree(facts);
    return seen;
}

/* Checks all of them together. */
static wrapped_launches check_any_wrap(const check_task *task, const check_outcome *of,
                                       smt_steps proof)
{
    wrapped_launches any = {0};
    verdict_reason failure = {0};
    double time_ms = 0;
    for (int with = arrlenu(of->hoped) > 0; with >= 0 && !any.shows; with--) {
        any = check_wraps_of(task, of, -1, with, proof, false);
        time_ms += any.report->time_ms;
        failure = any.failure.text ? any.failure : failure;
    }
    if (!any.shows && any.report->verdict == VERDICT_UNKNOWN) {
        any = check_wraps_of(task, of, -1, false, proof, true);
        time_ms += any.report->time_ms;
    }
    any.report->time_ms = time_ms;
    any.failure = failure;
    return any;
}

static bool asks_for(const kernel_report *one, const precondition *what)
{
    for (size_t i = 0; i < one->n_requires; i++)
        if (precondition_same(&one->requires_[i].what, what))
            return true;
    return false;
}

/* Do machine values prove the kernel for every launch that meets the other preconditions of `one`,
 * and ask for no more than those? Facts that a launch may break were not used in that proof. */
static bool is_proved_without(const check_outcome *outcome, const kernel_report *one,
                              const wrapped_launches *any)
{
    const kernel_report *r = any->report;
    bool proved =
        r->verdict == VERDICT_RACE_FREE && !any->near && !outcome->leans && check_is_defined(r);
    for (size_t i = 0; i < r->n_requires && proved; i++)
        proved = r->requires_[i].what.class_ == PRECONDITION_CLASS_STANDING &&
                 asks_for(one, &r->requires_[i].what);
    return proved;
}

/* Machine values prove `one` without these. They are of class launch, so no example breaks one. */
static void drop_wraps(const check_outcome *outcome, kernel_report *one)
{
    for (size_t w = arrlenu(outcome->wraps); w-- > 0;) {
        size_t at = outcome->wraps[w].which;
        one->n_requires--;
        for (size_t i = at; i < one->n_requires; i++)
            one->requires_[i] = one->requires_[i + 1];
        for (size_t i = 0; i < one->n_findings; i++)
            if (one->findings[i].is_example && one->findings[i].breaks > at)
                one->findings[i].breaks--;
    }
}

typedef struct shown_values { /* of a launch that a finding shows */
    const check_task *task;
    const contract *c;
    const witness *w;
    size_t element; /* of `contents` */
    const witness_contents *contents;
} shown_values;

static bool look_up(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    const shown_values *v = user;
    (void)n_args, (void)args;
    if (v->contents && variable == contract_index(v->task->ctx)) {
        *value = (smt_int)v->element;
        return true;
    }
    return witness_tells(v->task->ctx, v->c, v->w, variable, value);
}

static bool contents_break(shown_values *v, const precondition *what)
{
    const char *name = contract_buffer_of(&v->c->args[what->subject.arg]);
    for (size_t i = 0; i < v->w->n_contents; i++) {
        v->contents = &v->w->contents[i];
        for (v->element = 0;
             strcmp(v->contents->buffer, name) == 0 && v->element < v->contents->count;
             v->element++) {
            smt_int value = v->contents->values[v->element], bound;
            if ((what->contents.min && smt_eval(what->contents.min, look_up, v, &bound) &&
                 value < bound) ||
                (what->contents.max && smt_eval(what->contents.max, look_up, v, &bound) &&
                 value > bound))
                return true;
        }
    }
    return false;
}

/* Does the launch of the race break the precondition, as far as values tell? */
static bool race_breaks(const check_task *task, const contract *c, const asked_wrap *wrap,
                        const precondition *what, const kernel_report *other)
{
    for (size_t i = 0; i < other->n_findings; i++) {
        const finding *f = &other->findings[i];
        shown_values v = {task, c, f->witness, 0, NULL};
        smt_int holds;
        if (!check_shows_race(other, f) || !f->witness)
            continue;
        if (what->of_contents)
            return contents_break(&v, what);
        return wrap->fact && smt_eval(wrap->fact, look_up, &v, &holds) && !holds;
    }
    return false;
}

/* Several preconditions exclude the race together: which of them is printed with it? The first that
 * its launch breaks. Where the values of the launch break none, one that has a sentence instead of
 * a term, because values cannot say whether it is met. */
static size_t excluding(const check_task *task, const contract *c, const check_outcome *outcome,
                        const kernel_report *one, const kernel_report *any)
{
    size_t n = arrlenu(outcome->wraps), in_words = 0;
    for (size_t i = n; i-- > 0;) {
        const asked_wrap *wrap = &outcome->wraps[i];
        if (race_breaks(task, c, wrap, &one->requires_[wrap->which].what, any))
            return i;
        if (one->requires_[wrap->which].what.words)
            in_words = i;
    }
    return in_words;
}

/* Is it a race of accesses one of which never runs where the preconditions are met? These would
 * only say that there is no such access, which no precondition may. */
static bool is_of_unreachable(const check_outcome *proved, const kernel_report *other)
{
    bool any = false;
    for (size_t i = 0; i < other->n_findings; i++) {
        const finding *f = &other->findings[i];
        for (size_t l = 0; check_shows_race(other, f) && l < f->n_locations; l++)
            any |= proved->never_runs[f->locations[l].op_ordinal];
    }
    return any;
}

/* A solver that died said nothing of the launches in which values wrap, so it is not known whether
 * the preconditions hide a race. */
static void leave_open(kernel_report *one, const verdict_reason *failure)
{
    one->verdict = VERDICT_UNKNOWN;
    one->total++;
    one->unknown++;
    one->reason = *failure;
}

kernel_report *check_wraps(const check_task *task, const contract *c, const check_outcome *outcome,
                           kernel_report *one, smt_steps proof)
{
    size_t n = arrlenu(outcome->wraps);
    if (n == 0 || (one->verdict != VERDICT_RACE_FREE && one->verdict != VERDICT_CONDITIONAL))
        return one;
    const wrapped_launches all = check_any_wrap(task, outcome, proof);
    kernel_report *any = all.report;
    bool shown = false;
    one->time_ms += any->time_ms;
    if (is_proved_without(outcome, one, &all))
        drop_wraps(outcome, one);
    if (!all.shows && all.failure.text && one->verdict == VERDICT_RACE_FREE)
        leave_open(one, &all.failure);
    if (!all.shows)
        return one;
    if (is_of_unreachable(outcome, any)) {
        any->time_ms = one->time_ms;
        return any;
    }
    for (size_t i = 0; i < n && n > 1; i++) {
        const asked_wrap *wrap = &outcome->wraps[i];
        const precondition what = one->requires_[wrap->which].what;
        if (what.words)
            continue;
        wrapped_launches other = {0};
        for (int by_runs = 0; by_runs < 2; by_runs++) {
            if (by_runs && other.report->verdict != VERDICT_UNKNOWN)
                break;
            other = check_wraps_of(task, outcome, (int)i, all.hoped, proof, by_runs);
            one->time_ms += other.report->time_ms;
        }
        if (!other.shows || !race_breaks(task, c, wrap, &what, other.report))
            continue;
        check_show_others(task, c, what, wrap->which, one, other.report);
        shown = true;
    }
    if (shown)
        return one;
    size_t which = outcome->wraps[excluding(task, c, outcome, one, any)].which;
    check_show_others(task, c, one->requires_[which].what, which, one, any);
    return one;
}
