/* Does a launch meet its contract? A witness is shown only where it does, so what is asked here is
 * mostly whether a launch that breaks one detail is sent away. */
#include "bench.h"
#include "launch/meets.h"

enum { ELEMENTS = 4 };

/* Launches of test_each_element, none of which meets what is stated. */
enum { BROKEN = 64 };

typedef void state_facts(bench *b);

/* A launch of a kernel of three buffers of 4 elements and of one number, n. */
typedef struct meets_case {
    const char *what;
    bool meets;
    state_facts *state;
    int32_t a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];
    int64_t n;
    int64_t skipped;           /* elements between the start of a's buffer and the argument */
    const interp_poke *poke;   /* over a's contents */
    int64_t blocks;            /* of the grid; 0: one */
    int64_t bytes;             /* of a's buffer that are known; 0: all */
    bool is_opaque, is_absent; /* a's contents: unknown; none given, so zero */
} meets_case;

static contract_contents *contents_of(bench *b, size_t i)
{
    return &b->c->args[i].contents;
}

static void nothing(bench *b)
{
    (void)b;
}

static void one_to_nine(bench *b)
{
    contents_of(b, 0)->min = num(b, 1);
    contents_of(b, 0)->max = num(b, 9);
}

static void not_negative(bench *b)
{
    contents_of(b, 0)->min = num(b, 0);
}

static void large_unsigned(bench *b)
{
    contents_of(b, 0)->min = num(b, 5);
    contents_of(b, 0)->max = num(b, 4000000000);
}

static void at_least_index(bench *b)
{
    contents_of(b, 0)->min = contract_index(b->ctx);
}

static void below_n(bench *b)
{
    contents_of(b, 0)->max = smt_sub(b->ctx, par(b, 3), num(b, 1));
}

static void even(bench *b) /* value <= 2 * (value / 2) */
{
    smt_t two = num(b, 2);
    contents_of(b, 0)->max = smt_mul(b->ctx, two, smt_div(b->ctx, contract_value(b->ctx), two));
}

static void first_two_small(bench *b)
{
    one_to_nine(b);
    b->c->args[0].elements = num(b, 2);
}

static void increasing(bench *b)
{
    contents_of(b, 0)->increasing = true;
}

static void increasing_unsigned(bench *b)
{
    contents_of(b, 0)->increasing = true;
    contents_of(b, 0)->max = num(b, 4294967295);
}

static void unique(bench *b)
{
    contents_of(b, 0)->unique = true;
}

static void unique_where_positive(bench *b)
{
    contents_of(b, 0)->unique_when = smt_lt(b->ctx, num(b, 0), contract_value(b->ctx));
}

static void unique_together(bench *b)
{
    static const int with[] = {1};
    contents_of(b, 0)->n_tuple = 1;
    contents_of(b, 0)->tuple = with;
}

static void all_three_differ(bench *b)
{
    static const int with[] = {1, 2};
    contents_of(b, 0)->n_tuple = 2;
    contents_of(b, 0)->tuple = with;
}

static void sums_of_b(bench *b)
{
    contents_of(b, 0)->prefix_sum_of = 1;
}

static void three_blocks(bench *b)
{
    b->c->grid[0] = par(b, 3);
}

static void n_above_two(bench *b)
{
    fact(b, smt_lt(b->ctx, num(b, 2), par(b, 3)));
}

static void others_small(bench *b)
{
    contents_of(b, 2)->max = num(b, 9);
}

static const interp_poke first_is_ten[] = {{.address = 0, .value = 10},
                                           {.address = 12, .value = 2}},
                         third_is_five[] = {{.address = 8, .value = 5}},
                         third_is_ten[] = {{.address = 8, .value = 10}},
                         first_is_minus_one[] = {{.address = 0, .value = 0xffffffff}};

static const meets_case cases[] = {
    {"nothing stated", true, nothing, {-5, 7, 7, 0}},
    {"range", true, one_to_nine, {1, 9, 5, 1}},
    {"first below the range", false, one_to_nine, {0, 9, 5, 1}},
    {"first above the range", false, one_to_nine, {10, 9, 5, 1}},
    {"last below the range", false, one_to_nine, {1, 9, 5, 0}},
    {"last above the range", false, one_to_nine, {1, 9, 5, 10}},
    {"one negative", false, one_to_nine, {1, -9, 5, 1}},
    {"poked out of the range", false, one_to_nine, {1, 9, 5, 1}, .poke = first_is_ten},
    {"poked to a negative number", false, not_negative, {0, 0, 0, 0}, .poke = first_is_minus_one},
    {"poked into the range", true, one_to_nine, {1, 2, 77, 1}, .poke = third_is_five},
    {"poked elsewhere", false, one_to_nine, {77, 2, 3, 1}, .poke = third_is_five},
    {"poked far away into the range", true, one_to_nine, {1, 9}, .poke = third_is_five, .bytes = 8},
    {"poked far away out of it", false, one_to_nine, {1, 9}, .poke = third_is_ten, .bytes = 8},
    {"poked beyond the elements stated",
     true,
     first_two_small,
     {1, 9},
     .poke = third_is_ten,
     .bytes = 8},
    {"poked without other contents", false, one_to_nine, .poke = third_is_ten, .skipped = 2,
     .bytes = 8},
    {"equal far away", false, unique, {3, 5}, .poke = third_is_five, .bytes = 8},
    {"equal far away where it counts",
     false,
     unique_where_positive,
     {5, 0},
     .poke = third_is_five,
     .bytes = 8},
    {"falls far away", false, increasing, {3, 6}, .poke = third_is_five, .bytes = 8},
    {"rises far away", true, increasing, {3, 5}, .poke = third_is_five, .bytes = 8},
    {"below its index far away",
     false,
     at_least_index,
     {0, 1},
     .poke = &first_is_ten[1],
     .bytes = 8},
    {"zero where nothing is given", false, one_to_nine, .is_absent = true},
    {"zero is not negative", true, not_negative, .is_absent = true},
    {"unknown contents", true, one_to_nine, .is_opaque = true},
    {"beyond the elements stated", true, first_two_small, {1, 9, 50, -50}},
    {"the last of the elements stated", false, first_two_small, {1, 19, 50, -50}},
    {"in front of the argument", true, one_to_nine, {50, -50, 2, 3}, .skipped = 2},
    {"the first of the argument", false, one_to_nine, {1, 1, 20, 3}, .skipped = 2},
    {"beyond what is known", true, one_to_nine, {1, 9, 50, -50}, .bytes = 8},
    {"the last that is known", false, one_to_nine, {1, 99, 5, 5}, .bytes = 8},
    {"unsigned in the range", true, large_unsigned, {5, 6, 7, (int32_t)4000000000}},
    {"unsigned above the range", false, large_unsigned, {5, 6, 7, (int32_t)4000000001}},
    {"unsigned below the range", false, large_unsigned, {5, 6, 7, 4}},
    {"all bits set is above the range", false, large_unsigned, {-1, 6, 7, 8}},
    {"at least the index", true, at_least_index, {0, 1, 2, 3}},
    {"below the index once", false, at_least_index, {0, 1, 1, 3}},
    {"below the index at the end", false, at_least_index, {3, 3, 3, 2}},
    {"the argument's own index", false, at_least_index, {9, 9, 0, 0}, .skipped = 2},
    {"below a parameter", true, below_n, {4, 0, -1, 4}, .n = 5},
    {"as large as a parameter", false, below_n, {4, 0, -1, 5}, .n = 5},
    {"below a smaller parameter", false, below_n, {4, 0, -1, 4}, .n = 4},
    {"even", true, even, {0, 2, -4, 100}},
    {"odd", false, even, {0, 2, 3, 100}},
    {"odd and negative", false, even, {0, 2, -3, 100}},
    {"increasing", true, increasing, {-2, -2, 0, 7}},
    {"falls at the beginning", false, increasing, {-1, -2, 0, 7}},
    {"falls at the end", false, increasing, {-2, -2, 7, 6}},
    {"falls in the middle", false, increasing, {0, 5, 4, 9}},
    {"falls from positive to negative", false, increasing, {0, 1, 2, -3}},
    {"falls behind what is known", true, increasing, {0, 1, 0, 0}, .bytes = 8},
    {"increases unsigned", true, increasing_unsigned, {0, 1, 2, -3}},
    {"falls unsigned", false, increasing_unsigned, {0, -3, 2, 3}},
    {"falls among the large ones", false, increasing_unsigned, {0, 1, -3, -4}},
    {"unique", true, unique, {3, 1, 0, -1}},
    {"the first two are equal", false, unique, {3, 3, 0, -1}},
    {"the first and the last are equal", false, unique, {3, 1, 0, 3}},
    {"the last two are equal", false, unique, {3, 1, 0, 0}},
    {"equal with what lies in front", true, unique, {3, 1, 3, 0}, .skipped = 1},
    {"equal behind what lies in front", false, unique, {3, 1, 7, 1}, .skipped = 1},
    {"equal after a poke", false, unique, {3, 1, 0, 5}, .poke = third_is_five},
    {"different after a poke", true, unique, {3, 1, 3, 4}, .poke = third_is_five},
    {"equal where the condition does not hold", true, unique_where_positive, {0, -1, 0, 1}},
    {"equal where it holds", false, unique_where_positive, {0, 1, 0, 1}},
    {"equal at its edge", false, unique_where_positive, {1, 1, 0, 0}},
    {"tuples", true, unique_together, {1, 1, 2, 2}, {5, 6, 5, 6}},
    {"equal tuples", false, unique_together, {1, 1, 2, 1}, {5, 6, 5, 6}},
    {"all tuples are equal", false, unique_together, {1, 1, 1, 1}, {5, 5, 5, 5}},
    {"equal tuples at the end", false, unique_together, {1, 2, 3, 3}, {5, 5, 5, 5}},
    {"triples", true, all_three_differ, {1, 1, 1, 1}, {5, 5, 6, 6}, {1, 2, 1, 2}},
    {"equal triples", false, all_three_differ, {1, 1, 1, 1}, {5, 5, 6, 5}, {1, 2, 1, 1}},
    {"equal first and third parts",
     false,
     unique_together,
     {1, 1, 1, 2},
     {5, 5, 6, 5},
     {1, 2, 3, 4}},
    {"prefix sum", true, sums_of_b, {0, 3, 3, 5}, {3, 0, 2, 9}},
    {"prefix sum of what is negative", true, sums_of_b, {0, -3, -3, 0}, {-3, 0, 3, 0}},
    {"does not begin with 0", false, sums_of_b, {1, 4, 4, 6}, {3, 0, 2, 9}},
    {"misses a length", false, sums_of_b, {0, 3, 3, 4}, {3, 0, 2, 9}},
    {"is the inclusive sum", false, sums_of_b, {3, 3, 5, 14}, {3, 0, 2, 9}},
    {"leaves a gap", false, sums_of_b, {0, 4, 4, 6}, {3, 0, 2, 9}},
    {"overlaps", false, sums_of_b, {0, 2, 2, 4}, {3, 0, 2, 9}},
    {"as many blocks as stated", true, three_blocks, {0}, .n = 3, .blocks = 3},
    {"fewer blocks than stated", false, three_blocks, {0}, .n = 3, .blocks = 2},
    {"more blocks than stated", false, three_blocks, {0}, .n = 3, .blocks = 4},
    {"a fact holds", true, n_above_two, {0}, .n = 3},
    {"a fact does not hold", false, n_above_two, {0}, .n = 2},
    {"a fact holds by far not", false, n_above_two, {0}, .n = -2147483647},
    {"the last argument's contents", false, others_small, {0}, {0}, {0, 0, 0, 10}},
    {"another argument's contents", true, others_small, {99}, {99}, {0, 0, 0, 9}},
};

static concrete_launch launch_of(const meets_case *c, interp_buffer *buffers, interp_arg *args)
{
    const int32_t *data[] = {c->a, c->b, c->c};
    for (int i = 0; i < 3; i++) {
        buffers[i] = (interp_buffer){
            .name = "buffer", .bytes = sizeof c->a, .data = (unsigned char *)(uintptr_t)data[i]};
        args[i] = (interp_arg){.buffer = i};
    }
    buffers[0].opaque = c->is_opaque;
    buffers[0].data = c->is_absent ? NULL : buffers[0].data;
    buffers[0].data_bytes = buffers[1].data_bytes = buffers[2].data_bytes = sizeof c->a;
    buffers[0].data_bytes = c->bytes ? c->bytes : (int64_t)sizeof c->a;
    buffers[0].pokes = c->poke;
    buffers[0].n_pokes = c->poke != NULL;
    args[0].value = 4 * c->skipped;
    args[3] = (interp_arg){.buffer = -1, .value = c->n};
    return (concrete_launch){.grid = {c->blocks ? c->blocks : 1, 1, 1},
                             .n_args = 4,
                             .args = args,
                             .n_buffers = 3,
                             .buffers = buffers};
}

static bool meets(const meets_case *c, const char **why)
{
    bench b = bench_of("pppi");
    interp_buffer buffers[3];
    interp_arg args[4];
    c->state(&b);
    contract_settle_ranges(b.ctx, b.c, NULL);
    concrete_launch launch = launch_of(c, buffers, args);
    bool met = concrete_launch_meets(b.ctx, b.k->f, b.c, &launch, why);
    bench_free(&b);
    return met;
}

static void test_meets(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *why = NULL;
        bool met = meets(&cases[i], &why);
        if (met != cases[i].meets) {
            print_message("%s: %s\n", cases[i].what, met ? "met" : why);
            wrong++;
        }
        assert_true(met || why);
    }
    assert_int_equal(wrong, 0);
}

/* Launches that meet what is stated, and what breaks each: one element changed. */
static void test_each_element(void **state)
{
    static const struct {
        meets_case whole;
        int32_t instead[4]; /* of every element: none of them is allowed */
        int n;
    } rows[] = {
        {{"range", .state = one_to_nine, .a = {1, 9, 5, 1}}, {0, 10, -1, INT32_MIN}, 4},
        {{"one side", .state = not_negative, .a = {0, 9, 5, 1}}, {-1, INT32_MIN}, 2},
        {{"unsigned", .state = large_unsigned, .a = {5, 9, -294967296, 7}}, {4, -1, 0}, 3},
        {{"increasing", .state = increasing, .a = {5, 5, 5, 5}}, {0}, 0},
        {{"unique", .state = unique, .a = {4, 8, 0, -1}}, {0}, 0},
        {{"sums", .state = sums_of_b, .a = {0, 3, 3, 5}, .b = {3, 0, 2, 9}}, {1, 4, -1, 6}, 4},
    };
    const char *why;
    size_t broken = 0;
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        assert_true(meets(&rows[r].whole, &why));
        for (int i = 0; i < ELEMENTS; i++)
            for (int v = 0; v < rows[r].n; v++, broken++) {
                meets_case changed = rows[r].whole;
                changed.a[i] = rows[r].instead[v];
                assert_false(meets(&changed, &why));
            }
    }
    for (int i = 0; i < ELEMENTS; i++)
        for (int j = 0; j < i; j++, broken += 2) {
            meets_case equal = rows[4].whole, falls = rows[3].whole;
            equal.a[i] = equal.a[j];
            assert_false(meets(&equal, &why));
            falls.a[i] = 4;
            falls.a[j] = 6;
            assert_false(meets(&falls, &why));
        }
    assert_int_equal(broken, BROKEN);
}

static void test_shares(void **state)
{
    size_t met = 0, n = sizeof cases / sizeof cases[0];
    (void)state;
    for (size_t i = 0; i < n; i++)
        met += cases[i].meets;
    assert_true(3 * met <= n - met + BROKEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_meets),
                                       cmocka_unit_test(test_each_element),
                                       cmocka_unit_test(test_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
