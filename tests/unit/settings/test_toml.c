/* TOML as data, with places; and what no file may do to the reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "settings/toml.h"

typedef struct reading {
    tr_arena *arena;
    tr_errors errors;
    const toml_value *root;
} reading;

static reading read_bytes(const char *text, size_t length)
{
    reading r = {.arena = tr_arena_new()};
    r.errors = tr_errors_make(r.arena);
    r.root = toml_read(r.arena, "t.toml", text, length, &r.errors);
    return r;
}

static reading read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

static void release(reading *r)
{
    tr_errors_free(&r->errors);
    tr_arena_free(r->arena);
}

static void values_have_places(void **state)
{
    (void)state;
    reading r = read_text("# first\n"
                          "name = \"h\\u00e4\" \n"
                          "\n"
                          "[a.b]\n"
                          "n = -12\n"
                          "  yes = true\n"
                          "list = [ 'x', \"\xc3\xa4\", 3 ]\n"
                          "when = 2026-01-01\n"
                          "half = 0.5\n");
    assert_non_null(r.root);
    assert_int_equal(r.root->kind, TOML_TABLE);
    const toml_value *name = toml_member(r.root, "name");
    assert_string_equal(name->text, "h\xc3\xa4");
    assert_int_equal(name->line, 2);
    assert_int_equal(name->column, 8);
    assert_int_equal(name->key_line, 2);
    assert_int_equal(name->key_column, 1);
    const toml_value *b = toml_member(toml_member(r.root, "a"), "b");
    assert_int_equal(toml_member(b, "n")->whole, -12);
    assert_true(toml_member(b, "yes")->truth);
    assert_int_equal(toml_member(b, "yes")->key_column, 3);
    const toml_value *list = toml_member(b, "list");
    assert_int_equal(list->n, 3);
    assert_int_equal(list->items[2].line, 7);
    assert_int_equal(list->items[2].column, 21); /* bytes: the letter before it has two */
    assert_int_equal(toml_member(b, "when")->kind, TOML_TIME);
    assert_int_equal(toml_member(b, "half")->kind, TOML_FLOAT);
    assert_null(toml_member(b, "nam"));
    release(&r);
}

static void members_stand_in_the_order_of_the_file(void **state)
{
    (void)state;
    reading r = read_text("z = 1\nb = 2\na = 3\n");
    assert_string_equal(r.root->items[0].key, "z");
    assert_string_equal(r.root->items[1].key, "b");
    assert_string_equal(r.root->items[2].key, "a");
    release(&r);
}

static void expect_wrong_bytes(const char *text, size_t length, uint32_t line, uint32_t column,
                               const char *part)
{
    reading r = read_bytes(text, length);
    assert_null(r.root);
    assert_int_equal(tr_errors_count(&r.errors), 1);
    assert_string_equal(r.errors.items[0].place.file, "t.toml");
    assert_int_equal(r.errors.items[0].place.line, line);
    assert_int_equal(r.errors.items[0].place.column, column);
    if (!strstr(r.errors.items[0].text, part))
        fail_msg("'%s' lacks '%s'", r.errors.items[0].text, part);
    release(&r);
}

static void expect_wrong(const char *text, uint32_t line, uint32_t column, const char *part)
{
    expect_wrong_bytes(text, strlen(text), line, column, part);
}

static void what_is_no_toml_has_a_place(void **state)
{
    (void)state;
    expect_wrong("a = 1\nb = = 2\n", 2, 5, "no TOML");
    expect_wrong("a = 1\na = 2\n", 2, 5, "redefine");
    expect_wrong("s = \"cut", 1, 9, "end-of-file");
    expect_wrong("s = \"\x01\"\n", 1, 6, "control");
    expect_wrong("s = \"\xff\xfe\"\n", 1, 5, "utf-8");
    expect_wrong_bytes("a = 1\0b = 2", 11, 1, 6, "");
    expect_wrong("[a\n", 1, 3, "");
}

/* Letters where toml++ 3.3 takes them for what cannot be. Sanitizers see it. */
static void letters_outside_strings_are_errors(void **state)
{
    (void)state;
    static const char *const wrong[] = {"a\xc3\xa4 = 1\n",
                                        "\xc3\xa4 = 1\n",
                                        "a = \xc3\xa4\n",
                                        "a.\xc3\xa4 = 1\n",
                                        "[\xc3\xa4]\n",
                                        "a = [1 \xc3\xa4]\n",
                                        "a.= 1\n",
                                        "a = {b. = 1}\n",
                                        "[a.]\n",
                                        "a \xe2\x80\x8b= 1\n",
                                        "a = \"\"\"\\\xc3\xa4\"\"\"\n",
                                        "[[.a]]\n"};
    for (size_t i = 0; i < TR_COUNT(wrong); i++) {
        reading r = read_text(wrong[i]);
        if (r.root)
            fail_msg("%s is taken", wrong[i]);
        assert_int_not_equal(r.errors.items[0].place.line, 0);
        release(&r);
    }
}

static char *repeated(const char *begin, const char *word, size_t n, const char *end)
{
    size_t length = strlen(word), at = strlen(begin);
    char *text = malloc(at + n * length + strlen(end) + 1);
    memcpy(text, begin, at);
    for (size_t i = 0; i < n; i++, at += length)
        memcpy(text + at, word, length);
    strcpy(text + at, end);
    return text;
}

static void depth_is_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *begin, *word, *end;
    } deep[] = {
        {"a = ", "[", ""},     {"a = ", "{a=", ""},           {"a = ", "[\n", ""},
        {"", "a.", "a = 1\n"}, {"", "a . ", "a = 1\n"},       {"", "\"a\".", "a = 1\n"},
        {"[", "a.", "a]\n"},   {"x = {", "'a'.", "a = 1}\n"},
    };
    for (size_t i = 0; i < TR_COUNT(deep); i++) {
        char *text = repeated(deep[i].begin, deep[i].word, 200000, deep[i].end);
        reading r = read_text(text);
        assert_null(r.root);
        assert_non_null(strstr(r.errors.items[0].text, "nests deeper than 64 levels"));
        assert_int_not_equal(r.errors.items[0].place.line, 0);
        release(&r);
        free(text);
    }
}

/* Neither strings nor comments nest, nor do keys that stand beside each other. */
static void what_only_looks_deep_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *begin, *word, *end;
    } flat[] = {
        {"a = \"", "[.", "\"\n"},           {"a = '''", "[.\n", "'''\n"},
        {"# ", "[.", "\na = 1\n"},          {"a = [", "1.5, ", "2.5]\n"},
        {"a = \"\\\"", "[.", "\"\n"},       {"a = [", "[1], ", "[2]]\n"},
        {"a = \"\"\"", "\"[.", "\"\"\"\n"}, {"[[b]]\na = [", "[[]],\n", "]\n"},
    };
    for (size_t i = 0; i < TR_COUNT(flat); i++) {
        char *text = repeated(flat[i].begin, flat[i].word, 300, flat[i].end);
        reading r = read_text(text);
        if (!r.root)
            fail_msg("%zu: %s", i, r.errors.items[0].text);
        release(&r);
        free(text);
    }
}

/* Any combination that the limits let through is built and torn down. */
static void the_deepest_is_read(void **state)
{
    (void)state;
    tr_text text = {0};
    tr_text_add(&text, "x = ");
    for (int i = 0; i < TOML_MOST_DEPTH; i++) {
        tr_text_add(&text, "{");
        for (int k = 0; k < TOML_MOST_DEPTH; k++)
            tr_text_add(&text, "a.");
        tr_text_add(&text, "a = ");
    }
    tr_text_add(&text, "1");
    for (int i = 0; i < TOML_MOST_DEPTH; i++)
        tr_text_add(&text, "}");
    reading r = read_bytes(tr_text_get(&text), text.length);
    assert_non_null(r.root);
    release(&r);
    text.data[text.length - 1] = ' '; /* ... and where the parser gives it up */
    r = read_bytes(tr_text_get(&text), text.length);
    assert_null(r.root);
    release(&r);
    tr_text_free(&text);
}

static void size_is_bounded(void **state)
{
    (void)state;
    char *text = repeated("", "a_long_line = 1\n", 70000, "");
    expect_wrong(text, 0, 0, "larger than 1024 KiB");
    free(text);
}

static void an_empty_file_is_an_empty_table(void **state)
{
    (void)state;
    reading r = read_text("");
    assert_non_null(r.root);
    assert_int_equal(r.root->n, 0);
    release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_places),
        cmocka_unit_test(members_stand_in_the_order_of_the_file),
        cmocka_unit_test(what_is_no_toml_has_a_place),
        cmocka_unit_test(letters_outside_strings_are_errors),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(what_only_looks_deep_is_read),
        cmocka_unit_test(the_deepest_is_read),
        cmocka_unit_test(size_is_bounded),
        cmocka_unit_test(an_empty_file_is_an_empty_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
