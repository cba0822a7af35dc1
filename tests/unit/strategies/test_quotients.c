/* Two places of a flat index taken apart again by quotient and remainder: what the prover says of
 * them without a solver, where all numbers may be large, against the small ones. */
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

/* s = scale * a + n * b + first, for both places; whichever facts are drawn hold. */
typedef struct places {
    int scale, first, bound;
    bool same_quotient, same_remainder, other_divisor; /* the remainder by m instead of d */
    bool below_n, at_most_n;                           /* a < n; a <= n */
    bool other_a, other_b, any_other;
    bool bounded_quotient, bounded_a;
} places;

static places draw(rng *r)
{
    static const int scales[] = {1, 1, 1, -1, 2};
    places p = {.scale = scales[rng_next(r) % 5],
                .first = (int)(rng_next(r) % 3),
                .bound = (int)(rng_next(r) % 4),
                .same_quotient = rng_next(r) % 5 != 0,
                .same_remainder = rng_next(r) % 5 != 0,
                .other_divisor = rng_next(r) % 6 == 0,
                .below_n = rng_next(r) % 4 != 0,
                .other_a = rng_next(r) % 4 == 0,
                .other_b = rng_next(r) % 2 == 0,
                .bounded_quotient = rng_next(r) % 4 == 0,
                .bounded_a = rng_next(r) % 4 == 0};
    p.at_most_n = !p.below_n && rng_next(r) % 2;
    p.any_other = !p.other_a && !p.other_b;
    return p;
}

static bool holds(const places *p, const int *a, const int *b, int n, int d, int m)
{
    int s[2], rest = p->other_divisor ? m : d;
    for (int i = 0; i < 2; i++) {
        s[i] = p->scale * a[i] + n * b[i] + p->first;
        if (s[i] < 0 || (p->below_n && a[i] >= n) || (p->at_most_n && a[i] > n))
            return false;
    }
    return (!p->same_quotient || s[0] / d == s[1] / d) &&
           (!p->same_remainder || s[0] % rest == s[1] % rest) && (!p->other_a || a[0] != a[1]) &&
           (!p->other_b || b[0] != b[1]) && (!p->any_other || a[0] != a[1] || b[0] != b[1]) &&
           (!p->bounded_quotient || s[0] / d >= p->bound) && (!p->bounded_a || a[1] >= p->bound);
}

static bool has_small_solution(const places *p)
{
    enum { MOST = 4 };
    int a[2], b[2];
    for (int n = 1; n <= MOST; n++)
        for (int d = 1; d <= MOST; d++)
            for (int m = 1; m <= MOST; m++)
                for (int v = 0; v < 5 * 5 * 5 * 5; v++) {
                    a[0] = v % 5, a[1] = v / 5 % 5, b[0] = v / 25 % 5, b[1] = v / 125;
                    if (holds(p, a, b, n, d, m))
                        return true;
                }
    return false;
}

static smt_verdict verdict_of(const places *p)
{
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
    enum { MANY = 1 << 20 };
    smt_t a[2] = {event_var(c, "a!1", 0, MANY), event_var(c, "a!2", 0, MANY)};
    smt_t b[2] = {event_var(c, "b!1", 0, MANY), event_var(c, "b!2", 0, MANY)};
    smt_t n = event_var(c, "n", 1, MANY), d = event_var(c, "d", 1, MANY),
          m = event_var(c, "m", 1, MANY);
    smt_t s[2], zero = smt_int_const(c, 0), bound = smt_int_const(c, p->bound), all[16];
    size_t k = 0;
    for (int i = 0; i < 2; i++) {
        s[i] = smt_add(c, smt_add(c, smt_scale(c, a[i], p->scale), smt_mul(c, n, b[i])),
                       smt_int_const(c, p->first));
        all[k++] = smt_le(c, zero, s[i]);
        if (p->below_n)
            all[k++] = smt_lt(c, a[i], n);
        if (p->at_most_n)
            all[k++] = smt_le(c, a[i], n);
    }
    smt_t rest = p->other_divisor ? m : d;
    if (p->same_quotient)
        all[k++] = smt_eq(c, smt_div(c, s[0], d), smt_div(c, s[1], d));
    if (p->same_remainder)
        all[k++] = smt_eq(c, smt_mod(c, s[0], rest), smt_mod(c, s[1], rest));
    if (p->other_a)
        all[k++] = smt_ne(c, a[0], a[1]);
    if (p->other_b)
        all[k++] = smt_ne(c, b[0], b[1]);
    if (p->any_other)
        all[k++] = smt_or(c, smt_ne(c, a[0], a[1]), smt_ne(c, b[0], b[1]));
    if (p->bounded_quotient)
        all[k++] = smt_le(c, bound, smt_div(c, s[0], d));
    if (p->bounded_a)
        all[k++] = smt_le(c, bound, a[1]);
    smt_verdict verdict = smt_check(prover, k, all, 300000, "quotients").verdict;
    smt_prover_free(prover);
    smt_ctx_free(c);
    return verdict;
}

static void test_places(void **state)
{
    (void)state;
    enum { PLACES = 1500 };
    rng r = {0x9007e5ull};
    int proved = 0, impossible = 0;
    for (int i = 0; i < PLACES; i++) {
        places p = draw(&r);
        bool possible = has_small_solution(&p);
        smt_verdict verdict = verdict_of(&p);
        assert_false(possible && verdict == SMT_UNSAT);
        impossible += !possible;
        proved += verdict == SMT_UNSAT;
    }
    assert_int_equal(proved, impossible);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
