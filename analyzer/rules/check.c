/* The schedule of one kernel's check. */
#include "rules/undefined.h"

#include "base/ds.h"
#include "base/process.h"

static bool has_race(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->findings); i++)
        if (rule_is_race(k->findings[i].rule) && k->findings[i].confidence == CONFIDENCE_CONFIRMED)
            return true;
    return false;
}

/* A proof that rests on pairs which exclude each other already is one only if the stores can run at
 * all: then one tile block alone can ever store. */
static void check_vacuity(checker *k)
{
    kernel_report *r = k->report;
    /* Undefined behaviour that was found makes no pair any less vacuous. */
    if (k->proved_something || !k->any_vacuous || has_race(k) || r->unknown)
        return;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (!a->writes)
            continue;
        smt_t *conjuncts = NULL;
        arrput(conjuncts, k->launch);
        arrput(conjuncts, a->path);
        arrput(conjuncts, a->facts);
        bool dead = ask_is_unsat(k, conjuncts, "reachable");
        arrfree(conjuncts);
        if (!dead)
            return;
    }
    count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                  "no store of the kernel can ever run, so their disjointness says nothing");
}

/* The first precondition whose violation is a race; NULL: there is none. */
static const precondition *race_precondition(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (k->requires_[i].what.class_ == PRECONDITION_CLASS_RACE)
            return &k->requires_[i].what;
    return NULL;
}

static void conclude(checker *k)
{
    kernel_report *r = k->report;
    bool race = has_race(k);
    if (race)
        require_drop_broken(k);
    require_finish(k);
    bool proved = !race && r->unknown == 0;
    if (proved && k->options->strict && arrlenu(k->requires_) > 0) {
        count_unknown(k, REASON_CONTRACT_SILENT, k->kernel->place,
                      "the proof asks for more than the contract states");
    } else if (proved && arrlenu(k->requires_) > 0) {
        r->verdict = VERDICT_CONDITIONAL;
        claims_decide(k);
        if (require_show_examples(k))
            return;
        const precondition *open = race_precondition(k);
        if (open)
            count_unknown(k, REASON_UNREPLAYED_WITNESS, k->kernel->place,
                          "it is proved race-free if %s, but no launch that breaks this was found "
                          "to race",
                          precondition_brief(k->ctx, k->contract, open));
    }
    r->verdict = race ? VERDICT_RACE : r->unknown ? VERDICT_UNKNOWN : VERDICT_RACE_FREE;
}

static void check_unsupported(checker *k)
{
    if (k->s->unsupported)
        count_unknown(k, REASON_UNSUPPORTED_OP,
                      k->s->unsupported_op ? k->s->unsupported_op->place : k->kernel->place, "%s",
                      k->s->unsupported);
}

/* No grid axis is read or stated, and something is stored: is it meant for a single tile block? */
static bool stores_without_an_axis(const summary *s)
{
    for (int axis = 0; axis < 3; axis++)
        if (!s->axis_by_default[axis])
            return false;
    for (size_t i = 0; i < arrlenu(s->accesses); i++)
        if (s->accesses[i].writes)
            return true;
    return false;
}

static bool *find_used(tr_arena *arena, const ir_function *kernel)
{
    const ir_block *body = kernel->body;
    bool *used = TR_NEW_ARRAY(arena, bool, body->n_args + 1);
    for (size_t i = 0; i < body->n_args; i++)
        used[i] = ir_is_used(kernel, body->args[i]);
    return used;
}

bool arg_is_used(const checker *k, size_t argument)
{
    return k->args_used[argument];
}

/* What the budget cuts short is never proved, whatever was asked before. */
static void check_rules(checker *k)
{
    static void (*const rules[])(checker *) = {
        rule_assumes,       follow_wraps,    rule_hazards,          rule_index_space,
        rule_out_of_buffer, doubt_undefined, require_keep_enforced, claims_compare_touched,
        rule_self_overlap,  rule_in_block,   rule_inter_block,      rule_outside,
        rule_covered,
    };
    bool cut = tr_budget_is_spent(smt_budget(k->ctx));
    for (size_t i = 0; i < TR_COUNT(rules) && !cut; i++) {
        rules[i](k);
        cut = tr_budget_is_spent(smt_budget(k->ctx));
    }
    if (cut) {
        k->report->reason = (verdict_reason){0}; /* what came of the end of time is none */
        count_unknown(k, REASON_BUDGET, k->kernel->place,
                      "the time that --budget gives ended before all was asked");
    }
}

typedef struct check_outcome { /* what asks for another check of the kernel */
    bool one_block;            /* it reads no axis of the grid */
    unsigned specialised;      /* bits: axes that it was compiled to have one block on */
    const contract *risen; /* it is not decided for its counters at 0: with this one it may be */
    uint64_t counters;     /* by argument: those */
} check_outcome;

static void free_summaries(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->replaced); i++)
        summary_free(k->replaced[i]);
    arrfree(k->replaced);
    summary_free(k->s);
}

static kernel_report *check_once(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                                 const ir_function *kernel, const contract *c,
                                 const rules_options *options, smt_steps began,
                                 check_outcome *outcome)
{
    TR_ASSERT(kernel->body && c->n_args == kernel->body->n_args);
    kernel_report *report = TR_NEW(arena, kernel_report);
    checker k = {.arena = arena,
                 .ctx = ctx,
                 .prover = prover,
                 .kernel = kernel,
                 .contract = c,
                 .options = options,
                 .given = smt_bool_const(ctx, true),
                 .report = report,
                 .steps = options->steps ? options->steps : RULES_STEPS,
                 .began = began};
    double began_ms = tr_now_fine_ms(); /* for the report alone */
    k.args_used = find_used(arena, kernel);
    report->kernel = kernel->shown;
    report->place = kernel->place;
    report->contract = c->source;
    k.s = summary_build(arena, ctx, kernel, c);
    k.launch = k.s->launch;
    contract *narrowed = sizes_find(&k);
    if (narrowed) {
        k.contract = narrowed;
        summary_free(k.s);
        k.s = summary_build(arena, ctx, kernel, k.contract);
        k.launch = k.s->launch;
    }
    k.tokens = model_tokens_build(arena, kernel, &options->model);

    require_defaults(&k);
    sizes_require(&k, c);
    check_unsupported(&k);
    rule_contract(&k);
    bool any_launch = arrlenu(k.findings) == 0;
    if (any_launch)
        check_rules(&k);
    check_vacuity(&k);
    sizes_finish(&k, c);
    conclude(&k);
    if (options->notes && any_launch)
        rule_notes(&k);
    trust_conclude(&k);
    findings_finish(&k);
    report->time_ms = tr_now_fine_ms() - began_ms;
    arrfree(k.tensors);
    arrfree(k.tensor_state);
    arrfree(k.seen_paths);
    arrfree(k.apps);
    arrfree(k.assumed_ranges);
    arrfree(k.assumed_tuples);
    require_free_pairs(&k);
    enumerate_free(&k);
    outcome->one_block = stores_without_an_axis(k.s);
    outcome->specialised = k.compiled_for;
    outcome->counters = k.unsettled;
    outcome->risen = k.unsettled ? require_risen_contract(&k, c) : NULL;
    arrfree(k.kept_ops);
    arrfree(k.event_places);
    arrfree(k.meetings);
    arrfree(k.broken_claims);
    free_summaries(&k);
    if (narrowed)
        contract_free(narrowed);
    return report;
}

/* ---- Section: counters that nobody resets ----
 *
 * A counter that only rises is at 0 at the first launch alone. Where no later launch was found to
 * race, the kernel is checked for counters that have risen: what is proved then holds for all of
 * its launches, until a counter comes near the end of its type. */

static void depend_on_counters(tr_arena *arena, smt_ctx *ctx, const check_outcome *outcome,
                               kernel_report *r)
{
    const contract *c = outcome->risen;
    require *all = TR_NEW_ARRAY(arena, require, r->n_requires + c->n_args + 1);
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
        all[n++] = require_printed(ctx, c, &what);
    }
    r->requires_ = all;
    r->n_requires = n;
}

static kernel_report *check_settled(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                                    const ir_function *kernel, const contract *c,
                                    const rules_options *options, smt_steps began,
                                    check_outcome *outcome)
{
    check_outcome first = {0}, second = {0};
    kernel_report *plain = check_once(arena, ctx, prover, kernel, c, options, began, &first);
    *outcome = first;
    if (!first.risen || plain->verdict != VERDICT_UNKNOWN)
        return plain;
    kernel_report *risen =
        check_once(arena, ctx, prover, kernel, first.risen, options, began, &second);
    risen->time_ms += plain->time_ms;
    if (risen->verdict != VERDICT_RACE_FREE) {
        plain->time_ms = risen->time_ms;
        return plain;
    }
    depend_on_counters(arena, ctx, &first, risen);
    return risen;
}

/* ---- Section: grids of one tile block, on all axes or on some ----
 *
 * All tile blocks of a kernel that reads no axis of the grid do the same. Whether it is meant for a
 * single one nobody says, so it is checked for many too: a race that only those have makes the
 * verdict conditional. Where the blocks lie in the grid makes no difference, so one axis stands for
 * all three. A kernel that was compiled for one block on an axis is checked for many first. */

/* The races of a launch of several blocks as examples, in place of what one block was reported to
 * do: that is part of them. */
static void depend_on_one_block(tr_arena *arena, smt_ctx *ctx, const contract *c,
                                const char *kernel, precondition what, kernel_report *one,
                                const kernel_report *many)
{
    require *requires_ = TR_NEW_ARRAY(arena, require, one->n_requires + 1);
    finding *findings = TR_NEW_ARRAY(arena, finding, one->n_findings + many->n_findings);
    size_t n = 0, kept = 0;
    what.class_ = PRECONDITION_CLASS_RACE;
    for (size_t i = 0; i < one->n_requires; i++) /* that of all axes stands for each of them */
        if (what.kind != PRECONDITION_GRID_AXIS ||
            one->requires_[i].what.kind != PRECONDITION_GRID_AXIS)
            requires_[kept++] = one->requires_[i];
    for (size_t i = 0; i < one->n_findings; i++)
        findings[n++] = one->findings[i];
    for (size_t i = 0; i < many->n_findings; i++) {
        finding *f = &findings[n];
        *f = many->findings[i];
        if (!rule_is_race(f->rule) || f->confidence != CONFIDENCE_CONFIRMED || f->is_example)
            continue;
        what.reason = what.reason ? what.reason : f->message;
        finding_make_example(arena, kernel, f, kept, precondition_brief(ctx, c, &what));
        finding_add_fix(arena, f,
                        tr_arena_printf(arena, "promise it in the launch contract: %s",
                                        precondition_fragment(ctx, c, &what)));
        n++;
    }
    requires_[kept++] = require_printed(ctx, c, &what);
    one->requires_ = requires_;
    one->n_requires = kept;
    one->findings = findings;
    one->n_findings = n;
    one->verdict = VERDICT_CONDITIONAL;
}

static kernel_report *check_several(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                                    const ir_function *kernel, const contract *c,
                                    const rules_options *options, smt_steps began,
                                    kernel_report *one)
{
    check_outcome ignored = {0};
    contract several = *c;
    several.grid[0] = contract_grid(ctx, 0);
    kernel_report *many =
        check_settled(arena, ctx, prover, kernel, &several, options, began, &ignored);
    many->time_ms += one->time_ms;
    one->time_ms = many->time_ms;
    if (many->verdict != VERDICT_RACE)
        return many; /* it does not depend on the number of blocks, or is not decided */
    smt_t single = smt_bool_const(ctx, true), number = smt_int_const(ctx, 1);
    for (int axis = 0; axis < 3; axis++)
        single = smt_and(ctx, single, smt_eq(ctx, contract_grid(ctx, axis), number));
    depend_on_one_block(arena, ctx, c, kernel->name,
                        precondition_of_term(PRECONDITION_GRID_AXIS, single), one, many);
    return one;
}

/* The kernel races. Does it in launches of the grids that it was compiled for? */
static kernel_report *check_specialised(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                                        const ir_function *kernel, const contract *c,
                                        const rules_options *options, smt_steps began,
                                        unsigned axes, kernel_report *many)
{
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
    kernel_report *one = check_settled(arena, ctx, prover, kernel, given, options, began, &ignored);
    contract_free(given);
    one->time_ms += many->time_ms;
    many->time_ms = one->time_ms;
    if (one->verdict != VERDICT_RACE_FREE && one->verdict != VERDICT_CONDITIONAL)
        return many;
    depend_on_one_block(arena, ctx, c, kernel->name, what, one, many);
    return one;
}

kernel_report *rules_check(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                           const ir_function *kernel, const contract *c,
                           const rules_options *options)
{
    check_outcome outcome = {0};
    smt_steps began = smt_steps_taken(ctx); /* all checks of the kernel share its steps */
    kernel_report *plain = check_settled(arena, ctx, prover, kernel, c, options, began, &outcome);
    if (outcome.specialised && plain->verdict == VERDICT_RACE)
        return check_specialised(arena, ctx, prover, kernel, c, options, began, outcome.specialised,
                                 plain);
    if (outcome.one_block && plain->verdict != VERDICT_RACE && plain->verdict != VERDICT_UNKNOWN)
        return check_several(arena, ctx, prover, kernel, c, options, began, plain);
    return plain;
}
