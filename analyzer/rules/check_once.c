/* The schedule of one kernel's check. */
#include "rules/check_once.h"

#include "order/state.h"
#include "order/turn.h"
#include "order/unique_ticket.h"
#include "precondition/added.h"
#include "precondition/defaults.h"
#include "precondition/finish.h"
#include "precondition/met.h"
#include "precondition/pairs.h"
#include "precondition/reach.h"
#include "precondition/specialised.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/exact_contents.h"
#include "rules/add_finding.h"
#include "rules/claims.h"
#include "rules/enforced.h"
#include "rules/example.h"
#include "rules/rule.h"
#include "rules/rule_assume.h"
#include "rules/second_look.h"
#include "rules/sizes.h"
#include "rules/stale.h"
#include "rules/trust.h"
#include "rules/wraps.h"
#include "witness/enumerate.h"
#include "witness/whole_launch.h"

#include "base/ds.h"
#include "base/process.h"

#include <string.h>

static bool has_race(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->findings); i++)
        if (rule_is_race(k->findings[i].rule) && k->findings[i].confidence == CONFIDENCE_CONFIRMED)
            return true;
    return false;
}

/* Elements that are stated one by one may well lead no block to a store; but what else is stated of
 * the launch can contradict itself. */
static bool is_exact_launch(checker *k)
{
    bool exact = false;
    for (size_t i = 0; i < k->contract->n_args; i++)
        exact |= contents_are_exact(k, (int)i);
    if (!exact)
        return false;
    return !ask_is_unsat(k, query_of_launch(k), "reachable");
}

/* A proof that rests on pairs which exclude each other already is one only if the stores can run at
 * all: then one tile block alone can ever store. */
static void check_vacuity(checker *k)
{
    kernel_report *r = k->report;
    /* Undefined behaviour that was found makes no pair any less vacuous. */
    if (k->proved_something || !k->any_vacuous || has_race(k) || r->unknown)
        return;
    if (is_exact_launch(k))
        return;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (!a->writes)
            continue;
        query stores = query_with(k, query_of_launch(k), a->path);
        if (!ask_is_unsat(k, query_with(k, stores, a->facts), "reachable"))
            return;
    }
    count_unknown(
        k, REASON_UNSUPPORTED_OP, k->kernel->place,
        "no store of the kernel can ever run, so a proof that they are disjoint is vacuous");
}

/* The first precondition whose violation is a race; NULL: there is none. */
static const precondition *race_precondition(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (k->requires_[i].what.class_ == PRECONDITION_CLASS_RACE)
            return &k->requires_[i].what;
    return NULL;
}

/* Is it a precondition that runs cannot break: two buffers that are one, or an axis that nobody
 * reads? */
static bool is_of_every_run(precondition_kind kind)
{
    return kind == PRECONDITION_DISTINCT_BUFFERS || kind == PRECONDITION_GRID_AXIS;
}

static void drop_doubtful_findings(checker *k)
{
    size_t kept = 0;
    for (size_t i = 0; i < arrlenu(k->findings); i++)
        if (k->findings[i].confidence == CONFIDENCE_CONFIRMED)
            k->findings[kept++] = k->findings[i];
    arrsetlen(k->findings, kept);
}

/* Is something asked of the launch that only a run can check? */
static bool asks_in_words(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (precondition_is_in_words(&k->requires_[i].what))
            return true;
    return false;
}

/* An obligation that was left open, for a launch that is stated as a whole, is decided by a run of
 * it: no question of the prover's is open then, and nothing is asked of the launch that the run has
 * not seen to hold. Errors that are no race, an access outside its buffer, stay what they are. */
static void decide_whole_launch(checker *k)
{
    kernel_report *r = k->report;
    if ((!r->unknown && !asks_in_words(k)) || has_race(k) || !whole_launch_is_free(k))
        return;
    r->proved += r->unknown;
    r->unknown = 0;
    r->reason = (verdict_reason){0};
    k->unsettled = 0;
    drop_doubtful_findings(k);
    k->undefined.open = arrlenu(k->findings) > 0;
    size_t kept = 0;
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (is_of_every_run(k->requires_[i].what.kind))
            k->requires_[kept++] = k->requires_[i];
    arrsetlen(k->requires_, kept);
    k->pairs.first_require = kept;
}

/* Among preconditions that keep values from wrapping, the second check drops those on which nothing
 * depends; all others stay. */
static bool asks_for_what_stays(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (!k->requires_[i].of_wrap)
            return true;
    return false;
}

void check_asked_too_much(kernel_report *r, const tr_place *place)
{
    r->total++;
    r->unknown++;
    r->verdict = VERDICT_UNKNOWN;
    r->reason = (verdict_reason){.kind = REASON_CONTRACT_SILENT,
                                 .text = "the proof needs more than the contract states",
                                 .place = place};
}

/* The verdict, after all rules have been asked. A proof whose preconditions no launch of several
 * tile blocks meets says nothing about launches that people make, so it is unknown, and so is one
 * with a precondition whose breach nobody has seen race. */
static void conclude(checker *k)
{
    kernel_report *r = k->report;
    require_basis(k);
    decide_whole_launch(k);
    bool race = has_race(k);
    if (race)
        enforced_drop_broken(k);
    else if (k->report->unknown == 0)
        second_look_at_events(k);
    require_finish(k);
    if (!race && r->unknown == 0 && !require_is_met(k))
        count_unknown_search(k, REASON_CONTRACT_SILENT, k->kernel->place,
                             "no launch of several tile blocks was found that meets the contract "
                             "and the preconditions of the proof");
    bool proved = !race && r->unknown == 0;
    if (proved && k->options->strict && asks_for_what_stays(k)) {
        check_asked_too_much(r, k->kernel->place);
    } else if (proved && arrlenu(k->requires_) > 0) {
        r->verdict = VERDICT_CONDITIONAL;
        claims_decide(k);
        if (example_show_all(k))
            return;
        const precondition *open = race_precondition(k);
        if (open)
            count_unknown_search(k, REASON_UNREPLAYED_WITNESS, k->kernel->place,
                                 "it is proved race-free if %s, but no launch that breaks this was "
                                 "found to race",
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

/* An obligation that the budget cuts short is never proved, whatever was asked before. */
static void check_rules(checker *k)
{
    static void (*const rules[])(checker *) = {
        rule_assumes,       follow_wraps,       rule_hazards,
        rule_index_space,   rule_out_of_buffer, doubt_undefined,
        rule_hazards_again, enforced_keep,      claims_compare_touched,
        rule_self_overlap,  rule_in_block,      rule_inter_block,
        rule_outside,       rule_covered,       require_constant_strides,
    };
    bool cut = tr_budget_is_spent(smt_budget(k->ctx));
    for (size_t i = 0; i < TR_COUNT(rules) && !cut; i++) {
        rules[i](k);
        cut = tr_budget_is_spent(smt_budget(k->ctx));
    }
    if (cut) {
        k->report->reason = (verdict_reason){0}; /* what came of the end of time is none */
        count_unknown(k, REASON_BUDGET, k->kernel->place,
                      "the time limit of --budget ended before every question was asked");
    }
}

enum { SIGN_IMPLIED = 100 * 1000 };

/* The signs among the preconditions, and those of `asked` that the preconditions do not imply. */
static asked_sign *signs_to_doubt(checker *k, const contract *stated, const smt_t *asked)
{
    asked_sign *signs = NULL;
    query known = {0};
    for (size_t i = 0; i < arrlenu(k->requires_) && arrlenu(asked); i++) {
        smt_t fact = sizes_sign_of(k, stated, &k->requires_[i].what);
        if (!fact)
            continue;
        arrput(signs, ((asked_sign){fact, true, i}));
        query_add(k, &known, fact);
    }
    for (size_t i = 0; i < arrlenu(asked); i++) {
        query other = query_with(k, known, smt_not(k->ctx, asked[i]));
        if (ask_verdict(k, other, "sign-implied", SIGN_IMPLIED) == SMT_UNSAT)
            continue;
        arrput(signs, ((asked_sign){.fact = asked[i]}));
        query_add(k, &known, asked[i]);
    }
    return signs;
}

/* Has the precondition only a sentence, no term, and no event at which a run would show that a
 * launch breaks it? Then no computation tells whether a launch meets it. */
static bool is_beyond_runs(const required *r)
{
    return r->what.words && r->what.class_ == PRECONDITION_CLASS_LAUNCH && !r->fails;
}

/* May a defined launch break the launch precondition: does no undefined behaviour enforce it, or
 * only arithmetic that wraps, or is it about contents, of which that is not asked? */
static bool may_be_broken(const required *r)
{
    return r->what.class_ == PRECONDITION_CLASS_LAUNCH &&
           (r->unenforced || r->only_wraps || r->what.of_contents);
}

/* Sorts the launch preconditions for the second check. Some say that a value which may wrap by
 * definition does not: a launch that breaks one is defined, so it has to be looked for a race. The
 * others must hold in that launch. One that has a sentence instead of a term, and an event that
 * breaks it, needs no place here: the replay of the race sees that event. Where even that is
 * missing the launches cannot be told apart, and nothing is noted. */
static void note_wraps(checker *k, const contract *stated, check_outcome *outcome)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (is_beyond_runs(&k->requires_[i]))
            return;
    outcome->leans = k->implied_unenforced != NULL;
    for (size_t i = 0; i < arrlenu(k->requires_) && !k->wraps.machine_values; i++) {
        const required *r = &k->requires_[i];
        smt_t fact =
            r->what.term && !r->what.of_contents ? sizes_fact_of(k, stated, &r->what) : NULL;
        bool wraps = r->of_wrap && r->what.class_ == PRECONDITION_CLASS_LAUNCH;
        outcome->leans |= !wraps && may_be_broken(r);
        if (wraps)
            arrput(outcome->wraps, ((asked_wrap){fact, i}));
        else if (fact && (r->unenforced || r->only_wraps))
            arrput(outcome->hoped, fact);
        else if (fact)
            arrput(outcome->beside, fact);
    }
}

enum { NEVER_RUNS = 50 * 1000 };

/* Finds ops that a precondition on values which may wrap keeps from running at all. */
static bool *find_never_run(checker *k)
{
    bool *never = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_ops + 1);
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op))
        never[op->ordinal] = ir_is_memory_op(op);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (!never[a->op->ordinal])
            continue;
        query conjuncts = query_of_launch(k);
        query_add(k, &conjuncts, a->path);
        query_add(k, &conjuncts, a->facts);
        query_add(k, &conjuncts, a->mask);
        never[a->op->ordinal] = ask_verdict(k, conjuncts, "reachable", NEVER_RUNS) == SMT_UNSAT;
    }
    return never;
}

/* The words of ticket locks: those whose launches are to be asked about, or those that are. */
static void note_turns(checker *k, const contract *c, check_outcome *outcome)
{
    if (outcome->n_turns) {
        outcome->keeps_turns = k->report->verdict == VERDICT_RACE_FREE &&
                               order_turns_are_kept(k, outcome->turns, outcome->n_turns);
        return;
    }
    outcome->turned = stale_turned_contract(k, c);
    if (!outcome->turned)
        return;
    const order_state *state = order_state_of(k);
    outcome->n_turns = state->n_turns;
    memcpy(outcome->turns, state->turns, sizeof state->turns);
}

/* Tells for each parameter whether no operation of the kernel writes to its buffer. */
static const bool *find_only_read(const checker *k)
{
    size_t n = k->contract->n_args;
    bool *only_read = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        const contract_arg *arg = &k->contract->args[i];
        only_read[i] = arg->kind == CONTRACT_POINTER && !k->kernel->unread;
        for (size_t a = 0; a < k->s->n_allocations && only_read[i]; a++)
            only_read[i] = k->s->allocations[a].space != IX_ARGUMENT ||
                           !k->s->allocations[a].written ||
                           strcmp(k->s->allocations[a].name, contract_buffer_of(arg)) != 0;
    }
    return only_read;
}

/* ---- Section: The schedule ---- */

static checker checker_of(const check_task *task, const contract *c)
{
    const rules_options *options = task->options;
    kernel_report *report = TR_NEW(task->arena, kernel_report);
    report->kernel = task->kernel->shown;
    report->place = task->kernel->place;
    report->contract = c->source;
    return (checker){
        .add_known = order_add_tickets,
        .arena = task->arena,
        .ctx = task->ctx,
        .prover = task->prover,
        .kernel = task->kernel,
        .contract = c,
        .options = options,
        .given = smt_bool_const(task->ctx, true),
        .report = report,
        .undefined.any_sign = task->any_sign,
        .wraps = {.machine_values = task->machine_values, .by_runs = task->by_runs},
        .effort = {.steps = options->steps ? options->steps : RULES_STEPS, .began = task->began}};
}

static void build_summary(checker *k)
{
    k->s = summary_build(k->arena, k->ctx, k->kernel, k->contract);
    k->known.launch = k->s->launch;
}

/* Summarises the accesses. The first summary tells which least sizes the kernel's own use of its
 * parameters implies; where there are any, the kernel is checked under the contract that adds them.
 * Result: that contract, the caller's; NULL: the stated one stays. */
static contract *summarise(checker *k)
{
    step_begins(k, RULES_SUMMARY);
    k->args_used = find_used(k->arena, k->kernel);
    build_summary(k);
    contract *narrowed = sizes_find(k);
    if (narrowed) {
        k->contract = narrowed;
        summary_free(k->s);
        build_summary(k);
    }
    k->tokens = model_tokens_build(k->arena, k->kernel, &k->options->model);
    k->report->only_read = find_only_read(k);
    return narrowed;
}

/* Decides the verdict from the summary. Returns the facts that were asked of the signs of divisors,
 * an stb_ds array that the caller owns. */
static smt_t *reach_verdict(checker *k, const contract *stated)
{
    require_defaults(k);
    sizes_require(k, stated);
    check_unsupported(k);
    rule_contract(k);
    bool any_launch =
        arrlenu(k->findings) == 0 && !(k->undefined.any_sign && !sizes_first_block_is_defined(k));
    step_begins(k, RULES_PROVING);
    if (any_launch)
        check_rules(k);
    check_vacuity(k);
    smt_t *signs = sizes_signs(k, stated);
    sizes_finish(k, stated);
    conclude(k);
    if (k->options->notes && any_launch)
        rule_notes(k);
    return signs;
}

static void add_reaches(checker *k)
{
    kernel_report *r = k->report;
    if (k->options->reaches && r->verdict != VERDICT_UNKNOWN && r->verdict != VERDICT_RACE)
        r->n_reaches = reach_find(k, &r->reaches);
}

/* Notes what the verdict rests on and a second check has to doubt. */
static void note_doubts(checker *k, const contract *stated, const smt_t *signs,
                        check_outcome *outcome)
{
    outcome->signs = signs_to_doubt(k, stated, signs);
    note_wraps(k, stated, outcome);
    bool any_wraps = arrlenu(outcome->wraps) > 0;
    outcome->never_runs = any_wraps ? find_never_run(k) : NULL;
    outcome->excuses = k->undefined.open;
    outcome->proved_near = k->proved_near;
    bool any_doubt = arrlenu(outcome->signs) > 0 || any_wraps;
    outcome->rest = any_doubt ? sizes_contract(k, stated) : NULL;
}

/* Closes the report, its preconditions in the parameters as they were stated. */
static void finish_report(checker *k, const contract *narrowed, const contract *stated)
{
    kernel_report *r = k->report;
    finding_finish(k);
    for (size_t i = 0; narrowed && i < r->n_requires; i++)
        precondition_restate(k->ctx, narrowed, stated, &r->requires_[i].what);
    for (size_t i = 0; narrowed && i < r->n_reaches; i++)
        precondition_restate(k->ctx, narrowed, stated, &r->reaches[i]);
}

/* Notes under which other contracts the kernel may be decided, or has another verdict. */
static void note_other_launches(checker *k, const contract *stated, check_outcome *outcome)
{
    outcome->one_block = stores_without_an_axis(k->s);
    outcome->specialised = k->compiled_for;
    outcome->counters = k->unsettled;
    outcome->risen = k->unsettled ? stale_risen_contract(k, stated) : NULL;
    note_turns(k, stated, outcome);
}

static void free_checker(checker *k)
{
    enumerate_free(k);
    arrfree(k->seen_paths);
    arrfree(k->apps);
    arrfree(k->undefined.leaned);
    arrfree(k->undefined.kept_ops);
    arrfree(k->undefined.run_ops);
    arrfree(k->undefined.places);
    arrfree(k->wraps.meetings);
    arrfree(k->claims.broken);
    for (size_t i = 0; i < arrlenu(k->wraps.replaced); i++)
        summary_free(k->wraps.replaced[i]);
    arrfree(k->wraps.replaced);
    summary_free(k->s);
}

kernel_report *check_once(const check_task *task, const contract *c, check_outcome *outcome)
{
    TR_ASSERT(task->kernel->body && c->n_args == task->kernel->body->n_args);
    double began_ms = tr_now_fine_ms(); /* for the report alone */
    checker k = checker_of(task, c);
    solver_window(&k);
    k.effort.failures_before = k.effort.failures_of_pair;
    contract *narrowed = summarise(&k);
    smt_t *signs = reach_verdict(&k, c);
    add_reaches(&k);
    require_basis(&k);
    conclude_trust(&k);
    note_doubts(&k, c, signs, outcome);
    finish_report(&k, narrowed, c);
    k.report->time_ms = tr_now_fine_ms() - began_ms;
    note_other_launches(&k, c, outcome);
    kernel_report *report = k.report;
    arrfree(signs);
    free_checker(&k);
    if (narrowed)
        contract_free(narrowed);
    return report;
}
