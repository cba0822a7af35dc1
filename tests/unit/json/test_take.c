/* JSON from outside: the whole of it, or what is wrong and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "json/take.h"

#define TEXT(literal) literal, sizeof literal - 1

typedef struct row {
    const char *text;
    size_t length;
    json_fault_kind kind;
    size_t at;
} row;

static const row rows[] = {
    {TEXT("{}"), JSON_IS_GOOD, 0},
    {TEXT(" [1, -2.5e3, \"a\\\\u0000\", null]\r\n\t"), JSON_IS_GOOD, 0},
    {TEXT(""), JSON_IS_NONE, 0},
    {TEXT("{\"a\": 1} x"), JSON_IS_NONE, 9},
    {TEXT("{\"a\": 1}{"), JSON_IS_NONE, 8},
    {TEXT("{\"a\": NaN}"), JSON_IS_NONE, 6},
    {TEXT("{\"a\": Infinity}"), JSON_IS_NONE, 6},
    {TEXT("[\"\\ud800\"]"), JSON_IS_NONE, 2},
    {TEXT("[\"\\udc00\\ud800\"]"), JSON_IS_NONE, 2},
    {TEXT("{\"a\": \"b\0c\"}"), JSON_HAS_NUL, 8},
    {TEXT("{\"a\0\": 1}"), JSON_HAS_NUL, 3},
    {TEXT("{\"a\": 1}\0"), JSON_HAS_NUL, 8},
    {TEXT("{\"a\": \"\\u0000\"}"), JSON_HAS_NUL, 7},
    {TEXT("{\"\\\\\\u0000\": 1}"), JSON_HAS_NUL, 4},
    {TEXT("[9007199254740992, -9007199254740992, 18446744073709551616]"), JSON_IS_GOOD, 0},
    {TEXT("[9007199254740993]"), JSON_LOSES_DIGIT, 1},
    {TEXT("[-9007199254740993]"), JSON_LOSES_DIGIT, 1},
    {TEXT("[1, 9223372036854775807]"), JSON_LOSES_DIGIT, 4},
    {TEXT("{\"9223372036854775807\": \"-9223372036854775807\"}"), JSON_IS_GOOD, 0},
    {TEXT("[1e308, 1e-400]"), JSON_IS_GOOD, 0},
    {TEXT("[1e400]"), JSON_LOSES_DIGIT, 1},
    {TEXT("[-1e400]"), JSON_LOSES_DIGIT, 1},
    {TEXT("{\"a\": 1, \"b\": 2, \"a\": 3}"), JSON_KEY_TWICE, 0},
    {TEXT("[{\"b\": {\"a\": 1, \"\\u0061\": 2}}]"), JSON_KEY_TWICE, 0},
    {TEXT("[{\"a\": 1}, {\"a\": 1, \"A\": {\"a\": 1}}]"), JSON_IS_GOOD, 0},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        tr_arena *arena = tr_arena_new();
        json_fault fault;
        cJSON *root = json_take(arena, rows[i].text, rows[i].length, JSON_ALL_DIGITS, &fault);
        print_message("%s: %s\n", rows[i].text, json_fault_text(arena, &fault));
        assert_int_equal(fault.kind, rows[i].kind);
        assert_int_equal(root != NULL, rows[i].kind == JSON_IS_GOOD);
        assert_int_equal(fault.at, rows[i].at);
        assert_int_equal(fault.key != NULL, fault.kind == JSON_KEY_TWICE);
        if (fault.key)
            assert_string_equal(fault.key, "a");
        cJSON_Delete(root);
        tr_arena_free(arena);
    }
}

/* Numbers that no double holds come as their digits, and faults have the places of the text. */
static void test_long_numbers(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    json_fault fault;
    cJSON *root = json_take(
        arena, TEXT("[9223372036854775807, -9007199254740993, 7, 1e400, \"9223372036854775807\"]"),
        JSON_LONG_AS_TEXT, &fault);
    assert_int_equal(fault.kind, JSON_IS_GOOD);
    assert_string_equal(cJSON_GetArrayItem(root, 0)->valuestring, "9223372036854775807");
    assert_string_equal(cJSON_GetArrayItem(root, 1)->valuestring, "-9007199254740993");
    assert_true(cJSON_GetArrayItem(root, 2)->valuedouble == 7);
    assert_string_equal(cJSON_GetArrayItem(root, 3)->valuestring, "1e400");
    assert_string_equal(cJSON_GetArrayItem(root, 4)->valuestring, "9223372036854775807");
    cJSON_Delete(root);
    assert_null(json_take(arena, TEXT("[9223372036854775807, x"), JSON_LONG_AS_TEXT, &fault));
    assert_int_equal(fault.kind, JSON_IS_NONE);
    assert_int_equal(fault.at, 22);
    assert_null(json_take(arena, TEXT("[9223372036854775807, \"\0\"]"), JSON_LONG_AS_TEXT, &fault));
    assert_int_equal(fault.kind, JSON_HAS_NUL);
    assert_null(json_take(arena, TEXT("{"), JSON_LONG_AS_TEXT, NULL));
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_long_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
