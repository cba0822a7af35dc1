/* Flat indices of two places, a < n beside a multiple of n: that they differ follows from facts
 * without a division, and so their quotients or remainders do. Each question has a twin that has a
 * solution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../terms/event_var.h"
#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

#define FAKES TILERACE_SOURCE_DIR "/tests/unit/solver/fake_solvers/"

enum { MANY = 1 << 20, MANY_DIVISIONS = 70, MAX_FACTS = 16 + 2 * MANY_DIVISIONS };

typedef struct places {
    smt_ctx *c;
    smt_t a[2], b[2], n, d, sum[2];
    smt_t facts[MAX_FACTS];
    size_t n_facts;
} places;

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

static void state_fact(places *p, smt_t fact)
{
    assert_true(p->n_facts < MAX_FACTS);
    p->facts[p->n_facts++] = fact;
}

/* scale * a + multiple * n * b: one place each, that differ in a. */
static places two_places(int scale, int multiple)
{
    places p = {.c = smt_ctx_new()};
    smt_ctx *c = p.c;
    p.n = event_var(c, "n", 1, MANY);
    p.d = event_var(c, "d", 1, MANY);
    for (int i = 0; i < 2; i++) {
        p.a[i] = event_var(c, i ? "a!2" : "a!1", 0, MANY);
        p.b[i] = event_var(c, i ? "b!2" : "b!1", 0, MANY);
        p.sum[i] = smt_add(c, smt_scale(c, p.a[i], scale),
                           smt_scale(c, smt_mul(c, p.n, p.b[i]), multiple));
        state_fact(&p, smt_lt(c, p.a[i], p.n));
        state_fact(&p, smt_ge(c, p.sum[i], number(c, 0)));
    }
    state_fact(&p, smt_ne(c, p.a[0], p.a[1]));
    return p;
}

/* More about the places' own numbers than any strategy takes apart. */
static void know_much(places *p)
{
    for (int i = 0; i < MANY_DIVISIONS; i++)
        for (int k = 0; k < 2; k++) {
            smt_t product = smt_mul(p->c, p->b[k], p->b[k]);
            smt_t rest = smt_mod(p->c, product, number(p->c, 101 + 2 * i));
            state_fact(p, smt_ne(p->c, rest, number(p->c, 3 + i)));
        }
}

static void same_remainder(places *p)
{
    state_fact(p, smt_eq(p->c, smt_mod(p->c, p->sum[0], p->d), smt_mod(p->c, p->sum[1], p->d)));
}

static void same_quotient(places *p)
{
    state_fact(p, smt_eq(p->c, smt_div(p->c, p->sum[0], p->d), smt_div(p->c, p->sum[1], p->d)));
}

static smt_answer answer_to(places *p, const char *solver)
{
    smt_prover *prover = smt_prover_new(p->c, &(smt_options){.solver = solver});
    smt_answer answer = smt_check(prover, p->n_facts, p->facts, 6000000, "induction");
    static char kept[64];
    strncpy(kept, answer.strategy ? answer.strategy : "", sizeof kept - 1);
    answer.strategy = kept;
    smt_prover_free(prover);
    smt_ctx_free(p->c);
    return answer;
}

static void is_impossible(places p)
{
    smt_answer answer = answer_to(&p, "");
    assert_int_equal(answer.verdict, SMT_UNSAT);
    assert_string_equal(answer.strategy, "induction variable");
}

static void is_possible(places p)
{
    assert_int_not_equal(answer_to(&p, "").verdict, SMT_UNSAT);
}

/* Whatever is added and taken away, once or twice. */
static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        int scale, multiple;
    } shapes[] = {{1, 1}, {-1, 1}, {1, 2}, {-1, 2}, {1, 3}};
    for (size_t i = 0; i < TR_COUNT(shapes); i++) {
        places p = two_places(shapes[i].scale, shapes[i].multiple);
        same_quotient(&p);
        places with_both = p;
        same_remainder(&with_both);
        is_impossible(with_both);
        p = two_places(shapes[i].scale, shapes[i].multiple);
        same_quotient(&p);
        is_possible(p);
        p = two_places(shapes[i].scale, shapes[i].multiple);
        same_remainder(&p);
        is_possible(p);
    }
}

/* Remainders alone, where the indices stay below the divisor. */
static void test_remainders(void **state)
{
    (void)state;
    for (int below = 1; below <= 2; below++) {
        places p = two_places(1, 1);
        same_remainder(&p);
        for (int i = 0; i < below; i++)
            state_fact(&p, smt_lt(p.c, p.sum[i], p.d));
        know_much(&p);
        if (below == 2)
            is_impossible(p);
        else
            is_possible(p);
    }
}

/* The own summand may be anything with a variable of its own. */
static void test_compound(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        places p = two_places(1, 2);
        smt_t read[2];
        for (int i = 0; i < 2; i++) {
            read[i] = smt_app(p.c, "table", 1, &p.a[i], 0, MANY);
            p.sum[i] = smt_add(p.c, smt_sub(p.c, p.sum[i], p.a[i]), read[i]);
            state_fact(&p, smt_lt(p.c, read[i], p.n));
        }
        state_fact(&p, smt_ne(p.c, read[0], read[1]));
        know_much(&p);
        same_remainder(&p);
        if (both)
            same_quotient(&p);
        if (both)
            is_impossible(p);
        else
            is_possible(p);
    }
}

/* Other divisions of numbers that differ, seen first, are in nobody's way. */
static void test_others_first(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        smt_t facts[3];
        places p = two_places(1, 1);
        smt_t e = event_var(p.c, "e", 1, MANY);
        smt_t x = event_var(p.c, "x!1", 0, MANY), y = event_var(p.c, "x!2", 0, MANY);
        facts[0] = smt_eq(p.c, smt_mod(p.c, x, e), smt_mod(p.c, y, e));
        facts[1] = smt_lt(p.c, x, y);
        facts[2] = smt_lt(p.c, smt_div(p.c, x, e), smt_div(p.c, y, e));
        memmove(p.facts + 3, p.facts, p.n_facts * sizeof p.facts[0]);
        memcpy(p.facts, facts, sizeof facts);
        p.n_facts += 3;
        same_remainder(&p);
        if (both)
            same_quotient(&p);
        if (both)
            is_impossible(p);
        else
            is_possible(p);
    }
}

/* What else is known of the places' own numbers is left out, however long it is. */
static void test_own_facts(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        places p = two_places(1, 1);
        know_much(&p);
        same_remainder(&p);
        if (both)
            same_quotient(&p);
        if (both)
            is_impossible(p);
        else
            is_possible(p);
    }
}

/* x*x - 61*y*y = 1: by nothing small. */
static void state_something_hard(places *p)
{
    smt_ctx *c = p->c;
    smt_t x = event_var(c, "x", SMT_NO_LOW, SMT_NO_HIGH), y = event_var(c, "y", 1, SMT_NO_HIGH);
    smt_t squares = smt_sub(c, smt_mul(c, x, x), smt_scale(c, smt_mul(c, y, y), 61));
    state_fact(p, smt_eq(c, squares, number(c, 1)));
}

/* A solver is asked for the whole question first, and then for what the facts leave open that do
 * not speak of the places' own numbers. */
static void test_solver(void **state)
{
    (void)state;
    static const struct {
        const char *solver, *strategy;
    } rows[] = {{FAKES "says_unsat.sh", "solver"}, {FAKES "knows_no_b.sh", "induction variable"}};
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        places p = two_places(1, 1);
        same_remainder(&p);
        state_something_hard(&p);
        smt_answer answer = answer_to(&p, rows[i].solver);
        assert_int_equal(answer.verdict, SMT_UNSAT);
        assert_string_equal(answer.strategy, rows[i].strategy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),    cmocka_unit_test(test_remainders),
        cmocka_unit_test(test_compound),  cmocka_unit_test(test_others_first),
        cmocka_unit_test(test_own_facts), cmocka_unit_test(test_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
