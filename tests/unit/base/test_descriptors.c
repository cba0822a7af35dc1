#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/descriptors.h"

/* What the child finds wrong, as its exit code; 0: nothing. */
static int in_child(int (*look)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(look());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Each reads what was written to its partner, though they change places. */
static int keeps_two(void)
{
    int a[2], b[2];
    char byte = 0;
    if (pipe(a) || pipe(b) || write(a[1], "a", 1) != 1 || write(b[1], "b", 1) != 1)
        return 1;
    int first = fcntl(a[0], F_DUPFD, 40);
    tr_close_from(50);
    if (dup2(b[0], 3) < 0 || dup2(first, 4) < 0)
        return 2;
    if (!tr_keep_descriptors(2, (const int[]){4, 3}))
        return 3;
    if (read(3, &byte, 1) != 1 || byte != 'a' || read(4, &byte, 1) != 1 || byte != 'b')
        return 4;
    if (!(fcntl(3, F_GETFD) & FD_CLOEXEC) || !(fcntl(4, F_GETFD) & FD_CLOEXEC))
        return 5;
    for (int fd = 5; fd < 60; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return 6;
    return fcntl(STDERR_FILENO, F_GETFD) < 0 ? 7 : 0;
}

static int keeps_what_is_none(void)
{
    close(33);
    return tr_keep_descriptors(1, (const int[]){33});
}

static void test_keep(void **state)
{
    (void)state;
    assert_int_equal(in_child(keeps_two), 0);
    assert_int_equal(in_child(keeps_what_is_none), 0);
}

static void test_write_and_read(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 }; /* more than a pipe holds */
    int ends[2];
    char *sent = malloc(SIZE), *got = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++)
        sent[i] = (char)(i * 7 + i / 255);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(tr_write_all(ends[1], sent, SIZE) ? 0 : 1);
    }
    close(ends[1]);
    assert_true(tr_read_all(ends[0], got, SIZE, -1));
    assert_false(tr_read_all(ends[0], got + SIZE - 1, 1, -1)); /* nothing comes after it */
    assert_memory_equal(got, sent, SIZE);
    close(ends[0]);
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(tr_write_all(ends[0], sent, 1));
    assert_int_equal(errno, EBADF);
    assert_true(tr_write_all(-1, sent, 0));
    free(sent);
    free(got);
}

static void test_read_at_offset(void **state)
{
    (void)state;
    char got[4] = "";
    FILE *file = tmpfile();
    assert_true(tr_write_all(fileno(file), "abcdef", 6));
    assert_true(tr_read_all(fileno(file), got, 3, 2));
    assert_string_equal(got, "cde");
    assert_true(tr_read_all(fileno(file), got, 3, 0)); /* the offset before has no effect */
    assert_string_equal(got, "abc");
    assert_false(tr_read_all(fileno(file), got, 3, 4));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keep),
                                       cmocka_unit_test(test_write_and_read),
                                       cmocka_unit_test(test_read_at_offset)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
