/* Linear programs and products: what is called infeasible has no solution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../terms/random_terms.h"
#include "goal/goal.h"
#include "goal/linear_program.h"
#include "goal/simplex.h"
#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

enum { MAX_TEST_ROWS = 8, N = 4 };

typedef struct problem {
    int n;
    int coefs[MAX_TEST_ROWS][N], constant[MAX_TEST_ROWS];
    bool is_equation[MAX_TEST_ROWS];
    int low[N], high[N];
} problem;

static void make_problem(rng *r, problem *p)
{
    p->n = 1 + rng_below(r, MAX_TEST_ROWS);
    for (int j = 0; j < N; j++) {
        p->low[j] = rng_below(r, 5) - 2;
        p->high[j] = p->low[j] + rng_below(r, 6);
    }
    for (int i = 0; i < p->n; i++) {
        p->is_equation[i] = rng_below(r, 4) == 0;
        p->constant[i] = rng_below(r, 13) - 5;
        for (int j = 0; j < N; j++)
            p->coefs[i][j] = rng_below(r, 3) ? 0 : rng_below(r, 9) - 4;
    }
}

static bool holds(const problem *p, const int *x)
{
    for (int i = 0; i < p->n; i++) {
        int sum = p->constant[i];
        for (int j = 0; j < N; j++)
            sum += p->coefs[i][j] * x[j];
        if (p->is_equation[i] ? sum != 0 : sum > 0)
            return false;
    }
    return true;
}

static bool has_solution(const problem *p)
{
    int x[N];
    for (int j = 0; j < N; j++)
        x[j] = p->low[j];
    for (;;) {
        if (holds(p, x))
            return true;
        int j = 0;
        while (j < N && x[j] == p->high[j])
            x[j] = p->low[j], j++;
        if (j == N)
            return false;
        x[j]++;
    }
}

static bool called_infeasible(const problem *p)
{
    static const char *const names[N] = {"a", "b", "c", "d"};
    smt_ctx *ctx = smt_ctx_new();
    smt_program *program = smt_program_new();
    for (int i = 0; i < p->n; i++) {
        smt_t sum = smt_int_const(ctx, p->constant[i]);
        for (int j = 0; j < N; j++)
            sum = smt_add(
                ctx, sum,
                smt_scale(ctx, smt_var(ctx, names[j], p->low[j], p->high[j]), p->coefs[i][j]));
        smt_program_add(program, sum, p->is_equation[i]);
    }
    bool infeasible = smt_program_is_infeasible(program);
    smt_program_free(program);
    smt_ctx_free(ctx);
    return infeasible;
}

static void test_random(void **state)
{
    (void)state;
    rng r = {0x11ea5};
    int infeasible = 0, open = 0;
    for (int i = 0; i < 20000; i++) {
        problem p;
        make_problem(&r, &p);
        bool called = called_infeasible(&p), solved = has_solution(&p);
        assert_false(called && solved);
        infeasible += called;
        open += !called && !solved; /* no whole numbers, but fractions */
    }
    print_message("  %d infeasible, %d left open\n", infeasible, open);
    assert_true(infeasible > 5000 && open < infeasible / 4);
}

static smt_t size(smt_ctx *c, const char *name)
{
    return smt_var(c, name, 1, 1 << 24);
}

static smt_t index_of(smt_ctx *c, const char *name)
{
    return smt_var(c, name, 0, 1 << 24);
}

/* Row r of R and column c of C: r*C + c < R*C. Without the bound of the column it is not so. */
static void test_products(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t rows = size(c, "R"), columns = size(c, "C"), depth = size(c, "D");
    smt_t i = index_of(c, "i"), j = index_of(c, "j"), k = index_of(c, "k");
    smt_t offset = smt_add(c, smt_mul(c, smt_add(c, smt_mul(c, i, columns), j), depth), k);
    smt_t all = smt_mul(c, smt_mul(c, rows, columns), depth);
    smt_t facts[] = {smt_lt(c, i, rows), smt_lt(c, j, columns), smt_lt(c, k, depth),
                     smt_ge(c, offset, all)};
    smt_goal goal;
    smt_goal_init(&goal, 4, facts);
    assert_true(smt_goal_is_infeasible(c, &goal, NULL, NULL));
    smt_goal_free(&goal);
    for (int left_out = 0; left_out < 4; left_out++) {
        smt_goal_init(&goal, 0, NULL);
        for (int f = 0; f < 4; f++)
            if (f != left_out)
                smt_goal_add(&goal, facts[f]);
        assert_false(smt_goal_is_infeasible(c, &goal, NULL, NULL));
        smt_goal_free(&goal);
    }
    smt_ctx_free(c);
}

/* Beside a large number a small coefficient is nothing to a double: what looks like a contradiction
 * is none, and the exact check says so. */
static void test_scales(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_int large = (smt_int)1 << 60, part = 1000000000000000000;
    smt_t x = smt_var(c, "x", SMT_NO_LOW, SMT_NO_HIGH), y = smt_var(c, "y", 0, SMT_NO_HIGH);
    smt_t z = smt_var(c, "z", 0, 4 * large), rest = smt_sub(c, x, smt_scale(c, y, large));
    smt_t facts[] = {smt_eq(c, rest, z), smt_eq(c, rest, smt_int_const(c, part))};
    smt_goal goal;
    smt_goal_init(&goal, 2, facts);
    assert_false(smt_goal_is_infeasible(c, &goal, NULL, NULL)); /* z is the number */
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

/* (x - a) * (y - b) has the sign that the ends a and b of both ranges give it, unless one of them
 * is so far off that doubles tell it from its neighbours no more beside a product. */
static void test_corners(void **state)
{
    (void)state;
    const smt_int far = (smt_int)1 << 40;
    for (int corner = 0; corner < 8; corner++) {
        bool x_high = corner & 1, y_high = corner >> 1 & 1, is_far = corner >> 2;
        smt_ctx *c = smt_ctx_new();
        smt_int end = is_far ? far : far - 1, a = x_high ? end : -end, b = y_high ? 9 : -7;
        smt_t x = smt_var(c, "x", -end, end), y = smt_var(c, "y", -7, 9);
        smt_t product = smt_mul(c, smt_sub(c, x, number(c, a)), smt_sub(c, y, number(c, b)));
        smt_t fact = x_high == y_high ? smt_lt(c, product, number(c, -far))
                                      : smt_gt(c, product, number(c, far));
        smt_goal goal;
        smt_goal_init(&goal, 1, &fact);
        assert_int_equal(smt_goal_is_infeasible(c, &goal, NULL, NULL), !is_far);
        smt_goal_free(&goal);
        smt_ctx_free(c);
    }
}

/* Contradictions by 1 among products of large numbers, with facts beside them that have nothing to
 * do with it. */
static void test_tight(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t i = smt_var(c, "i", 0, 1 << 24), j = smt_var(c, "j", 0, 1 << 24);
    smt_t x = smt_var(c, "x", 0, 63), y = smt_var(c, "y", 0, 63);
    smt_t stride = smt_var(c, "stride", 1, INT32_MAX),
          other = smt_var(c, "other", -(1 << 27), 1 << 27);
    smt_t first = smt_add(c, smt_mul(c, i, stride), x),
          second = smt_add(c, smt_mul(c, j, stride), y);
    smt_t facts[] = {
        smt_lt(c, x, stride),
        smt_lt(c, y, stride),
        smt_lt(c, i, j),
        smt_eq(c, first, second),
        smt_le(c, smt_add(c, smt_scale(c, other, 240), i), number(c, 34359738368)),
    };
    smt_goal goal;
    smt_goal_init(&goal, TR_COUNT(facts), facts);
    assert_true(smt_goal_is_infeasible(c, &goal, NULL, NULL));
    goal.facts[0] = smt_le(c, x, stride);
    assert_false(smt_goal_is_infeasible(c, &goal, NULL, NULL));
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

/* Below 0 and above it, a product by a negative number. */
static void test_signs(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
    smt_t bid = index_of(c, "bid"), grid = size(c, "grid");
    smt_t step = smt_var(c, "step", INT32_MIN, INT32_MAX);
    smt_t last = smt_mul(c, step, smt_sub(c, grid, number(c, 1)));
    smt_t facts[] = {smt_lt(c, bid, grid), smt_ge(c, last, number(c, INT32_MIN)),
                     smt_lt(c, smt_mul(c, step, bid), number(c, INT32_MIN))};
    smt_answer answer = smt_check(prover, 3, facts, 2000 * 1000, "signs");
    assert_int_equal(answer.verdict, SMT_UNSAT);
    facts[0] = smt_le(c, bid, grid);
    assert_int_equal(smt_check(prover, 3, facts, 2000 * 1000, "signs").verdict, SMT_SAT);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

/* Fractions solve it, whole numbers do not. */
static void test_cuts(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
    smt_t a = index_of(c, "a"), b = index_of(c, "b"), n = smt_var(c, "n", 0, 1 << 10);
    smt_t facts[] = {
        smt_le(c, smt_scale(c, n, 12), smt_add(c, smt_scale(c, a, 5), number(c, 4))),
        smt_le(c, smt_scale(c, a, 5), smt_add(c, smt_scale(c, n, 12), number(c, 2))),
        smt_eq(c, smt_add(c, smt_scale(c, a, 2), smt_scale(c, b, 4)), number(c, 77)),
    };
    assert_int_equal(smt_check(prover, 3, facts, 2000 * 1000, "cuts").verdict, SMT_UNSAT);
    assert_int_equal(smt_check(prover, 2, facts, 2000 * 1000, "cuts").verdict, SMT_SAT);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

/* a <= b and c <= d, so (a - b) * (c - d) is not negative. An equation and a comparison make no
 * such row, for it would say nothing new: however many of them there are, they are not in the way.
 */
static void test_pairs_of_facts(void **state)
{
    (void)state;
    enum { OTHERS = 35 };
    for (int equation_first = 0; equation_first < 2; equation_first++)
        for (int contradicts = 0; contradicts < 2; contradicts++) {
            smt_ctx *c = smt_ctx_new();
            smt_t x = index_of(c, "x"), y = index_of(c, "y"), all = number(c, 0), facts[OTHERS + 5];
            smt_t v[4];
            size_t n = 0;
            if (equation_first)
                facts[n++] = smt_eq(c, x, y);
            for (int i = 0; i < OTHERS; i++) {
                tr_text name = {0};
                tr_text_addf(&name, "o%d", i);
                smt_t other = index_of(c, tr_text_get(&name));
                tr_text_free(&name);
                all = smt_add(c, all, smt_mul(c, other, smt_add(c, x, smt_scale(c, y, 2))));
                facts[n++] = smt_le(c, other, number(c, 1000));
            }
            if (!equation_first)
                facts[n++] = smt_eq(c, x, y);
            for (int i = 0; i < 4; i++)
                v[i] = index_of(c, (const char *const[]){"a", "b", "c", "d"}[i]);
            facts[n++] = smt_le(c, v[0], v[1]);
            facts[n++] = smt_le(c, v[2], v[3]);
            smt_t alike = smt_add(c, smt_mul(c, v[0], v[2]), smt_mul(c, v[1], v[3]));
            smt_t crossed = smt_add(c, smt_mul(c, v[0], v[3]), smt_mul(c, v[1], v[2]));
            facts[n++] = contradicts ? smt_lt(c, alike, crossed) : smt_le(c, alike, crossed);
            facts[n++] = smt_le(c, all, number(c, (smt_int)1 << 50));
            smt_goal goal;
            smt_goal_init(&goal, n, facts);
            assert_int_equal(smt_goal_is_infeasible(c, &goal, NULL, NULL), contradicts);
            smt_goal_free(&goal);
            smt_ctx_free(c);
        }
}

/* Each variable starts at the end of its range that is nearer to 0, at the lower one where both are
 * as near. So x at its lower end is what can make the sum larger, while y is at its upper end. */
static void test_start(void **state)
{
    (void)state;
    static const struct {
        int low, high;
        bool moves; /* and not y */
    } rows[] = {{-1, 1, true}, {-1, 2, true}, {-2, 1, false}};
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        smt_ctx *c = smt_ctx_new();
        smt_t x = smt_var(c, "x", rows[i].low, rows[i].high), y = smt_var(c, "y", -1, 0);
        smt_t sum = smt_add(c, smt_scale(c, x, 2), smt_scale(c, y, 4));
        smt_program *program = smt_program_new();
        smt_int below = 9;
        smt_program_add(program, smt_add(c, sum, number(c, 1)), true);
        assert_false(smt_program_is_infeasible(program));
        assert_ptr_equal(smt_program_fractional(program, &below), rows[i].moves ? x : y);
        assert_true(below == -1);
        smt_program_free(program);
        smt_ctx_free(c);
    }
}

/* The second row alone contradicts the ranges. That doubles name the first one beside it, whose d
 * is multiplied by too little to be seen, does no harm: the proof takes it 0 times. */
static void test_no_part(void **state)
{
    (void)state;
    for (int most = 2; most <= 5; most++) {
        smt_ctx *c = smt_ctx_new();
        smt_t a = smt_var(c, "a", 0, 9), b = smt_var(c, "b", -1, most);
        smt_t d = smt_var(c, "d", SMT_NO_LOW, SMT_NO_HIGH);
        smt_t least = smt_add(c, smt_scale(c, a, 1 << 17), number(c, 4));
        smt_program *program = smt_program_new();
        smt_program_add(program, smt_sub(c, smt_scale(c, b, -(1 << 16)), smt_scale(c, d, 1 << 17)),
                        true);
        smt_program_add(program, smt_sub(c, least, b), false);
        smt_program_add(program, smt_sub(c, smt_scale(c, b, -(1 << 23)), d), false);
        assert_int_equal(smt_program_is_infeasible(program), most < 4);
        smt_program_free(program);
        smt_ctx_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_products),
        cmocka_unit_test(test_scales), cmocka_unit_test(test_tight),
        cmocka_unit_test(test_signs),  cmocka_unit_test(test_corners),
        cmocka_unit_test(test_cuts),   cmocka_unit_test(test_pairs_of_facts),
        cmocka_unit_test(test_start),  cmocka_unit_test(test_no_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
