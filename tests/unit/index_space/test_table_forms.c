/* Kernels that take an array out of a table of rows: which words of a row are its address, extents
 * and strides, and which kernels do not tell. */
#include "index_space/summary.h"

#include "base/ds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { TABLE, MORE, N, M, N_PARAMS }; /* two tables of 64-bit numbers, and two numbers */
enum { BY_N = -1, BY_M = -2, BY_SUM = -3 };
enum {
    NUMBER = 0,
    GIVEN = -1,
    ADDRESS = -2
}; /* in place of a word: a size that is a number, a
      parameter, the word of the address */

typedef struct view { /* of rows */
    int64_t rows;     /* or BY_... */
    int64_t words, length, step;
    enum { ALL_STATIC, GIVEN_WORDS, GIVEN_LENGTH, GIVEN_STEP } given; /* by a parameter */
    int rank;      /* 1: length alone; 3: with an extent of 2 behind */
    int64_t start; /* in words behind the pointer */
    int times;     /* more rows for each tile block than one */
} view;

typedef struct sizes { /* words of the row, or NUMBER */
    int extent, stride;
} sizes;

typedef struct array {
    ir_type_kind element;
    int rank, at; /* word of the address */
    sizes dims[IR_MAX_RANK];
    int bits;         /* that words are cut to; 64: none */
    int other_row;    /* sizes are those of the row that is so many behind, */
    bool other_table; /* or of another table */
    int moved;        /* the pointer, by so many elements */
    bool summed;      /* extents are sums of words */
    bool by_pointer;  /* it is written without a view */
    int64_t alignment;
} array;

typedef struct sketch {
    ir_module *module;
    ir_builder at;
    const ir_type *i32, *i64, *token, *row, *word, *base;
    tr_arena *arena;
    smt_ctx *ctx;
    contract *c;
    summary *s;
} sketch;

static int open_sketch(void **state)
{
    sketch *k = test_calloc(1, sizeof *k);
    ir_module *m = k->module = ir_module_new("sketch");
    const ir_type *i64 = ir_type_scalar(m, IR_I64);
    k->i32 = ir_type_tile(m, ir_type_scalar(m, IR_I32), 0, NULL);
    k->i64 = ir_type_tile(m, i64, 0, NULL);
    k->base = ir_type_tile(m, ir_type_pointer(m, i64), 0, NULL);
    k->token = ir_type_token(m);
    k->row = ir_type_tile(m, i64, 2, (int64_t[]){1, 32});
    k->word = ir_type_tile(m, i64, 2, (int64_t[]){1, 1});
    const ir_type *params[] = {k->base, k->base, k->i32, k->i32};
    ir_function *f = ir_function_add(m, "sketch", ir_type_function(m, N_PARAMS, params, 0, NULL));
    k->at = (ir_builder){.module = m, .function = f, .block = f->body};
    k->arena = tr_arena_new();
    k->ctx = smt_ctx_new();
    k->c = contract_new(k->ctx, "sketch", N_PARAMS);
    static const char *const names[] = {"table", "more", "n", "m"};
    for (int i = 0; i < N_PARAMS; i++) {
        k->c->args[i] = (contract_arg){.name = names[i], .kind = CONTRACT_POINTER};
        if (i >= N)
            k->c->args[i] = (contract_arg){
                .name = names[i], .kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true};
        k->c->args[i].contents.prefix_sum_of = -1;
    }
    *state = k;
    return 0;
}

static int close_sketch(void **state)
{
    sketch *k = *state;
    summary_free(k->s);
    smt_ctx_free(k->ctx);
    tr_arena_free(k->arena);
    ir_module_free(k->module);
    test_free(k);
    return 0;
}

/* ---- Section: ops ---- */

static ir_value *build(sketch *k, ir_opcode code, const ir_type *type, size_t n, ir_value **of)
{
    ir_operand_list groups[IR_MAX_RANK] = {0};
    for (size_t i = 0; i < n; i++)
        groups[i] = (ir_operand_list){&of[i], 1};
    return &ir_build(&k->at, code, groups, 1, &type, NULL)->results[0];
}

static ir_value *argument(const sketch *k, int which)
{
    return k->at.function->body->args[which];
}

static ir_value *number(sketch *k, int32_t value)
{
    ir_value *made = build(k, IR_OP_CONSTANT, k->i32, 0, NULL);
    made->def->attrs[IR_AT_CONSTANT_value] = ir_attr_splat_int(k->module, k->i32, value);
    return made;
}

static ir_value *rows_of(sketch *k, int64_t rows)
{
    if (rows == BY_SUM)
        return build(k, IR_OP_ADDI, k->i32, 2, (ir_value *[]){argument(k, N), argument(k, M)});
    return rows < 0 ? argument(k, rows == BY_N ? N : M) : number(k, (int32_t)rows);
}

static ir_value *aligned(sketch *k, ir_value *value, int64_t alignment)
{
    if (alignment == 0)
        return value;
    ir_value *made = build(k, IR_OP_ASSUME, value->type, 1, &value);
    ir_attr *predicate = &made->def->attrs[IR_AT_ASSUME_predicate];
    predicate->kind = IR_ATTR_ASSUME;
    predicate->assume.kind = IR_ASSUME_DIV_BY;
    predicate->assume.divisor = (uint64_t)alignment;
    return made;
}

/* The view of that tensor whose tile has these extents. */
static ir_value *view_of(sketch *k, ir_value *base, const ir_type *tensor, const int64_t *tile,
                         size_t n_shape, ir_value **shape, size_t n_strides, ir_value **strides)
{
    static const int32_t map[] = {0, 1, 2, 3, 4, 5, 6, 7};
    ir_operand_list groups[] = {
        {&base, 1}, {shape, (uint32_t)n_shape}, {strides, (uint32_t)n_strides}};
    ir_value *made = &ir_build(&k->at, IR_OP_MAKE_TENSOR_VIEW, groups, 1, &tensor,
                               (uint32_t[]){1, (uint32_t)n_shape, (uint32_t)n_strides})
                          ->results[0];
    const ir_type *type =
        ir_type_partition_view(k->module, tensor, tensor->rank, tile, map, IR_PAD_NONE);
    return build(k, IR_OP_MAKE_PARTITION_VIEW, type, 1, &made);
}

static ir_value *moved(sketch *k, ir_value *pointer, int64_t by)
{
    ir_value *of[] = {pointer, number(k, (int32_t)by)};
    return by ? build(k, IR_OP_OFFSET, pointer->type, 2, of) : pointer;
}

/* Loads row `bid + behind`. */
static ir_value *load_row(sketch *k, int table, const view *v, int behind)
{
    const ir_type *i64 = ir_type_scalar(k->module, IR_I64);
    int64_t dynamic = IR_DYNAMIC;
    int64_t shape[] = {dynamic, v->given == GIVEN_LENGTH ? dynamic : v->length, 2};
    int64_t strides[] = {v->given == GIVEN_WORDS ? dynamic : v->words,
                         v->given == GIVEN_STEP ? dynamic : v->step, 64};
    int64_t tile[] = {1, 32, 1};
    int first = v->rank == 1 ? 1 : 0;
    const ir_type *tensor =
        ir_type_tensor_view(k->module, i64, v->rank, shape + first, strides + first);
    ir_value *given[] = {rows_of(k, v->rows), argument(k, M)}, *step = argument(k, M);
    ir_value *rows =
        view_of(k, moved(k, argument(k, table), v->start), tensor, tile + first,
                v->rank == 1               ? 0
                : v->given == GIVEN_LENGTH ? 2
                                           : 1,
                given, v->given == GIVEN_WORDS || v->given == GIVEN_STEP ? 1 : 0, &step);
    const ir_type *ids[] = {k->i32, k->i32, k->i32};
    ir_value *zero = number(k, 0);
    ir_value *id = &ir_build(&k->at, IR_OP_GET_TILE_BLOCK_ID, NULL, 3, ids, NULL)->results[0];
    if (v->times)
        id = build(k, IR_OP_MULI, k->i32, 2, (ir_value *[]){id, number(k, v->times)});
    id = build(k, IR_OP_ADDI, k->i32, 2, (ir_value *[]){id, number(k, behind)});
    ir_value *index[] = {id, zero, zero};
    ir_operand_list groups[] = {{&rows, 1}, {index, (uint32_t)v->rank}, {0}};
    const ir_type *tiles[] = {NULL, ir_type_tile(k->module, i64, 1, tile + 1), k->row,
                              ir_type_tile(k->module, i64, 3, tile)};
    const ir_type *results[] = {tiles[v->rank], k->token};
    ir_value *row = &ir_build(&k->at, IR_OP_LOAD_VIEW_TKO, groups, 2, results, NULL)->results[0];
    return v->rank == 2 ? row : build(k, IR_OP_RESHAPE, k->row, 1, &row);
}

static ir_value *word_of(sketch *k, ir_value *row, int word, int bits)
{
    if (word == GIVEN)
        return argument(k, M);
    word = word == ADDRESS ? 0 : word;
    ir_value *index[] = {number(k, 0), number(k, word)};
    ir_operand_list groups[] = {{&row, 1}, {index, 2}};
    ir_value *one = &ir_build(&k->at, IR_OP_EXTRACT, groups, 1, &k->word, NULL)->results[0];
    one = build(k, IR_OP_RESHAPE, k->i64, 1, &one);
    return bits == 64 ? one : build(k, IR_OP_TRUNCI, k->i32, 1, &one);
}

static void store(sketch *k, ir_value *address, ir_value *at, uint32_t n_index, const ir_type *type)
{
    ir_value *zero = number(k, 0), *index[] = {zero, zero, zero, zero, zero, zero, zero, zero};
    ir_value *tile = build(k, IR_OP_CONSTANT, type, 0, NULL);
    tile->def->attrs[IR_AT_CONSTANT_value] = ir_attr_splat_int(k->module, type, 0);
    ir_operand_list by_view[] = {{&tile, 1}, {&at, 1}, {index, n_index}, {0}};
    ir_operand_list by_pointer[] = {{&address, 1}, {&tile, 1}, {0}, {0}};
    ir_build(&k->at, at ? IR_OP_STORE_VIEW_TKO : IR_OP_STORE_PTR_TKO, at ? by_view : by_pointer, 1,
             &k->token, NULL);
}

static void store_array(sketch *k, int table, const view *v, const array *a)
{
    ir_value *row = load_row(k, table, v, 0), *given[IR_MAX_RANK], *steps[IR_MAX_RANK];
    ir_value *other = row;
    if (a->other_row || a->other_table)
        other = load_row(k, a->other_table ? MORE : table, v, a->other_row);
    const ir_type *element = ir_type_scalar(k->module, a->element);
    const ir_type *to = ir_type_tile(k->module, ir_type_pointer(k->module, element), 0, NULL);
    ir_value *address = word_of(k, row, a->at, 64);
    address = aligned(k, build(k, IR_OP_INT_TO_PTR, to, 1, &address), a->alignment);
    address = moved(k, address, a->moved);
    if (a->by_pointer) {
        store(k, address, NULL, 0, ir_type_tile(k->module, element, 0, NULL));
        return;
    }
    int64_t shape[IR_MAX_RANK], strides[IR_MAX_RANK], tile[IR_MAX_RANK];
    size_t n_shape = 0, n_strides = 0;
    for (int d = 0; d < a->rank; d++) {
        shape[d] = a->dims[d].extent == NUMBER ? 64 : IR_DYNAMIC;
        strides[d] = a->dims[d].stride == NUMBER ? 2 : IR_DYNAMIC;
        tile[d] = 1;
        if (a->dims[d].extent)
            given[n_shape++] = word_of(k, other, a->dims[d].extent, a->bits);
        if (a->summed)
            given[d] = build(k, IR_OP_ADDI, given[d]->type, 2, (ir_value *[]){given[d], given[d]});
        if (a->dims[d].stride)
            steps[n_strides++] = word_of(k, other, a->dims[d].stride, a->bits);
    }
    const ir_type *tensor = ir_type_tensor_view(k->module, element, a->rank, shape, strides);
    ir_value *at = view_of(k, address, tensor, tile, n_shape, given, n_strides, steps);
    store(k, NULL, at, (uint32_t)a->rank, ir_type_tile(k->module, element, a->rank, tile));
}

static void walk(sketch *k)
{
    ir_build(&k->at, IR_OP_RETURN, (ir_operand_list[]){{0}}, 0, NULL, NULL);
    ir_renumber(k->at.function);
    k->s = summary_build(k->arena, k->ctx, k->at.function, k->c);
}

/* ---- Section: forms ---- */

/* The form of the arrays in that table; false: the kernel does not tell. */
static bool form_of(const sketch *k, int table, table_form *form)
{
    for (size_t a = 0; a < k->s->n_allocations; a++)
        if (k->s->allocations[a].space == IX_REGIONS && k->s->allocations[a].table == table)
            return summary_table_form(k->s, (int)a, form);
    return false;
}

static const view of_three = {BY_N, 3, 3, 1, .rank = 2};
static const array plain = {
    .element = IR_F32, .rank = 1, .bits = 64, .dims = {{1, 2}}, .alignment = 16};

static void expect_form(sketch *k, const view *v, const array *a)
{
    store_array(k, TABLE, v, a);
    walk(k);
    table_form form;
    assert_true(form_of(k, TABLE, &form));
    assert_int_equal(form.arg, TABLE);
    assert_int_equal(form.rows_arg, v->rows == BY_N ? N : v->rows == BY_M ? M : -1);
    assert_int_equal(form.rows, v->rows < 0 ? -1 : v->rows);
    assert_int_equal(form.words, v->words);
    assert_int_equal(form.rank, a->rank);
    assert_int_equal(form.width, a->element == IR_F32 ? 4 : a->element == IR_I8 ? 1 : 8);
    assert_int_equal(form.alignment, a->alignment ? a->alignment : 1);
    assert_true(form.is_written);
    for (int d = 0; d < a->rank; d++) {
        const table_size *got[] = {&form.extents[d], &form.strides[d]};
        const int words[] = {a->dims[d].extent, a->dims[d].stride};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(got[i]->word, words[i]);
            if (words[i])
                assert_int_equal(got[i]->bits, a->bits);
            else
                assert_int_equal(got[i]->number, i ? 2 : 64);
        }
    }
}

static void expect_none(sketch *k, const view *v, const array *a)
{
    table_form form;
    store_array(k, TABLE, v, a);
    walk(k);
    assert_false(form_of(k, TABLE, &form));
}

/* Name, and what is different. */
#define FORMS(X)                                                                                   \
    X(words_of_64_bits, )                                                                          \
    X(words_of_32_bits, a.bits = 32)                                                               \
    X(numbers_for_strides, a.dims[0].stride = NUMBER)                                              \
    X(numbers_for_extents, a.dims[0] = (sizes){NUMBER, 1})                                         \
    X(two_dimensions, v.words = v.length = 5, a.rank = 2, a.dims[0] = (sizes){1, 3},               \
      a.dims[1] = (sizes){2, 4})                                                                   \
    X(the_last_word_twice, a.dims[0] = (sizes){2, 2})                                              \
    X(eight_dimensions, v.words = v.length = 17, set_dimensions(&a, 8))                            \
    X(only_addresses, v.words = v.length = 1, a.dims[0] = (sizes){NUMBER, NUMBER})                 \
    X(bytes, a.element = IR_I8)                                                                    \
    X(doubles, a.element = IR_F64, a.alignment = 0)                                                \
    X(rows_of_a_later_number, v.rows = BY_M)                                                       \
    X(rows_of_a_constant, v.rows = 5)                                                              \
    X(rows_of_one, v.rows = 1)                                                                     \
    X(no_rows, v.rows = 0)

#define NOT_FORMS(X)                                                                               \
    X(rows_of_a_sum, v.rows = BY_SUM)                                                              \
    X(rows_of_one_dimension, v.rank = 1)                                                           \
    X(rows_of_three_dimensions, v.rank = 3)                                                        \
    X(rows_of_given_words, v.given = GIVEN_WORDS)                                                  \
    X(rows_of_given_length, v.given = GIVEN_LENGTH)                                                \
    X(rows_of_given_step, v.given = GIVEN_STEP)                                                    \
    X(rows_behind_the_first, v.start = 3)                                                          \
    X(rows_with_a_gap, v.words = 4)                                                                \
    X(rows_that_overlap, v.words = 2)                                                              \
    X(every_second_word, v.words = v.length = 6, v.step = 2)                                       \
    X(too_many_words, v.words = v.length = 18)                                                     \
    X(another_word_for_the_address, a.at = 1, a.dims[0] = (sizes){2, 2})                           \
    X(the_address_for_an_extent, a.dims[0].extent = ADDRESS)                                       \
    X(the_address_for_a_stride, a.dims[0].stride = ADDRESS)                                        \
    X(an_extent_behind_the_row, a.dims[0].extent = 3)                                              \
    X(a_stride_behind_the_row, a.dims[0].stride = 3)                                               \
    X(sizes_of_the_row_behind, a.other_row = 1)                                                    \
    X(the_address_of_the_row_behind, a.other_row = 1, a.dims[0] = (sizes){ADDRESS, NUMBER})        \
    X(sizes_of_the_row_before, a.other_row = -1)                                                   \
    X(sizes_that_are_sums, a.summed = true)                                                        \
    X(sizes_of_another_table, a.other_table = true)                                                \
    X(sizes_of_given_numbers, a.dims[0] = (sizes){GIVEN, GIVEN})                                   \
    X(pointers_into_the_array, a.moved = 4)                                                        \
    X(halves_of_bytes, a.element = IR_F4E2M1FN)                                                    \
    X(no_view, a.by_pointer = true)

static void set_dimensions(array *a, int rank)
{
    a->rank = rank;
    for (int d = 0; d < rank; d++)
        a->dims[d] = (sizes){1 + d, 1 + rank + d};
}

#define X(name, ...)                                                                               \
    static void name(void **state)                                                                 \
    {                                                                                              \
        view v = of_three;                                                                         \
        array a = plain;                                                                           \
        __VA_ARGS__;                                                                               \
        EXPECT(*state, &v, &a);                                                                    \
    }
#define EXPECT expect_form
FORMS(X)
#undef EXPECT
#define EXPECT expect_none
NOT_FORMS(X)
#undef EXPECT
#undef X

/* ---- Section: several arrays ---- */

/* What is different in the second of two arrays of one table. */
static void expect_two(sketch *k, const view *v, const array *a, bool same)
{
    table_form form;
    store_array(k, TABLE, &of_three, &plain);
    store_array(k, TABLE, v, a);
    walk(k);
    assert_int_equal(form_of(k, TABLE, &form), same);
}

#define PAIRS(X)                                                                                   \
    X(two_alike, true, )                                                                           \
    X(two_of_other_alignments, true, a.alignment = 64)                                             \
    X(two_of_other_rows, false, v.rows = BY_M)                                                     \
    X(two_of_constant_rows, false, v.rows = 7)                                                     \
    X(two_of_other_words, false, v.words = v.length = 6)                                           \
    X(two_of_other_widths, false, a.element = IR_I8)                                               \
    X(two_of_other_bits, false, a.bits = 32)                                                       \
    X(two_of_other_extents, false, a.dims[0].extent = 2)                                           \
    X(two_of_other_strides, false, a.dims[0].stride = NUMBER)                                      \
    X(two_of_other_ranks, false, a.rank = 2, a.dims[1] = (sizes){1, 2})                            \
    X(one_of_no_form, false, a.moved = 4)

#define X(name, same, ...)                                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        view v = of_three;                                                                         \
        array a = plain;                                                                           \
        __VA_ARGS__;                                                                               \
        expect_two(*state, &v, &a, same);                                                          \
    }
PAIRS(X)
#undef X

/* Rows by two constants: neither of them is the number of rows. */
static void two_constants_of_rows(void **state)
{
    sketch *k = *state;
    view five = of_three, seven = of_three;
    table_form form;
    five.rows = 5, seven.rows = 7;
    store_array(k, TABLE, &five, &plain);
    store_array(k, TABLE, &seven, &plain);
    walk(k);
    assert_false(form_of(k, TABLE, &form));
}

/* All addresses are where rows of six words begin, and where rows of three do. */
static void rows_of_three_and_of_six_words(void **state)
{
    sketch *k = *state;
    table_form form;
    for (int turn = 0; turn < 2; turn++) {
        view three = of_three, six = of_three;
        three.times = 2;
        six.words = six.length = 6;
        store_array(k, turn ? MORE : TABLE, turn ? &six : &three, &plain);
        store_array(k, turn ? MORE : TABLE, turn ? &three : &six, &plain);
    }
    walk(k);
    assert_false(form_of(k, TABLE, &form));
    assert_false(form_of(k, MORE, &form));
}

/* Each table has a form of its own, and what one does not tell says nothing of the other. */
static void tables_are_told_apart(void **state)
{
    sketch *k = *state;
    view of_five = of_three;
    array wide = plain;
    table_form form, more;
    of_five.rows = BY_M, of_five.words = of_five.length = 5;
    set_dimensions(&wide, 2);
    store_array(k, TABLE, &of_three, &plain);
    store_array(k, MORE, &of_five, &wide);
    walk(k);
    assert_true(form_of(k, TABLE, &form) && form_of(k, MORE, &more));
    assert_true(form.rank == 1 && form.rows_arg == N && form.arg == TABLE && form.words == 3);
    assert_true(more.rank == 2 && more.rows_arg == M && more.arg == MORE && more.words == 5);
}

static void a_table_without_form_beside_one(void **state)
{
    sketch *k = *state;
    array inside = plain;
    table_form form;
    inside.moved = 4;
    store_array(k, TABLE, &of_three, &inside);
    store_array(k, MORE, &of_three, &plain);
    walk(k);
    assert_false(form_of(k, TABLE, &form));
    assert_true(form_of(k, MORE, &form) && form.arg == MORE);
}

/* A table that is read as numbers only has no arrays, and one that is read by a pointer, too, has
 * no form. */
static void a_table_that_a_pointer_reads(void **state)
{
    sketch *k = *state;
    table_form form;
    store_array(k, TABLE, &of_three, &plain);
    ir_value *table = argument(k, TABLE);
    ir_operand_list groups[] = {{&table, 1}, {0}, {0}, {0}};
    const ir_type *results[] = {k->i64, k->token};
    ir_build(&k->at, IR_OP_LOAD_PTR_TKO, groups, 2, results, NULL);
    load_row(k, MORE, &of_three, 0);
    walk(k);
    assert_false(form_of(k, TABLE, &form));
    assert_false(form_of(k, MORE, &form));
}

static size_t count_regions(const sketch *k)
{
    size_t n = 0;
    for (size_t a = 0; a < k->s->n_allocations; a++)
        n += k->s->allocations[a].space == IX_REGIONS;
    return n;
}

/* What a kernel itself puts into a table may address anything, and so may what it takes from
 * another table. */
static void a_table_that_the_kernel_writes(void **state)
{
    sketch *k = *state;
    store_array(k, TABLE, &of_three, &plain);
    store(k, argument(k, MORE), NULL, 0, k->i64);
    walk(k);
    assert_int_equal(count_regions(k), 0);
    const ix_access *last = &k->s->accesses[arrlenu(k->s->accesses) - 2];
    assert_true(last->writes && last->allocation == -1 && last->unknown);
}

static void tables_that_are_read(void **state)
{
    sketch *k = *state;
    store_array(k, TABLE, &of_three, &plain);
    load_row(k, MORE, &of_three, 0);
    walk(k);
    assert_int_equal(count_regions(k), 2);
}

/* The strictest alignment of a pointer counts, wherever it stands; numbers have other ones. */
static void strictest_alignment(void **state)
{
    sketch *k = *state;
    array loose = plain, none = plain;
    table_form form;
    loose.alignment = 8, none.alignment = 0;
    aligned(k, argument(k, N), 128);
    store_array(k, TABLE, &of_three, &none);
    store_array(k, TABLE, &of_three, &plain);
    store_array(k, TABLE, &of_three, &loose);
    walk(k);
    assert_true(form_of(k, TABLE, &form));
    assert_int_equal(form.alignment, 16);
}

/* ---- Section: tables that the contract states ---- */

/* Are the arrays of the table, two entries of 64 elements at these bytes of one buffer, told apart
 * by their rows? */
static bool are_apart(sketch *k, const array *a, int64_t first, int64_t second)
{
    contract_entry entries[] = {{"all", first, {64}, {1}}, {"all", second, {64}, {1}}};
    const contract_table table = {2, 1, entries};
    k->c->args[TABLE].table = k->c->args[MORE].table = &table; /* of the latter none is taken */
    view two = of_three;
    two.rows = 2;
    store_array(k, TABLE, &two, a);
    load_row(k, MORE, &of_three, 0);
    walk(k);
    k->c->args[TABLE].table = k->c->args[MORE].table = NULL;
    return !k->s->tables_meet;
}

static void stated_arrays_apart(void **state)
{
    assert_true(are_apart(*state, &plain, 0, 256));
}

static void stated_arrays_that_meet(void **state)
{
    assert_false(are_apart(*state, &plain, 0, 240));
}

static void stated_arrays_without_form(void **state)
{
    array inside = plain;
    inside.moved = 64; /* of the first, all elements of the second */
    assert_false(are_apart(*state, &inside, 0, 256));
}

static void stated_arrays_of_unknown_address(void **state)
{
    array by_pointer = plain;
    by_pointer.by_pointer = true;
    assert_false(are_apart(*state, &by_pointer, 0, 256));
}

static void stated_arrays_of_other_alignment(void **state)
{
    assert_false(are_apart(*state, &plain, 0, 264));
}

#define TEST(name, ...) cmocka_unit_test_setup_teardown(name, open_sketch, close_sketch),

int main(void)
{
    const struct CMUnitTest tests[] = {
        FORMS(TEST) NOT_FORMS(TEST) PAIRS(TEST) /* each with a kernel of its own */
        TEST(two_constants_of_rows) TEST(rows_of_three_and_of_six_words) TEST(tables_are_told_apart)
            TEST(a_table_without_form_beside_one) TEST(a_table_that_a_pointer_reads)
                TEST(a_table_that_the_kernel_writes) TEST(tables_that_are_read)
                    TEST(strictest_alignment) TEST(stated_arrays_apart)
                        TEST(stated_arrays_that_meet) TEST(stated_arrays_without_form)
                            TEST(stated_arrays_of_unknown_address)
                                TEST(stated_arrays_of_other_alignment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
