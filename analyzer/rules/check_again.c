/* Whether a kernel's check asks for another one: with counters and tickets that have risen, for
 * divisors that are negative, for values that wrap (check_wraps.c), for many tile blocks or a
 * single one. */
#include "rules/check_again.h"

#include "precondition/specialised.h"
#include "question/decided.h"
#include "rules/add_finding.h"
#include "rules/check_once.h"
#include "rules/rules.h"

#include "base/ds.h"

#include <string.h>

void outcome_free(check_outcome *outcome)
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
    one->requires_[which] = finding_requires_printed(task->ctx, c, &what);
}

static bool is_confirmed(const finding *f)
{
    return rule_is_race(f->rule) && f->confidence == CONFIDENCE_CONFIRMED;
}

bool check_shows_race(const kernel_report *r, const finding *f)
{
    return is_confirmed(f) && f->is_example == (r->verdict == VERDICT_CONDITIONAL);
}

void check_show_others(const check_task *task, const contract *c, precondition what, size_t which,
                       kernel_report *one, const kernel_report *many)
{
    tr_arena *arena = task->arena;
    smt_ctx *ctx = task->ctx;
    finding *findings = TR_NEW_ARRAY(arena, finding, one->n_findings + many->n_findings);
    const char *fragment = precondition_fragment(ctx, c, &what); /* NULL: words have none */
    size_t n = 0, first = 0;
    for (; n < one->n_findings; n++)
        findings[n] = one->findings[n];
    while (first < many->n_findings && !check_shows_race(many, &many->findings[first]))
        first++;
    if (first < many->n_findings && !what.reason)
        what.reason = many->findings[first].race;
    what.class_ = PRECONDITION_CLASS_RACE;
    depend_on(task, c, what, which, one);
    for (size_t i = first; i < many->n_findings; i++) {
        finding *f = &findings[n];
        if (!check_shows_race(many, &many->findings[i]))
            continue;
        *f = many->findings[i];
        f->n_fixes = f->is_example ? 0 : f->n_fixes; /* that was for what it broke there */
        finding_make_example(arena, f, which, precondition_brief(ctx, c, &what));
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
        all[n++] = finding_requires_printed(task->ctx, c, &what);
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
            all[n++] = finding_requires_printed(task->ctx, c, &what);
        }
        if (tickets) {
            precondition what = precondition_of(PRECONDITION_NO_WRAP);
            what.words = tr_arena_printf(
                task->arena, "all launches together draw no more than 2^30 tickets of '%s'",
                c->args[i].name);
            all[n++] = finding_requires_printed(task->ctx, c, &what);
        }
    }
    r->requires_ = all;
    r->n_requires = n;
}

/* Checks with the values that earlier launches may have left in the words of its ticket locks. */
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

enum { SIGN_STEPS_LEAST = 300 * 1000, SIGN_STEPS_MOST = 500 * 1000 };

enum { ANY_SIGN = -1 };

rules_options check_short_options(const check_task *task, smt_steps proof, smt_steps most)
{
    rules_options options = *task->options;
    if (most > SIGN_STEPS_LEAST)
        most = proof < SIGN_STEPS_LEAST ? SIGN_STEPS_LEAST : proof < most ? proof : most;
    options.strict = false;
    options.notes = false;
    options.reaches = false;
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

/* Checks launches that break one of the facts, or number `which` where it is given; `alone`: and no
 * other fact. */
static kernel_report *check_signs_of(const check_task *task, const check_outcome *of, int which,
                                     bool alone, smt_steps proof)
{
    check_outcome ignored = {0};
    const rules_options options = check_short_options(task, proof, SIGN_STEPS_MOST);
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

bool check_is_defined(const kernel_report *r)
{
    for (size_t i = 0; i < r->n_findings; i++)
        if (!rule_is_race(r->findings[i].rule) && r->findings[i].level == LEVEL_ERROR)
            return false;
    return true;
}

bool check_races_defined(const kernel_report *r)
{
    return r->verdict == VERDICT_RACE && check_is_defined(r);
}

/* All launches that such a check is given have the divisor negative, so what breaks a precondition
 * that it found itself counts as well. */
static bool shows_defined(const kernel_report *r)
{
    bool any = false;
    for (size_t i = 0; i < r->n_findings; i++)
        any |= check_shows_race(r, &r->findings[i]);
    return any && check_is_defined(r) &&
           (r->verdict == VERDICT_RACE || r->verdict == VERDICT_CONDITIONAL);
}

static bool show_sign(const check_task *task, const contract *c, const asked_sign *sign,
                      kernel_report *one, const kernel_report *other)
{
    bool shows = shows_defined(other);
    if (shows)
        check_show_others(task, c, precondition_of_term(PRECONDITION_POSITIVE_DIVISOR, sign->fact),
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

/* The contract has to state all that the proof asks for. A report that is unknown has no examples:
 * they belong to a verdict that depends on what they break. */
static void conclude_strictly(const check_task *task, kernel_report *r)
{
    bool proved = r->verdict == VERDICT_RACE_FREE || r->verdict == VERDICT_CONDITIONAL;
    if (!task->options->strict || !proved || r->n_requires == 0)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < r->n_findings; i++)
        if (!r->findings[i].is_example)
            r->findings[kept++] = r->findings[i];
    r->n_findings = kept;
    check_asked_too_much(r, task->kernel->place);
}

static kernel_report *check_signed(const check_task *task, const contract *c,
                                   check_outcome *outcome)
{
    smt_steps began = smt_steps_taken(task->ctx);
    kernel_report *report = check_settled(task, c, outcome);
    smt_steps proof = smt_steps_taken(task->ctx) - began;
    look_at_signs(task, c, outcome, report, proof);
    report = check_wraps(task, c, outcome, report, proof);
    conclude_strictly(task, report);
    return report;
}

/* ---- Section: grids of one tile block, on all axes or on some ----
 *
 * All tile blocks of a kernel that reads no axis of the grid do the same. Nothing says whether it
 * is meant for a single one, so it is checked for many too: a race that only those have makes the
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
    check_show_others(task, c, what, kept, one, many);
}

/* Checks in grids of any number of tile blocks. */
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
    size_t leaned = smt_prover_statistics(prover).leaned;
    kernel_report *plain = check_signed(&task, c, &outcome);
    plain = check_grids(&task, c, &outcome, plain);
    decided_conclude(prover, leaned, plain);
    outcome_free(&outcome);
    return plain;
}
