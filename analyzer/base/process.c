/* Child processes over pipes. */
#include "base/process_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_KEPT = 64 << 20, ERRORS_KEPT = 64 * 1024, PIECE = 16 * 1024, CHECK_EVERY_MS = 5 };

double tr_now_fine_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int64_t tr_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The program's number; 0: it is not known, or has ended. */
static pid_t program_of(tr_process *process)
{
    pid_t told;
    if (process->program == 0 && process->watched >= 0 &&
        recv(process->watched, &told, sizeof told, MSG_DONTWAIT) == (ssize_t)sizeof told)
        process->program = told;
    return process->reaped ? 0 : process->program;
}

int64_t tr_process_worked_ms(tr_process *process)
{
    clockid_t clock;
    struct timespec worked;
    pid_t program = program_of(process);
    if (program == 0 || clock_getcpuclockid(program, &clock) != 0 ||
        clock_gettime(clock, &worked) != 0)
        return 0;
    return (int64_t)worked.tv_sec * 1000 + worked.tv_nsec / 1000000;
}

/* Reads what the system tells of the child, into `text` up to `room` bytes. Asked of the kernel
 * itself: the program's own open() may be one that keeps account of what a check has read, and a
 * child's state is nothing that a result depends on. */
static size_t read_about(tr_process *process, const char *name, char *text, size_t room)
{
    char path[40];
    size_t length = 0;
    pid_t program = program_of(process);
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)program, name);
    int file =
        program == 0 ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    for (ssize_t got = 1; file >= 0 && got > 0 && length < room;
         length += got > 0 ? (size_t)got : 0)
        got = read(file, text + length, room - length);
    if (file >= 0)
        close(file);
    return length;
}

const char *tr_process_maps(tr_arena *arena, tr_process *process)
{
    enum { MOST = 256 << 10 };
    char *all = tr_reallocate(NULL, MOST);
    const char *text = tr_arena_strndup(arena, all, read_about(process, "maps", all, MOST));
    free(all);
    return text;
}

bool tr_process_is_runnable(tr_process *process)
{
    char text[400];
    text[read_about(process, "stat", text, sizeof text - 1)] = '\0';
    const char *name_end = strrchr(text, ')'); /* "PID (NAME) STATE ..." */
    return name_end && name_end[1] && (name_end[2] == 'R' || name_end[2] == 'D');
}

static tr_process_result fail(tr_process *process, const char *what)
{
    snprintf(process->why, sizeof process->why, "%s: %s", what, strerror(errno));
    return TR_PROCESS_FAILED;
}

const char *tr_process_why(const tr_process *process)
{
    return process->why;
}

/* ---- Moving bytes ---- */

/* Takes in what one pipe holds now; closes it at its end. Bytes above `limit` are dropped. The
 * number of turns is bounded: a child that writes as fast as we read must not keep us from the
 * clock. */
static void take_in(int *end, tr_text *into, size_t limit)
{
    char piece[PIECE];
    for (int turn = 0; turn < 16 && *end >= 0; turn++) {
        ssize_t got = read(*end, piece, sizeof piece);
        if (got > 0) {
            size_t room = into->length < limit ? limit - into->length : 0;
            tr_text_addn(into, piece, (size_t)got < room ? (size_t)got : room);
            if ((size_t)got < sizeof piece) {
                return;
            }
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else if (got < 0 && errno == EAGAIN) {
            return;
        } else {
            tr_process_close_end(end);
        }
    }
}

/* Given bytes leave the buffer only here, so that a line handed out stays valid until the next
 * call. */
static void forget_taken(tr_process *process)
{
    if (process->taken == 0) {
        return;
    }
    size_t left = process->out.length - process->taken;
    memmove(process->out.data, process->out.data + process->taken, left);
    process->out.length = left;
    process->out.data[left] = '\0';
    process->taken = 0;
}

/* Waits until a pipe has something to say (with want_write: or room for input) or the deadline has
 * come; takes in the output. A child that has filled our buffer is left blocked. */
static tr_process_result pump(tr_process *process, int64_t deadline, bool want_write)
{
    struct pollfd pipes[3] = {
        {.fd = process->out.length < OUTPUT_KEPT ? process->output : -1, .events = POLLIN},
        {.fd = process->errors, .events = POLLIN},
        {.fd = want_write ? process->input : -1, .events = POLLOUT},
    };
    int64_t left = deadline - tr_now_ms();
    left = left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : left;
    int ready = poll(pipes, 3, (int)left);
    if (ready < 0 && errno != EINTR) {
        return fail(process, "waiting for the process failed");
    }
    if (ready == 0) {
        return TR_PROCESS_TIMEOUT;
    }
    if (ready > 0 && pipes[0].revents) {
        take_in(&process->output, &process->out, OUTPUT_KEPT);
    }
    if (ready > 0 && pipes[1].revents) {
        take_in(&process->errors, &process->err, ERRORS_KEPT);
    }
    return TR_PROCESS_OK;
}

/* write() that never raises SIGPIPE: the signal is blocked in this thread, and one that this write
 * caused is taken off again. */
static ssize_t write_quietly(int end, const char *data, size_t length)
{
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(end, data, length);
    int failed = errno;
    if (written < 0 && failed == EPIPE && !was_pending) {
        struct timespec none = {0};
        while (sigtimedwait(&broken, NULL, &none) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failed;
    return written;
}

tr_process_result tr_process_write(tr_process *process, const char *data, size_t length,
                                   int64_t timeout_ms)
{
    int64_t deadline = tr_now_ms() + timeout_ms;
    forget_taken(process);
    while (length > 0) {
        if (process->input < 0) {
            return TR_PROCESS_CLOSED;
        }
        ssize_t written = write_quietly(process->input, data, length);
        if (written >= 0) {
            data += written;
            length -= (size_t)written;
        } else if (errno == EPIPE) {
            tr_process_close_end(&process->input);
            return TR_PROCESS_CLOSED;
        } else if (errno == EAGAIN) {
            tr_process_result result = pump(process, deadline, true);
            if (result != TR_PROCESS_OK) {
                return result;
            }
        } else if (errno != EINTR) {
            return fail(process, "writing to the process failed");
        }
    }
    return TR_PROCESS_OK;
}

void tr_process_close_input(tr_process *process)
{
    tr_process_close_end(&process->input);
}

static void hand_out(tr_process *process, size_t line_length, const char **line, size_t *length)
{
    bool has_newline = line_length < process->out.length;
    process->out.data[line_length] = '\0';
    process->taken = line_length + (has_newline ? 1 : 0);
    *line = process->out.data;
    if (length) {
        *length = line_length;
    }
}

tr_process_result tr_process_read_line(tr_process *process, int64_t timeout_ms, size_t longest,
                                       const char **line, size_t *length)
{
    int64_t deadline = tr_now_ms() + timeout_ms;
    size_t seen = 0;
    forget_taken(process);
    for (;;) {
        const char *newline = NULL;
        if (process->out.length > seen) {
            newline = memchr(process->out.data + seen, '\n', process->out.length - seen);
        }
        if (newline && (size_t)(newline - process->out.data) <= longest) {
            hand_out(process, (size_t)(newline - process->out.data), line, length);
            return TR_PROCESS_OK;
        }
        seen = process->out.length;
        if (newline || seen > longest) {
            return TR_PROCESS_TOO_LONG;
        }
        if (process->output < 0) {
            if (seen == 0) {
                return TR_PROCESS_CLOSED;
            }
            hand_out(process, seen, line, length);
            return TR_PROCESS_OK;
        }
        tr_process_result result = pump(process, deadline, false);
        if (result != TR_PROCESS_OK) {
            return result;
        }
    }
}

tr_process_result tr_process_read_all(tr_process *process, int64_t timeout_ms, size_t most,
                                      tr_text *output)
{
    int64_t deadline = tr_now_ms() + timeout_ms;
    tr_process_result result = TR_PROCESS_OK;
    size_t total = 0;
    for (;;) {
        forget_taken(process);
        size_t got = process->out.length;
        size_t room = most - total;
        tr_text_addn(output, tr_text_get(&process->out), got < room ? got : room);
        process->taken = got;
        if (got > room) {
            return TR_PROCESS_TOO_LONG;
        }
        total += got;
        if (result != TR_PROCESS_OK || process->output < 0) {
            return result;
        }
        result = pump(process, deadline, false);
    }
}

const char *tr_process_errors(tr_process *process)
{
    take_in(&process->errors, &process->err, ERRORS_KEPT);
    return tr_text_get(&process->err);
}

/* ---- Ending ---- */

static void release_guard(tr_process *process)
{
    if (process->watched >= 0 && !process->is_whole)
        write_quietly(process->watched, "", 1);
    tr_process_close_end(&process->watched);
}

/* True once the child has ended. Its group is killed before it is reaped: as long as it is a zombie
 * its number cannot have gone to somebody else's group. */
static bool reap_if_ended(tr_process *process)
{
    if (process->reaped) {
        return true;
    }
    siginfo_t about = {0};
    if (waitid(P_PID, (id_t)process->id, &about, WEXITED | WNOHANG | WNOWAIT) != 0) {
        /* Somebody else took our child's status away: it is gone, how it ended is unknown. */
        process->end = (tr_process_end){.exit_status = -1};
        process->reaped = errno == ECHILD;
        if (process->reaped)
            release_guard(process);
        return process->reaped;
    }
    if (about.si_pid == 0) {
        return false;
    }
    if (!process->is_whole) /* whose guard ends last */
        kill(-process->id, SIGKILL);
    release_guard(process);
    int status = 0;
    while (waitpid(process->id, &status, 0) < 0 && errno == EINTR) {
    }
    process->end = WIFEXITED(status)
                       ? (tr_process_end){.exit_status = WEXITSTATUS(status)}
                       : (tr_process_end){.exit_status = -1, .signal = WTERMSIG(status)};
    process->reaped = true;
    return true;
}

bool tr_process_has_ended(tr_process *process)
{
    return reap_if_ended(process);
}

static void nap(int64_t ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* The end of the streams usually tells that the child has ended; one that closes them early, or
 * leaves them to children of its own, is asked after every few milliseconds. */
tr_process_result tr_process_wait(tr_process *process, int64_t timeout_ms, tr_process_end *end)
{
    int64_t deadline = tr_now_ms() + timeout_ms;
    while (!reap_if_ended(process)) {
        int64_t now = tr_now_ms();
        if (now >= deadline) {
            return TR_PROCESS_TIMEOUT;
        }
        int64_t next = now + CHECK_EVERY_MS < deadline ? now + CHECK_EVERY_MS : deadline;
        if (process->output < 0 && process->errors < 0) {
            nap(next - now);
        } else if (pump(process, next, false) == TR_PROCESS_FAILED) {
            return TR_PROCESS_FAILED;
        }
    }
    if (end) {
        *end = process->end;
    }
    return TR_PROCESS_OK;
}

/* Tells the guard to end all, and waits until it has closed its end of the line, as it does by its
 * own end. One that was stopped goes on. One that does not end is killed, and the program with it.
 */
static void end_whole(tr_process *process)
{
    enum { PATIENCE_MS = 5000, TURN_MS = 50 };
    struct pollfd line = {.fd = process->watched, .events = POLLRDHUP};
    int64_t until = tr_now_ms() + PATIENCE_MS;
    shutdown(process->watched, SHUT_WR);
    while (tr_now_ms() < until) {
        kill(process->id, SIGCONT);
        if (poll(&line, 1, TURN_MS) > 0)
            return;
    }
    if (program_of(process) > 0)
        kill(-process->program, SIGKILL);
    kill(process->id, SIGKILL);
}

void tr_process_kill(tr_process *process)
{
    if (process->is_whole && !reap_if_ended(process))
        end_whole(process);
    while (!reap_if_ended(process)) {
        if (!process->is_whole)
            kill(-process->id, SIGKILL);
        siginfo_t about; /* what is killed ends at once: waited for, not asked after */
        waitid(P_PID, (id_t)process->id, &about, WEXITED | WNOWAIT);
    }
    tr_process_close_end(&process->input);
    take_in(&process->output, &process->out, OUTPUT_KEPT);
    take_in(&process->errors, &process->err, ERRORS_KEPT);
}

void tr_process_free(tr_take tr_process *process)
{
    if (!process) {
        return;
    }
    tr_process_kill(process);
    tr_process_close_end(&process->output);
    tr_process_close_end(&process->errors);
    tr_text_free(&process->out);
    tr_text_free(&process->err);
    free(process);
}

bool tr_is_program(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    if (!S_ISDIR(about.st_mode))
        return access(path, X_OK) == 0;
    errno = EISDIR;
    return false;
}

bool tr_program_is_there(tr_arena *arena, const char *name)
{
    errno = ENOENT;
    return strchr(name, '/') ? tr_is_program(name) : tr_find_program(arena, name, NULL) != NULL;
}

const char *tr_find_program(tr_arena *arena, const char *program, bool (*accepts)(const char *path))
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        const char *path = tr_arena_printf(arena, "%.*s/%s", (int)length, at, program);
        if (length > 0 && tr_is_program(path) && (!accepts || accepts(path)))
            return path;
        at += length + (at[length] == ':');
    }
    return NULL;
}
