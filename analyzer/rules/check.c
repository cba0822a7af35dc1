/* The schedule of one kernel's check. */
#include "rules/checker.h"

#include "base/ds.h"
#include "base/process.h"

/* A proof that rests on pairs which exclude each other already is one only if the stores can run at
 * all: then one tile block alone can ever store. */
static void check_vacuity(checker *k)
{
    kernel_report *r = k->report;
    if (k->proved_something || !k->any_vacuous || r->refuted || r->unknown)
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

static void conclude(checker *k)
{
    kernel_report *r = k->report;
    bool race = false;
    for (size_t i = 0; i < arrlenu(k->findings); i++)
        race |=
            rule_is_race(k->findings[i].rule) && k->findings[i].confidence == CONFIDENCE_CONFIRMED;
    require_finish(k);
    bool asked = false;
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        asked |= k->requires_[i].what.class_ != PRECONDITION_CLASS_STANDING ||
                 !precondition_fragment(k->ctx, k->contract, &k->requires_[i].what);
    if (!race && r->unknown == 0 && asked && k->options->strict)
        count_unknown(k, REASON_DATA_DEPENDENT, k->kernel->place,
                      "the proof asks for more than the contract states");
    r->verdict = race ? VERDICT_RACE : r->unknown ? VERDICT_UNKNOWN : VERDICT_RACE_FREE;
}

static void check_unsupported(checker *k)
{
    if (k->s->unsupported)
        count_unknown(k, REASON_UNSUPPORTED_OP,
                      k->s->unsupported_op ? k->s->unsupported_op->place : k->kernel->place, "%s",
                      k->s->unsupported);
}

kernel_report *rules_check(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                           const ir_function *kernel, const contract *c,
                           const rules_options *options)
{
    kernel_report *report = TR_NEW(arena, kernel_report);
    checker k = {.arena = arena,
                 .ctx = ctx,
                 .prover = prover,
                 .kernel = kernel,
                 .contract = c,
                 .options = options,
                 .report = report,
                 .steps = options->steps ? options->steps : RULES_STEPS,
                 .began = smt_steps_taken(ctx)};
    double began_ms = tr_now_fine_ms(); /* for the report alone */
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
    if (any_launch) {
        rule_assumes(&k);
        rule_hazards(&k);
        rule_index_space(&k);
        rule_out_of_buffer(&k);
        doubt_undefined(&k);
        rule_self_overlap(&k);
        rule_in_block(&k);
        rule_inter_block(&k);
        rule_outside(&k);
        rule_covered(&k);
    }
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
    enumerate_free(&k);
    arrfree(k.kept_ops);
    summary_free(k.before_doubt);
    summary_free(k.s);
    if (narrowed)
        contract_free(narrowed);
    return report;
}
