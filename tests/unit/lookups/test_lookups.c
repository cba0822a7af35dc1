/* A list of look-ups has the digest of its answers: another answer, another digest. And no two
 * lists of values have one digest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lookups/digest_file.h"
#include "lookups/lookups.h"

static char file[PATH_MAX];

static void fill_file(size_t length, size_t changed)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    for (size_t i = 0; i < length; i++)
        putc(i == changed ? 'x' : 'a', out);
    assert_int_equal(fclose(out), 0);
}

static int make_file(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(file, sizeof file, "%s/lookups-XXXXXX", base ? base : P_tmpdir);
    int fd = mkstemp(file);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    remove(file);
    unsetenv("TILERACE_LOOKED_UP");
    return 0;
}

static digest of_list(const lookup_list *list)
{
    const lookup_asking how = {.leaves_large = true};
    digest of = {{0}};
    assert_true(lookups_digest(list, &how, &of));
    return of;
}

/* Asks once, lets `change` happen, and asks anew. */
static bool is_seen(lookup_kind kind, const char *name, void (*change)(void))
{
    lookup_list *first = lookups_new(), *then = lookups_new();
    lookups_add(first, kind, 0, name);
    digest before = of_list(first);
    change();
    lookups_add(then, kind, 0, name);
    digest after = of_list(then);
    lookups_free(first);
    lookups_free(then);
    return !digest_same(&before, &after);
}

static void write_other(void)
{
    fill_file(10, 3);
}

static void take_away(void)
{
    remove(file);
}

static void set_variable(void)
{
    setenv("TILERACE_LOOKED_UP", "yes", 1);
}

static void nothing(void)
{
}

static void another_answer_another_digest(void **state)
{
    (void)state;
    fill_file(10, 10);
    assert_false(is_seen(LOOKUP_CONTENT, file, nothing));
    assert_true(is_seen(LOOKUP_CONTENT, file, write_other));
    assert_false(is_seen(LOOKUP_VARIABLE, "TILERACE_LOOKED_UP", nothing));
    assert_true(is_seen(LOOKUP_VARIABLE, "TILERACE_LOOKED_UP", set_variable));
    assert_true(is_seen(LOOKUP_STATUS, file, take_away));
}

static void watched_calls_are_told(void **state)
{
    (void)state;
    lookup_list *list = lookups_new();
    assert_ptr_equal(lookups_watch(list), NULL);
    lookups_saw(LOOKUP_CONTENT, 0, file);
    assert_ptr_equal(lookups_watch(NULL), list);
    lookups_saw(LOOKUP_CONTENT, 0, "elsewhere");
    assert_int_equal(lookups_count(list), 1);
    assert_string_equal(lookups_at(list, 0)->name, file);
    assert_true(lookups_are_whole(list));
    lookups_watch(list);
    lookups_spoil();
    lookups_watch(NULL);
    assert_false(lookups_are_whole(list));
    lookups_free(list);
}

static void lists_come_back(void **state)
{
    (void)state;
    lookup_list *list = lookups_new();
    lookups_add(list, LOOKUP_CONTENT, 0, file);
    lookups_add(list, LOOKUP_ACCESS, R_OK, file);
    tr_text bytes = {0};
    lookups_pack(&bytes, list);
    lookup_list *back = lookups_unpack(bytes.data, bytes.length);
    assert_non_null(back);
    assert_int_equal(lookups_count(back), lookups_count(list));
    for (size_t i = 0; i < lookups_count(list); i++) {
        assert_int_equal(lookups_at(back, i)->kind, lookups_at(list, i)->kind);
        assert_int_equal(lookups_at(back, i)->mode, lookups_at(list, i)->mode);
        assert_string_equal(lookups_at(back, i)->name, lookups_at(list, i)->name);
    }
    assert_null(lookups_unpack(bytes.data, bytes.length - 1));
    lookups_free(back);
    lookups_free(list);
    tr_text_free(&bytes);
}

static digest of_texts(size_t n, const char *const *texts)
{
    digest of;
    digest_state *state = digest_begin();
    for (size_t i = 0; i < n; i++)
        digest_add_text(state, texts[i]);
    digest_end(state, &of);
    return of;
}

static void texts_do_not_run_together(void **state)
{
    (void)state;
    const digest all[] = {of_texts(2, (const char *const[]){"ab", "c"}),
                          of_texts(2, (const char *const[]){"a", "bc"}),
                          of_texts(1, (const char *const[]){"abc"}),
                          of_texts(2, (const char *const[]){"abc", ""}),
                          of_texts(2, (const char *const[]){"abc", NULL})};
    for (size_t i = 0; i < TR_COUNT(all); i++)
        for (size_t k = 0; k < i; k++)
            assert_false(digest_same(&all[i], &all[k]));
}

static digest of_file(void)
{
    digest of;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_true(digest_of_file(fd, (uint64_t)lseek(fd, 0, SEEK_END), &of));
    close(fd);
    return of;
}

/* In each of its pieces, of 1 MiB, and in the rest behind them. */
static void every_byte_of_a_file_counts(void **state)
{
    enum { LENGTH = (3 << 20) + 5 };
    static const size_t places[] = {0, 1 << 20, (2 << 20) - 1, LENGTH - 1};
    (void)state;
    fill_file(LENGTH, LENGTH);
    digest whole = of_file(), again = of_file();
    assert_true(digest_same(&whole, &again));
    for (size_t i = 0; i < TR_COUNT(places); i++) {
        fill_file(LENGTH, places[i]);
        digest other = of_file();
        assert_false(digest_same(&whole, &other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_answer_another_digest, make_file, remove_file),
        cmocka_unit_test_setup_teardown(watched_calls_are_told, make_file, remove_file),
        cmocka_unit_test_setup_teardown(lists_come_back, make_file, remove_file),
        cmocka_unit_test(texts_do_not_run_together),
        cmocka_unit_test_setup_teardown(every_byte_of_a_file_counts, make_file, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
