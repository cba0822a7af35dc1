/* What /proc says of processes, whatever they call themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_state.h"

static void the_own_process(void **state)
{
    (void)state;
    tr_process_state own;
    assert_true(tr_process_state_read("self", &own));
    assert_int_equal(own.id, getpid());
    assert_int_equal(own.parent, getppid());
    assert_int_equal(own.session, getsid(0));
    assert_int_equal(own.state, 'R');
}

/* A child of that name that leads a session and waits to be killed; it has ended, and is not
 * reaped, where `ended`. */
static void look_at_child(const char *name, bool ended)
{
    int ready[2];
    char number[32], byte;
    tr_process_state of;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        prctl(PR_SET_NAME, name);
        if (write(ready[1], "r", 1) != 1)
            _exit(1);
        while (!ended)
            pause();
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    siginfo_t about;
    if (ended)
        waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT);
    snprintf(number, sizeof number, "%d", (int)child);
    assert_true(tr_process_state_read(number, &of));
    assert_int_equal(of.id, child);
    assert_int_equal(of.parent, getpid());
    assert_int_equal(of.session, child);
    assert_string_equal(of.name, name);
    assert_int_equal(of.state == 'Z', ended);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_false(tr_process_state_read(number, &of));
}

static void names_hold_anything(void **state)
{
    static const char *const names[] = {"plain", "a) Z 1 2 3",      ") (",
                                        "",      "fifteen letters", "a\nb"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        look_at_child(names[i], false);
    look_at_child("a) S 1", true);
}

static void nobody(void **state)
{
    (void)state;
    tr_process_state of;
    assert_false(tr_process_state_read("0", &of));
    assert_false(tr_process_state_read("", &of)); /* /proc/stat */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_own_process),
        cmocka_unit_test(names_hold_anything),
        cmocka_unit_test(nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
