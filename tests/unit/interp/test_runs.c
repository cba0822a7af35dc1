/* Control flow, what ends a run, synchronisation, and the cost of large runs. */
#include "kit.h"

#include <time.h>

static void loops_count_their_iterations(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val zero = i32(k, 0), one = i32(k, 1);
    loop outer = begin_for(k, i32(k, -2), i32(k, 3), i32(k, 2), 1, &zero);
    loop inner = begin_loop(k, 1, (val[]){zero});
    loop leave = begin_if(k, compare(k, IR_GE, inner.body->args[0], i32(k, 2)), 0, NULL);
    val out[] = {inner.body->args[0]};
    terminate(k, IR_OP_BREAK, 1, out);
    k->b.block = leave.outer;
    val place = addi(k, muli(k, outer.body->args[1], i32(k, 2)), inner.body->args[0]);
    store_ptr(k, WEAK, pointers(k, param(k, 0), place), outer.iv, NULL, NULL);
    val next = addi(k, inner.body->args[0], one);
    end_loop(k, &inner, 1, &next);
    val count = addi(k, outer.body->args[1], one);
    end_loop(k, &outer, 1, &count);
    show(k, &outer.op->results[0], 20);
    execute(k, 1, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    static const int64_t expected[] = {-2, -2, 0, 0, 2, 2};
    for (int i = 0; i < 6; i++)
        assert_int_equal(word(k, 0, i), expected[i]);
    assert_int_equal(word(k, 0, 20), 3);
    const interp_instance *last = interp_instance_of(k->run, 5);
    assert_int_equal(last->n_loops, 2);
    assert_int_equal(last->iterations[0], 2);
    assert_int_equal(last->iterations[1], 1);
    kit_free(k);
}

/* Two carried values that change places. */
static void carried_values_move_at_once(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val init[] = {i32(k, 1), i32(k, 2)};
    loop l = begin_for(k, i32(k, 0), i32(k, 3), i32(k, 1), 2, init);
    val swapped[] = {l.body->args[2], l.body->args[1]};
    end_loop(k, &l, 2, swapped);
    show(k, &l.op->results[0], 0);
    show(k, &l.op->results[1], 1);
    execute(k, 1, 1);
    assert_int_equal(word(k, 0, 0), 2);
    assert_int_equal(word(k, 0, 1), 1);
    kit_free(k);
}

static void unsigned_and_empty_loops(void **state)
{
    (void)state;
    for (int is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
        kit *k = kit_new("p");
        loop l = begin_for(k, i32(k, 1), i32(k, -1), i32(k, 0x40000000), 0, NULL);
        if (is_unsigned)
            ir_set_int(l.op, IR_AT_FOR_unsigned_cmp, 1);
        rmw(k, DEVICE, IR_ATOMIC_ADD, param(k, 0), i32(k, 1), NULL, NULL);
        end_loop(k, &l, 0, NULL);
        execute(k, 1, 1);
        assert_int_equal(word(k, 0, 0), is_unsigned ? 4 : 0);
        kit_free(k);
    }
}

static void return_inside_a_region(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    loop l = begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, 1)), 0, NULL);
    terminate(k, IR_OP_RETURN, 0, NULL);
    k->b.block = l.outer;
    store_ptr(k, WEAK, pointers(k, param(k, 0), bid(k, 0)), i32(k, 1), NULL, NULL);
    execute(k, 3, 1);
    assert_int_equal(word(k, 0, 0), 1);
    assert_int_equal(word(k, 0, 1), 0);
    assert_int_equal(word(k, 0, 2), 1);
    kit_free(k);
}

static void expect_status(kit *k, interp_status status, ir_opcode where)
{
    execute(k, 1, 1);
    assert_int_equal(interp_run_status(k->run), status);
    assert_non_null(interp_run_why(k->run));
    assert_non_null(interp_run_where(k->run));
    assert_int_equal(interp_run_where(k->run)->code, where);
    kit_free(k);
}

static void branches_on_unknown_floats_are_undecided(void **state)
{
    (void)state;
    kit *k = kit_new("pf");
    ir_op *load = load_ptr(k, WEAK, param(k, 1), NULL, NULL, NULL);
    val less = OP1(k, IR_OP_CMPF, scalar_type(k, IR_I1), data(load), data(load));
    loop l = begin_if(k, less, 0, NULL);
    end_if(k, &l, 0, NULL);
    expect_status(k, INTERP_UNDECIDED, IR_OP_IF);

    k = kit_new("pf");
    load = load_ptr(k, WEAK, param(k, 1), NULL, NULL, NULL);
    val n = unary(k, IR_OP_FTOI, scalar_type(k, IR_I32), data(load));
    store_ptr(k, WEAK, pointers(k, param(k, 0), n), i32(k, 1), NULL, NULL);
    expect_status(k, INTERP_UNDECIDED, IR_OP_STORE_PTR_TKO);
}

static void waiting_for_nobody_hangs(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val zero = i32(k, 0);
    loop l = begin_loop(k, 0, NULL);
    ir_op *load = load_ptr(k, DEVICE, param(k, 0), NULL, NULL, NULL);
    loop leave = begin_if(k, compare(k, IR_NE, data(load), zero), 0, NULL);
    terminate(k, IR_OP_BREAK, 0, NULL);
    k->b.block = leave.outer;
    end_loop(k, &l, 0, NULL);
    expect_status(k, INTERP_HANG, IR_OP_LOOP);
}

static void endless_loops_meet_the_limit(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    loop l = begin_loop(k, 1, (val[]){i32(k, 0)});
    val next = addi(k, l.body->args[0], i32(k, 1));
    end_loop(k, &l, 1, &next);
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    interp_limits limits = {.steps = 100000};
    k->run = interp_execute(k->f, &k->launch, NULL, &limits, NULL);
    assert_int_equal(interp_run_status(k->run), INTERP_LIMIT);
    kit_free(k);
}

static void loops_that_do_not_advance_are_undefined(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    loop l = begin_for(k, i32(k, 0), i32(k, 1), i32(k, 0), 0, NULL);
    end_loop(k, &l, 0, NULL);
    execute(k, 1, 1);
    const interp_ub *met;
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    assert_int_equal(interp_ubs(k->run, &met), 1);
    assert_int_equal(met[0].kind, INTERP_UB_DIVISION);
    kit_free(k);
}

static void unknown_ops_are_unsupported(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    ir_build(&k->b, IR_OP_PREVIEW_CALL, (ir_operand_list[]){{NULL, 0}}, 0, NULL, (uint32_t[]){0});
    expect_status(k, INTERP_UNSUPPORTED, IR_OP_PREVIEW_CALL);
}

static void deep_nesting_ends_in_a_sentence(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val yes = constant(k, scalar_type(k, IR_I1), 1, (int64_t[]){1});
    for (int i = 0; i < 5000; i++)
        begin_if(k, yes, 0, NULL);
    terminate(k, IR_OP_YIELD, 0, NULL);
    k->b.block = k->f->body;
    expect_status(k, INTERP_UNSUPPORTED, IR_OP_IF);
}

static void launches_that_cannot_be(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    execute(k, (int64_t)1 << 24, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_UB);
    interp_run_free(k->run);
    k->launch.grid[0] = k->launch.grid[1] = k->launch.grid[2] = ((int64_t)1 << 24) - 1;
    k->run = interp_execute(k->f, &k->launch, NULL, NULL, NULL);
    assert_int_equal(interp_run_status(k->run), INTERP_LIMIT);
    interp_run_free(k->run);
    const int64_t ids[][3] = {{5, 1 << 20, 7}, {0, 0, 1 << 23}};
    k->run = interp_execute_at(k->f, &k->launch, NULL, NULL, 2, ids);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    int64_t id[3];
    interp_block_of(k->run, 1, id);
    assert_int_equal(id[2], 1 << 23);
    interp_run_free(k->run);
    k->launch.n_args = 0;
    k->run = interp_execute(k->f, &k->launch, NULL, NULL, NULL);
    assert_int_equal(interp_run_status(k->run), INTERP_UNSUPPORTED);
    kit_free(k);
}

/* A buffer of 2^50 bytes, touched in two places. */
static void huge_buffers_cost_what_is_touched(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    k->buffers[0].bytes = (int64_t)1 << 42;
    int64_t far = (int64_t)1 << 38;
    const ir_type *type = scalar_type(k, IR_I64);
    val p = OP1(k, IR_OP_OFFSET, param(k, 0)->type, param(k, 0), constant(k, type, 1, &far));
    store_ptr(k, WEAK, p, i32(k, 1), NULL, NULL);
    store_ptr(k, WEAK, param(k, 0), i32(k, 2), NULL, NULL);
    execute(k, 1, 1);
    assert_int_equal(word(k, 0, far), 1);
    assert_int_equal(word(k, 0, 0), 2);
    assert_int_equal(n_ubs(k), 0);
    kit_free(k);
}

/* ---- Synchronisation ---- */

static how ordered(ir_ordering ordering)
{
    return (how){ordering, IR_SCOPE_DEVICE};
}

/* Block 0 writes data, then a flag; block 1 reads the flag, then the data. */
static void message_passing(void **state)
{
    (void)state;
    static const struct {
        ir_ordering store, load;
        bool token, race;
        bool overwritten; /* the flag, by a relaxed store of the same block (D20) */
    } rows[] = {
        {IR_RELEASE, IR_ACQUIRE, true, false},
        {IR_RELEASE, IR_ACQUIRE, true, true, .overwritten = true},
        {IR_RELAXED, IR_RELAXED, true, true},
        {IR_RELEASE, IR_RELAXED, true, true},
        {IR_RELEASE, IR_ACQUIRE, false, true},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("pp");
        loop l = begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, 0)), 0, NULL);
        ir_op *write = store_ptr(k, WEAK, param(k, 0), i32(k, 7), NULL, NULL);
        store_ptr(k, ordered(rows[i].store), param(k, 1), i32(k, 1), NULL,
                  rows[i].token ? tok(write) : NULL);
        if (rows[i].overwritten)
            store_ptr(k, DEVICE, param(k, 1), i32(k, 1), NULL, NULL);
        begin_else(k, &l, 0, NULL);
        ir_op *flag = load_ptr(k, ordered(rows[i].load), param(k, 1), NULL, NULL, NULL);
        loop seen = begin_if(k, compare(k, IR_EQ, data(flag), i32(k, 1)), 0, NULL);
        load_ptr(k, WEAK, param(k, 0), NULL, NULL, rows[i].token ? tok(flag) : NULL);
        end_if(k, &seen, 0, NULL);
        end_if(k, &l, 0, NULL);
        execute(k, 2, 1);
        interp_race races[4];
        bool matters;
        size_t n = interp_find_races(k->run, false, races, 4, &matters);
        assert_int_equal(n > 0, rows[i].race);
        assert_int_equal(matters, rows[i].store != IR_RELAXED || rows[i].load != IR_RELAXED);
        kit_free(k);
    }
}

/* Every block stores a partial result and counts itself: the count. */
static ir_op *store_and_count(kit *k, ir_ordering ordering)
{
    val mine = pointers(k, param(k, 0), bid(k, 0));
    ir_op *store = store_ptr(k, WEAK, mine, bid(k, 0), NULL, NULL);
    return rmw(k, ordered(ordering), IR_ATOMIC_ADD, param(k, 1), i32(k, 1), NULL, tok(store));
}

/* Four blocks, under a choice of the model. */
static size_t races_of_four(kit *k, bool chains, bool *matters)
{
    interp_race races[4];
    model_choices choices = model_default_choices();
    choices.rmw_chains = chains;
    execute(k, 4, 1);
    interp_run_free(k->run);
    k->run = interp_execute(k->f, &k->launch, &choices, NULL, NULL);
    return interp_find_races(k->run, false, races, TR_COUNT(races), matters);
}

/* Row 70: the last block reads all partial results. */
static void last_block_through_a_chain_of_updates(void **state)
{
    (void)state;
    for (int chains = 0; chains < 2; chains++) {
        kit *k = kit_new("pp");
        ir_op *count = store_and_count(k, IR_ACQ_REL);
        loop last = begin_if(k, compare(k, IR_EQ, data(count), i32(k, 3)), 0, NULL);
        load_ptr(k, WEAK, pointers(k, param(k, 0), TILE(k, 0, 1, 2, 3)), NULL, NULL, tok(count));
        end_if(k, &last, 0, NULL);
        bool matters;
        /* acq_rel updates synchronise one after the other even without chains. */
        assert_int_equal(races_of_four(k, chains, &matters), 0);
        assert_true(matters);
        kit_free(k);
    }
}

/* The same with release updates and one acquiring load at the end: that needs the chain. */
static void chains_are_a_choice(void **state)
{
    (void)state;
    for (int chains = 0; chains < 2; chains++) {
        kit *k = kit_new("pp");
        ir_op *count = store_and_count(k, IR_RELEASE);
        loop last = begin_if(k, compare(k, IR_EQ, data(count), i32(k, 3)), 0, NULL);
        ir_op *look = load_ptr(k, ordered(IR_ACQUIRE), param(k, 1), NULL, NULL, tok(count));
        load_ptr(k, WEAK, pointers(k, param(k, 0), TILE(k, 0, 1, 2, 3)), NULL, NULL, tok(look));
        end_if(k, &last, 0, NULL);
        bool matters;
        assert_int_equal(races_of_four(k, chains, &matters) > 0, !chains);
        kit_free(k);
    }
}

/* ---- Which races, and what they cost ---- */

static void one_race_a_pair_of_ops_and_kind(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val x = row_of_tiles(k, param(k, 0), 64, 4), zero = i32(k, 0);
    val ones = full(k, 1, (const int64_t[]){4}, 1);
    ir_op *first = store_view(k, WEAK, x, ones, 1, &zero, NULL);
    ir_op *second = store_view(k, WEAK, x, ones, 1, &zero, NULL);
    execute(k, 3, 1);
    interp_race races[64];
    bool matters = true;
    size_t n = interp_find_races(k->run, false, races, 64, &matters);
    assert_false(matters);
    assert_int_equal(n, 4); /* 1-2 in a block; 1-1, 1-2, 2-2 across */
    size_t same = 0, self = 0;
    for (size_t i = 0; i < n; i++) {
        const interp_instance *a = interp_instance_of(k->run, races[i].a.instance);
        const interp_instance *b = interp_instance_of(k->run, races[i].b.instance);
        assert_true(a->op == first || a->op == second);
        assert_int_equal(races[i].a.address, races[i].b.address);
        assert_int_equal(races[i].a.in_tile, races[i].b.in_tile);
        same += races[i].a.block == races[i].b.block;
        self += a->op == b->op;
    }
    assert_int_equal(same, 1);
    assert_int_equal(self, 2);
    /* All: the stores of three blocks, 6 in all, pair by pair. */
    assert_int_equal(interp_find_races(k->run, true, races, 64, NULL), 15);
    assert_int_equal(interp_find_races(k->run, true, races, 7, NULL), 7);
    kit_free(k);
}

/* Accesses of different width: bytes 0..3 as one i32, byte 3 as an i8. */
static void partial_overlap_is_never_strong(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        kit *k = kit_new("pb");
        k->args[1].buffer = 0;
        int64_t five = 5;
        store_ptr(k, TL_BLK, param(k, 0), i32(k, 1), NULL, NULL);
        store_ptr(k, TL_BLK, pointers(k, param(k, 1), i32(k, apart ? 4 : 3)),
                  constant(k, scalar_type(k, IR_I8), 1, &five), NULL, NULL);
        execute(k, 1, 1);
        assert_int_equal(count_races(k), !apart);
        kit_free(k);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* however busy the machine is */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#if defined(__SANITIZE_ADDRESS__)
#define PATIENCE 10
#else
#define PATIENCE 1
#endif

/* 4096 blocks, each copying a tile of 64 x 64. */
static void many_blocks_of_large_tiles(void **state)
{
    (void)state;
    kit *k = kit_new("ff");
    const int64_t shape[] = {4096, 4096}, strides[] = {4096, 1}, tile[] = {64, 64};
    const int32_t map[] = {0, 1};
    for (int i = 0; i < 2; i++)
        k->buffers[i].bytes = 4096 * 4096 * 4;
    val src = partition(k, tensor(k, param(k, 0), 2, shape, strides), 2, tile, map);
    val dst = partition(k, tensor(k, param(k, 1), 2, shape, strides), 2, tile, map);
    val index[] = {bid(k, 0), bid(k, 1)};
    ir_op *load = load_view(k, WEAK, src, 2, index, NULL);
    store_view(k, WEAK, dst, data(load), 2, index, NULL);
    double start = seconds();
    execute(k, 64, 64);
    assert_int_equal(count_races(k), 0);
    double took = seconds() - start;
    assert_int_equal(interp_event_count(k->run), 2 * 4096 * 4096);
    print_message("%.2f s for 33 million events\n", took);
    assert_true(took < 2.0 * PATIENCE);
    kit_free(k);
}

/* 100,000 updates of one counter, and the same with a weak load by the last block. */
static void many_updates_of_one_counter(void **state)
{
    (void)state;
    for (int spoiled = 0; spoiled < 2; spoiled++) {
        kit *k = kit_new("p");
        rmw(k, DEVICE, IR_ATOMIC_ADD, param(k, 0), i32(k, 1), NULL, NULL);
        loop l = begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, spoiled ? 99999 : -1)), 0, NULL);
        load_ptr(k, WEAK, param(k, 0), NULL, NULL, NULL);
        end_if(k, &l, 0, NULL);
        double start = seconds();
        execute(k, 100000, 1);
        interp_race races[8];
        /* Both kinds: the block's own update is not ordered before its load either. */
        assert_int_equal(interp_find_races(k->run, false, races, 8, NULL), spoiled ? 2 : 0);
        assert_false(interp_races_cut_short(k->run));
        assert_true(seconds() - start < 1.0 * PATIENCE);
        kit_free(k);
    }
}

/* A chain of 20,000 tokens over one tile, whole and broken once. */
static void long_chains_of_tokens(void **state)
{
    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        kit *k = kit_new("p");
        val x = row_of_tiles(k, param(k, 0), 64, 32), zero = i32(k, 0), start = make_token(k);
        val ones = full(k, 1, (const int64_t[]){32}, 1);
        loop l = begin_for(k, zero, i32(k, 20000), i32(k, 1), 1, &start);
        ir_op *store = store_view(k, WEAK, x, ones, 1, &zero, l.body->args[1]);
        val next = tok(store);
        end_loop(k, &l, 1, &next);
        load_view(k, WEAK, x, 1, &zero, broken ? start : &l.op->results[0]);
        double begun = seconds();
        execute(k, 1, 1);
        interp_race races[8];
        assert_int_equal(interp_find_races(k->run, false, races, 8, NULL), broken);
        assert_true(seconds() - begun < 3.0 * PATIENCE);
        kit_free(k);
    }
}

static void token_order_can_be_asked(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val x = row_of_tiles(k, param(k, 0), 64, 4), zero = i32(k, 0);
    ir_op *a = load_view(k, WEAK, x, 1, &zero, NULL);
    ir_op *b = load_view(k, WEAK, x, 1, &zero, tok(a));
    ir_op *c = load_view(k, WEAK, x, 1, &zero, NULL);
    load_view(k, WEAK, x, 1, &zero, join2(k, tok(b), tok(c)));
    execute(k, 2, 1);
    static const bool before[4][4] = {{0, 1, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0}};
    assert_int_equal(interp_instances(k->run), 8);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++) {
            assert_int_equal(interp_token_before(k->run, i, j), before[i][j]);
            assert_int_equal(interp_token_before(k->run, 4 + i, 4 + j), before[i][j]);
            assert_false(interp_token_before(k->run, i, 4 + j));
        }
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_count_their_iterations),
        cmocka_unit_test(carried_values_move_at_once),
        cmocka_unit_test(unsigned_and_empty_loops),
        cmocka_unit_test(return_inside_a_region),
        cmocka_unit_test(branches_on_unknown_floats_are_undecided),
        cmocka_unit_test(waiting_for_nobody_hangs),
        cmocka_unit_test(endless_loops_meet_the_limit),
        cmocka_unit_test(loops_that_do_not_advance_are_undefined),
        cmocka_unit_test(unknown_ops_are_unsupported),
        cmocka_unit_test(deep_nesting_ends_in_a_sentence),
        cmocka_unit_test(launches_that_cannot_be),
        cmocka_unit_test(huge_buffers_cost_what_is_touched),
        cmocka_unit_test(message_passing),
        cmocka_unit_test(last_block_through_a_chain_of_updates),
        cmocka_unit_test(chains_are_a_choice),
        cmocka_unit_test(one_race_a_pair_of_ops_and_kind),
        cmocka_unit_test(partial_overlap_is_never_strong),
        cmocka_unit_test(many_blocks_of_large_tiles),
        cmocka_unit_test(many_updates_of_one_counter),
        cmocka_unit_test(long_chains_of_tokens),
        cmocka_unit_test(token_order_can_be_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
