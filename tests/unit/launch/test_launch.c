/* Launches from contracts: buffers, contents, and the search for small ones. */
#include "bench.h"

#include "interp/schedule.h"
#include "launch/from_contract.h"
#include "launch/overlap.h"
#include "launch/predecessor.h"
#include "launch/search.h"

static concrete_launch *make(bench *b, const int64_t *scalars, const interp_filling *filling)
{
    const char *why = NULL;
    contract_settle_ranges(b->ctx, b->c, NULL);
    concrete_launch *l =
        concrete_launch_from(b->arena, b->ctx, b->k->f, b->c, NULL, scalars, filling, &why);
    if (!l)
        assert_non_null(why);
    return l;
}

static int64_t element(const concrete_launch *l, size_t buffer, int64_t i)
{
    int32_t word;
    memcpy(&word, l->buffers[buffer].data + i * 4, 4);
    return word;
}

static void extents_and_aliases(void **state)
{
    (void)state;
    bench b = bench_of("pipf");
    b.c->args[0].elements = par(&b, 1);
    b.c->args[2].buffer = "a";
    b.c->args[2].offset = num(&b, 10);
    b.c->args[2].elements = smt_add(b.ctx, par(&b, 1), num(&b, 5));
    b.c->grid[0] = smt_div_ceil(b.ctx, par(&b, 1), num(&b, 8));
    concrete_launch *l = make(&b, (int64_t[]){0, 20, 0, 0}, NULL);
    assert_non_null(l);
    assert_int_equal(l->n_buffers, 2);
    assert_int_equal(l->buffers[0].bytes, (10 + 25) * 4);
    assert_false(l->buffers[0].unbounded);
    assert_int_equal(l->args[2].buffer, 0);
    assert_int_equal(l->args[2].value, 40);
    assert_int_equal(l->args[1].value, 20);
    assert_true(l->buffers[1].opaque);
    assert_true(l->buffers[1].unbounded);
    assert_int_equal(l->grid[0], 3);
    assert_null(make(&b, (int64_t[]){0, -3, 0, 0}, NULL)); /* a negative extent */
    bench_free(&b);
}

static void contents_meet_their_facts(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        bench b = bench_of("ppppi");
        smt_t n = par(&b, 4);
        for (int i = 0; i < 4; i++)
            b.c->args[i].elements = i == 3 ? smt_add(b.ctx, n, num(&b, 1)) : n;
        /* a: a permutation; b: offsets; c: at least the index; d: prefix sums of c. */
        b.c->args[0].contents.unique = true;
        b.c->args[0].contents.min = num(&b, 0);
        b.c->args[0].contents.max = smt_sub(b.ctx, n, num(&b, 1));
        b.c->args[1].contents.increasing = true;
        b.c->args[1].contents.max = num(&b, 50);
        b.c->args[2].contents.min = contract_index(b.ctx);
        b.c->args[2].contents.max = num(&b, 200);
        b.c->args[3].contents.prefix_sum_of = 2;
        interp_filling filling = {.seed = seed};
        concrete_launch *l = make(&b, (int64_t[]){0, 0, 0, 0, 100}, &filling);
        assert_non_null(l);
        bool seen[100] = {0};
        int64_t sum = 0;
        for (int64_t i = 0; i < 100; i++) {
            int64_t v = element(l, 0, i);
            assert_true(v >= 0 && v < 100 && !seen[v]);
            seen[v] = true;
            assert_true(element(l, 1, i) <= 50);
            assert_true(i == 0 || element(l, 1, i) >= element(l, 1, i - 1));
            assert_true(element(l, 2, i) >= i && element(l, 2, i) <= 200);
            assert_int_equal(element(l, 3, i), sum);
            sum += element(l, 2, i);
        }
        assert_int_equal(element(l, 3, 100), sum);
        bench_free(&b);
    }
}

static void witness_cells_stay(void **state)
{
    (void)state;
    bench b = bench_of("ppi");
    smt_t n = par(&b, 2);
    b.c->args[0].elements = b.c->args[1].elements = n;
    b.c->args[0].contents.unique = true;
    b.c->args[0].contents.min = num(&b, 0);
    b.c->args[0].contents.max = smt_sub(b.ctx, n, num(&b, 1));
    b.c->args[1].contents.increasing = true;
    static const interp_cell fixed[] = {{5, 0}, {6, 7}}, steps[] = {{2, 10}, {4, 11}};
    const interp_contents contents[] = {{"a", 2, fixed}, {"b", 2, steps}};
    interp_filling filling = {.n_contents = 2, .contents = contents};
    concrete_launch *l = make(&b, (int64_t[]){0, 0, 8}, &filling);
    assert_non_null(l);
    assert_int_equal(element(l, 0, 5), 0);
    assert_int_equal(element(l, 0, 6), 7);
    int64_t sum = 0;
    for (int64_t i = 0; i < 8; i++)
        sum += element(l, 0, i);
    assert_int_equal(sum, 28);
    assert_true(element(l, 1, 1) <= 10 && element(l, 1, 3) >= 10 && element(l, 1, 3) <= 11);
    /* What the facts forbid is not made up: nine different values below eight. */
    b.c->args[0].elements = num(&b, 9);
    assert_null(make(&b, (int64_t[]){0, 0, 8}, &filling));
    bench_free(&b);
}

/* Far behind what is filled, a witness's elements are known all the same, and only they. */
static void witness_cells_far_away(void **state)
{
    (void)state;
    bench b = bench_of("pl");
    b.c->args[0].elements = par(&b, 1);
    int64_t far = (int64_t)1 << 33;
    const interp_cell cell = {far, 77};
    const interp_contents contents = {"a", 1, &cell};
    interp_filling filling = {.n_contents = 1, .contents = &contents};
    concrete_launch *l = make(&b, (int64_t[]){0, far * 4}, &filling);
    assert_non_null(l);
    b.k->launch = *l;
    execute(b.k, 1, 1);
    assert_int_equal(word(b.k, 0, far), 77);
    uint64_t bits;
    assert_false(interp_read_back(b.k->run, 0, (far + 1) * 4, 4, &bits));
    bench_free(&b);
}

/* Fused MoE: real token ids differ, padding ids repeat. */
static void unique_where_a_condition_holds(void **state)
{
    (void)state;
    bench b = bench_of("pi");
    b.c->args[0].elements = num(&b, 40);
    b.c->args[0].contents.unique_when = smt_lt(b.ctx, contract_value(b.ctx), par(&b, 1));
    b.c->args[0].contents.min = num(&b, 0);
    b.c->args[0].contents.max = par(&b, 1);
    concrete_launch *l = make(&b, (int64_t[]){0, 10}, NULL);
    assert_non_null(l);
    int count[11] = {0};
    for (int64_t i = 0; i < 40; i++)
        count[element(l, 0, i)]++;
    for (int i = 0; i < 10; i++)
        assert_true(count[i] <= 1);
    assert_true(count[10] >= 30);
    bench_free(&b);
}

static void regions_do_not_overlap(void **state)
{
    (void)state;
    bench b = bench_of("q");
    b.c->args[0].elements = num(&b, 3);
    b.c->args[0].contents.regions = num(&b, 64);
    concrete_launch *l = make(&b, (int64_t[]){0}, NULL);
    assert_non_null(l);
    assert_int_equal(l->n_buffers, 4);
    kit *k = b.k;
    const ir_type *slot = param(k, 0)->type;
    ir_op *load =
        load_ptr(k, WEAK, OP1(k, IR_OP_OFFSET, slot, param(k, 0), bid(k, 0)), NULL, NULL, NULL);
    store_ptr(k, WEAK, data(load), bid(k, 0), NULL, NULL);
    k->launch = *l;
    execute(k, 3, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    assert_int_equal(count_races(k), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(word(k, 1 + i, 0), i);
    bench_free(&b);
}

static void only_what_is_read_gets_blocks(void **state)
{
    (void)state;
    bench b = bench_of("p");
    show(b.k, bid(b.k, 1), 0);
    assert_true(concrete_reads_axis(b.k->f, 1));
    assert_false(concrete_reads_axis(b.k->f, 0));
    contract_settle_ranges(b.ctx, b.c, NULL);
    concrete_launch **found;
    size_t n = concrete_enumerate_launches(b.arena, b.ctx, b.k->f, b.c, NULL, &found);
    assert_true(n > 4);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(found[i]->grid[0], 1);
        assert_int_equal(found[i]->grid[2], 1);
    }
    bench_free(&b);
}

/* M % 64 == 0, pitch >= N, total == M * N, grid (M / 64, cdiv(N, 16)). */
static void enumerated_launches_meet_the_contract(void **state)
{
    (void)state;
    bench b = bench_of("pilil");
    smt_ctx *x = b.ctx;
    smt_t m = par(&b, 1), pitch = par(&b, 2), n = par(&b, 3), total = par(&b, 4);
    fact(&b, smt_gt(x, m, num(&b, 0)));
    fact(&b, smt_gt(x, n, num(&b, 0)));
    fact(&b, smt_eq(x, smt_mod(x, m, num(&b, 64)), num(&b, 0)));
    fact(&b, smt_ge(x, pitch, n));
    fact(&b, smt_eq(x, total, smt_mul(x, m, n)));
    b.c->grid[0] = smt_div(x, m, num(&b, 64));
    b.c->grid[1] = smt_div_ceil(x, n, num(&b, 16));
    b.c->args[0].elements = smt_mul(x, m, pitch);
    assert_true(contract_settle_ranges(x, b.c, NULL));
    interp_search search = {.wanted = 12, .max_elements = 1 << 20};
    concrete_launch **found;
    size_t count = concrete_enumerate_launches(b.arena, x, b.k->f, b.c, &search, &found);
    assert_int_equal(count, 12);
    int several_rows = 0, several_columns = 0, ragged = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t scalars[5];
        for (int a = 0; a < 5; a++)
            scalars[a] = found[i]->args[a].value;
        assert_int_equal(scalars[1] % 64, 0);
        assert_true(scalars[2] >= scalars[3]);
        assert_int_equal(scalars[4], scalars[1] * scalars[3]);
        assert_int_equal(found[i]->grid[1], (scalars[3] + 15) / 16);
        int64_t grid[3] = {1, 1, 1};
        assert_true(concrete_launch_holds(x, b.c, scalars, grid));
        assert_memory_equal(grid, found[i]->grid, sizeof grid);
        several_rows += grid[0] > 1;
        several_columns += grid[1] > 1;
        ragged += scalars[3] % 16 != 0;
        scalars[4]++;
        assert_false(concrete_launch_holds(x, b.c, scalars, grid));
    }
    assert_true(several_rows && several_columns && ragged);
    bench_free(&b);
}

/* A fact that gives a parameter by an extent speaks of the extent that is stated: by a number, by
 * another parameter, or by its own name. */
static void facts_about_a_stated_extent(void **state)
{
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        bench b = bench_of("pii");
        smt_ctx *x = b.ctx;
        smt_t n = par(&b, 1), m = par(&b, 2), extent = contract_grid(x, 0);
        fact(&b, smt_and(x, smt_gt(x, m, num(&b, 0)), smt_gt(x, n, num(&b, 0))));
        fact(&b, smt_eq(x, smt_add(x, n, num(&b, kind == 1)), extent));
        b.c->args[0].elements = num(&b, 16);
        b.c->grid[0] = kind < 2    ? num(&b, 8)
                       : kind == 2 ? m
                       : kind == 3 ? smt_div_ceil(x, m, num(&b, 16))
                                   : extent;
        assert_true(contract_settle_ranges(x, b.c, NULL));
        interp_search search = {.wanted = 4, .max_elements = 1 << 10};
        concrete_launch **found;
        size_t count = concrete_enumerate_launches(b.arena, x, b.k->f, b.c, &search, &found);
        if (count == 0)
            fail_msg("no launch of kind %d", kind);
        for (size_t i = 0; i < count; i++) {
            int64_t scalars[] = {0, found[i]->args[1].value, found[i]->args[2].value};
            assert_int_equal(scalars[1] + (kind == 1), found[i]->grid[0]);
            assert_true(concrete_launch_holds(x, b.c, scalars, found[i]->grid));
        }
        bench_free(&b);
    }
}

static void contradictions_give_no_launch(void **state)
{
    (void)state;
    bench b = bench_of("pi");
    smt_t m = par(&b, 1);
    fact(&b, smt_eq(b.ctx, smt_mod(b.ctx, m, num(&b, 4)), num(&b, 1)));
    fact(&b, smt_eq(b.ctx, smt_mod(b.ctx, m, num(&b, 2)), num(&b, 0)));
    contract_settle_ranges(b.ctx, b.c, NULL);
    concrete_launch **found;
    assert_int_equal(concrete_enumerate_launches(b.arena, b.ctx, b.k->f, b.c, NULL, &found), 0);
    bench_free(&b);
}

/* Two arrays of one memory come to lie at different places in it, inside it; one that is alone, or
 * whose place the contract says, stays. */
static void arrays_that_may_overlap_are_moved(void **state)
{
    (void)state;
    bench b = bench_of("ppppi");
    for (size_t i = 0; i < 4; i++)
        b.c->args[i].elements = par(&b, 4);
    b.c->args[1].buffer = b.c->args[2].buffer = b.c->args[0].name; /* b and c lie in a's */
    b.c->args[2].offset = num(&b, 5);
    const int64_t scalars[] = {0, 0, 0, 0, 100};
    concrete_launch *l = make(&b, scalars, NULL);
    assert_int_equal(l->args[1].value, 0);
    bool apart = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const concrete_launch *moved = concrete_overlap(b.arena, b.ctx, b.k->f, b.c, l, seed);
        if (!moved)
            continue;
        apart |= moved->args[0].value != moved->args[1].value;
        assert_int_equal(moved->args[2].value, 5 * 4);
        assert_int_equal(moved->args[3].value, 0);
        assert_int_equal(moved->args[0].buffer, moved->args[1].buffer);
        for (int i = 0; i < 2; i++)
            assert_true(moved->args[i].value >= 0 &&
                        moved->args[i].value + 400 <= moved->buffers[moved->args[i].buffer].bytes);
    }
    assert_true(apart);
    b.c->args[1].buffer = b.c->args[1].name;
    b.c->args[2].buffer = b.c->args[2].name;
    assert_null(concrete_overlap(b.arena, b.ctx, b.k->f, b.c, l, 1));
    bench_free(&b);
}

/* The kernel before, as the contract tells of it: what it reads it keeps, what it writes differs
 * from what was there. */
static void the_kernel_before_is_made_up(void **state)
{
    (void)state;
    bench b = bench_of("ppi");
    b.c->args[0].elements = b.c->args[1].elements = par(&b, 2);
    b.c->pdl = true;
    const char *writes[] = {"a"}, *reads[] = {"b"};
    b.c->predecessor = (contract_predecessor){1, 1, writes, reads};
    const int64_t scalars[] = {0, 0, 300};
    concrete_launch *l = make(&b, scalars, NULL);
    for (int i = 0; i < 300; i++)
        l->buffers[0].data[4 * i] = 9;
    ir_module *module = ir_module_new("before");
    const concrete_launch *both = concrete_with_predecessor(b.arena, module, b.k->f, b.c, l);
    assert_non_null(both->before);
    assert_int_equal(both->n_buffers, 3);
    assert_int_equal(both->buffers[2].bytes, 1200);
    terminate(b.k, IR_OP_RETURN, 0, NULL);
    ir_renumber(b.k->f);
    interp_schedule in_order = {.policy = INTERP_IN_ORDER};
    b.k->run = interp_execute_scheduled(b.k->f, both, NULL, NULL, 0, NULL, &in_order);
    assert_int_equal(interp_run_status(b.k->run), INTERP_DONE);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(word(b.k, 0, i), 1);
        assert_int_equal(word(b.k, 2, i), element(l, 1, i));
    }
    b.c->pdl = false;
    assert_ptr_equal(concrete_with_predecessor(b.arena, module, b.k->f, b.c, l), l);
    interp_run_free(b.k->run);
    b.k->run = NULL;
    ir_module_free(module);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents_and_aliases),
        cmocka_unit_test(contents_meet_their_facts),
        cmocka_unit_test(witness_cells_stay),
        cmocka_unit_test(witness_cells_far_away),
        cmocka_unit_test(unique_where_a_condition_holds),
        cmocka_unit_test(regions_do_not_overlap),
        cmocka_unit_test(only_what_is_read_gets_blocks),
        cmocka_unit_test(enumerated_launches_meet_the_contract),
        cmocka_unit_test(facts_about_a_stated_extent),
        cmocka_unit_test(contradictions_give_no_launch),
        cmocka_unit_test(arrays_that_may_overlap_are_moved),
        cmocka_unit_test(the_kernel_before_is_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
