#include "compilers/late.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/process.h"
#include "base/process_state.h"

/* The name of a keeper, so that those can be counted whose compiler has ended. */
#define KEEPER "tilerace-late" /* of 13 bytes */
/* Stands behind the result: without it something is missing. */
#define WHOLE '\4'

enum { RESULT = 3, CONTROL };      /* the keeper's descriptors */
enum { TAKEN = 'T', LEAVE = 'L' }; /* what it is told; the end of the file: nothing more */

/* ---- Section: The keeper ---- */

/* Called when the process that started the keeper has ended. That process was killed, unless it has
 * said that the keeper is left. The check is made by a child that ends with the keeper (apart.h).
 */
static void alone(int number)
{
    int waiting = 0;
    (void)number;
    if (ioctl(CONTROL, FIONREAD, &waiting) != 0 || waiting == 0)
        _exit(1);
}

/* RESULT and CONTROL are all that is left, and the standard streams lead nowhere. */
static void let_go(int result, int control)
{
    tr_keep_descriptors(2, (const int[]){result, control});
    int none = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2; fd++)
        dup2(none, fd);
    if (none > 2)
        close(none);
}

static bool was_left(void)
{
    char word = 0;
    while (read(CONTROL, &word, 1) < 0 && errno == EINTR)
        continue;
    return word == LEAVE;
}

static void keep(const late_work *work, int result, int control, pid_t parent)
{
    tr_text text = {0};
    prctl(PR_SET_NAME, KEEPER);
    /* The compiler goes first: Linux compares this only within a session, so we stay in it, and in
     * a group of our own, so that what ends the compiler by its terminal ends us by `alone`. */
    (void)!nice(10);
    setpgid(0, 0);
    let_go(result, control);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGUSR1, alone);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    if (getppid() != parent)
        _exit(1);
    work->check(work->user, &text);
    tr_text_addn(&text, (const char[]){WHOLE}, 1);
    tr_write_all(RESULT, text.data, text.length); /* else nobody reads any more */
    close(RESULT);
    text.data[--text.length] = 0;
    if (was_left())
        work->tell(work->user, &text);
    _exit(0);
}

/* ---- Section: The compiler ---- */

bool late_start(tr_arena *arena, const late_work *work, late_check *check, const char **why)
{
    int result[2], control[2];
    if (pipe2(result, O_CLOEXEC) != 0) {
        *why = tr_arena_printf(arena, "no process can be made: %s", strerror(errno));
        return false;
    }
    bool piped = pipe2(control, O_CLOEXEC) == 0;
    fflush(NULL);
    pid_t parent = getpid(), keeper = piped ? fork() : -1;
    if (keeper == 0)
        keep(work, result[1], control[0], parent);
    if (keeper < 0)
        *why = tr_arena_printf(arena, "no process can be made: %s", strerror(errno));
    close(result[1]);
    if (piped)
        close(control[0]);
    if (keeper < 0) {
        close(result[0]);
        if (piped)
            close(control[1]);
        return false;
    }
    *check = (late_check){.keeper = keeper, .result = result[0], .control = control[1]};
    return true;
}

bool late_wait(late_check *check, int64_t milliseconds)
{
    char bytes[1 << 14];
    const int64_t until = tr_now_ms() + milliseconds;
    for (;;) {
        struct pollfd ready = {.fd = check->result, .events = POLLIN};
        int64_t left = until - tr_now_ms();
        int n_ready = poll(&ready, 1, left > 0 ? (int)left : 0);
        if (n_ready == 0)
            return false;
        ssize_t n = n_ready > 0 ? read(check->result, bytes, sizeof bytes) : -1;
        if (n == 0 || (n < 0 && errno != EINTR))
            return true;
        if (n > 0)
            tr_text_addn(&check->text, bytes, (size_t)n);
    }
}

/* Does it belong to the user whose files are made here? */
static bool is_own(const char *process)
{
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    return stat(path, &info) == 0 && info.st_uid == geteuid();
}

/* A keeper that has ended and is not reaped yet does not count, nor one whose compiler waits. */
static bool is_left_keeper(const char *process)
{
    tr_process_state own, keeper, parent;
    char above[16];
    if (!tr_process_state_read(process, &keeper) || strcmp(keeper.name, KEEPER) != 0 ||
        !is_own(process) || keeper.state == 'Z' || keeper.state == 'X')
        return false;
    snprintf(above, sizeof above, "%d", keeper.parent);
    return !tr_process_state_read("self", &own) || !tr_process_state_read(above, &parent) ||
           strcmp(own.name, parent.name) != 0;
}

static bool may_be_left(size_t many)
{
    size_t n = 0;
    DIR *processes = opendir("/proc");
    if (!processes)
        return false;
    for (const struct dirent *entry; n < many && (entry = readdir(processes));)
        n += isdigit((unsigned char)entry->d_name[0]) && is_left_keeper(entry->d_name);
    closedir(processes);
    return n < many;
}

/* The keeper need not hear it: it may have died. */
static void tell(const late_check *check, char word)
{
    ssize_t n = write(check->control, &word, 1);
    (void)n;
}

static void end(late_check *check)
{
    close(check->result);
    close(check->control);
    while (waitpid(check->keeper, NULL, 0) < 0 && errno == EINTR)
        continue;
}

bool late_leave(late_check *check, size_t many)
{
    if (!may_be_left(many))
        return false;
    tell(check, LEAVE);
    close(check->result);
    close(check->control);
    tr_text_free(&check->text);
    return true;
}

bool late_take(late_check *check, tr_text *result)
{
    enum { AN_HOUR = 60 * 60 * 1000 };
    while (!late_wait(check, AN_HOUR))
        continue;
    tell(check, TAKEN);
    end(check);
    bool came = check->text.length > 0 && check->text.data[check->text.length - 1] == WHOLE;
    if (came)
        tr_text_addn(result, check->text.data, check->text.length - 1);
    tr_text_free(&check->text);
    return came;
}

void late_stop(late_check *check)
{
    kill(check->keeper, SIGKILL);
    end(check);
    tr_text_free(&check->text);
}
