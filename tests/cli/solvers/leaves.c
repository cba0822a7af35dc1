/* A solver that starts processes and leaves them behind, each in its own way (tests/cli/
 * test_solver_ends.py). LEAVES says "HOW NAME THEN": they are called NAME, by which they are found,
 * as a confined solver writes no file.
 *
 * HOW: "child" in the solver's group; "group"; "session"; "daemon", whose parent is gone and which
 * has closed all; "pipes", a daemon that holds the solver's streams; "deaf", a session that no
 * signal but SIGKILL ends; "chain", of which each leads a session and has lost its parent; "many",
 * 20 daemons; "late", which starts one process after another, each as a daemon, for a while;
 * "stop", a daemon, and the solver stops its guard; "stops", a process does so again and again.
 * THEN: "stay", whatever happens; "die", at once; "answer" that nothing is known. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { DEPTH = 8, MANY = 20, LATE = 40, LONGEST = 1 << 16 };

static const char *name;

/* Nothing of this test lasts, whatever comes of it. */
static void stay(void)
{
    enum { MOST_SECONDS = 120 };
    prctl(PR_SET_NAME, name);
    for (int i = 0; i < MOST_SECONDS; i++)
        sleep(1);
    _exit(0);
}

static void close_streams(void)
{
    for (int i = 0; i < 1024; i++)
        close(i);
}

static void be_daemon(int closes)
{
    if (fork() != 0)
        return;
    setsid();
    if (fork() != 0)
        _exit(0);
    if (closes)
        close_streams();
    stay();
}

static void chain(int left)
{
    if (fork() != 0)
        return;
    setsid();
    if (left == 0) {
        close_streams();
        stay();
    }
    chain(left - 1);
    if (left % 2)
        stay();
    _exit(0);
}

static void start_late(void)
{
    if (fork() != 0)
        return;
    setsid();
    close_streams();
    prctl(PR_SET_NAME, name);
    for (int i = 0; i < LATE; i++) {
        be_daemon(1);
        usleep(10 * 1000);
    }
    stay();
}

/* Stops the guard, whose child the solver is: once, or as often as it goes on. */
static void stop_guard(int again)
{
    pid_t guard = getppid();
    be_daemon(1);
    if (!again) {
        kill(guard, SIGSTOP);
        return;
    }
    if (fork() != 0)
        return;
    setsid();
    close_streams();
    prctl(PR_SET_NAME, name);
    for (long i = 0; i < LONGEST * 100L; i++)
        kill(guard, SIGSTOP);
    stay();
}

static void leave(const char *how)
{
    if (strcmp(how, "daemon") == 0) {
        be_daemon(1);
    } else if (strcmp(how, "pipes") == 0) {
        be_daemon(0);
    } else if (strcmp(how, "chain") == 0) {
        chain(DEPTH);
    } else if (strcmp(how, "late") == 0) {
        start_late();
    } else if (strncmp(how, "stop", 4) == 0) {
        stop_guard(strcmp(how, "stops") == 0);
    } else if (strcmp(how, "many") == 0) {
        for (int i = 0; i < MANY; i++)
            be_daemon(1);
    } else if (fork() == 0) {
        if (strcmp(how, "group") == 0)
            setpgid(0, 0);
        else if (strcmp(how, "child") != 0)
            setsid();
        if (strcmp(how, "deaf") == 0)
            for (int number = 1; number < NSIG; number++)
                signal(number, SIG_IGN);
        stay();
    }
}

/* As Z3, for which nothing is decided, and any question takes most of a kernel's steps. */
static void answer(void)
{
    unsigned long long taken = 0;
    static char line[LONGEST];
    while (fgets(line, sizeof line, stdin)) {
        char *marker = strstr(line, "(echo \"");
        if (strstr(line, ":name"))
            puts("(:name \"Z3\")");
        else if (strstr(line, ":version"))
            puts("(:version \"5.4.0\")");
        else if (strstr(line, ":rlimit)"))
            printf("(:rlimit %llu)\n", taken += 40000000);
        else if (strstr(line, "(check-sat)"))
            puts("unknown");
        else if (marker)
            printf("%.*s\n", (int)strcspn(marker + 7, "\""), marker + 7);
        fflush(stdout);
    }
}

int main(void)
{
    char how[16] = "", then[16] = "";
    static char own[16];
    const char *said = getenv("LEAVES");
    if (!said || sscanf(said, "%15s %15s %15s", how, own, then) != 3)
        return 1;
    name = own;
    leave(how);
    if (strcmp(then, "answer") == 0)
        answer();
    else if (strcmp(then, "stay") == 0)
        stay();
    return 3;
}
