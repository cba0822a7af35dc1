/* The hard queries are decided: refuted within seconds, and satisfied once a bound is left out.
 * `unit_strategies_test_hard STEPS` prints the table of times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/process.h"
#include "hard_queries.h"
#include "solver/answer.h"
#include "solver/model.h"
#include "solver/prover.h"
#include "strategies/prove.h"

static smt_steps steps = 20 * 1000 * 1000;

static smt_answer ask(smt_ctx *ctx, const hard_query *hard, drop dropped, int64_t *took)
{
    smt_prover *prover = smt_prover_new(ctx, NULL);
    query q = {.c = ctx};
    hard->make(&q, dropped);
    smt_prover_solver(prover); /* up and running: the time is the query's */
    int64_t begin = tr_now_ms();
    smt_answer answer = smt_check(prover, q.n, q.facts, steps, hard->name);
    *took = tr_now_ms() - begin;
    static const char *const verdicts[] = {"unsat", "sat", "unknown"};
    print_message("%-32s %-8s %-10s %6lld ms  %zu calls, %zu cases\n", hard->name,
                  verdicts[answer.verdict], answer.strategy ? answer.strategy : "-",
                  (long long)*took, smt_prover_statistics(prover).solver_calls,
                  smt_prover_statistics(prover).splits);
    if (answer.verdict == SMT_SAT) {
        smt_int value;
        for (size_t i = 0; i < q.n; i++)
            assert_true(smt_model_eval(answer.model, q.facts[i], &value) && value == 1);
    }
    answer.model = NULL; /* dies here */
    answer.why_text = NULL;
    smt_prover_free(prover);
    return answer;
}

static void test_refuted(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < TR_COUNT(hard_queries); i++) {
        smt_ctx *ctx = smt_ctx_new();
        int64_t took;
        wrong += ask(ctx, &hard_queries[i], NOTHING, &took).verdict != SMT_UNSAT;
        smt_ctx_free(ctx);
    }
    assert_int_equal(wrong, 0);
}

static void test_satisfied(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < TR_COUNT(hard_queries); i++) {
        smt_ctx *ctx = smt_ctx_new();
        int64_t took;
        wrong += ask(ctx, &hard_queries[i], A_BOUND, &took).verdict != SMT_SAT;
        smt_ctx_free(ctx);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        steps = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuted),
        cmocka_unit_test(test_satisfied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
