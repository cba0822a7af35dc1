/* Which children are given up, and when: by what they and all that they started do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
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
    IS_STOPPED,
    HAS_WORKED,
    WORKS_A_LITTLE,
} behaviour;

static void work(void)
{
    for (volatile unsigned n = 0;; n++) {
    }
}

enum { WORKED_MS = LIMIT_MS + 20 }; /* before an answer is waited for */

static void behave(behaviour how)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (how == HAS_WORKED && children_worked(getpid()) < WORKED_MS) {
    }
    if (how == WORKS || how == IS_STOPPED)
        work();
    while (how == WORKS_A_LITTLE) { /* one part in twenty */
        clock_t until = clock() + CLOCKS_PER_SEC / 200;
        while (clock() < until) {
        }
        usleep(95 * 1000);
    }
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
    int64_t worked;      /* milliseconds that it has worked then at least */
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
    while (t->how == HAS_WORKED && children_worked(t->child) < WORKED_MS)
        usleep(STEP_MS * 1000);
    t->answer = patience_begin(t->child, LIMIT_MS);
}

static void look(trial *t)
{
    if (t->given_up > 0 || !patience_is_over(&t->answer))
        return;
    t->given_up = tr_now_ms() - t->answer.began;
    int64_t by_lists = children_worked(t->child), by_scan = children_worked_by_scan(t->child);
    assert_true(by_lists <= by_scan && by_scan < by_lists + LIMIT_MS);
    assert_true(by_lists >= t->worked || t->given_up >= PATIENCE_WALL * LIMIT_MS);
    /* At the look before there was no reason yet. */
    assert_true(t->answer.looked == 0 ||
                t->answer.worked - t->answer.worked_before < t->answer.limit);
    kill(t->child, SIGKILL);
    waitpid(t->child, NULL, 0);
}

/* Whoever does nothing is found at the second look behind the limit; whoever works has the limit,
 * of work of its own or of what works for it, which may be in a session of its own, as a guard puts
 * a solver. */
static void test_children(void **state)
{
    (void)state;
    enum { SECOND_LOOK = LIMIT_MS + PATIENCE_LOOK_MS, WALL = PATIENCE_WALL * LIMIT_MS };
    trial trials[] = {
        {SLEEPS, SECOND_LOOK, WALL - 1, 0},
        {IS_STOPPED, SECOND_LOOK, WALL - 1, 0},
        {HAS_WORKED, SECOND_LOOK, WALL - 1, WORKED_MS},
        {WORKS_A_LITTLE, WALL, WALL + PATIENCE_LOOK_MS + LIMIT_MS, 0},
        {WORKS, LIMIT_MS, 0, LIMIT_MS},
        {HAS_STARTED_WORK, LIMIT_MS, 0, LIMIT_MS},
        {WORKS_IN_A_SESSION, LIMIT_MS, 0, LIMIT_MS},
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
