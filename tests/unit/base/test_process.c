/* Child processes: talking, time limits, death on either side, nothing left behind. */
#include "base/process.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SOON = 10000, LONGEST = 1 << 20 };

typedef struct fixture {
    tr_arena *arena;
    tr_process *process;
} fixture;

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

static fixture start(const char *script)
{
    fixture f = {.arena = tr_arena_new()};
    const char *why = NULL;
    f.process = tr_process_start(f.arena, (const char *[]){"sh", "-c", script, NULL}, &why);
    assert_non_null(f.process);
    return f;
}

static void stop(fixture *f)
{
    tr_process_free(f->process);
    tr_arena_free(f->arena);
}

static bool is_alive(pid_t id)
{
    return kill(id, 0) == 0;
}

static void test_talks_line_by_line(void **state)
{
    (void)state;
    fixture f = start("while read a; do echo \"<$a>\"; done; printf last");
    const char *line = NULL;
    size_t length = 0;
    assert_int_equal(tr_process_write(f.process, "one\ntwo\n", 8, SOON), TR_PROCESS_OK);
    assert_int_equal(tr_process_read_line(f.process, SOON, LONGEST, &line, &length), TR_PROCESS_OK);
    assert_string_equal(line, "<one>");
    assert_int_equal(length, 5);
    assert_int_equal(tr_process_read_line(f.process, SOON, LONGEST, &line, NULL), TR_PROCESS_OK);
    assert_string_equal(line, "<two>");
    assert_int_equal(tr_process_read_line(f.process, 30, LONGEST, &line, NULL), TR_PROCESS_TIMEOUT);
    tr_process_close_input(f.process);
    assert_int_equal(tr_process_read_line(f.process, SOON, LONGEST, &line, NULL), TR_PROCESS_OK);
    assert_string_equal(line, "last");
    assert_int_equal(tr_process_read_line(f.process, SOON, LONGEST, &line, NULL),
                     TR_PROCESS_CLOSED);
    tr_process_end end;
    assert_int_equal(tr_process_wait(f.process, SOON, &end), TR_PROCESS_OK);
    assert_int_equal(end.exit_status, 0);
    stop(&f);
}

static void test_says_how_the_child_ended(void **state)
{
    (void)state;
    tr_process_end end;
    fixture f = start("echo oops >&2; exit 7");
    assert_int_equal(tr_process_wait(f.process, SOON, &end), TR_PROCESS_OK);
    assert_int_equal(end.exit_status, 7);
    assert_int_equal(end.signal, 0);
    assert_string_equal(tr_process_errors(f.process), "oops\n");
    stop(&f);
    f = start("kill -9 $$");
    assert_int_equal(tr_process_wait(f.process, SOON, &end), TR_PROCESS_OK);
    assert_int_equal(end.exit_status, -1);
    assert_int_equal(end.signal, SIGKILL);
    stop(&f);
}

static void test_missing_program_is_an_error_value(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    int before = count_descriptors();
    const char *why = NULL;
    assert_null(tr_process_start(arena, (const char *[]){"/no/such/solver", NULL}, &why));
    assert_non_null(strstr(why, "/no/such/solver"));
    assert_int_equal(count_descriptors(), before);
    tr_arena_free(arena);
}

static void test_writing_to_a_dead_child_is_no_signal(void **state)
{
    (void)state;
    fixture f = start("exit 0");
    tr_process_end end;
    assert_int_equal(tr_process_wait(f.process, SOON, &end), TR_PROCESS_OK);
    assert_int_equal(tr_process_write(f.process, "x\n", 2, SOON), TR_PROCESS_CLOSED);
    assert_int_equal(tr_process_write(f.process, "x\n", 2, SOON), TR_PROCESS_CLOSED);
    sigset_t pending;
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGPIPE), 0);
    stop(&f);
}

static void test_hung_child_times_out_and_dies_with_its_children(void **state)
{
    (void)state;
    /* The inner sleep must die too: it stands for a solver started by a wrapper script. */
    fixture f = start("trap '' TERM; sleep 1000 & echo $! $$; cat > /dev/null; wait");
    const char *line = NULL;
    assert_int_equal(tr_process_read_line(f.process, SOON, LONGEST, &line, NULL), TR_PROCESS_OK);
    char *rest;
    pid_t inner = (pid_t)strtol(line, &rest, 10), outer = (pid_t)strtol(rest, NULL, 10);
    assert_true(inner > 0 && outer > 0);
    int64_t before = tr_now_ms();
    assert_int_equal(tr_process_read_line(f.process, 50, LONGEST, &line, NULL), TR_PROCESS_TIMEOUT);
    assert_int_equal(tr_process_wait(f.process, 20, NULL), TR_PROCESS_TIMEOUT);
    assert_true(tr_now_ms() - before >= 70);
    tr_process_kill(f.process);
    assert_false(is_alive(outer));
    for (int i = 0; i < 1000 && is_alive(inner); i++) {
        /* An orphan is reaped by init, a little later than it dies; a zombie counts as dead. */
        char path[64], status[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)inner);
        FILE *file = fopen(path, "re");
        if (file) {
            size_t got = fread(status, 1, sizeof status - 1, file);
            status[got] = '\0';
            fclose(file);
        }
        if (strstr(status, ") Z")) {
            break;
        }
        usleep(1000);
        assert_int_not_equal(i, 999);
    }
    tr_process_end end;
    assert_int_equal(tr_process_wait(f.process, 0, &end), TR_PROCESS_OK);
    assert_int_equal(end.signal, SIGKILL);
    stop(&f);
}

static void test_full_pipes_do_not_lock(void **state)
{
    (void)state;
    enum { SIZE = 4 << 20 };
    char *much = malloc(SIZE + 1);
    memset(much, 'a', SIZE);
    much[SIZE] = '\0';
    fixture f = start("cat");
    assert_int_equal(tr_process_write(f.process, much, SIZE, SOON), TR_PROCESS_OK);
    tr_process_close_input(f.process);
    tr_text output = {0};
    assert_int_equal(tr_process_read_all(f.process, SOON, SIZE, &output), TR_PROCESS_OK);
    assert_int_equal(output.length, SIZE);
    assert_memory_equal(output.data, much, SIZE);
    tr_text_free(&output);
    stop(&f);
    free(much);
}

static void test_child_that_does_not_read_times_out(void **state)
{
    (void)state;
    static char much[1 << 20];
    fixture f = start("exec sleep 1000");
    assert_int_equal(tr_process_write(f.process, much, sizeof much, 50), TR_PROCESS_TIMEOUT);
    stop(&f);
}

static void test_endless_output_is_bounded(void **state)
{
    (void)state;
    const char *line = NULL;
    fixture f = start("tr '\\0' x < /dev/zero");
    assert_int_equal(tr_process_read_line(f.process, SOON, 1000, &line, NULL), TR_PROCESS_TOO_LONG);
    stop(&f);
    f = start("exec yes");
    tr_text output = {0};
    assert_int_equal(tr_process_read_all(f.process, SOON, 1 << 20, &output), TR_PROCESS_TOO_LONG);
    assert_int_equal(output.length, 1 << 20);
    tr_text_free(&output);
    stop(&f);
}

/* Waiting is no work, neither the child's nor ours. */
static void test_work_is_told_from_waiting(void **state)
{
    (void)state;
    fixture idle = start("read a; echo $a");
    fixture busy = start("while :; do :; done");
    const char *line = NULL;
    clock_t ours = clock();
    int64_t until = tr_now_ms() + 10 * (int64_t)SOON;
    while (tr_process_worked_ms(busy.process) < 100 && tr_now_ms() < until)
        tr_process_read_line(idle.process, 20, LONGEST, &line, NULL);
    assert_true(tr_process_worked_ms(busy.process) >= 100);
    assert_true(tr_process_worked_ms(idle.process) < 50);
    assert_true(clock() - ours < CLOCKS_PER_SEC / 20);
    stop(&idle);
    stop(&busy);
}

static void test_nothing_leaks(void **state)
{
    (void)state;
    int before = count_descriptors();
    for (int i = 0; i < 20; i++) {
        fixture f = start("read a; sleep 1000");
        stop(&f);
    }
    assert_int_equal(count_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    /* The child gets its three streams and nothing else of ours, marked close-on-exec or not. */
    int ours = dup(0);
    fixture f = start("set -- $(ls /proc/self/fd); echo $#"); /* ls has its folder open too */
    const char *line = NULL;
    assert_int_equal(tr_process_read_line(f.process, SOON, LONGEST, &line, NULL), TR_PROCESS_OK);
    assert_true(atoi(line) <= 4);
    close(ours);
    stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_talks_line_by_line),
        cmocka_unit_test(test_says_how_the_child_ended),
        cmocka_unit_test(test_missing_program_is_an_error_value),
        cmocka_unit_test(test_writing_to_a_dead_child_is_no_signal),
        cmocka_unit_test(test_hung_child_times_out_and_dies_with_its_children),
        cmocka_unit_test(test_full_pipes_do_not_lock),
        cmocka_unit_test(test_child_that_does_not_read_times_out),
        cmocka_unit_test(test_endless_output_is_bounded),
        cmocka_unit_test(test_work_is_told_from_waiting),
        cmocka_unit_test(test_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
