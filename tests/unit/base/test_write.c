/* Files that are written whole, or stay what they were. */
#include "base/base.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fixture {
    tr_arena *arena;
    char folder[64];
    const char *path;
} fixture;

static fixture begin(void)
{
    fixture f = {.arena = tr_arena_new(), .folder = "/tmp/tilerace-write-XXXXXX"};
    assert_non_null(mkdtemp(f.folder));
    f.path = tr_arena_printf(f.arena, "%s/file", f.folder);
    return f;
}

static void end(fixture *f)
{
    unlink(f->path);
    assert_int_equal(rmdir(f->folder), 0); /* nothing unfinished is left */
    tr_arena_free(f->arena);
}

static void expect(fixture *f, const char *text)
{
    size_t length;
    const char *why = NULL;
    const char *read = tr_read_file(f->arena, TR_FILE_KERNELS, f->path, &length, &why);
    assert_non_null(read);
    assert_string_equal(read, text);
}

static void test_replaces(void **state)
{
    (void)state;
    fixture f = begin();
    const char *why = NULL;
    assert_true(tr_write_whole(f.arena, f.path, "first", 5, &why));
    expect(&f, "first");
    assert_true(tr_write_whole(f.arena, f.path, "no", 2, &why));
    expect(&f, "no");
    end(&f);
}

/* As a process that was killed while it wrote leaves one, whose number is now ours. */
static void test_left_over(void **state)
{
    (void)state;
    fixture f = begin();
    const char *why = NULL;
    const char *left = tr_arena_printf(f.arena, "%s.%ld.0.part", f.path, (long)getpid());
    fclose(fopen(left, "w"));
    assert_true(tr_write_whole(f.arena, f.path, "text", 4, &why));
    expect(&f, "text");
    assert_int_equal(unlink(left), 0);
    end(&f);
}

static void test_refused(void **state)
{
    (void)state;
    fixture f = begin();
    const char *why = NULL;
    assert_int_equal(mkdir(f.path, 0777), 0);
    assert_false(tr_write_whole(f.arena, f.path, "text", 4, &why));
    assert_non_null(strstr(why, "/file cannot be written: Is a directory"));
    assert_int_equal(rmdir(f.path), 0);
    assert_false(
        tr_write_whole(f.arena, tr_arena_printf(f.arena, "%s/no/file", f.folder), "text", 4, &why));
    assert_non_null(strstr(why, "/no/file cannot be written: No such file or directory"));
    end(&f);
}

static void test_device(void **state)
{
    (void)state;
    fixture f = begin();
    const char *why = NULL;
    assert_true(tr_write_whole(f.arena, "/dev/null", "text", 4, &why));
    if (access("/dev/full", W_OK) == 0) {
        assert_false(tr_write_whole(f.arena, "/dev/full", "text", 4, &why));
        assert_string_equal(why, "/dev/full cannot be written: No space left on device");
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replaces),
        cmocka_unit_test(test_left_over),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
