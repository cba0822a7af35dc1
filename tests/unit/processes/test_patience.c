/* Which children are given up, and when: by what they and all that they started do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "processes/children.h"
#include "processes/patience.h"

enum { LIMIT_MS = 400, STEP_MS = 20 };

typedef enum behaviour {
    SLEEPS,
    WORKS,
    HAS_STARTED_WORK,
    WORKS_IN_A_SESSION,
    IS_STOPPED
} behaviour;

static void work(void)
{
    for (volatile unsigned n = 0;; n++) {
    }
}

static void behave(behaviour how)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (how == WORKS || how == IS_STOPPED)
        work();
    if (how == HAS_STARTED_WORK || how == WORKS_IN_A_SESSION)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (how == WORKS_IN_A_SESSION)
                setsid();
            work();
        }
    for (;;)
        pause();
}

typedef struct trial {
    behaviour how;
    int64_t least, most; /* milliseconds after which it is given up; most 0: it does not matter */
    pid_t child;
    patience answer;
    int64_t given_up; /* 0: not yet */
} trial;

static void begin(trial *t)
{
    t->child = fork();
    if (t->child == 0)
        behave(t->how);
    if (t->how == IS_STOPPED)
        kill(t->child, SIGSTOP);
    t->answer = patience_begin(t->child, LIMIT_MS);
}

static void look(trial *t)
{
    if (t->given_up > 0 || !patience_is_over(&t->answer))
        return;
    t->given_up = tr_now_ms() - t->answer.began;
    if (t->how == HAS_STARTED_WORK || t->how == WORKS_IN_A_SESSION)
        assert_true(children_worked_below(t->child) > children_worked(t->child));
    kill(t->child, SIGKILL);
    waitpid(t->child, NULL, 0);
}

/* Whoever does nothing is found at the second look behind the limit. Its own work reaches the limit
 * no sooner than the clock does. What works for it may be in a session of its own, as a guard puts
 * a solver; then it is given up by the clock alone. */
static void test_children(void **state)
{
    (void)state;
    enum { SECOND_LOOK = LIMIT_MS + PATIENCE_LOOK_MS, WALL = PATIENCE_WALL * LIMIT_MS };
    trial trials[] = {
        {SLEEPS, SECOND_LOOK, WALL - 1}, {IS_STOPPED, SECOND_LOOK, WALL - 1}, {WORKS, LIMIT_MS, 0},
        {HAS_STARTED_WORK, WALL, 0},     {WORKS_IN_A_SESSION, WALL, 0},
    };
    enum { TRIALS = sizeof trials / sizeof trials[0] };
    for (size_t i = 0; i < TRIALS; i++)
        begin(&trials[i]);
    for (size_t n_over = 0; n_over < TRIALS;) {
        usleep(STEP_MS * 1000);
        n_over = 0;
        for (size_t i = 0; i < TRIALS; i++) {
            look(&trials[i]);
            n_over += trials[i].given_up > 0;
        }
    }
    for (size_t i = 0; i < TRIALS; i++) {
        assert_true(trials[i].given_up >= trials[i].least);
        assert_true(trials[i].most == 0 || trials[i].given_up <= trials[i].most);
    }
}

static void test_none_is_due(void **state)
{
    (void)state;
    patience p = {0};
    assert_false(patience_is_over(&p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_none_is_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
