/* Queries as values: what is added to one is in no other, whatever they were copied from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "question/query.h"

#include "question/checker.h"

enum { QUERIES = 12, STEPS = 4000, MOST = 60 };

typedef struct fixture {
    checker k;
    smt_t a, b, c;
} fixture;

static fixture fixture_new(void)
{
    fixture f = {.k = {.ctx = smt_ctx_new(), .arena = tr_arena_new()}};
    f.a = smt_bvar(f.k.ctx, "a");
    f.b = smt_bvar(f.k.ctx, "b");
    f.c = smt_bvar(f.k.ctx, "c");
    return f;
}

static void fixture_free(fixture *f)
{
    smt_ctx_free(f->k.ctx);
    tr_arena_free(f->k.arena);
}

static void assert_terms(query q, size_t n, const smt_t *terms)
{
    tr_arena *arena = tr_arena_new();
    const smt_t *own = query_terms(arena, q);
    assert_int_equal(q.n, n);
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(own[i], terms[i]);
    tr_arena_free(arena);
}

static void test_copies_go_their_own_ways(void **state)
{
    (void)state;
    fixture f = fixture_new();
    query first = query_with(&f.k, (query){0}, f.a), copy = first, third = first;
    query_add(&f.k, &first, f.b);
    query_add(&f.k, &copy, f.c);
    query_add(&f.k, &first, f.c);
    assert_terms(first, 3, (smt_t[]){f.a, f.b, f.c});
    assert_terms(copy, 2, (smt_t[]){f.a, f.c});
    assert_terms(third, 1, (smt_t[]){f.a});
    assert_terms(query_with(&f.k, first, f.a), 4, (smt_t[]){f.a, f.b, f.c, f.a});
    assert_terms(query_with(&f.k, first, f.b), 4, (smt_t[]){f.a, f.b, f.c, f.b});
    assert_terms(query_and(&f.k, copy, first), 5, (smt_t[]){f.a, f.c, f.a, f.b, f.c});
    assert_terms(query_and(&f.k, copy, copy), 4, (smt_t[]){f.a, f.c, f.a, f.c});
    assert_terms(first, 3, (smt_t[]){f.a, f.b, f.c});
    tr_arena *arena = tr_arena_new();
    query elsewhere = {.arena = arena};
    size_t before = tr_arena_used(f.k.arena);
    for (int i = 0; i < MOST; i++)
        query_add(&f.k, &elsewhere, f.b);
    assert_int_equal(elsewhere.n, MOST);
    assert_int_equal(tr_arena_used(f.k.arena), before);
    tr_arena_free(arena);
    fixture_free(&f);
}

static void test_terms_together(void **state)
{
    (void)state;
    fixture f = fixture_new();
    f.k.known.launch = f.a;
    query q = query_with(&f.k, query_of_launch(&f.k), f.b), none = {0};
    assert_terms(q, 2, (smt_t[]){f.a, f.b});
    assert_ptr_equal(query_as_term(&f.k, q), smt_and(f.k.ctx, f.a, f.b));
    assert_true(smt_is_true(query_as_term(&f.k, none)));
    smt_t x = smt_var(f.k.ctx, "x", SMT_NO_LOW, SMT_NO_HIGH);
    smt_t one = smt_int_const(f.k.ctx, 1), two = smt_int_const(f.k.ctx, 2);
    query_add(&f.k, &q, smt_le(f.k.ctx, x, one));
    query there = query_substitute(&f.k, q, 1, &x, &two);
    assert_terms(there, 3, (smt_t[]){f.a, f.b, smt_bool_const(f.k.ctx, false)});
    assert_terms(q, 3, (smt_t[]){f.a, f.b, smt_le(f.k.ctx, x, one)});
    fixture_free(&f);
}

static uint32_t below(uint64_t *seed, uint32_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 20) % n;
}

typedef struct row { /* what a query is to hold */
    size_t n;
    smt_t terms[2 * MOST];
} row;

/* Queries that are copied and added to at random, beside arrays that are copied whole. */
static void test_random_copies(void **state)
{
    (void)state;
    fixture f = fixture_new();
    static row rows[QUERIES];
    query queries[QUERIES] = {0};
    uint64_t seed = 20;
    for (int step = 0; step < STEPS; step++) {
        uint32_t i = below(&seed, QUERIES), j = below(&seed, QUERIES);
        smt_t term = smt_int_const(f.k.ctx, step);
        if (rows[i].n >= MOST) {
            queries[i] = (query){0};
            rows[i].n = 0;
        } else if (below(&seed, 4) == 0) {
            queries[i] = queries[j];
            rows[i] = rows[j];
        } else if (below(&seed, 8) == 0 && rows[j].n < MOST) {
            queries[i] = query_and(&f.k, queries[i], queries[j]);
            for (size_t t = 0, n = rows[j].n; t < n; t++)
                rows[i].terms[rows[i].n++] = rows[j].terms[t];
        } else {
            query_add(&f.k, &queries[i], term);
            rows[i].terms[rows[i].n++] = term;
        }
        for (uint32_t all = 0; all < QUERIES; all++)
            assert_terms(queries[all], rows[all].n, rows[all].terms);
    }
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_go_their_own_ways),
        cmocka_unit_test(test_terms_together),
        cmocka_unit_test(test_random_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
