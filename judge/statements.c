/* Statements in a candidate's own source must not exclude launches that the context has: a kernel
 * that is right at one shape only would pass otherwise. */
#include "base/ds.h"
#include "judge/private.h"
#include "launch/from_contract.h"
#include "launch/search.h"
#include "strategies/prove.h"

#define MOST_BLOCKS   ((int64_t)1 << 20)
#define MOST_ELEMENTS ((int64_t)1 << 26)
#define MOST_STEPS    ((smt_steps)20000) /* of one question */

enum { TRIED = 64 };

static void exclude(judging *j, const judged_kernel *k, const contract *allowed,
                    const concrete_launch *launch)
{
    tr_text words = {0};
    concrete_launch_print(&words, k->kernel->function, allowed, launch);
    judge_add_fault(
        j,
        (judge_fault){
            .stage = JUDGE_STAGE_BOUNDS,
            .class_ = JUDGE_CONDITIONAL,
            .kernel = k->report->kernel,
            .place = k->report->place,
            .what = "the kernel's source states a condition that excludes a launch of the context",
            .launch = tr_arena_strdup(j->s->arena, tr_text_get(&words)),
            .help = "Handle that launch: the tail of a size that no tile divides, "
                    "the smallest and the largest value."});
    tr_text_free(&words);
}

/* Does all that is stated allow the numbers that the context chose, whatever the others are? */
static bool is_allowed(const judged_kernel *k, const contract *allowed,
                       const concrete_launch *launch)
{
    const contract *stated = k->kernel->contract;
    smt_ctx *ctx = k->input->ctx;
    smt_t *all = NULL;
    for (size_t i = 0; i < arrlenu(stated->facts); i++)
        arrput(all, stated->facts[i].term);
    for (size_t i = 0; i < launch->n_args; i++)
        if (stated->args[i].kind == CONTRACT_SCALAR && allowed->args[i].constrained)
            arrput(all, smt_eq(ctx, contract_param(ctx, stated, i),
                               smt_int_const(ctx, launch->args[i].value)));
    bool excluded = k->input->prover && smt_check_verdict(k->input->prover, arrlenu(all), all,
                                                          MOST_STEPS, "statements") == SMT_UNSAT;
    arrfree(all);
    return !excluded;
}

/* Launches of the context alone are held against all that is stated. */
void judge_compare_statements(judging *j, const judged_kernel *k)
{
    const loaded *input = k->input;
    size_t which = 0;
    while (input->unit.kernels[which] != k->kernel->function)
        which++;
    if (!j->s->launches || launch_file_count(j->s->launches, &input->shapes[which]) == 0)
        return;
    tr_errors errors = tr_errors_make(input->arena);
    contract *allowed =
        launch_file_contract(input->ctx, j->s->launches, &input->shapes[which], NULL, 0, &errors);
    if (!allowed || !contract_settle_ranges(input->ctx, allowed, &errors)) {
        contract_free(allowed);
        return;
    }
    interp_search search = {.wanted = TRIED,
                            .max_blocks = MOST_BLOCKS,
                            .max_elements = MOST_ELEMENTS,
                            .seed = j->context->seed};
    concrete_launch **found = NULL;
    size_t n = concrete_enumerate_launches(input->arena, input->ctx, k->kernel->function, allowed,
                                           &search, &found);
    size_t i = 0;
    while (i < n && is_allowed(k, allowed, found[i]))
        i++;
    if (i < n)
        exclude(j, k, allowed, found[i]);
    contract_free(allowed);
}
