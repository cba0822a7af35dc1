/* Numbers that are cut to fewer bits, and numbers whose bits are read in another way: each has the
 * value of the machine, and what a cut left is remembered as that. */
#include "index_space/walk.h"

#include "base/ds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { BITS = 8, ALL = 1 << BITS, HALF = ALL / 2 };
enum { NUMBERS, POINTERS, OTHER, REGIONS, N_ALLOCATIONS }; /* tables, and the arrays of a table */

typedef struct sketch {
    smt_ctx *ctx;
    tr_arena *arena;
    contract *c;
    summary s;
    ix_walk walk;
    ix_allocation allocations[N_ALLOCATIONS];
    smt_t x, y, one;
    smt_int x_value, y_value, element; /* of x, of y, of every element of a table */
    smt_int low;                       /* what the lower bits of an unknown number are */
} sketch;

static smt_t number(sketch *k, smt_int value)
{
    return smt_int_const(k->ctx, value);
}

static int open_sketch(void **state)
{
    sketch *k = test_calloc(1, sizeof *k);
    k->ctx = smt_ctx_new();
    k->arena = tr_arena_new();
    k->c = contract_new(k->ctx, "sketch", 3);
    static const char *const names[] = {"numbers", "pointers", "other"};
    for (int i = 0; i < 3; i++) {
        k->c->args[i] = (contract_arg){.name = names[i], .kind = CONTRACT_POINTER};
        k->allocations[i] = (ix_allocation){.name = names[i], .first_arg = i};
    }
    k->allocations[REGIONS] = (ix_allocation){IX_REGIONS, "arrays", -1, .table = POINTERS};
    smt_t any = smt_bool_const(k->ctx, true);
    k->s = (summary){.ctx = k->ctx,
                     .contract = k->c,
                     .launch = any,
                     .n_allocations = N_ALLOCATIONS,
                     .allocations = k->allocations};
    for (int i = 0; i < 3; i++) {
        arrput(k->s.content_names, names[i]);
        arrput(k->s.content_allocation, i);
        arrput(k->s.content_width, 8);
    }
    k->walk = (ix_walk){.s = &k->s, .arena = k->arena, .ctx = k->ctx, .path = any, .facts = any};
    k->x = smt_var(k->ctx, "x", -ALL, ALL);
    k->y = smt_var(k->ctx, "y", -ALL, ALL);
    k->one = number(k, 1);
    *state = k;
    return 0;
}

static int close_sketch(void **state)
{
    sketch *k = *state;
    arrfree(k->s.content_names);
    arrfree(k->s.content_allocation);
    arrfree(k->s.content_width);
    arrfree(k->s.cuts);
    smt_ctx_free(k->ctx);
    tr_arena_free(k->arena);
    test_free(k);
    return 0;
}

/* An element of the table of that number, of a type of so many bits. */
static smt_t element(sketch *k, int table, smt_t at, int bits)
{
    smt_int half = (smt_int)1 << (bits - 1);
    return smt_app(k->ctx, k->s.content_names[table], 1, &at, -half, half - 1);
}

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const sketch *k = user;
    (void)args;
    *value = term == k->x ? k->x_value : term == k->y ? k->y_value : k->element;
    if (n_args > 0 && strncmp(term->name, "low.", 4) == 0)
        *value = k->low;
    else if (term->low == 0)
        *value = 0; /* what a loop counts */
    return true;
}

static smt_int value_of(sketch *k, smt_t term)
{
    smt_int value = 0;
    assert_true(smt_eval(term, look_up, k, &value));
    return value;
}

/* ---- Section: read as unsigned ---- */

static const smt_int samples[] = {-256, -255, -200, -129, -128, -127, -100, -17, -16, -3,
                                  -2,   -1,   0,    1,    2,    3,    5,    16,  51,  64,
                                  99,   100,  101,  126,  127,  128,  129,  200, 254, 255};

/* Where the term is a number of the type, the bits are those of the machine. */
static void expect_bits(sketch *k, smt_t term)
{
    smt_t read = ix_as_unsigned(&k->walk, term, BITS);
    for (size_t i = 0; i < TR_COUNT(samples) * TR_COUNT(samples); i++) {
        k->x_value = samples[i % TR_COUNT(samples)];
        k->y_value = samples[i / TR_COUNT(samples)];
        smt_int is = value_of(k, term);
        if (is >= -HALF && is < HALF)
            assert_int_equal(value_of(k, read), (uint8_t)is);
    }
}

static smt_t part_of(sketch *k, int kind)
{
    static const smt_int moduli[] = {ALL, 2 * ALL, HALF, 100, 85, 64, 16, 3};
    if (kind < (int)TR_COUNT(moduli))
        return smt_mod(k->ctx, k->x, number(k, moduli[kind]));
    if (kind == (int)TR_COUNT(moduli))
        return smt_div(k->ctx, k->x, number(k, 3));
    return kind == (int)TR_COUNT(moduli) + 1 ? k->x
                                             : smt_mod(k->ctx, k->x, smt_max(k->ctx, k->y, k->one));
}

enum { N_PARTS = 11 };

static void sums_of_remainders_keep_their_bits(void **state)
{
    sketch *k = *state;
    static const smt_int factors[] = {1, 2, 3, 4, 16, -1, -2}, more[] = {0, -1, -64, -128, -129};
    for (int part = 0; part < N_PARTS; part++)
        for (size_t f = 0; f < TR_COUNT(factors); f++)
            for (size_t m = 0; m < TR_COUNT(more); m++) {
                smt_t term = smt_add(k->ctx, smt_scale(k->ctx, part_of(k, part), factors[f]),
                                     number(k, more[m]));
                expect_bits(k, term);
                expect_bits(k, smt_add(k->ctx, term, k->y));
                expect_bits(k, smt_sub(k->ctx, term, smt_mod(k->ctx, k->y, number(k, ALL))));
            }
}

/* What only looks like a remainder: one of an unknown number, one by 0, an element. */
static void other_terms_keep_their_bits(void **state)
{
    sketch *k = *state;
    smt_t by_zero = smt_mod(k->ctx, k->x, number(k, 0));
    assert_non_null(ix_as_unsigned(&k->walk, smt_sub(k->ctx, by_zero, number(k, HALF)), BITS));
    smt_t at = smt_mod(k->ctx, k->x, number(k, ALL));
    for (k->element = -HALF; k->element < HALF; k->element++)
        expect_bits(k, element(k, NUMBERS, at, BITS));
}

/* A number that was cut twice is cut once, whatever the type between. */
static void cuts_of_cuts_keep_their_bits(void **state)
{
    sketch *k = *state;
    for (int between = 2; between <= 16; between++)
        for (int bits = 2; bits <= 16; bits++) {
            smt_t scaled = smt_scale(k->ctx, k->x, 300);
            smt_t once = ix_wrap(&k->walk, scaled, between);
            smt_t sum = smt_add(k->ctx, once, smt_mod(k->ctx, k->y, number(k, ALL)));
            smt_t term = ix_wrap(&k->walk, sum, bits);
            for (size_t i = 0; i < TR_COUNT(samples); i++) {
                k->x_value = samples[i];
                k->y_value = samples[TR_COUNT(samples) - 1 - i];
                uint64_t is = (uint64_t)value_of(k, sum) << (64 - bits);
                assert_int_equal(value_of(k, term), (int64_t)is >> (64 - bits));
            }
        }
}

/* ---- Section: read as signed ---- */

/* Is the term left as it is, since something else says that it is in the signed range? */
static bool is_left(sketch *k, smt_t term)
{
    smt_t read = ix_as_signed(&k->walk, term, BITS);
    if (read == term)
        return true;
    for (size_t i = 0; i < TR_COUNT(samples); i++) {
        k->x_value = k->element = samples[i];
        assert_int_equal(value_of(k, read), (int8_t)value_of(k, term));
    }
    return false;
}

static void only_what_is_guarded_stays(void **state)
{
    sketch *k = *state;
    smt_ctx *ctx = k->ctx;
    smt_t wide = k->x, yes = smt_lt(ctx, k->y, k->one);
    smt_t counted = smt_private_var(ctx, "loop@1", 0, SMT_NO_HIGH);
    smt_t exit = smt_app(ctx, IX_EXIT "4", 1, &k->y, 0, 2 * ALL);
    smt_t other = smt_app(ctx, "existing", 1, &k->y, 0, 2 * ALL);
    assert_false(is_left(k, wide));
    assert_true(is_left(k, counted));
    assert_true(is_left(k, exit));
    assert_false(is_left(k, other));
    assert_true(is_left(k, smt_add(ctx, wide, k->one)));
    assert_true(is_left(k, element(k, NUMBERS, k->y, 32)));
    assert_true(is_left(k, element(k, OTHER, k->y, 32)));
    assert_false(is_left(k, element(k, POINTERS, k->y, 32)));
    assert_true(is_left(k, smt_ite(ctx, yes, counted, exit)));
    assert_false(is_left(k, smt_ite(ctx, yes, counted, wide)));
    assert_false(is_left(k, smt_ite(ctx, yes, wide, counted)));
}

/* ---- Section: the lower bits ---- */

enum { CUT = 32 };

/* The fact about the lower bits of an element is true of the machine's bits, and says that those of
 * a number of the type are that number. */
static void facts_of_cut_elements(void **state)
{
    sketch *k = *state;
    smt_int half = (smt_int)1 << (CUT - 1);
    const smt_int values[] = {0,        1,         -1,           half - 1,      half,    half + 1,
                              -half,    -half - 1, 2 * half - 1, 2 * half,      7,       -7,
                              3 * half, -3 * half, -2 * half,    -2 * half - 1, 1 - half};
    k->c->args[POINTERS].contents.min = number(k, 0);
    smt_t term = element(k, POINTERS, k->y, 64);
    smt_t low = ix_cut(&k->walk, term, CUT, true);
    assert_true(low->low == -half && low->high == half - 1);
    for (size_t i = 0; i < TR_COUNT(values); i++) {
        smt_int is = values[i], cut = (int32_t)(uint32_t)(uint64_t)(int64_t)is, fact = 0;
        k->element = is;
        k->low = cut;
        assert_true(smt_eval(k->walk.facts, look_up, k, &fact) && fact == 1);
        k->low = cut == 5 ? 6 : 5;
        assert_true(smt_eval(k->walk.facts, look_up, k, &fact));
        assert_int_equal(fact, is < -half || is >= half);
    }
}

/* Facts that were known stay. */
static void facts_are_added(void **state)
{
    sketch *k = *state;
    smt_t known = smt_lt(k->ctx, k->x, k->y);
    k->walk.facts = known;
    k->c->args[POINTERS].contents.max = number(k, 100);
    ix_cut(&k->walk, element(k, POINTERS, k->y, 64), CUT, true);
    assert_true(smt_contains(k->walk.facts, k->x));
    k->x_value = k->y_value = k->element = k->low = 0;
    assert_false(value_of(k, k->walk.facts));
}

/* ---- Section: what a cut left ---- */

static smt_t remainder_of(smt_t term)
{
    return term->kind == SMT_SUM ? term->args[0] : term;
}

static bool is_noted(sketch *k, smt_t term)
{
    smt_t remainder = remainder_of(term);
    assert_int_equal(remainder->kind, SMT_MOD);
    return summary_is_cut(&k->s, remainder);
}

/* A mask of an element, or of an element and a constant, is a cut; one of anything else is not. */
static void masks_of_elements_are_cuts(void **state)
{
    sketch *k = *state;
    for (int table = 0; table < REGIONS; table++)
        for (int what = 0; what < 5; what++) {
            smt_t one = element(k, table, k->x, BITS), two = element(k, table, k->y, BITS);
            smt_t of = what == 0   ? one
                       : what == 1 ? smt_add(k->ctx, one, k->one)
                       : what == 2 ? smt_add(k->ctx, one, two)
                       : what == 3 ? k->x
                                   : smt_add(k->ctx, k->x, k->one);
            smt_t masked = smt_mod(k->ctx, of, number(k, 16));
            ix_note_mask(&k->walk, masked);
            assert_int_equal(is_noted(k, masked), what < 2);
        }
    size_t n = arrlenu(k->s.cuts);
    ix_note_mask(&k->walk, k->x); /* no remainder at all */
    assert_int_equal(arrlenu(k->s.cuts), n);
}

/* What is read of a cut is a cut; what is read of another remainder is none. */
static void readings_of_cuts_are_cuts(void **state)
{
    sketch *k = *state;
    for (int bits = 8; bits <= 32; bits *= 2) {
        smt_t wide = smt_scale(k->ctx, smt_add(k->ctx, k->x, number(k, bits)), 1234567891);
        smt_t other = smt_add(k->ctx, wide, k->one);
        smt_t cut = ix_cut(&k->walk, wide, bits, true), wrapped = ix_wrap(&k->walk, other, bits);
        assert_int_equal(is_noted(k, cut), bits < 32);
        assert_int_equal(is_noted(k, ix_as_unsigned(&k->walk, cut, bits)), bits < 32);
        assert_false(is_noted(k, wrapped));
        assert_false(is_noted(k, ix_as_unsigned(&k->walk, wrapped, bits)));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_sketch, close_sketch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sums_of_remainders_keep_their_bits),
        TEST(other_terms_keep_their_bits),
        TEST(cuts_of_cuts_keep_their_bits),
        TEST(only_what_is_guarded_stays),
        TEST(facts_of_cut_elements),
        TEST(facts_are_added),
        TEST(masks_of_elements_are_cuts),
        TEST(readings_of_cuts_are_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
