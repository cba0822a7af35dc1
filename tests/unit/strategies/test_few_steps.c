/* However few steps there are, a question that has an answer is never refuted, and what more steps
 * prove is at most left open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

enum { N_QUESTIONS = 6, MAX_FACTS = 6 };

typedef struct question {
    size_t n;
    smt_t facts[MAX_FACTS];
} question;

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

/* Each has a solution, and each needs some search: products, divisions, choices, digits. */
static question satisfiable(smt_ctx *c, int which)
{
    smt_t x = smt_var(c, "x", 0, 1000), y = smt_var(c, "y", 0, 1000), z = smt_var(c, "z", 1, 50);
    smt_t w = smt_var(c, "w", -20, 20);
    question q = {0};
#define FACT(term) q.facts[q.n++] = (term)
    switch (which) {
    case 0:
        FACT(smt_eq(c, smt_mul(c, x, y), number(c, 391)));
        FACT(smt_lt(c, x, y));
        FACT(smt_gt(c, x, number(c, 1)));
        break;
    case 1:
        FACT(smt_eq(c, smt_mod(c, smt_add(c, x, smt_mul(c, y, z)), number(c, 17)), number(c, 5)));
        FACT(smt_eq(c, smt_div(c, x, z), number(c, 13)));
        FACT(smt_gt(c, y, x));
        break;
    case 2:
        FACT(smt_or(c, smt_and(c, smt_lt(c, w, number(c, 0)), smt_eq(c, x, smt_mul(c, w, w))),
                    smt_and(c, smt_gt(c, w, number(c, 3)), smt_eq(c, y, smt_mul(c, w, w)))));
        FACT(smt_eq(c, smt_add(c, x, y), number(c, 500)));
        FACT(smt_ne(c, w, number(c, -5)));
        break;
    case 3:
        FACT(smt_eq(c, smt_add(c, smt_mul(c, x, z), smt_min(c, y, z)), number(c, 777)));
        FACT(smt_lt(c, y, z));
        FACT(smt_gt(c, x, smt_mul(c, z, number(c, 2))));
        break;
    case 4:
        FACT(
            smt_eq(c, smt_max(c, smt_mod(c, x, z), smt_mod(c, y, z)), smt_sub(c, z, number(c, 1))));
        FACT(smt_ne(c, smt_div(c, x, z), smt_div(c, y, z)));
        FACT(smt_eq(c, smt_mod(c, smt_mul(c, x, y), number(c, 7)), number(c, 3)));
        break;
    default:
        FACT(smt_eq(c, smt_mul(c, smt_add(c, x, w), smt_sub(c, y, w)), number(c, 3600)));
        FACT(smt_lt(c, smt_mul(c, w, z), number(c, -10)));
        FACT(smt_eq(c, smt_mod(c, x, number(c, 8)), smt_mod(c, y, number(c, 8))));
    }
#undef FACT
    return q;
}

/* None has a solution; the simplest of proofs that take some cases. */
static question unsatisfiable(smt_ctx *c, int which)
{
    smt_t x = smt_var(c, "x", 0, 1000), y = smt_var(c, "y", 0, 1000), z = smt_var(c, "z", 1, 50);
    smt_t a = smt_var(c, "a", 0, 49), b = smt_var(c, "b", 0, 49);
    question q = {0};
    q.facts[q.n++] = smt_eq(c, smt_add(c, smt_mul(c, x, z), a), smt_add(c, smt_mul(c, y, z), b));
    q.facts[q.n++] = smt_lt(c, a, z);
    q.facts[q.n++] = smt_lt(c, b, z);
    q.facts[q.n++] = which % 2 ? smt_ne(c, x, y) : smt_ne(c, a, b);
    if (which % 3 == 0)
        q.facts[q.n++] = smt_or(c, smt_lt(c, x, y), smt_gt(c, smt_mod(c, x, z), a));
    return q;
}

static smt_verdict ask(question (*make)(smt_ctx *, int), int which, smt_steps steps)
{
    smt_ctx *c = smt_ctx_new();
    smt_options options = {.solver = ""};
    smt_prover *prover = smt_prover_new(c, &options);
    question q = make(c, which);
    smt_verdict verdict = smt_check(prover, q.n, q.facts, steps, "few").verdict;
    smt_prover_free(prover);
    smt_ctx_free(c);
    return verdict;
}

static void test_satisfiable_is_never_refuted(void **state)
{
    (void)state;
    for (int which = 0; which < N_QUESTIONS; which++)
        for (smt_steps steps = 1; steps < 300000; steps += 1 + steps / 3)
            assert_int_not_equal(ask(satisfiable, which, steps), SMT_UNSAT);
}

static void test_unsatisfiable_has_no_model(void **state)
{
    (void)state;
    for (int which = 0; which < N_QUESTIONS; which++)
        for (smt_steps steps = 1; steps < 300000; steps += 1 + steps / 3)
            assert_int_not_equal(ask(unsatisfiable, which, steps), SMT_SAT);
}

static void test_enough_steps_decide(void **state)
{
    (void)state;
    for (int which = 0; which < N_QUESTIONS; which++) {
        if (which % 3)
            assert_int_equal(ask(unsatisfiable, which, 3000000), SMT_UNSAT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_satisfiable_is_never_refuted),
        cmocka_unit_test(test_unsatisfiable_has_no_model),
        cmocka_unit_test(test_enough_steps_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
