/* Multiples that were cut to a byte, read as unsigned numbers: the machine's bits, and one
 * remainder that a rule recognises. */
#include "index_space/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { BITS = 8, ALL = 1 << BITS };

typedef struct sketch {
    smt_ctx *ctx;
    summary s;
    ix_walk walk;
    smt_t x;
    smt_int value; /* of x */
} sketch;

static int open_sketch(void **state)
{
    sketch *k = test_calloc(1, sizeof *k);
    k->ctx = smt_ctx_new();
    smt_t any = smt_bool_const(k->ctx, true);
    k->s = (summary){.ctx = k->ctx, .launch = any};
    k->walk = (ix_walk){.s = &k->s, .ctx = k->ctx, .path = any, .facts = any};
    k->x = smt_var(k->ctx, "x", -2 * ALL, 2 * ALL);
    *state = k;
    return 0;
}

static int close_sketch(void **state)
{
    sketch *k = *state;
    smt_ctx_free(k->ctx);
    test_free(k);
    return 0;
}

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const sketch *k = user;
    (void)term, (void)n_args, (void)args;
    *value = k->value;
    return true;
}

static void look_for_choice(void *user, smt_t term)
{
    *(bool *)user |= term->kind == SMT_ITE;
}

static bool chooses(sketch *k, smt_t term)
{
    bool found = false;
    smt_visit(k->ctx, term, look_for_choice, &found);
    return found;
}

static void multiples_keep_their_bits(void **state)
{
    sketch *k = *state;
    for (smt_int factor = 1; factor < 20; factor++)
        for (smt_int more = -9; more < 9; more++) {
            smt_t exact =
                smt_add(k->ctx, smt_scale(k->ctx, k->x, factor), smt_int_const(k->ctx, more));
            smt_t read = ix_as_unsigned(&k->walk, ix_wrap(&k->walk, exact, BITS), BITS);
            assert_false(chooses(k, read));
            for (k->value = -ALL; k->value < ALL; k->value++) {
                smt_int value = -1;
                assert_true(smt_eval(read, look_up, k, &value));
                assert_int_equal(value, (uint8_t)(factor * k->value + more));
            }
        }
}

/* A remainder whose factor does not fill the type is no cut of it. */
static void other_multiples_are_chosen_by_sign(void **state)
{
    sketch *k = *state;
    for (smt_int factor = 1; factor < 8; factor++) {
        smt_t part = smt_mod(k->ctx, k->x, smt_int_const(k->ctx, 16));
        smt_t term = smt_add(k->ctx, smt_scale(k->ctx, part, factor), smt_int_const(k->ctx, -8));
        smt_t read = ix_as_unsigned(&k->walk, term, BITS);
        assert_true(chooses(k, read));
        for (k->value = -ALL; k->value < ALL; k->value++) {
            smt_int value = -1, low = (k->value % 16 + 16) % 16;
            assert_true(smt_eval(read, look_up, k, &value));
            assert_int_equal(value, (uint8_t)(factor * low - 8));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(multiples_keep_their_bits, open_sketch, close_sketch),
        cmocka_unit_test_setup_teardown(other_multiples_are_chosen_by_sign, open_sketch,
                                        close_sketch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
