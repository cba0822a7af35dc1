/* Types, the op table, building, numbering and walking. */
#include "build.h"

static void test_types_are_interned(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *f32 = ir_type_scalar(m, IR_F32);
    assert_ptr_equal(f32, ir_type_scalar(m, IR_F32));
    assert_ptr_equal(ir_type_tile(m, f32, SHAPE(4, 8)), ir_type_tile(m, f32, SHAPE(4, 8)));
    assert_ptr_not_equal(ir_type_tile(m, f32, SHAPE(4, 8)), ir_type_tile(m, f32, SHAPE(8, 4)));
    int64_t shape[] = {IR_DYNAMIC, 64}, strides[] = {64, 1};
    const ir_type *tensor = ir_type_tensor_view(m, f32, 2, shape, strides);
    shape[0] = 9; /* the caller's arrays are not kept */
    assert_true(tensor->shape[0] == IR_DYNAMIC);
    const int32_t identity[] = {0, 1}, swapped[] = {1, 0};
    const int64_t tile_shape[] = {16, 32};
    const ir_type *view = ir_type_partition_view(m, tensor, 2, tile_shape, NULL, IR_PAD_NONE);
    assert_ptr_equal(view, ir_type_partition_view(m, tensor, 2, tile_shape, identity, IR_PAD_NONE));
    assert_ptr_not_equal(view,
                         ir_type_partition_view(m, tensor, 2, tile_shape, swapped, IR_PAD_NONE));
    assert_ptr_not_equal(view, ir_type_partition_view(m, tensor, 2, tile_shape, NULL, IR_PAD_ZERO));
    assert_int_equal(view->dim_map[1], 1);
    const ir_type *pointer = ir_type_pointer(m, f32);
    assert_ptr_not_equal(pointer, ir_type_pointer_with(m, f32, IR_PTR_ATTR_UNICAST));
    const ir_type *params[] = {pointer, view};
    assert_ptr_equal(ir_type_function(m, 2, params, 0, NULL),
                     ir_type_function(m, 2, params, 0, NULL));
    assert_ptr_not_equal(ir_type_function(m, 2, params, 0, NULL),
                         ir_type_function(m, 1, params, 1, params + 1));
    ir_module_free(m);
    ir_module_free(NULL);
}

static void test_type_questions(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *i1 = ir_type_scalar(m, IR_I1), *tf32 = ir_type_scalar(m, IR_TF32),
                  *f4 = ir_type_scalar(m, IR_F4E2M1FN), *i64 = ir_type_scalar(m, IR_I64);
    assert_true(ir_type_is_int(i1) && ir_type_is_int(i64) && !ir_type_is_int(tf32));
    assert_true(ir_type_is_float(tf32) && ir_type_is_float(f4) && !ir_type_is_float(i64));
    assert_false(ir_type_is_float(ir_type_pointer(m, i1)));
    assert_int_equal(ir_type_bits(i1), 1);
    assert_int_equal(ir_type_bytes(i1), 1);
    assert_int_equal(ir_type_bits(tf32), 32);
    assert_int_equal(ir_type_dense_bytes(tf32), 3);
    assert_int_equal(ir_type_bytes(f4), 1);
    assert_int_equal(ir_type_bits(ir_type_pointer(m, i1)), 64);
    assert_int_equal(ir_type_elements(ir_type_tile(m, i1, SHAPE(4, 8))), 32);
    assert_int_equal(ir_type_elements(ir_type_tile(m, i1, 0, NULL)), 1);
    assert_true(ir_type_elements(ir_type_tile(m, i1, SHAPE(1LL << 40, 1LL << 40))) == INT64_MAX);
    assert_true(ir_type_is_tile_of_int(tile(m, IR_I8, SHAPE(4))));
    assert_false(ir_type_is_tile_of_int(i64));
    ir_module_free(m);
}

/* Each row of ops.def must keep the rule. */
static void expect_of_row(const ir_op_info *info, bool holds, const char *rule)
{
    if (!holds)
        fail_msg("the row of %s in ops.def breaks the rule: %s", info->mnemonic, rule);
}

static bool has_attr(const ir_op_info *info, const char *name)
{
    for (int a = 0; a < info->n_attrs; a++)
        if (strcmp(info->attr_names[a], name) == 0)
            return true;
    return false;
}

/* The attributes that code finds by their names. */
static void expect_attrs(const ir_op_info *info, bool memory, bool view)
{
    expect_of_row(info, !memory || has_attr(info, "memory_ordering_semantics"),
                  "an op that reads or writes has the attribute memory_ordering_semantics");
    expect_of_row(info, !memory || has_attr(info, "memory_scope"),
                  "an op that reads or writes has the attribute memory_scope");
    expect_of_row(info, !view || has_attr(info, "inbounds"),
                  "an op with a view has the attribute inbounds");
}

static void expect_roles(const ir_op_info *info, const int *n)
{
    bool reads = info->effects & (IR_READS | IR_ATOMIC);
    bool writes = info->effects & (IR_WRITES | IR_ATOMIC), memory = reads || writes;
    for (int role = IR_ROLE_ADDRESS; role < IR_ROLE_SUBJECT; role++)
        expect_of_row(info, n[role] <= 1 || role == IR_ROLE_DATA,
                      "no two operands but data have one role");
    expect_of_row(info, n[IR_ROLE_ADDRESS] + n[IR_ROLE_VIEW] == memory,
                  "an op has one address or view if it reads or writes, and else none");
    expect_of_row(info, n[IR_ROLE_INDEX] == n[IR_ROLE_VIEW], "a view has an index");
    expect_of_row(info, !memory || n[IR_ROLE_NONE] == 0,
                  "each operand of an op that reads or writes has a role");
    expect_of_row(info, !memory || n[IR_ROLE_TOKEN] == 1,
                  "an op that reads or writes takes a token");
    expect_of_row(info, memory || n[IR_ROLE_MASK] + n[IR_ROLE_PADDING] + n[IR_ROLE_DATA] == 0,
                  "only an op that reads or writes has a mask, a padding or data");
    expect_of_row(info, !memory || (n[IR_ROLE_DATA] > 0) == writes,
                  "an op has data exactly if it is IR_WRITES or IR_ATOMIC");
    expect_of_row(info, !memory || info->n_result_groups == 1 || reads,
                  "an op that gives a tile is IR_READS or IR_ATOMIC");
    expect_of_row(info, !(info->effects & IR_ATOMIC) || !(info->effects & (IR_READS | IR_WRITES)),
                  "IR_ATOMIC stands without IR_READS and IR_WRITES");
}

/* A search for a role finds one group, and each operand of a memory op has a role. */
static void test_roles(void **state)
{
    (void)state;
    for (int i = 0; i < IR_OP_COUNT; i++) {
        const ir_op_info *info = ir_op_info_of((ir_opcode)i);
        int n[IR_ROLE_SUBJECT + 1] = {0};
        for (int g = 0; g < info->n_operand_groups; g++)
            n[info->operand_groups[g].role]++;
        expect_roles(info, n);
        expect_attrs(info, n[IR_ROLE_ADDRESS] + n[IR_ROLE_VIEW] > 0, n[IR_ROLE_VIEW] > 0);
    }
    const ir_op_info *swap = ir_op_info_of(IR_OP_ATOMIC_CAS_TKO);
    assert_int_equal(swap->operand_groups[IR_ATOMIC_CAS_TKO_pointers].role, IR_ROLE_ADDRESS);
    assert_int_equal(swap->operand_groups[IR_ATOMIC_CAS_TKO_cmp].role, IR_ROLE_DATA);
    assert_int_equal(swap->operand_groups[IR_ATOMIC_CAS_TKO_mask].role, IR_ROLE_MASK);
}

enum { HIGHEST_OPCODE = 0x7d }; /* of the ops that NVIDIA has published */

static void test_op_table(void **state)
{
    (void)state;
    bool seen[1 << 15] = {false};
    for (int i = 0; i < IR_OP_COUNT; i++) {
        const ir_op_info *info = ir_op_info_of((ir_opcode)i);
        for (int other = 0; other < i; other++) {
            assert_string_not_equal(ir_op_info_of((ir_opcode)other)->mnemonic, info->mnemonic);
        }
        expect_of_row(info, !seen[info->bytecode], "no other op has its opcode");
        seen[info->bytecode] = true;
        expect_of_row(info, info->since_minor >= 1 && info->since_minor <= 5,
                      "its version is one of 13.1 to 13.5");
        for (int a = 0; a < info->n_attrs; a++) {
            assert_string_equal(info->attrs[a].name, info->attr_names[a]);
        }
        bool memory = info->effects & (IR_READS | IR_WRITES | IR_ATOMIC);
        expect_of_row(info, !memory || (info->effects & IR_TOKENS),
                      "an op that reads or writes is IR_TOKENS");
        expect_of_row(info, info->bytecode <= HIGHEST_OPCODE || i == IR_OP_PREVIEW_CALL,
                      "its opcode is at most HIGHEST_OPCODE of this test");
    }
    const ir_op_info *load = ir_op_info_of(IR_OP_LOAD_VIEW_TKO);
    assert_int_equal(load->n_operand_groups, 3);
    assert_string_equal(load->operand_groups[IR_LOAD_VIEW_TKO_index].name, "index");
    assert_int_equal(load->operand_groups[IR_LOAD_VIEW_TKO_index].arity, IR_MANY);
    assert_int_equal(load->attrs[IR_AT_LOAD_VIEW_TKO_inbounds].since_minor, 4);
    assert_true(load->attrs[IR_AT_LOAD_VIEW_TKO_memory_scope].optional);
    assert_true(load->counts_results && !load->counts_operands);
    assert_int_equal(ir_op_info_of(IR_OP_TANH)->attrs[0].missing, IR_ROUND_FULL);
    assert_string_equal(ir_op_info_of(IR_OP_IF)->region_names[IR_RG_IF_else], "else");
}

/* entry(n): for { if { } else { const } } const return */
static kernel nested(ir_module *m)
{
    const ir_type *i32 = scalar(m, IR_I32);
    kernel k = kernel_start_in(m, "k", TYPES(i32, scalar(m, IR_I1)));
    ir_value *n = param(&k, 0), *b = param(&k, 1);
    ir_op *loop = for_of(&k, n, n, n, NULL, 0);
    k.builder.block = loop->regions[0];
    ir_op *choice = op_of(&k, IR_OP_IF, NULL, 0, &b, 1);
    ir_block *outer = enter(&k, choice, IR_RG_IF_then, NULL, 0);
    finish(&k, IR_OP_YIELD, NULL, 0);
    k.builder.block = outer;
    enter(&k, choice, IR_RG_IF_else, NULL, 0);
    constant(&k, i32, 1);
    finish(&k, IR_OP_YIELD, NULL, 0);
    k.builder.block = outer;
    finish(&k, IR_OP_CONTINUE, NULL, 0);
    k.builder.block = k.function->body;
    constant(&k, i32, 2);
    finish(&k, IR_OP_RETURN, NULL, 0);
    return k;
}

static void test_walks_depth_first(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    kernel k = nested(m);
    ir_renumber(k.function);
    static const ir_opcode order[] = {IR_OP_FOR,   IR_OP_IF,       IR_OP_YIELD,    IR_OP_CONSTANT,
                                      IR_OP_YIELD, IR_OP_CONTINUE, IR_OP_CONSTANT, IR_OP_RETURN};
    size_t at = 0;
    const ir_op *inner = NULL;
    for (ir_op *op = ir_first_op(k.function); op; op = ir_next_op(op)) {
        assert_true(at < TR_COUNT(order));
        assert_int_equal(op->code, order[at]);
        assert_int_equal(op->ordinal, at);
        inner = at == 3 ? op : inner;
        at++;
    }
    assert_int_equal(at, TR_COUNT(order));
    assert_int_equal(k.function->n_ops, at);
    assert_int_equal(k.function->n_values, 5); /* two parameters, the counter, two constants */
    const ir_op *around[2];
    assert_int_equal(ir_enclosing(inner, IR_OP_COUNT, around, 2), 2);
    assert_int_equal(around[0]->code, IR_OP_FOR);
    assert_int_equal(around[1]->code, IR_OP_IF);
    around[0] = NULL;
    assert_int_equal(ir_enclosing(inner, IR_OP_FOR, around, 2), 1);
    assert_int_equal(around[0]->code, IR_OP_FOR);
    around[0] = around[1] = NULL;
    assert_int_equal(ir_enclosing(inner, IR_OP_COUNT, around, 1), 2);
    assert_int_equal(around[0]->code, IR_OP_FOR);
    assert_null(around[1]);
    ir_module_free(m);
}

static void test_groups_and_memory_access(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *token = ir_type_token(m), *f32 = scalar(m, IR_F32);
    kernel k = kernel_start_in(m, "k", TYPES(pointer_tile(m, IR_F32, 0, NULL), f32));
    ir_value *start = V1(&k, IR_OP_MAKE_TOKEN, token, );
    ir_op *load = op_of(&k, IR_OP_LOAD_PTR_TKO, TYPES(f32, token),
                        (ir_value *[]){param(&k, 0), NULL, NULL, start}, 4);
    ir_set_int(load, IR_AT_LOAD_PTR_TKO_memory_ordering_semantics, IR_ACQUIRE);
    ir_set_int(load, IR_AT_LOAD_PTR_TKO_memory_scope, IR_SCOPE_SYS);
    ir_op *store = OP1(&k, IR_OP_STORE_PTR_TKO, token, param(&k, 0), param(&k, 1));
    assert_true(ir_is_memory_op(load));
    assert_false(ir_is_memory_op(start->def));
    assert_int_equal(ir_memory_ordering(load), IR_ACQUIRE);
    assert_int_equal(ir_memory_scope(load), IR_SCOPE_SYS);
    assert_int_equal(ir_memory_ordering(store), IR_WEAK);
    assert_int_equal(ir_memory_scope(store), IR_SCOPE_NONE);
    assert_ptr_equal(ir_token_in(load), start);
    assert_ptr_equal(ir_token_out(load), &load->results[1]);
    assert_ptr_equal(ir_token_out(start->def), start);
    assert_null(ir_token_in(store));
    assert_null(ir_operand(load, IR_LOAD_PTR_TKO_mask));
    assert_ptr_equal(ir_operand(load, IR_LOAD_PTR_TKO_token), start);
    assert_ptr_equal(ir_result(load, IR_RS_LOAD_PTR_TKO_token), &load->results[1]);
    uint32_t count;
    ir_group(load, IR_LOAD_PTR_TKO_padding_value, &count);
    assert_int_equal(count, 0);
    assert_int_equal(ir_attr_int(store, IR_AT_STORE_PTR_TKO_memory_scope, 7), 7);
    ir_module_free(m);
}

static void test_dense_data_reads_back(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *i8 = tile(m, IR_I8, SHAPE(4)), *i1 = tile(m, IR_I1, SHAPE(16));
    ir_attr bytes = ir_attr_of_dense(m, i8, "\x01\xff\x80\x7f", 4, false);
    assert_int_equal(ir_dense_int(&bytes, 1), -1);
    assert_int_equal(ir_dense_int(&bytes, 2), -128);
    assert_int_equal(ir_dense_bits(&bytes, 2), 128);
    assert_false(ir_dense_is_splat(&bytes));
    ir_attr same = ir_attr_of_dense(m, i8, "\x05\x05\x05\x05", 4, false);
    assert_true(ir_dense_is_splat(&same));
    ir_attr packed = ir_attr_of_dense(m, i1, "\x02\x80", 2, false);
    assert_int_equal(ir_dense_int(&packed, 0), 0);
    assert_int_equal(ir_dense_int(&packed, 1), 1);
    assert_int_equal(ir_dense_int(&packed, 15), 1);
    ir_attr all = ir_attr_splat_int(m, i1, 1);
    assert_int_equal(all.n_bytes, 1);
    assert_int_equal(ir_dense_int(&all, 13), 1);
    ir_attr wide = ir_attr_splat_int(m, scalar(m, IR_I64), INT64_MIN);
    assert_true(ir_dense_int(&wide, 0) == INT64_MIN);
    ir_module_free(m);
}

/* Every pattern of the narrow formats comes back from its own value. */
static void test_float_formats_round_trip(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    static const struct {
        ir_type_kind kind;
        unsigned patterns;
    } formats[] = {
        {IR_F16, 1 << 16}, {IR_BF16, 1 << 16},    {IR_F8E4M3FN, 256},  {IR_F8E5M2, 256},
        {IR_F4E2M1FN, 16}, {IR_FNV8E5M3FNU, 256}, {IR_F8E8M0FNU, 256}, {IR_TF32, 1 << 19},
    };
    for (size_t f = 0; f < TR_COUNT(formats); f++) {
        const ir_type *elem = ir_type_scalar(m, formats[f].kind);
        for (unsigned bits = 0; bits < formats[f].patterns; bits++) {
            double value = ir_float_value(elem, bits);
            if (value == value) {
                assert_int_equal(ir_float_bits(elem, value), bits);
            }
        }
    }
    const ir_type *f32 = ir_type_scalar(m, IR_F32), *f64 = ir_type_scalar(m, IR_F64);
    static const float samples[] = {0, -0.0f, 1, 0.1f, 1e-45f, 3.4028235e38f, -2.5f, 1.0f / 0.0f};
    for (size_t i = 0; i < TR_COUNT(samples); i++) {
        uint32_t bits;
        memcpy(&bits, &samples[i], 4);
        assert_int_equal(ir_float_bits(f32, (double)samples[i]), bits);
        assert_true(ir_float_value(f32, bits) == (double)samples[i]);
    }
    assert_int_equal(ir_float_bits(f64, 5e-324), 1);
    assert_true(ir_float_value(f64, 0x3ff8000000000000) == 1.5);
    ir_module_free(m);
}

static void test_rounds_to_nearest_even(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *f16 = ir_type_scalar(m, IR_F16), *e4m3 = ir_type_scalar(m, IR_F8E4M3FN),
                  *f4 = ir_type_scalar(m, IR_F4E2M1FN), *f32 = ir_type_scalar(m, IR_F32);
    assert_int_equal(ir_float_bits(f16, 2049), 0x6800); /* tie to even: 2048 */
    assert_int_equal(ir_float_bits(f16, 2051), 0x6802); /* tie to even: 2052 */
    assert_int_equal(ir_float_bits(f16, 65519), 0x7bff);
    assert_int_equal(ir_float_bits(f16, 65520), 0x7c00); /* infinity */
    assert_int_equal(ir_float_bits(e4m3, 464), 0x7e);    /* tie to even: 448 */
    assert_int_equal(ir_float_bits(e4m3, 1000), 0x7f);   /* no infinity: NaN */
    assert_int_equal(ir_float_bits(f4, -100), 0xf);      /* neither: the largest */
    assert_int_equal(ir_float_bits(f32, 0x1p-150), 0);   /* half the least subnormal */
    assert_int_equal(ir_float_bits(f32, 0x1.8p-150), 1);
    ir_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_are_interned),
        cmocka_unit_test(test_type_questions),
        cmocka_unit_test(test_op_table),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_walks_depth_first),
        cmocka_unit_test(test_groups_and_memory_access),
        cmocka_unit_test(test_dense_data_reads_back),
        cmocka_unit_test(test_float_formats_round_trip),
        cmocka_unit_test(test_rounds_to_nearest_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
