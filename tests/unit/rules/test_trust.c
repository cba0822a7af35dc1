/* Which inferred choices of the memory model a verdict names: those that it rests on, no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dialect/dialect.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct expectation {
    const char *kernel;
    model_loop_tokens reading;
    verdict_kind verdict;
    const char *inferred;
} expectation;

static const expectation expectations[] = {
    {"disjoint", MODEL_PER_ITERATION, VERDICT_RACE_FREE, ""},
    {"disjoint", MODEL_PER_NAME, VERDICT_RACE_FREE, ""},
    {"masked", MODEL_PER_ITERATION, VERDICT_RACE_FREE, "D3"},
    {"scattered", MODEL_PER_ITERATION, VERDICT_RACE_FREE, "D3 gather-scatter"},
    {"chained", MODEL_PER_ITERATION, VERDICT_RACE_FREE, ""},
    {"chained", MODEL_PER_NAME, VERDICT_RACE_FREE, ""},
    {"chained_through_loop", MODEL_PER_ITERATION, VERDICT_RACE_FREE, "D15"},
    {"last_of_a_loop", MODEL_PER_ITERATION, VERDICT_RACE, "D12 D17 D21"},
    {"last_of_a_loop", MODEL_PER_NAME, VERDICT_RACE_FREE, "D15 D17"},
    {"last_of_a_loop_on_a_token", MODEL_PER_ITERATION, VERDICT_RACE, "D17 D21"},
    {"no_token", MODEL_PER_ITERATION, VERDICT_RACE, "D12 D21"},
    {"no_token", MODEL_PER_NAME, VERDICT_RACE, "D12 D21"},
    {"one_token", MODEL_PER_ITERATION, VERDICT_RACE, "D21"},
    {"shared", MODEL_PER_ITERATION, VERDICT_RACE, "D21"},
    {"shared_and_no_token", MODEL_PER_ITERATION, VERDICT_RACE, "D21"}, /* one race is enough */
    {"widths", MODEL_PER_ITERATION, VERDICT_RACE, "D6 D21"},
    {"halfway", MODEL_PER_ITERATION, VERDICT_RACE, "D6 D21"},
    {"halfway_in_a_loop", MODEL_PER_ITERATION, VERDICT_RACE, "D6 D12 D21"},
    {"halfway_in_one_store", MODEL_PER_ITERATION, VERDICT_RACE, "D6 D21"},
    {"word_by_word", MODEL_PER_ITERATION, VERDICT_RACE_FREE, ""},
    {"passed_on", MODEL_PER_ITERATION, VERDICT_RACE_FREE, "D19 D21"},
};

static void expect(smt_ctx *ctx, smt_prover *prover, tr_arena *arena, const dialect_unit *unit,
                   const expectation *e)
{
    size_t i = 0;
    while (i < unit->n_kernels && strcmp(unit->kernels[i]->name, e->kernel) != 0)
        i++;
    assert_true(i < unit->n_kernels);
    contract_settle_ranges(ctx, unit->contracts[i], NULL);
    rules_options options = {.model = model_default_choices()};
    options.model.loop_tokens = e->reading;
    const kernel_report *r =
        rules_check(arena, ctx, prover, unit->kernels[i], unit->contracts[i], &options);
    tr_text listed = {0};
    for (int c = 0; c < TRUST_COUNT; c++)
        if (r->rests_on & TRUST_BIT(c) && trust_info_of((trust_choice)c)->is_listed)
            tr_text_addf(&listed, "%s%s", listed.length ? " " : "",
                         trust_info_of((trust_choice)c)->name);
    if (r->verdict != e->verdict || strcmp(tr_text_get(&listed), e->inferred) != 0)
        fail_msg("%s: verdict %d rests on '%s', expected %d on '%s'", e->kernel, (int)r->verdict,
                 tr_text_get(&listed), (int)e->verdict, e->inferred);
    tr_text_free(&listed);
}

static void test_trust(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    smt_ctx *ctx = smt_ctx_new();
    smt_options none = {0};
    smt_prover *prover = smt_prover_new(ctx, &none);
    tr_errors errors = tr_errors_make(arena);
    dialect_options options = {.include_folder = TILERACE_SOURCE_DIR "/include"};
    dialect_unit unit;
    if (!dialect_read(arena, ctx, TILERACE_SOURCE_DIR "/tests/unit/rules/trust_kernels.c", &options,
                      &unit, &errors))
        fail_msg("line %u: %s", errors.items[0].place.line, errors.items[0].text);
    for (size_t i = 0; i < TR_COUNT(expectations); i++)
        expect(ctx, prover, arena, &unit, &expectations[i]);
    for (size_t i = 0; i < unit.n_kernels; i++)
        contract_free(unit.contracts[i]);
    ir_module_free(unit.module);
    tr_errors_free(&errors);
    smt_prover_free(prover);
    smt_ctx_free(ctx);
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trust)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
