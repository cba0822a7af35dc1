/* Values: shapes, folds, pointers, memory, against numbers worked out by hand. */
#include "scalars.h"

static void expect_words(kit *k, int64_t at, size_t n, const int64_t *expected)
{
    for (size_t i = 0; i < n; i++)
        if (word(k, 0, at + (int64_t)i) != expected[i])
            fail_msg("word %lld: %lld, not %lld", (long long)at + (long long)i,
                     (long long)word(k, 0, at + (int64_t)i), (long long)expected[i]);
}

#define EXPECT(k, at, ...)                                                                         \
    expect_words((k), (at), sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                    \
                 (int64_t[]){__VA_ARGS__})

static void shapes(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val six = TILE(k, 0, 1, 2, 3, 4, 5, 6, 7);
    const int64_t square[] = {2, 4}, turned[] = {4, 2}, column[] = {2, 1};
    val m = unary(k, IR_OP_RESHAPE, tile_type(k, IR_I32, 2, square), six);
    val t = unary(k, IR_OP_PERMUTE, tile_type(k, IR_I32, 2, turned), m);
    t->def->attrs[IR_AT_PERMUTE_permutation] =
        (ir_attr){.kind = IR_ATTR_INTS, .count = 2, .numbers = (const int64_t[]){1, 0}};
    show(k, t, 0);
    val c = unary(k, IR_OP_RESHAPE, tile_type(k, IR_I32, 2, column), TILE(k, 8, 9));
    show(k, unary(k, IR_OP_BROADCAST, tile_type(k, IR_I32, 2, square), c), 8);
    val both = OP1(k, IR_OP_CAT, tile_type(k, IR_I32, 2, (const int64_t[]){2, 8}), m,
                   unary(k, IR_OP_BROADCAST, tile_type(k, IR_I32, 2, square), c));
    ir_set_int(both->def, IR_AT_CAT_dim, 1);
    show(k, both, 16);
    val pick[] = {i32(k, 1), i32(k, 0)};
    const ir_type *part = tile_type(k, IR_I32, 2, (const int64_t[]){1, 2});
    ir_operand_list groups[] = {{&m, 1}, {pick, 2}};
    val slice = &ir_build(&k->b, IR_OP_EXTRACT, groups, 1, &part, NULL)->results[0];
    show(k, slice, 32);
    ir_operand_list put[] = {{&slice, 1}, {&m, 1}, {(val[]){i32(k, 0), i32(k, 1)}, 2}};
    show(k, &ir_build(&k->b, IR_OP_INSERT, put, 1, &m->type, NULL)->results[0], 34);
    val mask = MASK(k, 1, 0, 1, 0, 0, 0, 0, 1);
    show(k, OP1(k, IR_OP_SELECT, six->type, mask, six, full(k, 1, (const int64_t[]){8}, -1)), 42);
    execute(k, 1, 1);
    EXPECT(k, 0, 0, 4, 1, 5, 2, 6, 3, 7);
    EXPECT(k, 8, 8, 8, 8, 8, 9, 9, 9, 9);
    EXPECT(k, 16, 0, 1, 2, 3, 8, 8, 8, 8, 4, 5, 6, 7, 9, 9, 9, 9);
    EXPECT(k, 32, 4, 5);
    EXPECT(k, 34, 0, 1, 4, 5, 4, 5, 6, 7);
    EXPECT(k, 42, 0, -1, 2, -1, -1, -1, -1, 7);
    kit_free(k);
}

static void pack_and_unpack(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val bytes =
        unary(k, IR_OP_PACK, tile_type(k, IR_I8, 1, (const int64_t[]){8}), TILE(k, 0x04030201, -2));
    val wide = unary(k, IR_OP_EXTI, tile_type(k, IR_I32, 1, (const int64_t[]){8}), bytes);
    ir_set_int(wide->def, IR_AT_EXTI_signedness, IR_SIGNED);
    show(k, wide, 0);
    show(k, unary(k, IR_OP_UNPACK, tile_type(k, IR_I32, 1, (const int64_t[]){2}), bytes), 8);
    execute(k, 1, 1);
    EXPECT(k, 0, 1, 2, 3, 4, -2, -1, -1, -1, 0x04030201, -2);
    kit_free(k);
}

/* reduce or scan of a 2 x 4 tile; the body adds, or subtracts when the element is odd. */
static val fold(kit *k, ir_opcode code, val m, int64_t dim, bool reverse, bool branches)
{
    bool scan = code == IR_OP_SCAN;
    int64_t left = m->type->shape[1 - dim];
    const ir_type *type = scan ? m->type : tile_type(k, IR_I32, 1, &left);
    ir_operand_list group = {&m, 1};
    ir_op *op = ir_build(&k->b, code, &group, 1, &type, (uint32_t[]){1});
    ir_set_int(op, scan ? IR_AT_SCAN_dim : IR_AT_REDUCE_dim, dim);
    static const ir_attr zero = {.kind = IR_ATTR_INT, .number = 0};
    op->attrs[scan ? IR_AT_SCAN_identities : IR_AT_REDUCE_identities] =
        (ir_attr){.kind = IR_ATTR_LIST, .count = 1, .items = &zero};
    if (scan)
        ir_set_int(op, IR_AT_SCAN_reverse, reverse);
    const ir_type *scalar = scalar_type(k, IR_I32), *both[] = {scalar, scalar};
    ir_block *outer = k->b.block, *body = ir_block_new(k->m, k->f, 2, both);
    ir_set_region(op, 0, body);
    k->b.block = body;
    val sum = addi(k, body->args[0], body->args[1]);
    if (branches) { /* not element by element: the lines go one by one */
        val odd = binary(k, IR_OP_ANDI, body->args[0], i32(k, 1));
        loop l = begin_if(k, compare(k, IR_EQ, odd, i32(k, 1)), 1, &scalar);
        val less = binary(k, IR_OP_SUBI, body->args[1], body->args[0]);
        begin_else(k, &l, 1, &less);
        end_if(k, &l, 1, &sum);
        sum = &l.op->results[0];
    }
    terminate(k, IR_OP_YIELD, 1, &sum);
    k->b.block = outer;
    return &op->results[0];
}

static void reductions(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val m = unary(k, IR_OP_RESHAPE, tile_type(k, IR_I32, 2, (const int64_t[]){2, 4}),
                  TILE(k, 1, 2, 3, 4, 5, 6, 7, 8));
    show(k, fold(k, IR_OP_REDUCE, m, 1, false, false), 0);
    show(k, fold(k, IR_OP_REDUCE, m, 0, false, false), 2);
    show(k, fold(k, IR_OP_REDUCE, m, 1, false, true), 6);
    show(k, fold(k, IR_OP_SCAN, m, 1, false, false), 8);
    show(k, fold(k, IR_OP_SCAN, m, 1, true, false), 16);
    show(k, fold(k, IR_OP_SCAN, m, 0, false, true), 24);
    execute(k, 1, 1);
    EXPECT(k, 0, 10, 26);
    EXPECT(k, 2, 6, 8, 10, 12);
    EXPECT(k, 6, 0 - 1 + 2 - 3 + 4, 0 - 5 + 6 - 7 + 8);
    EXPECT(k, 8, 1, 3, 6, 10, 5, 11, 18, 26);
    EXPECT(k, 16, 10, 9, 7, 4, 26, 21, 15, 8);
    EXPECT(k, 24, -1, 2, -3, 4, -6, 8, -10, 12);
    kit_free(k);
}

static void matrix_product_of_integers(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    const int64_t a[] = {1, -2, 3, 4}, b[] = {5, 6, -1, 8};
    val l = constant(k, tile_type(k, IR_I8, 2, (const int64_t[]){2, 2}), 4, a);
    val r = constant(k, tile_type(k, IR_I8, 2, (const int64_t[]){2, 2}), 4, b);
    val acc = full(k, 2, (const int64_t[]){2, 2}, 100);
    val p = OP1(k, IR_OP_MMAI, acc->type, l, r, acc);
    ir_set_int(p->def, IR_AT_MMAI_signedness_lhs, IR_SIGNED);
    ir_set_int(p->def, IR_AT_MMAI_signedness_rhs, IR_UNSIGNED); /* -1 is 255 there */
    show(k, p, 0);
    execute(k, 1, 1);
    EXPECT(k, 0, 100 + 5 - 510, 100 + 6 - 16, 100 + 15 + 1020, 100 + 18 + 32);
    kit_free(k);
}

static void floats_are_exact_where_ieee_fixes_them(void **state)
{
    (void)state;
    static const struct {
        ir_opcode code;
        ir_type_kind kind;
        int64_t a, b, expected; /* bit patterns */
    } rows[] = {
        {IR_OP_ADDF, IR_F32, 0x3f800000, 0x33800000, 0x3f800000}, /* 1 + 2^-24: tie to even */
        {IR_OP_ADDF, IR_F32, 0x3f800001, 0x33800000, 0x3f800002},
        {IR_OP_ADDF, IR_F16, 0x7bff, 0x7bff, 0x7c00},  /* overflow */
        {IR_OP_ADDF, IR_BF16, 0x3f80, 0x3b80, 0x3f80}, /* 1 + 2^-8: tie to even */
        {IR_OP_MULF, IR_F16, 0x0400, 0x3800, 0x0200},  /* into the subnormals */
        {IR_OP_MULF, IR_F32, 0x00800000, 0x3f000000, 0x00400000},
        {IR_OP_SUBF, IR_F64, 0x3ff0000000000000, 0x3ff0000000000001, (int64_t)0xbcb0000000000000},
        {IR_OP_DIVF, IR_F32, 0x3f800000, 0x40400000, 0x3eaaaaab},
        {IR_OP_MAXF, IR_F32, 0x80000000, 0x00000000, 0x00000000},
        {IR_OP_MAXF, IR_F32, 0x7fc00000, 0x3f800000, 0x3f800000}, /* NaN gives way */
        {IR_OP_MINF, IR_F32, 0x80000000, 0x00000000, 0x80000000},
    };
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        val r = binary(k, rows[i].code, scalar(k, rows[i].kind, rows[i].a),
                       scalar(k, rows[i].kind, rows[i].b));
        ir_type_kind same_size = rows[i].kind == IR_F64   ? IR_I64
                                 : rows[i].kind == IR_F32 ? IR_I32
                                                          : IR_I16;
        val bits = unary(k, IR_OP_BITCAST, scalar_type(k, same_size), r);
        if (same_size != IR_I64) {
            bits = unary(k, IR_OP_EXTI, scalar_type(k, IR_I64), bits);
            ir_set_int(bits->def, IR_AT_EXTI_signedness, IR_UNSIGNED);
        }
        store_i64(k, bits, (int64_t)i);
    }
    execute(k, 1, 1);
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (read_i64(k, (int64_t)i) != rows[i].expected)
            fail_msg("row %zu: %llx", i, (unsigned long long)read_i64(k, (int64_t)i));
    kit_free(k);
}

static void float_conversions(void **state)
{
    (void)state;
    static const struct {
        ir_type_kind from, to;
        int64_t in, out;
    } rows[] = {
        {IR_F32, IR_F16, 0x477fe000, 0x7bff},  /* 65504 */
        {IR_F32, IR_F16, 0x477ff000, 0x7c00},  /* 65520 rounds to infinity */
        {IR_F32, IR_BF16, 0x3f808000, 0x3f80}, /* tie to even */
        {IR_F32, IR_BF16, 0x3f818000, 0x3f82},
        {IR_F32, IR_F8E4M3FN, 0x43e00000, 0x7e}, /* 448, the largest */
        {IR_F32, IR_F8E5M2, 0x3f800000, 0x3c},
        {IR_F8E4M3FN, IR_F32, 0x01, 0x3b000000}, /* 2^-9 */
        {IR_F8E8M0FNU, IR_F32, 0x80, 0x40000000},
        {IR_F32, IR_TF32, 0x3f801000, 0x3f800000},
    };
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        val r =
            unary(k, IR_OP_FTOF, scalar_type(k, rows[i].to), scalar(k, rows[i].from, rows[i].in));
        int bits = ir_type_bits(r->type->elem);
        ir_type_kind kind = bits == 32 ? IR_I32 : bits == 16 ? IR_I16 : IR_I8;
        val wide = unary(k, IR_OP_EXTI, scalar_type(k, IR_I64),
                         unary(k, IR_OP_BITCAST, scalar_type(k, kind), r));
        ir_set_int(wide->def, IR_AT_EXTI_signedness, IR_UNSIGNED);
        store_i64(k, wide, (int64_t)i);
    }
    val big = unary(k, IR_OP_ITOF, scalar_type(k, IR_F32), scalar(k, IR_I64, 16777217));
    val back = unary(k, IR_OP_FTOI, scalar_type(k, IR_I64), big);
    store_i64(k, back, TR_COUNT(rows));
    val down = unary(k, IR_OP_FTOI, scalar_type(k, IR_I32), scalar(k, IR_F32, 0xc0200000));
    ir_set_int(down->def, IR_AT_FTOI_signedness, IR_SIGNED);
    store_i64(k, extended(k, down), TR_COUNT(rows) + 1);
    execute(k, 1, 1);
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (read_i64(k, (int64_t)i) != rows[i].out)
            fail_msg("row %zu: %llx", i, (unsigned long long)read_i64(k, (int64_t)i));
    assert_int_equal(read_i64(k, TR_COUNT(rows)), 16777216);
    assert_int_equal(read_i64(k, TR_COUNT(rows) + 1), -2);
    kit_free(k);
}

static void pointers_and_their_numbers(void **state)
{
    (void)state;
    kit *k = kit_new("pp");
    const ir_type *number = scalar_type(k, IR_I64);
    val n = unary(k, IR_OP_PTR_TO_INT, number, param(k, 1));
    val p = unary(k, IR_OP_INT_TO_PTR, param(k, 1)->type,
                  binary(k, IR_OP_ADDI, n, scalar(k, IR_I64, 8)));
    store_ptr(k, WEAK, p, i32(k, 42), NULL, NULL);
    store_ptr(k, WEAK, pointers(k, param(k, 1), TILE(k, -1, 3)), TILE(k, 7, 8), NULL, NULL);
    execute(k, 1, 1);
    assert_int_equal(word(k, 1, 2), 42);
    assert_int_equal(word(k, 1, 3), 8);
    assert_int_equal(n_ubs(k), 1);
    assert_int_equal(ub(k, 0)->kind, INTERP_UB_OUT_OF_BUFFER);
    assert_int_equal(ub(k, 0)->value, -4);
    kit_free(k);
}

/* Pointers that lie in memory, two buffers behind one table. */
static void tables_of_pointers(void **state)
{
    (void)state;
    kit *k = kit_new("pq");
    const ir_type *slot = ir_type_tile(k->m, param(k, 1)->type->elem, 0, NULL);
    val where = OP1(k, IR_OP_OFFSET, slot, param(k, 1), bid(k, 0));
    ir_op *load = load_ptr(k, WEAK, where, NULL, NULL, NULL);
    store_ptr(k, WEAK, data(load), bid(k, 0), NULL, NULL);
    unsigned char table[16] = {0};
    uint64_t second = ((uint64_t)1 << 44) + 4, first = ((uint64_t)1 << 44) + 8;
    memcpy(table, &first, 8);
    memcpy(table + 8, &second, 8);
    k->buffers[1].data = table;
    k->buffers[1].bytes = 16;
    execute(k, 2, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    assert_int_equal(word(k, 0, 2), 0);
    assert_int_equal(word(k, 0, 1), 1);
    assert_int_equal(count_races(k), 0);
    kit_free(k);
}

static void atomics_change_memory(void **state)
{
    (void)state;
    static const struct {
        ir_atomic_mode mode;
        int64_t old, arg, now;
    } rows[] = {
        {IR_ATOMIC_AND, 12, 10, 8},  {IR_ATOMIC_OR, 12, 10, 14},
        {IR_ATOMIC_XOR, 12, 10, 6},  {IR_ATOMIC_ADD, INT32_MAX, 1, INT32_MIN},
        {IR_ATOMIC_MAX, -3, 2, 2},   {IR_ATOMIC_MIN, -3, 2, -3},
        {IR_ATOMIC_UMAX, -3, 2, -3}, {IR_ATOMIC_UMIN, -3, 2, 2},
        {IR_ATOMIC_XCHG, 5, 6, 6},
    };
    kit *k = kit_new("pp");
    val kept = NULL;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        val p = pointers(k, param(k, 1), i32(k, (int64_t)i));
        ir_op *store = store_ptr(k, WEAK, p, i32(k, rows[i].old), NULL, NULL);
        ir_op *op = rmw(k, DEVICE, rows[i].mode, p, i32(k, rows[i].arg), NULL, tok(store));
        kept = data(op);
        show(k, kept, (int64_t)i);
    }
    val p = pointers(k, param(k, 1), i32(k, 100));
    ir_op *lost = cas(k, DEVICE, p, i32(k, 1), i32(k, 9), NULL); /* memory holds 0 */
    ir_op *won = cas(k, DEVICE, p, i32(k, 0), i32(k, 7), tok(lost));
    show(k, data(lost), 20);
    show(k, data(won), 21);
    execute(k, 1, 1);
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        assert_int_equal(word(k, 1, (int64_t)i), rows[i].now);
        assert_int_equal(word(k, 0, (int64_t)i), rows[i].old);
    }
    EXPECT(k, 20, 0, 0);
    assert_int_equal(word(k, 1, 100), 7);
    assert_int_equal(count_races(k), 0);
    kit_free(k);
}

static void masked_loads_give_padding(void **state)
{
    (void)state;
    kit *k = kit_new("pp");
    unsigned char bytes[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};
    k->buffers[1].data = bytes;
    k->buffers[1].bytes = 16;
    val p = pointers(k, param(k, 1), TILE(k, 0, 1, 2, 99));
    ir_op *load =
        load_ptr(k, WEAK, p, MASK(k, 1, 0, 1, 0), full(k, 1, (const int64_t[]){4}, -7), NULL);
    show(k, data(load), 0);
    /* The same as a padded view whose tile hangs over the end. */
    val t = tensor(k, param(k, 1), 1, (const int64_t[]){3}, (const int64_t[]){1});
    val v = unary(k, IR_OP_MAKE_PARTITION_VIEW,
                  ir_type_partition_view(k->m, t->type, 1, (const int64_t[]){2},
                                         (const int32_t[]){0}, IR_PAD_ZERO),
                  t);
    val one = i32(k, 1);
    show(k, data(load_view(k, WEAK, v, 1, &one, NULL)), 4);
    execute(k, 1, 1);
    EXPECT(k, 0, 1, -7, 3, -7, 3, 0);
    assert_int_equal(interp_event_count(k->run), 2 + 4 + 1 + 2);
    assert_int_equal(n_ubs(k), 0);
    kit_free(k);
}

static void what_blocks_wrote_is_read_in_their_order(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    ir_op *load = load_ptr(k, WEAK, param(k, 0), NULL, NULL, NULL);
    val sum = addi(k, muli(k, data(load), i32(k, 10)), bid(k, 0));
    store_ptr(k, WEAK, param(k, 0), sum, NULL, tok(load));
    execute(k, 4, 1);
    assert_int_equal(word(k, 0, 0), 123);
    interp_run_free(k->run);
    k->run = interp_execute(k->f, &k->launch, NULL, NULL, (uint32_t[]){3, 1, 0, 2});
    assert_int_equal(word(k, 0, 0), 3102);
    interp_run_free(k->run);
    k->run = interp_execute_blocks(k->f, &k->launch, NULL, NULL, 2, (uint32_t[]){3, 2});
    assert_int_equal(word(k, 0, 0), 32);
    kit_free(k);
}

/* dim_map: tile dimension 0 runs along tensor dimension 1. Index and tile are the other way
 * round than the tensor. */
static void mapped_dimensions(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val t = tensor(k, param(k, 0), 2, (const int64_t[]){4, 8}, (const int64_t[]){8, 1});
    val v = partition(k, t, 2, (const int64_t[]){4, 2}, (const int32_t[]){1, 0});
    val tile = unary(k, IR_OP_RESHAPE, tile_type(k, IR_I32, 2, (const int64_t[]){4, 2}),
                     TILE(k, 1, 2, 3, 4, 5, 6, 7, 8));
    val index[] = {i32(k, 1), i32(k, 1)};
    ir_op *store = store_view(k, WEAK, v, tile, 2, index, NULL);
    const ir_type *extents[] = {scalar_type(k, IR_I32), scalar_type(k, IR_I32)};
    ir_op *shape = ir_build(&k->b, IR_OP_GET_INDEX_SPACE_SHAPE, (ir_operand_list[]){{&v, 1}}, 2,
                            extents, (uint32_t[]){2});
    show(k, &shape->results[0], 60);
    show(k, &shape->results[1], 61);
    execute(k, 1, 1);
    EXPECT(k, 20, 1, 3, 5, 7);
    EXPECT(k, 28, 2, 4, 6, 8);
    EXPECT(k, 60, 2, 2);
    const interp_event *events;
    interp_events(k->run, &events);
    for (int i = 0; i < 8; i++) { /* each event knows its element of the tile */
        int64_t column = events[i].address / 4 % 8 - 4, row = events[i].address / 32 - 2;
        assert_int_equal(events[i].in_tile, column * 2 + row);
        assert_ptr_equal(interp_instance_of(k->run, events[i].instance)->op, store);
    }
    assert_int_equal(interp_instance_of(k->run, events[0].instance)->n_index, 2);
    assert_int_equal(interp_instance_of(k->run, events[0].instance)->index[1], 1);
    kit_free(k);
}

static void gather_rows_beyond_the_tensor_are_masked(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val t = tensor(k, param(k, 0), 2, (const int64_t[]){4, 8}, (const int64_t[]){8, 1});
    val g = unary(
        k, IR_OP_MAKE_GATHER_SCATTER_VIEW,
        ir_type_gather_scatter_view(k->m, t->type, 2, (const int64_t[]){4, 4}, 0, IR_PAD_NONE), t);
    val index[] = {TILE(k, 3, 4, -1, 1), i32(k, 6)}; /* columns 6 and 7 of rows 3 and 1 */
    store_view(k, WEAK, g, full(k, 2, (const int64_t[]){4, 4}, 5), 2, index, NULL);
    execute(k, 1, 1);
    assert_int_equal(interp_event_count(k->run), 4);
    EXPECT(k, 13, 0, 5, 5, 0);
    EXPECT(k, 29, 0, 5, 5, 0);
    kit_free(k);
}

static void assumptions_are_checked(void **state)
{
    (void)state;
    const struct {
        ir_attr attr;
        bool holds;
    } rows[] = {
        {{.assume = {.kind = IR_ASSUME_DIV_BY, .divisor = 4}}, false},
        {{.assume = {.kind = IR_ASSUME_DIV_BY,
                     .divisor = 8,
                     .has_every = true,
                     .every = 4,
                     .has_along = true}},
         true},
        {{.assume = {.kind = IR_ASSUME_BOUNDED, .has_low = true, .low = 8}}, true},
        {{.assume = {.kind = IR_ASSUME_BOUNDED, .has_high = true, .high = 18}}, false},
        {{.assume = {.kind = IR_ASSUME_SAME_ELEMENTS, .n_values = 1, .values = (int64_t[]){1}}},
         true},
        {{.assume = {.kind = IR_ASSUME_SAME_ELEMENTS, .n_values = 1, .values = (int64_t[]){2}}},
         false},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("p");
        val t = TILE(k, 8, 9, 10, 11, 16, 17, 18, 19);
        val r = unary(k, IR_OP_ASSUME, t->type, t);
        r->def->attrs[IR_AT_ASSUME_predicate] = rows[i].attr;
        r->def->attrs[IR_AT_ASSUME_predicate].kind = IR_ATTR_ASSUME;
        execute(k, 1, 1);
        assert_int_equal(n_ubs(k), !rows[i].holds);
        if (!rows[i].holds)
            assert_int_equal(ub(k, 0)->kind, INTERP_UB_ASSUME);
        kit_free(k);
    }
    kit *k = kit_new("p");
    ir_build(&k->b, IR_OP_ASSERT, &(ir_operand_list){(val[]){MASK(k, 1, 1, 0)}, 1}, 0, NULL, NULL);
    execute(k, 1, 1);
    assert_int_equal(ub(k, 0)->value, 2);
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(pack_and_unpack),
        cmocka_unit_test(reductions),
        cmocka_unit_test(matrix_product_of_integers),
        cmocka_unit_test(floats_are_exact_where_ieee_fixes_them),
        cmocka_unit_test(float_conversions),
        cmocka_unit_test(pointers_and_their_numbers),
        cmocka_unit_test(tables_of_pointers),
        cmocka_unit_test(atomics_change_memory),
        cmocka_unit_test(masked_loads_give_padding),
        cmocka_unit_test(what_blocks_wrote_is_read_in_their_order),
        cmocka_unit_test(mapped_dimensions),
        cmocka_unit_test(gather_rows_beyond_the_tensor_are_masked),
        cmocka_unit_test(assumptions_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
