/* Arena, text, errors, whole files. */
#include "base/base.h"
#include "base/ds.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_arena_gives_zeroed_aligned_pieces(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    for (size_t size = 0; size < 40000; size = size * 2 + 1) {
        unsigned char *piece = tr_arena_alloc(arena, size);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(piece[i], 0);
            piece[i] = 0xff;
        }
    }
    assert_true(tr_arena_used(arena) >= 40000);
    tr_arena_free(arena);
    tr_arena_free(NULL);
}

static void test_arena_copies_and_prints(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_string_equal(tr_arena_strdup(arena, "tile"), "tile");
    assert_string_equal(tr_arena_strndup(arena, "tile block", 4), "tile");
    assert_string_equal(tr_arena_printf(arena, "%d-%s", 7, "x"), "7-x");
    assert_string_equal(tr_arena_printf(arena, "%s", long_text), long_text);
    int *numbers = tr_arena_copy(arena, (int[]){1, 2, 3}, sizeof(int[3]));
    assert_int_equal(numbers[2], 3);
    tr_arena_free(arena);
}

static void test_text_grows(void **state)
{
    (void)state;
    tr_text text = {0};
    assert_string_equal(tr_text_get(&text), "");
    for (int i = 0; i < 1000; i++) {
        tr_text_addf(&text, "%d,", i % 10);
    }
    assert_int_equal(text.length, 2000);
    assert_int_equal(strncmp(tr_text_get(&text), "0,1,2,3,", 8), 0);
    tr_text_clear(&text);
    assert_string_equal(tr_text_get(&text), "");
    tr_text_addn(&text, "a\0b", 3);
    assert_int_equal(text.length, 3);
    tr_text_add(&text, "c");
    assert_memory_equal(text.data, "a\0bc", 5);
    tr_text_free(&text);
    assert_null(text.data);
}

static void test_errors_keep_place_and_count(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    tr_place place = {.file = "a.c", .line = 3, .column = 9};
    tr_errors_add(&errors, &place, "extent %d is odd", 3);
    tr_errors_add_hint(&errors, NULL, "use a power of two", "bad tile");
    assert_int_equal(tr_errors_count(&errors), 2);
    assert_string_equal(errors.items[0].text, "extent 3 is odd");
    assert_int_equal(errors.items[0].place.line, 3);
    assert_null(errors.items[0].hint);
    assert_int_equal(errors.items[1].place.line, 0);
    assert_string_equal(errors.items[1].hint, "use a power of two");
    for (int i = 0; i < 200; i++) {
        tr_errors_add(&errors, NULL, "again");
    }
    assert_int_equal(tr_errors_count(&errors), 202);
    assert_int_equal(arrlen(errors.items), 100);
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

static void test_reads_whole_files(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    char path[] = TILERACE_BUILD_DIR "/base-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "ab\0cd", 5), 5);
    close(file);
    size_t length = 0;
    const char *why = NULL;
    char *data = tr_read_file(arena, TR_FILE_KERNELS, path, &length, &why);
    assert_non_null(data);
    assert_int_equal(length, 5);
    assert_memory_equal(data, "ab\0cd", 6);
    unlink(path);
    assert_null(tr_read_file(arena, TR_FILE_KERNELS, path, &length, &why));
    assert_non_null(strstr(why, "No such file"));
    assert_null(tr_read_file(arena, TR_FILE_KERNELS, "/", &length, &why));
    assert_non_null(strstr(why, "folder"));
    tr_arena_free(arena);
}

/* What never ends, hangs, or is too large is refused before it is read. */
static void test_reads_nothing_without_an_end(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    size_t length = 0;
    const char *why = NULL;
    assert_null(tr_read_file(arena, TR_FILE_CONTRACT, "/dev/zero", &length, &why));
    assert_non_null(strstr(why, "a device or a pipe"));
    const char *pipe = TILERACE_BUILD_DIR "/base-test-pipe";
    unlink(pipe);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_null(tr_read_file(arena, TR_FILE_CONTRACT, pipe, &length, &why));
    assert_non_null(strstr(why, "a device or a pipe"));
    unlink(pipe);
    char path[] = TILERACE_BUILD_DIR "/base-test-XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(ftruncate(file, (off_t)tr_file_most(TR_FILE_CONTRACT) + 1), 0);
    assert_null(tr_read_file(arena, TR_FILE_CONTRACT, path, &length, &why));
    assert_string_equal(why, "it is larger than the 16 MiB that a launch contract may have");
    assert_int_equal(ftruncate(file, (off_t)tr_file_most(TR_FILE_CONTRACT)), 0);
    assert_non_null(tr_read_file(arena, TR_FILE_CONTRACT, path, &length, &why));
    assert_int_equal(length, tr_file_most(TR_FILE_CONTRACT));
    close(file);
    unlink(path);
    /* A regular file that says it is empty. */
    assert_non_null(tr_read_file(arena, TR_FILE_CONTRACT, "/proc/self/status", &length, &why));
    assert_true(length > 0);
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_gives_zeroed_aligned_pieces),
        cmocka_unit_test(test_arena_copies_and_prints),
        cmocka_unit_test(test_text_grows),
        cmocka_unit_test(test_errors_keep_place_and_count),
        cmocka_unit_test(test_reads_whole_files),
        cmocka_unit_test(test_reads_nothing_without_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
