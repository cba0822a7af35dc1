/* The litmus rows of docs/memory-model.md (section 5) that need no synchronisation, each built and
 * run: does the brute force find a race exactly where the row says so? */
#include "kit.h"

#define N 4 /* elements of a tile */

static val x_of(kit *k)
{
    return row_of_tiles(k, param(k, 0), 64, N);
}

static val ones(kit *k)
{
    return full(k, 1, (int64_t[]){N}, 1);
}

static ir_op *st(kit *k, val view, val index, val token)
{
    return store_view(k, WEAK, view, ones(k), 1, &index, token);
}

static ir_op *ld(kit *k, val view, val index, val token)
{
    return load_view(k, WEAK, view, 1, &index, token);
}

static void expect(kit *k, int64_t gx, int64_t gy, bool race)
{
    execute(k, gx, gy);
    size_t n = count_races(k);
    kit_free(k);
    assert_int_equal(n > 0, race);
}

static void rows_1_to_7_two_accesses(void **state)
{
    (void)state;
    static const struct {
        char first, second;
        char order; /* '-' none, 't' token, 's' both take the same token */
        bool race;
    } rows[] = {
        {'l', 's', '-', true},  {'l', 's', 't', false}, {'s', 'l', '-', true},
        {'s', 'l', 't', false}, {'s', 's', '-', true},  {'s', 's', 's', true},
        {'s', 's', 't', false}, {'l', 'l', '-', false},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("p");
        val x = x_of(k), zero = i32(k, 0), start = rows[i].order == 's' ? make_token(k) : NULL;
        ir_op *first = (rows[i].first == 'l' ? ld : st)(k, x, zero, start);
        val token = rows[i].order == 't' ? tok(first) : start;
        (rows[i].second == 'l' ? ld : st)(k, x, zero, token);
        expect(k, 1, 1, rows[i].race);
    }
}

static void row_7_data_dependence_is_no_order(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val x = x_of(k), zero = i32(k, 0);
    ir_op *load = ld(k, x, zero, NULL);
    store_view(k, WEAK, x, addi(k, data(load), ones(k)), 1, &zero, NULL);
    expect(k, 1, 1, true);
}

static void row_8_control_dependence_is_no_order(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val x = x_of(k), zero = i32(k, 0);
    val p = param(k, 0);
    ir_op *load = load_ptr(k, WEAK, p, NULL, NULL, NULL);
    loop l = begin_if(k, compare(k, IR_EQ, data(load), zero), 0, NULL);
    st(k, x, zero, NULL);
    end_if(k, &l, 0, NULL);
    expect(k, 1, 1, true);
}

static void row_10_disjoint(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val x = x_of(k);
    st(k, x, i32(k, 0), NULL);
    st(k, x, i32(k, 1), NULL);
    expect(k, 1, 1, false);
}

static void rows_11_12_join(void **state)
{
    (void)state;
    for (int missing = 0; missing < 2; missing++) {
        kit *k = kit_new("p");
        val x = x_of(k), zero = i32(k, 0);
        ir_op *a = ld(k, x, zero, NULL), *b = ld(k, x, zero, NULL);
        st(k, x, zero, missing ? tok(a) : join2(k, tok(a), tok(b)));
        expect(k, 1, 1, missing);
    }
}

static void rows_13_14_if(void **state)
{
    (void)state;
    for (int drop = 0; drop < 2; drop++) {
        kit *k = kit_new("pi");
        k->args[1].value = 1;
        val x = x_of(k), zero = i32(k, 0), start = make_token(k);
        const ir_type *types[] = {token_type(k)};
        loop l = begin_if(k, compare(k, IR_EQ, param(k, 1), i32(k, 1)), 1, types);
        ir_op *store = st(k, x, zero, start);
        val yielded = tok(store);
        begin_else(k, &l, 1, &yielded);
        end_if(k, &l, 1, &start);
        ld(k, x, zero, drop ? start : &l.op->results[0]);
        expect(k, 1, 1, drop);
    }
}

static void rows_15_to_18_loops(void **state)
{
    (void)state;
    static const struct {
        bool carried, by_counter, modulo, race;
    } rows[] = {
        {true, false, false, false},
        {false, false, false, true},
        {false, true, false, false},
        {false, true, true, true},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("p");
        val x = x_of(k), start = make_token(k), zero = i32(k, 0);
        loop l = begin_for(k, zero, i32(k, 8), i32(k, 1), 1, &start);
        val index = rows[i].by_counter ? l.iv : zero;
        if (rows[i].modulo)
            index = binary(k, IR_OP_REMI, index, i32(k, 4));
        ir_op *store = st(k, x, index, rows[i].carried ? l.body->args[1] : start);
        val next = tok(store);
        end_loop(k, &l, 1, &next);
        expect(k, 1, 1, rows[i].race);
    }
}

/* Rows 19 and 20, under both readings of D17. */
static void rows_19_20_tokens_that_leave_a_loop(void **state)
{
    (void)state;
    for (int last_only = 0; last_only < 2; last_only++) {
        kit *k = kit_new("p");
        val x = x_of(k), start = make_token(k);
        loop l = begin_for(k, i32(k, 0), i32(k, 8), i32(k, 1), 1, &start);
        ir_op *store = st(k, x, l.iv, start);
        val next = last_only ? tok(store) : join2(k, l.body->args[1], tok(store));
        end_loop(k, &l, 1, &next);
        ld(k, x, i32(k, 3), &l.op->results[0]);
        execute(k, 1, 1);
        assert_int_equal(count_races(k) > 0, last_only);
        interp_run_free(k->run);
        model_choices choices = model_default_choices();
        choices.loop_tokens = MODEL_PER_NAME;
        k->run = interp_execute(k->f, &k->launch, &choices, NULL, NULL);
        assert_int_equal(count_races(k), 0);
        kit_free(k);
    }
}

static void row_21_inner_stores_without_tokens(void **state)
{
    (void)state;
    for (int reading = 0; reading < 2; reading++) {
        kit *k = kit_new("p");
        val x = x_of(k), one = i32(k, 1), zero = i32(k, 0);
        loop outer = begin_for(k, zero, i32(k, 2), one, 0, NULL);
        loop inner = begin_for(k, zero, i32(k, 3), one, 0, NULL);
        st(k, x, inner.iv, NULL);
        end_loop(k, &inner, 0, NULL);
        end_loop(k, &outer, 0, NULL);
        execute(k, 1, 1);
        model_choices choices = model_default_choices();
        choices.loop_tokens = reading ? MODEL_PER_NAME : MODEL_PER_ITERATION;
        interp_run_free(k->run);
        k->run = interp_execute(k->f, &k->launch, &choices, NULL, NULL);
        assert_true(count_races(k) > 0);
        kit_free(k);
    }
}

static void rows_22_23_scopes_in_a_block(void **state)
{
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        kit *k = kit_new("p");
        val x = x_of(k), zero = i32(k, 0);
        store_view(k, TL_BLK, x, ones(k), 1, &zero, NULL);
        load_view(k, weak ? WEAK : TL_BLK, x, 1, &zero, NULL);
        expect(k, 1, 1, weak);
    }
}

static void rows_24_to_26_29_duplicate_pointers(void **state)
{
    (void)state;
    static const struct {
        how how;
        bool masked, atomic, race;
    } rows[] = {
        {{IR_WEAK, IR_SCOPE_NONE}, false, false, true},
        {{IR_RELAXED, IR_SCOPE_TL_BLK}, false, false, false},
        {{IR_WEAK, IR_SCOPE_NONE}, true, false, false},
        {{IR_RELAXED, IR_SCOPE_DEVICE}, false, true, false},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("p");
        val p = pointers(k, param(k, 0), TILE(k, 5, 5)), v = TILE(k, 1, 2);
        if (rows[i].atomic)
            rmw(k, rows[i].how, IR_ATOMIC_ADD, p, v, NULL, NULL);
        else
            store_ptr(k, rows[i].how, p, v, rows[i].masked ? MASK(k, 1, 0) : NULL, NULL);
        expect(k, 1, 1, rows[i].race);
    }
}

static void row_27_stride_0(void **state)
{
    (void)state;
    for (int stride = 0; stride < 2; stride++) {
        kit *k = kit_new("p");
        val t = tensor(k, param(k, 0), 2, (int64_t[]){2, 8}, (int64_t[]){stride ? 8 : 0, 1});
        val v = partition(k, t, 2, (int64_t[]){2, 4}, (int32_t[]){0, 1});
        val index[] = {i32(k, 0), i32(k, 0)};
        store_view(k, WEAK, v, full(k, 2, (int64_t[]){2, 4}, 7), 2, index, NULL);
        expect(k, 1, 1, stride == 0);
    }
}

static void row_28_duplicate_rows(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        kit *k = kit_new("p");
        val t = tensor(k, param(k, 0), 2, (int64_t[]){8, 4}, (int64_t[]){4, 1});
        val g = unary(
            k, IR_OP_MAKE_GATHER_SCATTER_VIEW,
            ir_type_gather_scatter_view(k->m, t->type, 2, (int64_t[]){2, 4}, 0, IR_PAD_NONE), t);
        val index[] = {apart ? TILE(k, 5, 6) : TILE(k, 5, 5), i32(k, 0)};
        store_view(k, WEAK, g, full(k, 2, (int64_t[]){2, 4}, 7), 2, index, NULL);
        expect(k, 1, 1, !apart);
    }
}

static void row_30_two_views_of_one_base(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val t = tensor(k, param(k, 0), 2, (int64_t[]){4, 4}, (int64_t[]){4, 1});
    val square = partition(k, t, 2, (int64_t[]){2, 2}, (int32_t[]){0, 1});
    val index[] = {i32(k, 0), i32(k, 0)};
    store_view(k, WEAK, square, full(k, 2, (int64_t[]){2, 2}, 7), 2, index, NULL);
    ld(k, x_of(k), i32(k, 0), NULL);
    expect(k, 1, 1, true);
}

/* ---- Between blocks ---- */

static void rows_31_34_43_49_which_blocks_store(void **state)
{
    (void)state;
    static const struct {
        char index; /* 'b' block, '0' constant, '/' block / 2 */
        int64_t gx, gy;
        bool race;
    } rows[] = {{'b', 8, 1, false}, {'b', 4, 2, true}, {'0', 4, 1, true}, {'/', 4, 1, true}};
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("p");
        val index = rows[i].index == '0' ? i32(k, 0) : bid(k, 0);
        if (rows[i].index == '/')
            index = binary(k, IR_OP_DIVI, index, i32(k, 2));
        st(k, x_of(k), index, NULL);
        expect(k, rows[i].gx, rows[i].gy, rows[i].race);
    }
}

/* Section 5.1: B 1, H 8, M 128, D 64, tiles of 32 x 64; published and "corrected". */
static void rows_32_33_the_papers_example(void **state)
{
    (void)state;
    enum { H = 8, M = 128, D = 64, BM = 32, BD = 64 };
    for (int corrected = 0; corrected < 2; corrected++) {
        kit *k = kit_new("ff");
        for (int i = 0; i < 2; i++)
            k->buffers[i].bytes = H * M * D * 4;
        val src = partition(
            k,
            tensor(k, param(k, 0), 4, (int64_t[]){1, H, M, D}, (int64_t[]){H * M * D, M * D, D, 1}),
            4, (int64_t[]){1, 1, BM, BD}, (int32_t[]){0, 1, 2, 3});
        val dst = partition(
            k,
            tensor(k, param(k, 1), 4, (int64_t[]){1, H, M, D}, (int64_t[]){H * M * D, M * D, D, 1}),
            4, (int64_t[]){1, 1, BM, BD}, (int32_t[]){0, 1, 2, 3});
        val h1 = binary(k, IR_OP_REMI, bid(k, 0), i32(k, H));
        val b = binary(k, IR_OP_DIVI, bid(k, 0), i32(k, H)), h2 = bid(k, 1), zero = i32(k, 0);
        loop l = begin_for(k, zero, i32(k, M / BM), i32(k, 1), 0, NULL);
        val from[] = {b, h1, l.iv, zero};
        ir_op *load = load_view(k, WEAK, src, 4, from, NULL);
        val to[] = {b, corrected ? h2 : l.iv, corrected ? l.iv : h2, zero};
        store_view(k, WEAK, dst, data(load), 4, to, tok(load));
        end_loop(k, &l, 0, NULL);
        execute(k, H, H);
        assert_true(count_races(k) > 0);
        /* 256 tile stores; the published one leaves the index space 128 times. */
        assert_int_equal(n_ubs(k), corrected ? 0 : 128);
        const interp_event *events;
        size_t n = interp_events(k->run, &events);
        assert_int_equal(n, (256 + (corrected ? 256 : 128)) * BM * BD);
        assert_int_equal(interp_event_count(k->run), n);
        kit_free(k);
    }
}

static void rows_35_36_strided_views(void **state)
{
    (void)state;
    for (int gap = 0; gap < 2; gap++) {
        kit *k = kit_new("p");
        int64_t tile = gap ? 4 : 8, step = gap ? 8 : 4, extent = 64;
        val t = tensor(k, param(k, 0), 1, &extent, (int64_t[]){1});
        val v = unary(
            k, IR_OP_MAKE_STRIDED_VIEW,
            ir_type_strided_view(k->m, t->type, 1, &tile, &step, (int32_t[]){0}, IR_PAD_NONE), t);
        val b = bid(k, 0);
        store_view(k, WEAK, v, full(k, 1, &tile, 1), 1, &b, NULL);
        expect(k, 4, 1, !gap);
    }
}

static void row_37_halo(void **state)
{
    (void)state;
    for (int in_place = 0; in_place < 2; in_place++) {
        kit *k = kit_new("pp");
        int64_t tile = 8, step = 4, extent = 64;
        val t = tensor(k, param(k, 0), 1, &extent, (int64_t[]){1});
        val v = unary(
            k, IR_OP_MAKE_STRIDED_VIEW,
            ir_type_strided_view(k->m, t->type, 1, &tile, &step, (int32_t[]){0}, IR_PAD_NONE), t);
        val b = bid(k, 0);
        ir_op *load = load_view(k, WEAK, v, 1, &b, NULL);
        st(k, row_of_tiles(k, param(k, in_place ? 0 : 1), extent, N), b, tok(load));
        expect(k, 4, 1, in_place);
    }
}

static void rows_38_39_tail(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        kit *k = kit_new("p");
        int64_t tile = 64;
        k->buffers[0].bytes = 400;
        val v = row_of_tiles(k, param(k, 0), 100, 64), b = bid(k, 0);
        store_view(k, WEAK, v, full(k, 1, &tile, 1), 1, &b, NULL);
        execute(k, beyond ? 3 : 2, 1);
        assert_int_equal(count_races(k), 0);
        assert_int_equal(interp_event_count(k->run), 100);
        assert_int_equal(n_ubs(k), beyond);
        if (beyond) {
            assert_int_equal(ub(k, 0)->kind, INTERP_UB_INDEX_SPACE);
            assert_int_equal(ub(k, 0)->block, 2);
            assert_int_equal(ub(k, 0)->value, 2);
            assert_int_equal(ub(k, 0)->bound, 2);
        }
        kit_free(k);
    }
}

static void row_40_tile_sizes_differ(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val b = bid(k, 0);
    st(k, x_of(k), b, NULL);
    ld(k, row_of_tiles(k, param(k, 0), 64, 2 * N), b, NULL);
    expect(k, 4, 1, true);
}

static void row_41_pointer_tail_without_mask(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    k->buffers[0].bytes = 6 * 4;
    val offsets = addi(k, TILE(k, 0, 1, 2, 3),
                       unary(k, IR_OP_BROADCAST, tile_type(k, IR_I32, 1, (int64_t[]){4}),
                             unary(k, IR_OP_RESHAPE, tile_type(k, IR_I32, 1, (int64_t[]){1}),
                                   muli(k, bid(k, 0), i32(k, 4)))));
    store_ptr(k, WEAK, pointers(k, param(k, 0), offsets), ones(k), NULL, NULL);
    execute(k, 2, 1);
    assert_int_equal(count_races(k), 0);
    assert_int_equal(n_ubs(k), 1);
    assert_int_equal(ub(k, 0)->kind, INTERP_UB_OUT_OF_BUFFER);
    assert_int_equal(ub(k, 0)->value, 24);
    assert_int_equal(ub(k, 0)->bound, 24);
    const interp_event *events;
    size_t n = interp_events(k->run, &events), outside = 0;
    for (size_t i = 0; i < n; i++)
        outside += events[i].out_of_buffer;
    assert_int_equal(outside, 2);
    kit_free(k);
}

static void row_42_shared_reads(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    ld(k, x_of(k), i32(k, 0), NULL);
    expect(k, 8, 1, false);
}

static void rows_44_to_46_aliases(void **state)
{
    (void)state;
    static const struct {
        bool same_buffer, shifted, token, race;
    } rows[] = {
        {true, true, true, true},
        {false, true, true, false},
        {true, false, true, false},
        {true, false, false, true},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("pp");
        if (rows[i].same_buffer)
            k->args[1].buffer = 0;
        val b = bid(k, 0);
        ir_op *load = ld(k, x_of(k), b, NULL);
        st(k, row_of_tiles(k, param(k, 1), 64, N), rows[i].shifted ? addi(k, b, i32(k, 1)) : b,
           rows[i].token ? tok(load) : NULL);
        expect(k, 4, 1, rows[i].race);
    }
}

/* Grouped ordering over m x n tiles; a group of 4 rows. The true one takes the smaller of 4 and
 * what is left as the group's height. */
static void row_47_swizzle(void **state)
{
    (void)state;
    for (int ragged = 0; ragged < 2; ragged++) {
        kit *k = kit_new("p");
        enum { ROWS = 6, COLUMNS = 3, GROUP = 4 };
        val p = bid(k, 0), in_group = i32(k, GROUP * COLUMNS);
        val first = muli(k, binary(k, IR_OP_DIVI, p, in_group), i32(k, GROUP));
        val left = binary(k, IR_OP_SUBI, i32(k, ROWS), first);
        val height = ragged ? i32(k, GROUP) : binary(k, IR_OP_MINI, left, i32(k, GROUP));
        val rest = binary(k, IR_OP_REMI, p, in_group);
        val row = addi(k, first, binary(k, IR_OP_REMI, rest, height));
        val column = binary(k, IR_OP_DIVI, rest, height);
        if (ragged) /* clamped into the matrix instead */
            row = binary(k, IR_OP_MINI, row, i32(k, ROWS - 1));
        val t =
            tensor(k, param(k, 0), 2, (int64_t[]){ROWS, COLUMNS * 4}, (int64_t[]){COLUMNS * 4, 1});
        val v = partition(k, t, 2, (int64_t[]){1, 4}, (int32_t[]){0, 1});
        val index[] = {row, column};
        store_view(k, WEAK, v, full(k, 2, (int64_t[]){1, 4}, 1), 2, index, NULL);
        execute(k, ROWS * COLUMNS, 1);
        assert_int_equal(count_races(k) > 0, ragged);
        assert_int_equal(n_ubs(k), 0);
        kit_free(k);
    }
}

static void row_48_persistent_loop(void **state)
{
    (void)state;
    for (int short_step = 0; short_step < 2; short_step++) {
        kit *k = kit_new("p");
        loop l = begin_for(k, bid(k, 0), i32(k, 13), i32(k, short_step ? 3 : 4), 0, NULL);
        st(k, x_of(k), l.iv, NULL);
        end_loop(k, &l, 0, NULL);
        expect(k, 4, 1, short_step);
    }
}

static void rows_62_to_65_atomics_between_blocks(void **state)
{
    (void)state;
    static const struct {
        how atomic, load;
        bool loads, race;
    } rows[] = {
        {{IR_RELAXED, IR_SCOPE_DEVICE}, {0}, false, false},
        {{IR_RELAXED, IR_SCOPE_DEVICE}, {IR_WEAK, IR_SCOPE_NONE}, true, true},
        {{IR_RELAXED, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_DEVICE}, true, false},
        {{IR_RELAXED, IR_SCOPE_TL_BLK}, {0}, false, true},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("p");
        ir_op *a = rmw(k, rows[i].atomic, IR_ATOMIC_ADD, param(k, 0), i32(k, 1), NULL, NULL);
        if (rows[i].loads)
            load_ptr(k, rows[i].load, param(k, 0), NULL, NULL, tok(a));
        execute(k, 8, 1);
        assert_int_equal(word(k, 0, 0), 8);
        assert_int_equal(count_races(k) > 0, rows[i].race);
        kit_free(k);
    }
}

static void row_80_masked_off_elements(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val b = bid(k, 0), p = pointers(k, param(k, 0), TILE(k, 0, 1));
    val wide = unary(k, IR_OP_BROADCAST, tile_type(k, IR_I32, 1, (int64_t[]){2}),
                     unary(k, IR_OP_RESHAPE, tile_type(k, IR_I32, 1, (int64_t[]){1}), b));
    /* Block 0 updates element 0, block 1 element 1, and block 1 stores to neither of them... */
    ir_op *a = rmw(k, DEVICE, IR_ATOMIC_ADD, p, TILE(k, 1, 1),
                   compare(k, IR_EQ, wide, TILE(k, 0, 1)), NULL);
    /* ... and each block stores to its own element weakly, ordered by the token. */
    store_ptr(k, WEAK, pointers(k, param(k, 0), b), i32(k, 9), NULL, tok(a));
    expect(k, 2, 1, false);
}

static void rows_88_89_globals_and_allocas(void **state)
{
    (void)state;
    for (int private = 0; private < 2; private ++) {
        kit *k = kit_new("p");
        const ir_type *type = pointer_type(k, IR_I32);
        val p;
        if (private) {
            ir_op *op = ir_build(&k->b, IR_OP_ALLOCA, NULL, 1, &type, NULL);
            ir_set_int(op, IR_AT_ALLOCA_num_elem, 4);
            ir_set_int(op, IR_AT_ALLOCA_alignment, 16);
            p = &op->results[0];
        } else {
            static const unsigned char bytes[] = {5, 0, 0, 0};
            ir_global *g = TR_NEW(k->m->arena, ir_global);
            g->name = "counter";
            g->value = (ir_attr){.kind = IR_ATTR_DENSE,
                                 .type = tile_type(k, IR_I32, 1, (int64_t[]){1}),
                                 .bytes = bytes,
                                 .n_bytes = 4,
                                 .splat = true};
            k->m->globals = g;
            ir_op *op = ir_build(&k->b, IR_OP_GET_GLOBAL, NULL, 1, &type, NULL);
            op->attrs[IR_AT_GET_GLOBAL_name] =
                (ir_attr){.kind = IR_ATTR_STRING, .string = "counter"};
            p = &op->results[0];
        }
        ir_op *load = private ? NULL : load_ptr(k, WEAK, p, NULL, NULL, NULL);
        store_ptr(k, WEAK, p, i32(k, 1), NULL, load ? tok(load) : NULL);
        expect(k, 3, 1, !private);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_1_to_7_two_accesses),
        cmocka_unit_test(row_7_data_dependence_is_no_order),
        cmocka_unit_test(row_8_control_dependence_is_no_order),
        cmocka_unit_test(row_10_disjoint),
        cmocka_unit_test(rows_11_12_join),
        cmocka_unit_test(rows_13_14_if),
        cmocka_unit_test(rows_15_to_18_loops),
        cmocka_unit_test(rows_19_20_tokens_that_leave_a_loop),
        cmocka_unit_test(row_21_inner_stores_without_tokens),
        cmocka_unit_test(rows_22_23_scopes_in_a_block),
        cmocka_unit_test(rows_24_to_26_29_duplicate_pointers),
        cmocka_unit_test(row_27_stride_0),
        cmocka_unit_test(row_28_duplicate_rows),
        cmocka_unit_test(row_30_two_views_of_one_base),
        cmocka_unit_test(rows_31_34_43_49_which_blocks_store),
        cmocka_unit_test(rows_32_33_the_papers_example),
        cmocka_unit_test(rows_35_36_strided_views),
        cmocka_unit_test(row_37_halo),
        cmocka_unit_test(rows_38_39_tail),
        cmocka_unit_test(row_40_tile_sizes_differ),
        cmocka_unit_test(row_41_pointer_tail_without_mask),
        cmocka_unit_test(row_42_shared_reads),
        cmocka_unit_test(rows_44_to_46_aliases),
        cmocka_unit_test(row_47_swizzle),
        cmocka_unit_test(row_48_persistent_loop),
        cmocka_unit_test(rows_62_to_65_atomics_between_blocks),
        cmocka_unit_test(row_80_masked_off_elements),
        cmocka_unit_test(rows_88_89_globals_and_allocas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
