/* Child processes over pipes. */
#include "base/process.h"
#include "base/installed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_KEPT = 64 << 20, ERRORS_KEPT = 64 * 1024, PIECE = 16 * 1024, CHECK_EVERY_MS = 5 };

struct tr_process {
    pid_t id;
    int input, output, errors; /* our ends, -1 once closed */
    int watched; /* its guard kills its group when this is closed without a word; -1: none */
    tr_text out, err;
    size_t taken; /* bytes of `out` already given to the caller */
    bool reaped;
    tr_process_end end;
    char why[160];
};

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

int64_t tr_thread_ms(void)
{
    struct timespec worked;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    return (int64_t)worked.tv_sec * 1000 + worked.tv_nsec / 1000000;
}

int64_t tr_process_worked_ms(const tr_process *process)
{
    clockid_t clock;
    struct timespec worked;
    if (process->reaped || clock_getcpuclockid(process->id, &clock) != 0 ||
        clock_gettime(clock, &worked) != 0)
        return 0;
    return (int64_t)worked.tv_sec * 1000 + worked.tv_nsec / 1000000;
}

/* What the system tells of the child, into `text` up to `room` bytes. Asked of the kernel itself:
 * the program's own open() may be one that keeps account of what a check has read, and a child's
 * state is nothing that a result depends on. */
static size_t read_about(const tr_process *process, const char *name, char *text, size_t room)
{
    char path[40];
    size_t length = 0;
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)process->id, name);
    int file =
        process->reaped ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    for (ssize_t got = 1; file >= 0 && got > 0 && length < room;
         length += got > 0 ? (size_t)got : 0)
        got = read(file, text + length, room - length);
    if (file >= 0)
        close(file);
    return length;
}

const char *tr_process_maps(tr_arena *arena, const tr_process *process)
{
    enum { MOST = 256 << 10 };
    char *all = tr_reallocate(NULL, MOST);
    const char *text = tr_arena_strndup(arena, all, read_about(process, "maps", all, MOST));
    free(all);
    return text;
}

bool tr_process_is_runnable(const tr_process *process)
{
    char text[400];
    text[read_about(process, "stat", text, sizeof text - 1)] = '\0';
    const char *name_end = strrchr(text, ')'); /* "PID (NAME) STATE ..." */
    return name_end && name_end[1] && (name_end[2] == 'R' || name_end[2] == 'D');
}

static void close_end(int *end)
{
    if (*end >= 0) {
        close(*end);
    }
    *end = -1;
}

static tr_process_result fail(tr_process *process, const char *what)
{
    snprintf(process->why, sizeof process->why, "%s: %s", what, strerror(errno));
    return TR_PROCESS_FAILED;
}

/* ---- Starting ---- */

typedef struct pipe_pair {
    int ours, theirs;
} pipe_pair;

/* Descriptors below 3 would be overwritten by each other when the child's 0, 1 and 2 are laid out
 * (a program may run with its standard streams closed). */
static bool move_above_streams(int *end)
{
    if (*end > 2) {
        return true;
    }
    int moved = fcntl(*end, F_DUPFD_CLOEXEC, 3);
    if (moved < 0) {
        return false;
    }
    close(*end);
    *end = moved;
    return true;
}

static bool open_pipe(pipe_pair *pair, bool child_reads)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    *pair = child_reads ? (pipe_pair){.ours = ends[1], .theirs = ends[0]}
                        : (pipe_pair){.ours = ends[0], .theirs = ends[1]};
    if (!move_above_streams(&pair->ours) || !move_above_streams(&pair->theirs)) {
        return false;
    }
    return fcntl(pair->ours, F_SETFL, O_NONBLOCK) == 0;
}

static void close_pair(pipe_pair *pair)
{
    close_end(&pair->ours);
    close_end(&pair->theirs);
}

/* glibc has it from 2.34 on; wheels run on older ones. */
#pragma weak posix_spawn_file_actions_addclosefrom_np
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

/* What is open now, one by one. Of a descriptor that another thread closes meanwhile, closing it
 * again in the child is no error. */
static int close_each(posix_spawn_file_actions_t *actions, int from)
{
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return 0; /* ours are closed on exec; those of others stay */
    int failed = 0, own = dirfd(folder);
    for (const struct dirent *entry; !failed && (entry = readdir(folder));) {
        int fd = entry->d_name[0] == '.' ? -1 : atoi(entry->d_name);
        if (fd >= from && fd != own)
            failed = posix_spawn_file_actions_addclose(actions, fd);
    }
    closedir(folder);
    return failed;
}

enum { WATCHED = 3, PIPES = 4 }; /* beside the standard streams, what a guard watches */

/* The first `n` pipes become the child's descriptors of the same numbers. */
static int lay_out(posix_spawn_file_actions_t *actions, const pipe_pair pipes[PIPES], int n)
{
    int failed = 0;
    for (int i = 0; i < n && !failed; i++) {
        failed = posix_spawn_file_actions_adddup2(actions, pipes[i].theirs, i);
    }
    if (failed)
        return failed;
    return posix_spawn_file_actions_addclosefrom_np
               ? posix_spawn_file_actions_addclosefrom_np(actions, n)
               : close_each(actions, n);
}

/* A group of its own so that the child's children die with it, and signals as a fresh program
 * expects them: ours may block or ignore some. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF);
}

/* Ours and, in front, the variable, where ours has none of that name or `anyway`; in the arena. */
static char **environment_with(tr_arena *arena, const char *variable, bool anyway)
{
    if (!variable)
        return environ;
    size_t n = 0, kept = 1, name = strcspn(variable, "=") + 1;
    while (environ[n])
        n++;
    char **with = TR_NEW_ARRAY(arena, char *, n + 2);
    with[0] = tr_arena_strdup(arena, variable);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], variable, name) != 0)
            with[kept++] = environ[i];
        else if (!anyway)
            return environ;
    return with;
}

const char *tr_process_guard(tr_arena *arena)
{
    static const char *const places[] = {"lib/tilerace/tilerace-guard", "tilerace-guard",
                                         "../tilerace-guard", "../../tilerace-guard", NULL};
    return tr_find_installed(arena, places);
}

/* The command line with the guard in front; NULL: there is none. */
static const char *const *guarded(tr_arena *arena, const char *const *argv)
{
    /* What the guard would not find is started without one, so that the system says why. */
    const char *guard = tr_program_is_there(arena, argv[0]) ? tr_process_guard(arena) : NULL;
    if (!guard)
        return NULL;
    size_t n = 0;
    while (argv[n])
        n++;
    const char **with = TR_NEW_ARRAY(arena, const char *, n + 2);
    with[0] = guard;
    memcpy(with + 1, argv, n * sizeof *argv);
    return with;
}

static int spawn(pid_t *id, const char *const *argv, char **environment,
                 const pipe_pair pipes[PIPES], int n_pipes)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int failed = lay_out(&actions, pipes, n_pipes);
    if (!failed) {
        failed = set_attributes(&attributes);
    }
    if (!failed) {
        failed = posix_spawnp(id, argv[0], &actions, &attributes, (char *const *)(uintptr_t)argv,
                              environment);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

tr_give tr_process *tr_process_start(tr_arena *arena, const char *const *argv, const char **why)
{
    return tr_process_start_with(arena, argv, NULL, false, why);
}

tr_give tr_process *tr_process_start_with(tr_arena *arena, const char *const *argv,
                                          const char *variable, bool anyway, const char **why)
{
    return tr_process_start_in(arena, argv, environment_with(arena, variable, anyway), why);
}

tr_give tr_process *tr_process_start_in(tr_arena *arena, const char *const *argv,
                                        char **environment, const char **why)
{
    pipe_pair pipes[PIPES] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    const char *const *with_guard = guarded(arena, argv);
    int failed = 0, n = with_guard ? PIPES : WATCHED;
    for (int i = 0; i < n && !failed; i++) {
        bool child_reads = i == STDIN_FILENO || i == WATCHED;
        failed = open_pipe(&pipes[i], child_reads) ? 0 : errno;
    }
    pid_t id = -1;
    if (!failed) {
        failed = spawn(&id, with_guard ? with_guard : argv, environment, pipes, n);
    }
    for (int i = 0; i < PIPES; i++) {
        close_end(&pipes[i].theirs);
    }
    if (failed) {
        for (int i = 0; i < PIPES; i++) {
            close_pair(&pipes[i]);
        }
        *why = tr_arena_printf(arena, "cannot start '%s': %s", argv[0], strerror(failed));
        return NULL;
    }
    tr_process *process = calloc(1, sizeof *process);
    if (!process) {
        tr_no_memory();
    }
    process->id = id;
    process->input = pipes[0].ours;
    process->output = pipes[1].ours;
    process->errors = pipes[2].ours;
    process->watched = pipes[WATCHED].ours;
    return process;
}

pid_t tr_process_id(const tr_process *process)
{
    return process->id;
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
            close_end(end);
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
            close_end(&process->input);
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
    close_end(&process->input);
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
    if (process->watched >= 0)
        write_quietly(process->watched, "", 1);
    close_end(&process->watched);
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

void tr_process_kill(tr_process *process)
{
    while (!reap_if_ended(process)) {
        kill(-process->id, SIGKILL);
        siginfo_t about; /* what is killed ends at once: waited for, not asked after */
        waitid(P_PID, (id_t)process->id, &about, WEXITED | WNOWAIT);
    }
    close_end(&process->input);
    take_in(&process->output, &process->out, OUTPUT_KEPT);
    take_in(&process->errors, &process->err, ERRORS_KEPT);
}

void tr_process_free(tr_take tr_process *process)
{
    if (!process) {
        return;
    }
    if (!process->reaped) {
        kill(-process->id, SIGKILL);
    }
    tr_process_kill(process);
    close_end(&process->output);
    close_end(&process->errors);
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
