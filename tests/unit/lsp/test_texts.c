/* Frames, positions and URIs: what a client says, before it means anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "lsp/frames.h"
#include "lsp/position.h"
#include "lsp/uri.h"

static void assert_next(frames *f, frames_result result, const char *text)
{
    assert_int_equal(frames_next(f), result);
    if (text)
        assert_string_equal(f->text, text);
}

static void add(frames *f, const char *bytes)
{
    frames_add(f, bytes, strlen(bytes));
}

static void test_frames(void **state)
{
    (void)state;
    frames f = {0};
    add(&f, "Content-Length: 2\r\n\r\n{}content-length:3 \r\nContent-Type: x\r\n\r\n[1");
    assert_next(&f, FRAMES_MESSAGE, "{}");
    assert_next(&f, FRAMES_NONE, NULL);
    add(&f, "]Content-Length: 0\r\n\r\n");
    assert_next(&f, FRAMES_MESSAGE, "[1]");
    assert_next(&f, FRAMES_MESSAGE, "");
    assert_next(&f, FRAMES_NONE, NULL);
    frames_free(&f);
}

static void test_frames_after_wrong_ones(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "Content-Length: -1\r\n\r\n{}", "Content-Length: 1e3\r\n\r\n", "Content-Type: x\r\n\r\n{}",
        "Content-Length: 1\r\nContent-Length: 1\r\n\r\n{}", "{\"lost\": 1}"};
    for (size_t i = 0; i < TR_COUNT(wrong); i++) {
        frames f = {0};
        add(&f, wrong[i]);
        add(&f, "Content-Length: 2\r\n\r\n{}");
        assert_next(&f, FRAMES_WRONG, NULL);
        assert_next(&f, FRAMES_MESSAGE, "{}");
        frames_free(&f);
    }
}

static void test_a_frame_that_is_too_long(void **state)
{
    (void)state;
    frames f = {0};
    add(&f, "Content-Length: 67108865\r\n\r\nxx");
    assert_next(&f, FRAMES_WRONG, "the message is longer than 64 MiB");
    static char piece[1 << 16];
    for (size_t left = 67108865 - 2; left > 0;) {
        size_t n = left < sizeof piece ? left : sizeof piece;
        frames_add(&f, piece, n);
        left -= n;
        assert_next(&f, FRAMES_NONE, NULL);
    }
    add(&f, "Content-Length: 2\r\n\r\n{}");
    assert_next(&f, FRAMES_MESSAGE, "{}");
    frames_free(&f);
}

static size_t offset(const char *text, lsp_encoding encoding, uint32_t line, uint32_t character)
{
    size_t at = 0;
    bool there = lsp_offset_of(text, strlen(text), encoding, (lsp_position){line, character}, &at);
    return there ? at : SIZE_MAX;
}

static void test_positions(void **state)
{
    (void)state;
    const char *text = "a\xc3\xa4\xf0\x9d\x84\x9e"
                       "b\r\nc\rd\n"; /* a, U+E4, U+1D11E, b */
    assert_int_equal(offset(text, LSP_UTF16, 0, 0), 0);
    assert_int_equal(offset(text, LSP_UTF16, 0, 2), 3);
    assert_int_equal(offset(text, LSP_UTF16, 0, 3), 3); /* inside the pair */
    assert_int_equal(offset(text, LSP_UTF16, 0, 4), 7);
    assert_int_equal(offset(text, LSP_UTF8, 0, 7), 7);
    assert_int_equal(offset(text, LSP_UTF16, 0, 99), 8);
    assert_int_equal(offset(text, LSP_UTF16, 1, 0), 10);
    assert_int_equal(offset(text, LSP_UTF16, 2, 1), 13);
    assert_int_equal(offset(text, LSP_UTF16, 3, 5), 14);
    assert_true(offset(text, LSP_UTF16, 4, 0) == SIZE_MAX);
    assert_int_equal(offset("", LSP_UTF16, 0, 0), 0);
    assert_int_equal(lsp_position_at(text, strlen(text), LSP_UTF16, 1, 8).character, 4);
    assert_int_equal(lsp_position_at(text, strlen(text), LSP_UTF8, 1, 8).character, 7);
    assert_int_equal(lsp_position_at(text, strlen(text), LSP_UTF16, 9, 8).line, 8);
}

static void test_cleaning(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    const char *text = "a\xff\xc0\x80\xed\xa0\x80\xc3";
    size_t length = strlen(text);
    text = tr_utf8_clean(arena, text, &length);
    assert_int_equal(length, 1 + 3 * 7);
    assert_int_equal(strlen(text), length);
    length = 3;
    const char *good = "a\xc3\xa4";
    assert_ptr_equal(tr_utf8_clean(arena, good, &length), good);
    tr_arena_free(arena);
}

static void test_uris(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"file:///a/b.c", "/a/b.c"},
        {"FILE://localhost/a%20b/%c3%a4.c", "/a b/\xc3\xa4.c"},
        {"file:///a/../../b/./c//d.c", "/b/c/d.c"},
        {"file:///", "/"},
        {"file:///..", "/"},
        {"file:///a%2f..%2fb.c", "/b.c"},
        {"file:///k%00.c", NULL},
        {"file:///k%4", NULL},
        {"file:///k%zz", NULL},
        {"file://host/k.c", NULL},
        {"file:k.c", NULL},
        {"untitled:k.c", NULL},
        {"http://localhost/k.c", NULL},
        {"file:///k.c?query", NULL},
        {"", NULL},
    };
    tr_arena *arena = tr_arena_new();
    for (size_t i = 0; i < TR_COUNT(pairs); i++) {
        const char *path = lsp_uri_path(arena, pairs[i][0]);
        if (pairs[i][1])
            assert_string_equal(path, pairs[i][1]);
        else
            assert_null(path);
    }
    assert_string_equal(lsp_path_uri(arena, "/a b/\xc3\xa4%#?.c"),
                        "file:///a%20b/%C3%A4%25%23%3F.c");
    assert_true(lsp_lies_in("/a/b", "/a") && lsp_lies_in("/a", "/a") && lsp_lies_in("/a", "/"));
    assert_false(lsp_lies_in("/ab", "/a") || lsp_lies_in("/a", "/a/b"));
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),    cmocka_unit_test(test_frames_after_wrong_ones),
        cmocka_unit_test(test_positions), cmocka_unit_test(test_a_frame_that_is_too_long),
        cmocka_unit_test(test_cleaning),  cmocka_unit_test(test_uris),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
