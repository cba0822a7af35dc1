/* Tiles of constants: each element has the value that the constant's bytes say, whatever its type
 * and the tile's shape, and whether all elements are one. */
#include "kernel_sketch.h"

enum { MOST = 128 };

typedef struct sample {
    ir_type_kind element;
    int bits;
    int64_t rows, columns;
    bool splat;
} sample;

/* Of every sign, and for a byte of bits none like the one beside it. */
static int64_t value_of(const sample *c, int64_t i)
{
    i = c->splat ? 1 : i;
    int64_t mixed = (i * i * 7919 + i * 104729 + 3) ^ (i << 40);
    return c->bits == 1 ? (mixed >> 2 ^ i >> 3) & 1 : mixed;
}

static int64_t cut(int64_t value, int bits)
{
    if (bits == 1)
        return value & 1;
    return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static ir_value *constant_of(kernel_sketch *k, const sample *c)
{
    unsigned char bytes[8 * MOST] = {0};
    int64_t n = c->splat ? 1 : c->rows * c->columns, width = c->bits < 8 ? 1 : c->bits / 8;
    size_t n_bytes = (size_t)(c->bits == 1 ? (n + 7) / 8 : n * width);
    for (int64_t i = 0; i < n; i++) {
        int64_t value = value_of(c, i);
        if (c->bits == 1)
            bytes[i / 8] |= (unsigned char)(value << i % 8);
        else
            memcpy(bytes + i * width, &value, (size_t)width);
    }
    if (c->bits == 1 && c->splat && bytes[0])
        bytes[0] = 0xff;
    const ir_type *element = ir_type_scalar(k->module, c->element);
    const ir_type *type = ir_type_tile(k->module, element, 2, (int64_t[]){c->rows, c->columns});
    ir_op *op = ir_build(&k->at, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    op->attrs[IR_AT_CONSTANT_value] = ir_attr_of_dense(k->module, type, bytes, n_bytes, c->splat);
    return &op->results[0];
}

/* p[constant[bid, column]] = 0; where it is i1, p[constant[bid, column] ? 5 : 9] */
static void store_by(kernel_sketch *k, const sample *c, int32_t column)
{
    const ir_type *element = ir_type_scalar(k->module, c->element);
    const ir_type *one = ir_type_tile(k->module, element, 2, (int64_t[]){1, 1});
    const ir_type *scalar = ir_type_tile(k->module, element, 0, NULL);
    ir_value *tile = constant_of(k, c), *at[] = {block_id(k), number(k, column)};
    ir_operand_list groups[] = {ONE(tile), {at, 2}};
    ir_value *value = &ir_build(&k->at, IR_OP_EXTRACT, groups, 1, &one, NULL)->results[0];
    ir_operand_list whole = ONE(value);
    value = &ir_build(&k->at, IR_OP_RESHAPE, &whole, 1, &scalar, NULL)->results[0];
    if (c->bits == 1) {
        ir_operand_list of[] = {ONE(value), ONE(number(k, 5)), ONE(number(k, 9))};
        value = &ir_build(&k->at, IR_OP_SELECT, of, 1, &k->i32, NULL)->results[0];
    }
    store(k, offset(k, k->p, value), number(k, 0));
}

static void expect_values(kernel_sketch *k, const sample *c)
{
    for (int32_t column = 0; column < c->columns; column++)
        store_by(k, c, column);
    walk(k);
    numbers v = {.n = contract_param(k->ctx, k->c, 2)};
    for (int64_t i = 0; i < c->rows * c->columns; i++) {
        smt_int got;
        v.bid_value = i / c->columns;
        assert_true(smt_eval(k->s->accesses[i % c->columns].bytes, lookup_numbers, &v, &got));
        int64_t want = cut(value_of(c, i), c->bits);
        want = c->bits == 1 ? want ? 5 : 9 : want;
        assert_true(got == (smt_int)want * 4);
    }
}

static void constants_are_their_bytes(void **state)
{
    static const struct {
        ir_type_kind element;
        int bits;
    } types[] = {{IR_I1, 1}, {IR_I4, 4}, {IR_I8, 8}, {IR_I16, 16}, {IR_I32, 32}, {IR_I64, 64}};
    static const int64_t shapes[][2] = {{1, 1}, {1, 16}, {16, 1}, {4, 8}, {8, 8}, {8, 2}};
    for (size_t t = 0; t < TR_COUNT(types); t++)
        for (size_t i = 0; i < 2 * TR_COUNT(shapes); i++) {
            const int64_t *shape = shapes[i / 2];
            sample c = {types[t].element, types[t].bits, shape[0], shape[1], i % 2};
            open_kernel(state);
            expect_values(*state, &c);
            close_kernel(state);
        }
}

/* One with more elements than are looked at is some number of its type. */
static void large_constants_are_not_known(void **state)
{
    kernel_sketch *k = *state;
    const sample c = {IR_I8, 8, 16, 8, false};
    smt_int low, high;
    store_by(k, &c, 0);
    walk(k);
    smt_bounds(k->s->accesses[0].bytes, &low, &high);
    assert_true(low == 4 * INT8_MIN && high == 4 * INT8_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_their_bytes),
        cmocka_unit_test_setup_teardown(large_constants_are_not_known, open_kernel, close_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
