/* What the prover asks a solver for beside the question, and what it does with a model. No solver
 * that thinks is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/answer.h"
#include "solver/model.h"
#include "solver/prover.h"
#include "strategies/prove.h"

#define FAKES TILERACE_SOURCE_DIR "/tests/unit/solver/fake_solvers/"

enum { MANY_STEPS = 3000000 };

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

/* x*x - 61*y*y = 1, y > 0: by 1766319049 and 226153980, and by nothing smaller. */
static smt_t pell(smt_ctx *c)
{
    smt_t x = smt_var(c, "x", 1, SMT_NO_HIGH), y = smt_var(c, "y", 1, SMT_NO_HIGH);
    smt_t left = smt_sub(c, smt_mul(c, x, x), smt_scale(c, smt_mul(c, y, y), 61));
    return smt_eq(c, left, number(c, 1));
}

/* A solver may divide by 0; then it is asked for a model in which nobody does. */
static void test_divisors(void **state)
{
    (void)state;
    for (int remainder = 0; remainder < 2; remainder++) {
        smt_ctx *c = smt_ctx_new();
        smt_prover *prover =
            smt_prover_new(c, &(smt_options){.solver = FAKES "divides_by_zero.sh"});
        smt_t u = smt_var(c, "u", -1000, 1000), v = smt_var(c, "v", -1000, 1000);
        smt_t divided = remainder ? smt_mod(c, u, v) : smt_div(c, u, v);
        smt_t facts[] = {pell(c), smt_eq(c, divided, number(c, remainder ? 1 : 2))};
        smt_answer answer = smt_check(prover, 2, facts, MANY_STEPS, "divides");
        assert_int_equal(answer.verdict, SMT_SAT);
        smt_int value = 0;
        assert_true(smt_model_eval(answer.model, v, &value));
        assert_true(value == 2);
        smt_prover_free(prover);
        smt_ctx_free(c);
    }
}

/* What a solver leaves open is open for want of steps: it gave no model that could be wrong. */
static void test_left_open(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = FAKES "says_unknown.sh"});
    smt_t u = smt_var(c, "u", -1000, 1000), v = smt_var(c, "v", -1000, 1000);
    smt_t facts[] = {pell(c), smt_eq(c, smt_div(c, u, v), number(c, 2))};
    for (size_t n = 1; n <= 2; n++) {
        smt_answer answer = smt_check(prover, n, facts, MANY_STEPS, "open");
        assert_int_equal(answer.verdict, SMT_UNKNOWN);
        assert_int_equal(answer.why, SMT_WHY_STEPS);
    }
    smt_prover_free(prover);
    smt_ctx_free(c);
}

/* A solver that answers at once with a model that is none would answer so with more steps, too: it
 * is not asked until all are used up. */
static void test_no_better_answer(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = FAKES "wrong_model.sh"});
    smt_t fact = pell(c);
    smt_answer answer = smt_check(prover, 1, &fact, 10 * MANY_STEPS, "wrong");
    assert_int_equal(answer.verdict, SMT_UNKNOWN);
    assert_in_range(smt_prover_statistics(prover).solver_calls, 1, 100);
    assert_true(smt_steps_taken(c) < MANY_STEPS);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

/* ---- Section: Models of earlier questions ---- */

static size_t calls_of(const smt_prover *prover)
{
    return smt_prover_statistics(prover).solver_calls;
}

/* Where the verdict alone is asked for, a model that meets the question answers it, and no other
 * does: what it does not meet, and what is asked with a model, goes to the solver. */
static void test_earlier_models(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = FAKES "divides_by_zero.sh"});
    smt_t u = smt_var(c, "u", -1000, 1000), v = smt_var(c, "v", -1000, 1000);
    smt_t first[] = {pell(c), smt_eq(c, smt_div(c, u, v), number(c, 2))}; /* u is 5, v is 2 */
    smt_t met[] = {pell(c), smt_lt(c, v, u)}, missed[] = {pell(c), smt_lt(c, u, v)};
    assert_int_equal(smt_check(prover, 2, first, MANY_STEPS, "first").verdict, SMT_SAT);
    size_t calls = calls_of(prover), recalled = smt_prover_statistics(prover).recalled;
    assert_int_equal(smt_check_verdict(prover, 2, met, MANY_STEPS, "met"), SMT_SAT);
    assert_int_equal(calls_of(prover), calls);
    assert_int_equal(smt_prover_statistics(prover).recalled, recalled + 1);
    assert_int_not_equal(smt_check_verdict(prover, 2, missed, MANY_STEPS, "missed"), SMT_SAT);
    assert_true(calls_of(prover) > calls);
    calls = calls_of(prover);
    smt_check(prover, 2, met, MANY_STEPS, "with a model");
    assert_true(calls_of(prover) > calls);
    smt_prover_forget(prover);
    calls = calls_of(prover);
    smt_check_verdict(prover, 2, met, MANY_STEPS, "forgotten");
    assert_true(calls_of(prover) > calls);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

/* The models of the last 32 answers are tried. */
static void test_forgotten_models(void **state)
{
    (void)state;
    for (int later = 30; later <= 33; later++) {
        smt_ctx *c = smt_ctx_new();
        smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
        smt_t x = smt_var(c, "x", 1, SMT_NO_HIGH);
        smt_t y = smt_var(c, "y", 1, SMT_NO_HIGH);
        smt_t square = smt_sub(c, smt_mul(c, x, x), smt_scale(c, smt_mul(c, y, y), 61));
        smt_t hard = smt_eq(c, square, number(c, 1)), x_is = smt_eq(c, x, number(c, 1766319049));
        smt_t told[] = {hard, x_is, smt_eq(c, y, number(c, 226153980))};
        assert_int_equal(smt_check(prover, 3, told, MANY_STEPS, "told").verdict, SMT_SAT);
        for (int i = 0; i < later; i++) {
            smt_t other = smt_eq(c, x, number(c, i + 1));
            assert_int_equal(smt_check(prover, 1, &other, MANY_STEPS, "other").verdict, SMT_SAT);
        }
        smt_verdict wanted = later < 32 ? SMT_SAT : SMT_UNKNOWN;
        assert_int_equal(smt_check_verdict(prover, 1, &hard, MANY_STEPS, "hard"), wanted);
        smt_prover_free(prover);
        smt_ctx_free(c);
    }
}

/* ---- Section: Small models ---- */

/* Each term in turn has the least absolute value that is left to it; what is refuted, or made small
 * in nothing, is answered as it is without. */
static void test_least(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
    smt_t x = smt_var(c, "x", 1, 1 << 30), y = smt_var(c, "y", SMT_NO_LOW, SMT_NO_HIGH);
    smt_t z = smt_var(c, "z", 1, 1 << 30);
    for (int least = 1; least < 3000; least += 1 + least / 3) {
        smt_t facts[] = {smt_ge(c, smt_mul(c, x, z), number(c, 6 * least)),
                         smt_le(c, smt_add(c, y, x), number(c, -least)),
                         smt_ge(c, z, number(c, 3))};
        smt_t small[] = {z, smt_add(c, y, x), x};
        smt_answer answer = smt_check_small(prover, 3, facts, 3, small, MANY_STEPS, "least");
        assert_int_equal(answer.verdict, SMT_SAT);
        const smt_int wanted[] = {3, -least, 2 * least};
        for (int i = 0; i < 3; i++) {
            smt_int value = 0;
            assert_true(smt_model_eval(answer.model, small[i], &value));
            assert_true(value == wanted[i]);
        }
        assert_int_equal(smt_check_small(prover, 3, facts, 0, NULL, MANY_STEPS, "least").verdict,
                         SMT_SAT);
    }
    smt_t never[] = {smt_lt(c, x, z), smt_lt(c, z, x)};
    smt_answer answer = smt_check_small(prover, 2, never, 1, &x, MANY_STEPS, "least");
    assert_int_equal(answer.verdict, SMT_UNSAT);
    assert_null(answer.model);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divisors),         cmocka_unit_test(test_left_open),
        cmocka_unit_test(test_no_better_answer), cmocka_unit_test(test_earlier_models),
        cmocka_unit_test(test_forgotten_models), cmocka_unit_test(test_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
