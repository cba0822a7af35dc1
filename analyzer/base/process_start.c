/* Child processes: how they are started, with a guard beside them. */
#include "base/installed.h"
#include "base/process_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void tr_process_close_end(int *end)
{
    if (*end >= 0) {
        close(*end);
    }
    *end = -1;
}

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

/* Opens the pipe that a guard of all processes watches, and by which it tells the program's
 * number. */
static bool open_line(pipe_pair *pair)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    *pair = (pipe_pair){.ours = ends[0], .theirs = ends[1]};
    return move_above_streams(&pair->ours) && move_above_streams(&pair->theirs);
}

static void close_pair(pipe_pair *pair)
{
    tr_process_close_end(&pair->ours);
    tr_process_close_end(&pair->theirs);
}

/* glibc has it from 2.34 on; wheels run on older ones. */
#pragma weak posix_spawn_file_actions_addclosefrom_np
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

/* Closes the descriptors that are open now, one by one. Of a descriptor that another thread closes
 * meanwhile, closing it again in the child is no error. */
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

/* A group of its own so that the child's children die with it, or, of a guard of all, a session, so
 * that who ends ours does not end the guard; and signals as a fresh program expects them: ours may
 * block or ignore some. */
static int set_attributes(posix_spawnattr_t *attributes, bool is_whole)
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
    int own = is_whole ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    return posix_spawnattr_setflags(attributes,
                                    (short)(own | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
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
static const char *const *guarded(tr_arena *arena, const char *how, const char *const *argv)
{
    /* A program that the guard would not find is started without one, so that the system says why.
     */
    const char *guard = tr_program_is_there(arena, argv[0]) ? tr_process_guard(arena) : NULL;
    if (!guard)
        return NULL;
    size_t n = 0;
    while (argv[n])
        n++;
    const char **with = TR_NEW_ARRAY(arena, const char *, n + 3);
    with[0] = guard;
    with[1] = how;
    memcpy(with + 2, argv, n * sizeof *argv);
    return with;
}

static int spawn(pid_t *id, const char *const *argv, char **environment,
                 const pipe_pair pipes[PIPES], int n_pipes, bool is_whole)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int failed = lay_out(&actions, pipes, n_pipes);
    if (!failed) {
        failed = set_attributes(&attributes, is_whole);
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

static tr_give tr_process *start(tr_arena *arena, const char *const *argv, char **environment,
                                 bool is_whole, const char **why)
{
    pipe_pair pipes[PIPES] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    const char *const *with_guard = guarded(arena, is_whole ? "all" : "group", argv);
    int failed = 0, n = with_guard ? PIPES : WATCHED;
    is_whole = is_whole && with_guard;
    for (int i = 0; i < n && !failed; i++) {
        bool child_reads = i == STDIN_FILENO || i == WATCHED;
        bool is_open =
            i == WATCHED && is_whole ? open_line(&pipes[i]) : open_pipe(&pipes[i], child_reads);
        failed = is_open ? 0 : errno;
    }
    pid_t id = -1;
    if (!failed) {
        failed = spawn(&id, with_guard ? with_guard : argv, environment, pipes, n, is_whole);
    }
    for (int i = 0; i < PIPES; i++) {
        tr_process_close_end(&pipes[i].theirs);
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
    process->program = is_whole ? 0 : id;
    process->is_whole = is_whole;
    process->input = pipes[0].ours;
    process->output = pipes[1].ours;
    process->errors = pipes[2].ours;
    process->watched = pipes[WATCHED].ours;
    return process;
}

tr_give tr_process *tr_process_start_in(tr_arena *arena, const char *const *argv,
                                        char **environment, const char **why)
{
    return start(arena, argv, environment, false, why);
}

tr_give tr_process *tr_process_start_whole(tr_arena *arena, const char *const *argv,
                                           const char *variable, const char **why)
{
    return start(arena, argv, environment_with(arena, variable, false), true, why);
}
