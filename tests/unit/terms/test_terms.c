/* Terms: simplification keeps every value, ranges hold, and the shapes that proofs rely on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "random_terms.h"
#include "terms/carry.h"
#include "terms/changes.h"

static void print_failure(smt_t term, const assignment *a, const test_var *ranges)
{
    tr_text text = {0};
    smt_print_c(&text, term);
    print_error("term %s\n", tr_text_get(&text));
    for (int i = 0; i < N_VARS; i++)
        print_error("  %s = %lld in %d..%d\n", ranges[i].name, a->values[i], ranges[i].low,
                    ranges[i].high);
    tr_text_free(&text);
}

/* A compiled term has the value that walking over it gives, and is unknown where that is. */
static void check_compiled(const smt_compiled *compiled, smt_t term, assignment *a)
{
    smt_value inputs[N_VARS], room[4096], got[2];
    smt_int want;
    for (int i = 0; i < N_VARS; i++)
        inputs[i] = (smt_value){a->values[i], true};
    if (smt_compiled_size(compiled) > sizeof room / sizeof *room)
        return;
    smt_compiled_run(compiled, inputs, NULL, NULL, room, got);
    bool known = smt_eval(term, lookup_assignment, a, &want);
    assert_int_equal(known, got[0].known);
    assert_true(!known || got[0].number == want);
    assert_true(got[1].known && got[1].number == a->values[1]);
}

static void check_tree(rng *r, bool boolean, int depth)
{
    smt_ctx *ctx = smt_ctx_new();
    assignment a;
    test_var ranges[N_VARS];
    random_vars(r, ctx, &a, ranges);
    tree *t = boolean ? random_bool(r, depth) : random_int(r, depth);
    smt_t term = tree_term(ctx, t, a.vars);
    assert_int_equal(smt_is_bool(term), boolean);
    const smt_t both[] = {term, a.vars[1]};
    const smt_compiled *compiled = smt_compile(ctx, N_VARS, a.vars, 2, both);
    for (int i = 0; i < 25; i++) {
        random_values(r, &a, ranges);
        check_compiled(compiled, term, &a);
        tree_value want = tree_eval(t, a.values);
        smt_int got = 0;
        if (!want.defined)
            continue;
        bool ok = smt_eval(term, lookup_assignment, &a, &got) && got == want.number;
        if (!ok || (!boolean && (got < term->low || got > term->high))) {
            print_failure(term, &a, ranges);
            print_error("  want %lld, got %lld\n", want.number, (long long)got);
            fail();
        }
        if (boolean) {
            assert_true(smt_eval(smt_not(ctx, term), lookup_assignment, &a, &got));
            assert_int_equal(got, !want.number);
        }
    }
    tree_free(t);
    smt_ctx_free(ctx);
}

static void test_random_values(void **state)
{
    (void)state;
    rng r = {0x1234567ull};
    for (int i = 0; i < 30000; i++)
        check_tree(&r, i % 3 == 0, 1 + i % 5);
}

/* Substitution and renaming agree with evaluation under the changed values. */
static void test_random_substitution(void **state)
{
    (void)state;
    rng r = {0x777ull};
    for (int i = 0; i < 3000; i++) {
        smt_ctx *ctx = smt_ctx_new();
        assignment a;
        test_var ranges[N_VARS];
        random_vars(&r, ctx, &a, ranges);
        tree *t = random_int(&r, 4), *by = random_int(&r, 2);
        smt_t term = tree_term(ctx, t, a.vars);
        smt_t with = tree_term(ctx, by, a.vars);
        /* a variable without range, so that any replacement is within it */
        smt_t wide = smt_var(ctx, "wide", SMT_NO_LOW, SMT_NO_HIGH), wide_vars[N_VARS];
        memcpy(wide_vars, a.vars, sizeof wide_vars);
        wide_vars[0] = wide;
        smt_t open = tree_term(ctx, t, wide_vars);
        smt_t closed = smt_substitute(ctx, open, 1, &wide, &with);
        assert_false(smt_contains(closed, wide));
        for (int k = 0; k < 10; k++) {
            random_values(&r, &a, ranges);
            tree_value value = tree_eval(by, a.values);
            if (!value.defined)
                continue;
            long long values[N_VARS];
            memcpy(values, a.values, sizeof values);
            values[0] = value.number;
            tree_value want = tree_eval(t, values);
            smt_int got;
            if (!want.defined)
                continue;
            if (!smt_eval(closed, lookup_assignment, &a, &got) || got != want.number) {
                print_failure(open, &a, ranges);
                print_failure(closed, &a, ranges);
                fail();
            }
        }
        (void)term;
        tree_free(t);
        tree_free(by);
        smt_ctx_free(ctx);
    }
}

typedef struct fixture {
    smt_ctx *ctx;
    smt_t p, h, d, b, e, n, g, x, y;
} fixture;

static smt_t natural(smt_ctx *ctx, const char *name)
{
    return smt_var(ctx, name, 0, 1 << 30);
}

static smt_t positive(smt_ctx *ctx, const char *name)
{
    return smt_var(ctx, name, 1, 1 << 30);
}

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->ctx = smt_ctx_new();
    f->p = natural(f->ctx, "p");
    f->h = positive(f->ctx, "H");
    f->d = positive(f->ctx, "D");
    f->b = natural(f->ctx, "b");
    f->e = smt_var(f->ctx, "e", 0, 63);
    f->n = positive(f->ctx, "n");
    f->g = natural(f->ctx, "g");
    f->x = smt_var(f->ctx, "x", SMT_NO_LOW, SMT_NO_HIGH);
    f->y = smt_var(f->ctx, "y", SMT_NO_LOW, SMT_NO_HIGH);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    smt_ctx_free(f->ctx);
    free(f);
    return 0;
}

static smt_t num(fixture *f, smt_int value)
{
    return smt_int_const(f->ctx, value);
}

static void prints(smt_t term, const char *want)
{
    tr_text text = {0};
    smt_print_c(&text, term);
    assert_string_equal(tr_text_get(&text), want);
    tr_text_free(&text);
}

static void test_polynomials(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t bh = smt_mul(c, f->b, f->h);
    assert_ptr_equal(smt_sub(c, smt_add(c, bh, f->p), f->p), bh);
    assert_ptr_equal(smt_mul(c, smt_add(c, f->x, f->y), smt_sub(c, f->x, f->y)),
                     smt_sub(c, smt_mul(c, f->x, f->x), smt_mul(c, f->y, f->y)));
    assert_int_equal(smt_mul(c, f->x, f->x)->low, 0);
    assert_true(smt_is_true(smt_eq(c, smt_add(c, f->x, f->y), smt_add(c, f->y, f->x))));
    assert_true(smt_is_false(
        smt_eq(c, smt_scale(c, f->x, 2), smt_add(c, smt_scale(c, f->y, 4), num(f, 1)))));
}

static void test_division_by_constants(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t flat = smt_add(c, smt_scale(c, f->p, 64), f->e);
    assert_ptr_equal(smt_div(c, flat, num(f, 64)), f->p);
    assert_ptr_equal(smt_mod(c, flat, num(f, 64)), f->e);
    assert_ptr_equal(smt_div(c, flat, num(f, 128)), smt_div(c, f->p, num(f, 2)));
    assert_ptr_equal(smt_div_trunc(c, f->p, num(f, 8)), smt_div(c, f->p, num(f, 8)));
    assert_ptr_equal(smt_div(c, smt_div(c, f->p, num(f, 8)), num(f, 4)),
                     smt_div(c, f->p, num(f, 32)));
    assert_ptr_equal(smt_mod(c, smt_mod(c, f->x, num(f, 12)), num(f, 4)),
                     smt_mod(c, f->x, num(f, 4)));
    /* taken apart and put together again */
    smt_t q = smt_div(c, f->x, num(f, 7)), r = smt_mod(c, f->x, num(f, 7));
    assert_ptr_equal(smt_add(c, smt_scale(c, q, 7), r), f->x);
    assert_ptr_equal(smt_sub(c, f->x, smt_scale(c, q, 7)), r);
}

static void test_division_by_symbols(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    /* p = (b*H + h)*D + d, with h and d remainders */
    smt_t h = smt_mod(c, f->p, f->h), d = smt_mod(c, f->x, f->d);
    smt_t row = smt_add(c, smt_mul(c, f->b, f->h), h);
    smt_t flat = smt_add(c, smt_mul(c, row, f->d), d);
    assert_ptr_equal(smt_div(c, row, f->h), f->b);
    assert_ptr_equal(smt_mod(c, row, f->h), h);
    assert_ptr_equal(smt_div(c, flat, f->d), row);
    assert_ptr_equal(smt_mod(c, flat, f->d), d);
    smt_t hd = smt_mul(c, f->h, f->d);
    assert_ptr_equal(smt_div(c, flat, hd), f->b);
    assert_ptr_equal(smt_mod(c, flat, hd), smt_add(c, smt_mul(c, h, f->d), d));
    /* both spellings of the middle coordinate */
    assert_ptr_equal(smt_div(c, smt_mod(c, f->p, hd), f->d),
                     smt_mod(c, smt_div(c, f->p, f->d), f->h));
    /* i - q*d, and q*d + r */
    smt_t q = smt_div(c, f->p, f->d);
    assert_ptr_equal(smt_sub(c, f->p, smt_mul(c, q, f->d)), smt_mod(c, f->p, f->d));
    assert_ptr_equal(smt_add(c, smt_mul(c, q, f->d), smt_mod(c, f->p, f->d)), f->p);
    /* a divisor that may be 0 is left alone */
    smt_t maybe = natural(c, "maybe");
    assert_int_equal(smt_div(c, smt_mul(c, f->b, maybe), maybe)->kind, SMT_DIV);
    assert_int_equal(smt_mod(c, f->p, maybe)->low == SMT_NO_LOW, 1);
}

static void test_booleans(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t le = smt_le(c, f->x, f->y), p = smt_bvar(c, "p?"), q = smt_bvar(c, "q?");
    assert_true(smt_is_false(smt_and(c, le, smt_not(c, le))));
    assert_true(smt_is_true(smt_or(c, p, smt_not(c, p))));
    assert_ptr_equal(smt_and(c, p, smt_and(c, q, p)), smt_and(c, q, p));
    assert_true(smt_is_false(smt_and(c, smt_lt(c, f->x, f->y), smt_lt(c, f->y, f->x))));
    assert_ptr_equal(smt_and(c, smt_le(c, f->x, f->y), smt_le(c, f->y, f->x)),
                     smt_eq(c, f->x, f->y));
    assert_true(smt_is_true(smt_ge(c, f->e, num(f, 0))));
    assert_true(smt_is_false(smt_gt(c, f->e, num(f, 63))));
    /* masks kept as numbers */
    smt_t mask = smt_ite(c, le, num(f, 1), num(f, 0));
    assert_ptr_equal(smt_ne(c, mask, num(f, 0)), le);
    assert_ptr_equal(smt_not(c, smt_not(c, smt_and(c, p, smt_or(c, q, le)))),
                     smt_and(c, p, smt_or(c, q, le)));
}

static void test_min_max(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t eight = num(f, 8), left = smt_sub(c, f->n, smt_scale(c, f->g, 8));
    smt_t m = smt_min(c, left, eight);
    assert_ptr_equal(m, smt_min(c, eight, left));
    assert_int_equal((long)m->high, 8);
    assert_ptr_equal(smt_ite(c, smt_lt(c, left, eight), left, eight), m);
    assert_ptr_equal(smt_ite(c, smt_gt(c, left, eight), left, eight), smt_max(c, left, eight));
    assert_ptr_equal(smt_min(c, f->e, num(f, 100)), f->e);
    prints(smt_min(c, f->p, f->n), "min(p, n)");
    prints(smt_max(c, f->n, f->p), "max(n, p)");
}

static void test_choices(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t k = smt_var(c, "k", 0, SMT_NO_HIGH), zero = smt_int_const(c, 0),
          one = smt_int_const(c, 1);
    smt_t first = smt_eq(c, k, zero);
    /* a peeled induction: b first, later what was before and a step */
    smt_t before = smt_ite(c, first, f->p, smt_add(c, f->p, smt_mul(c, smt_sub(c, k, one), f->h)));
    smt_t all = smt_add(c, f->p, smt_mul(c, k, f->h));
    assert_ptr_equal(smt_choice(c, first, before, smt_add(c, before, f->h)), all);
    assert_ptr_equal(smt_choice(c, smt_ne(c, k, zero), smt_add(c, before, f->h), before), all);
    smt_t lagging = smt_max(c, smt_sub(c, k, one), zero);
    assert_ptr_equal(smt_choice(c, first, lagging, smt_add(c, lagging, one)), k);
    /* another start: no single term */
    assert_int_equal(smt_choice(c, first, f->h, all)->kind, SMT_ITE);
    smt_t bounded = smt_min(c, f->p, f->h);
    assert_ptr_equal(smt_assume(c, bounded, smt_le(c, f->p, f->h)), f->p);
    assert_ptr_equal(smt_assume(c, bounded, smt_gt(c, f->p, f->h)), f->h);
    assert_ptr_equal(smt_assume(c, bounded, smt_gt(c, f->p, zero)), bounded);
}

static void test_printing(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t row = smt_add(c, smt_mul(c, f->b, f->h), f->p);
    /* x may be negative, p may not: what rounds up is read back as it was meant. */
    prints(smt_div(c, smt_add(c, f->x, num(f, 63)), num(f, 64)), "cdiv(x, 64)");
    prints(smt_div(c, smt_add(c, f->x, num(f, 1)), num(f, 2)), "cdiv(x, 2)");
    prints(smt_div(c, f->x, num(f, 64)), "x / 64");
    prints(smt_div(c, smt_add(c, f->p, num(f, 63)), num(f, 64)), "(p + 63) / 64");
    prints(smt_mul(c, f->b, f->h), "H * b");
    prints(smt_lt(c, f->x, f->y), "x < y");
    prints(smt_le(c, f->x, smt_sub(c, f->y, num(f, 2))), "x + 2 <= y");
    prints(smt_ge(c, f->x, num(f, 3)), "x >= 3");
    prints(smt_ge(c, f->x, num(f, 1)), "x > 0");
    prints(smt_le(c, f->x, num(f, -4)), "x <= -4");
    prints(smt_ne(c, f->x, f->y), "x != y");
    prints(smt_eq(c, smt_mod(c, f->x, num(f, 64)), num(f, 0)), "x % 64 == 0");
    prints(smt_div(c, f->x, smt_add(c, f->h, f->d)), "x / (H + D)");
    prints(smt_mod(c, smt_sub(c, f->x, f->y), f->h), "(x - y) % H");
    prints(smt_scale(c, smt_div(c, f->p, f->h), 4), "p / H * 4");
    prints(smt_mul(c, f->p, smt_div(c, f->p, f->h)), "p * (p / H)");
    prints(smt_neg(c, f->x), "-x");
    prints(smt_sub(c, num(f, 3), f->x), "3 - x");
    prints(smt_and(c, smt_lt(c, f->x, f->y), smt_lt(c, f->y, row)), "x < y && y < p + H * b");
}

static void test_too_big(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_int big = (smt_int)1 << 100;
    smt_t product = smt_mul(c, smt_scale(c, f->x, big), num(f, big));
    assert_int_equal(product->kind, SMT_VAR);
    assert_true(product->low == SMT_NO_LOW && product->high == SMT_NO_HIGH);
    smt_t p = f->p;
    for (int i = 0; i < 7; i++)
        p = smt_mul(c, p, p); /* p^128 */
    assert_true(p->low == 0 && p->high == SMT_NO_HIGH);
}

static bool lookup_one(void *user, smt_t variable, size_t n, const smt_int *args, smt_int *value)
{
    (void)user, (void)variable, (void)n, (void)args;
    *value = 1;
    return true;
}

/* 100,000 levels: nothing here may go deep into the C stack. */
static void test_deep(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t deep = f->x, condition = smt_bvar(c, "q?");
    for (int i = 0; i < 100000; i++) {
        smt_t three = num(f, 3);
        switch (i % 4) {
        case 0:
            deep = smt_mod(c, smt_add(c, smt_scale(c, deep, 2), f->y), f->n);
            break;
        case 1:
            deep = smt_ite(c, smt_lt(c, deep, f->y), f->p, deep);
            break;
        case 2:
            deep = smt_app(c, "load", 1, &deep, 0, 100);
            break;
        default:
            deep = smt_div(c, smt_add(c, smt_mul(c, deep, f->x), three), f->d);
            break;
        }
        if (i % 10 == 0)
            condition = smt_or(c, smt_and(c, condition, smt_lt(c, deep, f->y)),
                               smt_bvar(c, i % 20 == 0 ? "r?" : "s?"));
    }
    smt_int value;
    assert_true(smt_eval(deep, lookup_one, NULL, &value));
    smt_t other = smt_substitute(c, deep, 1, &f->x, &f->y);
    assert_false(smt_contains(other, f->x));
    smt_t flipped = smt_not(c, condition);
    assert_ptr_equal(smt_not(c, flipped), condition);
    tr_text text = {0};
    smt_print_smtlib(&text, smt_eq(c, deep, f->y));
    assert_true(text.length > 100000);
    tr_text_clear(&text);
    smt_print_c(&text, deep);
    assert_true(text.length < 1 << 20);
    tr_text_free(&text);
}

/* A term whose tree has 2^200 nodes. */
static void test_shared(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t shared = f->x;
    for (int i = 0; i < 200; i++)
        shared = smt_div(c, smt_add(c, smt_mod(c, shared, f->n), smt_div(c, shared, f->d)), f->h);
    tr_text text = {0};
    smt_print_smtlib(&text, shared);
    assert_true(text.length < 100000);
    tr_text_clear(&text);
    smt_print_c(&text, shared);
    assert_true(text.length < 200000);
    tr_text_free(&text);
    smt_int value;
    assert_true(smt_eval(shared, lookup_one, NULL, &value));
}

static smt_t suffix(void *user, smt_ctx *ctx, smt_t term)
{
    (void)user;
    char name[64];
    snprintf(name, sizeof name, "%s!2", term->name);
    if (term->kind == SMT_APP && strcmp(term->name, "load") == 0)
        return smt_app(ctx, name, term->n_args, term->args, term->low, term->high);
    if (term->kind == SMT_VAR && strcmp(term->name, "p") == 0)
        return smt_var(ctx, name, term->low, term->high);
    return NULL;
}

static void test_map(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t load = smt_app(c, "load", 1, &f->p, 0, 10);
    smt_t term = smt_add(c, smt_mul(c, load, f->h), f->p);
    smt_t p2 = smt_var(c, "p!2", 0, 1 << 30);
    smt_t load2 = smt_app(c, "load!2", 1, &p2, 0, 10);
    assert_ptr_equal(smt_map(c, term, suffix, NULL), smt_add(c, smt_mul(c, load2, f->h), p2));
    assert_int_equal((long)load2->high, 10);
}

/* Divisors are 1 at least, also of divisions inside each other; and a chain of them, in which each
 * stands twice in the next, takes no more work than it has parts. */
static void test_changes(void **state)
{
    enum { CHAIN = 60, MOST_STEPS = 100 * 1000 };
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    smt_t x = smt_var(c, "x", 0, 1 << 20), y = smt_var(c, "y", 0, 7), d = smt_var(c, "d", 0, 9);
    smt_t positive = smt_max(c, d, smt_int_const(c, 1));
    smt_changes *changes = smt_changes_new(c, 1, &x, &y);
    smt_t inner = smt_div(c, x, d), outer = smt_mod(c, smt_add(c, inner, x), d);
    smt_t defined = smt_div(c, y, positive);
    assert_ptr_equal(smt_changed_where_defined(changes, inner), defined);
    assert_ptr_equal(smt_changed_where_defined(changes, outer),
                     smt_mod(c, smt_add(c, defined, y), positive));
    assert_ptr_equal(smt_changed_where_defined(changes, d), d);
    smt_t chain = x;
    smt_steps began = smt_steps_taken(c);
    for (int i = 0; i < CHAIN; i++) {
        chain = smt_div(c, smt_mul(c, chain, chain), smt_add(c, chain, d));
        assert_true(smt_changed_where_defined(changes, chain)->low >= SMT_NO_LOW);
    }
    assert_true(smt_steps_taken(c) - began < MOST_STEPS);
    smt_changes_free(changes);
}

static void test_smtlib_names(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx;
    tr_text text = {0};
    smt_t word = smt_var(c, "select", 0, 9), copy = smt_copy(c, smt_var(c, "bid.x", 0, 9), 1);
    smt_t odd = smt_var(c, "two words", 0, 9);
    smt_print_smtlib(&text, smt_add(c, smt_add(c, word, copy), odd));
    assert_string_equal(tr_text_get(&text), "(+ select! bid.x!1 |:two words|)");
    tr_text_free(&text);
}

/* A variable is its name, whether copies have their own, and of which copy it is. */
static void test_copies(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->ctx, *other = smt_ctx_new();
    smt_t shared = smt_var(c, "i", 0, 9), own = smt_private_var(c, "i", 0, 9);
    smt_t first = smt_copy(c, own, 1), second = smt_copy(c, own, 2), again = smt_copy(c, first, 2);
    smt_t all[] = {shared,
                   own,
                   first,
                   second,
                   again,
                   smt_copy(c, shared, 1),
                   smt_var(c, "i!1", 0, 9),
                   smt_copy(c, second, 1)};
    tr_text text = {0};
    smt_carry_terms(&text, c, TR_COUNT(all), all);
    tr_carried from = {smt_arena(other), text.data, text.data + text.length, true};
    smt_t read[TR_COUNT(all)];
    assert_true(smt_carried_terms(&from, other, TR_COUNT(all), read));
    tr_text_clear(&text);
    smt_t sum = smt_int_const(c, 0);
    for (size_t i = 0; i < TR_COUNT(all); i++) {
        sum = smt_add(c, sum, smt_scale(c, all[i], (smt_int)i + 2));
        assert_int_equal(read[i]->copy, all[i]->copy);
        assert_int_equal(read[i]->is_private, all[i]->is_private);
        for (size_t j = 0; j < i; j++)
            assert_true(all[i] != all[j] && read[i] != read[j]);
    }
    assert_int_equal(sum->n_args, TR_COUNT(all));
    assert_int_equal(smt_copy_number(shared), 0);
    assert_int_equal(smt_copy_number(again), 2);
    assert_ptr_equal(smt_copy(c, own, 1), first);
    assert_true(smt_renamed(c, first, "j", 0, 9)->is_private);
    assert_int_equal(smt_renamed(c, first, "j", 0, 9)->copy, 1);
    /* As a solver reads it, too, each has a name of its own. */
    const char *names[TR_COUNT(all)];
    size_t n = 0;
    smt_print_smtlib(&text, sum);
    for (char *word = strtok(text.data, " ()"); word; word = strtok(NULL, " ()"))
        if (*word == 'i') {
            assert_true(n < TR_COUNT(names));
            names[n++] = word;
        }
    assert_int_equal(n, TR_COUNT(names));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(names[i], names[j]);
    tr_text_free(&text);
    smt_ctx_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_values),
        cmocka_unit_test(test_random_substitution),
        cmocka_unit_test_setup_teardown(test_polynomials, setup, teardown),
        cmocka_unit_test_setup_teardown(test_division_by_constants, setup, teardown),
        cmocka_unit_test_setup_teardown(test_division_by_symbols, setup, teardown),
        cmocka_unit_test_setup_teardown(test_booleans, setup, teardown),
        cmocka_unit_test_setup_teardown(test_min_max, setup, teardown),
        cmocka_unit_test_setup_teardown(test_choices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_printing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_big, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deep, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shared, setup, teardown),
        cmocka_unit_test_setup_teardown(test_map, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_smtlib_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copies, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
