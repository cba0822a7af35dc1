/* Models without a solver: questions with an answer that a plain guess misses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../terms/event_var.h"
#include "../terms/random_terms.h"
#include "solver/answer.h"
#include "solver/model.h"
#include "solver/prover.h"
#include "strategies/prove.h"

enum { MAX_FACTS = 8 };

typedef struct fixture {
    smt_ctx *c;
    smt_prover *prover;
    size_t n;
    smt_t facts[MAX_FACTS];
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->c = smt_ctx_new();
    f->prover = smt_prover_new(f->c, &(smt_options){.solver = ""});
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    smt_prover_free(f->prover);
    smt_ctx_free(f->c);
    free(f);
    return 0;
}

static smt_t number(fixture *f, smt_int value)
{
    return smt_int_const(f->c, value);
}

static smt_t size(fixture *f, const char *name)
{
    return event_var(f->c, name, 0, 1 << 24);
}

static void state_fact(fixture *f, smt_t fact)
{
    f->facts[f->n++] = fact;
}

static smt_answer answer_of(fixture *f)
{
    return smt_check(f->prover, f->n, f->facts, 2000 * 1000, "repair");
}

/* Satisfiable, by this strategy; every fact is true in the model. */
static void repaired(fixture *f)
{
    smt_answer answer = answer_of(f);
    assert_int_equal(answer.verdict, SMT_SAT);
    assert_string_equal(answer.strategy, "repair");
    for (size_t i = 0; i < f->n; i++) {
        smt_int value;
        assert_true(smt_model_eval(answer.model, f->facts[i], &value) && value == 1);
    }
}

/* One change forces the next. */
static void test_far_bounds(void **state)
{
    fixture *f = *state;
    smt_t bid = size(f, "bid"), grid = size(f, "grid");
    state_fact(f, smt_lt(f->c, bid, grid));
    state_fact(f, smt_ge(f->c, bid, number(f, 8388608)));
    repaired(f);
}

static void test_products(void **state)
{
    fixture *f = *state;
    smt_t h = size(f, "H"), w = size(f, "W"), s = size(f, "S");
    state_fact(f, smt_gt(f->c, smt_mul(f->c, h, w), number(f, 100000)));
    state_fact(f, smt_lt(f->c, smt_mul(f->c, h, s), smt_mul(f->c, w, s)));
    state_fact(f, smt_eq(f->c, s, number(f, 17)));
    repaired(f);
}

static void test_divisions(void **state)
{
    fixture *f = *state;
    smt_t p = size(f, "p"), q = size(f, "q"), d = size(f, "d");
    state_fact(f, smt_eq(f->c, smt_mod(f->c, p, d), number(f, 5)));
    state_fact(f, smt_eq(f->c, smt_div(f->c, p, d), smt_div(f->c, q, number(f, 7))));
    state_fact(f, smt_gt(f->c, smt_div(f->c, q, number(f, 7)), number(f, 3)));
    repaired(f);
}

static void test_choices(void **state)
{
    fixture *f = *state;
    smt_t n = size(f, "n"), k = size(f, "k");
    smt_t tail = smt_min(f->c, smt_sub(f->c, n, smt_scale(f->c, k, 64)), number(f, 64));
    state_fact(f, smt_gt(f->c, k, number(f, 4001)));
    state_fact(f, smt_gt(f->c, tail, smt_add(f->c, smt_mod(f->c, k, number(f, 7)), number(f, 9))));
    state_fact(f, smt_lt(f->c, tail, number(f, 12)));
    repaired(f);
}

/* Equal arguments, equal values: the model says so of both. */
static void test_functions(void **state)
{
    fixture *f = *state;
    smt_t i = size(f, "i!1"), j = size(f, "i!2");
    smt_t at_i = smt_app(f->c, "index", 1, &i, 0, 1000),
          at_j = smt_app(f->c, "index", 1, &j, 0, 1000);
    state_fact(f, smt_ne(f->c, at_i, at_j));
    state_fact(f, smt_gt(f->c, smt_add(f->c, at_i, at_j), number(f, 1500)));
    repaired(f);
    state_fact(f, smt_eq(f->c, i, j));
    assert_int_not_equal(answer_of(f).verdict, SMT_SAT);
}

static void test_booleans(void **state)
{
    fixture *f = *state;
    smt_t n = size(f, "n"), flag = smt_bvar(f->c, "flag");
    state_fact(f, smt_or(f->c, flag, smt_gt(f->c, n, number(f, 5000))));
    state_fact(f, smt_or(f->c, smt_not(f->c, flag), smt_eq(f->c, n, number(f, 777))));
    state_fact(f, smt_or(f->c, smt_not(f->c, flag), smt_bapp(f->c, "even", 1, &n)));
    repaired(f);
}

/* The same question, the same model. */
static void test_repeatable(void **state)
{
    fixture *f = *state;
    smt_t a = size(f, "a"), b = size(f, "b");
    state_fact(f, smt_gt(f->c, smt_mul(f->c, a, b), number(f, 12345)));
    state_fact(f, smt_lt(f->c, a, b));
    smt_answer first = answer_of(f), second = answer_of(f);
    smt_int x, y;
    assert_int_equal(first.verdict, SMT_SAT);
    assert_true(smt_model_eval(first.model, a, &x) && smt_model_eval(second.model, a, &y));
    assert_true(x == y);
}

/* Facts made true by values that were drawn before: how many of those are found? */
static void test_planted(void **state)
{
    (void)state;
    rng r = {0x9a17};
    int found = 0, all = 400;
    for (int i = 0; i < all; i++) {
        fixture *f = NULL;
        setup((void **)&f);
        assignment a;
        test_var ranges[N_VARS];
        random_vars(&r, f->c, &a, ranges);
        random_values(&r, &a, ranges);
        while (f->n < 5) {
            tree *fact = random_bool(&r, 4);
            tree_value value = tree_eval(fact, a.values);
            if (value.defined && value.number)
                state_fact(f, tree_term(f->c, fact, a.vars));
            tree_free(fact);
        }
        found += answer_of(f).verdict == SMT_SAT;
        teardown((void **)&f);
    }
    print_message("  %d of %d planted models found\n", found, all);
    assert_true(found > all * 95 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_far_bounds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_products, setup, teardown),
        cmocka_unit_test_setup_teardown(test_divisions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_choices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_booleans, setup, teardown),
        cmocka_unit_test_setup_teardown(test_repeatable, setup, teardown),
        cmocka_unit_test(test_planted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
