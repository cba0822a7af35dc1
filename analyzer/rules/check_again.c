/* Whether a kernel's check asks for another one: with counters and tickets that have risen, for
 * divisors that are negative, for values that wrap, for many tile blocks or a single one. */
#include "rules/check_once.h"
#include "rules/undefined.h"

#include "base/ds.h"

#include <string.h>

static void outcome_free(check_outcome *outcome)
{
    arrfree(outcome->signs);
    arrfree(outcome->wraps);
    arrfree(outcome->beside);
    arrfree(outcome->hoped);
    if (outcome->rest)
        contract_free(outcome->rest);
}

/* ---- Section: races of other launches as examples ---- */

/* The precondition as number `which` of the verdict's; beyond them: one more. */
static void depend_on(const check_task *task, const contract *c, precondition what, size_t which,
                      kernel_report *one)
{
    if (which == one->n_requires) {
        require *all = TR_NEW_ARRAY(task->arena, require, which + 1);
        for (size_t i = 0; i < which; i++)
            all[i] = one->requires_[i];
        one->requires_ = all;
        one->n_requires++;
    }
    one->requires_[which] = require_printed(task->ctx, c, &what);
}

static bool is_confirmed(const finding *f)
{
    return rule_is_race(f->rule) && f->confidence == CONFIDENCE_CONFIRMED;
}

/* The example of a conditional report races, too: in launches that break a precondition of its own.
 */
static bool shows_race(const kernel_report *r, const finding *f)
{
    return is_confirmed(f) && f->is_example == (r->verdict == VERDICT_CONDITIONAL);
}

/* `one` is proved with the precondition, and `many` is of launches that break it: races of those
 * become its examples. */
static void show_others(const check_task *task, const contract *c, precondition what, size_t which,
                        kernel_report *one, const kernel_report *many)
{
    tr_arena *arena = task->arena;
    smt_ctx *ctx = task->ctx;
    finding *findings = TR_NEW_ARRAY(arena, finding, one->n_findings + many->n_findings);
    const char *fragment = precondition_fragment(ctx, c, &what); /* NULL: words have none */
    size_t n = 0, first = 0;
    for (; n < one->n_findings; n++)
        findings[n] = one->findings[n];
    while (first < many->n_findings && !shows_race(many, &many->findings[first]))
        first++;
    if (first < many->n_findings && !what.reason)
        what.reason = many->findings[first].race;
    what.class_ = PRECONDITION_CLASS_RACE;
    depend_on(task, c, what, which, one);
    for (size_t i = first; i < many->n_findings; i++) {
        finding *f = &findings[n];
        if (!shows_race(many, &many->findings[i]))
            continue;
        *f = many->findings[i];
        f->n_fixes = f->is_example ? 0 : f->n_fixes; /* that was for what it broke there */
        finding_make_example(arena, task->kernel->name, f, which,
                             precondition_brief(ctx, c, &what));
        if (fragment)
            finding_add_fix(
                arena, f,
                tr_arena_printf(arena, "promise it in the launch contract: %s", fragment));
        n++;
    }
    one->findings = findings;
    one->n_findings = n;
    one->verdict = VERDICT_CONDITIONAL;
}

/* ---- Section: counters that nobody resets ----
 *
 * A counter that only rises is at 0 at the first launch alone. Where no later launch was found to
 * race, the kernel is checked for counters that have risen: what is proved then holds for all of
 * its launches, until a counter comes near the end of its type. */

static void depend_on_counters(const check_task *task, const check_outcome *outcome,
                               kernel_report *r)
{
    const contract *c = outcome->risen;
    require *all = TR_NEW_ARRAY(task->arena, require, r->n_requires + c->n_args + 1);
    size_t n = 0;
    for (; n < r->n_requires; n++)
        all[n] = r->requires_[n];
    for (size_t i = 0; i < c->n_args && i < 64; i++) {
        if (!(outcome->counters >> i & 1))
            continue;
        precondition what = precondition_of_contents(PRECONDITION_CONTENTS_RANGE, i);
        what.class_ = PRECONDITION_CLASS_LAUNCH; /* beyond it the counter wraps, some day */
        what.contents.min = c->args[i].contents.min;
        what.contents.max = c->args[i].contents.max;
        all[n++] = require_printed(task->ctx, c, &what);
    }
    r->requires_ = all;
    r->n_requires = n;
}

/* ---- Section: ticket locks that nobody resets ---- */

/* The words are at 0 at the first launch, and there is room for the tickets of all launches. */
static void depend_on_tickets(const check_task *task, const check_outcome *outcome,
                              kernel_report *r)
{
    const contract *c = outcome->turned;
    require *all = TR_NEW_ARRAY(task->arena, require, r->n_requires + 2 * c->n_args + 1);
    size_t n = 0;
    for (; n < r->n_requires; n++)
        all[n] = r->requires_[n];
    for (size_t i = 0; i < c->n_args && i < 64; i++) {
        bool tickets = false;
        for (size_t t = 0; t < outcome->n_turns; t++)
            tickets |= outcome->turns[t].ticket_arg == i;
        if (outcome->counters >> i & 1) {
            precondition what = precondition_of_contents(PRECONDITION_CONTENTS_RANGE, i);
            what.class_ = PRECONDITION_CLASS_STANDING;
            what.contents.min = what.contents.max = smt_int_const(task->ctx, 0);
            all[n++] = require_printed(task->ctx, c, &what);
        }
        if (tickets) {
            precondition what = precondition_of(PRECONDITION_NO_WRAP);
            what.words = tr_arena_printf(
                task->arena, "all launches together draw no more than 2^30 tickets of '%s'",
                c->args[i].name);
            all[n++] = require_printed(task->ctx, c, &what);
        }
    }
    r->requires_ = all;
    r->n_requires = n;
}

/* With what earlier launches may have left in the words of its ticket locks. */
static kernel_report *check_turned(const check_task *task, const check_outcome *first,
                                   kernel_report *plain)
{
    check_outcome second = {.n_turns = first->n_turns};
    memcpy(second.turns, first->turns, sizeof second.turns);
    kernel_report *turned = check_once(task, first->turned, &second);
    outcome_free(&second);
    turned->time_ms += plain->time_ms;
    if (turned->verdict != VERDICT_RACE_FREE || !second.keeps_turns) {
        plain->time_ms = turned->time_ms;
        return plain;
    }
    depend_on_tickets(task, first, turned);
    return turned;
}

static kernel_report *check_settled(const check_task *task, const contract *c,
                                    check_outcome *outcome)
{
    check_outcome first = {0}, second = {0};
    kernel_report *plain = check_once(task, c, &first);
    *outcome = first;
    if (plain->verdict != VERDICT_UNKNOWN)
        return plain;
    if (first.turned)
        return check_turned(task, &first, plain);
    if (!first.risen)
        return plain;
    kernel_report *risen = check_once(task, first.risen, &second);
    outcome_free(&second);
    risen->time_ms += plain->time_ms;
    if (risen->verdict != VERDICT_RACE_FREE) {
        plain->time_ms = risen->time_ms;
        return plain;
    }
    depend_on_counters(task, &first, risen);
    return risen;
}

/* ---- Section: negative divisors ----
 *
 * A divisor that is a size is asked to be positive (sizes.c), though a negative one is defined, and
 * such a launch may race. So what was proved is checked once more for launches that have a divisor
 * of 0 or less, with nothing asked of divisors but that they are not 0. A race of those makes "the
 * divisor is positive" a precondition whose violation is a race. */

/* Such a check takes no more than the proof did, so that no kernel waits for it longer. */
enum { SIGN_STEPS_LEAST = 300 * 1000, SIGN_STEPS_MOST = 500 * 1000, WRAP_STEPS = 120 * 1000 };

enum { ANY_SIGN = -1 };

static rules_options short_options(const check_task *task, smt_steps proof, smt_steps most)
{
    rules_options options = *task->options;
    if (most > SIGN_STEPS_LEAST)
        most = proof < SIGN_STEPS_LEAST ? SIGN_STEPS_LEAST : proof < most ? proof : most;
    options.strict = false;
    options.notes = false;
    if (!options.steps || options.steps > most)
        options.steps = most;
    return options;
}

/* The divisor that the fact calls positive is not 0: that is undefined, and another matter. */
static smt_t is_no_zero(smt_ctx *ctx, smt_t fact)
{
    if (fact->kind != SMT_LE) /* `0 < d` is `1 - d <= 0` */
        return smt_bool_const(ctx, true);
    return smt_ne(ctx, fact->args[0], smt_int_const(ctx, 1));
}

/* Launches that break one of the facts; of `which`, where it is given, that one, and `alone`: no
 * other. */
static kernel_report *check_signs_of(const check_task *task, const check_outcome *of, int which,
                                     bool alone, smt_steps proof)
{
    check_outcome ignored = {0};
    const rules_options options = short_options(task, proof, SIGN_STEPS_MOST);
    check_task other = *task;
    smt_t all = smt_bool_const(task->ctx, true), kept = all;
    for (int i = 0; i < (int)arrlen(of->signs); i++) {
        if (which == ANY_SIGN || i == which)
            all = smt_and(task->ctx, all, of->signs[i].fact);
        else if (alone)
            kept = smt_and(task->ctx, kept, of->signs[i].fact);
        kept = smt_and(task->ctx, kept, is_no_zero(task->ctx, of->signs[i].fact));
    }
    smt_t broken = smt_and(task->ctx, smt_not(task->ctx, all), kept);
    other.options = &options;
    other.began = smt_steps_taken(task->ctx);
    other.any_sign = true;
    contract *given = contract_with_facts(task->ctx, of->rest, 1, &broken);
    kernel_report *report = check_once(&other, given, &ignored);
    contract_free(given);
    outcome_free(&ignored);
    return report;
}

/* A launch that is undefined besides excuses its race. */
static bool is_defined(const kernel_report *r)
{
    for (size_t i = 0; i < r->n_findings; i++)
        if (!rule_is_race(r->findings[i].rule) && r->findings[i].level == LEVEL_ERROR)
            return false;
    return true;
}

static bool races_defined(const kernel_report *r)
{
    return r->verdict == VERDICT_RACE && is_defined(r);
}

/* All launches that such a check is given have the divisor negative, so what breaks a precondition
 * that it found itself counts as well. */
static bool shows_defined(const kernel_report *r)
{
    bool any = false;
    for (size_t i = 0; i < r->n_findings; i++)
        any |= shows_race(r, &r->findings[i]);
    return any && is_defined(r) &&
           (r->verdict == VERDICT_RACE || r->verdict == VERDICT_CONDITIONAL);
}

static bool show_sign(const check_task *task, const contract *c, const asked_sign *sign,
                      kernel_report *one, const kernel_report *other)
{
    bool shows = shows_defined(other);
    if (shows)
        show_others(task, c, precondition_of_term(PRECONDITION_POSITIVE_DIVISOR, sign->fact),
                    sign->listed ? sign->which : one->n_requires, one, other);
    return shows;
}

/* `one` was proved; `outcome` says with which divisors positive. Where no sign alone makes a race,
 * some together do, and the first of those stands for them. `proof`: steps that it took. */
static void look_at_signs(const check_task *task, const contract *c, const check_outcome *outcome,
                          kernel_report *one, smt_steps proof)
{
    size_t n = arrlenu(outcome->signs);
    if (n == 0 || (one->verdict != VERDICT_RACE_FREE && one->verdict != VERDICT_CONDITIONAL))
        return;
    kernel_report *any = check_signs_of(task, outcome, ANY_SIGN, true, proof);
    one->time_ms += any->time_ms;
    bool shown = !shows_defined(any) || (n == 1 && show_sign(task, c, outcome->signs, one, any));
    for (int alone = 1; alone >= 0 && !shown; alone--)
        for (size_t i = 0; i < n && (alone || !shown); i++) {
            kernel_report *other = check_signs_of(task, outcome, (int)i, alone, proof);
            one->time_ms += other->time_ms;
            shown |= show_sign(task, c, &outcome->signs[i], one, other);
        }
}

/* ---- Section: values that wrap ----
 *
 * Arithmetic that promises nothing is asked not to wrap, which makes the proof easier, though a
 * value that wraps is defined and two blocks may meet by it: `2u * t[b]` is 0 for 0 and for 2^31.
 * So what was proved is checked once more with the values that the machine computes. A race of a
 * launch whose accesses all lie in their buffers makes such a precondition one whose violation is a
 * race; where the first value that wraps leaves its buffer, that is an error in itself. */

/* Small launches are run where the solver leaves a race of machine values open. It is given next to
 * no steps then. */
enum { BY_RUNS_STEPS = 1 };

static kernel_report *check_machine_values(const check_task *task, const contract *given,
                                           smt_steps proof, const asked_wrap *by_runs, bool *shows)
{
    check_outcome outcome = {0};
    const rules_options options = short_options(task, proof, by_runs ? BY_RUNS_STEPS : WRAP_STEPS);
    check_task other = *task;
    other.options = &options;
    other.began = smt_steps_taken(task->ctx);
    other.machine_values = true;
    other.by_runs = by_runs;
    kernel_report *report = check_once(&other, given, &outcome);
    outcome_free(&outcome);
    *shows = races_defined(report) && (by_runs || !outcome.excuses);
    return report;
}

/* With machine values, in launches that meet all other preconditions and break `which` alone; -1:
 * any of those. `hoped`: they also meet those that a defined launch may break. */
static kernel_report *check_wraps_of(const check_task *task, const check_outcome *of, int which,
                                     bool hoped, smt_steps proof, bool by_runs, bool *shows)
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
    kernel_report *report = check_machine_values(task, given, proof, broken, shows);
    arrfree(broken);
    contract_free(given);
    arrfree(facts);
    return report;
}

/* Of all of them together. *hoped: with which of the others one was shown. */
static kernel_report *check_any_wrap(const check_task *task, const check_outcome *of,
                                     smt_steps proof, bool *hoped, bool *shows)
{
    double time_ms = 0;
    kernel_report *any = NULL;
    *shows = false;
    for (int with = arrlenu(of->hoped) > 0; with >= 0 && !*shows; with--) {
        *hoped = with;
        any = check_wraps_of(task, of, -1, with, proof, false, shows);
        time_ms += any->time_ms;
    }
    if (!*shows && any->verdict == VERDICT_UNKNOWN) {
        any = check_wraps_of(task, of, -1, false, proof, true, shows);
        time_ms += any->time_ms;
    }
    any->time_ms = time_ms;
    return any;
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
        if (!shows_race(other, f) || !f->witness)
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

/* A race of accesses of which one never runs where the preconditions are met. They would only say
 * that there is no such access, which no precondition may. */
static bool is_of_unreachable(const check_outcome *proved, const kernel_report *other)
{
    bool any = false;
    for (size_t i = 0; i < other->n_findings; i++) {
        const finding *f = &other->findings[i];
        for (size_t l = 0; shows_race(other, f) && l < f->n_locations; l++)
            any |= proved->never_runs[f->locations[l].op_ordinal];
    }
    return any;
}

/* `one` was proved. Gives it back, conditional where launches that wrap race; or those races. */
static kernel_report *look_at_wraps(const check_task *task, const contract *c,
                                    const check_outcome *outcome, kernel_report *one,
                                    smt_steps proof)
{
    size_t n = arrlenu(outcome->wraps);
    if (n == 0 || (one->verdict != VERDICT_RACE_FREE && one->verdict != VERDICT_CONDITIONAL))
        return one;
    bool shows, shown = false, hoped;
    kernel_report *any = check_any_wrap(task, outcome, proof, &hoped, &shows);
    one->time_ms += any->time_ms;
    if (!shows)
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
        kernel_report *other = NULL;
        for (int by_runs = 0; by_runs < 2; by_runs++) {
            if (by_runs && other->verdict != VERDICT_UNKNOWN)
                break;
            other = check_wraps_of(task, outcome, (int)i, hoped, proof, by_runs, &shows);
            one->time_ms += other->time_ms;
        }
        if (!shows || !race_breaks(task, c, wrap, &what, other))
            continue;
        show_others(task, c, what, wrap->which, one, other);
        shown = true;
    }
    if (shown)
        return one;
    size_t which = outcome->wraps[excluding(task, c, outcome, one, any)].which;
    show_others(task, c, one->requires_[which].what, which, one, any);
    return one;
}

static kernel_report *check_signed(const check_task *task, const contract *c,
                                   check_outcome *outcome)
{
    smt_steps began = smt_steps_taken(task->ctx);
    kernel_report *report = check_settled(task, c, outcome);
    smt_steps proof = smt_steps_taken(task->ctx) - began;
    look_at_signs(task, c, outcome, report, proof);
    return look_at_wraps(task, c, outcome, report, proof);
}

/* ---- Section: grids of one tile block, on all axes or on some ----
 *
 * All tile blocks of a kernel that reads no axis of the grid do the same. Whether it is meant for a
 * single one nobody says, so it is checked for many too: a race that only those have makes the
 * verdict conditional. Where the blocks lie in the grid makes no difference, so one axis stands for
 * all three. A kernel that was compiled for one block on an axis is checked for many first. */

/* The races of a launch of several blocks as examples, in place of what one block was reported to
 * do: that is part of them. */
static void depend_on_one_block(const check_task *task, const contract *c, precondition what,
                                kernel_report *one, const kernel_report *many)
{
    require *requires_ = TR_NEW_ARRAY(task->arena, require, one->n_requires + 1);
    size_t kept = 0;
    for (size_t i = 0; i < one->n_requires; i++) /* that of all axes stands for each of them */
        if (what.kind != PRECONDITION_GRID_AXIS ||
            one->requires_[i].what.kind != PRECONDITION_GRID_AXIS)
            requires_[kept++] = one->requires_[i];
    one->requires_ = requires_;
    one->n_requires = kept;
    show_others(task, c, what, kept, one, many);
}

/* In grids of any number of tile blocks. */
static kernel_report *check_many(const check_task *task, const contract *c, kernel_report *one)
{
    check_outcome ignored = {0};
    contract several = *c;
    several.grid[0] = contract_grid(task->ctx, 0);
    kernel_report *many = check_signed(task, &several, &ignored);
    outcome_free(&ignored);
    many->time_ms += one->time_ms;
    one->time_ms = many->time_ms;
    return many;
}

static kernel_report *check_several(const check_task *task, const contract *c, kernel_report *one)
{
    smt_ctx *ctx = task->ctx;
    kernel_report *many = check_many(task, c, one);
    if (many->verdict != VERDICT_RACE)
        return many; /* it does not depend on the number of blocks, or is not decided */
    smt_t single = smt_bool_const(ctx, true), number = smt_int_const(ctx, 1);
    for (int axis = 0; axis < 3; axis++)
        single = smt_and(ctx, single, smt_eq(ctx, contract_grid(ctx, axis), number));
    depend_on_one_block(task, c, precondition_of_term(PRECONDITION_GRID_AXIS, single), one, many);
    return one;
}

/* Nothing may be asked of the launch, not even a single tile block: is it race-free with many? */
static kernel_report *check_unasked(const check_task *task, const contract *c, kernel_report *one)
{
    kernel_report *many = check_many(task, c, one);
    return many->verdict == VERDICT_RACE_FREE ? many : one;
}

/* The kernel races. Does it in launches of the grids that it was compiled for? */
static kernel_report *check_specialised(const check_task *task, const contract *c, unsigned axes,
                                        kernel_report *many)
{
    smt_ctx *ctx = task->ctx;
    check_outcome ignored = {0};
    precondition what = {0};
    smt_t single = smt_bool_const(ctx, true);
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1))
            continue;
        what = specialised_precondition(ctx, axis);
        single = smt_and(ctx, single, what.term);
    }
    what.term = single;
    /* A fact: a grid that is stated for one axis would be 1 on those that are not. */
    contract *given = contract_with_facts(ctx, c, 1, &single);
    kernel_report *one = check_signed(task, given, &ignored);
    outcome_free(&ignored);
    contract_free(given);
    one->time_ms += many->time_ms;
    many->time_ms = one->time_ms;
    if (one->verdict != VERDICT_RACE_FREE && one->verdict != VERDICT_CONDITIONAL)
        return many;
    depend_on_one_block(task, c, what, one, many);
    return one;
}

static kernel_report *check_grids(const check_task *task, const contract *c,
                                  const check_outcome *outcome, kernel_report *plain)
{
    if (outcome->specialised && plain->verdict == VERDICT_RACE)
        return check_specialised(task, c, outcome->specialised, plain);
    if (outcome->one_block && plain->verdict != VERDICT_RACE && plain->verdict != VERDICT_UNKNOWN)
        return check_several(task, c, plain);
    if (outcome->one_block && plain->verdict == VERDICT_UNKNOWN && task->options->strict)
        return check_unasked(task, c, plain);
    return plain;
}

/* A launch without tile blocks accesses nothing. */
static kernel_report *empty_report(tr_arena *arena, const ir_function *kernel, const contract *c)
{
    kernel_report *r = TR_NEW(arena, kernel_report);
    *r = (kernel_report){.kernel = kernel->shown,
                         .place = kernel->place,
                         .verdict = VERDICT_RACE_FREE,
                         .contract = c->source,
                         .is_empty = true};
    return r;
}

kernel_report *rules_check(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                           const ir_function *kernel, const contract *c,
                           const rules_options *options)
{
    if (c->is_empty)
        return empty_report(arena, kernel, c);
    check_outcome outcome = {0};
    const check_task task = {arena, ctx, prover, kernel, options, smt_steps_taken(ctx), false};
    kernel_report *plain = check_signed(&task, c, &outcome);
    plain = check_grids(&task, c, &outcome, plain);
    outcome_free(&outcome);
    return plain;
}
