/* The printer against the text that tileirdisasm 13.5.37 gives for bytecode of the same modules:
 * control flow, names in nested regions, reductions, assumptions, globals, hints. */
#include "build.h"

static void test_loops(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *i32 = scalar(m, IR_I32), *f32 = scalar(m, IR_F32);
    kernel k = kernel_start_in(m, "k", TYPES(i32, f32, scalar(m, IR_I1)));
    ir_value *n = param(&k, 0), *f = param(&k, 1), *b = param(&k, 2);
    ir_value *zero = constant(&k, i32, 0), *one = constant(&k, i32, 1);
    ir_value *inits[] = {one, f};
    ir_op *first = for_of(&k, zero, n, one, inits, 2);
    k.builder.block = first->regions[0];
    ir_value **args = first->regions[0]->args;
    ir_value *sum = V1(&k, IR_OP_ADDI, i32, args[1], args[0]);
    finish(&k, IR_OP_CONTINUE, (ir_value *[]){sum, args[2]}, 2);
    k.builder.block = k.function->body;
    ir_op *second = for_of(&k, zero, &first->results[0], one, NULL, 0);
    ir_set_int(second, IR_AT_FOR_unsigned_cmp, 1);
    k.builder.block = second->regions[0];
    ir_value *inner = constant(&k, i32, 1);
    V1(&k, IR_OP_ADDI, i32, inner, second->regions[0]->args[0]);
    finish(&k, IR_OP_CONTINUE, NULL, 0);
    k.builder.block = k.function->body;

    ir_operand_list carried = {inits, 1};
    ir_op *loop = ir_build(&k.builder, IR_OP_LOOP, &carried, 1, &i32, NULL);
    ir_block *outer = enter(&k, loop, 0, &i32, 1);
    ir_value *a = loop->regions[0]->args[0];
    ir_op *leave = op_of(&k, IR_OP_IF, NULL, 0, &b, 1);
    ir_block *body = enter(&k, leave, IR_RG_IF_then, NULL, 0);
    finish(&k, IR_OP_BREAK, &a, 1);
    k.builder.block = body;
    finish(&k, IR_OP_CONTINUE, &a, 1);
    k.builder.block = outer;

    ir_op *choice = op_of(&k, IR_OP_IF, TYPES(i32, f32), &b, 1);
    enter(&k, choice, IR_RG_IF_then, NULL, 0);
    finish(&k, IR_OP_YIELD, (ir_value *[]){n, f}, 2);
    k.builder.block = outer;
    enter(&k, choice, IR_RG_IF_else, NULL, 0);
    ir_value *two = constant(&k, i32, 1);
    finish(&k, IR_OP_YIELD, (ir_value *[]){two, f}, 2);
    k.builder.block = outer;

    ir_op *empty = op_of(&k, IR_OP_LOOP, NULL, 0, NULL, 0);
    enter(&k, empty, 0, NULL, 0);
    finish(&k, IR_OP_BREAK, NULL, 0);
    k.builder.block = outer;
    constant(&k, i32, 0); /* its number is taken before those of the inner regions */
    V1(&k, IR_OP_ADDI, i32, &choice->results[0], loop->results);
    finish(&k, IR_OP_RETURN, NULL, 0);

    expect_valid(&k);
    expect_text(&k, "entry @k(%arg0: tile<i32>, %arg1: tile<f32>, %arg2: tile<i1>) {\n"
                    "  %cst_0_i32 = constant <i32: 0> : tile<i32>\n"
                    "  %cst_1_i32 = constant <i32: 1> : tile<i32>\n"
                    "  %for:2 = for %loopIdx in (%cst_0_i32 to %arg0, step %cst_1_i32) : tile<i32> "
                    "iter_values(%iterArg0 = %cst_1_i32, %iterArg1 = %arg1) -> (tile<i32>, "
                    "tile<f32>) {\n"
                    "    %3 = addi %iterArg0, %loopIdx : tile<i32>\n"
                    "    continue %3, %iterArg1 : tile<i32>, tile<f32>\n"
                    "  }\n"
                    "  for unsigned %loopIdx in (%cst_0_i32 to %for#0, step %cst_1_i32) : "
                    "tile<i32> {\n"
                    "    %cst_1_i32_1 = constant <i32: 1> : tile<i32>\n"
                    "    %3 = addi %cst_1_i32_1, %loopIdx : tile<i32>\n"
                    "  }\n"
                    "  %0 = loop iter_values(%arg3 = %cst_1_i32) : tile<i32> -> tile<i32> {\n"
                    "    if %arg2 {\n"
                    "      break %arg3 : tile<i32>\n"
                    "    }\n"
                    "    continue %arg3 : tile<i32>\n"
                    "  }\n"
                    "  %1:2 = if %arg2 -> (tile<i32>, tile<f32>) {\n"
                    "    yield %arg0, %arg1 : tile<i32>, tile<f32>\n"
                    "  } else {\n"
                    "    %cst_1_i32_1 = constant <i32: 1> : tile<i32>\n"
                    "    yield %cst_1_i32_1, %arg1 : tile<i32>, tile<f32>\n"
                    "  }\n"
                    "  loop {\n"
                    "    break\n"
                    "  }\n"
                    "  %cst_0_i32_0 = constant <i32: 0> : tile<i32>\n"
                    "  %2 = addi %1#0, %0 : tile<i32>\n"
                    "  return\n"
                    "}\n");
    tr_text line = {0};
    ir_print_op(&line, first);
    assert_string_equal(line.data,
                        "%for:2 = for %loopIdx in (%cst_0_i32 to %arg0, step %cst_1_i32) : "
                        "tile<i32> iter_values(%iterArg0 = %cst_1_i32, %iterArg1 = %arg1) -> "
                        "(tile<i32>, tile<f32>)");
    tr_text_free(&line);
    ir_module_free(m);
}

static ir_attr identities(kernel *k, size_t count, const ir_attr *items)
{
    return (ir_attr){
        .kind = IR_ATTR_LIST,
        .count = count,
        .items = tr_arena_copy(k->module->arena, items, count * sizeof *items),
    };
}

static void test_reductions(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *f32 = scalar(m, IR_F32), *i32 = scalar(m, IR_I32);
    kernel k = kernel_start_in(m, "k", NULL, 0);
    ir_value *floats = constant(&k, tile(m, IR_F32, SHAPE(8)), 1);
    ir_value *ints = V1(&k, IR_OP_IOTA, tile(m, IR_I32, SHAPE(8)), );
    ir_operand_list both = {(ir_value *[]){floats, ints}, 2};
    ir_op *reduce =
        ir_build(&k.builder, IR_OP_REDUCE, &both, 2, (const ir_type *[]){f32, i32}, NULL);
    ir_set_int(reduce, IR_AT_REDUCE_dim, 0);
    ir_attr two[] = {
        ir_attr_typed_float(f32->elem, -1.0 / 0.0),
        ir_attr_typed_int(i32->elem, -1),
    };
    reduce->attrs[IR_AT_REDUCE_identities] = identities(&k, 2, two);
    ir_block *outer = enter(&k, reduce, 0, (const ir_type *[]){f32, f32, i32, i32}, 4);
    ir_value **args = reduce->regions[0]->args;
    ir_value *sum = V1(&k, IR_OP_ADDF, f32, args[0], args[1]);
    finish(&k, IR_OP_YIELD, (ir_value *[]){sum, args[2]}, 2);
    k.builder.block = outer;
    ir_operand_list one = {&floats, 1};
    ir_op *scan = ir_build(&k.builder, IR_OP_SCAN, &one, 1, &floats->type, NULL);
    ir_set_int(scan, IR_AT_SCAN_dim, 0);
    ir_set_int(scan, IR_AT_SCAN_reverse, 1);
    ir_attr unit = ir_attr_typed_float(f32->elem, 1);
    scan->attrs[IR_AT_SCAN_identities] = identities(&k, 1, &unit);
    enter(&k, scan, 0, (const ir_type *[]){f32, f32}, 2);
    ir_value *product = V1(&k, IR_OP_ADDF, f32, scan->regions[0]->args[0], &reduce->results[0]);
    finish(&k, IR_OP_YIELD, &product, 1);
    k.builder.block = outer;
    finish(&k, IR_OP_RETURN, NULL, 0);

    expect_valid(&k);
    expect_text(&k, "entry @k() {\n"
                    "  %cst_1_f32 = constant <f32: 1.000000e+00> : tile<8xf32>\n"
                    "  %0 = iota : tile<8xi32>\n"
                    "  %reduce:2 = reduce %cst_1_f32, %0 dim=0 identities=[0xFF800000 : f32, -1 : "
                    "i32] : tile<8xf32>, tile<8xi32> -> tile<f32>, tile<i32> \n"
                    "  (%reduce_lhs0: tile<f32>, %reduce_rhs0: tile<f32>, %reduce_lhs1: tile<i32>, "
                    "%reduce_rhs1: tile<i32>) {\n"
                    "    %2 = addf %reduce_lhs0, %reduce_rhs0  : tile<f32>\n"
                    "    yield %2, %reduce_lhs1 : tile<f32>, tile<i32>\n"
                    "  }\n"
                    "  %1 = scan %cst_1_f32 dim=0 reverse=true identities=[1.000000e+00 : f32] : "
                    "tile<8xf32> -> tile<8xf32> \n"
                    "  (%arg0: tile<f32>, %arg1: tile<f32>) {\n"
                    "    %2 = addf %arg0, %reduce#0  : tile<f32>\n"
                    "    yield %2 : tile<f32>\n"
                    "  }\n"
                    "  return\n"
                    "}\n");
    ir_module_free(m);
}

static ir_value *assume(kernel *k, ir_value *value, ir_attr attr)
{
    ir_op *op = op_of(k, IR_OP_ASSUME, TYPES(value->type), &value, 1);
    attr.kind = IR_ATTR_ASSUME;
    op->attrs[0] = attr;
    return op->results;
}

static void test_assumptions(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *i32 = scalar(m, IR_I32);
    kernel k =
        kernel_start_in(m, "k\nx", TYPES(pointer_tile(m, IR_F32, 0, NULL), i32, scalar(m, IR_I1)));
    ir_value *p = param(&k, 0), *n = param(&k, 1), *b = param(&k, 2);
    ir_attr by16 = {.assume = {.kind = IR_ASSUME_DIV_BY, .divisor = 16}};
    ir_attr every = {.assume = {.kind = IR_ASSUME_DIV_BY,
                                .divisor = 4,
                                .has_every = true,
                                .has_along = true,
                                .every = 2,
                                .along = 0}};
    ir_attr low = {.assume = {.kind = IR_ASSUME_BOUNDED, .has_low = true}};
    ir_attr high = {.assume = {.kind = IR_ASSUME_BOUNDED, .has_high = true, .high = 3}};
    const int64_t runs[] = {4};
    ir_attr same = {.assume = {.kind = IR_ASSUME_SAME_ELEMENTS, .n_values = 1, .values = runs}};
    assume(&k, assume(&k, p, by16), by16);
    assume(&k, n, low);
    ir_value *ids = op_of(&k, IR_OP_GET_TILE_BLOCK_ID, TYPES(i32, i32, i32), NULL, 0)->results;
    assume(&k, &ids[1], high);
    ir_op *choice = op_of(&k, IR_OP_IF, TYPES(i32, i32), &b, 1);
    for (unsigned r = 0; r < 2; r++) {
        ir_block *outer = enter(&k, choice, r, NULL, 0);
        finish(&k, IR_OP_YIELD, (ir_value *[]){n, n}, 2);
        k.builder.block = outer;
    }
    assume(&k, &choice->results[0], high);
    assume(&k, &choice->results[1], high);
    ir_value *iota = V1(&k, IR_OP_IOTA, tile(m, IR_I32, SHAPE(8)), );
    assume(&k, iota, same);
    assume(&k, constant(&k, tile(m, IR_I32, SHAPE(4)), 0), every);
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_valid(&k);
    expect_text(&k,
                "entry @\"k\\0Ax\"(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i1>) {\n"
                "  %assume = assume div_by<16>, %arg0 : tile<ptr<f32>>\n"
                "  %assume_assume = assume div_by<16>, %assume : tile<ptr<f32>>\n"
                "  %assume_0 = assume bounded<0, ?>, %arg1 : tile<i32>\n"
                "  %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>\n"
                "  %assume_blockId_y = assume bounded<?, 3>, %blockId_y : tile<i32>\n"
                "  %0:2 = if %arg2 -> (tile<i32>, tile<i32>) {\n"
                "    yield %arg1, %arg1 : tile<i32>, tile<i32>\n"
                "  } else {\n"
                "    yield %arg1, %arg1 : tile<i32>, tile<i32>\n"
                "  }\n"
                "  %assume_ = assume bounded<?, 3>, %0#0 : tile<i32>\n"
                "  %assume__1 = assume bounded<?, 3>, %0#1 : tile<i32>\n"
                "  %1 = iota : tile<8xi32>\n"
                "  %assume_2 = assume same_elements<[4]>, %1 : tile<8xi32>\n"
                "  %cst_0_i32 = constant <i32: 0> : tile<4xi32>\n"
                "  %assume_cst_0_i32 = assume div_by<4, every 2 along 0>, %cst_0_i32 : "
                "tile<4xi32>\n"
                "  return\n"
                "}\n");
    ir_module_free(m);
}

static void test_globals_hints_and_places(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *ints = tile(m, IR_I32, SHAPE(4)), *floats = tile(m, IR_F32, SHAPE(2));
    ir_global second = {.name = "g2", .is_constant = true, .is_private = true};
    second.value = ir_attr_splat_float(m, floats, 1);
    ir_global first = {.name = "gg", .alignment = 16, .next = &second};
    first.value = ir_attr_of_dense(m, ints, (int32_t[]){1, 2, 3, 4}, 16, false);
    m->globals = &first;
    kernel k = kernel_start_in(m, "k", TYPES(scalar(m, IR_I1)));
    ir_attr inner[] = {
        {.kind = IR_ATTR_NAMED,
         .count = 2,
         .names = (const char *[]){"occupancy", "num_cta_in_cga"},
         .items =
             (ir_attr[]){{.kind = IR_ATTR_INT, .number = 4}, {.kind = IR_ATTR_INT, .number = 2}}},
        {.kind = IR_ATTR_NAMED},
    };
    k.function->hints = (ir_attr){
        .kind = IR_ATTR_NAMED,
        .count = 2,
        .names = (const char *[]){"sm_90", "default"},
        .items = inner,
    };
    ir_op *get = OP1(&k, IR_OP_GET_GLOBAL, pointer_tile(m, IR_I32, 0, NULL), );
    get->attrs[0] = ir_attr_of_string(m, "gg");
    tr_place outer = {.file = "k.c", .line = 9, .column = 3};
    tr_place called = {.file = "h.c", .line = 2, .column = 5, .inlined_at = &outer};
    k.builder.place = &called;
    ir_op *check = OP0(&k, IR_OP_ASSERT, param(&k, 0));
    check->attrs[0] = ir_attr_of_string(m, "tail \"%\"");
    k.builder.place = &outer;
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_valid(&k);
    expect_text(&k, "global  @gg alignment = 16 <i32: [1, 2, 3, 4]> : tile<4xi32>\n"
                    "global private  constant @g2 <f32: 1.000000e+00> : tile<2xf32>\n"
                    "entry @k(%arg0: tile<i1>) optimization_hints=<default = {}, sm_90 = "
                    "{num_cta_in_cga = 2, occupancy = 4}> {\n"
                    "  %0 = get_global @gg : tile<ptr<i32>>\n"
                    "  assert %arg0, \"tail \\22%\\22\" : tile<i1>\n"
                    "  return\n"
                    "}\n");
    tr_text text = {0};
    ir_print_module(&text, m, true);
    assert_non_null(strstr(text.data, "tile<4xi32> loc(#loc)\n"));
    assert_non_null(strstr(text.data, "tile<i1> loc(#loc3)\n"));
    assert_non_null(strstr(text.data, "return loc(#loc2)\n} loc(#loc)\n"));
    assert_non_null(strstr(text.data, "#loc = loc(unknown)\n#loc1 = loc(\"h.c\":2:5)\n"
                                      "#loc2 = loc(\"k.c\":9:3)\n"
                                      "#loc3 = loc(callsite(#loc1 at #loc2))\n"));
    tr_text_free(&text);
    ir_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_assumptions),
        cmocka_unit_test(test_globals_hints_and_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
