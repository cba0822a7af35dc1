#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

static wire_writer launch(void)
{
    wire_writer w = {0};
    wire_begin(&w, WIRE_LAUNCH);
    wire_u32(&w, 7);
    wire_text(&w, "matmul");
    wire_u64(&w, UINT64_MAX - 1);
    wire_u8(&w, WIRE_PDL);
    wire_u32(&w, 2); /* two numbers */
    wire_u64(&w, 1);
    wire_u64(&w, 2);
    wire_bytes(&w, "a\0b", 3);
    wire_text(&w, NULL);
    assert_true(wire_end(&w));
    return w;
}

static void read_launch(wire_reader *r)
{
    assert_int_equal(wire_read_u32(r), 7);
    char *symbol = wire_read_text(r);
    assert_string_equal(symbol, "matmul");
    free(symbol);
    assert_true(wire_read_u64(r) == UINT64_MAX - 1);
    assert_int_equal(wire_read_u8(r), WIRE_PDL);
    assert_int_equal(wire_read_count(r, 8), 2);
    assert_int_equal(wire_read_u64(r), 1);
    assert_int_equal(wire_read_u64(r), 2);
    size_t length;
    const uint8_t *data = wire_read_bytes(r, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(data, "a\0b", 3);
    char *empty = wire_read_text(r);
    assert_string_equal(empty, "");
    free(empty);
}

static void test_what_is_written_is_read(void **state)
{
    (void)state;
    wire_writer w = launch();
    bool bad;
    assert_int_equal(wire_frame(w.data, w.length, &bad), w.length);
    assert_false(bad);
    wire_reader r;
    assert_int_equal(wire_open(w.data, w.length, &r), WIRE_LAUNCH);
    read_launch(&r);
    assert_true(wire_read_all(&r));
    assert_int_equal(wire_read_u8(&r), 0);
    assert_false(wire_read_all(&r));
    wire_free(&w);
}

static void test_a_frame_is_whole_or_not_there(void **state)
{
    (void)state;
    wire_writer w = launch();
    bool bad;
    for (size_t n = 0; n < w.length; n++) {
        assert_int_equal(wire_frame(w.data, n, &bad), 0);
        assert_false(bad);
    }
    wire_free(&w);
}

static void test_a_cut_frame_fails_and_reads_nothing_beyond(void **state)
{
    (void)state;
    wire_writer w = launch();
    for (size_t n = 8; n < w.length; n++) {
        uint8_t *cut = malloc(n); /* exactly as long: the sanitizer sees a byte too far */
        memcpy(cut, w.data, n);
        wire_reader r;
        assert_int_equal(wire_open(cut, n, &r), WIRE_LAUNCH);
        size_t length;
        wire_read_u32(&r);
        free(wire_read_text(&r));
        wire_read_u64(&r);
        wire_read_u8(&r);
        for (uint32_t i = wire_read_count(&r, 8); i > 0; i--)
            wire_read_u64(&r);
        wire_read_bytes(&r, &length);
        free(wire_read_text(&r));
        assert_true(r.failed);
        free(cut);
    }
    wire_free(&w);
}

static void test_what_is_no_frame(void **state)
{
    (void)state;
    static const uint8_t frames[][8] = {
        {3, 0, 0, 0, WIRE_BYE},             /* shorter than its kind */
        {0xff, 0xff, 0xff, 0xff, WIRE_BYE}, /* longer than any */
        {4, 0, 0, 0, WIRE_N_KINDS},         /* of no kind */
        {4, 0, 0, 0, WIRE_BYE, 0, 0, 0x80}, /* of no kind, and negative */
    };
    bool bad;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        assert_int_equal(wire_frame(frames[i], 8, &bad), 0);
        assert_true(bad);
    }
}

/* Bytes in place, some that are not there after all, and a number that is known at the end. */
static void test_what_is_written_in_place(void **state)
{
    (void)state;
    wire_writer w = {0};
    wire_begin(&w, WIRE_MEMORY);
    size_t at = wire_later(&w);
    memcpy(wire_room(&w, 3), "abc", 3);
    memset(wire_room(&w, 5000), 'x', 5000);
    wire_drop_room(&w, 5000);
    assert_non_null(wire_room(&w, 0));
    wire_u8(&w, 9);
    wire_now(&w, at, 0x01020304);
    assert_true(wire_end(&w));
    wire_reader r;
    size_t length;
    assert_int_equal(wire_open(w.data, w.length, &r), WIRE_MEMORY);
    assert_int_equal(wire_read_u32(&r), 0x01020304);
    const uint8_t *data = wire_read_bytes(&r, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(data, "abc", 3);
    for (int i = 0; i < 2; i++) {
        wire_read_bytes(&r, &length);
        assert_int_equal(length, 0);
    }
    assert_int_equal(wire_read_u8(&r), 9);
    assert_true(wire_read_all(&r));
    wire_begin(&w, WIRE_MEMORY);
    assert_null(wire_room(&w, (size_t)WIRE_LONGEST + 1));
    wire_now(&w, wire_later(&w), 1);
    wire_drop_room(&w, 8);
    assert_false(wire_end(&w));
    wire_free(&w);
}

static void test_a_message_too_long_is_none(void **state)
{
    (void)state;
    wire_writer w = {0};
    wire_begin(&w, WIRE_MODULE);
    wire_bytes(&w, "", (size_t)WIRE_LONGEST + 1);
    assert_false(wire_end(&w));
    wire_begin(&w, WIRE_BYE);
    assert_true(wire_end(&w));
    assert_int_equal(w.length, 8);
    wire_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_a_frame_is_whole_or_not_there),
        cmocka_unit_test(test_a_cut_frame_fails_and_reads_nothing_beyond),
        cmocka_unit_test(test_what_is_no_frame),
        cmocka_unit_test(test_what_is_written_in_place),
        cmocka_unit_test(test_a_message_too_long_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
