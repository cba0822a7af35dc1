/* Elements of 4 bits: two share a byte, and who writes one of them writes both. */
#include "turns.h"

/* Rows of `columns` elements, a tile of 1 x 4 each. */
static val rows_of(kit *k, int64_t rows, int64_t columns)
{
    val base = unary(k, IR_OP_PTR_TO_PTR, pointer_type(k, IR_I4), param(k, 0));
    val t = tensor(k, base, 2, (int64_t[]){rows, columns}, (int64_t[]){columns, 1});
    return partition(k, t, 2, (int64_t[]){1, 4}, (int32_t[]){0, 1});
}

static val four(kit *k, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return constant(k, tile_type(k, IR_I4, 2, (int64_t[]){1, 4}), 4, (int64_t[]){a, b, c, d});
}

static int byte_at(kit *k, int64_t at)
{
    uint64_t bits = 0;
    assert_true(interp_read_back(k->run, 0, at, 1, &bits));
    return (int)bits;
}

static void two_to_a_byte(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val view = rows_of(k, 2, 3);
    static const int64_t values[2][4] = {{1, 2, 3, 4}, {5, -6, 7, 8}};
    val token = NULL;
    for (int row = 0; row < 2; row++) { /* the fourth element lies behind the row */
        val index[] = {i32(k, row), i32(k, 0)};
        val tile = four(k, values[row][0], values[row][1], values[row][2], values[row][3]);
        token = tok(store_view(k, WEAK, view, tile, 2, index, token));
    }
    val index[] = {i32(k, 1), i32(k, 0)};
    val back = data(load_view(k, WEAK, view, 2, index, token));
    val wide = unary(k, IR_OP_EXTI, tile_type(k, IR_I32, 2, (int64_t[]){1, 4}), back);
    ir_set_int(wide->def, IR_AT_EXTI_signedness, IR_SIGNED);
    show(k, wide, 4);
    execute(k, 1, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    assert_int_equal(byte_at(k, 0), 0x21);
    assert_int_equal(byte_at(k, 1), 0x53);
    assert_int_equal(byte_at(k, 2), 0x7a);
    assert_int_equal(byte_at(k, 3), 0);
    assert_int_equal(word(k, 0, 4), 5);
    assert_int_equal(word(k, 0, 5), -6);
    assert_int_equal(word(k, 0, 6), 7);
    assert_int_equal(count_races(k), 0);
    kit_free(k);
}

/* A pointer is moved by elements, two to a byte; by an odd number it would point between bytes. */
static void pointers_move_by_elements(void **state)
{
    (void)state;
    for (int64_t by = -3; by < 8; by++) {
        kit *k = kit_new("p");
        val start = pointers(k, param(k, 0), i32(k, 2)); /* 8 bytes in */
        val base = unary(k, IR_OP_PTR_TO_PTR, pointer_type(k, IR_F4E2M1FN), start);
        val moved = OP1(k, IR_OP_OFFSET, base->type, base, i32(k, by));
        val bytes = unary(k, IR_OP_PTR_TO_PTR, pointer_type(k, IR_I8), moved);
        int64_t seven = 7;
        store_ptr(k, WEAK, bytes, constant(k, scalar_type(k, IR_I8), 1, &seven), NULL, NULL);
        execute(k, 1, 1);
        assert_int_equal(interp_run_status(k->run), by % 2 ? INTERP_UNSUPPORTED : INTERP_DONE);
        if (by % 2)
            assert_non_null(strstr(interp_run_why(k->run), "between bytes"));
        else
            assert_int_equal(byte_at(k, 8 + by / 2), 7);
        kit_free(k);
    }
}

/* Blocks that store a row each race where rows are odd, as halves of one byte are one location; in
 * a weak schedule one of the two stores is lost. */
static void neighbours_in_a_byte_race(void **state)
{
    (void)state;
    for (int64_t columns = 3; columns <= 4; columns++) {
        kit *k = kit_new("p");
        val index[] = {bid(k, 0), i32(k, 0)};
        store_view(k, WEAK, rows_of(k, 2, columns), four(k, 1, 1, 1, 1), 2, index, NULL);
        finish(k, 2);
        bool lost = false;
        for (uint64_t seed = 0; seed < 100; seed++) {
            interp_schedule weak = {.policy = INTERP_RANDOM, .seed = seed, .weak = true};
            assert_int_equal(interp_run_status(scheduled(k, &weak)), INTERP_DONE);
            assert_int_equal(count_races(k), columns == 3);
            lost |= byte_at(k, 1) != 0x11;
            assert_int_equal(byte_at(k, 0), 0x11);
        }
        assert_int_equal(lost, columns == 3);
        kit_free(k);
    }
}

/* Two elements of one store in one byte do not race; two in one half do. */
static void one_store_and_its_byte(void **state)
{
    (void)state;
    for (int64_t stride = 0; stride < 2; stride++) {
        kit *k = kit_new("p");
        val base = unary(k, IR_OP_PTR_TO_PTR, pointer_type(k, IR_I4), param(k, 0));
        val t = tensor(k, base, 2, (int64_t[]){1, 4}, (int64_t[]){4, stride});
        val index[] = {i32(k, 0), i32(k, 0)};
        store_view(k, WEAK, partition(k, t, 2, (int64_t[]){1, 4}, (int32_t[]){0, 1}),
                   four(k, 1, 2, 3, 4), 2, index, NULL);
        execute(k, 1, 1);
        assert_int_equal(count_races(k) > 0, stride == 0);
        assert_int_equal(byte_at(k, 0), stride ? 0x21 : 0x04);
        kit_free(k);
    }
}

/* Of a byte of which nothing is known, a store of one half leaves as little. */
static void half_of_an_unknown_byte(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    k->buffers[0].opaque = true;
    val index[] = {i32(k, 0), i32(k, 0)};
    store_view(k, WEAK, rows_of(k, 1, 3), four(k, 1, 2, 3, 4), 2, index, NULL);
    execute(k, 1, 1);
    uint64_t bits;
    assert_int_equal(byte_at(k, 0), 0x21);
    assert_false(interp_read_back(k->run, 0, 1, 1, &bits));
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_to_a_byte),
        cmocka_unit_test(pointers_move_by_elements),
        cmocka_unit_test(neighbours_in_a_byte_race),
        cmocka_unit_test(one_store_and_its_byte),
        cmocka_unit_test(half_of_an_unknown_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
