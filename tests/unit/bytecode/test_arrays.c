/* Which parameters form an array, of modules that cutile-rs made. */
#include "modules.h"

#include "bytecode/arrays.h"

typedef struct rust_kernel {
    fixture f;
    ir_module *module;
    contract_member members[64];
} rust_kernel;

static rust_kernel read_kernel(const char *name)
{
    rust_kernel k = {.f = fixture_make()};
    const char *why = NULL;
    size_t size;
    const char *path =
        tr_arena_printf(k.f.arena, TILERACE_SOURCE_DIR "/kernels/rust/%s.tilebc", name);
    char *data = tr_read_file(k.f.arena, TR_FILE_KERNELS, path, &size, &why);
    assert_non_null(data);
    k.module = bytecode_read((unsigned char *)data, size, name, &k.f.errors);
    assert_non_null(k.module);
    assert_true(k.module->functions->body->n_args <= TR_COUNT(k.members));
    return k;
}

static void drop_kernel(rust_kernel *k)
{
    ir_module_free(k->module);
    fixture_free(&k->f);
}

/* Ranks of the arrays that begin at the parameters, 0 where none does. */
static void expect_arrays(rust_kernel *k, const int *ranks, size_t n)
{
    memset(k->members, 0, sizeof k->members);
    arrays_find(k->module->functions, k->members);
    for (uint32_t i = 0; i < k->module->functions->body->n_args; i++) {
        int rank = 0;
        for (uint32_t j = 0; j < k->module->functions->body->n_args; j++)
            rank += k->members[i].role == CONTRACT_ARRAY_START && k->members[j].array == i &&
                    k->members[j].role == CONTRACT_ARRAY_EXTENT;
        assert_int_equal(rank, i < n ? ranks[i] : 0);
    }
}

static ir_op *first_view_of_rank(ir_module *module, int rank)
{
    ir_op *op = ir_first_op(module->functions);
    while (op && (op->code != IR_OP_MAKE_TENSOR_VIEW || op->results[0].type->rank != rank))
        op = ir_next_op(op);
    assert_non_null(op);
    return op;
}

static void views_of_consecutive_parameters_are_arrays(void **state)
{
    (void)state;
    rust_kernel rows = read_kernel("scale_rows"), batches = read_kernel("add_batches");
    expect_arrays(&rows, (const int[]){[0] = 2, [9] = 2}, 10);
    expect_arrays(&batches, (const int[]){[0] = 3, [13] = 3, [20] = 2}, 21);
    drop_kernel(&rows);
    drop_kernel(&batches);
}

static void other_front_ends_are_not_taken_for_it(void **state)
{
    (void)state;
    rust_kernel k = read_kernel("scale_rows");
    k.module->writer = "another";
    expect_arrays(&k, NULL, 0);
    k.module->writer = NULL;
    expect_arrays(&k, NULL, 0);
    k.module->producer = "cutile-rs 0.4";
    expect_arrays(&k, (const int[]){[0] = 2, [9] = 2}, 10);
    k.module->producer = "nvcc";
    k.module->writer = "cutile-ir";
    expect_arrays(&k, NULL, 0);
    drop_kernel(&k);
}

/* Extents that are no parameters, or others than those behind the pointer. */
static void other_numbers_form_no_array(void **state)
{
    (void)state;
    rust_kernel k = read_kernel("add_batches");
    uint32_t n;
    ir_op *view = first_view_of_rank(k.module, 3);
    ir_value **extents = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n);
    assert_int_equal(n, 3);
    ir_value *first = extents[0];
    extents[0] = extents[1];
    extents[1] = first;
    memset(k.members, 0, sizeof k.members);
    arrays_find(k.module->functions, k.members);
    size_t views = 0, arrays = 0;
    for (const ir_op *op = ir_first_op(k.module->functions); op; op = ir_next_op(op))
        views += op->code == IR_OP_MAKE_TENSOR_VIEW;
    for (size_t i = 0; i < TR_COUNT(k.members); i++)
        arrays += k.members[i].role == CONTRACT_ARRAY_START;
    assert_int_equal(views, 3);
    assert_int_equal(arrays, 2);
    drop_kernel(&k);
}

/* ---- Section: raw pointers and numbers in an array's order ---- */

static ir_op *assume_of(ir_op *view, uint32_t which)
{
    uint32_t n;
    ir_value **extents = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n);
    ir_value **strides = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n);
    ir_op *assume = which < 2 ? extents[which]->def : strides[which - 2]->def;
    assert_int_equal(assume->code, IR_OP_ASSUME);
    return assume;
}

static void take_parameter(ir_op *view, uint32_t which)
{
    uint32_t n;
    ir_value **extents = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n);
    ir_value **strides = ir_group(view, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n);
    ir_value **at = which < 2 ? &extents[which] : &strides[which - 2];
    *at = assume_of(view, which)->operands[0];
}

static void no_promise_of_rows(ir_op *view)
{
    take_parameter(view, 0);
}

static void no_promise_of_columns(ir_op *view)
{
    take_parameter(view, 1);
}

static void no_promise_of_the_stride(ir_op *view)
{
    take_parameter(view, 2);
}

static void a_multiple_alone(ir_op *view)
{
    ir_attr *said = &assume_of(view, 2)->attrs[IR_AT_ASSUME_predicate];
    said->assume.kind = IR_ASSUME_DIV_BY;
    said->assume.divisor = 16;
}

static void an_upper_bound_alone(ir_op *view)
{
    ir_attr *said = &assume_of(view, 0)->attrs[IR_AT_ASSUME_predicate];
    said->assume.has_low = false;
    said->assume.has_high = true;
    said->assume.high = 4096;
}

static void perhaps_negative(ir_op *view)
{
    assume_of(view, 2)->attrs[IR_AT_ASSUME_predicate].assume.low = -1;
}

static void not_where_the_kernel_begins(ir_op *view)
{
    static ir_block inner;
    inner.parent = NULL;
    view->parent = &inner;
}

/* The author makes such views of raw pointers, and promises nothing of the numbers. */
static void views_of_raw_pointers_are_no_arrays(void **state)
{
    (void)state;
    void (*const changes[])(ir_op *view) = {
        no_promise_of_rows,   no_promise_of_columns, no_promise_of_the_stride,    a_multiple_alone,
        an_upper_bound_alone, perhaps_negative,      not_where_the_kernel_begins,
    };
    for (size_t i = 0; i < TR_COUNT(changes); i++) {
        rust_kernel k = read_kernel("scale_rows");
        changes[i](first_view_of_rank(k.module, 2));
        expect_arrays(&k, (const int[]){[9] = 2}, 10);
        drop_kernel(&k);
    }
}

/* ---- Section: signatures of cuTile Python ---- */

/* Parameters, one a letter: p pointer, i number, a pointer that is no tile. */
static const ir_type *parameter_type(ir_module *m, char letter)
{
    const ir_type *number = ir_type_scalar(m, IR_I32);
    const ir_type *pointer = ir_type_pointer(m, number);
    if (letter == 'a')
        return ir_type_pointer(m, pointer);
    return ir_type_tile(m, letter == 'p' ? pointer : number, 0, NULL);
}

/* `ranks`: a digit for each parameter, the rank of the array that begins there. */
static void expect_signature(const char *name, const char *letters, const char *ranks)
{
    ir_module *m = ir_module_new("signatures");
    const ir_type *params[16];
    contract_member members[16] = {0};
    size_t n = strlen(letters);
    assert_int_equal(strlen(ranks), n);
    for (size_t i = 0; i < n; i++)
        params[i] = parameter_type(m, letters[i]);
    const ir_function *f = ir_function_add(m, name, ir_type_function(m, (int)n, params, 0, NULL));
    arrays_find(f, members);
    for (size_t i = 0; i < n; i++) {
        int rank = 0;
        for (size_t j = 0; j < n; j++)
            rank += members[i].role == CONTRACT_ARRAY_START && members[j].array == i &&
                    members[j].role == CONTRACT_ARRAY_EXTENT;
        if (rank != ranks[i] - '0')
            fail_msg("%s (%s): parameter %zu begins an array of rank %d", name, letters, i, rank);
    }
    ir_module_free(m);
}

static void signatures_tell_arrays(void **state)
{
    (void)state;
    expect_signature("k_Kt1_A1f32", "pii", "100");
    expect_signature("k_Kt1_A2f32_A1i32", "piiiipii", "20000100");
    expect_signature("k_Kt1_i32_A1f32", "ipii", "0100");
    expect_signature("k_Kt1_A2f32", "pii", "000"); /* too few parameters */
    expect_signature("k_Kt1_A1f32", "pi", "00");
    expect_signature("k_Kt1_A2f32_A1f32", "piipipii", "00000000"); /* not the same parameters */
    expect_signature("k", "pii", "000");
}

static void other_parts_tell_none(void **state)
{
    (void)state;
    expect_signature("k_Kt1_A1", "pii", "000"); /* nothing behind the rank */
    expect_signature("k_Kt1_A2", "piiii", "00000");
    expect_signature("k_Kt1_A22f32", "pii", "000"); /* ranks have one digit */
    expect_signature("k_Kt1_A0f32", "pii", "000");
    expect_signature("k_Kt1_Af32", "pii", "000");
    expect_signature("k_Kt1_Aff_A1f32", "pii", "100");
    expect_signature("k_Kt1_i32", "pii", "000");
    expect_signature("k_Kt1_B1f32", "pii", "000");
    expect_signature("k_Kt1_BA1f32", "pii", "000");
}

/* A pointer's address stands in a tile; a bare pointer type is no parameter of an array. */
static void bare_pointers_begin_no_array(void **state)
{
    (void)state;
    expect_signature("k_Kt1_A1f32", "aii", "000");
    expect_signature("k_Kt1_A1f32", "aiipii", "000100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_consecutive_parameters_are_arrays),
        cmocka_unit_test(other_front_ends_are_not_taken_for_it),
        cmocka_unit_test(other_numbers_form_no_array),
        cmocka_unit_test(views_of_raw_pointers_are_no_arrays),
        cmocka_unit_test(signatures_tell_arrays),
        cmocka_unit_test(other_parts_tell_none),
        cmocka_unit_test(bare_pointers_begin_no_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
