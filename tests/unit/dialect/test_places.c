/* Where ops come from and how the source writes their operands. */
#include "reading.h"

static void test_index_operands(void **state)
{
    (void)state;
    reading r = read_text("#define BM 8\n"
                          "tile_kernel void k(float *p, int n)\n{\n"
                          "    tile_view v = tile_partition(tile_tensor(p, n, 64), BM, 64);\n"
                          "    tile_store(v, tile_load(v, n / 2,\n"
                          "                            n %  3), tile_bid(0), BM - 1);\n}\n");
    assert_true(r.ok);
    const ir_op *load = op_of(&r, IR_OP_LOAD_VIEW_TKO, NULL);
    assert_int_equal(load->place->line, 6);
    assert_int_equal(load->place->column, 19);
    assert_int_equal(load->place->end_line, 7);
    assert_string_equal(load->place->function, "k");
    assert_string_equal(load->place->file, r.path);
    assert_string_equal(load->operand_texts[1], "n / 2");
    assert_string_equal(load->operand_texts[2], "n % 3");
    assert_int_equal(load->operand_places[2].line, 7);
    assert_int_equal(load->operand_places[2].column, 29);
    assert_int_equal(load->operand_places[2].end_column, 35);
    const ir_op *store = op_of(&r, IR_OP_STORE_VIEW_TKO, NULL);
    assert_int_equal(store->place->line, 6);
    assert_int_equal(store->place->column, 5);
    assert_int_equal(store->place->end_line, 7);
    assert_int_equal(store->place->end_column, 58);
    assert_string_equal(store->operand_texts[2], "tile_bid(0)");
    assert_string_equal(store->operand_texts[3], "BM - 1");
    reading_free(&r);
}

static void test_pointer_operands(void **state)
{
    (void)state;
    reading r = read_text("tile_kernel void k(float *p, const int *q)\n{\n"
                          "    p[q[3]] = 1;\n"
                          "    tile_store_ptr(tile_pointers(p, tile_iota(4)), 2);\n}\n");
    assert_true(r.ok);
    const ir_op *load = op_of(&r, IR_OP_LOAD_PTR_TKO, NULL);
    assert_string_equal(load->operand_texts[0], "q[3]");
    const ir_op *store = op_of(&r, IR_OP_STORE_PTR_TKO, NULL);
    assert_int_equal(store->place->line, 4);
    assert_int_equal(store->place->column, 5);
    store = op_of(&r, IR_OP_STORE_PTR_TKO, store);
    assert_string_equal(store->operand_texts[0], "tile_pointers(p, tile_iota(4))");
    assert_string_equal(store->operand_texts[1], "2");
    reading_free(&r);
}

static void test_inlined(void **state)
{
    (void)state;
    reading r = read_text("static void inner(float *p, int i)\n{\n    p[i] = 1;\n}\n"
                          "static void outer(float *p)\n{\n    inner(p, 2);\n}\n"
                          "tile_kernel void k(float *p)\n{\n    outer(p);\n}\n");
    assert_true(r.ok);
    const ir_op *store = op_of(&r, IR_OP_STORE_PTR_TKO, NULL);
    const tr_place *place = store->place;
    assert_int_equal(place->line, 4);
    assert_string_equal(place->function, "inner");
    assert_int_equal(place->inlined_at->line, 8);
    assert_string_equal(place->inlined_at->function, "outer");
    assert_int_equal(place->inlined_at->inlined_at->line, 12);
    assert_null(place->inlined_at->inlined_at->inlined_at);
    reading_free(&r);
}

static void test_names(void **state)
{
    (void)state;
    reading r = read_text("tile_kernel void k(float *p, int n)\n{\n"
                          "    tile_view v = tile_partition(tile_tensor(p, n), 4);\n"
                          "    int half = n / 2, total = 0;\n"
                          "    for (int i = 0; i < half; i++)\n        total += i;\n"
                          "    tile_store(v, total, half);\n}\n");
    assert_true(r.ok);
    const ir_function *k = r.unit.kernels[0];
    assert_string_equal(k->shown, "k");
    assert_int_equal(k->place->line, 2);
    assert_int_equal(k->place->column, 18);
    assert_string_equal(k->body->args[1]->name, "n");
    assert_string_equal(op_of(&r, IR_OP_DIVI, NULL)->results[0].name, "half");
    assert_string_equal(op_of(&r, IR_OP_MAKE_PARTITION_VIEW, NULL)->results[0].name, "v");
    const ir_op *loop = op_of(&r, IR_OP_FOR, NULL);
    assert_string_equal(loop->regions[0]->args[0]->name, "i");
    assert_string_equal(loop->regions[0]->args[1]->name, "total");
    assert_string_equal(loop->results[0].name, "total");
    reading_free(&r);
}

/* Every op has a place in the file. */
static void test_all_placed(void **state)
{
    (void)state;
    reading r = read_text("tile_kernel void k(float *p, int n)\n{\n    if (n > 2 && p[0] > 1)\n"
                          "        return;\n    while (n > 0) {\n        if (p[n] < 0)\n"
                          "            break;\n        n--;\n    }\n    p[1] = n;\n}\n");
    assert_true(r.ok);
    for (const ir_op *op = ir_first_op(r.unit.kernels[0]); op; op = ir_next_op(op)) {
        assert_non_null(op->place);
        assert_true(op->place->line >= 2 && op->place->line <= 12);
    }
    reading_free(&r);
}

static void test_clang_flags(void **state)
{
    (void)state;
    const char *flags[] = {"-DBM=16", "-DSCALE=2"};
    reading r = read_with("tile_kernel void k(float *p)\n{\n"
                          "    tile_view v = tile_partition(tile_tensor(p, 64), BM);\n"
                          "    tile_store(v, SCALE, 0);\n}\n",
                          2, flags);
    if (!r.ok)
        show_errors(&r);
    assert_true(r.ok);
    assert_int_equal(op_of(&r, IR_OP_MAKE_PARTITION_VIEW, NULL)->results[0].type->shape[0], 16);
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_operands), cmocka_unit_test(test_pointer_operands),
        cmocka_unit_test(test_inlined),        cmocka_unit_test(test_names),
        cmocka_unit_test(test_all_placed),     cmocka_unit_test(test_clang_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
