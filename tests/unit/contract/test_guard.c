/* Launch guards: each kind of precondition with launches that keep it, break it, and leave it open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "contract/guard.h"
#include "contract/launch_file.h"

enum { ROW, LEN, OUT, TABLE, N, K, N_PARAMS };

static const launch_param params[N_PARAMS] = {
    [ROW] = {.name = "row",
             .kind = CONTRACT_POINTER,
             .element = LAUNCH_ELEMENT_INTEGER,
             .element_bytes = 4},
    [LEN] = {.name = "len",
             .kind = CONTRACT_POINTER,
             .element = LAUNCH_ELEMENT_INTEGER,
             .element_bytes = 4},
    [OUT] = {.name = "out", .kind = CONTRACT_POINTER, .element_bytes = 4},
    [TABLE] = {.name = "table",
               .kind = CONTRACT_POINTER,
               .element = LAUNCH_ELEMENT_INTEGER,
               .element_bytes = 8},
    [N] = {.name = "n", .kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true},
    [K] = {.name = "K", .kind = CONTRACT_SCALAR, .bits = 64, .is_signed = true},
};
static const launch_kernel kernel = {"k", "k", true, N_PARAMS, params};
static const guard_elements pointees[N_PARAMS] = {[ROW] = {.bytes = 4, .are_integers = true},
                                                  [LEN] = {.bytes = 4, .are_integers = true},
                                                  [OUT] = {.bytes = 2},
                                                  [TABLE] = {.bytes = 8, .are_integers = true}};

typedef struct fixture {
    smt_ctx *ctx;
    contract *c;
    smt_t n, k, grid;
    /* The launch that is asked about. */
    int64_t scalars[N_PARAMS];
    guard_buffer buffers[N_PARAMS];
    const void *contents[N_PARAMS];
    uint64_t bytes[N_PARAMS];
    guard_launch launch;
    guard_result result;
} fixture;

static const void *contents_of(void *user, size_t arg, uint64_t *bytes)
{
    fixture *f = user;
    *bytes = f->bytes[arg];
    return f->contents[arg];
}

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){.ctx = smt_ctx_new()};
    f.c = launch_default_contract(f.ctx, &kernel);
    contract_settle_ranges(f.ctx, f.c, NULL);
    f.n = contract_param(f.ctx, f.c, N);
    f.k = contract_param(f.ctx, f.c, K);
    f.grid = contract_grid(f.ctx, 0);
    for (size_t i = 0; i < N; i++)
        f.buffers[i] =
            (guard_buffer){.address = 0x1000 * (i + 1), .bytes_known = true, .bytes = 0x100};
    f.launch = (guard_launch){.grid = {4, 1, 1},
                              .n_args = N_PARAMS,
                              .scalars = f.scalars,
                              .buffers = f.buffers,
                              .contents = contents_of,
                              .user = &f};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    contract_free(f->c);
    smt_ctx_free(f->ctx);
    return 0;
}

static guard_answer ask(fixture *f, const precondition *p)
{
    const precondition *const all[] = {p};
    const guard *g = guard_new(f->ctx, f->c, pointees, 1, all);
    guard_answer answer = guard_check(g, &f->launch, &f->result, NULL);
    assert_int_equal(answer, f->result.answer);
    return answer;
}

static void put(fixture *f, size_t arg, size_t n, const int32_t *elements)
{
    f->contents[arg] = elements;
    f->bytes[arg] = n * sizeof *elements;
}

#define PUT(arg, ...)                                                                              \
    put(f, arg, sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t), (int32_t[]){__VA_ARGS__})

/* A word of 64 bits holds the unsigned numbers from 2^63 on. */
static void test_large_unsigned(void **state)
{
    fixture *f = *state;
    static const launch_param one = {
        .name = "u", .kind = CONTRACT_SCALAR, .bits = 64, .is_signed = false};
    static const launch_kernel of_one = {"k", "k", true, 1, &one};
    static const struct {
        int64_t word;
        guard_answer answer;
    } cases[] = {{0, GUARD_HOLDS},
                 {INT64_MAX, GUARD_HOLDS},
                 {INT64_MIN, GUARD_HOLDS},
                 {INT64_MIN + 1, GUARD_BROKEN},
                 {-1, GUARD_BROKEN}};
    contract *c = launch_default_contract(f->ctx, &of_one);
    contract_settle_ranges(f->ctx, c, NULL);
    smt_t most = smt_int_const(f->ctx, (smt_int)1 << 63);
    const precondition p = precondition_of_term(PRECONDITION_NO_WRAP,
                                                smt_le(f->ctx, contract_param(f->ctx, c, 0), most));
    const precondition *const all[] = {&p};
    const guard *g = guard_new(f->ctx, c, pointees, 1, all);
    f->launch.n_args = 1;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        f->scalars[0] = cases[i].word;
        assert_int_equal(guard_check(g, &f->launch, &f->result, NULL), cases[i].answer);
    }
    contract_free(c);
}

static void test_terms(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_term(PRECONDITION_GRID_BOUND, smt_le(f->ctx, f->grid, f->k));
    f->scalars[K] = 4;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[K] = 3;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    f->scalars[K] = -4;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
}

/* Products of large numbers are computed exactly, never modulo something. */
static void test_large_numbers(void **state)
{
    fixture *f = *state;
    smt_t product = smt_mul(f->ctx, f->k, f->n);
    precondition p = precondition_of_term(
        PRECONDITION_NO_WRAP,
        smt_le(f->ctx, product, smt_int_const(f->ctx, ((smt_int)1 << 63) - 1)));
    f->scalars[K] = (int64_t)1 << 62;
    f->scalars[N] = 1;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[N] = 4; /* 2^64, which is 0 in 64 bits */
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
}

static void test_a_divisor_of_zero_is_not_checked(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_term(PRECONDITION_GRID_BOUND,
                                          smt_le(f->ctx, f->grid, smt_div(f->ctx, f->k, f->n)));
    f->scalars[K] = 8;
    f->scalars[N] = 2;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[N] = 0;
    assert_int_equal(ask(f, &p), GUARD_NOT_CHECKED);
}

static void test_distinct_buffers(void **state)
{
    fixture *f = *state;
    const size_t args[] = {OUT};
    precondition p = precondition_of(PRECONDITION_DISTINCT_BUFFERS);
    p.n_args = 1;
    p.args = args;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->buffers[OUT].address = f->buffers[ROW].address + 0x100;
    assert_int_equal(ask(f, &p), GUARD_HOLDS); /* one behind the other */
    f->buffers[OUT].address--;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.args[0], OUT);
    assert_int_equal(f->result.args[1], ROW);
    f->buffers[OUT].bytes = 0;
    assert_int_equal(ask(f, &p), GUARD_HOLDS); /* nothing overlaps nothing */
    f->buffers[OUT].bytes_known = false;
    assert_int_equal(ask(f, &p), GUARD_NOT_CHECKED);
    f->buffers[OUT].address = f->buffers[ROW].address;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    f->buffers[OUT].address = 0;
    assert_int_equal(ask(f, &p), GUARD_HOLDS); /* a null pointer addresses nothing */
}

static void test_sizes(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of(PRECONDITION_IN_BOUNDS);
    p.subject = (precondition_subject){.kind = PRECONDITION_OF_BUFFER, .arg = ROW};
    p.elements = f->n;
    f->scalars[N] = 64;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[N] = 65;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    p.elements = NULL;
    p.bytes = f->n;
    f->scalars[N] = 256;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[N] = 257;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    f->buffers[ROW].bytes_known = false;
    assert_int_equal(ask(f, &p), GUARD_NOT_CHECKED);
    p.bytes = NULL;
    p.elements = f->n;
    p.subject.arg = OUT; /* floats of two bytes */
    f->scalars[N] = 128;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[N] = 129;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
}

static void test_unique(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, ROW);
    p.contents.unique = true;
    assert_int_equal(ask(f, &p), GUARD_NEEDS_CONTENTS);
    PUT(ROW, 3, 1, 2, -1, INT32_MIN);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    PUT(ROW, 3, 1, 2, -1, 1);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.elements[0], 1);
    assert_int_equal(f->result.elements[1], 4);
}

/* `unique` among the elements below n, as padding repeats. */
static void test_unique_when(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, ROW);
    p.contents.unique = true;
    p.contents.unique_when = smt_lt(f->ctx, contract_value(f->ctx), f->n);
    f->scalars[N] = 5;
    PUT(ROW, 5, 1, 5, 4, 5);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[N] = 6;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    p.contents.unique_when = smt_lt(f->ctx, contract_index(f->ctx), f->grid);
    PUT(ROW, 5, 1, 7, 4, 5);
    assert_int_equal(ask(f, &p), GUARD_HOLDS); /* the duplicate lies beyond the grid */
    f->launch.grid[0] = 5;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
}

static void test_tuples(void **state)
{
    fixture *f = *state;
    const size_t args[] = {ROW, LEN};
    precondition p = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, ROW);
    p.contents.unique = true;
    p.n_args = 2;
    p.args = args;
    PUT(ROW, 1, 1, 2, 2);
    assert_int_equal(ask(f, &p), GUARD_NEEDS_CONTENTS);
    PUT(LEN, 1, 2, 1, 2);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    PUT(LEN, 1, 2, 1, 1);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.elements[0], 2);
    assert_int_equal(f->result.elements[1], 3);
}

static void test_ranges(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_CONTENTS_RANGE, ROW);
    p.contents.min = smt_int_const(f->ctx, 0);
    p.contents.max = smt_sub(f->ctx, f->n, smt_int_const(f->ctx, 1));
    f->scalars[N] = 8;
    PUT(ROW, 0, 7, 3);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    PUT(ROW, 0, 7, 8);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.elements[0], 2);
    PUT(ROW, 0, -1, 3);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    p.contents.max = smt_mul(f->ctx, f->n, contract_index(f->ctx)); /* a bound that moves */
    PUT(ROW, 0, 8, 16);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    PUT(ROW, 1, 8, 16);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.elements[0], 0);
}

/* A bound above the signed range makes the elements unsigned. */
static void test_unsigned_elements(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_CONTENTS_RANGE, ROW);
    p.contents.min = smt_int_const(f->ctx, 0);
    p.contents.max = smt_int_const(f->ctx, 0xfffffffe);
    PUT(ROW, -2);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    PUT(ROW, -1);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
}

static void test_increasing(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_INCREASING_CONTENTS, ROW);
    p.contents.increasing = true;
    PUT(ROW, -3, 0, 0, 9);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    PUT(ROW, -3, 0, -1, 9);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.elements[0], 1);
    assert_int_equal(f->result.elements[1], 2);
}

static void test_prefix_sums(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_PREFIX_SUM, ROW);
    p.contents.prefix_sum_of = LEN;
    PUT(ROW, 0, 2, 2, 7);
    assert_int_equal(ask(f, &p), GUARD_NEEDS_CONTENTS);
    PUT(LEN, 2, 0, 5);
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    PUT(LEN, 2, 0, 4);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.elements[0], 3);
    PUT(LEN, 2, 0, 5);
    PUT(ROW, 1, 3, 3, 8);
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
}

static void test_regions(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_DISJOINT_REGIONS, TABLE);
    p.contents.regions = f->n;
    const int64_t entries[] = {0x5000, 0x4000, 0x4100};
    f->contents[TABLE] = entries;
    f->bytes[TABLE] = sizeof entries;
    f->scalars[N] = 0x100;
    assert_int_equal(ask(f, &p), GUARD_HOLDS);
    f->scalars[N] = 0x101;
    assert_int_equal(ask(f, &p), GUARD_BROKEN);
    assert_int_equal(f->result.elements[0], 1);
    assert_int_equal(f->result.elements[1], 2);
}

static void test_words_are_not_checked(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of(PRECONDITION_INDEX_IN_SPACE);
    p.words = "every index lies in its space";
    assert_int_equal(ask(f, &p), GUARD_NOT_CHECKED);
}

/* The worst of several is the answer, and each has its own. */
static void test_several(void **state)
{
    fixture *f = *state;
    precondition term =
        precondition_of_term(PRECONDITION_GRID_BOUND, smt_le(f->ctx, f->grid, f->k));
    precondition unique = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, ROW);
    unique.contents.unique = true;
    precondition words = precondition_of(PRECONDITION_INDEX_IN_SPACE);
    const precondition *const all[] = {&term, &unique, &words};
    const guard *g = guard_new(f->ctx, f->c, pointees, 3, all);
    guard_result results[3];
    f->scalars[K] = 4;
    assert_int_equal(guard_check(g, &f->launch, results, NULL), GUARD_NEEDS_CONTENTS);
    assert_int_equal(results[0].answer, GUARD_HOLDS);
    assert_int_equal(results[2].answer, GUARD_NOT_CHECKED);
    f->scalars[K] = 3;
    assert_int_equal(guard_check(g, &f->launch, results, NULL), GUARD_BROKEN);
    f->scalars[K] = 4;
    PUT(ROW, 0, 1);
    assert_int_equal(guard_check(g, &f->launch, results, NULL), GUARD_NOT_CHECKED);
}

/* 3 microseconds a launch are promised; ten times that fails, as machines are noisy. */
static void test_time(void **state)
{
    enum { N_TERMS = 12, ROUNDS = 20000 };
    fixture *f = *state;
    precondition p[N_TERMS];
    const precondition *all[N_TERMS];
    for (int i = 0; i < N_TERMS; i++) {
        smt_t size = smt_add(f->ctx, smt_mul(f->ctx, f->k, f->n), smt_int_const(f->ctx, 64 * i));
        p[i] = precondition_of_term(PRECONDITION_GRID_BOUND, smt_le(f->ctx, f->grid, size));
        all[i] = &p[i];
    }
    f->scalars[K] = 16;
    f->scalars[N] = 3;
    const guard *g = guard_new(f->ctx, f->c, pointees, N_TERMS, all);
    struct timespec begun, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
    for (int i = 0; i < ROUNDS; i++)
        assert_int_equal(guard_check(g, &f->launch, NULL, NULL), GUARD_HOLDS);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    double us =
        ((double)(ended.tv_sec - begun.tv_sec) * 1e9 + (double)(ended.tv_nsec - begun.tv_nsec)) /
        1e3 / ROUNDS;
    print_message("%.2f microseconds a launch of %d preconditions\n", us, N_TERMS);
    assert_true(us < 30);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_terms),
        TEST(test_large_unsigned),
        TEST(test_large_numbers),
        TEST(test_a_divisor_of_zero_is_not_checked),
        TEST(test_distinct_buffers),
        TEST(test_sizes),
        TEST(test_unique),
        TEST(test_unique_when),
        TEST(test_tuples),
        TEST(test_ranges),
        TEST(test_unsigned_elements),
        TEST(test_increasing),
        TEST(test_prefix_sums),
        TEST(test_regions),
        TEST(test_words_are_not_checked),
        TEST(test_several),
        TEST(test_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
