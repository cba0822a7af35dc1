/* Is a table read as unsigned? Each kernel takes what it has loaded in one way; a report says the
 * numbers that this way has. */
#include "../question/checker_kit.h"

#include "witness/table_signs.h"

static void adds_nothing(checker *k, query *conjuncts)
{
    (void)k;
    (void)conjuncts;
}

static bool is_unsigned(const char *element, const char *index)
{
    tr_text text = {0};
    tr_text_addf(&text,
                 "#include <tile.h>\n"
                 "tile_kernel void k(const %s *t, int *restrict x, int n)\n"
                 "{\n    x[%s] = n;\n}\n",
                 element, index);
    checker_kit kit;
    checker_kit_open(&kit, tr_text_get(&text), adds_nothing, false);
    bool is = witness_table_is_unsigned(&kit.k, 0);
    checker_kit_close(&kit);
    tr_text_free(&text);
    return is;
}

static void test_uses(void **state)
{
    static const struct {
        const char *element, *index;
        bool is_unsigned;
    } rows[] = {
        {"unsigned char", "t[tile_bid(0)]", true},      {"signed char", "t[tile_bid(0)]", false},
        {"unsigned short", "t[tile_bid(0)] / 3", true}, {"unsigned", "t[tile_bid(0)] % 7u", true},
        {"int", "t[tile_bid(0)] % 7", false},           {"unsigned", "t[tile_bid(0)] >> 1", true},
        {"int", "t[tile_bid(0)] >> 1", false},          {"long", "t[tile_bid(0)] / 2", false},
        {"unsigned long", "t[tile_bid(0)] / 2", false}, /* no number beyond 63 bits is said */
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        bool is = is_unsigned(rows[i].element, rows[i].index);
        if (is != rows[i].is_unsigned)
            print_message("%s, %s\n", rows[i].element, rows[i].index);
        assert_int_equal(is, rows[i].is_unsigned);
    }
}

static void test_numbers(void **state)
{
    static const struct {
        ir_type_kind kind;
        bool is_unsigned;
        int64_t value, number;
    } rows[] = {
        {IR_I8, true, -128, 128},  {IR_I8, false, -128, -128},     {IR_I8, true, 127, 127},
        {IR_I16, true, -1, 65535}, {IR_I32, true, -1, 4294967295}, {IR_I32, false, -1, -1},
    };
    (void)state;
    tr_arena *arena = tr_arena_new();
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        const ir_type elem = {.kind = rows[i].kind};
        assert_int_equal(witness_table_number(&elem, rows[i].is_unsigned, rows[i].value),
                         rows[i].number);
    }
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uses),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
