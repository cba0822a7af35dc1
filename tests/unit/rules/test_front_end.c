/* Whose mistake is a missing token? The same kernels, as if several front ends had made them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dialect/dialect.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

#define DIALECT  "tilerace C tile dialect"
#define NVCC     "Cuda compilation tools, release 13.4, V13.4.92, Build cuda_13.4"
#define NVCC_NEW "Cuda compilation tools, release 13.5, V13.5.37, Build cuda_13.5"
#define NVCC_OLD "Cuda compilation tools, release 13.3, V13.3.0, Build cuda_13.3"
#define CUTILE   "cutile-rs 0.3.0"

typedef struct expectation {
    const char *kernel;
    const char *by_nvcc, *by_cutile; /* rules of the findings, in their order */
    const char *by_others;
    const char *vanishing; /* of each finding: does it vanish per name? */
} expectation;

static const expectation expectations[] = {
    {"nested_store", "TR013", "TR003", "TR003", "n"},
    {"nested_store_on_an_old_token", "TR013", "TR003", "TR003", "n"},
    {"last_store_then_load", "TR013", "TR003", "TR003", "y"},
    {"last_load_then_store", "TR013", "TR003", "TR003", "y"},
    {"forgotten_in_a_branch", "TR013 TR013", "TR003 TR003", "TR003 TR003", "nn"},
    {"new_token_in_a_branch", "TR003 TR003", "TR003 TR003", "TR003 TR003", "nn"},
    {"store_in_a_branch_dropped", "TR003", "TR003", "TR003", "n"},
    {"single_loop_store", "TR003", "TR003", "TR003", "n"},
    {"nested_store_by_outer_counter", "TR003", "TR003", "TR003", "n"},
    {"nested_store_of_rank_2", "TR003", "TR003", "TR003", "n"},
    {"nested_store_on_the_loops_token", "TR003", "TR003", "TR003", "n"},
    {"last_store_of_another_pointer", "TR003", "TR003", "TR003", "y"},
    {"own_value", "TR003", "TR024", "TR003", "n"},
    {"own_value_in_loop", "TR003 TR003", "TR024 TR024", "TR003 TR003", "nn"},
    {"own_value_by_both_branches", "TR003", "TR024", "TR003", "n"},
    {"own_value_by_loops_that_end_early", "TR003", "TR024", "TR003", "n"},
    {"loop_store", "TR003", "TR024", "TR003", "n"},
    {"loop_store_chain", "TR003 TR003 TR003", "TR024 TR024 TR024", "TR003 TR003 TR003", "nnn"},
    {"other_value", "TR003", "TR003", "TR003", "n"},
    {"own_value_by_one_branch", "TR003", "TR003", "TR003", "n"},
    {"own_value_that_a_loop_forgets", "TR003", "TR003", "TR003", "n"},
    {"own_value_that_one_end_forgets", "TR003", "TR003", "TR003", "n"},
    {"own_value_on_another_token", "TR003", "TR003", "TR003", "n"},
    {"own_value_and_token_used", "TR003", "TR003", "TR003", "n"},
    {"loop_stores_side_by_side", "TR003", "TR003", "TR003", "n"},
    {"loop_store_on_a_token_of_the_loop", "TR003", "TR003", "TR003", "n"},
};

typedef struct shapes {
    tr_arena *arena;
    smt_ctx *ctx;
    smt_prover *prover;
    dialect_unit unit;
} shapes;

static int open_shapes(void **state)
{
    shapes *s = calloc(1, sizeof *s);
    s->arena = tr_arena_new();
    s->ctx = smt_ctx_new();
    smt_options none = {0};
    s->prover = smt_prover_new(s->ctx, &none);
    tr_errors errors = tr_errors_make(s->arena);
    dialect_options options = {.include_folder = TILERACE_SOURCE_DIR "/include"};
    bool read =
        dialect_read(s->arena, s->ctx, TILERACE_SOURCE_DIR "/tests/unit/rules/front_end_kernels.c",
                     &options, &s->unit, &errors);
    if (!read)
        print_error("%s\n", errors.items ? errors.items[0].text : "not read");
    tr_errors_free(&errors);
    *state = s;
    return read ? 0 : -1;
}

static int close_shapes(void **state)
{
    shapes *s = *state;
    for (size_t i = 0; i < s->unit.n_kernels; i++)
        contract_free(s->unit.contracts[i]);
    ir_module_free(s->unit.module);
    smt_prover_free(s->prover);
    smt_ctx_free(s->ctx);
    tr_arena_free(s->arena);
    free(s);
    return 0;
}

static size_t find_kernel(const shapes *s, const char *name)
{
    for (size_t i = 0; i < s->unit.n_kernels; i++)
        if (strcmp(s->unit.kernels[i]->name, name) == 0)
            return i;
    fail_msg("no kernel %s", name);
    return 0;
}

static kernel_report *check(shapes *s, const char *name, const char *producer, const char *writer,
                            model_loop_tokens reading)
{
    size_t i = find_kernel(s, name);
    contract_settle_ranges(s->ctx, s->unit.contracts[i], NULL);
    s->unit.module->producer = producer;
    s->unit.module->writer = writer;
    rules_options options = {.model = model_default_choices()};
    options.model.loop_tokens = reading;
    return rules_check(s->arena, s->ctx, s->prover, s->unit.kernels[i], s->unit.contracts[i],
                       &options);
}

static void expect_rules(const kernel_report *r, const char *producer, const char *rules)
{
    tr_text found = {0};
    for (size_t i = 0; i < r->n_findings; i++)
        tr_text_addf(&found, "%s%s", i ? " " : "", rule_info_of(r->findings[i].rule)->code);
    if (strcmp(tr_text_get(&found), rules) != 0)
        fail_msg("%s by '%s': found %s, expected %s", r->kernel, producer ? producer : "nobody",
                 tr_text_get(&found), rules);
    tr_text_free(&found);
    assert_int_equal(r->verdict, VERDICT_RACE); /* whoever made the mistake */
    for (size_t i = 0; i < r->n_findings; i++) {
        rule_level level =
            r->findings[i].rule == RULE_UNORDERED_IN_BLOCK ? LEVEL_ERROR : LEVEL_WARNING;
        assert_int_equal(r->findings[i].level, level);
        assert_int_equal(r->findings[i].confidence, CONFIDENCE_CONFIRMED);
    }
}

static void test_rules(void **state)
{
    shapes *s = *state;
    for (size_t i = 0; i < TR_COUNT(expectations); i++) {
        const expectation *e = &expectations[i];
        const char *const by[][3] = {
            {NVCC, NULL, e->by_nvcc},        {NVCC_NEW, NULL, e->by_nvcc},
            {CUTILE, NULL, e->by_cutile},    {NULL, "cutile-ir", e->by_cutile},
            {DIALECT, NULL, e->by_others},   {NVCC_OLD, NULL, e->by_others},
            {NULL, NULL, e->by_others},      {DIALECT, "cutile-ir", e->by_others},
            {NVCC, "cutile-ir", e->by_nvcc},
        };
        for (size_t p = 0; p < TR_COUNT(by); p++)
            expect_rules(check(s, e->kernel, by[p][0], by[p][1], MODEL_PER_ITERATION), by[p][0],
                         by[p][2]);
    }
}

/* What another front end is known for stays this one's author's: two stores of one iteration. */
static void test_mixed(void **state)
{
    shapes *s = *state;
    kernel_report *r = check(s, "nested_stores_that_meet", DIALECT, NULL, MODEL_PER_ITERATION);
    size_t n = r->n_findings;
    r = check(s, "nested_stores_that_meet", NVCC, NULL, MODEL_PER_ITERATION);
    assert_int_equal(r->n_findings, n);
    size_t laid = 0;
    for (size_t i = 0; i < n; i++)
        laid += r->findings[i].rule == RULE_FRONT_END_NVCC;
    assert_int_equal(laid, 1); /* the store by the inner counter, with itself */
}

/* What the report says of the other reading is what a run under it finds. */
static void test_readings(void **state)
{
    shapes *s = *state;
    for (size_t i = 0; i < TR_COUNT(expectations); i++) {
        const expectation *e = &expectations[i];
        kernel_report *r = check(s, e->kernel, DIALECT, NULL, MODEL_PER_ITERATION);
        assert_int_equal(r->n_findings, strlen(e->vanishing));
        size_t left = 0;
        for (size_t f = 0; f < r->n_findings; f++) {
            bool vanishes = e->vanishing[f] == 'y';
            assert_int_equal(r->findings[f].only_per_iteration, vanishes);
            assert_int_equal(strstr(r->findings[f].message, "read per name") != NULL, vanishes);
            left += !vanishes;
        }
        kernel_report *other = check(s, e->kernel, DIALECT, NULL, MODEL_PER_NAME);
        assert_int_equal(other->n_findings, left);
        assert_true(other->tokens_per_name);
        for (size_t f = 0; f < other->n_findings; f++)
            assert_false(other->findings[f].only_per_iteration);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_readings),
    };
    return cmocka_run_group_tests(tests, open_shapes, close_shapes);
}
