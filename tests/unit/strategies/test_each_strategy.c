/* Strategies asked by themselves: what each one decides of its own, what it asks a solver, and what
 * it leaves open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../terms/event_var.h"
#include "base/ds.h"
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/prover.h"
#include "solver/task.h"
#include "strategies/euclid.h"
#include "strategies/strategy.h"

#define FAKES TILERACE_SOURCE_DIR "/tests/unit/solver/fake_solvers/"

enum { MANY = 1 << 20, MANY_STEPS = 3000000, MAX_FACTS = 8 };

typedef struct question {
    smt_ctx *c;
    smt_prover *prover;
    smt_task task;
    smt_t facts[MAX_FACTS];
    size_t n;
} question;

static void begin(question *q, const char *solver)
{
    *q = (question){.c = smt_ctx_new()};
    q->prover = smt_prover_new(q->c, &(smt_options){.solver = solver});
}

static void end(question *q)
{
    smt_prover_free(q->prover);
    smt_ctx_free(q->c);
}

static void state_fact(question *q, smt_t fact)
{
    assert_true(q->n < MAX_FACTS);
    q->facts[q->n++] = fact;
}

static smt_verdict ask(question *q, smt_strategy_run run, unsigned scale, smt_steps steps)
{
    smt_steps until = smt_steps_taken(q->c) + steps;
    q->task = (smt_task){.prover = q->prover,
                         .ctx = q->c,
                         .n_original = q->n,
                         .original = q->facts,
                         .deadline = until,
                         .answer = {.verdict = SMT_UNKNOWN},
                         .scale = scale};
    smt_goal goal;
    smt_goal_init(&goal, q->n, q->facts);
    bool decided = run(&q->task, &goal, until);
    smt_goal_free(&goal);
    assert_int_equal(decided, q->task.answer.verdict != SMT_UNKNOWN);
    return q->task.answer.verdict;
}

static smt_statistics statistics(const question *q)
{
    return smt_prover_statistics(q->prover);
}

/* ---- Section: Pairs of variables ---- */

/* d * (x - y) is s - r and e * (x - y) is r - s, where d and e are positive: so x is y, and r is s.
 * It takes the three cases x = y, x < y and x > y to see it. */
static void state_apart(question *q, bool differ)
{
    smt_ctx *c = q->c;
    smt_t x = event_var(c, "x", 0, MANY), y = event_var(c, "y", 0, MANY);
    smt_t d = event_var(c, "d", 1, MANY), e = event_var(c, "e", 1, MANY);
    smt_t r = event_var(c, "r", 0, MANY), s = event_var(c, "s", 0, MANY);
    state_fact(q, smt_eq(c, smt_add(c, smt_mul(c, x, d), r), smt_add(c, smt_mul(c, y, d), s)));
    state_fact(q, smt_eq(c, smt_add(c, smt_mul(c, x, e), s), smt_add(c, smt_mul(c, y, e), r)));
    if (differ)
        state_fact(q, smt_ne(c, r, s));
}

static void test_all_cases(void **state)
{
    (void)state;
    question q;
    begin(&q, "");
    state_apart(&q, true);
    assert_int_equal(ask(&q, smt_try_split, 1, MANY_STEPS), SMT_UNSAT);
    assert_int_equal(statistics(&q).splits, 3);
    end(&q);
}

/* A solution in one of the cases leaves the whole open, and so does a goal without cases. */
static void test_open_cases(void **state)
{
    (void)state;
    for (int any_pair = 0; any_pair < 2; any_pair++) {
        question q;
        begin(&q, "");
        if (any_pair)
            state_apart(&q, false);
        else
            state_fact(&q, smt_lt(q.c, event_var(q.c, "x", 0, 9), event_var(q.c, "y", 0, 9)));
        assert_int_equal(ask(&q, smt_try_split, 1, MANY_STEPS), SMT_UNKNOWN);
        assert_int_equal(statistics(&q).splits > 0, any_pair);
        end(&q);
    }
}

/* What the digits in a symbolic radix refute needs no cases. */
static void test_no_case(void **state)
{
    (void)state;
    question q;
    begin(&q, "");
    smt_ctx *c = q.c;
    smt_t x = event_var(c, "x", 0, MANY), y = event_var(c, "y", 0, MANY),
          d = event_var(c, "d", 1, MANY);
    smt_t r = event_var(c, "r", 0, MANY), s = event_var(c, "s", 0, MANY);
    state_fact(&q, smt_eq(c, smt_add(c, smt_mul(c, x, d), r), smt_add(c, smt_mul(c, y, d), s)));
    state_fact(&q, smt_lt(c, r, d));
    state_fact(&q, smt_lt(c, s, d));
    state_fact(&q, smt_ne(c, r, s));
    assert_int_equal(ask(&q, smt_try_split, 1, MANY_STEPS), SMT_UNSAT);
    assert_int_equal(statistics(&q).splits, 0);
    end(&q);
}

/* Wherever the steps end, what has a solution is not refuted. */
static void test_no_steps(void **state)
{
    (void)state;
    for (smt_steps steps = 0; steps < 400; steps++) {
        question q;
        begin(&q, "");
        state_apart(&q, false);
        assert_int_equal(ask(&q, smt_try_split, 1, steps), SMT_UNKNOWN);
        end(&q);
    }
}

/* What a solver refutes as a whole needs no cases either. */
static void test_by_solver(void **state)
{
    (void)state;
    question q;
    begin(&q, FAKES "says_unsat.sh");
    state_apart(&q, false);
    assert_int_equal(ask(&q, smt_try_split, 1, MANY_STEPS), SMT_UNSAT);
    assert_int_equal(statistics(&q).splits, 0);
    end(&q);
}

/* ---- Section: Divisions ---- */

/* A variable of a numerator is replaced by what its quotient and remainder say it is. An
 * application is so only where no model is looked for: the model would have to give the function
 * that value. */
static void test_numerators(void **state)
{
    (void)state;
    for (int of_variable = 0; of_variable < 2; of_variable++)
        for (int for_proof = 0; for_proof < 2; for_proof++) {
            question q;
            begin(&q, "");
            smt_ctx *c = q.c;
            smt_t i = event_var(c, "i", 0, MANY), d = event_var(c, "d", 1, MANY);
            smt_t x = of_variable ? event_var(c, "x", 0, MANY) : smt_app(c, "f", 1, &i, 0, MANY);
            state_fact(&q, smt_eq(c, smt_div(c, x, d), i));
            q.task = (smt_task){.prover = q.prover, .ctx = c, .deadline = MANY_STEPS};
            smt_goal goal;
            smt_goal_init(&goal, q.n, q.facts);
            goal.keep_factors = for_proof;
            smt_goal_remove_divisions(&q.task, &goal, MANY_STEPS);
            bool defined = false;
            for (size_t k = 0; k < arrlenu(goal.definitions); k++)
                defined |= goal.definitions[k].what == x;
            assert_int_equal(defined, of_variable || for_proof);
            smt_goal_free(&goal);
            end(&q);
        }
}

/* ---- Section: Induction variables ---- */

/* Whether two numerators differ is asked of a solver from the first round on, and before the first
 * round, where strategies ask nobody, it stays open. */
static void test_side_questions(void **state)
{
    (void)state;
    for (unsigned scale = 0; scale < 3; scale++) {
        question q;
        begin(&q, FAKES "says_unsat.sh");
        smt_ctx *c = q.c;
        smt_t n = event_var(c, "n", 1, MANY), d = event_var(c, "d", 2, MANY), remainder[2];
        for (int i = 0; i < 2; i++) { /* of the least numbers it is not true: nobody is caught */
            smt_t a = event_var(c, i ? "a!2" : "a!1", 1 - i, MANY);
            smt_t b = event_var(c, i ? "b!2" : "b!1", 0, MANY);
            remainder[i] = smt_mod(c, smt_add(c, a, smt_mul(c, n, b)), d);
        }
        state_fact(&q, smt_eq(c, remainder[0], remainder[1]));
        smt_verdict verdict = ask(&q, smt_try_abstraction, scale, MANY_STEPS);
        assert_int_equal(verdict, scale > 0 ? SMT_UNSAT : SMT_UNKNOWN);
        assert_int_equal(statistics(&q).solver_calls > 0, scale > 0);
        end(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cases),      cmocka_unit_test(test_open_cases),
        cmocka_unit_test(test_no_case),        cmocka_unit_test(test_no_steps),
        cmocka_unit_test(test_by_solver),      cmocka_unit_test(test_numerators),
        cmocka_unit_test(test_side_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
