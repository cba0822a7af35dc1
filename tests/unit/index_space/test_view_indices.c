/* Where an access by a view goes: indices of few bits, the dimensions that promise to be in bounds,
 * and conditions that were computed as numbers. */
#include "kernel_sketch.h"

#define ALL 65536

/* The tensor p[rows, columns], by tiles whose dimension d runs along map[d]. */
static ir_value *view_of(kernel_sketch *k, int rank, const int64_t *shape, const int64_t *tile,
                         const int32_t *map)
{
    const int64_t strides[] = {rank == 2 ? shape[1] : 1, 1};
    const ir_type *elem = ir_type_scalar(k->module, IR_I32);
    const ir_type *tensor = ir_type_tensor_view(k->module, elem, rank, shape, strides);
    ir_operand_list groups[] = {ONE(k->p), NONE, NONE};
    ir_value *made =
        &ir_build(&k->at, IR_OP_MAKE_TENSOR_VIEW, groups, 1, &tensor, NULL)->results[0];
    const ir_type *view = ir_type_partition_view(k->module, tensor, rank, tile, map, IR_PAD_NONE);
    ir_operand_list of = ONE(made);
    return &ir_build(&k->at, IR_OP_MAKE_PARTITION_VIEW, &of, 1, &view, NULL)->results[0];
}

static ir_op *load_view(kernel_sketch *k, ir_value *view, uint32_t n, ir_value **index)
{
    ir_operand_list groups[] = {ONE(view), {index, n}, NONE};
    const ir_type *results[] = {ir_type_tile(k->module, ir_type_scalar(k->module, IR_I32),
                                             view->type->rank, view->type->shape),
                                k->token};
    return ir_build(&k->at, IR_OP_LOAD_VIEW_TKO, groups, 2, results, NULL);
}

/* The lower bits of n as an index. */
static const ix_access *load_at_bits(kernel_sketch *k, ir_type_kind bits)
{
    const ir_type *type = ir_type_tile(k->module, ir_type_scalar(k->module, bits), 0, NULL);
    ir_operand_list of = ONE(k->n);
    ir_value *index = &ir_build(&k->at, IR_OP_TRUNCI, &of, 1, &type, NULL)->results[0];
    load_view(k, view_of(k, 1, (int64_t[]){ALL}, (int64_t[]){1}, (int32_t[]){0}), 1, &index);
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 1);
    return &k->s->accesses[0];
}

static smt_int value_for(const kernel_sketch *k, smt_t term, smt_int n)
{
    numbers v = {contract_param(k->ctx, k->c, 2), 0, n};
    smt_int value = 0;
    assert_true(smt_eval(term, lookup_numbers, &v, &value));
    return value;
}

/* An index of up to 16 bits is an unsigned number. */
static void short_index_is_unsigned(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *a = load_at_bits(k, IR_I16);
    assert_true(value_for(k, a->index[0], -1) == 65535);
    assert_true(value_for(k, a->mask, -1) != 0);
    assert_true(value_for(k, a->index[0], 32768) == 32768);
    assert_true(value_for(k, a->index[0], 32767) == 32767);
}

static void byte_index_is_unsigned(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *a = load_at_bits(k, IR_I8);
    assert_true(value_for(k, a->index[0], -1) == 255);
    assert_true(value_for(k, a->index[0], 128) == 128);
}

/* Tile dimension 0 runs along the columns, and promises to be in bounds; 1 does not. */
static void promises_follow_the_map(void **state)
{
    kernel_sketch *k = *state;
    ir_value *view = view_of(k, 2, (int64_t[]){10, 20}, (int64_t[]){1, 1}, (int32_t[]){1, 0});
    ir_op *op = load_view(k, view, 2, (ir_value *[]){k->n, number(k, 0)});
    op->attrs[IR_AT_LOAD_VIEW_TKO_inbounds] = ir_attr_of_ints(k->module, 2, (int64_t[]){1, 0});
    walk(k);
    const ix_access *a = &k->s->accesses[0];
    assert_non_null(a->claimed);
    /* column n of 20 is claimed: only the mask, not what memory has of it, ends at 20 */
    assert_true(value_for(k, a->claimed, 19) != 0);
    assert_true(value_for(k, a->claimed, 20) == 0);
    assert_true(value_for(k, a->mask, 20) == 0);
    assert_true(value_for(k, a->touched, 20) != 0);
}

static void rows_without_a_promise_are_cut(void **state)
{
    kernel_sketch *k = *state;
    ir_value *view = view_of(k, 2, (int64_t[]){10, 20}, (int64_t[]){1, 1}, (int32_t[]){1, 0});
    ir_op *op = load_view(k, view, 2, (ir_value *[]){number(k, 0), k->n});
    op->attrs[IR_AT_LOAD_VIEW_TKO_inbounds] = ir_attr_of_ints(k->module, 2, (int64_t[]){1, 0});
    walk(k);
    const ix_access *a = &k->s->accesses[0];
    assert_true(value_for(k, a->touched, 9) != 0);
    assert_true(value_for(k, a->touched, 10) == 0);
}

/* A flag is 0 or, as a signed number, -1. The smaller one of two is computed as a number; as a
 * condition it is true where it is not 0: where one of them is. */
static void smaller_flag_is_a_condition(void **state)
{
    kernel_sketch *k = *state;
    ir_operand_list pair[] = {ONE(compare(k, IR_GT, k->n, number(k, 3))),
                              ONE(compare(k, IR_LT, k->n, number(k, 0)))};
    ir_op *smaller = ir_build(&k->at, IR_OP_MINI, pair, 1, &k->flag, NULL);
    ir_set_int(smaller, IR_AT_MINI_signedness, IR_SIGNED);
    ir_operand_list condition = ONE(&smaller->results[0]);
    ir_op *branch = ir_build(&k->at, IR_OP_IF, &condition, 0, NULL, (uint32_t[]){0});
    ir_block *then = ir_block_new(k->module, k->function, 0, NULL);
    ir_set_region(branch, 0, then);
    k->at.block = then;
    store(k, k->p, number(k, 0));
    end(k, IR_OP_YIELD, 0, NULL);
    walk(k);
    const ix_access *a = &k->s->accesses[0];
    assert_true(value_for(k, a->path, 4) != 0);
    assert_true(value_for(k, a->path, -1) != 0);
    assert_true(value_for(k, a->path, 2) == 0);
}

/* An op that may touch any memory. */
static void unknown_effects_are_accesses(void **state)
{
    kernel_sketch *k = *state;
    ir_operand_list none = NONE;
    ir_build(&k->at, IR_OP_PREVIEW_CALL, &none, 0, NULL, NULL);
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 1);
    assert_true(k->s->accesses[0].writes && k->s->accesses[0].reads);
    assert_int_equal(k->s->accesses[0].allocation, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(short_index_is_unsigned, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(byte_index_is_unsigned, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(promises_follow_the_map, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(rows_without_a_promise_are_cut, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(smaller_flag_is_a_condition, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(unknown_effects_are_accesses, open_kernel, close_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
