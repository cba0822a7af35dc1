/* Questions about two copies of a kernel's numbers, where one side of an equation has few values:
 * against all assignments, and with variables that have far more values than are looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../terms/event_var.h"
#include "../terms/random_terms.h"
#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

#include <string.h>

enum { MANY_STEPS = 4000000 };

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

static smt_verdict verdict_of(smt_ctx *c, size_t n, const smt_t *facts)
{
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
    smt_verdict verdict = smt_check(prover, n, facts, MANY_STEPS, "enumerate").verdict;
    smt_prover_free(prover);
    return verdict;
}

/* ---- Section: Variables without bounds ---- */

/* A number that no strategy turns back. */
static smt_t scrambled(smt_ctx *c, smt_t x, int by)
{
    enum { PRIME = 99991 };
    return smt_mod(c, smt_mul(c, x, smt_add(c, x, number(c, by))), number(c, PRIME));
}

typedef struct span {
    smt_int low, high;
    int inside; /* one of its numbers, and none that a search begins with */
} span;

static smt_int scrambled_value(smt_int x, int by)
{
    smt_int prime = 99991, rest = x * (x + by) % prime;
    return rest < 0 ? rest + prime : rest;
}

/* scrambled(x) + d = scrambled(y) + scrambled(z), where d is made such that there is a solution. */
static void check_spans(const span *x, const span *y, const span *z)
{
    smt_ctx *c = smt_ctx_new();
    smt_t a = event_var(c, "x!1", x->low, x->high), b = event_var(c, "y!2", y->low, y->high);
    smt_t left = scrambled(c, a, 7), right = scrambled(c, b, 12);
    smt_int apart = scrambled_value(y->inside, 12) - scrambled_value(x->inside, 7);
    if (z) {
        right = smt_add(c, right, scrambled(c, event_var(c, "z!2", z->low, z->high), 31));
        apart += scrambled_value(z->inside, 31);
    }
    smt_t fact = smt_eq(c, smt_add(c, left, number(c, apart)), right);
    assert_int_not_equal(verdict_of(c, 1, &fact), SMT_UNSAT);
    smt_ctx_free(c);
}

/* Of so many numbers that their count is more than a number has, or a multiple of 2^64, or that the
 * product of two counts is: no number may stand for all of them. That counting does not overflow is
 * for the sanitizers to see. */
static void test_far_ranges(void **state)
{
    (void)state;
    const smt_int one = 1;
    const span spans[] = {{SMT_NO_LOW, SMT_NO_HIGH, -71234},
                          {0, SMT_NO_HIGH, 81234},
                          {1, SMT_NO_HIGH, 76543},
                          {SMT_NO_LOW, 0, -71234},
                          {SMT_NO_LOW, -1, -69871},
                          {-(one << 125), one << 125, 71113},
                          {0, (one << 64) - 1, 69876},
                          {1, one << 64, 71119},
                          {0, one << 64, 65999},
                          {0, (one << 32) - 1, 87654},
                          {0, one << 32, 76452},
                          {0, one << 16, 54321},
                          {0, (one << 16) - 1, 45678},
                          {0, 9, 7}};
    for (size_t i = 0; i < TR_COUNT(spans); i++)
        for (size_t k = 0; k < TR_COUNT(spans); k++) {
            check_spans(&spans[i], &spans[k], NULL);
            check_spans(&spans[i], &spans[k], &spans[i]);
        }
}

/* What one copy's number never comes to is decided by looking at its values, whichever copy it is:
 * the other side has one value. */
static void test_one_side(void **state)
{
    (void)state;
    static const char *const names[] = {"x!1", "x!2"};
    enum { MOST = 1000 };
    for (int copy = 0; copy < 2; copy++)
        for (int met = 0; met < 2; met++) {
            smt_ctx *c = smt_ctx_new();
            bool comes_to[2 * MOST] = {false};
            int wanted = 1;
            for (int x = 0; x <= MOST; x++)
                if (scrambled_value(x, 7) < 2 * MOST)
                    comes_to[scrambled_value(x, 7)] = true;
            while (comes_to[wanted] != met)
                wanted++;
            smt_t x = event_var(c, names[copy], 0, MOST);
            smt_t fact = smt_eq(c, scrambled(c, x, 7), number(c, wanted));
            assert_int_equal(verdict_of(c, 1, &fact), met ? SMT_SAT : SMT_UNSAT);
            smt_ctx_free(c);
        }
}

/* ---- Section: Few values ---- */

/* Of each copy: two numbers, and what is computed from them. */
typedef struct question {
    test_var span[2];
    int shape, factor, modulus, off;
    int low[2], high[2]; /* stated of both copies' numbers; of the second: of one copy alone */
    bool shared;         /* one fact is about a number of neither, and some such number meets it */
    int differ;          /* 0: in the first number, 1: in one of them, 2: not at all */
} question;

static question draw(rng *r)
{
    static const int moduli[] = {5, 7, 11, 13, 16, 31};
    question q = {.shape = rng_below(r, 5),
                  .factor = 1 + rng_below(r, 6),
                  .modulus = moduli[rng_below(r, (int)TR_COUNT(moduli))],
                  .off = rng_below(r, 3) ? 0 : rng_below(r, 4),
                  .shared = rng_below(r, 3) == 0,
                  .differ = rng_below(r, 3)};
    for (int i = 0; i < 2; i++) {
        int low = rng_below(r, 4) ? 0 : -rng_below(r, 3);
        q.span[i] = (test_var){i ? "k" : "b", low, low + 1 + rng_below(r, 5)};
        q.low[i] = low + rng_below(r, 3) - 1;
        q.high[i] = q.span[i].high - rng_below(r, 4) + 1;
    }
    return q;
}

static long long place(const question *q, long long b, long long k)
{
    long long m = q->modulus, x = b * b + q->factor * k;
    switch (q->shape) {
    case 0:
        return euclid_div_ll(b * b * b + k, 3);
    case 1:
        return x - m * euclid_div_ll(x, m);
    case 2:
        return x - m * euclid_div_ll(x, m) + 2 * k;
    case 3:
        return (b < k ? b : k) * m + euclid_div_ll(b * k, q->factor);
    default:
        return x - m * euclid_div_ll(x, m) + m * euclid_div_ll(b * k, 2);
    }
}

static smt_t place_term(smt_ctx *c, const question *q, smt_t b, smt_t k)
{
    smt_t m = number(c, q->modulus);
    smt_t x = smt_add(c, smt_mul(c, b, b), smt_scale(c, k, q->factor));
    switch (q->shape) {
    case 0:
        return smt_div(c, smt_add(c, smt_mul(c, smt_mul(c, b, b), b), k), number(c, 3));
    case 1:
        return smt_mod(c, x, m);
    case 2:
        return smt_add(c, smt_mod(c, x, m), smt_scale(c, k, 2));
    case 3:
        return smt_add(c, smt_mul(c, smt_min(c, b, k), m),
                       smt_div(c, smt_mul(c, b, k), number(c, q->factor)));
    default:
        return smt_add(c, smt_mod(c, x, m),
                       smt_mul(c, m, smt_div(c, smt_mul(c, b, k), number(c, 2))));
    }
}

/* values: b and k of the first copy, then of the second. */
static bool holds(const question *q, const long long *v)
{
    if (place(q, v[0], v[1]) != place(q, v[2], v[3]) + q->off)
        return false;
    for (int i = 0; i < 2; i++)
        if (v[i] < q->low[i] || v[2 + i] > q->high[i] || (i == 0 && v[2] < q->low[0]))
            return false;
    return q->differ == 0 ? v[0] != v[2] : q->differ == 1 ? v[0] != v[2] || v[1] != v[3] : true;
}

static bool has_solution(const question *q)
{
    const test_var *b = &q->span[0], *k = &q->span[1];
    long long v[4];
    for (v[0] = b->low; v[0] <= b->high; v[0]++)
        for (v[1] = k->low; v[1] <= k->high; v[1]++)
            for (v[2] = b->low; v[2] <= b->high; v[2]++)
                for (v[3] = k->low; v[3] <= k->high; v[3]++)
                    if (holds(q, v))
                        return true;
    return false;
}

static smt_answer answer_to(smt_prover *prover, smt_ctx *c, const question *q)
{
    const test_var *s = q->span;
    smt_t v[4] = {
        event_var(c, "b!1", s[0].low, s[0].high), event_var(c, "k!1", s[1].low, s[1].high),
        event_var(c, "b!2", s[0].low, s[0].high), event_var(c, "k!2", s[1].low, s[1].high)};
    smt_t n = event_var(c, "n", 0, SMT_NO_HIGH), facts[8];
    size_t f = 0;
    facts[f++] = smt_eq(c, place_term(c, q, v[0], v[1]),
                        smt_add(c, place_term(c, q, v[2], v[3]), number(c, q->off)));
    for (int i = 0; i < 2; i++) {
        facts[f++] = smt_ge(c, v[i], number(c, q->low[i]));
        facts[f++] = smt_le(c, v[2 + i], number(c, q->high[i]));
    }
    facts[f++] = smt_ge(c, v[2], number(c, q->low[0]));
    if (q->shared)
        facts[f++] = smt_lt(c, v[1], smt_add(c, smt_mul(c, n, v[1]), n));
    smt_t b_differ = smt_ne(c, v[0], v[2]), k_differ = smt_ne(c, v[1], v[3]);
    if (q->differ < 2)
        facts[f++] = q->differ == 0 ? b_differ : smt_or(c, b_differ, k_differ);
    return smt_check(prover, f, facts, MANY_STEPS, "few");
}

/* Whatever is asked, the answer is right, and nearly all have one. */
static void test_few_values(void **state)
{
    (void)state;
    enum { QUESTIONS = 1500 };
    rng r = {0xe0u};
    int decided = 0, enumerated = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        question q = draw(&r);
        smt_ctx *c = smt_ctx_new();
        smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
        smt_answer answer = answer_to(prover, c, &q);
        if (answer.verdict != SMT_UNKNOWN)
            assert_int_equal(answer.verdict == SMT_SAT, has_solution(&q));
        decided += answer.verdict != SMT_UNKNOWN;
        enumerated += answer.verdict != SMT_UNKNOWN && strcmp(answer.strategy, "enumeration") == 0;
        smt_prover_free(prover);
        smt_ctx_free(c);
    }
    print_message("  %d of %d decided, %d by enumeration\n", decided, QUESTIONS, enumerated);
    assert_true(decided >= QUESTIONS - 2 && enumerated >= 150);
}

/* ---- Section: What cannot be listed ---- */

/* Where a value of one side is not known, or there is no variable at all, nothing is concluded. */
static void test_unknown_values(void **state)
{
    (void)state;
    enum { B = 791, Y = 37, X = 613 };
    smt_ctx *c = smt_ctx_new();
    smt_t x = event_var(c, "x!1", 0, 999), b = event_var(c, "b!2", 0, 999),
          y = event_var(c, "y!2", 0, 60);
    smt_int apart = scrambled_value(B, 12) / Y - scrambled_value(X, 7);
    smt_t by_zero = smt_div(c, number(c, 5), number(c, 0));
    smt_t left = smt_add(c, scrambled(c, x, 7), number(c, apart));
    smt_t fact = smt_eq(c, left, smt_div(c, scrambled(c, b, 12), y));
    assert_int_not_equal(verdict_of(c, 1, &fact), SMT_UNSAT);
    fact = smt_eq(c, left, smt_add(c, scrambled(c, b, 12), by_zero));
    assert_int_not_equal(verdict_of(c, 1, &fact), SMT_UNSAT);
    smt_ctx_free(c);
}

/* As many steps as there are values on both sides are enough, not as there are pairs of them. */
static void test_many_values(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        smt_ctx *c = smt_ctx_new();
        smt_t b[2], place[2];
        for (int i = 0; i < 2; i++) {
            b[i] = event_var(c, i ? "b!2" : "b!1", 0, 9999);
            smt_t up = smt_add(c, b[i], number(c, 4));
            place[i] = smt_div(c, smt_mul(c, smt_mul(c, up, up), up), number(c, 7));
        }
        /* Neither place is that of another number, nor two below it. */
        smt_t facts[2] = {smt_eq(c, place[0], smt_add(c, place[1], number(c, 2 * apart))),
                          smt_ne(c, b[0], b[1])};
        smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
        smt_answer answer = smt_check(prover, 2, facts, MANY_STEPS, "many");
        assert_int_equal(answer.verdict, SMT_UNSAT);
        assert_string_equal(answer.strategy, "enumeration");
        smt_prover_free(prover);
        smt_ctx_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far_ranges),  cmocka_unit_test(test_one_side),
        cmocka_unit_test(test_few_values),  cmocka_unit_test(test_unknown_values),
        cmocka_unit_test(test_many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
