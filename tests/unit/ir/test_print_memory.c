/* The printer against the text that tileirdisasm 13.5.37 gives for bytecode of the same modules:
 * views, memory ops, tokens. */
#include "build.h"

enum { SIZE = 8 };

static const ir_type *f32_pointers(kernel *k, size_t rank, const int64_t *shape)
{
    return pointer_tile(k->module, IR_F32, rank, shape);
}

static ir_op *view_op(kernel *k, ir_opcode code, const ir_type *const *types, size_t n_types,
                      ir_value *first, ir_value *second, ir_operand_list index, ir_value *token,
                      ir_ordering ordering, ir_scope scope)
{
    ir_operand_list one = {&first, 1}, two = {&second, 1}, last = {&token, token ? 1 : 0};
    ir_operand_list load[] = {one, index, last}, store[] = {one, two, index, last},
                    red[] = {one, index, two, last};
    const ir_operand_list *groups = code == IR_OP_LOAD_VIEW_TKO    ? load
                                    : code == IR_OP_STORE_VIEW_TKO ? store
                                                                   : red;
    ir_op *op = ir_build(&k->builder, code, groups, (uint32_t)n_types, types, NULL);
    ir_set_int(op, 0, ordering);
    if (scope != IR_SCOPE_NONE) {
        ir_set_int(op, 1, scope);
    }
    return op;
}

static ir_attr hint(kernel *k, const char *arch, const char *key, int64_t value)
{
    ir_attr *inner = TR_NEW(k->module->arena, ir_attr), *number = TR_NEW(k->module->arena, ir_attr);
    const char **names = TR_NEW_ARRAY(k->module->arena, const char *, 2);
    names[0] = arch;
    names[1] = key;
    *number = ir_attr_typed_int(ir_type_scalar(k->module, IR_I32), value);
    *inner = (ir_attr){.kind = IR_ATTR_NAMED, .count = 1, .items = number, .names = &names[1]};
    return (ir_attr){.kind = IR_ATTR_NAMED, .count = 1, .items = inner, .names = names};
}

static void test_views(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *i32 = scalar(m, IR_I32), *f32 = ir_type_scalar(m, IR_F32),
                  *token = ir_type_token(m);
    kernel k = kernel_start_in(m, "k", TYPES(pointer_tile(m, IR_F32, 0, NULL), i32));
    ir_value *base = param(&k, 0), *n = param(&k, 1);
    ir_value *ids = op_of(&k, IR_OP_GET_TILE_BLOCK_ID, TYPES(i32, i32, i32), NULL, 0)->results;
    ir_value *x = &ids[0], *y = &ids[1];
    ir_value *rows = V1(&k, IR_OP_IOTA, tile(m, IR_I32, SHAPE(4)), );

    const ir_type *t1 = ir_type_tensor_view(m, f32, SHAPE(IR_DYNAMIC, 64), (int64_t[]){64, 1});
    const ir_type *t2 =
        ir_type_tensor_view(m, f32, SHAPE(IR_DYNAMIC, IR_DYNAMIC), (int64_t[]){IR_DYNAMIC, 1});
    ir_value *v1 = V1(&k, IR_OP_MAKE_TENSOR_VIEW, t1, base, n);
    ir_value *nn[] = {n, n};
    ir_operand_list groups[] = {{&base, 1}, {nn, 2}, {&n, 1}};
    ir_value *v2 = ir_build(&k.builder, IR_OP_MAKE_TENSOR_VIEW, groups, 1, &t2, NULL)->results;

    const int64_t shape[] = {16, 32}, traversal[] = {8, 4}, sparse[] = {4, 32};
    const int32_t swapped[] = {1, 0};
    ir_value *p1 = V1(&k, IR_OP_MAKE_PARTITION_VIEW,
                      ir_type_partition_view(m, t1, 2, shape, NULL, IR_PAD_NONE), v1);
    V1(&k, IR_OP_MAKE_PARTITION_VIEW, ir_type_partition_view(m, t2, 2, shape, swapped, IR_PAD_ZERO),
       v2);
    V1(&k, IR_OP_MAKE_STRIDED_VIEW,
       ir_type_strided_view(m, t2, 2, shape, traversal, swapped, IR_PAD_NAN), v2);
    ir_value *g = V1(&k, IR_OP_MAKE_GATHER_SCATTER_VIEW,
                     ir_type_gather_scatter_view(m, t2, 2, sparse, 0, IR_PAD_NEG_INF), v2);
    op_of(&k, IR_OP_GET_INDEX_SPACE_SHAPE, TYPES(i32, i32), (ir_value *[]){p1}, 1);
    op_of(&k, IR_OP_GET_TENSOR_SHAPE, TYPES(i32, i32), (ir_value *[]){v2}, 1);

    ir_value *none = V1(&k, IR_OP_MAKE_TOKEN, token, );
    ir_value *xy[] = {x, y}, *rx[] = {rows, x};
    ir_operand_list at_xy = {xy, 2}, at_rx = {rx, 2};
    const ir_type *block = tile(m, IR_F32, SHAPE(16, 32));
    ir_op *load = view_op(&k, IR_OP_LOAD_VIEW_TKO, TYPES(block, token), p1, NULL, at_xy, none,
                          IR_WEAK, IR_SCOPE_NONE);
    ir_op *second = view_op(&k, IR_OP_LOAD_VIEW_TKO, TYPES(block, token), p1, NULL, at_xy, NULL,
                            IR_ACQUIRE, IR_SCOPE_DEVICE);
    second->attrs[IR_AT_LOAD_VIEW_TKO_optimization_hints] = hint(&k, "sm_90", "latency", 3);
    second->attrs[IR_AT_LOAD_VIEW_TKO_inbounds] = ir_attr_of_ints(m, SHAPE(1, 0));
    ir_value *joined[] = {&load->results[1], &second->results[1]};
    ir_value *both = op_of(&k, IR_OP_JOIN_TOKENS, TYPES(token), joined, 2)->results;
    ir_op *store = view_op(&k, IR_OP_STORE_VIEW_TKO, TYPES(token), second->results, p1, at_xy, both,
                           IR_RELEASE, IR_SCOPE_SYS);
    store->attrs[IR_AT_STORE_VIEW_TKO_inbounds] = ir_attr_of_ints(m, SHAPE(1, 1));
    ir_op *red = view_op(&k, IR_OP_ATOMIC_RED_VIEW_TKO, TYPES(token), p1, second->results, at_xy,
                         store->results, IR_RELAXED, IR_SCOPE_DEVICE);
    ir_set_int(red, IR_AT_ATOMIC_RED_VIEW_TKO_mode, IR_ATOMIC_ADDF);
    view_op(&k, IR_OP_LOAD_VIEW_TKO, TYPES(tile(m, IR_F32, SHAPE(4, 32)), token), g, NULL, at_rx,
            NULL, IR_WEAK, IR_SCOPE_NONE);
    finish(&k, IR_OP_RETURN, NULL, 0);

    expect_valid(&k);
    expect_text(
        &k,
        "entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) {\n"
        "  %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>\n"
        "  %0 = iota : tile<4xi32>\n"
        "  %tview = make_tensor_view %arg0, shape = [%arg1, 64], strides = [64, 1] : tile<i32> -> "
        "tensor_view<?x64xf32, strides=[64,1]>\n"
        "  %tview_0 = make_tensor_view %arg0, shape = [%arg1, %arg1], strides = [%arg1, 1] : "
        "tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>\n"
        "  %pview = make_partition_view %tview : partition_view<tile=(16x32), "
        "tensor_view<?x64xf32, strides=[64,1]>>\n"
        "  %pview_1 = make_partition_view %tview_0 : partition_view<tile=(16x32), padding_value = "
        "zero, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>\n"
        "  %sview = make_strided_view %tview_0 : strided_view<tile=(16x32), "
        "traversal_strides=[8,4], padding_value = nan, tensor_view<?x?xf32, strides=[?,1]>, "
        "dim_map=[1, 0]>\n"
        "  %gsview = make_gather_scatter_view %tview_0 : gather_scatter_view<tile=(4x32), "
        "padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>\n"
        "  %1:2 = get_index_space_shape %pview : partition_view<tile=(16x32), "
        "tensor_view<?x64xf32, strides=[64,1]>> -> tile<i32>\n"
        "  %2:2 = get_tensor_shape %tview_0 : tensor_view<?x?xf32, strides=[?,1]> -> tile<i32>\n"
        "  %3 = make_token : token\n"
        "  %tile, %result_token = load_view_tko weak %pview[%blockId_x, %blockId_y] token = %3 : "
        "partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> "
        "tile<16x32xf32>, token\n"
        "  %tile_2, %result_token_3 = load_view_tko acquire device %pview[%blockId_x, %blockId_y] "
        "optimization_hints = <sm_90 = {latency = 3}> inbounds = [true, false] : "
        "partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> "
        "tile<16x32xf32>, token\n"
        "  %4 = join_tokens %result_token, %result_token_3 : token\n"
        "  %5 = store_view_tko release sys %tile_2, %pview[%blockId_x, %blockId_y] token = %4 "
        "inbounds = [true, true] : tile<16x32xf32>, partition_view<tile=(16x32), "
        "tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token\n"
        "  %6 = atomic_red_view_tko relaxed device %pview[%blockId_x, %blockId_y], addf, %tile_2 "
        "token = %5 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, "
        "strides=[64,1]>>, tile<i32> -> token\n"
        "  %tile_4, %result_token_5 = load_view_tko weak %gsview[%0, %blockId_x] : "
        "gather_scatter_view<tile=(4x32), padding_value = neg_inf, tensor_view<?x?xf32, "
        "strides=[?,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x32xf32>, token\n"
        "  return\n"
        "}\n");
    ir_module_free(m);
}

static ir_op *ordered(ir_op *op, ir_ordering ordering, ir_scope scope)
{
    ir_set_int(op, 0, ordering);
    if (scope != IR_SCOPE_NONE) {
        ir_set_int(op, 1, scope);
    }
    return op;
}

static void test_pointers_and_atomics(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *token = ir_type_token(m);
    kernel k = kernel_start_in(m, "k", TYPES(pointer_tile(m, IR_F32, 0, NULL)));
    const ir_type *pointers = f32_pointers(&k, SHAPE(SIZE)), *ints = tile(m, IR_I32, SHAPE(SIZE)),
                  *floats = tile(m, IR_F32, SHAPE(SIZE)), *bits = tile(m, IR_I1, SHAPE(SIZE)),
                  *longs = tile(m, IR_I64, SHAPE(SIZE)),
                  *int_pointers = pointer_tile(m, IR_I32, SHAPE(SIZE));
    ir_value *one = V1(&k, IR_OP_RESHAPE, f32_pointers(&k, SHAPE(1)), param(&k, 0));
    ir_value *all = V1(&k, IR_OP_BROADCAST, pointers, one);
    ir_value *iota = V1(&k, IR_OP_IOTA, ints, );
    ir_value *p = V1(&k, IR_OP_OFFSET, pointers, all, iota);
    ir_value *mask = constant(&k, bits, 1), *pad = constant(&k, floats, 0);
    ir_op *load = ordered(
        op_of(&k, IR_OP_LOAD_PTR_TKO, TYPES(floats, token), (ir_value *[]){p, mask, pad}, 3),
        IR_WEAK, IR_SCOPE_NONE);
    ir_value *t = &load->results[1];
    ordered(
        op_of(&k, IR_OP_LOAD_PTR_TKO, TYPES(floats, token), (ir_value *[]){p, NULL, NULL, t}, 4),
        IR_RELAXED, IR_SCOPE_TL_BLK);
    ir_op *store = ordered(OP1(&k, IR_OP_STORE_PTR_TKO, token, p, load->results, mask, t),
                           IR_RELEASE, IR_SCOPE_DEVICE);
    ir_op *rmw = ordered(op_of(&k, IR_OP_ATOMIC_RMW_TKO, TYPES(floats, token),
                               (ir_value *[]){p, pad, mask, store->results}, 4),
                         IR_ACQ_REL, IR_SCOPE_DEVICE);
    ir_set_int(rmw, IR_AT_ATOMIC_RMW_TKO_mode, IR_ATOMIC_ADDF);
    ir_value *numbers = V1(&k, IR_OP_PTR_TO_INT, longs, p);
    ir_value *back = V1(&k, IR_OP_INT_TO_PTR, pointers, numbers);
    ir_value *q = V1(&k, IR_OP_PTR_TO_PTR, int_pointers, back);
    ordered(op_of(&k, IR_OP_ATOMIC_CAS_TKO, TYPES(ints, token),
                  (ir_value *[]){q, iota, iota, NULL, &rmw->results[1]}, 5),
            IR_ACQUIRE, IR_SCOPE_SYS);
    ir_op *print = ir_build(&k.builder, IR_OP_PRINT_TKO, (ir_operand_list[]){{&iota, 1}, {&t, 1}},
                            1, &token, NULL);
    print->attrs[0] = ir_attr_of_string(m, "v \"%d\"\n");
    ir_value *waited = V1(&k, IR_OP_GDC_WAIT_TKO, token, print->results);
    V1(&k, IR_OP_GDC_LAUNCH_DEPENDENTS_TKO, token, );
    V1(&k, IR_OP_MEMORY_FENCE_ALIAS_TKO, token, waited);
    ir_op *stack = OP1(&k, IR_OP_ALLOCA, f32_pointers(&k, 0, NULL), );
    ir_set_int(stack, IR_AT_ALLOCA_num_elem, 128);
    ir_set_int(stack, IR_AT_ALLOCA_alignment, 16);
    ir_set_int(stack, IR_AT_ALLOCA_global, 1);
    finish(&k, IR_OP_RETURN, NULL, 0);

    expect_valid(&k);
    expect_text(
        &k,
        "entry @k(%arg0: tile<ptr<f32>>) {\n"
        "  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>\n"
        "  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<8xptr<f32>>\n"
        "  %0 = iota : tile<8xi32>\n"
        "  %1 = offset %bcast, %0 : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>\n"
        "  %true = constant <i1: true> : tile<8xi1>\n"
        "  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<8xf32>\n"
        "  %result, %result_token = load_ptr_tko weak %1, %true, %cst_0_f32 : tile<8xptr<f32>>, "
        "tile<8xi1>, tile<8xf32> -> tile<8xf32>, token\n"
        "  %result_0, %result_token_1 = load_ptr_tko relaxed tl_blk %1 token=%result_token : "
        "tile<8xptr<f32>> -> tile<8xf32>, token\n"
        "  %2 = store_ptr_tko release device %1, %result, %true token=%result_token : "
        "tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token\n"
        "  %result_2, %result_token_3 = atomic_rmw_tko acq_rel device %1, addf, %cst_0_f32, %true "
        "token=%2 : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> tile<8xf32>, token\n"
        "  %3 = ptr_to_int %1 : tile<8xptr<f32>> -> tile<8xi64>\n"
        "  %4 = int_to_ptr %3 : tile<8xi64> -> tile<8xptr<f32>>\n"
        "  %5 = ptr_to_ptr %4 : tile<8xptr<f32>> -> tile<8xptr<i32>>\n"
        "  %result_4, %result_token_5 = atomic_cas_tko acquire sys %5, %0, %0 "
        "token=%result_token_3 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token\n"
        "  %6 = print_tko \"v \\22%d\\22\\0A\", %0 token=%result_token : tile<8xi32> -> token\n"
        "  %7 = gdc_wait_tko token = %6 -> token\n"
        "  %8 = gdc_launch_dependents_tko -> token\n"
        "  %9 = memory_fence_alias_tko %7\n"
        "  %10 = alloca num_elem = 128, alignment = 16 global : tile<ptr<f32>>\n"
        "  return\n"
        "}\n");
    ir_module_free(m);
}

static void test_multicast(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *token = ir_type_token(m), *f16 = ir_type_scalar(m, IR_F16);
    const ir_type *pointer =
        ir_type_tile(m, ir_type_pointer_with(m, f16, IR_PTR_ATTR_MULTICAST), 0, NULL);
    kernel k = kernel_start_in(m, "k", TYPES(scalar(m, IR_I32), pointer));
    const ir_type *tensor =
        ir_type_tensor_view_with(m, f16, SHAPE(8), (int64_t[]){1}, IR_PTR_ATTR_MULTICAST);
    const ir_type *view = ir_type_partition_view(m, tensor, SHAPE(4), NULL, IR_PAD_NONE);
    ir_value *v = V1(&k, IR_OP_MAKE_TENSOR_VIEW, tensor, param(&k, 1));
    ir_value *p = V1(&k, IR_OP_MAKE_PARTITION_VIEW, view, v);
    ir_op *load =
        ordered(op_of(&k, IR_OP_MULTIMEM_LOAD_REDUCE_VIEW_TKO,
                      TYPES(tile(m, IR_F16, SHAPE(4)), token), (ir_value *[]){p, param(&k, 0)}, 2),
                IR_RELAXED, IR_SCOPE_SYS);
    load->attrs[IR_AT_MULTIMEM_LOAD_REDUCE_VIEW_TKO_reduction] = ir_attr_of_int(IR_MULTIMEM_MAX);
    load->attrs[IR_AT_MULTIMEM_LOAD_REDUCE_VIEW_TKO_inbounds] = ir_attr_of_ints(m, SHAPE(1));
    ir_op *reduce = ordered(OP1(&k, IR_OP_MULTIMEM_REDUCE_VIEW_TKO, token, p, load->results,
                                param(&k, 0), &load->results[1]),
                            IR_RELAXED, IR_SCOPE_SYS);
    reduce->attrs[IR_AT_MULTIMEM_REDUCE_VIEW_TKO_inbounds] = ir_attr_of_ints(m, SHAPE(0));
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_valid(&k);
    expect_text(
        &k,
        "entry @k(%arg0: tile<i32>, %arg1: tile<ptr<f16, <multicast>>>) {\n"
        "  %tview = make_tensor_view %arg1, shape = [8], strides = [1] : tile<ptr<f16, "
        "<multicast>>> -> tensor_view<8xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>\n"
        "  %pview = make_partition_view %tview : partition_view<tile=(4), tensor_view<8xf16, "
        "strides=[1], #cuda_tile.ptr_attr<multicast>>>\n"
        "  %reduced_values, %result_token = multimem_load_reduce_view_tko relaxed sys "
        "%pview[%arg0] inbounds = [true] attributes {reduction = "
        "#cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(4), tensor_view<8xf16, "
        "strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xf16>, token\n"
        "  %0 = multimem_reduce_view_tko relaxed sys %pview, %reduced_values[%arg0] token = "
        "%result_token  : partition_view<tile=(4), tensor_view<8xf16, strides=[1], "
        "#cuda_tile.ptr_attr<multicast>>>, tile<4xf16>, tile<i32>, token -> token\n"
        "  return\n"
        "}\n");
    ir_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_pointers_and_atomics),
        cmocka_unit_test(test_multicast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
