/* Scores, the stage of each rule, and contexts. What candidates come to is tests/cli/test_judge.py.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "judge/private.h"

static void test_stage_of_rules(void **state)
{
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++) {
        const rule_info *rule = rule_info_of((rule_id)i);
        if (rule->level == LEVEL_NOTE)
            assert_int_equal(judge_stage_of_rule((rule_id)i), JUDGE_STAGE_READS);
        else
            assert_int_not_equal(judge_stage_of_rule((rule_id)i), JUDGE_STAGE_READS);
    }
}

/* Over all stages, and all states of the others that a seed draws. */
static void test_score_is_monotone(void **state)
{
    (void)state;
    static const judge_state worst_first[] = {JUDGE_NOT_REACHED, JUDGE_FAILED, JUDGE_UNDECIDED,
                                              JUDGE_HELD};
    uint64_t seed = 1;
    for (int trial = 0; trial < 1000; trial++) {
        judgement j = {0};
        for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            j.stages[i].state = (judge_state)(seed >> 33) % JUDGE_STATE_COUNT;
        }
        for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
            judge_state was = j.stages[i].state;
            double last = 0;
            for (size_t k = 0; k < TR_COUNT(worst_first); k++) {
                j.stages[i].state = worst_first[k];
                assert_true(judge_score(&j) >= last);
                last = judge_score(&j);
            }
            assert_true(last <= 1);
            j.stages[i].state = was;
        }
    }
}

static void test_score_of_the_best(void **state)
{
    (void)state;
    judgement j = {0};
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        j.stages[i].state = JUDGE_HELD;
    assert_true(judge_score(&j) == 1);
    j.stages[JUDGE_STAGE_AGREES].state = JUDGE_NOT_ASKED;
    assert_true(judge_score(&j) == 1);
    j.stages[JUDGE_STAGE_GPU].state = JUDGE_FAILED; /* a machine without one gives the same score */
    assert_true(judge_score(&j) == 1);
    j.stages[JUDGE_STAGE_RACES].state = JUDGE_UNDECIDED;
    assert_true(judge_score(&j) < 1);
}

static void test_context(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    const char text[] =
        "{\"kernel\": {\"file\": \"k.c\", \"name\": \"f\", \"defines\": {\"A\": 1.5}},"
        "\"reference\": {\"kernel\": \"/r.c:g\"}, \"outputs\": [\"y\"],"
        "\"stages\": [\"races\", \"agrees\"],"
        "\"tune\": {\"BM\": [64, 128], \"S\": {\"from\": 1, \"to\": 7, \"step\": 3}}}";
    judge_context *c =
        judge_context_parse(arena, "in/context.json", text, sizeof text - 1, NULL, &errors);
    assert_non_null(c);
    assert_string_equal(c->file, "in/k.c");
    assert_string_equal(c->kernel, "f");
    assert_string_equal(c->defines[0], "-DA=1.5");
    assert_string_equal(c->reference, "/r.c:g");
    assert_string_equal(c->outputs[0], "y");
    assert_int_equal(c->tuned[0].n_values, 2);
    assert_int_equal(c->tuned[1].n_values, 3);
    assert_int_equal(c->tuned[1].values[2], 7);
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        assert_int_equal(c->passed_over >> i & 1, i >= JUDGE_STAGE_BOUNDS &&
                                                      i != JUDGE_STAGE_RACES &&
                                                      i != JUDGE_STAGE_AGREES);
    judge_context_free(c);
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

/* Cut anywhere, it is not a context, and says so. */
static void test_cut_context(void **state)
{
    (void)state;
    const char text[] = "{\"version\": 1, \"kernel\": {\"source\": \"x\"}, \"samples\": 3}";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        tr_arena *arena = tr_arena_new();
        tr_errors errors = tr_errors_make(arena);
        assert_null(judge_context_parse(arena, NULL, text, n, NULL, &errors));
        assert_true(tr_errors_count(&errors) > 0);
        tr_errors_free(&errors);
        tr_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stage_of_rules),    cmocka_unit_test(test_score_is_monotone),
        cmocka_unit_test(test_score_of_the_best), cmocka_unit_test(test_context),
        cmocka_unit_test(test_cut_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
