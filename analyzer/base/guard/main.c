/* tilerace-guard HOW PROGRAM [ARGUMENT...]: runs the program, and ends it as soon as the process
 * that started the guard is gone, for whatever reason. To notice that, it watches descriptor 3,
 * whose other end only the starting process holds. A death signal (PR_SET_PDEATHSIG) would not do,
 * since Linux sends it when the starting thread ends.
 *
 * "group": becomes the program, and leaves a process behind that kills its group. A byte on the
 * pipe says that the group is no longer there, so that its number may be another's.
 *
 * "all": stays the program's parent, ends as the program ends, and ends all its descendants, in
 * whatever group or session they are: a process whose parent ends becomes a child of this one
 * (PR_SET_CHILD_SUBREAPER). The number of the program is written to descriptor 3, a socket; its end
 * or SIGTERM ends all. Where the system has it (Landlock since Linux 6.12), the program can send a
 * signal to nothing but what it started itself, and so not stop its guard. A guard that was stopped
 * continues when the process that started it is gone.
 *
 * It is started by base/process_start.c: of "group" as the leader of its group, of "all" as the
 * leader of its session. */
#include "base/process_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WATCHED = 3, NOT_EXECUTED = 127 };

/* Closes the program's streams, so that their readers see the end when the program ends, and leaves
 * its folder. */
static void let_go(void)
{
    for (int stream = 0; stream < WATCHED; stream++)
        close(stream);
    if (chdir("/") != 0)
        _exit(1);
}

static int become(char **argv)
{
    fcntl(WATCHED, F_SETFD, FD_CLOEXEC);
    execvp(argv[0], argv);
    fprintf(stderr, "cannot start '%s': %s\n", argv[0], strerror(errno));
    return NOT_EXECUTED;
}

/* ---- A group ---- */

static void watch(pid_t group)
{
    char byte;
    ssize_t got;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    while ((got = read(WATCHED, &byte, 1)) < 0 && errno == EINTR) {
    }
    if (got == 0)
        kill(-group, SIGKILL);
    _exit(0);
}

/* Makes the watching process an orphan, so that nobody has to wait for it. */
static void leave_watcher(void)
{
    pid_t group = getpid(), between = fork();
    if (between == 0) {
        let_go();
        if (fork() == 0)
            watch(group);
        _exit(0);
    }
    while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* ---- All ---- */

typedef struct process {
    pid_t id, parent;
    bool is_ours;
} process;

typedef struct processes {
    process *at;
    size_t n, room;
} processes;

static void read_processes(processes *all)
{
    DIR *folder = opendir("/proc");
    all->n = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        if (all->n == all->room) {
            size_t room = all->room ? 2 * all->room : 256;
            process *at = realloc(all->at, room * sizeof *at);
            if (!at)
                break; /* those that are known are ended first */
            all->at = at;
            all->room = room;
        }
        tr_process_state state;
        if (tr_process_state_read(entry->d_name, &state))
            all->at[all->n++] = (process){state.id, state.parent, false};
    }
    if (folder)
        closedir(folder);
}

static bool belongs_to(const processes *all, pid_t parent)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].is_ours && all->at[i].id == parent)
            return true;
    return false;
}

/* Kills every process that has this one among those it descends from. */
static void kill_descendants(processes *all)
{
    read_processes(all);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < all->n; i++) {
            process *p = &all->at[i];
            if (p->is_ours || (p->parent != getpid() && !belongs_to(all, p->parent)))
                continue;
            p->is_ours = more = true;
            kill(p->id, SIGKILL);
        }
    }
}

/* Returns the program's status. Its group is killed before it is reaped, since until then the
 * number is nobody else's. Usually there is nothing outside of the group, and /proc is not read.
 * Processes that cannot be ended in this time are left to the system. */
static int end_all(pid_t program)
{
    enum { MOST_TURNS = 2000 };
    const struct timespec pause = {.tv_nsec = 2 * 1000 * 1000};
    processes all = {0};
    int status = SIGKILL;
    kill(-program, SIGKILL);
    while (waitpid(program, &status, 0) < 0 && errno == EINTR) {
    }
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        pid_t got;
        while ((got = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (got < 0 && errno == ECHILD)
            break;
        kill_descendants(&all);
        nanosleep(&pause, NULL);
    }
    free(all.at);
    return status;
}

/* Ends as the program ended, without dumping core a second time. */
static int end_as(int status)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    sigset_t number;
    sigemptyset(&number);
    sigaddset(&number, WTERMSIG(status));
    setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &number, NULL);
    raise(WTERMSIG(status));
    return NOT_EXECUTED;
}

/* Has the program ended? What it left behind, and has ended too, is reaped. */
static bool has_ended(pid_t program)
{
    siginfo_t about = {0};
    while (waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid) {
        if (about.si_pid == program)
            return true;
        waitpid(about.si_pid, NULL, 0);
        about.si_pid = 0;
    }
    return false;
}

/* Waits for the end of the program, or for the word that it should end. All signals are blocked. */
static void watch_all(pid_t program)
{
    enum { WITHOUT_SIGNALS_MS = 50 };
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD);
    sigaddset(&heard, SIGTERM);
    int signals = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
    struct pollfd of[2] = {{.fd = WATCHED, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    for (bool is_told = false; !is_told && !has_ended(program);) {
        struct signalfd_siginfo about;
        is_told = poll(of, 2, signals < 0 ? WITHOUT_SIGNALS_MS : -1) > 0 && of[0].revents;
        while (read(signals, &about, sizeof about) == (ssize_t)sizeof about)
            is_told |= about.ssi_signo == SIGTERM;
    }
}

/* The kernel's struct landlock_ruleset_attr, which the headers of some build systems do not have
 * yet. */
typedef struct rule_set {
    uint64_t files, network, scope;
} rule_set;

/* From here on signals reach only processes that this one starts. Where Landlock does not know
 * scopes, or the system asks for a privilege, nothing changes. */
static void keep_signals_inside(void)
{
    enum { CREATE_RULES = 444, RESTRICT_SELF = 446 }; /* on all machines */
    enum { ASK_VERSION = 1, KNOWS_SCOPES = 6, SIGNALS = 2 };
    const rule_set rules = {.scope = SIGNALS};
    int set = -1;
    if (syscall(CREATE_RULES, NULL, 0, ASK_VERSION) >= KNOWS_SCOPES)
        set = (int)syscall(CREATE_RULES, &rules, sizeof rules, 0);
    if (set < 0)
        return;
    syscall(RESTRICT_SELF, set, 0);
    close(set);
}

/* Handles the word "all": the program is a child, and the rest of its life is watched. */
static int guard_all(char **argv)
{
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGCONT); /* ends nothing, whichever thread's end it comes with */
    pid_t guard = getpid(), program = fork();
    if (program == 0) {
        pid_t own = getpid();
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != guard || write(WATCHED, &own, sizeof own) != (ssize_t)sizeof own)
            _exit(NOT_EXECUTED);
        keep_signals_inside();
        sigprocmask(SIG_SETMASK, &none, NULL);
        return become(argv);
    }
    if (program < 0) {
        fprintf(stderr, "cannot start '%s': %s\n", argv[0], strerror(errno));
        return NOT_EXECUTED;
    }
    setpgid(program, program);
    let_go();
    watch_all(program);
    return end_as(end_all(program));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return NOT_EXECUTED;
    if (strcmp(argv[1], "all") == 0)
        return guard_all(argv + 2);
    leave_watcher();
    return become(argv + 2);
}
