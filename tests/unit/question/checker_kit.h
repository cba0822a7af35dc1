/* A kernel from a string with a checker over it, as far as lemmas and addresses need one: no rule
 * has run, no solver is asked, nothing is required. */
#ifndef TESTS_QUESTION_CHECKER_KIT_H
#define TESTS_QUESTION_CHECKER_KIT_H

#include "../dialect/reading.h"
#include "question/checker.h"

#include "base/ds.h"

typedef struct checker_kit {
    reading r;
    checker k;
    kernel_report report;
    rules_options options;
} checker_kit;

/* `known` adds what rooms above know of a question; `chains`: relaxed updates continue a release
 * sequence. */
static inline void checker_kit_open(checker_kit *t, const char *kernel,
                                    void (*known)(checker *k, query *conjuncts), bool chains)
{
    static const smt_options none = {.solver = ""};
    *t = (checker_kit){.r = read_text(kernel)};
    show_errors(&t->r);
    assert_true(t->r.ok);
    t->options.model = model_default_choices();
    t->options.model.rmw_chains &= chains;
    t->k = (checker){.add_known = known,
                     .arena = t->r.arena,
                     .ctx = t->r.ctx,
                     .prover = smt_prover_new(t->r.ctx, &none),
                     .kernel = t->r.unit.kernels[0],
                     .contract = t->r.unit.contracts[0],
                     .options = &t->options,
                     .report = &t->report,
                     .effort = {.steps = RULES_STEPS, .began = smt_steps_taken(t->r.ctx)}};
    t->k.s = summary_build(t->k.arena, t->k.ctx, t->k.kernel, t->k.contract);
    t->k.known.launch = t->k.given = t->k.s->launch;
    t->k.tokens = model_tokens_build(t->k.arena, t->k.kernel, &t->options.model);
}

static inline void checker_kit_close(checker_kit *t)
{
    arrfree(t->k.findings);
    arrfree(t->k.requires_);
    arrfree(t->k.apps);
    summary_free(t->k.s);
    smt_prover_free(t->k.prover);
    reading_free(&t->r);
}

#endif
