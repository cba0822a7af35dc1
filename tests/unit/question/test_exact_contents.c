/* Facts about elements that a contract states one by one, against the elements: at each index they
 * allow exactly the stated value, and of a pair they exclude no equality that is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "question/exact_contents.h"

enum { TABLES = 400, MOST = 40, LONG = 6000 };

typedef struct fixture {
    smt_ctx *ctx;
    contract_arg arg;
    contract_values values;
    contract c;
    checker k;
    smt_t index, other, element, second;
    smt_int numbers[4]; /* of these four */
} fixture;

static uint32_t below(uint64_t *seed, uint32_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 20) % n;
}

static fixture *fixture_new(smt_int low, smt_int high)
{
    static fixture f;
    f = (fixture){.ctx = smt_ctx_new()};
    f.arg.contents.values = &f.values;
    f.c = (contract){.n_args = 1, .args = &f.arg};
    f.k = (checker){.ctx = f.ctx, .contract = &f.c};
    f.index = smt_var(f.ctx, "i", low, high);
    f.other = smt_var(f.ctx, "j", low, high);
    f.element = smt_var(f.ctx, "a", SMT_NO_LOW, SMT_NO_HIGH);
    f.second = smt_var(f.ctx, "b", SMT_NO_LOW, SMT_NO_HIGH);
    return &f;
}

static bool look_up(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    const fixture *f = user;
    const smt_t all[] = {f->index, f->other, f->element, f->second};
    (void)n_args;
    (void)args;
    for (size_t i = 0; i < TR_COUNT(all); i++)
        if (variable == all[i]) {
            *value = f->numbers[i];
            return true;
        }
    return false;
}

static bool holds(fixture *f, smt_t fact, smt_int i, smt_int j, smt_int a, smt_int b)
{
    smt_int value;
    if (!fact)
        return true;
    f->numbers[0] = i;
    f->numbers[1] = j;
    f->numbers[2] = a;
    f->numbers[3] = b;
    assert_true(smt_eval(fact, look_up, f, &value));
    return value != 0;
}

/* Rising, falling and constant stretches, single numbers, holes. */
static size_t draw_table(uint64_t *seed, int64_t *values, bool *known, bool holes)
{
    size_t n = 1 + below(seed, MOST - 1);
    for (size_t i = 0; i < n;) {
        int64_t value = (int64_t)below(seed, 60) - 30, step = (int64_t)below(seed, 7) - 3;
        bool is_known = !holes || below(seed, 4) > 0;
        for (uint32_t more = 1 + below(seed, 5); more > 0 && i < n; more--, i++, value += step) {
            values[i] = value;
            known[i] = is_known;
        }
    }
    return n;
}

static void test_elements(void **state)
{
    uint64_t seed = 20261126;
    (void)state;
    for (int t = 0; t < TABLES; t++) {
        int64_t values[MOST] = {0}, stated;
        bool known[MOST] = {0};
        smt_int low = (smt_int)below(&seed, 12) - 5, high = low + below(&seed, MOST);
        fixture *f = fixture_new(low, high);
        size_t n = draw_table(&seed, values, known, t % 2);
        f->values = (contract_values){.n = n, .values = values, .known = t % 2 ? known : NULL};
        smt_t fact = contents_exact_fact(&f->k, &f->arg, f->index, f->element);
        for (smt_int i = low; i <= high; i++)
            for (smt_int a = -50; a <= 50; a++) {
                bool is_stated = contract_values_at(&f->values, i, &stated);
                assert_int_equal(holds(f, fact, i, 0, a, 0), !is_stated || a == stated);
            }
        smt_ctx_free(f->ctx);
    }
}

static size_t list_repeated(const int64_t *values, size_t n, size_t *repeated)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (k != i && values[k] == values[i]) {
                repeated[count++] = i;
                break;
            }
    return count;
}

/* True of the elements as they are; and two indices whose elements differ never have equal ones,
 * unless both occur more than once. */
static void test_pairs(void **state)
{
    uint64_t seed = 1126;
    (void)state;
    for (int t = 0; t < TABLES / 4; t++) {
        int64_t values[MOST] = {0};
        bool known[MOST];
        size_t repeated[MOST];
        fixture *f = fixture_new(-3, MOST + 3);
        size_t n = draw_table(&seed, values, known, false);
        size_t count = list_repeated(values, n, repeated);
        f->values =
            (contract_values){.n = n, .values = values, .repeated = repeated, .n_repeated = count};
        smt_t fact = contents_exact_pair(&f->k, &f->arg, f->index, f->other, f->element, f->second);
        assert_true(fact || n < 2);
        for (smt_int i = -3; i < (smt_int)n + 3; i++)
            for (smt_int j = -3; fact && j < (smt_int)n + 3; j++) {
                bool inside = i >= 0 && j >= 0 && i < (smt_int)n && j < (smt_int)n;
                bool once = inside && i != j;
                for (size_t r = 0, both = 0; once && r < count; r++) {
                    both += (smt_int)repeated[r] == i || (smt_int)repeated[r] == j;
                    once = both < 2;
                }
                assert_int_equal(holds(f, fact, i, j, 5, 5), !once);
                assert_true(holds(f, fact, i, j, 5, 6));
                if (inside)
                    assert_true(holds(f, fact, i, j, values[i], values[j]));
            }
        smt_ctx_free(f->ctx);
    }
}

/* More stretches than are told: the elements that occur twice are told all the same, and an index
 * that reaches few of them is told them all. */
static void test_long(void **state)
{
    static int64_t values[LONG];
    static const size_t repeated[] = {17, 5000};
    uint64_t seed = 7;
    (void)state;
    for (size_t i = 0; i < LONG; i++)
        values[i] = (int64_t)i * 1000 + below(&seed, 900);
    values[5000] = values[17];
    fixture *f = fixture_new(0, LONG);
    f->values = (contract_values){
        .n = LONG, .values = values, .repeated = repeated, .n_repeated = TR_COUNT(repeated)};
    smt_t fact = contents_exact_fact(&f->k, &f->arg, f->index, f->element);
    assert_false(holds(f, fact, 17, 0, values[17] + 1, 0));
    assert_false(holds(f, fact, 5000, 0, values[17] + 1, 0));
    for (size_t i = 0; i < LONG; i += 7)
        assert_true(holds(f, fact, (smt_int)i, 0, values[i], 0));
    smt_t few = smt_add(f->ctx, smt_var(f->ctx, "few", 0, 9), smt_int_const(f->ctx, 5990));
    fact = contents_exact_fact(&f->k, &f->arg, few, f->element);
    assert_non_null(fact);
    f->index = few->kind == SMT_SUM ? few->args[0] : few;
    assert_true(holds(f, fact, 4, 0, values[5994], 0));
    assert_false(holds(f, fact, 4, 0, values[5993], 0));
    smt_ctx_free(f->ctx);
}

static void test_silent(void **state)
{
    (void)state;
    fixture *f = fixture_new(0, 9);
    f->arg.contents.values = NULL;
    assert_null(contents_exact_fact(&f->k, &f->arg, f->index, f->element));
    assert_null(contents_exact_pair(&f->k, &f->arg, f->index, f->other, f->element, f->second));
    assert_false(contents_are_exact(&f->k, 0));
    assert_false(contents_are_exact(&f->k, -1));
    f->arg.contents.values = &f->values;
    assert_true(contents_are_exact(&f->k, 0));
    assert_null(contents_exact_fact(&f->k, &f->arg, f->index, f->element)); /* no element */
    smt_ctx_free(f->ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
