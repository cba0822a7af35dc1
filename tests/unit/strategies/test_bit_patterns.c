/* Indices made of bit operations: what the prover says of them without a solver, against all values
 * of the variables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "../terms/event_var.h"
#include "../terms/random_terms.h"
#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

enum { WIDTH = 32, X_BITS = 5, Y_BITS = 2 };

/* An index of x and y, as a row of steps that each use what came before. */
typedef struct step {
    int op, a, b, number;
} step;

typedef struct recipe {
    int n;
    step steps[6];
} recipe;

enum { XOR, OR, AND, UP, DOWN, MASK, ADD, FLIP, OP_COUNT, CLEAR = OP_COUNT };

static recipe random_recipe(rng *r)
{
    recipe made = {.n = 1 + (int)(rng_next(r) % 6)};
    for (int i = 0; i < made.n; i++) {
        int number = (int)(rng_next(r) % 32), low = (1 << number % 5) - 1;
        made.steps[i] =
            (step){(int)(rng_next(r) % OP_COUNT), (int)(rng_next(r) % (unsigned)(i + 2)),
                   (int)(rng_next(r) % (unsigned)(i + 2)), rng_next(r) % 2 ? number : low};
    }
    return made;
}

static smt_t term_of(smt_ctx *ctx, const recipe *r, smt_t x, smt_t y)
{
    smt_t made[8] = {x, y};
    for (int i = 0; i < r->n; i++) {
        const step *s = &r->steps[i];
        smt_t a = made[s->a], b = made[s->b], number = smt_int_const(ctx, s->number);
        smt_t power = smt_int_const(ctx, 1 << (s->number % 6));
        made[i + 2] = s->op == XOR    ? smt_bits(ctx, SMT_BITS_XOR, WIDTH, a, b)
                      : s->op == OR   ? smt_bits(ctx, SMT_BITS_OR, WIDTH, a, b)
                      : s->op == AND  ? smt_bits(ctx, SMT_BITS_AND, WIDTH, a, b)
                      : s->op == UP   ? smt_mul(ctx, a, power)
                      : s->op == DOWN ? smt_div(ctx, a, power)
                      : s->op == MASK ? smt_bits(ctx, SMT_BITS_AND, WIDTH, a, number)
                      : s->op == ADD  ? smt_add(ctx, a, b)
                      : s->op == CLEAR
                          ? smt_sub(ctx, a, smt_bits(ctx, SMT_BITS_AND, WIDTH, a, number))
                          : smt_bits(ctx, SMT_BITS_XOR, WIDTH, a, number);
    }
    return made[r->n + 1];
}

static unsigned value_of(const recipe *r, unsigned x, unsigned y)
{
    unsigned made[8] = {x, y};
    for (int i = 0; i < r->n; i++) {
        const step *s = &r->steps[i];
        unsigned a = made[s->a], b = made[s->b], number = (unsigned)s->number, up = number % 6;
        made[i + 2] = s->op == XOR     ? a ^ b
                      : s->op == OR    ? a | b
                      : s->op == AND   ? a & b
                      : s->op == UP    ? a << up
                      : s->op == DOWN  ? a >> up
                      : s->op == MASK  ? a & number
                      : s->op == ADD   ? a + b
                      : s->op == CLEAR ? a - (a & number)
                                       : a ^ number;
    }
    return made[r->n + 1];
}

static bool is_one_to_one(const recipe *r)
{
    enum { COUNT = 1 << (X_BITS + Y_BITS) };
    unsigned values[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        values[i] = value_of(r, i >> Y_BITS, i & ((1 << Y_BITS) - 1));
        for (unsigned k = 0; k < i; k++)
            if (values[k] == values[i])
                return false;
    }
    return true;
}

static smt_verdict verdict_of(const recipe *r, int x_bits)
{
    smt_ctx *ctx = smt_ctx_new();
    smt_prover *prover = smt_prover_new(ctx, &(smt_options){.solver = ""});
    smt_int x_most = (1 << x_bits) - 1, y_most = (1 << Y_BITS) - 1;
    smt_t x1 = event_var(ctx, "x!1", 0, x_most), x2 = event_var(ctx, "x!2", 0, x_most);
    smt_t y1 = event_var(ctx, "y!1", 0, y_most), y2 = event_var(ctx, "y!2", 0, y_most);
    smt_t facts[2] = {smt_eq(ctx, term_of(ctx, r, x1, y1), term_of(ctx, r, x2, y2)),
                      smt_or(ctx, smt_ne(ctx, x1, x2), smt_ne(ctx, y1, y2))};
    smt_verdict verdict = smt_check(prover, 2, facts, 300000, "bits").verdict;
    smt_prover_free(prover);
    smt_ctx_free(ctx);
    return verdict;
}

static void test_random_patterns(void **state)
{
    (void)state;
    rng r = {0x51e5eedull};
    for (int i = 0; i < 20000; i++) {
        recipe made = random_recipe(&r);
        bool one_to_one = is_one_to_one(&made);
        smt_verdict verdict = verdict_of(&made, X_BITS);
        assert_int_not_equal(verdict, one_to_one ? SMT_SAT : SMT_UNSAT);
    }
}

/* x with bits of its own mixed in, beside y; every third time with one detail at random. */
static recipe mixed_recipe(rng *r)
{
    static const int mixes[] = {FLIP, FLIP, XOR, CLEAR}, joins[] = {XOR, OR, ADD};
    recipe made = {.n = 6,
                   .steps = {{rng_next(r) % 3 ? DOWN : MASK, 0, 0, (int)(rng_next(r) % 32)},
                             {XOR, 0, 2, 0},
                             {mixes[rng_next(r) % 4], 3, 1, (int)(rng_next(r) % 32)},
                             {UP, 4, 0, 2 + (int)(rng_next(r) % 2)},
                             {joins[rng_next(r) % 3], 5, 1, 0},
                             {mixes[rng_next(r) % 4], 6, 2, (int)(rng_next(r) % 32)}}};
    step *any = &made.steps[rng_next(r) % 6];
    if (rng_next(r) % 3 == 0) {
        any->a = (int)(rng_next(r) % (unsigned)(any - made.steps + 2));
        any->number = (int)(rng_next(r) % 32);
    }
    return made;
}

static int compare_numbers(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* Of more values than are tried one by one: what is left to the strategy on bits. */
static void test_wide_patterns(void **state)
{
    (void)state;
    enum { WIDE_BITS = 11, COUNT = 1 << (WIDE_BITS + Y_BITS), PATTERNS = 700 };
    static unsigned values[COUNT];
    rng r = {0x77ab1eull};
    int proved = 0, one_to_one = 0;
    for (int i = 0; i < PATTERNS; i++) {
        recipe made = mixed_recipe(&r);
        for (unsigned v = 0; v < COUNT; v++)
            values[v] = value_of(&made, v >> Y_BITS, v & ((1 << Y_BITS) - 1));
        qsort(values, COUNT, sizeof *values, compare_numbers);
        bool differ = true;
        for (unsigned v = 1; v < COUNT && differ; v++)
            differ = values[v] != values[v - 1];
        smt_verdict verdict = verdict_of(&made, WIDE_BITS);
        assert_int_not_equal(verdict, differ ? SMT_SAT : SMT_UNSAT);
        one_to_one += differ;
        proved += verdict == SMT_UNSAT;
    }
    assert_int_equal(proved, one_to_one);
    assert_true(one_to_one > PATTERNS / 5);
}

/* Those that the strategy is for are decided, not only never wrong: x ^ (x >> k) and the like with
 * y in bits of its own, and the same with the lowest bit of x left out. */
static void test_linear_patterns(void **state)
{
    (void)state;
    for (int down = 1; down < 4; down++)
        for (int drop = 0; drop < 2; drop++) {
            recipe made = {.n = 5,
                           .steps = {{DOWN, 0, 0, down},
                                     {XOR, 0, 2, 0},
                                     {drop ? DOWN : UP, 3, 0, 1},
                                     {UP, 4, 0, 2},
                                     {XOR, 5, 1, 0}}};
            assert_int_equal(verdict_of(&made, 20), drop ? SMT_SAT : SMT_UNSAT);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_patterns),
        cmocka_unit_test(test_wide_patterns),
        cmocka_unit_test(test_linear_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
