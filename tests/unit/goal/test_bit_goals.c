/* Goals of bit patterns that are too wide to be tried: what solving their equations bit by bit
 * finds, and where there is nothing to find. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../terms/event_var.h"
#include "base/ds.h"
#include "goal/gf2.h"
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

enum { WIDTH = 64 };

static const smt_int wide = (smt_int)1 << 40;

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

static smt_t mask(smt_ctx *c, smt_t x, smt_int bits)
{
    return smt_bits(c, SMT_BITS_AND, WIDTH, x, number(c, bits));
}

static smt_t xor_of(smt_ctx *c, smt_t x, smt_t y)
{
    return smt_bits(c, SMT_BITS_XOR, WIDTH, x, y);
}

static smt_verdict verdict_of(smt_ctx *c, size_t n, const smt_t *facts)
{
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
    smt_verdict verdict = smt_check(prover, n, facts, 300000, "bits").verdict;
    smt_prover_free(prover);
    return verdict;
}

/* No bit of the one half is set, and the other half is the same. */
static void test_no_bit_set(void **state)
{
    (void)state;
    const smt_int half = 0x5555555555, whole = wide - 1;
    for (int same = 0; same < 2; same++) {
        smt_ctx *c = smt_ctx_new();
        smt_t x = event_var(c, "x!1", 0, whole), y = event_var(c, "x!2", 0, whole);
        smt_t facts[] = {smt_eq(c, mask(c, x, half), number(c, 0)),
                         smt_eq(c, mask(c, y, half), number(c, 0)),
                         smt_eq(c, mask(c, x, whole - half), mask(c, y, whole - half)),
                         same ? smt_eq(c, x, y) : smt_ne(c, x, y)};
        assert_int_equal(verdict_of(c, 4, facts), same ? SMT_SAT : SMT_UNSAT);
        /* Without the first fact there may be such a bit. */
        assert_int_not_equal(verdict_of(c, 3, facts + 1), SMT_UNSAT);
        smt_ctx_free(c);
    }
}

/* Two of the lowest bits are moved above all others: one-to-one, and what is masked has no more
 * bits than the mask, or the highest would not fit. */
static void test_bits_moved_up(void **state)
{
    (void)state;
    const smt_int moved = 5, most = wide - 1;
    smt_ctx *c = smt_ctx_new();
    smt_t x[2] = {event_var(c, "x!1", 0, most), event_var(c, "x!2", 0, most)}, made[2];
    for (int i = 0; i < 2; i++)
        made[i] = xor_of(c, smt_scale(c, mask(c, x[i], moved), wide), mask(c, x[i], most - moved));
    smt_t facts[] = {smt_eq(c, made[0], made[1]), smt_ne(c, x[0], x[1])};
    assert_int_equal(verdict_of(c, 2, facts), SMT_UNSAT);
    smt_ctx_free(c);
}

/* A number that may be negative has bits that nothing is known of, and not none. */
static void test_negative_numbers(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = event_var(c, "x", -8, 7), y = event_var(c, "y", 0, 15), w = event_var(c, "w", 0, 15);
    smt_t four = number(c, 4);
    smt_t facts[] = {smt_eq(c, xor_of(c, x, y), w), smt_ne(c, y, w)};
    assert_int_equal(verdict_of(c, 2, facts), SMT_SAT);
    facts[0] = smt_eq(c, xor_of(c, y, x), w);
    assert_int_equal(verdict_of(c, 2, facts), SMT_SAT);
    smt_t flipped[] = {smt_eq(c, xor_of(c, x, four), xor_of(c, y, w)),
                       smt_eq(c, xor_of(c, y, w), number(c, 3)), smt_ne(c, y, w)};
    assert_int_equal(verdict_of(c, 3, flipped), SMT_SAT);
    smt_ctx_free(c);
}

static bool has_fact(const smt_goal *goal, smt_t fact)
{
    for (size_t i = 0; i < arrlenu(goal->facts); i++)
        if (goal->facts[i] == fact)
            return true;
    return false;
}

/* What can only be 0 has no bits. */
static void test_nothing_mixed_in(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = event_var(c, "x", 0, wide), y = event_var(c, "y", 0, wide),
          none = event_var(c, "z", 0, 0);
    smt_t fact = smt_eq(c, xor_of(c, x, none), y);
    smt_goal goal;
    smt_goal_init(&goal, 1, &fact);
    assert_true(smt_goal_solve_bits(c, &goal));
    assert_true(has_fact(&goal, smt_eq(c, x, y)));
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

/* Of more terms than are looked at nothing is found out, and nothing else happens. */
static void test_many_terms(void **state)
{
    (void)state;
    enum { MANY = 700 };
    smt_ctx *c = smt_ctx_new();
    smt_t facts[MANY];
    for (int i = 0; i < MANY; i++) {
        tr_text name = {0};
        tr_text_addf(&name, "x%d", i);
        smt_t x = event_var(c, tr_text_get(&name), 0, wide);
        tr_text_free(&name);
        facts[i] = smt_eq(c, xor_of(c, x, event_var(c, "y", 0, wide)), number(c, i + 1));
    }
    smt_goal goal;
    smt_goal_init(&goal, MANY, facts);
    assert_false(smt_goal_solve_bits(c, &goal));
    assert_false(goal.is_false);
    assert_int_equal(arrlenu(goal.facts), MANY);
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

/* x ^ c == y ^ c of 8 bits says x == y of numbers of 8 bits alone: of larger and of smaller ones
 * other bits may differ. On either side of the equation, and on either end of the range. */
static void test_common_operand(void **state)
{
    (void)state;
    static const smt_int ranges[][2] = {
        {-128, 127}, {-256, 127}, {-129, 127}, {-128, 128}, {-128, 255}};
    for (size_t of_x = 0; of_x < 5; of_x++)
        for (size_t of_y = 0; of_y < 5; of_y++)
            for (int turned = 0; turned < 2; turned++) {
                smt_ctx *c = smt_ctx_new();
                smt_t x = event_var(c, "x", ranges[of_x][0], ranges[of_x][1]);
                smt_t y = event_var(c, "y", ranges[of_y][0], ranges[of_y][1]);
                smt_t z = event_var(c, "z", -128, 127);
                smt_t a = smt_bits(c, SMT_BITS_XOR, 8, x, z);
                smt_t b = smt_bits(c, SMT_BITS_XOR, 8, y, z);
                smt_t fact = turned ? smt_eq(c, b, a) : smt_eq(c, a, b);
                smt_goal goal;
                smt_goal_init(&goal, 1, &fact);
                smt_goal_solve_bits(c, &goal);
                assert_int_equal(has_fact(&goal, smt_eq(c, x, y)), of_x == 0 && of_y == 0);
                smt_goal_free(&goal);
                smt_ctx_free(c);
            }
}

/* Bits of a number that may be negative, `-1 & 7`, are as many as the type has: the other operand
 * bounds them where neither may be negative. In both orders. */
static void test_width_of_negative(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++)
        for (int op = 0; op < 2; op++) {
            smt_ctx *c = smt_ctx_new();
            smt_bits_op which = op ? SMT_BITS_AND : SMT_BITS_XOR;
            smt_t a = event_var(c, "a", -8, 1), b = event_var(c, "b", 0, 7);
            smt_t made = turned ? smt_bits(c, which, 8, b, a) : smt_bits(c, which, 8, a, b);
            smt_t fact = smt_eq(c, made, number(c, op ? 7 : -8));
            assert_int_not_equal(verdict_of(c, 1, &fact), SMT_UNSAT);
            smt_ctx_free(c);
        }
    smt_ctx *c = smt_ctx_new();
    smt_t a = event_var(c, "a", 0, 1), b = event_var(c, "b", 0, 7);
    smt_t facts[] = {smt_eq(c, smt_bits(c, SMT_BITS_AND, 8, a, b), number(c, 2)),
                     smt_eq(c, smt_bits(c, SMT_BITS_OR, 8, a, b), number(c, 8))};
    assert_int_equal(verdict_of(c, 1, facts), SMT_UNSAT);
    assert_int_equal(verdict_of(c, 1, facts + 1), SMT_UNSAT);
    facts[0] = smt_eq(c, smt_bits(c, SMT_BITS_AND, 8, a, b), number(c, 1));
    facts[1] = smt_eq(c, smt_bits(c, SMT_BITS_OR, 8, a, b), number(c, 7));
    assert_int_not_equal(verdict_of(c, 1, facts), SMT_UNSAT);
    assert_int_not_equal(verdict_of(c, 1, facts + 1), SMT_UNSAT);
    smt_ctx_free(c);
}

/* Of operands that are not negative the result has no more bits than they have: an operand may be 0
 * for that, and a mask that is 0 leaves no bit. */
static void test_natural_ranges(void **state)
{
    (void)state;
    static const struct {
        smt_int a, b, least, most; /* the greatest that the operands and the results may be */
    } rows[] = {{1, 7, 1, 7}, {7, 7, 7, 7}, {8, 3, 3, 15}, {0, 7, 0, 7}};
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        for (int turned = 0; turned < 2; turned++) {
            smt_ctx *c = smt_ctx_new();
            smt_t x = event_var(c, "x", 0, turned ? rows[i].b : rows[i].a);
            smt_t y = event_var(c, "y", 0, turned ? rows[i].a : rows[i].b);
            for (int op = SMT_BITS_AND; op <= SMT_BITS_XOR; op++) {
                smt_t made = smt_bits(c, (smt_bits_op)op, 8, x, y);
                assert_true(made->low == 0);
                assert_true(made->high == (op == SMT_BITS_AND ? rows[i].least : rows[i].most));
            }
            smt_ctx_free(c);
        }
}

/* A remainder by a power of two is the low bits, a quotient the others: where both are the same of
 * x ^ z and y ^ z, x is y. One of them is not enough. */
static void test_remainder_and_quotient(void **state)
{
    (void)state;
    const smt_int half = (smt_int)1 << 20;
    for (int left_out = 0; left_out < 3; left_out++) {
        smt_ctx *c = smt_ctx_new();
        smt_t x = event_var(c, "x", 0, wide - 1), y = event_var(c, "y", 0, wide - 1);
        smt_t z = event_var(c, "z", 0, wide - 1), u = xor_of(c, x, z), v = xor_of(c, y, z);
        smt_t facts[] = {smt_eq(c, smt_mod(c, u, number(c, half)), smt_mod(c, v, number(c, half))),
                         smt_eq(c, smt_div(c, u, number(c, half)), smt_div(c, v, number(c, half)))};
        smt_goal goal;
        smt_goal_init(&goal, left_out < 2 ? 1 : 2, left_out == 0 ? facts + 1 : facts);
        smt_goal_solve_bits(c, &goal);
        assert_int_equal(has_fact(&goal, smt_eq(c, x, y)), left_out == 2);
        smt_goal_free(&goal);
        smt_ctx_free(c);
    }
}

/* One bit turned is written as a choice, and yet it is that number's bits but for one, and the bits
 * of no other number that stands before it. */
static void test_turned_bit(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++)
        for (int before = 0; before < 2; before++) {
            smt_ctx *c = smt_ctx_new();
            smt_t first = event_var(c, "first", 0, wide - 1), x = event_var(c, "x", 0, wide - 1);
            smt_t z = event_var(c, "z", 0, wide - 1), w = event_var(c, "w", 0, wide - 1);
            smt_t turned = xor_of(c, x, number(c, 4));
            smt_t mixed = before ? xor_of(c, first, z) : xor_of(c, x, z);
            smt_t facts[] = {smt_eq(c, mixed, w), smt_eq(c, xor_of(c, turned, z),
                                                         same ? w : xor_of(c, w, number(c, 4)))};
            smt_goal goal;
            smt_goal_init(&goal, 2, facts);
            smt_goal_solve_bits(c, &goal);
            /* (x ^ 4) ^ z is w ^ 4 where x ^ z is w, and so never w itself. */
            assert_int_equal(goal.is_false, same && !before);
            smt_goal_free(&goal);
            smt_ctx_free(c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_bit_set),
        cmocka_unit_test(test_bits_moved_up),
        cmocka_unit_test(test_negative_numbers),
        cmocka_unit_test(test_nothing_mixed_in),
        cmocka_unit_test(test_many_terms),
        cmocka_unit_test(test_common_operand),
        cmocka_unit_test(test_width_of_negative),
        cmocka_unit_test(test_natural_ranges),
        cmocka_unit_test(test_remainder_and_quotient),
        cmocka_unit_test(test_turned_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
