#include "exec/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/installed.h"
#include "wire/wire.h"

/* ---- Section: Libraries ---- */

/* The folder of the first of the files that is there. */
static const char *find_folder(tr_arena *arena, const char *const *places)
{
    const char *file = tr_find_installed(arena, places);
    return file ? tr_arena_strndup(arena, file, (size_t)(strrchr(file, '/') - file)) : NULL;
}

const program_libraries *program_find_libraries(tr_arena *arena, bool dry_run, const char **why)
{
    static const char *const stand_in[] = {TILERACE_LIBDIR "/tilerace/stand_in/libcuda.so.1",
                                           "capture/stand_in/libcuda.so.1", NULL};
    static const char *const preload[] = {TILERACE_LIBDIR "/tilerace/libtilerace-preload.so",
                                          "capture/libtilerace-preload.so", NULL};
    static const char *const python[] = {TILERACE_LIBDIR "/tilerace/python/sitecustomize.py",
                                         "../../capture/python/sitecustomize.py", NULL};
    static const char *const package[] = {TILERACE_LIBDIR "/tilerace/python/tilerace/__init__.py",
                                          "../../python/tilerace/__init__.py", NULL};
    static const char *const assembler[] = {TILERACE_LIBDIR "/tilerace/assembler/tileiras",
                                            "assembler/tileiras", NULL};
    program_libraries *found = TR_NEW(arena, program_libraries);
    found->stand_in = find_folder(arena, stand_in);
    found->preload = tr_find_installed(arena, preload);
    found->python = find_folder(arena, python);
    const char *folder = find_folder(arena, package);
    found->package =
        folder ? tr_arena_strndup(arena, folder, (size_t)(strrchr(folder, '/') - folder)) : NULL;
    found->assembler = find_folder(arena, assembler);
    *why =
        dry_run && !found->stand_in ? "the stand-in CUDA driver is not installed beside the program"
        : !dry_run && !found->preload ? "libtilerace-preload.so is not installed beside the program"
        : !found->python              ? "the hooks for Python are not installed beside the program"
                                      : NULL;
    return *why ? NULL : found;
}

/* ---- Section: The driver ---- */

static bool finds_gpu(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(unsigned) = driver ? (int (*)(unsigned))dlsym(driver, "cuInit") : NULL;
    int (*count)(int *) = driver ? (int (*)(int *))dlsym(driver, "cuDeviceGetCount") : NULL;
    int n = 0;
    return init && count && init(0) == 0 && count(&n) == 0 && n > 0;
}

bool program_has_gpu(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        _exit(finds_gpu() ? 0 : 1);
    }
    int status = 1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- Section: Starting it ---- */

/* NAME=first:what was there. */
static void put_in_front(tr_arena *arena, const char *name, const char *first)
{
    const char *old = getenv(name);
    setenv(name, old && old[0] ? tr_arena_printf(arena, "%s:%s", first, old) : first, 1);
}

/* Front ends that call the assembler while they run call ours, which calls the one that they would
 * have called. */
static void take_place_of_assembler(tr_arena *arena, const char *folder)
{
    static const char *const names[] = {"TILERACE_TILEIRAS", "CUTILE_TILEIRAS_PATH",
                                        "TRITON_TILEIRAS_PATH"};
    for (size_t i = 0; i < TR_COUNT(names); i++) {
        const char *named = getenv(names[i]);
        if (named && named[0]) {
            setenv("TILERACE_TILEIRAS", named, 1);
            break;
        }
    }
    setenv("CUTILE_TILEIRAS_PATH", tr_arena_printf(arena, "%s/tileiras", folder), 1);
    setenv("TRITON_TILEIRAS_PATH", folder, 1);
}

static void set_environment(tr_arena *arena, const program_environment *e)
{
    const program_libraries *l = e->libraries;
    setenv(WIRE_SOCKET_VARIABLE, e->socket, 1);
    if (l->package && strcmp(l->package, l->python) != 0)
        put_in_front(arena, "PYTHONPATH", l->package);
    setenv(DUMPS_VARIABLE, e->dumps, 1);
    put_in_front(arena, "PYTHONPATH", l->python);
    if (l->assembler)
        take_place_of_assembler(arena, l->assembler);
    if (e->dry_run) {
        setenv("TILERACE_DRY_RUN", "1", 1);
        setenv("TILERACE_RECORDER", tr_arena_printf(arena, "%s/libcuda.so.1", l->stand_in), 1);
        put_in_front(arena, "LD_LIBRARY_PATH", l->stand_in);
    } else {
        unsetenv("TILERACE_DRY_RUN");
        setenv("TILERACE_RECORDER", l->preload, 1);
        put_in_front(arena, "LD_PRELOAD", l->preload);
        /* A sanitizer's library, which wants to be the first, need not be. */
        put_in_front(arena, "ASAN_OPTIONS", "verify_asan_link_order=0");
    }
}

/* A shell's codes for what cannot be run. */
static int code_of(int error)
{
    return error == ENOENT ? 127 : 126;
}

pid_t program_start(tr_arena *arena, const char *const *argv, const program_environment *e,
                    const char **why)
{
    int report[2]; /* what execvp says, if it comes back */
    if (pipe2(report, O_CLOEXEC) != 0) {
        *why = tr_arena_strdup(arena, strerror(errno));
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        unsetenv("LIBCLANG_NOTHREADS"); /* ours */
        set_environment(arena, e);
        execvp(argv[0], (char *const *)argv);
        int error = errno;
        ssize_t written = write(report[1], &error, sizeof error);
        (void)written;
        _exit(code_of(error));
    }
    int error = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0 && read(report[0], &error, sizeof error) != sizeof error)
        error = 0;
    close(report[0]);
    if (error == 0)
        return pid;
    if (pid > 0)
        waitpid(pid, NULL, 0);
    *why = tr_arena_printf(arena, "'%s' cannot be run: %s", argv[0], strerror(error));
    return -1;
}
