/* What loads and atomics give, as bit patterns worked out by hand: padding of every kind in every
 * format, updates of floats, compare-and-swap by bits, sums of integers that leave their range. */
#include "scalars.h"

static void run_with(kit *k, bool values)
{
    if (!k->run)
        terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    interp_limits limits = {.values = values};
    interp_run_free(k->run);
    k->run = interp_execute(k->f, &k->launch, NULL, &limits, NULL);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
}

static val pointer_to(kit *k, uint32_t parameter, ir_type_kind pointee, int64_t element)
{
    val p = unary(k, IR_OP_PTR_TO_PTR, pointer_type(k, pointee), param(k, parameter));
    return OP1(k, IR_OP_OFFSET, p->type, p, i32(k, element));
}

static uint64_t bits_of(kit *k, int buffer, int64_t address, int width)
{
    uint64_t bits = 0;
    assert_true(interp_read_back(k->run, buffer, address, width, &bits));
    return bits;
}

static void padding_of_views(void **state)
{
    (void)state;
    static const struct {
        ir_type_kind kind;
        ir_padding padding;
        uint64_t bits;
    } rows[] = {
        {IR_F32, IR_PAD_ZERO, 0},
        {IR_F32, IR_PAD_NEG_ZERO, 0x80000000},
        {IR_F32, IR_PAD_NAN, 0x7fc00000},
        {IR_F32, IR_PAD_POS_INF, 0x7f800000},
        {IR_F32, IR_PAD_NEG_INF, 0xff800000},
        {IR_F16, IR_PAD_NEG_ZERO, 0x8000},
        {IR_F16, IR_PAD_NAN, 0x7e00},
        {IR_F16, IR_PAD_NEG_INF, 0xfc00},
        {IR_BF16, IR_PAD_POS_INF, 0x7f80},
        {IR_BF16, IR_PAD_NAN, 0x7fc0},
        {IR_F64, IR_PAD_NEG_ZERO, 0x8000000000000000},
        {IR_F64, IR_PAD_POS_INF, 0x7ff0000000000000},
        {IR_TF32, IR_PAD_NEG_INF, 0xff800000},
        {IR_F8E4M3FN, IR_PAD_NEG_ZERO, 0x80},
        {IR_F8E4M3FN, IR_PAD_NAN, 0x7f},
        {IR_F8E5M2, IR_PAD_POS_INF, 0x7c},
        {IR_I8, IR_PAD_ZERO, 0},
        {IR_I64, IR_PAD_ZERO, 0},
    };
    kit *k = kit_new("pp");
    k->buffers[1].opaque = true;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        const int64_t one[] = {1}, two[] = {2};
        val t = tensor(k, pointer_to(k, 1, rows[i].kind, 0), 1, one, one);
        val v = unary(
            k, IR_OP_MAKE_PARTITION_VIEW,
            ir_type_partition_view(k->m, t->type, 1, two, (const int32_t[]){0}, rows[i].padding),
            t);
        val zero = i32(k, 0);
        val loaded = data(load_view(k, WEAK, v, 1, &zero, NULL));
        val last = i32(k, 1);
        ir_operand_list groups[] = {{&loaded, 1}, {&last, 1}};
        const ir_type *part = tile_type(k, rows[i].kind, 1, one);
        val outside = &ir_build(&k->b, IR_OP_EXTRACT, groups, 1, &part, NULL)->results[0];
        val scalar_one = unary(k, IR_OP_RESHAPE, scalar_type(k, rows[i].kind), outside);
        int64_t width = ir_type_bytes(scalar_one->type->elem);
        store_ptr(k, WEAK, pointer_to(k, 0, rows[i].kind, (int64_t)i * 8 / width), scalar_one, NULL,
                  NULL);
    }
    run_with(k, false);
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        int width = ir_type_bytes(ir_type_scalar(k->m, rows[i].kind));
        if (bits_of(k, 0, (int64_t)i * 8, width) != rows[i].bits)
            fail_msg("row %zu: %llx", i, (unsigned long long)bits_of(k, 0, (int64_t)i * 8, width));
    }
    kit_free(k);
}

/* Of one float in memory. `open`: only where values are asked for. */
static void updates_of_floats(void **state)
{
    (void)state;
    static const struct {
        ir_type_kind kind;
        ir_atomic_mode mode;
        uint64_t old, arg, now;
        bool open;
    } rows[] = {
        {IR_F32, IR_ATOMIC_XCHG, 0x3f800000, 0x7fc12345, 0x7fc12345, false},
        {IR_F64, IR_ATOMIC_XCHG, 0, 0x8000000000000000, 0x8000000000000000, false},
        {IR_F32, IR_ATOMIC_ADDF, 0x3f800000, 0x33800000, 0x3f800000, true}, /* a tie: to even */
        {IR_F32, IR_ATOMIC_ADDF, 0x3f800001, 0x33800000, 0x3f800002, true},
        {IR_F32, IR_ATOMIC_ADDF, 0x00400000, 0x00400000, 0, true}, /* no subnormals here */
        {IR_F32, IR_ATOMIC_ADDF, 0x7f7fffff, 0x7f7fffff, 0x7f800000, true},
        {IR_F16, IR_ATOMIC_ADDF, 0x0001, 0x0001, 0x0002, true},
        {IR_F16, IR_ATOMIC_ADDF, 0x6800, 0x3c00, 0x6800, true},  /* 2048 + 1 */
        {IR_BF16, IR_ATOMIC_ADDF, 0x4380, 0x3f80, 0x4380, true}, /* 256 + 1 */
        {IR_F64, IR_ATOMIC_ADDF, 0x3ff0000000000000, 0x3ca0000000000000, 0x3ff0000000000000, true},
    };
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        int width = ir_type_bytes(ir_type_scalar(k->m, rows[i].kind));
        val p = pointer_to(k, 0, rows[i].kind, (int64_t)i * 8 / width);
        ir_op *store =
            store_ptr(k, WEAK, p, scalar(k, rows[i].kind, (int64_t)rows[i].old), NULL, NULL);
        ir_op *op = rmw(k, DEVICE, rows[i].mode, p, scalar(k, rows[i].kind, (int64_t)rows[i].arg),
                        NULL, tok(store));
        store_ptr(k, WEAK, pointer_to(k, 0, rows[i].kind, (256 + (int64_t)i * 8) / width), data(op),
                  NULL, NULL);
    }
    for (int values = 0; values < 2; values++) {
        run_with(k, values);
        for (size_t i = 0; i < TR_COUNT(rows); i++) {
            int width = ir_type_bytes(ir_type_scalar(k->m, rows[i].kind));
            uint64_t bits;
            bool known = interp_read_back(k->run, 0, (int64_t)i * 8, width, &bits);
            assert_int_equal(known, values || !rows[i].open);
            if (known && bits != rows[i].now)
                fail_msg("row %zu: %llx", i, (unsigned long long)bits);
            assert_int_equal(bits_of(k, 0, 256 + (int64_t)i * 8, width), rows[i].old);
        }
    }
    kit_free(k);
}

/* By bits: the two zeros differ, a NaN equals itself. */
static void floats_are_compared_by_bits(void **state)
{
    (void)state;
    static const struct {
        uint64_t old, compare;
        bool swaps;
    } rows[] = {{0x80000000, 0, false},
                {0x80000000, 0x80000000, true},
                {0x7fc00001, 0x7fc00001, true},
                {0x7fc00001, 0x7fc00000, false}};
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        val p = pointer_to(k, 0, IR_F32, (int64_t)i);
        ir_op *store = store_ptr(k, WEAK, p, scalar(k, IR_F32, (int64_t)rows[i].old), NULL, NULL);
        cas(k, DEVICE, p, scalar(k, IR_F32, (int64_t)rows[i].compare),
            scalar(k, IR_F32, 0x40000000), tok(store));
    }
    run_with(k, false);
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        assert_int_equal(bits_of(k, 0, (int64_t)i * 4, 4),
                         rows[i].swaps ? 0x40000000 : rows[i].old);
    kit_free(k);
}

/* A masked element: compare-and-swap gives back what it would have compared with, and touches
 * nothing. */
static void masked_updates(void **state)
{
    (void)state;
    kit *k = kit_new("pp");
    val p = pointers(k, param(k, 1), TILE(k, 0, 1));
    const ir_type *types[] = {tile_type(k, IR_I32, 1, (const int64_t[]){2}), token_type(k)};
    ir_op *op = op_of(k, IR_OP_ATOMIC_CAS_TKO, 2, types, p, TILE(k, 0, 5), TILE(k, 8, 9),
                      MASK(k, 1, 0), NULL);
    set_how(op, IR_AT_ATOMIC_CAS_TKO_memory_ordering_semantics, IR_AT_ATOMIC_CAS_TKO_memory_scope,
            DEVICE);
    show(k, data(op), 0);
    run_with(k, false);
    assert_int_equal(word(k, 0, 0), 0);
    assert_int_equal(word(k, 0, 1), 5);
    assert_int_equal(word(k, 1, 0), 8);
    assert_int_equal(word(k, 1, 1), 0);
    kit_free(k);
}

/* 127 * 127 + 2^31 - 1; and 0x80 * 0x7f - 2^31, which as unsigned times signed stays inside. */
static void sums_of_integers_saturate(void **state)
{
    (void)state;
    for (int values = 0; values < 2; values++) {
        kit *k = kit_new("p");
        const int64_t a[] = {127, -128}, b[] = {127, 0};
        val l = constant(k, tile_type(k, IR_I8, 2, (const int64_t[]){2, 1}), 2, a);
        val r = constant(k, tile_type(k, IR_I8, 2, (const int64_t[]){1, 2}), 2, b);
        const int64_t starts[] = {INT32_MAX, 3, INT32_MIN, 4};
        val acc = constant(k, tile_type(k, IR_I32, 2, (const int64_t[]){2, 2}), 4, starts);
        for (int u = 0; u < 2; u++) {
            val p = OP1(k, IR_OP_MMAI, acc->type, l, r, acc);
            ir_set_int(p->def, IR_AT_MMAI_signedness_lhs, u ? IR_UNSIGNED : IR_SIGNED);
            ir_set_int(p->def, IR_AT_MMAI_signedness_rhs, IR_SIGNED);
            show(k, p, 4 * u);
        }
        run_with(k, values);
        static const bool leaves[] = {true, false, true, false, true, false, false, false};
        static const int64_t results[] = {
            INT32_MAX, 3, INT32_MIN, 4, INT32_MAX, 3, INT32_MIN + 128 * 127, 4};
        for (int i = 0; i < 8; i++) {
            uint64_t bits;
            bool known = interp_read_back(k->run, 0, 4 * i, 4, &bits);
            assert_int_equal(known, values || !leaves[i]);
            if (known)
                assert_int_equal((int32_t)bits, results[i]);
        }
        kit_free(k);
    }
}

/* A view op of the row-of-two tile at index 0; `tile` is given to those that take one. */
static ir_op *view_op(kit *k, ir_opcode code, val view, val tile, val token)
{
    val zero = i32(k, 0);
    bool loads = code == IR_OP_MULTIMEM_LOAD_REDUCE_VIEW_TKO;
    ir_operand_list index = {&zero, 1}, value = {&tile, 1}, last = {&token, token ? 1 : 0};
    ir_operand_list groups[4] = {{&view, 1}, value, index, last};
    if (code == IR_OP_ATOMIC_RED_VIEW_TKO) {
        groups[1] = index;
        groups[2] = value;
    } else if (loads) {
        groups[1] = index;
        groups[2] = last;
    }
    const ir_type *vt = view->type;
    const ir_type *types[] = {ir_type_tile(k->m, vt->tensor->elem, vt->rank, vt->shape),
                              token_type(k)};
    return ir_build(&k->b, code, groups, loads ? 2 : 1, loads ? types : types + 1, NULL);
}

static void updates_through_views(void **state)
{
    (void)state;
    static const struct {
        ir_opcode code;
        int64_t mode, old, arg, now;
    } rows[] = {
        {IR_OP_ATOMIC_RED_VIEW_TKO, IR_ATOMIC_ADD, INT32_MAX, 1, INT32_MIN},
        {IR_OP_ATOMIC_RED_VIEW_TKO, IR_ATOMIC_UMAX, -3, 2, -3},
        {IR_OP_ATOMIC_RED_VIEW_TKO, IR_ATOMIC_MIN, -3, 2, -3},
        {IR_OP_ATOMIC_RED_VIEW_TKO, IR_ATOMIC_XOR, 12, 10, 6},
        {IR_OP_MULTIMEM_REDUCE_VIEW_TKO, IR_MULTIMEM_ADD, 5, 6, 11},
        {IR_OP_MULTIMEM_REDUCE_VIEW_TKO, IR_MULTIMEM_MAX, -3, 2, 2},
        {IR_OP_MULTIMEM_REDUCE_VIEW_TKO, IR_MULTIMEM_UMIN, -3, 2, 2},
        {IR_OP_MULTIMEM_REDUCE_VIEW_TKO, IR_MULTIMEM_AND, 12, 10, 8},
        {IR_OP_MULTIMEM_STORE_VIEW_TKO, 0, 12, 10, 10},
        {IR_OP_MULTIMEM_LOAD_REDUCE_VIEW_TKO, 0, 12, 10, 12}, /* one replica, which stays */
    };
    kit *k = kit_new("pp");
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        val base = pointers(k, param(k, 1), i32(k, 4 * (int64_t)i));
        val view = row_of_tiles(k, base, 3, 2); /* the second tile hangs over */
        val zero = i32(k, 0);
        ir_op *before =
            store_view(k, WEAK, view, TILE(k, rows[i].old, rows[i].old), 1, &zero, NULL);
        ir_op *op = view_op(k, rows[i].code, view, TILE(k, rows[i].arg, rows[i].arg), tok(before));
        switch (rows[i].code) {
        case IR_OP_ATOMIC_RED_VIEW_TKO:
            set_how(op, IR_AT_ATOMIC_RED_VIEW_TKO_memory_ordering_semantics,
                    IR_AT_ATOMIC_RED_VIEW_TKO_memory_scope, DEVICE);
            ir_set_int(op, IR_AT_ATOMIC_RED_VIEW_TKO_mode, rows[i].mode);
            break;
        case IR_OP_MULTIMEM_REDUCE_VIEW_TKO:
            set_how(op, IR_AT_MULTIMEM_REDUCE_VIEW_TKO_memory_ordering_semantics,
                    IR_AT_MULTIMEM_REDUCE_VIEW_TKO_memory_scope, DEVICE);
            ir_set_int(op, IR_AT_MULTIMEM_REDUCE_VIEW_TKO_reduction, rows[i].mode);
            break;
        case IR_OP_MULTIMEM_STORE_VIEW_TKO:
            set_how(op, IR_AT_MULTIMEM_STORE_VIEW_TKO_memory_ordering_semantics,
                    IR_AT_MULTIMEM_STORE_VIEW_TKO_memory_scope, WEAK);
            break;
        default:
            set_how(op, IR_AT_MULTIMEM_LOAD_REDUCE_VIEW_TKO_memory_ordering_semantics,
                    IR_AT_MULTIMEM_LOAD_REDUCE_VIEW_TKO_memory_scope, WEAK);
            show(k, data(op), 0);
        }
    }
    run_with(k, false);
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        for (int n = 0; n < 2; n++)
            if (word(k, 1, 4 * (int64_t)i + n) != rows[i].now)
                fail_msg("row %zu: %lld", i, (long long)word(k, 1, 4 * (int64_t)i + n));
    assert_int_equal(word(k, 0, 0), 12);
    assert_int_equal(word(k, 0, 1), 12);
    assert_int_equal(count_races(k), 0);
    kit_free(k);
}

/* Numbers of the launch and of a view; and ops that touch nothing, through which order goes. */
static void what_the_launch_is(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    const ir_type *one = scalar_type(k, IR_I32), *three[] = {one, one, one};
    ir_op *blocks = ir_build(&k->b, IR_OP_GET_NUM_TILE_BLOCKS, NULL, 3, three, NULL);
    for (int axis = 0; axis < 3; axis++)
        show(k, &blocks->results[axis], axis);
    const int64_t shape[] = {6, 7}, strides[] = {7, 1};
    val t = tensor(k, param(k, 0), 2, shape, strides);
    ir_operand_list of = {&t, 1};
    ir_op *extents = ir_build(&k->b, IR_OP_GET_TENSOR_SHAPE, &of, 2, three, NULL);
    show(k, &extents->results[0], 3);
    show(k, &extents->results[1], 4);
    val token = tok(store_ptr(k, WEAK, pointers(k, param(k, 0), i32(k, 9)), i32(k, 1), NULL, NULL));
    static const ir_opcode passes[] = {IR_OP_MEMORY_FENCE_ALIAS_TKO,
                                       IR_OP_GDC_LAUNCH_DEPENDENTS_TKO, IR_OP_GDC_WAIT_TKO};
    const ir_type *type = token_type(k);
    for (size_t i = 0; i < TR_COUNT(passes); i++) {
        ir_operand_list group = {&token, 1};
        token = &ir_build(&k->b, passes[i], &group, 1, &type, NULL)->results[0];
    }
    ir_operand_list groups[] = {{NULL, 0}, {&token, 1}};
    token = &ir_build(&k->b, IR_OP_PRINT_TKO, groups, 1, &type, NULL)->results[0];
    store_ptr(k, WEAK, pointers(k, param(k, 0), i32(k, 9)), i32(k, 2), NULL, token);
    k->launch.grid[0] = 2;
    k->launch.grid[1] = 3;
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    k->run = interp_execute_blocks(k->f, &k->launch, NULL, NULL, 1, (const uint32_t[]){0});
    static const int64_t numbers[] = {2, 3, 1, 6, 7};
    for (size_t i = 0; i < TR_COUNT(numbers); i++)
        assert_int_equal(word(k, 0, (int64_t)i), numbers[i]);
    assert_int_equal(word(k, 0, 9), 2);
    assert_int_equal(count_races(k), 0);
    kit_free(k);
}

/* Rows across pages of 4 KiB, the ends of what the launch gave, bytes that are not known, and what
 * was written before: element by element what was there. */
static void rows_of_a_view(void **state)
{
    (void)state;
    enum { ELEMENTS = 4096, ROW = 128, GIVEN = 3000, UNKNOWN = 1100, STORED = 1020 };
    static const int64_t row = ROW, starts[] = {0, 1000, 1020, 1024, 2950, 3000, ELEMENTS - ROW};
    static const int16_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t n = 0; n < TR_COUNT(starts); n++) {
        kit *k = kit_new("pp");
        interp_buffer *b = &k->buffers[0];
        b->bytes = k->buffers[1].bytes = 4 * ELEMENTS;
        b->data_bytes = 4 * GIVEN;
        b->data = tr_arena_alloc(k->m->arena, 4 * GIVEN);
        b->known = tr_arena_alloc(k->m->arena, 4 * GIVEN);
        for (int32_t i = 0; i < GIVEN; i++)
            memcpy(b->data + 4 * i, &(int32_t){1000 + i}, 4);
        memset(b->known, true, 4 * GIVEN);
        b->known[4 * UNKNOWN + 2] = false;
        val at = pointers(k, param(k, 0), i32(k, STORED)); /* over the end of a page */
        val eight = row_of_tiles(k, at, 8, 8), index = i32(k, 0);
        ir_op *before =
            store_view(k, WEAK, eight, TILE(k, 1, 2, 3, 4, 5, 6, 7, 8), 1, &index, NULL);
        val from = row_of_tiles(k, pointers(k, param(k, 0), i32(k, starts[n])), row, row);
        ir_op *load = load_view(k, WEAK, from, 1, &index, tok(before));
        val to = row_of_tiles(k, pointers(k, param(k, 1), i32(k, starts[n])), row, row);
        ir_op *first = store_view(k, WEAK, to, data(load), 1, &index, NULL);
        store_view(k, WEAK, to, data(load), 1, &index, tok(first)); /* over what is written */
        execute(k, 1, 1);
        assert_int_equal(interp_run_status(k->run), INTERP_DONE);
        for (int64_t i = starts[n]; i < starts[n] + ROW; i++) {
            uint64_t bits;
            bool stored = i >= STORED && i < STORED + 8;
            bool known = stored || (i < GIVEN && i != UNKNOWN);
            assert_int_equal(interp_read_back(k->run, 1, 4 * i, 4, &bits), known);
            if (known)
                assert_int_equal(bits, stored ? numbers[i - STORED] : 1000 + i);
        }
        kit_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padding_of_views),
        cmocka_unit_test(updates_of_floats),
        cmocka_unit_test(floats_are_compared_by_bits),
        cmocka_unit_test(masked_updates),
        cmocka_unit_test(sums_of_integers_saturate),
        cmocka_unit_test(updates_through_views),
        cmocka_unit_test(what_the_launch_is),
        cmocka_unit_test(rows_of_a_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
