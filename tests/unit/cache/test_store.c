/* The files of the cache: bounded in size, those used last stay, and nothing is read that this user
 * did not write under that name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/store.h"

typedef struct fixture {
    char folder[200];
    tr_arena *arena;
    cache_store *store;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    const char *why = NULL;
    snprintf(f->folder, sizeof f->folder, "/tmp/tilerace-store-XXXXXX");
    if (!mkdtemp(f->folder))
        return 1;
    f->arena = tr_arena_new();
    setenv("XDG_CACHE_HOME", f->folder, 1);
    setenv("TILERACE_CACHE_SIZE", "2", 1); /* 8 KiB for each of the 256 parts */
    unsetenv("TILERACE_CACHE_DIR");
    f->store = cache_store_open(f->arena, NULL, &why);
    *state = f;
    return f->store ? 0 : 1;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static int tear_down(void **state)
{
    fixture *f = *state;
    nftw(f->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    tr_arena_free(f->arena);
    free(f);
    return 0;
}

/* Names whose files are in one part. */
static digest name_of(unsigned char number)
{
    digest name = {{0x5a, number, 1}};
    return name;
}

static const char *path_of(fixture *f, unsigned char number)
{
    return tr_arena_printf(f->arena, "%s/tilerace/tilerace-cache/5a/%02x01%058d", f->folder, number,
                           0);
}

static void write_one(fixture *f, unsigned char number, size_t size)
{
    char *bytes = calloc(1, size);
    assert_non_null(bytes);
    memset(bytes, number, size);
    digest name = name_of(number);
    assert_true(cache_store_write(f->store, &name, bytes, size));
    free(bytes);
}

static bool has(fixture *f, unsigned char number)
{
    tr_text body = {0};
    digest name = name_of(number);
    bool found = cache_store_read(f->store, &name, &body);
    if (found)
        assert_int_equal(body.data[0], (char)number);
    tr_text_free(&body);
    return found;
}

static void make_old(fixture *f, unsigned char number, long seconds)
{
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path_of(f, number), times, 0), 0);
}

static void what_was_not_used_goes_first(void **state)
{
    fixture *f = *state;
    write_one(f, 1, 3000);
    write_one(f, 2, 3000);
    make_old(f, 1, 1000);
    make_old(f, 2, 2000);
    assert_true(has(f, 1)); /* and so it was used after the other */
    write_one(f, 3, 3000);
    assert_true(has(f, 3));
    assert_true(has(f, 1));
    assert_false(has(f, 2));
}

static void it_stays_bounded(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 100; i++)
        write_one(f, (unsigned char)i, 1 + (size_t)(i * 37) % 5000);
    int n = 0;
    for (int i = 0; i < 100; i++)
        n += has(f, (unsigned char)i);
    assert_in_range(n, 1, 2); /* blocks of 4 KiB */
    digest name = name_of(1);
    char large[9000] = {0};
    assert_false(cache_store_write(f->store, &name, large, sizeof large));
}

static void what_a_killed_writer_left_is_removed(void **state)
{
    fixture *f = *state;
    write_one(f, 1, 100);
    const char *left = tr_arena_printf(f->arena, "%s.01234567.part", path_of(f, 2));
    FILE *file = fopen(left, "w");
    assert_non_null(file);
    fclose(file);
    write_one(f, 3, 100);
    assert_int_equal(access(left, F_OK), 0); /* its writer may be at it */
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, left, times, 0), 0);
    write_one(f, 4, 100);
    assert_int_not_equal(access(left, F_OK), 0);
}

static void another_name_is_another_entry(void **state)
{
    fixture *f = *state;
    write_one(f, 1, 100);
    assert_int_equal(rename(path_of(f, 1), path_of(f, 2)), 0);
    assert_false(has(f, 2));
    assert_int_equal(rename(path_of(f, 2), path_of(f, 1)), 0);
    assert_true(has(f, 1));
}

static void a_folder_that_goes_away_costs_the_entry(void **state)
{
    fixture *f = *state;
    write_one(f, 1, 100);
    nftw(f->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    digest name = name_of(1);
    assert_false(cache_store_write(f->store, &name, "x", 1));
    assert_false(has(f, 1));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_was_not_used_goes_first),
        TEST(it_stays_bounded),
        TEST(what_a_killed_writer_left_is_removed),
        TEST(another_name_is_another_entry),
        TEST(a_folder_that_goes_away_costs_the_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
